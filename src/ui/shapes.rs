//! The shapes of packets on the canvas, and the shapes of roles as small pictures.

use web_sys::CanvasRenderingContext2d;
use yew::prelude::*;

use crate::view::{ClientFace, Face, Look, Point, Shape};

/// How wide a pill with a word is.
pub(super) fn pill_width(word: &str, radius: f64) -> f64 {
    word.len() as f64 * radius * 0.68 + radius
}

/// Puts the outline of a packet on the canvas as its path.
pub(super) fn outline(ctx: &CanvasRenderingContext2d, look: Look, at: Point, r: f64) {
    ctx.begin_path();
    match look.shape {
        Shape::Square => rounded(ctx, at, r * 0.95, r * 0.95, 4.0),
        Shape::Pill => rounded(ctx, at, pill_width(look.letter, r) / 2.0, r * 0.82, r * 0.82),
        Shape::Circle => arc(ctx, at, r),
        Shape::Dot => arc(ctx, at, r * 0.36),
        Shape::Diamond => polygon(ctx, at, r * 1.2, 4, -0.5 * std::f64::consts::PI),
        Shape::Hexagon => polygon(ctx, at, r * 1.08, 6, 0.0),
        Shape::Triangle => polygon(ctx, at, r * 1.25, 3, -0.5 * std::f64::consts::PI),
        Shape::SmallTriangle => polygon(ctx, at, r * 0.8, 3, -0.5 * std::f64::consts::PI),
        Shape::Bell => bell(ctx, at, r * 1.15),
    }
}

fn arc(ctx: &CanvasRenderingContext2d, at: Point, r: f64) {
    let _ = ctx.arc(at.x, at.y, r, 0.0, std::f64::consts::TAU);
}

fn bell(ctx: &CanvasRenderingContext2d, at: Point, r: f64) {
    let foot = at.y + r * 0.85;
    ctx.move_to(at.x - r * 1.1, foot);
    ctx.quadratic_curve_to(at.x - r * 0.8, at.y + r * 0.4, at.x - r * 0.8, at.y - r * 0.1);
    let _ = ctx.arc(at.x, at.y - r * 0.1, r * 0.8, std::f64::consts::PI, std::f64::consts::TAU);
    ctx.quadratic_curve_to(at.x + r * 0.8, at.y + r * 0.4, at.x + r * 1.1, foot);
    ctx.close_path();
}

fn polygon(ctx: &CanvasRenderingContext2d, at: Point, r: f64, corners: u32, first: f64) {
    for corner in 0..corners {
        let angle = first + std::f64::consts::TAU * f64::from(corner) / f64::from(corners);
        let (x, y) = (at.x + r * angle.cos(), at.y + r * angle.sin());
        if corner == 0 { ctx.move_to(x, y) } else { ctx.line_to(x, y) }
    }
    ctx.close_path();
}

fn rounded(ctx: &CanvasRenderingContext2d, at: Point, w: f64, h: f64, r: f64) {
    let (left, right, top, bottom) = (at.x - w, at.x + w, at.y - h, at.y + h);
    ctx.move_to(left + r, top);
    for (x1, y1, x2, y2) in [
        (right, top, right, bottom),
        (right, bottom, left, bottom),
        (left, bottom, left, top),
        (left, top, right, top),
    ] {
        let _ = ctx.arc_to(x1, y1, x2, y2, r);
    }
    ctx.close_path();
}

/// The picture of a role.
pub(super) fn role_icon(face: Face, paused: bool) -> Html {
    if paused {
        return icon("pause", html! { <path d="M5 3h3.4v14H5zM11.6 3H15v14h-3.4z" /> });
    }
    match face {
        Face::Leading => icon("crown", html! { <path d="M3.4 16.5 2 6l4.6 3.4L10 3l3.4 6.4L18 6l-1.4 10.5z" /> }),
        Face::Following => icon("follow", html! { <path d="M4 4.5 10 10l-6 5.5zM10 4.5 16 10l-6 5.5z" /> }),
        Face::Observing => icon(
            "eye",
            html! { <path fill-rule="evenodd" d="M1 10q9-11 18 0-9 11-18 0zM10 6.6a3.4 3.4 0 1 0 .01 0z" /> },
        ),
        Face::Looking | Face::Leaving => icon(
            "look",
            html! { <path fill-rule="evenodd" d="M8.5 2a6.5 6.5 0 1 0 3.9 11.7l4 4 1.8-1.8-4-4A6.5 6.5 0 0 0 8.5 2zm0 2.4a4.1 4.1 0 1 1-.01 0z" /> },
        ),
        Face::Crashed => icon(
            "dead",
            html! { <path d="m4.6 2.8 5.4 5.4 5.4-5.4 1.8 1.8-5.4 5.4 5.4 5.4-1.8 1.8-5.4-5.4-5.4 5.4-1.8-1.8L8.2 10 2.8 4.6z" /> },
        ),
        Face::Off => icon("off", html! { <path d="M3 8.6h14v2.8H3z" /> }),
    }
}

