// Keeps the page for times without a network. `scripts/offline-list`, which trunk calls at the end of a build, writes the
// build's version and its files into the next two lines; without it this worker keeps nothing and answers nothing.
const VERSION = "";
const FILES = [];

// Several builds may lie in folders of one origin: each minds its own folder.
const FOLDER = registration.scope;
const PREFIX = `zabscope ${FOLDER} `;
const CACHE = PREFIX + VERSION;
const key = (path) => new URL(path, FOLDER).href;
// Names with a hash of the contents in them: what was kept under such a name is right for ever.
const HASHED = /-[0-9a-f]{12,16}[._]/;
// A network that has not answered for so long (in ms) is as good as none.
const PATIENCE = 4000;

addEventListener("install", (event) => {
  // The page works the same with any version of the worker, so a new one need not wait until all pages are closed.
  skipWaiting();
  event.waitUntil(keep());
});

addEventListener("activate", (event) => {
  event.waitUntil(forget().then(() => clients.claim()));
});

addEventListener("fetch", (event) => {
  const path = ours(event.request);
  if (path === undefined) return;
  event.respondWith(HASHED.test(path) ? fromCache(event.request, path) : fromNetwork(event.request, path));
});

// Keeps all files of the build, or fails, and then the last version that was whole stays.
async function keep() {
  const cache = await caches.open(CACHE);
  const loaded = await justLoaded();
  await Promise.all(FILES.map(async (path) => {
    // nothing is fetched twice: what is hashed is right for ever; anything else must be the newest
    const known = HASHED.test(path) || loaded.has(path);
    const response = await fetch(loaded.get(path) ?? key(path), { cache: known ? "force-cache" : "reload" });
    if (!response.ok || response.redirected) throw new Error(`${path}: ${response.status}`);
    await cache.put(key(path), response);
  }));
  // In the middle of an upload the page may still be that of another build.
  if (FILES.includes("")) {
    const page = await (await cache.match(key(""))).text();
    const needed = FILES.filter((path) => HASHED.test(path) && !page.includes(path));
    if (needed.length) throw new Error(`the page does not name ${needed}`);
  }
}

// On a first visit the page itself has just loaded these, under these addresses: the browser still has them, and need not ask
// again whatever the server says of caching. A later version must not be made of what an earlier one has left.
async function justLoaded() {
  const pages = registration.active ? [] : await clients.matchAll({ includeUncontrolled: true, type: "window" });
  const page = pages.map(({ url }) => url.replace(/#.*/, "")).find((url) => pathOf(url) === "");
  return new Map(page ? [["", page], ["start.js", key("start.js")], ["rescue.js", key("rescue.js")], ["poster.js", key("poster.js")]] : []);
}

async function forget() {
  const old = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== CACHE);
  await Promise.all(old.map((name) => caches.delete(name)));
}

// The path of one of the build's files below the folder; nothing for all other requests, which are none of our business.
function ours(request) {
  if (request.method !== "GET" || request.headers.has("range")) return;
  const path = pathOf(request.url);
  return FILES.includes(path) ? path : undefined;
}

// An address as a path below the folder, as FILES has it; nothing for one that lies elsewhere.
function pathOf(address) {
  const { href, origin, pathname } = new URL(address);
  if (!href.startsWith(FOLDER)) return;
  const path = (origin + pathname).slice(FOLDER.length);
  return path === "index.html" ? "" : path;
}

async function fromCache(request, path) {
  return (await kept(path)) ?? fetch(request);
}

// First the network, so that nobody is ever stuck with an old version.
async function fromNetwork(request, path) {
  const late = new Promise((done) => setTimeout(done, PATIENCE));
  const answer = fetch(request);
  try {
    const response = await Promise.race([answer, late]);
    if (response && response.status < 500) return response;
  } catch {
    // no network
  }
  return (await kept(path)) ?? answer;
}

async function kept(path) {
  return (await caches.open(CACHE)).match(key(path), { ignoreVary: true });
}
