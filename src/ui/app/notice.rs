//! The line below the bar: a sentence about something that did not work, or a long way that is being gone.

use yew::prelude::*;

use crate::i18n::Lang;
use crate::i18n::page::{fill, page};
use crate::timeline::Session;

use crate::ui::engine::model::use_model;
use crate::ui::kit::shapes::control_icon;
use crate::ui::page::state::{UiAction, use_page_context};

/// What the page tells it.
#[derive(Clone, PartialEq, Properties)]
pub(in crate::ui) struct Props {
    pub lang: Lang,
}

/// The sentence; without one, where a long way leads and a button to stay here.
#[component]
pub(in crate::ui) fn Notice(props: &Props) -> Html {
    let context = use_page_context();
    let notice = use_model(&context.engine, (), |engine, ()| engine.notice());
    let way = use_model(&context.engine, (), |engine, ()| {
        let session = engine.session();
        session.destination().map(|to| (to.as_ms() / 1_000, session.world().now.as_ms() / 1_000))
    });
    let words = page(props.lang);
    let close = {
        let context = context.clone();
        Callback::from(move |_: MouseEvent| {
            context.engine.note(None);
            context.choose.dispatch(UiAction::Close);
        })
    };
    let stay = Callback::from(move |_: MouseEvent| context.engine.change(Session::stay));
    html! {
        <>
            <div class={classes!("notice", notice.is_none().then_some("none"))} role="alert">
                <p>{ (*notice).clone().unwrap_or_default() }</p>
                <button onclick={close} aria-label={words.close}>{ control_icon("close") }</button>
            </div>
            if let (None, Some((to, here))) = (&*notice, &*way) {
                <div class="notice way">
                    <p><span role="status">{ fill(words.on_the_way, &[to]) }</span>{ " " }{ fill(words.on_the_way_now, &[here]) }</p>
                    <button class="chip" onclick={stay}>{ words.stay_here }</button>
                </div>
            }
        </>
    }
}
