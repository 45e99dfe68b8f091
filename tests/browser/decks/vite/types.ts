// Compiles where the package's types are right.
import type { ZabScopeElement } from "zabscope-embed";
import { ZabScope as Vue } from "zabscope-embed/vue";
import { h } from "vue";

export async function drive(one: ZabScopeElement): Promise<number> {
  one.addEventListener("step", ({ detail }) => console.log(detail.turn.toFixed(), detail.said[0]?.what));
  await one.act({ do: "crash", server: 2 });
  const found: ZabScopeElement | null = document.querySelector("zab-scope");
  // @ts-expect-error: a moment is a number
  await found?.seek("soon");
  return (await one.state()).servers.length;
}

h(Vue, { scenario: "lock-herd", step: 3, paused: true, onStep: ({ detail }) => console.log(detail.turn) });
