// React as a site generator uses it: the page comes as the server made it, its scripts come later and hydrate it.
const FOLDER = "../../../target/decks/react/node_modules/";
const known = new Map();
/** One of npm's packages, whose files are modules for Node. */
const load = async (name) => {
  if (known.has(name)) return;
  const code = await (await fetch(`${FOLDER}${name.replace("/", "/cjs/")}.production.js`)).text();
  known.set(name, code);
};
const made = new Map();
const require = (name) => {
  const file = { react: "react/react", scheduler: "scheduler/scheduler", "react-dom": "react-dom/react-dom" }[name] ?? name;
  if (!made.has(file)) {
    const module = { exports: {} };
    made.set(file, module);
    new Function("require", "module", "exports", known.get(file))(require, module, module.exports);
  }
  return made.get(file).exports;
};
await Promise.all(["react/react", "scheduler/scheduler", "react-dom/react-dom", "react-dom/react-dom-client",
  "react-dom/react-dom-server-legacy.browser"].map(load));
const { createElement, useState } = require("react");
const { renderToString } = require("react-dom/react-dom-server-legacy.browser");
const { hydrateRoot } = require("react-dom/react-dom-client");

function Site() {
  const [step, setStep] = useState("8");
  const [there, setThere] = useState(false);
  window.site = { setStep, setThere };
  const one = { scenario: "leader-crash-under-load", lang: "en", theme: "light" };
  return createElement("main", null,
    createElement("script", { async: true, src: new URL("../../../dist/zabscope-embed.js", location).href }),
    createElement("zab-scope", { ...one, id: "server", step, paused: true }),
    // what only comes when a reader has gone on to another page
    there && createElement("zab-scope", { ...one, id: "client", step: 3, paused: "" }),
    there && createElement("zab-scope", { id: "lesson", lesson: "zab-broadcast", beat: "2", facts: "none", lang: "en" }));
}

window.errors = [];
const root = document.getElementById("root");
root.innerHTML = renderToString(createElement(Site));
// the element is there before React is
await import("../../../dist/zabscope-embed.js");
await document.getElementById("server").state();
window.before = document.getElementById("server");
hydrateRoot(root, createElement(Site), { onRecoverableError: (error) => errors.push(String(error)) });
document.documentElement.dataset.ready = "true";
