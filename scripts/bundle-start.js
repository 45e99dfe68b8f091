// The end of the script in dist/zabscope.html (scripts/bundle): starts the WebAssembly that stands in the same file.
try {
  if (zabscopeRescue.mayStart(document.getElementById("wasm").textContent.slice(-64))) await begin();
} catch (error) {
  if (!zabscopeRescue.isDead()) sayWhy(error);
  throw error;
}

async function begin() {
  const text = document.getElementById("wasm").textContent;
  const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const wasm = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  const headers = { "Content-Type": "application/wasm" };
  await __wbg_init({ module_or_path: new Response(wasm, { headers }) });
}

function sayWhy(error) {
  const sentence = document.createElement("p");
  sentence.setAttribute("role", "alert");
  sentence.textContent = `ZabScope could not start in this browser: ${error.message}`;
  document.body.append(sentence);
}
