//! Two runs beside each other with one clock: the stage on the right, what both cost in numbers, and what each release cost.

pub mod form;

use std::rc::Rc;

use web_sys::HtmlCanvasElement;
use yew::prelude::*;

use crate::base::SimTime;
use crate::draw::Palette;
use crate::i18n::page::{fill, page, scenario_words};
use crate::i18n::{Lang, describe, rule_title};
use crate::scenarios::Scenario;
use crate::sim::{Record, Release};
use crate::timeline::{Against, Pair, Side, Standing, Variation};
use crate::view::comparison::{Amount, Counted, Counter, counted, releases};

use super::engine::Engine;
use super::spacetime::SpaceTime;
use super::stage::Stage;
use crate::ui::app::state::{Choices, PageContext, View, use_page_context};
use crate::ui::kit::browser::wrong_words;
use crate::ui::kit::model::use_model;
use crate::ui::kit::palette::read_palette;
use crate::ui::kit::plot::{Dot, Plot};
use crate::ui::kit::wear::Wear;

/// Most commits of one run in the plot, the last ones.
const MOST_DOTS: usize = 400;

/// What the page tells both parts.
#[derive(Clone, PartialEq, Properties)]
pub(super) struct Props {
    pub lang: Lang,
    pub wear: Wear,
    pub view: View,
}

/// The stage of the run on the right. What is picked there is its own.
#[component]
pub(super) fn RightStage(props: &Props) -> Html {
    let page = use_page_context();
    let choices = use_reducer(Choices::default);
    let context = PageContext { engine: page.engine.on(Side::Right), choose: choices.dispatcher() };
    html! {
        <ContextProvider<PageContext> context={context}>
            <div class="right-stage">
                if props.view == View::SpaceTime {
                    <SpaceTime lang={props.lang} wear={props.wear} picked={choices.picked} />
                } else {
                    <Stage lang={props.lang} wear={props.wear} picked={choices.picked} over={choices.over} />
                }
            </div>
        </ContextProvider<PageContext>>
    }
}

/// What the run on the right is called.
pub(super) fn against_words(against: &Against, lang: Lang) -> String {
    let words = page(lang);
    match against {
        Against::Scenario(scenario) => scenario_title(Some(*scenario), lang),
        Against::Named(name) => name.clone(),
        Against::Varied(Variation::Seed(seed)) => format!("{} {seed}", words.seed),
        Against::Varied(Variation::Latency(min, max)) => fill(words.compare_is_latency, &[min, max]),
        Against::Varied(Variation::DiskSync(min, max)) => fill(words.compare_is_disk, &[min, max]),
        Against::Varied(Variation::Tick(ms)) => fill(words.compare_is_tick, &[ms]),
        Against::Varied(Variation::Rule(rule)) => fill(words.compare_is_rule, &[&rule_title(lang, *rule)]),
    }
}

fn scenario_title(scenario: Option<&Scenario>, lang: Lang) -> String {
    let Some(scenario) = scenario else { return page(lang).own_run.to_string() };
    scenario_words(lang, scenario.id).map_or(scenario.id, |(title, _)| title).to_string()
}

#[derive(PartialEq)]
struct Model {
    titles: [String; 2],
    counted: Vec<Counted>,
    releases: [Vec<Release>; 2],
    /// Of each commit: when, s, and how long it took, ms.
    commits: [Vec<(f64, f64)>; 2],
}

fn model(engine: &Engine, lang: &Lang) -> Model {
    let pair = engine.pair();
    let both = [Side::Left, Side::Right].map(|side| pair.session(side));
    let [left, right] = both.map(|session| scenario_title(session.scenario(), *lang));
    let titles = [left, pair.against().map_or(right, |against| against_words(against, *lang))];
    let releases = both.map(releases);
    // the cost of releases says more about recipes
    let plain = releases.iter().all(Vec::is_empty);
    let commits = both.map(|session| {
        let shown = session.run_summary().commits().rev().take(if plain { MOST_DOTS } else { 0 });
        shown.map(|commit| (commit.at.0 as f64 / 1e6, commit.took_us as f64 / 1e3)).collect()
    });
    Model { titles, counted: counted(both[0], both[1]), releases, commits }
}

