//! How the search for a run that breaks a recipe goes, and what came of it: each law, and the smallest run by which it falls.

use std::rc::Rc;

use yew::prelude::*;

use crate::explore::own::{Law, is_stage, program_of, steps};
use crate::explore::{Question, Report, Stage};
use crate::i18n::page::{fill, page};
use crate::i18n::{Lang, action_words, evidence_words, property_about, property_title};
use crate::recipes::Step;
use crate::sim::Action;
use crate::ui::engine::Engine;
use crate::ui::engine::recipe::ranked;
use crate::ui::panels::search::grouped;
use crate::ui::search::{Shown, Standing};

use super::tell;

fn tried(report: &Report) -> String {
    grouped(report.progress.trials)
}

/// How it stands, in a sentence; so many schedules are tried at most.
fn sentence(most: u64, standing: &Standing, lang: Lang) -> String {
    let words = page(lang);
    match standing {
        Standing::Going(None) => words.search_begins.into(),
        Standing::Going(Some(report)) => match report.progress.stage {
            Stage::Shrinking { .. } => fill(words.recipe_shrinks, &[&tried(report)]),
            _ => fill(words.recipe_tries, &[&tried(report), &grouped(most)]),
        },
        Standing::Stopped(report) => fill(words.recipe_stopped, &[&report.as_ref().map_or("0".into(), tried)]),
        Standing::Broken(why) => fill(words.search_broken, &[why]),
        Standing::Over(report, finds) if ranked(finds).is_empty() => fill(words.recipe_unbroken, &[&tried(report)]),
        Standing::Over(report, _) => fill(words.recipe_tried, &[&tried(report)]),
    }
}

/// What is done, in words; of a client what it calls.
fn step_words(action: &Action, lang: Lang) -> String {
    let Action::RunThread { client, script, .. } = action else { return action_words(lang, action) };
    let called = |step: &Step| match step {
        Step::Call { method, .. } => Some(method.method.to_string()),
        _ => None,
    };
    let calls: Vec<String> = script.steps.iter().filter_map(called).collect();
    fill(page(lang).recipe_calls, &[client, &calls.join(", ")])
}

/// What fell, and what is done in the run by which it fell.
fn fall(engine: &Engine, shown: &Shown, first: bool, lang: Lang) -> Html {
    let words = page(lang);
    let answer = &shown.answer;
    let found = shown.found.as_ref();
    let count = steps(&answer.run, answer.deeds);
    let title = found.and_then(|found| found.property).map_or("", |id| property_title(lang, id));
    let seen = found.and_then(|found| found.evidence.as_ref()).map(|evidence| evidence_words(lang, evidence));
    let seen = html! { <p>{ seen.unwrap_or_default() }</p> };
    let deeds = answer.run.actions.iter().take(answer.deeds).filter(|timed| !is_stage(&timed.action));
    let watch = {
        let (engine, run, at) = (engine.clone(), answer.run.clone(), answer.at);
        move |_: MouseEvent| tell(&engine, engine.show_recipe(run.clone(), at))
    };
    // how the gravest fell is said at once
    let (at_once, later) = if first { (seen, Html::default()) } else { (Html::default(), seen) };
    html! {
        <li>
            { at_once }
            <details>
                <summary class="bad">{ fill(words.recipe_broken, &[&title, &count]) }</summary>
                { later }
                <ol>
                    { for deeds.map(|timed| html! {
                        <li><b>{ format!("{} s", timed.at_us.seconds()) }</b>{ " " }{ step_words(&timed.action, lang) }</li>
                    }) }
                </ol>
                <p class="ways"><button class="chip" onclick={watch}>{ words.search_watch }</button></p>
            </details>
        </li>
    }
}

/// How the search stands. Of another text than the one in the editor it is said to be: whoever mends that reads what broke it.
pub(super) fn told(engine: &Engine, (asked, standing): &(Question, Standing), text: &Rc<str>, lang: Lang) -> Html {
    let words = page(lang);
    let searched = program_of(&asked.run);
    let before = searched.as_ref().is_some_and(|(of, _)| of != text);
    let stop = {
        let engine = engine.clone();
        move |_: MouseEvent| engine.stop_search()
    };
    let mut finds: Vec<&Shown> = Vec::new();
    let mut kept: Vec<Law> = Vec::new();
    if let Standing::Over(_, all) = standing {
        finds = ranked(all);
        let fell = |law: &Law| finds.iter().any(|shown| shown.law() == Some(*law));
        kept.extend(searched.iter().flat_map(|(_, program)| Law::of_program(program)).filter(|law| !fell(law)));
    }
    html! {
        <section class={if before { "sought hint" } else { "sought" }}>
            if before { <p>{ words.recipe_before }</p> }
            <p class={if finds.is_empty() { "verdict" } else { "hint" }} role="status">{ sentence(asked.budget, standing, lang) }</p>
            if matches!(standing, Standing::Going(_)) {
                <button class="chip stop" onclick={stop}>{ words.search_stop }</button>
            }
            <ul class="finds">{ for finds.iter().enumerate().map(|(at, shown)| fall(engine, shown, at == 0, lang)) }</ul>
            if !kept.is_empty() {
                <details class="what" open={finds.is_empty()}>
                <summary>{ words.recipe_kept }</summary>
                <ul class="laws">
                    { for kept.iter().map(|law| html! {
                        <li key={law.id()}><b>{ property_title(lang, law.id()) }</b>{ " " }<span class="hint">{ property_about(lang, law.id()) }</span></li>
                    }) }
                </ul>
                </details>
            }
        </section>
    }
}
