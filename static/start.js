// Loads the page's WebAssembly. Trunk.toml's `pattern_script` names this file and hands it the hashed names,
// and scripts/stories that of its own file.
const { js, wasm, stories } = document.querySelector("script[data-wasm]").dataset;
const url = (path) => new URL(path, document.baseURI);

// A worker with the page's own code, compiled already, in which a search holds nothing up (static/search.js).
globalThis.searcher = (code) => {
  const worker = new Worker(url("./search.js"), { type: "module" });
  worker.postMessage({ js: url(js).href, code });
  return worker;
};

// Lessons, bugs and prepared runs, which the page asks for when one of them is opened (src/ui/kit/stories.rs).
globalThis.zabscopeStories = async () => {
  const answer = await fetch(url(stories));
  if (!answer.ok) throw new Error(`${stories}: ${answer.status}`);
  return answer.text();
};

const hush = say();
try {
  if (zabscopeRescue.mayStart(wasm)) {
    // the script and the code it binds come side by side, and the code is compiled while it comes
    const code = fetch(url(wasm));
    const { default: init, openPage } = await import(url(js));
    await init({ module_or_path: code });
    openPage();
    keepForLater();
  }
} catch (error) {
  zabscopeRescue.didNotStart(error);
  throw error;
} finally {
  hush();
}

// Says that the page is on its way, where that takes more than a moment; what it gives takes that back.
function say() {
  const note = document.createElement("p");
  note.className = "coming";
  note.role = "status";
  note.textContent = zabscopeRescue.inTongue("Loading…", "正在加载……", "正在載入……");
  // beside the body: what is in that goes when the page opens
  const soon = setTimeout(() => document.documentElement.append(note), 1000);
  return () => (clearTimeout(soon), note.remove());
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
