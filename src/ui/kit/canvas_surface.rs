//! The canvas as something to draw on.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

use js_sys::Object;
use wasm_bindgen::JsCast;
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement, ImageBitmap, OffscreenCanvas};

use crate::draw::Point;
use crate::draw::surface::{Align, Lettering, Path, Sprite, Stretch, Stroke, Surface, number};

use crate::ui::kit::browser::document;

/// A canvas, drawn on in CSS pixels: who makes it has set its scale. It remembers what it has set, because handing a text to the
/// browser costs more than drawing a packet.
pub(in crate::ui) struct CanvasSurface<'a> {
    ctx: &'a CanvasRenderingContext2d,
    fill: String,
    stroke: String,
    font: Font,
    align: Option<Align>,
    width: f64,
    /// Whether lines have round corners.
    round: bool,
    stamps: Option<&'a Sprites>,
}

/// Weight, size and families.
type Font = (u16, f64, String);

/// Small pictures for one canvas and one palette. A browser copies whole pixels quickest; so that things glide all the same, there is one
/// picture for each quarter of a pixel, across and down.
#[derive(Default)]
pub(in crate::ui) struct Sprites {
    /// How many pixels of the screen a CSS pixel has in them.
    ratio: Cell<f64>,
    made: RefCell<BTreeMap<(Sprite, u8, u8), Kept>>,
    /// The canvas's font after the last frame: to set one takes longer than to write a label.
    font: RefCell<Font>,
}

/// A small picture, and how wide and high it is, CSS pixels.
struct Kept(Small, f64);

/// What a browser copies from: a canvas it has to look at each time, so where it can it keeps the pixels alone.
enum Small {
    Pixels(ImageBitmap),
    Canvas(HtmlCanvasElement),
}

impl Sprites {
    /// So many are kept at most.
    const MOST: usize = 1_000;
    /// Parts of a pixel.
    const PARTS: f64 = 4.0;

    /// The canvas has another size, and with it a new canvas's font.
    pub(crate) fn forget_font(&self) {
        self.font.take();
    }

    fn put(
        &self,
        ctx: &CanvasRenderingContext2d,
        name: Sprite,
        size: f64,
        at: Point,
        draw: &mut dyn FnMut(&mut dyn Surface, Point),
    ) -> Option<()> {
        let ratio = self.ratio.get();
        let split = |value: f64| {
            let parts = ((value - size / 2.0) * ratio * Self::PARTS).round();
            (parts.div_euclid(Self::PARTS), parts.rem_euclid(Self::PARTS) as u8)
        };
        let ((x, right), (y, down)) = (split(at.x), split(at.y));
        let mut made = self.made.borrow_mut();
        let key = (name, right, down);
        if !made.contains_key(&key) {
            if made.len() >= Sprites::MOST {
                made.clear();
            }
            made.insert(key, self.make(size, (right, down), draw)?);
        }
        let Kept(small, side) = made.get(&key)?;
        let (x, y) = (x / ratio, y / ratio);
        match small {
            Small::Pixels(pixels) => ctx.draw_image_with_image_bitmap_and_dw_and_dh(pixels, x, y, *side, *side).ok(),
            Small::Canvas(canvas) => {
                ctx.draw_image_with_html_canvas_element_and_dw_and_dh(canvas, x, y, *side, *side).ok()
            }
        }
    }

    fn make(
        &self,
        size: f64,
        (right, down): (u8, u8),
        draw: &mut dyn FnMut(&mut dyn Surface, Point),
    ) -> Option<Kept> {
        let ratio = self.ratio.get();
        let pixels = (size * ratio).ceil() as u32 + 1;
        let middle = |part: u8| size / 2.0 + f64::from(part) / Self::PARTS / ratio;
        let mut fill = |ctx: Option<Object>| {
            // another class, and the same methods, if it is not an element's
            let ctx = ctx?.unchecked_into::<CanvasRenderingContext2d>();
            ctx.set_transform(ratio, 0.0, 0.0, ratio, 0.0, 0.0).ok()?;
            draw(&mut CanvasSurface::new(&ctx), Point::new(middle(right), middle(down)));
            Some(())
        };
        let side = f64::from(pixels) / ratio;
        // older browsers do not have it
        if let Ok(canvas) = OffscreenCanvas::new(pixels, pixels) {
            fill(canvas.get_context("2d").ok()?)?;
            return Some(Kept(Small::Pixels(canvas.transfer_to_image_bitmap().ok()?), side));
        }
        let canvas = document().create_element("canvas").ok()?.dyn_into::<HtmlCanvasElement>().ok()?;
        canvas.set_width(pixels);
        canvas.set_height(pixels);
        fill(canvas.get_context("2d").ok()?)?;
        Some(Kept(Small::Canvas(canvas), side))
    }
}

