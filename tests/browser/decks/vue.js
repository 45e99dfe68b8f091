// Vue as Slidev uses it: whatever is a property of the element is set as one.
import { createApp, h, ref } from "../../../target/decks/vue/node_modules/vue/dist/vue.runtime.esm-browser.prod.js";

await customElements.whenDefined("zab-scope");
const step = ref("8");
window.step = step;
createApp({
  render: () => [
    h("zab-scope", { id: "run", scenario: "leader-crash-under-load", step: step.value, paused: "", facts: "none", lang: "en" }),
    h("zab-scope", { id: "lesson", lesson: "zab-broadcast", beat: "2", lang: "en" }),
  ],
}).mount("#root");
document.documentElement.dataset.ready = "true";
