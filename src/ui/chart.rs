//! The chart: how long each transaction took from its proposal to its commit.

use plotters::prelude::*;
use plotters_canvas::CanvasBackend;
use web_sys::HtmlCanvasElement;
use yew::prelude::*;

use crate::i18n::Lang;
use crate::i18n::page::page;

use super::browser::window;
use super::engine::Engine;
use super::model::use_model;
use super::palette::{Palette, epoch_colour};
use super::state::{Theme, use_reach};

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
            // a chart that cannot be drawn leaves an empty place, not a broken page
            let _ = draw(canvas, samples, props.lang);
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

/// A colour as CSS writes it (`#rrggbb`); grey where it is written otherwise.
fn colour(css: &str) -> RGBColor {
    let part = |at: usize| css.get(at..at + 2).and_then(|hex| u8::from_str_radix(hex, 16).ok());
    match (part(1), part(3), part(5)) {
        (Some(red), Some(green), Some(blue)) => RGBColor(red, green, blue),
        _ => RGBColor(128, 128, 128),
    }
}

fn draw(canvas: HtmlCanvasElement, samples: &[Sample], lang: Lang) -> Result<(), Box<dyn std::error::Error>> {
    let palette = Palette::read();
    let ratio = window().device_pixel_ratio().clamp(1.0, 4.0);
    let (width, height) = (f64::from(canvas.client_width().max(200)), 260.0);
    canvas.set_width((width * ratio) as u32);
    canvas.set_height((height * ratio) as u32);
    let area = CanvasBackend::with_canvas_object(canvas).ok_or("no canvas")?.into_drawing_area();
    let seconds = |us: u64| us as f64 / 1e6;
    let latest = samples.iter().map(|sample| seconds(sample.0)).fold(0.5, f64::max);
    let first = samples.first().map_or(0.0, |sample| seconds(sample.0)).min(latest - 0.1);
    let slowest = samples.iter().map(|sample| sample.1 as f64 / 1e3).fold(40.0, f64::max);
    let (ink, soft, line) = (colour(&palette.ink), colour(&palette.soft), colour(&palette.line));
    let size = 12.5 * ratio;
    let font = |color: RGBColor| (palette.sans.as_str(), size).into_font().color(&color);
    let mut chart = ChartBuilder::on(&area)
        .margin((8.0 * ratio) as i32)
        .x_label_area_size((44.0 * ratio) as i32)
        .y_label_area_size((48.0 * ratio) as i32)
        .build_cartesian_2d(first..latest * 1.02, 0.0..slowest * 1.15)?;
    chart
        .configure_mesh()
        .disable_x_mesh()
        .light_line_style(line.mix(0.0))
        .bold_line_style(line.mix(0.6))
        .axis_style(soft)
        .x_labels(6)
        .y_labels(5)
        .x_label_formatter(&|x| format!("{x:.1}"))
        .y_label_formatter(&|y| format!("{y:.0}"))
        .x_desc(page(lang).chart_x)
        .y_desc(page(lang).chart_y)
        .label_style(font(soft))
        .axis_desc_style(font(ink))
        .draw()?;
    let points = samples.iter().map(|&(at, took, epoch)| {
        let fill = palette.epochs.get(epoch_colour(epoch).max(1) as usize - 1).map_or("", |(fill, _)| fill);
        Circle::new((seconds(at), took as f64 / 1e3), 3.5 * ratio, colour(fill).filled())
    });
    chart.draw_series(points)?;
    area.present()?;
    Ok(())
}
