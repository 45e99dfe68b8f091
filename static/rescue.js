// What is left when the page's WebAssembly stops: a panic, a trap, no memory. Everything here lives outside of it. The page hands over
// its run at each change, so that the run up to the mistake can be saved; and an address at which it died by itself is not
// simply started again. docs/robustness.md says more.
globalThis.zabscopeRescue = (() => {
  const KEY = "zabscope-stopped";
  /** How many addresses are remembered, and the longest run beside one, characters. */
  const REMEMBERED = 8, LONGEST = 500_000;
  const KINDS = ["keydown", "keyup", "click", "contextmenu", "input", "change", "submit", "wheel", "message", "resize",
    "hashchange", "visibilitychange", "focusin", "focusout", "dragstart", "dragend", "dragover", "dragleave", "drop", "copy",
    "paste", ...["down", "up", "move", "cancel", "over", "out", "enter", "leave"].map((kind) => `pointer${kind}`)];
  const runs = [null, null];
  const buttons = new Map();
  let words = { lang: "en", title: "ZabScope stopped", text: "", died: "", save: "Save", fresh: "New run", again: "Again" };
  let us = 0, changes = 0, doing = "", dead = false, build = "";

  const text = (run) => run && `${run.head}${run.actions.join(",")}]}`;
  const address = () => location.pathname + location.search + location.hash;

  /** Whether it is what `stop` remembers in this build. Anybody can write into storage. */
  function isMemory(one) {
    const isText = (value) => typeof value === "string";
    return one?.build === build && isText(one.address) && isText(one.message) && Number.isFinite(one.us)
      && Array.isArray(one.runs) && one.runs.every((run) => run === null || isText(run))
      && Object.keys(words).every((name) => isText(one.words?.[name]));
  }

  /** What is remembered; anything else in its place is as nothing, and goes when something is remembered again. */
  function remembered() {
    try {
      const list = JSON.parse(localStorage.getItem(KEY) ?? "[]");
      return Array.isArray(list) ? list.filter(isMemory) : [];
    } catch {
      return [];
    }
  }

  function remember(list) {
    try {
      localStorage.setItem(KEY, JSON.stringify(list.slice(-REMEMBERED)));
    } catch {
      // no storage, or none left: then it is only said now
    }
  }

  /** A trap of WebAssembly, a stack without end: nothing that was called can be relied on any more. */
  function isDeath(error) {
    if (error instanceof WebAssembly.RuntimeError) return true;
    const endless = /call stack|recursion/i.test(error?.message ?? "");
    return endless && /wasm/i.test(error?.stack ?? "");
  }

  function heard(event) {
    const error = event.error ?? event.reason;
    if (!isDeath(error)) return;
    if (dead) event.preventDefault(); // what is dead may twitch
    else stop(String(error.message ?? error));
  }
  // Before all others, because listeners of the window itself are called in their order: nobody calls into what has stopped.
  function gate(event) {
    if (!dead) return;
    event.stopImmediatePropagation();
    if (event.type === "click") buttons.get(event.target)?.();
  }

  for (const kind of KINDS) addEventListener(kind, gate, { capture: true, passive: true });
  addEventListener("error", heard);
  // a script that does not come says so to nobody but its element, and whoever listens before it
  addEventListener("error", ({ target }) => target.dataset?.wasm && fell(), true);
  addEventListener("unhandledrejection", heard);
  // The page around may ask whether there is one here whose program is on its way: a refusal that stands in its place never says so.
  addEventListener("message", coming);

  function coming({ source, data, origin, ports }) {
    if (source !== parent || source === self || data?.there !== "zabscope") return;
    const told = '{"zabscope":1,"tell":"coming"}';
    if (ports.length) ports[0].postMessage(told);
    else if (origin !== "null") source.postMessage(told, origin);
  }

  function stop(message) {
    if (dead) return;
    dead = true;
    silence();
    const saved = runs.map(text);
    // where nobody did anything, opening it again would end in the same way
    if (changes <= 1) {
      const small = saved.map((run) => (run && run.length <= LONGEST ? run : null));
      const others = remembered().filter((one) => one.address !== address());
      remember([...others, { address: address(), build, us, message, runs: small, words }]);
    }
    show(words.text, message, saved, false);
  }

  /** No frame comes any more, and whoever calls is told. */
  function silence() {
    const next = requestAnimationFrame(() => {});
    for (let id = Math.max(0, next - 100); id <= next; id++) cancelAnimationFrame(id);
    const sentence = () => { throw new Error(words.title); };
    globalThis.zabscope = new Proxy({}, { get: (_, name) => (typeof name === "string" && name !== "then" ? sentence : undefined) });
  }

  function show(said, message, saved, before) {
    const make = (name, content, into) => {
      const element = document.createElement(name);
      element.textContent = content;
      into?.append(element);
      return element;
    };
    for (const other of document.body.children) other.inert = true;
    const box = make("div", "");
    box.className = "rescue";
    box.lang = words.lang;
    const panel = make("section", "", box);
    panel.setAttribute("role", "alertdialog");
    panel.setAttribute("aria-modal", "true");
    panel.setAttribute("aria-label", words.title);
    make("h2", words.title, panel);
    make("p", said.replace("{}", (us / 1e6).toFixed(3)), panel);
    make("pre", [message, doing && `… ${doing}`].filter(Boolean).join("\n"), panel);
    const row = make("p", "", panel);
    const button = (label, does) => {
      const element = make("button", label, row);
      element.type = "button";
      buttons.set(element, does);
    };
    saved.forEach((run, index) => {
      if (run) button(index ? `${words.save} (2)` : words.save, () => save(run, index ? "zabscope-run-2.json" : "zabscope-run.json"));
    });
    button(words.fresh, anew);
    if (before) button(words.again, () => { forget(); location.reload(); });
    document.body.append(box);
    row.querySelector("button")?.focus();
  }

  function save(run, name) {
    const url = URL.createObjectURL(new Blob([run], { type: "application/json" }));
    const link = document.createElement("a");
    link.href = url;
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
  }

  function forget() {
    remember(remembered().filter((one) => one.address !== address()));
  }

  /** The same page with a new run: what the address says of the look stays. */
  function anew() {
    const before = new URLSearchParams(location.search);
    const kept = new URLSearchParams();
    for (const name of ["lang", "theme", "controls", "keys"]) {
      if (before.has(name)) kept.set(name, before.get(name));
    }
    const query = kept.size ? `?${kept}` : "";
    const clean = location.pathname + query;
    try {
      history.replaceState(null, "", clean);
      forget(); // where a new run begins may always be opened
      location.reload();
    } catch {
      location.replace(clean); // a file
    }
  }

  /** The page's program was refused or did not come. From a disk, and in a frame without an origin, browsers refuse it. */
  function fell() {
    const why = inTongue(
      ["ZabScope could not start: its program did not load.", "A frame with sandbox needs “allow-scripts allow-same-origin”."],
      ["ZabScope 无法启动：程序未能加载。", "带 sandbox 的框架需要“allow-scripts allow-same-origin”。"],
      ["ZabScope 無法啟動：程式未能載入。", "帶 sandbox 的框架需要「allow-scripts allow-same-origin」。"],
    );
    if (location.protocol === "file:") why[1] = inTongue(
      "From a disk, open zabscope.html instead, or let a web server show this folder.",
      "从磁盘请改为打开 zabscope.html，或者用网页服务器提供这个文件夹。",
      "從磁碟請改為開啟 zabscope.html，或者用網頁伺服器提供這個資料夾。",
    );
    say(self.origin === "null" || location.protocol === "file:" ? why.join(" ") : why[0]);
  }

  /** One of three, in English and both Chinese scripts: what is said before the program has words. */
  function inTongue(english, simplified, traditional) {
    const lang = new URLSearchParams(location.search).get("lang") ?? navigator.language;
    return /^zh-(Hant|TW|HK|MO)/i.test(lang) ? traditional : /^zh/i.test(lang) ? simplified : english;
  }

  function say(text) {
    // nothing will come of what is pressed on it
    document.querySelector(".poster")?.remove();
    const sentence = document.createElement("p");
    sentence.setAttribute("role", "alert");
    sentence.textContent = text;
    sentence.style.margin = "16px";
    document.body.append(sentence);
  }

  return {
    /** Whether the page may start here; if not, that is said. `name` is the build's. */
    mayStart(name) {
      build = name;
      const known = remembered().find((one) => one.address === address());
      if (!known) return true;
      ({ us, words } = known);
      dead = true;
      show(words.died, known.message, known.runs, true);
      return false;
    },
    /** The page could not start: a sentence, where nothing else has been said. */
    didNotStart(error) {
      if (!dead) say(`ZabScope could not start in this browser: ${error.message}`);
    },
    /** What is said, in the page's language. */
    speak(texts) { words = JSON.parse(texts); },
    /** A run as it is now: all of it, or what was added to its actions. */
    keep(side, head, actions) {
      if (head) runs[side] = { head, actions: actions ? [actions] : [] };
      else runs[side]?.actions.push(actions);
      if (!side) changes++;
      doing = "";
    },
    /** No run stands beside the first one any more. */
    alone() { runs[1] = null; },
    /** Where the run is, µs. */
    at(now) { us = now; },
    /** What is about to be done. */
    about(action) { doing = action; },
    /** The program has stopped. */
    stopped: stop,
    inTongue,
  };
})();
