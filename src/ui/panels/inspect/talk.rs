//! What the client that is picked and its servers said to each other last.

use yew::prelude::*;

use crate::base::ClientId;
use crate::i18n::Lang;
use crate::i18n::page::page;
use crate::view::talk::{Line, talk};

use crate::ui::engine::Engine;
use crate::ui::engine::model::use_model;
use crate::ui::page::state::{Selection, UiAction, use_page_context};

/// How many packets are shown.
const SHOWN: usize = 12;

/// What the inspector tells the list.
#[derive(Clone, PartialEq, Properties)]
pub(super) struct Props {
    pub lang: Lang,
    pub client: ClientId,
}

fn model(engine: &Engine, client: &ClientId) -> Vec<Line> {
    talk(engine.session().facts(), *client, SHOWN)
}

/// The list; a line is a packet, and picks it.
#[component]
pub(super) fn Talk(props: &Props) -> Html {
    let context = use_page_context();
    let lines = use_model(&context.engine, props.client, model);
    let words = page(props.lang);
    let line = |line: &Line| {
        let (context, msg) = (context.clone(), line.msg);
        let pick = Callback::from(move |_: MouseEvent| {
            context.engine.change(|session| session.packet = Some(msg));
            context.choose.dispatch(UiAction::Pick(Selection::Packet(msg)));
        });
        let class = classes!(line.out.then_some("out"), line.bad.then_some("bad"), line.waits.then_some("waits"));
        html! {
            <li key={line.msg.0} {class}>
                <button onclick={pick}>
                    <time>{ line.at.seconds() }</time>
                    <i aria-hidden="true">{ if line.out { "→" } else { "←" } }</i>
                    <b>{ line.name.clone() }</b>
                    <span title={line.about.clone()}>{ if line.waits { words.talk_waits } else { line.about.as_str() } }</span>
                </button>
            </li>
        }
    };
    html! {
        if !lines.is_empty() {
            <section class="talk">
                <h3>{ words.talk_title }<small>{ words.talk_order }</small></h3>
                <ol>{ for lines.iter().rev().map(line) }</ol>
            </section>
        }
    }
}
