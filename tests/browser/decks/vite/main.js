// The package as an application of Vue takes it, built by Vite.
import { createApp, h, ref } from "vue";
import { ZabScope } from "zabscope-embed/vue";

const step = ref(8);
const turns = [];
const one = ref(null);
Object.assign(window, { step, turns, one });
createApp({
  render: () => [
    h(ZabScope, {
      ref: one, id: "packed", class: "wide", scenario: "leader-crash-under-load", step: step.value, paused: "", keys: "deck", lang: "en", theme: "light",
      onStep: ({ detail }) => turns.push(detail.turn),
    }, () => [h("a", { href: "#" }, "A leader dies")]),
  ],
}).mount("#root");
