//! Points, areas and bars on a canvas, in the page's colours: what all charts of the page are drawn with. Sharp on every screen.

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters_canvas::CanvasBackend;
use wasm_bindgen::JsCast;
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement};

use crate::draw::Palette;
use crate::ui::kit::browser::window;
pub(in crate::ui) use crate::view::charts::{Bars, Dot, Plot};

pub(in crate::ui) type Trouble = Box<dyn std::error::Error>;
/// Where to draw, how many pixels there are in one of CSS, and its size in pixels.
type Prepared = (DrawingArea<CanvasBackend, Shift>, f64, (f64, f64));

/// A colour as CSS writes it (`#rrggbb`); grey where it is written otherwise.
fn colour(css: &str) -> RGBColor {
    let part = |at: usize| css.get(at..at + 2).and_then(|hex| u8::from_str_radix(hex, 16).ok());
    match (part(1), part(3), part(5)) {
        (Some(red), Some(green), Some(blue)) => RGBColor(red, green, blue),
        _ => RGBColor(128, 128, 128),
    }
}

/// The canvas with as many pixels as it has on the screen.
fn prepared(canvas: HtmlCanvasElement) -> Result<Prepared, Trouble> {
    let ratio = window().device_pixel_ratio().clamp(1.0, 4.0);
    let width = f64::from(canvas.client_width().max(200));
    let height = f64::from(canvas.client_height().max(100));
    canvas.set_width((width * ratio) as u32);
    canvas.set_height((height * ratio) as u32);
    let area = CanvasBackend::with_canvas_object(canvas).ok_or("no canvas")?.into_drawing_area();
    Ok((area, ratio, (width * ratio, height * ratio)))
}

/// How wide the widest of these texts is in a font, pixels. plotters would measure with a style attribute, which the page's policy
/// refuses.
fn widest<'t>(canvas: &HtmlCanvasElement, font: &str, texts: impl Iterator<Item = &'t str>) -> f64 {
    let context = canvas.get_context("2d").ok().flatten();
    let Some(context) = context.and_then(|found| found.dyn_into::<CanvasRenderingContext2d>().ok()) else {
        return 0.0;
    };
    context.set_font(font);
    texts.filter_map(|text| context.measure_text(text).ok()).map(|found| found.width()).fold(0.0, f64::max)
}

/// What can be drawn on a canvas.
pub(in crate::ui) trait Drawn {
    /// Draws it, or says what is wrong.
    fn try_draw(&self, canvas: HtmlCanvasElement, palette: &Palette) -> Result<(), Trouble>;

    /// Draws it. What cannot be drawn leaves an empty place, not a broken page.
    fn draw(&self, canvas: HtmlCanvasElement, palette: &Palette) {
        let _ = self.try_draw(canvas, palette);
    }
}

/// How far the axes of a plot reach: to the right, and up.
fn reach(plot: &Plot<'_>) -> (f64, f64) {
    let right = plot.dots.iter().map(|dot| dot.x).fold(plot.x.1, f64::max);
    let heights = plot.areas.iter().filter_map(|area| area.top);
    let top = plot.dots.iter().map(|dot| dot.y).chain(heights).fold(plot.y, f64::max);
    (right * 1.02, top * 1.15)
}

impl Drawn for Plot<'_> {
    fn try_draw(&self, canvas: HtmlCanvasElement, palette: &Palette) -> Result<(), Trouble> {
        let (area, ratio, (_, height)) = prepared(canvas)?;
        let (right, top) = reach(self);
        let (ink, soft, line) = (colour(&palette.ink), colour(&palette.soft), colour(&palette.line));
        let size = 12.5 * ratio;
        let font = |color: RGBColor| (palette.sans.as_str(), size).into_font().color(&color);
        let (digits, y_digits) = (self.digits, self.y_digits);
        let mut chart = ChartBuilder::on(&area)
            .margin((8.0 * ratio) as i32)
            .x_label_area_size((44.0 * ratio) as i32)
            .y_label_area_size((48.0 * ratio) as i32)
            .build_cartesian_2d(self.x.0..right, 0.0..top)?;
        chart
            .configure_mesh()
            .disable_x_mesh()
            .light_line_style(line.mix(0.0))
            .bold_line_style(line.mix(0.6))
            .axis_style(soft)
            .x_labels(5)
            .y_labels(if height / ratio < 130.0 { 3 } else { 5 })
            .x_label_formatter(&|x| format!("{x:.digits$}"))
            .y_label_formatter(&|y| format!("{y:.y_digits$}"))
            .x_desc(self.x_title)
            .y_desc(self.y_title)
            .label_style(font(soft))
            .axis_desc_style(font(ink))
            .draw()?;
        chart.draw_series(self.areas.iter().map(|area| {
            let high = area.top.unwrap_or(top);
            let left = if area.rises { 0.0 } else { high };
            let corners = vec![(area.from, 0.0), (area.from, left), (area.to, high), (area.to, 0.0)];
            Polygon::new(corners, colour(&area.colour).mix(area.alpha).filled())
        }))?;
        chart.draw_series(self.dots.iter().map(|dot| {
            let paint = colour(&dot.colour);
            let style = if dot.hollow { paint.stroke_width((1.6 * ratio) as u32) } else { paint.filled() };
            Circle::new((dot.x, dot.y), 3.5 * ratio, style)
        }))?;
        area.present()?;
        Ok(())
    }
}

impl Drawn for Bars<'_> {
    fn try_draw(&self, canvas: HtmlCanvasElement, palette: &Palette) -> Result<(), Trouble> {
        let (area, ratio, (width, height)) = prepared(canvas.clone())?;
        let (ink, soft) = (colour(&palette.ink), colour(&palette.soft));
        let size = 12.5 * ratio;
        let font = |color: RGBColor| (palette.sans.as_str(), size).into_font().color(&color);
        let at = |pos: HPos| Pos::new(pos, VPos::Center);
        let letters = format!("{size}px {}", palette.sans);
        let names = widest(&canvas, &letters, self.rows.iter().map(|(name, _)| name.as_str()));
        let most = self.rows.iter().map(|(_, many)| *many).max().unwrap_or(0).max(1) as f64;
        let numbers = widest(&canvas, &letters, std::iter::once(most.to_string().as_str()));
        let gap = 8.0 * ratio;
        let left = names + gap;
        let room = (width - left - numbers - 2.0 * gap).max(gap);
        let title = 22.0 * ratio;
        let row = (height - title) / self.room.max(self.rows.len()).max(1) as f64;
        let style = font(ink).pos(Pos::new(HPos::Left, VPos::Top));
        area.draw(&Text::new(self.title, (left as i32, 0), style))?;
        for (place, (name, many)) in self.rows.iter().enumerate() {
            let y = title + row * (place as f64 + 0.5);
            let end = left + room * *many as f64 / most;
            let half = row * 0.34;
            let bar = [(left as i32, (y - half) as i32), (end.max(left + 1.0) as i32, (y + half) as i32)];
            area.draw(&Rectangle::new(bar, colour(&self.colour).mix(0.85).filled()))?;
            let name_at = ((left - gap) as i32, y as i32);
            area.draw(&Text::new(name.as_str(), name_at, font(soft).pos(at(HPos::Right))))?;
            let number_at = ((end + gap) as i32, y as i32);
            area.draw(&Text::new(many.to_string(), number_at, font(ink).pos(at(HPos::Left))))?;
        }
        area.present()?;
        Ok(())
    }
}
