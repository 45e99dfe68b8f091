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

/// Where the last number of a sequential node begins, which tells nodes of one kind apart and is kept where the line is too narrow for all
/// of it; else the text's length. Bytes.
fn numbered(about: &str) -> usize {
    let (digit, bytes) = (|byte: &u8| byte.is_ascii_digit(), about.as_bytes());
    // an id in hexadecimal may have as many digits before a letter
    let number = |at: usize| {
        let word = bytes[at..].iter().take_while(|byte| byte.is_ascii_alphanumeric());
        word.clone().count() == 10 && word.clone().all(digit)
    };
    let begins = |at: usize| digit(&bytes[at]) && (at == 0 || !digit(&bytes[at - 1]));
    (0..bytes.len()).rev().find(|at| begins(*at) && number(*at)).unwrap_or(bytes.len())
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
        let (kind, number) = line.about.split_at(numbered(&line.about));
        let class = classes!(line.out.then_some("out"), line.bad.then_some("bad"), line.waits.then_some("waits"));
        html! {
            <li key={line.msg.0} {class}>
                <button onclick={pick}>
                    <time>{ line.at.seconds() }</time>
                    <i aria-hidden="true">{ if line.out { "→" } else { "←" } }</i>
                    <b>{ line.name.clone() }</b>
                    if line.waits {
                        <span>{ words.talk_waits }</span>
                    } else {
                        <span title={line.about.clone()}><span>{ kind.to_string() }</span><span>{ number.to_string() }</span></span>
                    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_narrow_line_keeps_the_number() {
        let split = |about: &str| about.split_at(numbered(about)).1.to_string();
        assert_eq!(split("/locks/print/…__lock__0000000002"), "0000000002");
        assert_eq!(split("-e -s /a-0000000001 of /a-0000000002 x"), "0000000002 x");
        assert_eq!(split("/config 1700000000000"), "");
        assert_eq!(split("0x2000000018e0000 · 4000 ms"), "");
        assert_eq!(split(""), "");
    }
}
