//! The timeline: who reigned when, what was done, where the viewer is. Choosing a moment goes there.

use web_sys::HtmlInputElement;
use yew::prelude::*;

use crate::base::{ServerSet, SimTime};
use crate::i18n::page::{fill, page};
use crate::i18n::{Lang, property_title};
use crate::sim::Death;
use crate::timeline::{Mark, MarkKind, Reign};

use crate::draw::epoch_colour;
use crate::ui::app::state::use_page_context;
use crate::ui::engine::Engine;
use crate::ui::kit::browser::wrong_words;
use crate::ui::kit::model::use_model;
use crate::ui::kit::second::Later;
use crate::ui::time::action_marks::Deeds;

/// What the transport tells the timeline.
#[derive(Clone, PartialEq, Properties)]
pub(in crate::ui) struct Props {
    pub lang: Lang,
}

#[derive(PartialEq)]
struct Model {
    extent: u64,
    at: u64,
    reigns: Vec<Reign>,
    marks: Vec<Mark>,
    commits: Vec<u64>,
    violations: Vec<(SimTime, &'static str)>,
    /// Futures that were left: since when, and until when they were seen.
    futures: Vec<(u64, u64)>,
    /// How far the run is known, µs.
    known: u64,
}

/// Most marks and commits that are drawn.
const DRAWN: usize = 300;

fn model(engine: &Engine, (): &()) -> Model {
    let session = engine.session();
    let run_summary = session.archive();
    let extent = session.extent().0.max(1);
    // commits closer than a pixel or so are one line
    let mut commits: Vec<u64> = run_summary.commits().map(|commit| commit.at.0).collect();
    commits.dedup_by_key(|at| *at * 400 / extent);
    Model {
        extent,
        at: session.cursor_us() as u64,
        reigns: run_summary.reigns().cloned().collect(),
        marks: run_summary.marks().skip(run_summary.marks().len().saturating_sub(DRAWN)).copied().collect(),
        commits,
        futures: session.futures().iter().map(|future| (future.parts_at.0, future.until.0)).collect(),
        known: session.furthest().0,
        violations: session.known_violations().iter().map(|v| (v.at, v.property)).collect(),
    }
}

pub(in crate::ui) fn percent(at: u64, extent: u64) -> String {
    // in tenths of a percent, without floats
    let tenths = at.min(extent) * 1000 / extent.max(1);
    format!("{}.{}%", tenths / 10, tenths % 10)
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
    };
    fill(text, &[&names(mark.servers)]).trim().to_string()
}

fn reign(reign: &Reign, model: &Model, lang: Lang) -> Html {
    let to = reign.to.map_or(model.known, |to| to.0).max(reign.from.0);
    let (x, width) = (percent(reign.from.0, model.extent), percent(to - reign.from.0, model.extent));
    let share = (to - reign.from.0) * 100 / model.extent;
    let words = fill(page(lang).reign, &[&reign.epoch, &reign.leader]);
    html! {
        <g key={format!("{}-{}", reign.epoch, reign.from.0)} class={format!("e{}", epoch_colour(reign.epoch))}>
            <rect class="reign" x={x.clone()} y="17" {width} height="13" rx="3"><title>{ words.clone() }</title></rect>
            <text class={(share < 15).then_some("brief")} {x} y="13">{ if share > 8 { words } else { String::new() } }</text>
        </g>
    }
}

fn marks(model: &Model, lang: Lang) -> Html {
    let mut last = 0;
    let mut drawn = Vec::new();
    for (index, mark) in model.marks.iter().enumerate() {
        let words = mark_words(mark, lang);
        // a mark has its words where neither the words before it nor the next mark are in the way
        let next = model.marks.get(index + 1).map_or(u64::MAX / 200, |next| next.at.0);
        let far = |from: u64, to: u64| to.saturating_sub(from) * 100 / model.extent > 13;
        let room = (last == 0 || far(last, mark.at.0)) && far(mark.at.0, next);
        if room {
            last = mark.at.0;
        }
        let good = matches!(mark.kind, MarkKind::Restart | MarkKind::Resume | MarkKind::Heal);
        let sign = if good { "▴" } else { "▲" };
        let text = if room { format!("{sign} {words}") } else { sign.to_string() };
        let late = mark.at.0 * 100 / model.extent > 86;
        let class = classes!("mark", good.then_some("good"), late.then_some("late"));
        drawn.push(html! {
            <text key={index} {class} x={percent(mark.at.0, model.extent)} y="51">{ text }<title>{ words }</title></text>
        });
    }
    html! { <g>{ for drawn }</g> }
}

/// Goes to a moment; where it cannot be reached is told.
pub(in crate::ui) fn go(engine: &Engine, at: SimTime) {
    if let Err(error) = engine.change(|session| session.seek(at)) {
        engine.note(Some(wrong_words(&error)));
    }
}

/// The timeline.
#[component]
pub(in crate::ui) fn Timeline(props: &Props) -> Html {
    let context = use_page_context();
    let model = use_model(&context.engine, (), model);
    let go = {
        let engine = context.engine.clone();
        Callback::from(move |event: InputEvent| {
            let value = event.target_dyn_into::<HtmlInputElement>().map_or(0.0, |input| input.value_as_number());
            go(&engine, SimTime::from_ms(value.max(0.0) as u64));
        })
    };
    let at = percent(model.at, model.extent);
    html! {
        <div class="timeline">
            <svg aria-hidden="true" height="54" width="100%">
                <rect class="track" x="0" y="17" width="100%" height="13" rx="3" />
                <g>{ for model.reigns.iter().map(|one| reign(one, &model, props.lang)) }</g>
                <g>{ for model.commits.iter().map(|commit| {
                    let x = percent(*commit, model.extent);
                    html! { <line key={*commit} class="commit" x1={x.clone()} x2={x} y1="20" y2="27" /> }
                }) }</g>
                { marks(&model, props.lang) }
                <g>{ for model.violations.iter().map(|(when, id)| html! {
                    <circle key={*id} class="violation" cx={percent(when.0, model.extent)} cy="23.5" r="6">
                        <title>{ fill(page(props.lang).violated_here, &[&property_title(props.lang, id)]) }</title>
                    </circle>
                }) }</g>
                <g>{ for model.futures.iter().map(|&(from, to)| {
                    let (from, to) = (percent(from, model.extent), percent(to, model.extent));
                    html! { <line class="future" x1={from} x2={to} y1="0" y2="0" /> }
                }) }</g>
                <line class="playhead" x1={at.clone()} x2={at.clone()} y1="14" y2="33" />
                <circle class="playhead" cx={at} cy="23.5" r="6.5" />
            </svg>
            <input type="range" min="0" max={(model.extent / 1000).to_string()} step="1"
                value={(model.at / 1000).to_string()} aria-label={page(props.lang).timeline} oninput={go} />
            <Later><Deeds lang={props.lang} extent={model.extent} /></Later>
        </div>
    }
}
