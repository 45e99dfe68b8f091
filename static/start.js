// Loads the page's WebAssembly. Trunk.toml's `pattern_script` names this file and hands it the hashed names.
//
// The code comes in two parts (docs/development.md): what the first picture needs, and the rest, which is fetched after that picture.
// A build for development is not cut: it has everything in the first.
import "./rescue.js";

const { js, wasm, second } = document.querySelector("script[data-wasm]").dataset;
const url = (path) => new URL(path, document.baseURI);

try {
  if (zabscopeRescue.mayStart(wasm)) {
    const { default: init, openPage, secondCame } = await import(url(js));
    const [first, rest] = await Promise.all([init({ module_or_path: url(wasm) }), !second || isPlain() ? undefined : compiled()]);
    globalThis.secondPart = joiner(first, rest, () => {
      secondCame();
      // now the browser has all that a worker fetches
      keepForLater();
    });
    openPage();
  }
} catch (error) {
  zabscopeRescue.didNotStart(error);
  throw error;
}

// Whether the page opens as the first part can open it: in English, with the scenario that comes first.
function isPlain() {
  return !location.search && !location.hash && /^en\b/i.test(navigator.language);
}

async function compiled(signal) {
  return WebAssembly.compile(await (await fetch(url(second), { priority: "low", signal })).arrayBuffer());
}

// What the code calls when it wants its second part: at once, because something of it is needed now, or soon.
function joiner(first, rest, came) {
  const join = (module) => {
    if (first.second.value) return;
    new WebAssembly.Instance(module, { first });
    first.second.value = 1;
    // not in the middle of what the code does
    setTimeout(came, 0);
  };
  if (rest) join(rest);
  let asked = rest;
  const underWay = new AbortController();
  return (atOnce) => {
    if (!second) return void setTimeout(came, 0);
    if (atOnce) {
      // nobody can wait for what is under way
      underWay.abort();
      return join(new WebAssembly.Module(readNow(url(second))));
    }
    // two frames: the page asks before its first picture is painted
    asked ??= new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)))
      .then(() => compiled(underWay.signal))
      .then(join)
      // who needs it will ask again
      .catch(() => {});
  };
}

// The bytes of a file, while everything waits. Such requests give text only, so bytes come as its letters.
function readNow(path) {
  const request = new XMLHttpRequest();
  request.open("GET", path, false);
  request.overrideMimeType("text/plain; charset=x-user-defined");
  request.send();
  if (request.status !== 200) throw new Error(`a part of the page is missing (${request.status})`);
  return Uint8Array.from(request.responseText, (letter) => letter.charCodeAt(0) & 0xff);
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
