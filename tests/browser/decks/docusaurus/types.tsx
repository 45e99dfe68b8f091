// Compiles where the package's types are right.
import { useRef } from "react";
import type { ZabScopeElement } from "zabscope-embed";
import { ZabScope } from "zabscope-embed/react";

export function Run() {
  const one = useRef<ZabScopeElement>(null);
  // @ts-expect-error: there are three kinds of controls
  const wrong = <ZabScope controls="some" />;
  return (
    <section onClick={() => one.current?.play()}>
      <ZabScope ref={one} className="wide" scenario="lock-herd" step={3} paused onStep={({ detail }) => detail.turn.toFixed()} onClick={() => wrong} />
    </section>
  );
}
