// The presenter's window: shows what the page that opened it tells, and hands over what is pressed here. It has no words of its own: they
// come with the messages, in the page's language. src/ui/remote/presenter.rs is the other side.

const page = window.opener;
const at = (id) => document.getElementById(id);
/** How often the page is greeted, ms: it answers with all there is to show, also after it was loaded anew. */
const AGAIN = 2_000;
/** Without an answer for so long, ms, the page is gone. */
const PATIENCE = 7_000;

// the clock goes on when this window is loaded again
let began = kept() || begin();
let heard = Date.now();
let lost = "";

function kept() {
  try {
    return Number(sessionStorage.getItem("began"));
  } catch {
    return 0; // no storage here
  }
}

function begin() {
  const now = Date.now();
  try {
    sessionStorage.setItem("began", now);
  } catch {
    // it begins anew then
  }
  return now;
}

function say(what) {
  page?.postMessage(JSON.stringify({ zabscope: "presenter", do: what }), location.origin);
}

addEventListener("message", ({ source, origin, data }) => {
  if (!source || source !== page || origin !== location.origin) return;
  let told;
  try {
    told = JSON.parse(data);
  } catch {
    return;
  }
  if (told?.zabscope !== "presenter") return;
  heard = Date.now();
  show(told);
});

/** Puts a text where it belongs, if it is another one: what has not changed is not read out again. */
function put(id, text) {
  if (at(id).textContent !== text) at(id).textContent = text;
}

function show({ lang, theme, dark, playing, words, scene, chapter, title, because, next, notes }) {
  document.documentElement.lang = lang;
  document.documentElement.dataset.theme = theme;
  document.title = `${words.window} · ${scene}`;
  lost = words.lost;
  for (const [id, text] of Object.entries({ scene, chapter, title, because, since: words.elapsed, reset: words.reset })) put(id, text);
  put("previous", words.previous);
  put("play", playing ? words.pause : words.play);
  put("next", next);
  put("dark", words.dark);
  at("dark").setAttribute("aria-pressed", dark);
  const lines = notes.flatMap(([name, text]) => [["dt", name], ["dd", text]]);
  at("notes").replaceChildren(...lines.map(([tag, text]) => Object.assign(document.createElement(tag), { textContent: text })));
  tick();
}

function tick() {
  const now = new Date();
  put("now", now.toLocaleTimeString(document.documentElement.lang, { hour: "2-digit", minute: "2-digit" }));
  const seconds = Math.floor((now - began) / 1_000);
  const two = (number) => String(number).padStart(2, "0");
  put("elapsed", `${Math.floor(seconds / 60)}:${two(seconds % 60)}`);
  put("lost", now - heard > PATIENCE ? lost : "");
}

// a clicker sends its keys to the window that has the focus
const KEYS = { PageDown: "next", ArrowRight: "next", PageUp: "previous", ArrowLeft: "previous", " ": "play", b: "dark", B: "dark", ".": "dark" };

addEventListener("keydown", (event) => {
  const what = KEYS[event.key];
  if (!what || event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.key === " " && event.target.closest("button")) return;
  event.preventDefault();
  say(what);
});
for (const id of ["previous", "play", "next", "dark"]) at(id).addEventListener("click", () => say(id));
at("reset").addEventListener("click", () => {
  began = begin();
  tick();
});

say("hello");
setInterval(() => say("hello"), AGAIN);
setInterval(tick, 1_000);
tick();
