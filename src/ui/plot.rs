//! Points in a plane on a canvas, in the page's colours: what all charts of the page are drawn with.

use plotters::prelude::*;
use plotters_canvas::CanvasBackend;
use web_sys::HtmlCanvasElement;

use super::browser::window;
use crate::view::Palette;

/// A point. Its colour is CSS's (`#rrggbb`).
pub(super) struct Dot {
    pub x: f64,
    pub y: f64,
    pub colour: String,
    /// Only its edge is drawn.
    pub hollow: bool,
}

/// A chart: what its axes mean, how far they reach at least, and its points.
pub(super) struct Plot<'a> {
    pub x_title: &'a str,
    pub y_title: &'a str,
    /// From, and at least up to.
    pub x: (f64, f64),
    /// At least up to; from 0.
    pub y: f64,
    /// Digits behind the point on the x axis.
    pub digits: usize,
    pub dots: Vec<Dot>,
}

/// A colour as CSS writes it (`#rrggbb`); grey where it is written otherwise.
fn colour(css: &str) -> RGBColor {
    let part = |at: usize| css.get(at..at + 2).and_then(|hex| u8::from_str_radix(hex, 16).ok());
    match (part(1), part(3), part(5)) {
        (Some(red), Some(green), Some(blue)) => RGBColor(red, green, blue),
        _ => RGBColor(128, 128, 128),
    }
}

impl Plot<'_> {
    /// Draws it. A chart that cannot be drawn leaves an empty place, not a broken page.
    pub fn draw(&self, canvas: HtmlCanvasElement, palette: &Palette) {
        let _ = self.try_draw(canvas, palette);
    }

    fn try_draw(&self, canvas: HtmlCanvasElement, palette: &Palette) -> Result<(), Box<dyn std::error::Error>> {
        let ratio = window().device_pixel_ratio().clamp(1.0, 4.0);
        let width = f64::from(canvas.client_width().max(200));
        let height = f64::from(canvas.client_height().max(100));
        canvas.set_width((width * ratio) as u32);
        canvas.set_height((height * ratio) as u32);
        let area = CanvasBackend::with_canvas_object(canvas).ok_or("no canvas")?.into_drawing_area();
        let right = self.dots.iter().map(|dot| dot.x).fold(self.x.1, f64::max);
        let top = self.dots.iter().map(|dot| dot.y).fold(self.y, f64::max);
        let (ink, soft, line) = (colour(&palette.ink), colour(&palette.soft), colour(&palette.line));
        let size = 12.5 * ratio;
        let font = |color: RGBColor| (palette.sans.as_str(), size).into_font().color(&color);
        let digits = self.digits;
        let mut chart = ChartBuilder::on(&area)
            .margin((8.0 * ratio) as i32)
            .x_label_area_size((44.0 * ratio) as i32)
            .y_label_area_size((48.0 * ratio) as i32)
            .build_cartesian_2d(self.x.0..right * 1.02, 0.0..top * 1.15)?;
        chart
            .configure_mesh()
            .disable_x_mesh()
            .light_line_style(line.mix(0.0))
            .bold_line_style(line.mix(0.6))
            .axis_style(soft)
            .x_labels(5)
            .y_labels(if height < 130.0 { 3 } else { 5 })
            .x_label_formatter(&|x| format!("{x:.digits$}"))
            .y_label_formatter(&|y| format!("{y:.0}"))
            .x_desc(self.x_title)
            .y_desc(self.y_title)
            .label_style(font(soft))
            .axis_desc_style(font(ink))
            .draw()?;
        chart.draw_series(self.dots.iter().map(|dot| {
            let paint = colour(&dot.colour);
            let style = if dot.hollow { paint.stroke_width((1.6 * ratio) as u32) } else { paint.filled() };
            Circle::new((dot.x, dot.y), 3.5 * ratio, style)
        }))?;
        area.present()?;
        Ok(())
    }
}
