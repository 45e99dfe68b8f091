//! The first visit: three hints, each beside what it explains. They take no focus, and this browser alone remembers that they were
//! seen.

use yew::prelude::*;

use crate::i18n::Lang;
use crate::i18n::page::{fill, page};

use crate::ui::app::state::{UiAction, use_page_context};
use crate::ui::kit::browser::window;
use crate::ui::kit::shapes::control_icon;

/// How many hints there are.
pub(in crate::ui) const STEPS: u8 = 3;

/// The name under which the browser remembers.
const KEY: &str = "zabscope-seen";

fn storage() -> Option<web_sys::Storage> {
    window().local_storage().ok().flatten()
}

/// Whether this browser has never shown the hints. Where it remembers nothing, they would come each time: then they never do.
pub(in crate::ui) fn is_first_visit() -> bool {
    storage().is_some_and(|storage| matches!(storage.get_item(KEY), Ok(None)))
}

/// From now on this browser has seen them.
pub(in crate::ui) fn remember() {
    if let Some(storage) = storage() {
        let _ = storage.set_item(KEY, "1");
    }
}

/// What the page tells it.
#[derive(Clone, PartialEq, Properties)]
pub(in crate::ui) struct Props {
    pub lang: Lang,
    /// Which hint, from 1.
    pub step: u8,
}

/// A hint.
#[component]
pub(in crate::ui) fn Welcome(props: &Props) -> Html {
    let context = use_page_context();
    let words = page(props.lang);
    let Props { step, .. } = *props;
    let choose = |choice: UiAction| {
        let dispatcher = context.choose.clone();
        Callback::from(move |_: MouseEvent| dispatcher.dispatch(choice))
    };
    let (title, text) = words.welcome[usize::from(step.clamp(1, STEPS)) - 1];
    let (next, word) = if step < STEPS { (step + 1, words.welcome_next) } else { (0, words.welcome_done) };
    html! {
        <aside class="welcome" aria-label={words.welcome_label}>
            <header>
                <small>{ fill("{} / {}", &[&step, &STEPS]) }</small>
                <button class="round" onclick={choose(UiAction::Welcome(0))} aria-label={words.welcome_close}
                    title={words.welcome_close}>{ control_icon("close") }</button>
            </header>
            <h2>{ title }</h2>
            <p>{ text }</p>
            <button class="chip active" onclick={choose(UiAction::Welcome(next))}>{ word }</button>
        </aside>
    }
}
