//! The panel of charts: each with a sentence that says the same in numbers, a table on demand, and where there is nothing yet, why.

mod part;
mod plots;
mod watch;
mod words;

use web_sys::HtmlCanvasElement;
use yew::prelude::*;

use crate::i18n::Lang;
use crate::i18n::page::page;
use crate::view::charts::charts;

use crate::ui::app::state::use_page_context;
use crate::ui::kit::empty_state::EmptyState;
use crate::ui::kit::model::use_model;
use crate::ui::kit::wear::Wear;

use part::{Part, Shown};
use watch::{use_place, use_slow};
use words::{said, table, title, why_nothing};

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
    let chart = |shown: Shown| {
        let key = shown.part.name();
        html! { <Chart {key} {lang} {wear} {place} {shown} /> }
    };
    html! {
        <div class="charts" ref={node}>{ for Shown::all(&now).map(chart) }</div>
    }
}

#[derive(Clone, PartialEq, Properties)]
struct ChartProps {
    lang: Lang,
    wear: Wear,
    /// Width, and pixels in one of CSS.
    place: (f64, f64),
    shown: Shown,
}

/// One chart.
#[component]
fn Chart(props: &ChartProps) -> Html {
    let canvas = use_node_ref();
    let open = use_state(|| false);
    let (lang, part) = (props.lang, &props.shown.part);
    let nothing = why_nothing(part, lang);
    use_effect_with((canvas.clone(), props.clone(), nothing.is_none()), |(canvas, props, _)| {
        if let Some(canvas) = canvas.cast::<HtmlCanvasElement>() {
            plots::draw(canvas, &props.shown, props.lang);
        }
    });
    let (name, title) = (part.name(), title(part, lang));
    let toggle = {
        let open = open.clone();
        move |event: MouseEvent| {
            event.prevent_default();
            open.set(!*open);
        }
    };
    let body = match nothing {
        Some((why, steps)) => html! { <EmptyState {lang} {why} {steps} /> },
        None => html! {
            <>
                <p class="said" id={format!("said-{name}")}>{ said(part, lang) }</p>
                <canvas ref={canvas} class={name} role="img" aria-label={title} aria-describedby={format!("said-{name}")} />
                { legend(part, lang) }
                <details open={*open}>
                    <summary onclick={toggle}>{ page(lang).chart_numbers }<span class="unseen">{ ": " }{ title }</span></summary>
                    if *open { { numbers(part, title, lang) } }
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

/// What the signs of a chart mean, where it has two.
fn legend(part: &Part, lang: Lang) -> Html {
    let words = page(lang);
    match part {
        Part::Releases(_) => html! {
            <p class="signs-of"><i class="sign full" />{ words.compare_notifications }<i class="sign hollow" />{ words.compare_requests }</p>
        },
        _ => Html::default(),
    }
}

/// The numbers of a chart as a table.
fn numbers(part: &Part, title: &'static str, lang: Lang) -> Html {
    let (heads, rows) = table(part, lang);
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
