//! The colours of the canvas, read from the style sheet when the theme changes: one place decides them.

use crate::view::{EPOCH_COLOURS, Palette};

use super::browser::{document, window};

/// The colours of the theme that the document has now.
pub(super) fn read_palette() -> Palette {
    let style = document().document_element().and_then(|root| window().get_computed_style(&root).ok().flatten());
    let value = |name: &str| {
        let value = style.as_ref().and_then(|style| style.get_property_value(name).ok());
        value.unwrap_or_default().trim().to_string()
    };
    Palette {
        paper: value("--paper"),
        ink: value("--ink"),
        soft: value("--soft"),
        line: value("--link"),
        strong: value("--link-strong"),
        bad: value("--bad"),
        focus: value("--focus"),
        epochs: (1..=EPOCH_COLOURS).map(|e| (value(&format!("--e{e}")), value(&format!("--on-e{e}")))).collect(),
        sans: value("--sans"),
        mono: value("--mono"),
    }
}
