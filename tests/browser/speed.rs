//! How fast the page's simulation is. Not a test: `scripts/bench` runs it and reads what it prints.

use serde_json::json;

use crate::harness::{Engine, Page};

#[test]
#[ignore = "a bench: scripts/bench"]
fn bench() {
    let page = Page::open("");
    let script = "
        let best = Infinity;
        for (let round = 0; round < 5; round++) {
            zabscope.load(JSON.parse(arguments[0]));
            zabscope.pause();
            const start = performance.now();
            zabscope.seek(10000);
            best = Math.min(best, performance.now() - start);
        }
        return [best, zabscope.state().events]";
    let measured = page.js(script, &[json!(include_str!("../../benches/loaded.json"))]);
    let (ms, events) = (measured[0].as_f64().expect("ms"), measured[1].as_f64().expect("events"));
    println!("the page, in {:<9?}: {:>9.0} events/s ({ms:.1} ms)", Engine::chosen(), events / ms * 1e3);
}