/// The numbers of both runs, where they part, and plots of what they cost.
#[component]
pub(super) fn Strip(props: &Props) -> Html {
    let context = use_page_context();
    let model = use_model(&context.engine, props.lang, model);
    let (first, second) = (use_node_ref(), use_node_ref());
    let plain = model.releases.iter().all(Vec::is_empty);
    let drawn = (first.clone(), second.clone(), model.clone(), props.clone());
    use_effect_with(drawn, |(first, second, model, props)| {
        let palette = read_palette();
        let plots = match model.releases.iter().all(Vec::is_empty) {
            true => vec![commits_of(model, &palette, props.lang)],
            false => vec![traffic_of(model, &palette, props.lang), latency_of(model, &palette, props.lang)],
        };
        for (canvas, plot) in [first, second].into_iter().zip(plots) {
            if let Some(canvas) = canvas.cast::<HtmlCanvasElement>() {
                plot.draw(canvas, &palette);
            }
        }
    });
    let words = page(props.lang);
    let (general, clients): (Vec<Counted>, Vec<Counted>) = model.counted.iter().partition(|one| !one.of_clients);
    html! {
        <section class={classes!("compare", (!clients.is_empty()).then_some("wide"))} aria-label={words.compare_title}>
            <Parting lang={props.lang} />
            { table(&general, &model.titles, props.lang) }
            if !clients.is_empty() {
                { table(&clients, &model.titles, props.lang) }
            }
            <figure>
                <canvas ref={first} role="img"
                    aria-label={if plain { words.compare_commit_time } else { words.compare_traffic }} />
                if plain {
                    <figcaption>{ words.chart_title }</figcaption>
                } else {
                    <figcaption><i class="sign full" />{ words.compare_requests }<i class="sign hollow" />{ words.compare_notifications }</figcaption>
                }
            </figure>
            if !plain {
                <figure>
                    <canvas ref={second} role="img" aria-label={words.compare_latency} />
                    <figcaption>{ words.compare_latency }</figcaption>
                </figure>
            }
        </section>
    }
}

#[derive(Clone, PartialEq, Properties)]
struct PartingProps {
    lang: Lang,
}

/// Where the two runs part, and how only one of them stays.
#[component]
fn Parting(props: &PartingProps) -> Html {
    let context = use_page_context();
    let words = page(props.lang);
    let told = use_model(&context.engine, props.lang, |engine, lang| parting(engine, *lang));
    let only = |word: &'static str, side: &'static str, keep: fn(&mut Pair)| {
        let engine = context.engine.clone();
        html! { <button class={classes!("chip", side)} onclick={move |_: MouseEvent| engine.change_pair(keep)}>{ word }</button> }
    };
    let go = told.1.map(|at| {
        let engine = context.engine.clone();
        let go = move |_: MouseEvent| {
            let result = engine.change(|session| {
                session.playing = false;
                session.seek(at)
            });
            engine.note(result.err().map(|error| wrong_words(&error)));
        };
        html! { <button class="chip" onclick={go}>{ words.compare_go_there }</button> }
    });
    html! {
        <div class="parting">
            <p role="status" title={told.0.clone()}>{ told.0.clone() }</p>
            { go }
            { only(words.compare_only_left, "left", Pair::only_left) }
            { only(words.compare_only_right, "right", Pair::only_right) }
        </div>
    }
}

/// What is known of where they part, and the moment to go to.
fn parting(engine: &Engine, lang: Lang) -> (String, Option<SimTime>) {
    let words = page(lang);
    let pair = engine.pair();
    match pair.standing() {
        Some(Standing::Divergence(found)) => {
            let side = |record: &Option<Rc<Record>>| {
                record.as_ref().map_or(words.compare_nothing.to_string(), |record| describe(lang, record).what)
            };
            let [left, right] = found.facts.each_ref().map(side);
            (fill(words.compare_part, &[&found.at.seconds(), &left, &right]), Some(found.at))
        }
        Some(Standing::Same(at)) => {
            let digest = pair.left().player().digest();
            let short = digest.get(..8).unwrap_or_default();
            let now = SimTime(pair.left().cursor_us() as u64);
            match pair.right().is_some_and(|right| right.player().digest() == digest) {
                true => (fill(words.compare_same, &[&short]), None),
                false => (fill(words.compare_looking, &[&at.seconds(), &now.seconds()]), None),
            }
        }
        None => (words.compare_begins.to_string(), None),
    }
}

