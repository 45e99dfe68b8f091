// Loads the page's WebAssembly. Trunk.toml's `pattern_script` names this file and hands it the hashed names.
import "./rescue.js";

const { js, wasm } = document.querySelector("script[data-wasm]").dataset;
const url = (path) => new URL(path, document.baseURI);

try {
  if (zabscopeRescue.mayStart(wasm)) {
    const { default: init } = await import(url(js));
    await init({ module_or_path: url(wasm) });
    keepForLater();
  }
} catch (error) {
  if (!zabscopeRescue.isDead()) sayWhy(error);
  throw error;
}

function sayWhy(error) {
  const sentence = document.createElement("p");
  sentence.setAttribute("role", "alert");
  sentence.textContent = `ZabScope could not start in this browser: ${error.message}`;
  document.body.append(sentence);
}

// From now on the page opens without a network too (static/sw.js). Where that is not possible (no https, no storage in a
// frame of somebody else's page) it does without.
function keepForLater() {
  try {
    const workers = navigator.serviceWorker;
    const known = workers?.controller;
    workers?.register(url("./sw.js"), { updateViaCache: "none" })
      // some browsers would look for a new version only tomorrow
      .then((registration) => known && registration.update())
      .catch(() => {});
  } catch {
    // a frame that may not even ask
  }
}
