//! How each chart is drawn.

use web_sys::HtmlCanvasElement;

use crate::base::{Epoch, SimTime};
use crate::draw::Palette;
use crate::i18n::Lang;
use crate::i18n::page::page;
use crate::view::charts::{Gaps, Latency, Rate, Releases, Sent};

use crate::ui::kit::palette::read_palette;
use crate::ui::kit::plot::{Area, Bars, Dot, Plot};
use crate::ui::panels::charts::part::{Part, Shown};
use crate::ui::panels::charts::words::MOST_TYPES;

fn seconds(at: SimTime) -> f64 {
    at.0 as f64 / 1e6
}

/// Draws a chart in the colours that the page has now.
pub(super) fn draw(canvas: HtmlCanvasElement, shown: &Shown, lang: Lang) {
    let palette = read_palette();
    let until = seconds(shown.until).max(0.5);
    let mut plot = match &shown.part {
        Part::Sent(sent) => return types(sent, &palette, lang).draw(canvas, &palette),
        Part::Latency(latency) => latencies(latency, &palette, lang),
        Part::Rate(rate) => rates(rate, &palette, lang),
        Part::Releases(releases) => costs(releases, &palette, lang),
        Part::Gaps(gaps) => stretches(gaps, until, &palette, lang),
    };
    plot.x_title = page(lang).chart_x;
    plot.x = (0.0, until);
    plot.digits = if until < 5.0 { 1 } else { 0 };
    plot.draw(canvas, &palette);
}

fn of_epoch(palette: &Palette, epoch: Epoch) -> String {
    palette.epoch(Some(epoch)).0.to_string()
}

fn latencies(latency: &Latency, palette: &Palette, lang: Lang) -> Plot<'static> {
    let dots = latency.dots.iter().map(|dot| Dot {
        x: seconds(dot.at),
        y: dot.took_us as f64 / 1e3,
        colour: of_epoch(palette, dot.epoch),
        hollow: false,
    });
    Plot { y_title: page(lang).chart_y, y: 40.0, dots: dots.collect(), ..Plot::default() }
}

fn rates(rate: &Rate, palette: &Palette, lang: Lang) -> Plot<'static> {
    let step = rate.step_us as f64 / 1e6;
    let bar = |(place, many): (usize, &u32)| Area {
        from: (place as f64 + 0.04) * step,
        to: (place as f64 + 0.96) * step,
        top: Some(rate.tenths(*many) as f64 / 10.0),
        rises: false,
        colour: palette.soft.clone(),
        alpha: 0.85,
    };
    let areas = rate.steps.iter().enumerate().filter(|(_, many)| **many > 0).map(bar).collect();
    Plot { y_title: page(lang).chart_rate_y, y: 10.0, areas, ..Plot::default() }
}

fn costs(releases: &Releases, palette: &Palette, lang: Lang) -> Plot<'static> {
    let mut dots = Vec::new();
    for release in &releases.shown {
        let mut dot = |y: u64, colour: &str, hollow| {
            dots.push(Dot { x: seconds(release.at), y: y as f64, colour: colour.to_string(), hollow });
        };
        dot(release.requests, &palette.soft, true);
        dot(release.notifications, &palette.focus, false);
    }
    Plot { y_title: page(lang).chart_release_y, y: 4.0, dots, ..Plot::default() }
}

/// Time without a leader rises until somebody leads; behind it the reigns in the colours of their epochs.
fn stretches(gaps: &Gaps, until: f64, palette: &Palette, lang: Lang) -> Plot<'static> {
    let reign = |&(from, to, epoch): &(SimTime, SimTime, Epoch)| Area {
        from: seconds(from).min(until),
        to: seconds(to).min(until),
        top: None,
        rises: false,
        colour: of_epoch(palette, epoch),
        alpha: 0.22,
    };
    let gap = |gap: &crate::view::charts::Gap| Area {
        from: seconds(gap.from),
        to: seconds(gap.to).min(until),
        top: Some(gap.us() as f64 / 1e6),
        rises: true,
        colour: palette.bad.clone(),
        alpha: 0.9,
    };
    let areas = gaps.reigns.iter().map(reign).chain(gaps.shown.iter().map(gap)).collect();
    Plot { y_title: page(lang).chart_gap_y, y: 1.0, y_digits: 1, areas, ..Plot::default() }
}

fn types(sent: &Sent, palette: &Palette, lang: Lang) -> Bars<'static> {
    let (first, rest) = sent.types.split_at(sent.types.len().min(MOST_TYPES));
    let mut rows: Vec<(String, u64)> = first.iter().map(|(name, many)| (name.to_string(), *many)).collect();
    if !rest.is_empty() {
        rows.push((page(lang).chart_others.to_string(), rest.iter().map(|(_, many)| many).sum()));
    }
    Bars { title: page(lang).chart_sent_x, rows, room: MOST_TYPES + 1, colour: palette.soft.clone() }
}
