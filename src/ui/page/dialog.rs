//! A dialog: what lies over the page, keeps the focus and gives it back.

use web_sys::{Element, HtmlElement};
use yew::prelude::*;

use crate::i18n::Lang;
use crate::i18n::page::page;
use crate::ui::kit::focus::{focused, turn_round};
use crate::ui::kit::shapes::control_icon;

use super::state::{UiAction, use_page_context};

/// What a dialog shows.
#[derive(Clone, PartialEq, Properties)]
pub(in crate::ui) struct DialogProps {
    pub title: &'static str,
    pub lang: Lang,
    /// As wide as the window allows.
    #[prop_or_default]
    pub wide: bool,
    pub children: Html,
}

/// A dialog: takes the focus when it opens and gives it back, Escape or a click beside it closes it.
#[component]
pub(in crate::ui) fn Dialog(props: &DialogProps) -> Html {
    let context = use_page_context();
    let node = use_node_ref();
    use_effect_with(node.clone(), |node| {
        let before = focused();
        if let Some(dialog) = node.cast::<HtmlElement>() {
            let _ = dialog.focus();
        }
        move || {
            if let Some(before) = before {
                let _ = before.focus();
            }
        }
    });
    let close = {
        let choose = context.choose.clone();
        Callback::from(move |_: MouseEvent| choose.dispatch(UiAction::Close))
    };
    // what is behind it hears of no key but Escape, which closes it
    let keys = {
        let node = node.clone();
        Callback::from(move |event: KeyboardEvent| {
            let key = event.key();
            if key == "Tab" && node.cast::<Element>().is_some_and(|root| turn_round(&root, event.shift_key())) {
                event.prevent_default();
            }
            if key != "Escape" {
                event.stop_propagation();
            }
        })
    };
    let words = page(props.lang);
    html! {
        <div class="veil" onclick={close.clone()}>
            <section class={classes!("dialog", props.wide.then_some("wide"))} role="dialog" aria-modal="true" aria-label={props.title}
                tabindex="-1" ref={node} onkeydown={keys} onclick={|event: MouseEvent| event.stop_propagation()}>
                <header>
                    <h2>{ props.title }</h2>
                    <button class="round" onclick={close} aria-label={words.close}>{ control_icon("close") }</button>
                </header>
                { props.children.clone() }
            </section>
        </div>
    }
}
