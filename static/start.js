// Loads the page's WebAssembly. Trunk.toml's `pattern_script` names this file and hands it the hashed names.
const { js, wasm } = document.querySelector("script[data-wasm]").dataset;
const url = (path) => new URL(path, document.baseURI);

try {
  const { default: init } = await import(url(js));
  await init({ module_or_path: url(wasm) });
} catch (error) {
  const sentence = document.createElement("p");
  sentence.setAttribute("role", "alert");
  sentence.textContent = `ZabScope could not start in this browser: ${error.message}`;
  document.body.append(sentence);
  throw error;
}
