// What a page does with the element: it calls methods and hears events.
const crash = document.getElementById("crash");
const said = document.getElementById("said");

document.getElementById("turn").addEventListener("click", () => crash.step());
document.getElementById("back").addEventListener("click", () => crash.stepBack());
document.getElementById("kill").addEventListener("click", async () => {
  const { leader } = await crash.state();
  if (leader) crash.act({ do: "crash", server: leader });
});

// a milestone comes with its sentences, in the language of the element
crash.addEventListener("step", ({ detail }) => {
  said.textContent = `${detail.turn}. ${detail.said.at(-1)?.what ?? ""}`;
});
crash.addEventListener("error", ({ detail }) => {
  said.textContent = detail.message;
});
