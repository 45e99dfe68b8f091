//! The canvas as something to draw on.

use web_sys::CanvasRenderingContext2d;

use crate::view::Point;
use crate::view::ink::{Align, Ink, Lettering, Path, Stretch, Stroke};

/// A canvas, drawn on in CSS pixels: who makes it has set its scale.
pub(super) struct CanvasInk<'a>(pub &'a CanvasRenderingContext2d);

fn set_font(ctx: &CanvasRenderingContext2d, style: &Lettering<'_>) {
    ctx.set_font(&format!("{} {}px {}", style.weight, style.size, style.font));
}

/// Sets the lengths of dashes and gaps.
pub(super) fn set_dashes(ctx: &CanvasRenderingContext2d, lengths: &[f64]) {
    let list: js_sys::Array = lengths.iter().map(|&length| wasm_bindgen::JsValue::from_f64(length)).collect();
    let _ = ctx.set_line_dash(&list);
}

impl Ink for CanvasInk<'_> {
    fn path(&mut self, path: &Path, fill: Option<&str>, stroke: Option<Stroke<'_>>, alpha: f64) {
        let ctx = self.0;
        ctx.begin_path();
        for stretch in &path.0 {
            match *stretch {
                Stretch::Move(at) => ctx.move_to(at.x, at.y),
                Stretch::Line(at) => ctx.line_to(at.x, at.y),
                Stretch::Curve(a, b, at) => ctx.bezier_curve_to(a.x, a.y, b.x, b.y, at.x, at.y),
                Stretch::Close => ctx.close_path(),
            }
        }
        if alpha < 1.0 {
            ctx.set_global_alpha(alpha);
        }
        if let Some(colour) = fill {
            ctx.set_fill_style_str(colour);
            ctx.fill();
        }
        if let Some(stroke) = stroke {
            ctx.set_stroke_style_str(stroke.colour);
            ctx.set_line_width(stroke.width);
            if !stroke.dash.is_empty() {
                set_dashes(ctx, stroke.dash);
            }
            ctx.stroke();
            if !stroke.dash.is_empty() {
                set_dashes(ctx, &[]);
            }
        }
        if alpha < 1.0 {
            ctx.set_global_alpha(1.0);
        }
    }

    fn text(&mut self, text: &str, at: Point, style: &Lettering<'_>) {
        let ctx = self.0;
        set_font(ctx, style);
        ctx.set_text_align(match style.align {
            Align::Left => "left",
            Align::Middle => "center",
            Align::Right => "right",
        });
        if let Some(halo) = style.halo {
            ctx.set_stroke_style_str(halo);
            ctx.set_line_width(4.0);
            ctx.set_line_join("round");
            let _ = ctx.stroke_text(text, at.x, at.y);
            ctx.set_line_join("miter");
        }
        ctx.set_fill_style_str(style.colour);
        let _ = ctx.fill_text(text, at.x, at.y);
    }

    fn width(&mut self, text: &str, style: &Lettering<'_>) -> f64 {
        set_font(self.0, style);
        self.0.measure_text(text).map_or(0.0, |measured| measured.width())
    }
}
