//! Two runs beside each other with one clock: the second stage, what both cost in numbers, and what each release cost.

use web_sys::HtmlCanvasElement;
use yew::prelude::*;

use crate::i18n::Lang;
use crate::i18n::page::{page, scenario_words};
use crate::sim::Release;
use crate::view::comparison::{Costs, costs, releases};

use super::engine::Engine;
use super::model::use_model;
use super::palette::read_palette;
use super::plot::{Dot, Plot};
use super::spacetime::SpaceTime;
use super::stage::Stage;
use super::state::{Choices, Reach, Theme, View, use_reach};
use crate::view::Palette;

/// What the page tells both parts.
#[derive(Clone, PartialEq, Properties)]
pub(super) struct Props {
    pub lang: Lang,
    pub theme: Theme,
    pub view: View,
    pub twin: Engine,
}

/// The stage of the second run. What is picked there is its own.
#[component]
pub(super) fn Twin(props: &Props) -> Html {
    let choices = use_reducer(Choices::default);
    let reach = Reach { engine: props.twin.clone(), choose: choices.dispatcher() };
    html! {
        <ContextProvider<Reach> context={reach}>
            <div class="twin">
                if props.view == View::SpaceTime {
                    <SpaceTime lang={props.lang} theme={props.theme} picked={choices.picked} />
                } else {
                    <Stage lang={props.lang} theme={props.theme} picked={choices.picked} over={choices.over} />
                }
            </div>
        </ContextProvider<Reach>>
    }
}

/// The title of an engine's scenario.
fn title(engine: &Engine, lang: Lang) -> String {
    let id = engine.session().scenario().map_or("", |scenario| scenario.id);
    scenario_words(lang, id).map_or(id, |(title, _)| title).to_string()
}

#[derive(PartialEq)]
struct Model {
    titles: [String; 2],
    costs: [Costs; 2],
    releases: [Vec<Release>; 2],
}

fn model(engine: &Engine, lang: &Lang) -> Model {
    let both = [engine.clone(), engine.twin().unwrap_or_else(|| engine.clone())];
    Model {
        titles: both.each_ref().map(|engine| title(engine, *lang)),
        costs: both.each_ref().map(|engine| costs(&engine.session())),
        releases: both.each_ref().map(|engine| releases(&engine.session())),
    }
}

/// The numbers of both runs, and two plots over the number of waiters.
#[component]
pub(super) fn Strip(props: &Props) -> Html {
    let reach = use_reach();
    let model = use_model(&reach.engine, props.lang, model);
    let (traffic, latency) = (use_node_ref(), use_node_ref());
    let drawn = (traffic.clone(), latency.clone(), model.clone(), props.clone());
    use_effect_with(drawn, |(traffic, latency, model, props)| {
        let palette = read_palette();
        let plots = [traffic_of(model, &palette, props.lang), latency_of(model, &palette, props.lang)];
        for (canvas, plot) in [traffic, latency].into_iter().zip(plots) {
            if let Some(canvas) = canvas.cast::<HtmlCanvasElement>() {
                plot.draw(canvas, &palette);
            }
        }
    });
    let words = page(props.lang);
    html! {
        <section class="compare" aria-label={words.compare_title}>
            { numbers(&model, props.lang) }
            <figure>
                <canvas ref={traffic} role="img" aria-label={words.compare_traffic} />
                <figcaption><i class="sign full" />{ words.compare_requests }<i class="sign hollow" />{ words.compare_notifications }</figcaption>
            </figure>
            <figure>
                <canvas ref={latency} role="img" aria-label={words.compare_latency} />
                <figcaption>{ words.compare_latency }</figcaption>
            </figure>
        </section>
    }
}

fn numbers(model: &Model, lang: Lang) -> Html {
    let words = page(lang);
    let per_release = |side: usize, count: fn(&Release) -> u64| {
        let all = &model.releases[side];
        let sum: u64 = all.iter().map(count).sum();
        if all.is_empty() { "–".to_string() } else { format!("{:.1}", sum as f64 / all.len() as f64) }
    };
    let ms = |side: usize| model.costs[side].median.map_or("–".into(), |us| format!("{:.0} ms", us as f64 / 1e3));
    let row = |name: &'static str, value: &dyn Fn(usize) -> String| {
        html! { <tr><th scope="row">{ name }</th><td>{ value(0) }</td><td>{ value(1) }</td></tr> }
    };
    html! {
        <table>
            <thead>
                <tr>
                    <td />
                    { for model.titles.iter().zip(["left", "right"]).map(|(title, side)| html! {
                        <th scope="col" class={side}>{ title.clone() }</th>
                    }) }
                </tr>
            </thead>
            <tbody>
                { row(words.compare_requests, &|side| model.costs[side].requests.to_string()) }
                { row(words.compare_notifications, &|side| model.costs[side].notifications.to_string()) }
                { row(words.compare_handovers, &|side| model.costs[side].handovers.to_string()) }
                { row(words.compare_requests_each, &|side| per_release(side, |release| release.requests)) }
                { row(words.compare_notifications_each, &|side| per_release(side, |release| release.notifications)) }
                { row(words.compare_latency_short, &ms) }
                { row(words.compare_holders, &|side| model.costs[side].holders_max.to_string()) }
            </tbody>
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
    Plot { x_title, y_title, x: (0.0, most_waiting(model)), y: 4.0, digits: 0, dots }
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
    let (x_title, y_title) = (page(lang).compare_waiting, page(lang).chart_y);
    Plot { x_title, y_title, x: (0.0, most_waiting(model)), y: 100.0, digits: 0, dots }
}
