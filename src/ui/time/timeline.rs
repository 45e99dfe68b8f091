//! The timeline: who reigned when, what was done, where the viewer is. Choosing a moment goes there.

use std::collections::BTreeSet;

use web_sys::HtmlInputElement;
use yew::prelude::*;

use crate::base::{Gather, ServerSet, SimTime};
use crate::i18n::page::{fill, page};
use crate::i18n::{Lang, property_title};
use crate::sim::Death;
use crate::timeline::{Mark, MarkKind, Reign, TimeMap, WIDTH, percent};

use crate::draw::epoch_colour;
use crate::ui::engine::Engine;
use crate::ui::engine::model::use_model;
use crate::ui::page::state::use_page_context;
use crate::ui::time::folds::folds;
use crate::ui::time::on_line::{OnLine, go};

#[derive(PartialEq)]
struct Model {
    at: u64,
    reigns: Vec<Reign>,
    marks: Vec<Mark>,
    commits: Vec<u64>,
    violations: Vec<(SimTime, &'static str)>,
    /// How far the run is known, µs.
    known: u64,
}

/// Most marks and commits that are drawn.
const DRAWN: usize = 300;
/// A reign has its words where it is so wide, in steps of the map.
const WORDS: i64 = 1_100;

fn model(engine: &Engine, (): &()) -> Model {
    let session = engine.session();
    let run_summary = session.archive();
    let extent = session.extent().0.max(1);
    // commits closer than a pixel or so are one line
    let mut commits: Vec<u64> = run_summary.commits().map(|commit| commit.at.0).collect();
    commits.dedup_by_key(|at| *at * 400 / extent);
    // what is done has its mark already
    let done: BTreeSet<SimTime> = session.actions().iter().map(|timed| timed.at_us).gathered();
    let marks = run_summary.marks().rev().filter(|mark| !done.contains(&mark.at)).take(DRAWN);
    Model {
        at: session.cursor_us() as u64,
        reigns: run_summary.reigns().cloned().collect(),
        marks: marks.copied().collect(),
        commits,
        known: session.furthest().0,
        violations: session.known_violations().iter().map(|v| (v.at, v.property)).collect(),
    }
}

fn names(servers: ServerSet) -> String {
    match servers.len() {
        0..=2 => servers.iter().map(|id| id.to_string()).collect::<Vec<_>>().join("–"),
        _ => String::new(),
    }
}

fn mark_words(mark: &Mark, lang: Lang) -> String {
    let words = page(lang);
    let text = match mark.kind {
        MarkKind::Death(Death::Crash) => words.mark_crash,
        MarkKind::Death(Death::Kill) => words.mark_kill,
        MarkKind::Death(Death::PowerOff) => words.mark_power_off,
        MarkKind::Restart => words.mark_restart,
        MarkKind::Pause => words.mark_pause,
        MarkKind::Resume => words.mark_resume,
        MarkKind::Cut => words.mark_cut,
        MarkKind::Heal => words.mark_heal,
        MarkKind::Wipe => words.mark_wipe,
        MarkKind::BackUp => words.mark_back_up,
        MarkKind::Restore => words.mark_restore,
    };
    fill(text, &[&names(mark.servers)]).trim().to_string()
}

/// A reign: where another one has begun before it ends, both believe, and each has half of the height.
fn reign(index: usize, model: &Model, map: &TimeMap, lang: Lang) -> Html {
    let until = |reign: &Reign| reign.to.map_or(model.known, |to| to.0).max(reign.from.0);
    let reign = &model.reigns[index];
    let (from, to) = (reign.from.0, until(reign));
    let before = model.reigns[..index].iter().map(until).max().unwrap_or(0).clamp(from, to);
    let after = model.reigns[index + 1..].iter().map(|next| next.from.0).min().unwrap_or(to).clamp(before, to);
    let words = fill(page(lang).reign, &[&reign.epoch, &reign.leader]);
    let part = |from: u64, to: u64, y: &'static str, height: &'static str| {
        (to > from).then(|| {
            html! { <rect class="reign" x={map.percent(from)} width={map.percent_wide(from, to)} {y} {height} rx="3" /> }
        })
    };
    let x = percent(map.place(before).max(0));
    let fold = map.folded().map(|idle| idle.from.0).find(|from| *from >= before).unwrap_or(after);
    let room = map.place(after.min(fold)).min(WIDTH as i64) - map.place(before).max(0);
    html! {
        <g key={format!("{}-{from}", reign.epoch)} class={format!("e{}", epoch_colour(reign.epoch))}>
            <title>{ words.clone() }</title>
            { part(from, before, "8", "7") }
            { part(before, after, "0", "15") }
            { part(after, to, "0", "7") }
            if room > WORDS { <svg {x} overflow="visible"><text x="5" y="12">{ words }</text></svg> }
        </g>
    }
}

/// What was done to the ensemble by nobody's hand: a process that ended by itself.
fn marks(model: &Model, map: &TimeMap, lang: Lang) -> Html {
    let mark = |mark: &Mark| {
        let good = matches!(mark.kind, MarkKind::Restart | MarkKind::Resume | MarkKind::Heal);
        html! {
            <text class={classes!("mark", good.then_some("good"))} x={map.percent(mark.at.0)} y="30">
                { if good { "▴" } else { "▲" } }<title>{ mark_words(mark, lang) }</title>
            </text>
        }
    };
    html! { <g>{ for model.marks.iter().map(mark) }</g> }
}

/// The timeline.
#[component]
pub(in crate::ui) fn Timeline(props: &OnLine) -> Html {
    let context = use_page_context();
    let model = use_model(&context.engine, (), model);
    let (lang, map) = (props.lang, &props.map);
    let go = {
        let (engine, map) = (context.engine.clone(), map.clone());
        Callback::from(move |event: InputEvent| {
            let value = event.target_dyn_into::<HtmlInputElement>().map_or(0.0, |input| input.value_as_number());
            go(&engine, map.at(value.max(0.0) as u64));
        })
    };
    let at = map.percent(model.at);
    let place = map.place(model.at).clamp(0, WIDTH as i64);
    html! {
        <div class="timeline">
            <svg aria-hidden="true" height="100%" width="100%">
                <rect class="track" x="0" y="0" width="100%" height="15" rx="3" />
                <g>{ for model.commits.iter().map(|commit| {
                    let x = map.percent(*commit);
                    html! { <line key={*commit} class="commit" x1={x.clone()} x2={x} y1="11" y2="15" /> }
                }) }</g>
                <g class="reigns">{ for (0..model.reigns.len()).map(|index| reign(index, &model, map, lang)) }</g>
                { marks(&model, map, lang) }
                <g>{ for model.violations.iter().map(|(when, id)| html! {
                    <circle key={*id} class="violation" cx={map.percent(when.0)} cy="7.5" r="6">
                        <title>{ fill(page(lang).violated_here, &[&property_title(lang, id)]) }</title>
                    </circle>
                }) }</g>
            </svg>
            { folds(props) }
            <svg class="head" aria-hidden="true" width="100%">
                <line class="playhead" x1={at.clone()} x2={at.clone()} y1="0" y2="17" />
                <circle class="playhead" cx={at} cy="7.5" r="6.5" />
            </svg>
            <input type="range" min="0" max={WIDTH.to_string()} step="1" value={place.to_string()}
                aria-valuetext={fill(page(lang).seconds, &[&SimTime(model.at).seconds()])} aria-label={page(lang).timeline} oninput={go} />
        </div>
    }
}
