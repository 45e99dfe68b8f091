//! The colours of the canvas, read from the style sheet when the theme changes: one place decides them.

use crate::draw::Palette;

use crate::ui::kit::browser::{document, window};
use crate::ui::kit::wear::Theme;

/// The colours of the theme that the document has now.
pub(in crate::ui) fn read_palette() -> Palette {
    let style = document().document_element().and_then(|root| window().get_computed_style(&root).ok().flatten());
    Palette::read(|name| {
        let value = style.as_ref().and_then(|style| style.get_property_value(name).ok());
        value.unwrap_or_default().trim().to_string()
    })
}

/// The colours of any theme: the document wears it for a moment in which nothing is shown.
pub(in crate::ui) fn palette_of(theme: Theme) -> Palette {
    let Some(root) = document().document_element() else { return Palette::default() };
    let worn = root.get_attribute("data-theme").unwrap_or_default();
    let contrast = root.get_attribute("data-contrast").unwrap_or_default();
    let _ = root.set_attribute("data-theme", theme.name());
    let _ = root.set_attribute("data-contrast", "usual");
    let palette = read_palette();
    let _ = root.set_attribute("data-theme", &worn);
    let _ = root.set_attribute("data-contrast", &contrast);
    palette
}
