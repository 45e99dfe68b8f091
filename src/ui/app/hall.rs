//! A lecture hall: the way back from the lone stage, the dark screen, and the tie to the presenter's window.

use yew::prelude::*;

use crate::i18n::Lang;
use crate::i18n::page::page;

use crate::ui::kit::wear::Theme;
use crate::ui::page::state::{UiAction, use_page_context};
use crate::ui::remote::presenter::use_presenter;

/// What the page tells it.
#[derive(Clone, PartialEq, Properties)]
pub(in crate::ui) struct Props {
    pub lang: Lang,
    pub theme: Theme,
    pub only_stage: bool,
    pub dark: bool,
}

/// The way back, and the dark.
#[component]
pub(in crate::ui) fn Hall(props: &Props) -> Html {
    let context = use_page_context();
    let words = page(props.lang);
    use_presenter(&context, props.lang, props.theme, props.dark);
    let choose = |choice: UiAction| {
        let dispatcher = context.choose.clone();
        Callback::from(move |_: MouseEvent| dispatcher.dispatch(choice))
    };
    html! {
        <div class="over">
            if props.only_stage {
                <button class="way-back" onclick={choose(UiAction::OnlyStage)}>{ words.only_stage_back }</button>
            }
            if props.dark {
                <button class="dark-screen" onclick={choose(UiAction::Dark)} aria-label={words.dark_back}>
                    <span>{ words.dark_back }</span>
                </button>
            }
        </div>
    }
}
