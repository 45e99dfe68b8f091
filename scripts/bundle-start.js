// The end of the script in dist/zabscope.html (scripts/bundle): starts the WebAssembly that stands in the same file, in two parts as
// static/start.js knows them; here both are at hand.
try {
  if (zabscopeRescue.mayStart(document.getElementById("first").textContent.slice(-64))) await begin();
} catch (error) {
  zabscopeRescue.didNotStart(error);
  throw error;
}

async function begin() {
  globalThis.secondPart = () => void setTimeout(secondCame, 0);
  const [first, second] = await Promise.all([__wbg_init({ module_or_path: unpacked("first") }), unpacked("second").arrayBuffer()]);
  const { module } = await WebAssembly.instantiate(second, { first });
  // the page that opens takes this file's elements away; and a browser keeps what each address stands for: one for all workers
  const script = URL.createObjectURL(new Blob([document.getElementById("search").textContent], { type: "text/javascript" }));
  globalThis.searcher = (first) => {
    const worker = new Worker(script);
    worker.postMessage({ first, second: module });
    return worker;
  };
  first.second.value = 1;
  const licences = new Blob([document.getElementById("licences").textContent], { type: "text/plain;charset=utf-8" });
  addEventListener("click", (event) => {
    if (!event.target.matches?.('a[href="licences.txt"]')) return;
    event.preventDefault();
    open(URL.createObjectURL(licences));
  });
  openPage();
}

function unpacked(id) {
  const packed = Uint8Array.from(atob(document.getElementById(id).textContent), (letter) => letter.charCodeAt(0));
  const wasm = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(wasm, { headers: { "Content-Type": "application/wasm" } });
}
