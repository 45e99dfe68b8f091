//! Canvases beside the page: pictures are drawn on them and read from them.

use js_sys::{Object, Reflect};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Blob, CanvasRenderingContext2d, HtmlCanvasElement};

use crate::draw::stage::Sheet;

use crate::ui::kit::browser::document;
use crate::ui::kit::canvas_surface::CanvasSurface;

/// Most pixels of a picture: what every browser's canvas can have.
pub(super) const MOST_PIXELS: f64 = 16_000_000.0;

/// A canvas of this size that is on no page; `read` when its pixels are asked for again and again.
pub(super) fn canvas(
    (width, height): (u32, u32),
    read: bool,
) -> Option<(HtmlCanvasElement, CanvasRenderingContext2d)> {
    let canvas = document().create_element("canvas").ok()?.dyn_into::<HtmlCanvasElement>().ok()?;
    canvas.set_width(width);
    canvas.set_height(height);
    let ctx = context(&canvas, read)?;
    Some((canvas, ctx))
}

/// A canvas's context.
pub(super) fn context(canvas: &HtmlCanvasElement, read: bool) -> Option<CanvasRenderingContext2d> {
    let options = Object::new();
    let _ = Reflect::set(&options, &"willReadFrequently".into(), &JsValue::from_bool(read));
    canvas.get_context_with_context_options("2d", &options).ok().flatten()?.dyn_into().ok()
}

/// Draws a picture, `scale` pixels for each of its own.
pub(super) fn draw(sheet: &Sheet<'_>, ctx: &CanvasRenderingContext2d, scale: f64) {
    let _ = ctx.set_transform(scale, 0.0, 0.0, scale, 0.0, 0.0);
    sheet.draw(&mut CanvasSurface::new(ctx));
}

/// A picture's size in pixels; none where that is too much.
pub(super) fn pixels((width, height): (f64, f64), scale: f64) -> Option<(u32, u32)> {
    let (width, height) = ((width * scale).round(), (height * scale).round());
    let fits = width >= 1.0 && height >= 1.0 && width * height <= MOST_PIXELS && width.max(height) <= 16_384.0;
    fits.then_some((width as u32, height as u32))
}

/// A canvas as a PNG file, some time later; none where the browser cannot.
pub(super) fn png(canvas: HtmlCanvasElement, then: impl FnOnce(Option<Blob>) + 'static) {
    let kept = canvas.clone();
    let closure = Closure::once_into_js(move |file: JsValue| {
        // its pixels are not needed any more
        kept.set_width(0);
        then(file.dyn_into().ok());
    });
    let _ = canvas.to_blob_with_type(closure.unchecked_ref(), "image/png");
}
