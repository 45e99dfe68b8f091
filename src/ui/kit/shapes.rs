//! The shapes of roles, states and controls as small pictures.

use yew::prelude::*;

use crate::draw::stage as picture;
use crate::view::{ClientFace, Crown, Face};

/// The picture of a role.
pub(in crate::ui) fn role_icon(face: Face, paused: bool) -> Html {
    let name = match face {
        _ if paused => "pause",
        Face::Leading => "crown",
        Face::Following => "follow",
        Face::Observing => "eye",
        Face::Looking | Face::Leaving => "look",
        Face::Crashed => "dead",
        Face::Off => "off",
        Face::Standalone | Face::Other(_) => "other",
    };
    icon(name, html! { <path d={picture::role_icon(face, paused).data()} /> })
}

/// The picture of a leader's crown.
pub(in crate::ui) fn crown_icon(crown: Crown) -> Html {
    let worth = match crown {
        Crown::Promised => "promised",
        Crown::Whole => "crown",
        Crown::Broken => "broken",
    };
    icon(worth, html! { <path d={picture::crown_icon(crown).data()} /> })
}

/// The picture of a client's state.
pub(in crate::ui) fn client_icon(face: ClientFace) -> Html {
    icon("state", html! { <path d={picture::client_icon(face).data()} /> })
}

/// A small picture of 20 by 20 that says nothing to a screen reader.
pub(in crate::ui) fn icon(class: &'static str, path: Html) -> Html {
    html! { <svg class={classes!("icon", class)} viewBox="0 0 20 20" aria-hidden="true">{ path }</svg> }
}

/// Pictures of the controls.
pub(in crate::ui) fn control_icon(name: &'static str) -> Html {
    let d = match name {
        "play" => "M5 2.5v15L17.5 10z",
        "pause" => "M4.5 3h4v14h-4zM11.5 3h4v14h-4z",
        "step" => "M3.5 3.5v13L13 10zM14 3.5h2.6v13H14z",
        // a diamond, as milestones have on the timeline
        "turn" => "M5.6 4.8l5.2 5.2-5.2 5.2L.4 10zm0 3L3.4 10l2.2 2.2L7.8 10zM12.4 4.2v11.6l6.8-5.8z",
        "step-back" => "M16.5 3.5v13L7 10zM3.4 3.5H6v13H3.4z",
        "turn-back" => "M14.4 4.8l5.2 5.2-5.2 5.2L9.2 10zm0 3L12.2 10l2.2 2.2 2.2-2.2zM7.6 4.2v11.6L.8 10z",
        "undo" => "M8 2.5v4.2h3.5a5.4 5.4 0 0 1 0 10.8H6v-2.6h5.5a2.8 2.8 0 0 0 0-5.6H8v4.2L1.8 8z",
        "redo" => "M12 2.5v4.2H8.5a5.4 5.4 0 0 0 0 10.8H14v-2.6H8.5a2.8 2.8 0 0 1 0-5.6H12v4.2L18.2 8z",
        "skip" => "M1.5 4v12l8-6zM10 4v12l8-6z",
        "start" => "M17 3.5v13L10.5 10zM10.5 3.5v13L4 10zM1 3.5h2.4v13H1z",
        "plus" => "M8.7 3h2.6v5.7H17v2.6h-5.7V17H8.7v-5.7H3V8.7h5.7z",
        "close" => "m4.6 2.8 5.4 5.4 5.4-5.4 1.8 1.8-5.4 5.4 5.4 5.4-1.8 1.8-5.4-5.4-5.4 5.4-1.8-1.8L8.2 10 2.8 4.6z",
        "up" => "m3 13.4 1.8 1.8L10 10l5.2 5.2 1.8-1.8L10 6.4z",
        "minus" => "M3 8.7h14v2.6H3z",
        "diagram" => {
            "M2 3h16v2H2zM2 15h16v2H2zM5 6l2-.4 1.9 6.5 1.9-.5L9 15.4 5.3 12.7l1.8-.5zM12.5 13.8 15 6.2l-1.8-.5L16 3.6l2.4 3-1.7-.3-2.4 7.9z"
        }
        "cast" => "M2 6h6v8H2zM9 8.6h2.4V6.4L15.6 10l-4.2 3.6v-2.2H9zM16.6 6H18v8h-1.4z",
        "panels" => "M2 3h16v14H2zM4 5v10h7V5zM13 5v10h3V5z",
        "whole" => "M2.5 4H9v2.2H4.7v9.1h9.1V11H16v6.5H2.5zM11 2.5h6.5V9h-2.2V6.2l-5.6 5.6-1.5-1.5 5.6-5.6H11z",
        "legend" => {
            "M2 3h4v4H2zM8.5 4H18v2H8.5zM4 8.2 6.3 12H1.7zM8.5 9H18v2H8.5zM4 13a2.2 2.2 0 1 0 .01 0zM8.5 14H18v2H8.5z"
        }
        "hall" => "M1.5 2h17v2H17v8.5h-5.6L15 18h-2.4L10 14l-2.6 4H5l3.6-5.5H3V4H1.5zM5 4v6.5h10V4z",
        "grid" => "M2.5 3h6.3v6H2.5zM11.2 3h6.3v6h-6.3zM2.5 11h6.3v6H2.5zM11.2 11h6.3v6h-6.3z",
        "lines" => "M3 4h14v2.2H3zM3 8.9h14v2.2H3zM3 13.8h14v2.2H3z",
        "search" => {
            "M8.5 2a6.5 6.5 0 0 1 5.2 10.4l4.1 4.1-1.6 1.6-4.1-4.1A6.5 6.5 0 1 1 8.5 2zm0 2.3a4.2 4.2 0 1 0 .01 0z"
        }
        "theme" => "M10 2a8 8 0 1 0 .01 0zM10 3.8a6.2 6.2 0 0 1 0 12.4z",
        // a terminal
        "program" => "M1.5 3h17v14h-17zM3.5 5v10h13V5zM5 6.6l3.6 3.4L5 13.4l-1-1L6.4 10 4 7.6zM9.5 12h5v1.5h-5z",
        _ => "M3 8.6h14v2.8H3z",
    };
    icon(name, html! { <path fill-rule="evenodd" {d} /> })
}