impl<'a> CanvasSurface<'a> {
    /// A canvas of which nothing is known but that its lines have pointed corners, as a new one's, which they have again at the end;
    /// nobody else draws on it meanwhile.
    pub(crate) fn new(ctx: &'a CanvasRenderingContext2d) -> CanvasSurface<'a> {
        CanvasSurface {
            ctx,
            fill: String::new(),
            stroke: String::new(),
            font: Font::default(),
            align: None,
            width: 0.0,
            round: false,
            stamps: None,
        }
    }

    /// The same, with small pictures that are kept from frame to frame.
    pub(crate) fn with_stamps(
        ctx: &'a CanvasRenderingContext2d,
        stamps: &'a Sprites,
        ratio: f64,
    ) -> CanvasSurface<'a> {
        if stamps.ratio.replace(ratio) != ratio {
            stamps.made.borrow_mut().clear();
        }
        let mut surface = CanvasSurface::new(ctx);
        surface.font = stamps.font.take();
        surface.stamps = Some(stamps);
        surface
    }

    fn fill_with(&mut self, colour: &str) {
        if keep(&mut self.fill, colour) {
            self.ctx.set_fill_style_str(colour);
        }
    }

    fn stroke_with(&mut self, colour: &str, width: f64, round: bool) {
        if self.round != round {
            self.round = round;
            self.ctx.set_line_join(if round { "round" } else { "miter" });
        }
        if keep(&mut self.stroke, colour) {
            self.ctx.set_stroke_style_str(colour);
        }
        if self.width != width {
            self.width = width;
            self.ctx.set_line_width(width);
        }
    }

    fn font(&mut self, style: &Lettering<'_>) {
        let same = (self.font.0, self.font.1) == (style.weight, style.size);
        if keep(&mut self.font.2, style.font) || !same {
            (self.font.0, self.font.1) = (style.weight, style.size);
            self.ctx.set_font(&format!("{} {}px {}", style.weight, number(style.size), style.font));
        }
    }
}

impl Drop for CanvasSurface<'_> {
    fn drop(&mut self) {
        if self.round {
            self.ctx.set_line_join("miter");
        }
        if let Some(stamps) = self.stamps {
            stamps.font.replace(std::mem::take(&mut self.font));
        }
    }
}

/// Keeps a text; whether it is another one.
fn keep(kept: &mut String, text: &str) -> bool {
    let other = kept != text;
    if other {
        kept.clear();
        kept.push_str(text);
    }
    other
}

/// Sets the lengths of dashes and gaps.
pub(in crate::ui) fn set_dashes(ctx: &CanvasRenderingContext2d, lengths: &[f64]) {
    let list: js_sys::Array = lengths.iter().map(|&length| wasm_bindgen::JsValue::from_f64(length)).collect();
    let _ = ctx.set_line_dash(&list);
}

impl Surface for CanvasSurface<'_> {
    fn path(&mut self, path: &Path, fill: Option<&str>, stroke: Option<Stroke<'_>>, alpha: f64) {
        let ctx = self.ctx;
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
            self.fill_with(colour);
            ctx.fill();
        }
        if let Some(stroke) = stroke {
            self.stroke_with(stroke.colour, stroke.width, false);
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
        let ctx = self.ctx;
        self.font(style);
        if self.align != Some(style.align) {
            self.align = Some(style.align);
            ctx.set_text_align(match style.align {
                Align::Left => "left",
                Align::Middle => "center",
                Align::Right => "right",
            });
        }
        if let Some(halo) = style.halo {
            self.stroke_with(halo, 4.0, true);
            let _ = ctx.stroke_text(text, at.x, at.y);
        }
        self.fill_with(style.colour);
        let _ = ctx.fill_text(text, at.x, at.y);
    }

    fn stamp(&mut self, name: Sprite, size: f64, at: Point, draw: &mut dyn FnMut(&mut dyn Surface, Point)) -> bool {
        self.stamps.is_some_and(|stamps| stamps.put(self.ctx, name, size, at, draw).is_some())
    }

    fn width(&mut self, text: &str, style: &Lettering<'_>) -> f64 {
        self.font(style);
        self.ctx.measure_text(text).map_or(0.0, |measured| measured.width())
    }
}