/// The picture of a client's state.
pub(super) fn client_icon(face: ClientFace) -> Html {
    let d = match face {
        ClientFace::Connected => "M10 3a7 7 0 1 0 .01 0z",
        ClientFace::Connecting => {
            "M10 3a7 7 0 1 0 .01 0zm0 2.4a4.6 4.6 0 1 1-.01 0zM8.8 0h2.4v20H8.8zM0 8.8h20v2.4H0z"
        }
        ClientFace::Disconnected => "M10 3a7 7 0 1 0 .01 0zm0 2.4a4.6 4.6 0 1 1-.01 0z",
        ClientFace::Expired => "M4 2h12v2.2L11.6 10l4.4 5.8V18H4v-2.2L8.4 10 4 4.2z",
        ClientFace::Closed => "M3.5 3.5h13v13h-13zm2.4 2.4v8.2h8.2V5.9z",
        ClientFace::AuthFailed => "M8.6 2h2.8v10H8.6zM8.6 14.4h2.8V18H8.6z",
        ClientFace::Paused => "M5 3h3.4v14H5zM11.6 3H15v14h-3.4z",
    };
    icon("state", html! { <path fill-rule="evenodd" {d} /> })
}

/// A small picture of 20 by 20 that says nothing to a screen reader.
pub(super) fn icon(class: &'static str, path: Html) -> Html {
    html! { <svg class={classes!("icon", class)} viewBox="0 0 20 20" aria-hidden="true">{ path }</svg> }
}

/// Pictures of the controls.
pub(super) fn control_icon(name: &'static str) -> Html {
    let d = match name {
        "play" => "M5 2.5v15L17.5 10z",
        "pause" => "M4.5 3h4v14h-4zM11.5 3h4v14h-4z",
        "step" => "M3.5 3.5v13L13 10zM14 3.5h2.6v13H14z",
        "turn" => "M2 3.5v13l7-6.5zM9 3.5v13l7-6.5zM16 3.5h2.4v13H16z",
        "step-back" => "M16.5 3.5v13L7 10zM3.4 3.5H6v13H3.4z",
        "turn-back" => "M18 3.5v13L11 10zM11 3.5v13L4 10zM1.6 3.5H4v13H1.6z",
        "undo" => "M8 2.5v4.2h3.5a5.4 5.4 0 0 1 0 10.8H6v-2.6h5.5a2.8 2.8 0 0 0 0-5.6H8v4.2L1.8 8z",
        "redo" => "M12 2.5v4.2H8.5a5.4 5.4 0 0 0 0 10.8H14v-2.6H8.5a2.8 2.8 0 0 1 0-5.6H12v4.2L18.2 8z",
        "start" => "M17 3.5v13L10.5 10zM10.5 3.5v13L4 10zM1 3.5h2.4v13H1z",
        "plus" => "M8.7 3h2.6v5.7H17v2.6h-5.7V17H8.7v-5.7H3V8.7h5.7z",
        "close" => "m4.6 2.8 5.4 5.4 5.4-5.4 1.8 1.8-5.4 5.4 5.4 5.4-1.8 1.8-5.4-5.4-5.4 5.4-1.8-1.8L8.2 10 2.8 4.6z",
        "up" => "m3 13.4 1.8 1.8L10 10l5.2 5.2 1.8-1.8L10 6.4z",
        "theme" => "M10 2a8 8 0 1 0 .01 0zM10 3.8a6.2 6.2 0 0 1 0 12.4z",
        _ => "M3 8.6h14v2.8H3z",
    };
    icon(name, html! { <path fill-rule="evenodd" {d} /> })
}
