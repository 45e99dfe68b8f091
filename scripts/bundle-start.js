// The end of the script in dist/zabscope.html (scripts/bundle): starts the WebAssembly that stands in the same file.
try {
  if (zabscopeRescue.mayStart(document.getElementById("code").textContent.slice(-64))) await begin();
} catch (error) {
  zabscopeRescue.didNotStart(error);
  throw error;
}

async function begin() {
  await __wbg_init({ module_or_path: unpacked(document.getElementById("code").textContent, "application/wasm") });
  // the page that opens takes this file's elements away; and a browser keeps what each address stands for: one for all workers
  const script = URL.createObjectURL(new Blob([document.getElementById("search").textContent], { type: "text/javascript" }));
  globalThis.searcher = (code) => {
    const worker = new Worker(script);
    worker.postMessage({ code });
    return worker;
  };
  const licences = new Blob([document.getElementById("licences").textContent], { type: "text/plain;charset=utf-8" });
  addEventListener("click", (event) => {
    if (!event.target.matches?.('a[href="licences.txt"]')) return;
    event.preventDefault();
    open(URL.createObjectURL(licences));
  });
  const stories = document.getElementById("stories").textContent;
  globalThis.zabscopeStories = () => unpacked(stories).text();
  openPage();
}

function unpacked(text, type = "application/json") {
  const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const whole = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(whole, { headers: { "Content-Type": type } });
}
