// Loads the page's WebAssembly. Trunk.toml's `pattern_script` names this file and hands it the hashed names.
//
// The code comes in two parts (docs/development.md): what the first picture needs, and the rest, which is fetched after that picture, with
// the style for it.
// A build for development is not cut: it has everything in the first.
const { js, wasm, second } = document.querySelector("script[data-wasm]").dataset;
const url = (path) => new URL(path, document.baseURI);
// the second part, compiled, when it has come
let joined;

// A worker with the page's own code, compiled already, in which a search holds nothing up (static/search.js).
globalThis.searcher = (first) => {
  const worker = new Worker(url("./search.js"), { type: "module" });
  worker.postMessage({ js: url(js).href, first, second: joined });
  return worker;
};

const hush = say();
// whether the page opens with its first part alone
let early = false;
try {
  if (zabscopeRescue.mayStart(wasm)) {
    const { default: init, openPage, secondCame } = await import(url(js));
    const rested = isPlain() ? undefined : restOfStyle();
    const [first, rest] = await Promise.all([init({ module_or_path: url(wasm) }), !second || isPlain() ? undefined : compiled(), rested]);
    globalThis.secondPart = joiner(first, rest, () => {
      hush();
      secondCame();
      zabscopeRescue.release();
      // now the browser has all that a worker fetches
      keepForLater();
    });
    openPage();
    early = second && !rest;
    if (early) zabscopeRescue.wait();
  }
} catch (error) {
  zabscopeRescue.didNotStart(error);
  throw error;
} finally {
  if (!early) hush();
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

// Whether the page opens as the first part can open it: in English, with the scenario that comes first.
function isPlain() {
  return !location.search && !location.hash && /^en\b/i.test(navigator.language);
}

// Style for what the first picture does not have; browsers do not fetch what is disabled.
function restOfStyle() {
  const links = [...document.querySelectorAll("link[disabled]")];
  return Promise.all(
    links.map((link) => {
      // a page without its last style is better than none
      const came = new Promise((done) => ((link.onload = link.onerror = done), setTimeout(done, 3000)));
      link.disabled = false;
      return came;
    }),
  );
}

async function compiled(signal) {
  return WebAssembly.compile(await (await fetch(url(second), { priority: "low", signal })).arrayBuffer());
}

// What the code calls when it wants its second part: at once, because something of it is needed now, or soon.
function joiner(first, rest, came) {
  const join = (module) => {
    if (first.second.value) return;
    new WebAssembly.Instance(module, { first });
    joined = module;
    first.second.value = 1;
    // not in the middle of what the code does
    setTimeout(came, 0);
  };
  if (rest) join(rest);
  let asked = rest, underWay;
  const ask = (atOnce) => {
    if (!second) return void restOfStyle().then(came);
    if (atOnce) {
      restOfStyle();
      // nobody can wait for what is under way
      underWay?.abort();
      return join(new WebAssembly.Module(readNow(url(second))));
    }
    // two frames: the page asks before its first picture is painted
    asked ??= new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)))
      .then(() => Promise.all([compiled((underWay = new AbortController()).signal), restOfStyle()]))
      .then(([rest]) => join(rest))
      // it did not come, and presses wait for it: again after a while, unless it was fetched at once
      .catch(() => {
        asked = joined;
        setTimeout(ask, 3000);
      });
  };
  return ask;
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
