//! `zabscope.find()`: a search for scripts. It is the page's own search: the panel shows it, and another one ends it.

use js_sys::{Function, Promise};
use serde_json::{Value, json};
use wasm_bindgen::prelude::*;

use crate::base::SimTime;
use crate::base::json::{Json, ReadError, within};
use crate::base::limits::MAX_TIME_MS;
use crate::explore::{Bounds, Goal, Question, Report};
use crate::sim::{RuleNames, Run};
use crate::ui::engine::Engine;
use crate::ui::search::{Shown, Standing};

/// Most runs that a script may have tried, and how many are where it does not say.
const MOST_RUNS: u64 = 1_000_000;
const USUAL_RUNS: u64 = 20_000;

/// What a script asks, about the run on the stage where it gives none.
///
/// # Errors
/// What is wrong, and where.
pub(super) fn question(text: &str, on_stage: Run) -> Result<Question, ReadError> {
    let mut fields = Json::parse(text).and_then(Json::fields)?;
    let goal = fields.or("goal", Goal::Any)?;
    let mut run: Run = fields.or("run", on_stage)?;
    run.setup.rules = run.setup.rules.and(fields.or("break", RuleNames::default())?.0);
    let (from_ms, budget) = (fields.or("from_ms", 0)?, fields.or("budget", USUAL_RUNS)?);
    within("from_ms", from_ms, 0, MAX_TIME_MS)?;
    within("budget", budget, 1, MOST_RUNS)?;
    let orders: Option<Bounds> = fields.or("orders", None)?;
    if orders.is_some() {
        run.actions.clear();
    }
    let (from, seed) = (SimTime::from_ms(from_ms), fields.or("seed", 0)?);
    let question = Question { from, seed, orders, ..Question::new(run, goal, budget) };
    question.check()?;
    fields.end().map(|()| question)
}

/// Begins to search; a promise of what comes of it.
pub(super) fn find(engine: &Engine, question: Question) -> Promise {
    Promise::new(&mut |resolve: Function, reject: Function| {
        let engine = engine.clone();
        let tell = move |standing: &Standing| match outcome(standing) {
            Some(Ok(answer)) => _ = resolve.call1(&JsValue::NULL, &answer),
            Some(Err(why)) => _ = reject.call1(&JsValue::NULL, &js_sys::Error::new(&why)),
            None => {}
        };
        engine.search_for(question.clone(), tell);
    })
}

fn outcome(standing: &Standing) -> Option<Result<JsValue, String>> {
    match standing {
        Standing::Going(_) => None,
        Standing::Over(report, finds) => {
            let text = answer(report, finds).to_string();
            Some(js_sys::JSON::parse(&text).map_err(|_| "find: the answer is too large".to_string()))
        }
        Standing::Stopped(_) => Some(Err("find: the search was stopped".into())),
        Standing::Broken(why) => Some(Err(format!("find: {why}"))),
    }
}

fn answer(report: &Report, finds: &[Shown]) -> Value {
    let one = |shown: &Shown| {
        let seen = shown.found.as_ref();
        json!({
            "run": shown.answer.run,
            "deeds": shown.answer.deeds,
            "shrunk_from": shown.answer.shrunk_from,
            "at_us": shown.answer.at,
            "trial": shown.answer.trial,
            "repaired": shown.answer.repaired,
            "property": seen.and_then(|found| found.property),
            "evidence": seen.and_then(|found| found.evidence.as_ref()).map(ToString::to_string),
        })
    };
    let (trials, events) = (report.progress.trials, report.progress.events);
    let finds: Vec<Value> = finds.iter().map(one).collect();
    match report.proof {
        Some(proof) => json!({ "orders": proof, "finds": finds }),
        None => json!({ "trials": trials, "events": events, "finds": finds }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::{Rule, Setup};

    #[test]
    fn a_question_is_about_the_run_on_the_stage_or_one_that_is_given() {
        let stage = Run::new(7, Setup::default());
        let asked = question(r#"{"goal":"durability","break":["commit-at-minority"],"from_ms":20}"#, stage.clone());
        let asked = asked.expect("a question");
        assert!(asked.run.setup.rules.breaks(Rule::named("commit-at-minority").unwrap()));
        assert_eq!((asked.run.seed, asked.from, asked.budget), (7, SimTime::from_ms(20), USUAL_RUNS));
        assert_eq!(question("{}", stage.clone()).map(|asked| asked.goal), Ok(Goal::Any));
        let other = question(r#"{"run":{"version":4,"seed":2,"setup":{"voters":5},"actions":[]}}"#, stage.clone());
        assert_eq!(other.map(|asked| asked.run.setup.voters), Ok(5));
        for (text, why) in [
            ("[1]", "object"),
            (r#"{"goal":"sneeze"}"#, "goal"),
            (r#"{"break":["be-nice"]}"#, "break"),
            (r#"{"budget":0}"#, "budget"),
            (r#"{"budget":18446744073709551615}"#, "budget"),
            (r#"{"from_ms":99999999999}"#, "from_ms"),
            (r#"{"run":{"version":4,"seed":2,"setup":{"tick_time_ms":0},"actions":[]}}"#, "run"),
            (r#"{"hurry":true}"#, "hurry"),
            (r#"{"orders":{"writes":10}}"#, "writes"),
            (r#"{"orders":{},"goal":"liveness"}"#, "the goal must be a property that fails"),
            (r#"{"orders":{},"run":{"version":4,"seed":2,"setup":{"voters":7},"actions":[]}}"#, "voters"),
        ] {
            let said = question(text, stage.clone()).expect_err(text).to_string();
            assert!(said.contains(why), "{text}: {said}");
        }
    }
}