fn counter_words(counter: Counter, lang: Lang) -> &'static str {
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
    }
}

fn amount_words(amount: Amount) -> String {
    match amount {
        Amount::Count(count) => count.to_string(),
        Amount::Tenths(tenths) => format!("{}.{}", tenths / 10, tenths % 10),
        Amount::Time(us) => format!("{}.{} ms", us / 1000, us % 1000 / 100),
        Amount::Nothing => "–".to_string(),
    }
}

/// Counters of both runs; where they differ, a sign says so.
fn table(counted: &[Counted], titles: &[String; 2], lang: Lang) -> Html {
    let words = page(lang);
    let row = |one: &Counted| {
        let cell = |side: usize| html! { <td>{ amount_words(one.amounts[side]) }</td> };
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
                    { for titles.iter().zip(["left", "right"]).map(|(title, side)| html! {
                        <th scope="col" class={side} title={title.clone()}>{ title.clone() }</th>
                    }) }
                    <td />
                </tr>
            </thead>
            <tbody>{ for counted.iter().map(row) }</tbody>
        </table>
    }
}

/// The colours of the two sides: those of two epochs, which everybody can tell apart.
fn side_colour(palette: &Palette, side: usize) -> String {
    palette.epochs.get([0, 2][side]).map_or(String::new(), |(fill, _)| fill.clone())
}

/// Most waiters at a release.
fn most_waiting(model: &Model) -> f64 {
    model.releases.iter().flatten().map(|release| release.waiting).max().unwrap_or(0).max(4) as f64
}

/// How long commits took, over the run.
fn commits_of(model: &Model, palette: &Palette, lang: Lang) -> Plot<'static> {
    let mut dots = Vec::new();
    for (side, all) in model.commits.iter().enumerate() {
        let colour = side_colour(palette, side);
        // where both agree, the hollow one of the right stands around the left one's
        dots.extend(all.iter().map(|&(x, y)| Dot { x, y, colour: colour.clone(), hollow: side == 1 }));
    }
    let (x_title, y_title) = (page(lang).charts.x, page(lang).charts.latency.y);
    let from = dots.iter().map(|dot| dot.x).fold(f64::MAX, f64::min);
    let from = if from < f64::MAX { from.floor() } else { 0.0 };
    Plot { x_title, y_title, x: (from, from + 1.0), y: 50.0, digits: 1, dots, ..Plot::default() }
}

fn traffic_of(model: &Model, palette: &Palette, lang: Lang) -> Plot<'static> {
    let mut dots = Vec::new();
    for (side, all) in model.releases.iter().enumerate() {
        let colour = side_colour(palette, side);
        for release in all {
            let x = release.waiting as f64;
            dots.push(Dot { x, y: release.requests as f64, colour: colour.clone(), hollow: false });
            dots.push(Dot { x, y: release.notifications as f64, colour: colour.clone(), hollow: true });
        }
    }
    let (x_title, y_title) = (page(lang).compare_waiting, page(lang).compare_traffic);
    Plot { x_title, y_title, x: (0.0, most_waiting(model)), y: 4.0, dots, ..Plot::default() }
}

fn latency_of(model: &Model, palette: &Palette, lang: Lang) -> Plot<'static> {
    let mut dots = Vec::new();
    for (side, all) in model.releases.iter().enumerate() {
        let colour = side_colour(palette, side);
        let dot = |release: &Release| {
            let y = release.latency.unwrap_or(0) as f64 / 1e3;
            Dot { x: release.waiting as f64, y, colour: colour.clone(), hollow: false }
        };
        dots.extend(all.iter().map(dot));
    }
    let (x_title, y_title) = (page(lang).compare_waiting, page(lang).charts.latency.y);
    Plot { x_title, y_title, x: (0.0, most_waiting(model)), y: 100.0, dots, ..Plot::default() }
}
