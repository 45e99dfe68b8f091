//! The panel of charts: each with a sentence that says the same in numbers, a table on demand, and where there is nothing yet, why.

mod watch;

use web_sys::HtmlCanvasElement;
use yew::prelude::*;

use crate::base::SimTime;
use crate::i18n::Lang;
use crate::i18n::page::page;
use crate::view::charts::{Drawing, OneChart, Table, Telling, Tint, Way, charts};

use crate::ui::engine::model::use_model;
use crate::ui::kit::palette::read_palette;
use crate::ui::kit::plot::Drawn;
use crate::ui::kit::wear::Wear;
use crate::ui::page::state::use_page_context;
use crate::ui::panels::empty_state::{EmptyState, Step};

use watch::{use_place, use_slow};

/// The shortest time between two pictures of a chart while time runs, ms.
const EVERY_MS: f64 = 300.0;

/// What the side tells the charts.
#[derive(Clone, PartialEq, Properties)]
pub(in crate::ui) struct Props {
    pub lang: Lang,
    pub wear: Wear,
}

/// The charts.
#[component]
pub(in crate::ui) fn Charts(props: &Props) -> Html {
    let context = use_page_context();
    let newest = use_model(&context.engine, (), |engine, ()| charts(&engine.session()));
    let now = use_slow(newest, EVERY_MS);
    let node = use_node_ref();
    let place = use_place(&node);
    let Props { lang, wear } = *props;
    let chart = |chart: OneChart| {
        let (key, until) = (chart.name(), if chart.has_time() { now.until } else { SimTime::ZERO });
        html! { <Chart {key} {lang} {wear} {place} {until} {chart} /> }
    };
    html! {
        <div class="charts" ref={node}>{ for now.each().map(chart) }</div>
    }
}

#[derive(Clone, PartialEq, Properties)]
struct ChartProps {
    lang: Lang,
    wear: Wear,
    /// Width, and pixels in one of CSS.
    place: (f64, f64),
    /// How far time reaches; where there is none, its beginning: a chart is drawn anew only when what it shows has changed.
    until: SimTime,
    chart: OneChart,
}

/// One chart.
#[component]
fn Chart(props: &ChartProps) -> Html {
    let canvas = use_node_ref();
    let open = use_state(|| false);
    let (lang, chart, words) = (props.lang, &props.chart, &page(props.lang).charts);
    let Telling { title, said, nothing, signs } = chart.tell(words);
    use_effect_with((canvas.clone(), props.clone(), nothing.is_none()), |(canvas, props, _)| {
        if let Some(canvas) = canvas.cast::<HtmlCanvasElement>() {
            draw(canvas, props);
        }
    });
    let name = chart.name();
    let toggle = {
        let open = open.clone();
        move |event: MouseEvent| {
            event.prevent_default();
            open.set(!*open);
        }
    };
    let body = match nothing {
        Some((why, ways)) => {
            let steps: Vec<Step> = ways.iter().map(step).collect();
            html! { <EmptyState {lang} {why} {steps} /> }
        }
        None => html! {
            <>
                <p class="said" id={format!("said-{name}")}>{ said }</p>
                <canvas ref={canvas} class={name} role="img" aria-label={title} aria-describedby={format!("said-{name}")} />
                if let Some([full, hollow]) = signs {
                    <p class="signs-of"><i class="sign full" />{ full }<i class="sign hollow" />{ hollow }</p>
                }
                <details open={*open}>
                    <summary onclick={toggle}>{ words.numbers }<span class="unseen">{ ": " }{ title }</span></summary>
                    if *open { { numbers(title, chart.table(words)) } }
                </details>
            </>
        },
    };
    html! {
        <section class="chart" aria-label={title}>
            <h2>{ title }</h2>
            { body }
        </section>
    }
}

/// The way to fill a chart, as a button.
fn step(way: &Way) -> Step {
    match way {
        Way::Play => Step::Play,
        Way::Write => Step::Write,
        Way::Gallery => Step::Gallery,
    }
}

/// Draws a chart in the colours that the page has now.
fn draw(canvas: HtmlCanvasElement, props: &ChartProps) {
    let palette = read_palette();
    let paint = |tint| match tint {
        Tint::Epoch(epoch) => palette.epoch(Some(epoch)).0.to_string(),
        Tint::Soft => palette.soft.clone(),
        Tint::Focus => palette.focus.clone(),
        Tint::Bad => palette.bad.clone(),
    };
    let until = (props.until.0 as f64 / 1e6).max(0.5);
    match props.chart.drawing(&page(props.lang).charts, until, &paint) {
        Drawing::Plot(plot) => plot.draw(canvas, &palette),
        Drawing::Bars(bars) => bars.draw(canvas, &palette),
    }
}

/// The numbers of a chart as a table.
fn numbers(title: &'static str, (heads, rows): Table) -> Html {
    html! {
        <div class="scroll" tabindex="0" role="group" aria-label={title}>
            <table>
                <thead><tr>{ for heads.iter().map(|head| html! { <th scope="col">{ *head }</th> }) }</tr></thead>
                <tbody>
                    { for rows.into_iter().map(|row| html! {
                        <tr>{ for row.into_iter().map(|cell| html! { <td>{ cell }</td> }) }</tr>
                    }) }
                </tbody>
            </table>
        </div>
    }
}
