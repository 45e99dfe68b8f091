//! Pictures to take away: what is shown, as SVG or PNG, and a stretch of time as GIF or video. Everything is made in the page.
//!
//! Opening the dialog keeps the moment: what is seen in it is what is saved, while the page may go on behind it.

mod canvas;
mod job;
mod moving;
mod recorder;
mod save;
mod shot;
mod still;

use std::rc::Rc;

use web_sys::HtmlCanvasElement;
use yew::prelude::*;

use crate::draw::Palette;
use crate::i18n::Lang;
use crate::i18n::page::{fill, page};

use crate::ui::kit::browser::window;
use crate::ui::kit::choice::choice;
use crate::ui::kit::palette::palette_of;
use crate::ui::kit::wear::Theme;
use crate::ui::page::dialog::Dialog;
use crate::ui::page::state::use_page_context;

use moving::Moving;
use shot::Shot;
use still::Still;

/// What the page tells the dialog.
#[derive(Clone, PartialEq, Properties)]
pub(super) struct Props {
    pub lang: Lang,
    pub theme: Theme,
}

/// A moment that was kept: each is its own.
#[derive(Clone)]
struct Kept(Rc<Shot>);

impl PartialEq for Kept {
    fn eq(&self, other: &Kept) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

/// What the dialog tells its parts.
#[derive(Clone, PartialEq, Properties)]
struct PartProps {
    lang: Lang,
    /// Whose colours pictures have.
    theme: Theme,
    kept: Kept,
    /// The canvas on which everything is seen first.
    preview: NodeRef,
}

impl PartProps {
    fn palette(&self) -> Palette {
        palette_of(self.theme)
    }
}

/// The largest share of the window's height that the preview takes.
const PREVIEW: f64 = 0.4;

/// Draws the kept moment where it is seen, as large as it is seen.
fn show(part: &PartProps) {
    let Some(canvas) = part.preview.cast::<HtmlCanvasElement>() else { return };
    let (shot, palette) = (&part.kept.0, part.palette());
    let ratio = window().device_pixel_ratio().clamp(1.0, 3.0);
    let room = canvas.parent_element().map_or(1.0, |parent| f64::from(parent.client_width()));
    let high = window().inner_height().ok().and_then(|height| height.as_f64()).unwrap_or(600.0) * PREVIEW;
    shot.show(&shot.pair, (&palette, part.lang), |sheet| {
        let (width, height) = sheet.size();
        let scale = (room / width.max(1.0)).min(high / height.max(1.0)).min(1.0);
        let Some(pixels) = canvas::pixels((width, height), scale * ratio) else { return };
        canvas.set_width(pixels.0);
        canvas.set_height(pixels.1);
        let _ = canvas.style().set_property("width", &format!("{:.1}px", width * scale));
        if let Some(ctx) = canvas::context(&canvas, false) {
            canvas::draw(sheet, &ctx, scale * ratio);
        }
    });
}

/// The dialog.
#[component]
pub(super) fn Pictures(props: &Props) -> Html {
    let context = use_page_context();
    let words = page(props.lang);
    let kept = use_memo((), |()| Shot::of(&context.engine));
    let light = use_state(|| false);
    let preview = use_node_ref();
    let theme = if *light { Theme::Light } else { props.theme };
    let part = PartProps { lang: props.lang, theme, kept: Kept(kept.clone()), preview: preview.clone() };
    use_effect_with(part.clone(), show);
    let colours = [("page", words.picture_as_page), ("light", words.picture_light)];
    let colours = colours.map(|(value, words)| (value.to_string(), words.to_string()));
    let choose = {
        let light = light.clone();
        Callback::from(move |value: String| light.set(value == "light"))
    };
    let label = fill(words.picture_preview, &[&kept.title(props.lang)]);
    html! {
        <Dialog title={words.picture_title} lang={props.lang}>
            <div class="pictures">
                <figure><canvas ref={preview} role="img" aria-label={label} /></figure>
                <div>
                    <div class="fields">
                        { choice(words.picture_colours, &colours, if *light { "light" } else { "page" }, choose) }
                    </div>
                    <Still ..part.clone() />
                    <Moving ..part />
                </div>
            </div>
        </Dialog>
    }
}
