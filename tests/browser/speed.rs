//! How fast the page's simulation is. Not a test: `scripts/bench` runs it and reads what it prints.

use serde_json::json;

use crate::harness::{Engine, Page, figure};

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
    let travel = "
        const run = JSON.parse(arguments[0]), once = run.actions.filter(action => action.do === 'write');
        for (let again = 1; again < 12; again++) {
            run.actions.push(...once.map(action => ({ ...action, at_us: action.at_us + again * 10000000 })));
        }
        zabscope.load(run);
        zabscope.pause();
        const before = zabscope.memory();
        while (zabscope.state().events < 1000000) zabscope.step(100000);
        const [memory, end] = [zabscope.memory() - before, zabscope.state().time_us / 1000];
        const times = [];
        for (let round = 0, at = 7; round < 60; round++) {
            at = (at * 7919 + 104729) % Math.floor(end);
            const start = performance.now();
            zabscope.seek(at);
            times.push(performance.now() - start);
        }
        times.sort((a, b) => a - b);
        return [times[30], times[57], memory]";
    let went = page.js(travel, &[json!(include_str!("../../benches/loaded.json"))]);
    let number = |index: usize| went[index].as_f64().expect("a number");
    let engine = format!("{:?}", Engine::chosen()).to_lowercase();
    figure(&format!("the page undrawn, {engine}"), "events/s", events / ms * 1e3, 0);
    figure(&format!("to any of 1,000,000 events, median, {engine}"), "ms", number(0), 1);
    figure(&format!("to any of 1,000,000 events, 95 %, {engine}"), "ms", number(1), 1);
    figure(&format!("memory of 100,000 events, {engine}"), "MB", number(2) / 1e7, 1);
}
