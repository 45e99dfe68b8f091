//! The chart: how long each transaction took from its proposal to its commit.

use web_sys::HtmlCanvasElement;
use yew::prelude::*;

use crate::i18n::Lang;
use crate::i18n::page::page;

use super::engine::Engine;
use super::model::use_model;
use super::palette::read_palette;
use super::plot::{Dot, Plot};
use super::state::{Theme, use_reach};
use crate::view::epoch_colour;

/// What the side tells the chart.
#[derive(Clone, PartialEq, Properties)]
pub(super) struct Props {
    pub lang: Lang,
    pub theme: Theme,
}

/// A commit: when (µs), how long it took (µs), its epoch.
type Sample = (u64, u64, u32);

fn samples(engine: &Engine, (): &()) -> Vec<Sample> {
    let session = engine.session();
    session.chronicle().commits().map(|c| (c.at.0, c.took_us, c.zxid.epoch())).collect()
}

/// The chart.
#[component]
pub(super) fn Chart(props: &Props) -> Html {
    let reach = use_reach();
    let samples = use_model(&reach.engine, (), samples);
    let canvas = use_node_ref();
    let words = page(props.lang);
    let drawn = (canvas.clone(), samples.clone(), props.clone());
    use_effect_with(drawn, |(canvas, samples, props)| {
        if let Some(canvas) = canvas.cast::<HtmlCanvasElement>() {
            draw(canvas, samples, props.lang);
        }
    });
    html! {
        <div class="chart">
            <h2>{ words.chart_title }</h2>
            <p class="hint">{ if samples.is_empty() { words.nothing_committed } else { words.chart_hint } }</p>
            <canvas ref={canvas} role="img" aria-label={words.chart_title} />
        </div>
    }
}

fn draw(canvas: HtmlCanvasElement, samples: &[Sample], lang: Lang) {
    let palette = read_palette();
    let seconds = |us: u64| us as f64 / 1e6;
    let latest = samples.iter().map(|sample| seconds(sample.0)).fold(0.5, f64::max);
    let first = samples.first().map_or(0.0, |sample| seconds(sample.0)).min(latest - 0.5).max(0.0);
    let dot = |&(at, took, epoch): &Sample| {
        let fill = palette.epochs.get(epoch_colour(epoch).max(1) as usize - 1).map_or("", |(fill, _)| fill);
        Dot { x: seconds(at), y: took as f64 / 1e3, colour: fill.to_string(), hollow: false }
    };
    let plot = Plot {
        x_title: page(lang).chart_x,
        y_title: page(lang).chart_y,
        x: (first, latest),
        y: 40.0,
        digits: if latest - first < 3.0 { 2 } else { 1 },
        dots: samples.iter().map(dot).collect(),
    };
    plot.draw(canvas, &palette);
}
