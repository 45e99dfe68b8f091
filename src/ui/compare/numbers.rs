//! All numbers of two runs, and how long their commits took.

use web_sys::HtmlCanvasElement;
use yew::prelude::*;

use crate::draw::Palette;
use crate::i18n::Lang;
use crate::i18n::page::page;
use crate::i18n::wording::LETTERS;
use crate::timeline::Side;
use crate::ui::engine::Engine;
use crate::ui::engine::model::use_model;
use crate::ui::kit::palette::read_palette;
use crate::ui::kit::plot::{Dot, Drawn, Plot};
use crate::ui::kit::wear::Wear;
use crate::ui::page::state::use_page_context;
use crate::view::comparison::{Amount, Counted, Counter, counted};

/// Most commits of one run in the plot, the last ones.
const MOST_DOTS: usize = 400;

/// What the page tells it.
#[derive(Clone, PartialEq, Properties)]
pub(super) struct Props {
    pub lang: Lang,
    pub wear: Wear,
}

#[derive(PartialEq)]
struct Model {
    counted: Vec<Counted>,
    /// Of each commit: when, s, and how long it took, ms.
    commits: [Vec<(f64, f64)>; 2],
}

fn model(engine: &Engine, (): &()) -> Model {
    let pair = engine.pair();
    let both = [Side::Left, Side::Right].map(|side| pair.session(side));
    let commits = both.map(|session| {
        let shown = session.run_summary().commits().rev().take(MOST_DOTS);
        shown.map(|commit| (commit.at.0 as f64 / 1e6, commit.took_us as f64 / 1e3)).collect()
    });
    Model { counted: counted(both[0], both[1]), commits }
}

/// The numbers of both runs, and a plot of their commits.
#[component]
pub(super) fn Numbers(props: &Props) -> Html {
    let context = use_page_context();
    let model = use_model(&context.engine, (), model);
    let place = use_node_ref();
    use_effect_with((place.clone(), model.clone(), props.clone()), |(place, model, props)| {
        let palette = read_palette();
        if let Some(canvas) = place.cast::<HtmlCanvasElement>() {
            commits_of(model, &palette, props.lang).draw(canvas, &palette);
        }
    });
    let words = page(props.lang);
    let (general, clients): (Vec<Counted>, Vec<Counted>) = model.counted.iter().partition(|one| !one.of_clients);
    html! {
        <div class="numbers">
            { table(&general, props.lang) }
            if !clients.is_empty() { { table(&clients, props.lang) } }
            <figure>
                <canvas ref={place} role="img" aria-label={words.compare_commit_time} />
                <figcaption>
                    <i class="sign full" />{ LETTERS[0] }<i class="sign hollow" />{ LETTERS[1] }{ " · " }{ words.chart_title }
                </figcaption>
            </figure>
        </div>
    }
}

/// What is counted.
pub(super) fn counter_words(counter: Counter, lang: Lang) -> &'static str {
    let words = page(lang);
    match counter {
        Counter::Commits => words.compare_commits,
        Counter::CommitTime => words.compare_commit_time,
        Counter::Messages => words.compare_messages,
        Counter::Syncs => words.compare_syncs,
        Counter::Elections => words.compare_elections,
        Counter::NoLeader => words.compare_no_leader,
        Counter::Requests => words.compare_requests,
        Counter::Notifications => words.compare_notifications,
        Counter::Handovers => words.compare_handovers,
        Counter::RequestsEach => words.compare_requests_each,
        Counter::NotificationsEach => words.compare_notifications_each,
        Counter::HandoverTime => words.compare_latency_short,
        Counter::Holders => words.compare_holders,
        Counter::Violated => words.compare_violated,
    }
}

/// A number and its unit.
pub(super) fn amount_words(amount: Amount) -> (String, &'static str) {
    match amount {
        Amount::Count(count) => (count.to_string(), ""),
        Amount::Tenths(tenths) => (format!("{}.{}", tenths / 10, tenths % 10), ""),
        Amount::Time(us) if us >= 1_000_000 => (format!("{}.{:02}", us / 1_000_000, us % 1_000_000 / 10_000), " s"),
        Amount::Time(us) => (format!("{}.{}", us / 1_000, us % 1_000 / 100), " ms"),
        Amount::Nothing => ("–".to_string(), ""),
    }
}

/// Counters of both runs; where they differ, a sign says so.
fn table(counted: &[Counted], lang: Lang) -> Html {
    let words = page(lang);
    let row = |one: &Counted| {
        let cell = |side: usize| {
            let (number, unit) = amount_words(one.amounts[side]);
            html! { <td>{ number + unit }</td> }
        };
        let name = counter_words(one.counter, lang);
        html! {
            <tr key={name} class={classes!(one.differs().then_some("differs"))}>
                <th scope="row">{ name }</th>
                { cell(0) }
                { cell(1) }
                <td class="apart">
                    if one.differs() { <span title={words.compare_differs}><i aria-hidden="true">{ "≠" }</i>
                        <span class="unseen">{ words.compare_differs }</span></span> }
                </td>
            </tr>
        }
    };
    html! {
        <table>
            <thead>
                <tr>
                    <td />
                    { for LETTERS.iter().map(|letter| html! { <th scope="col">{ *letter }</th> }) }
                    <td />
                </tr>
            </thead>
            <tbody>{ for counted.iter().map(row) }</tbody>
        </table>
    }
}

/// How long commits took, over the run.
fn commits_of(model: &Model, palette: &Palette, lang: Lang) -> Plot<'static> {
    let mut dots = Vec::new();
    for (side, all) in model.commits.iter().enumerate() {
        let colour = palette.ink.clone();
        // where both agree, the hollow one of the right stands around the left one's
        dots.extend(all.iter().map(|&(x, y)| Dot { x, y, colour: colour.clone(), hollow: side == 1 }));
    }
    let (x_title, y_title) = (page(lang).charts.x, page(lang).charts.latency.y);
    let from = dots.iter().map(|dot| dot.x).fold(f64::MAX, f64::min);
    let from = if from < f64::MAX { from.floor() } else { 0.0 };
    Plot { x_title, y_title, x: (from, from + 1.0), y: 50.0, digits: 1, dots, ..Plot::default() }
}
