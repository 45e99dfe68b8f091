//! Votes of a hall, counted by hand: a counter for each answer, in the room above the way on, so that nothing else moves. Bars come when
//! all have voted; which answer is right shows only behind them.

use web_sys::HtmlInputElement;
use yew::prelude::*;

use crate::i18n::page::{Page, fill, page};

use super::answer::Props;
use crate::ui::engine::{Answering, Engine};
use crate::ui::page::state::use_page_context;

/// A counter for each answer.
#[component]
pub(super) fn Tally(props: &Props) -> Html {
    let context = use_page_context();
    let (shown, words) = (&props.shown, page(props.lang));
    let Some(tally) = &shown.tally else { return Html::default() };
    let numbered = shown.answering == Answering::Choose;
    let named = shown.saying.choices.iter().enumerate();
    let named = named.map(|(at, choice)| if numbered { (at + 1).to_string() } else { choice.words.clone() });
    // where nobody may be meant, too
    let nobody = (!numbered).then(|| ("–".to_string(), words.lesson_nobody.to_string()));
    let names = named.map(|name| (name.clone(), name)).chain(nobody).enumerate();
    let shares = |at: usize| if tally.open { tally.shares(at) } else { Vec::new() };
    let counter = |(at, (short, name)): (usize, (String, String))| {
        let (engine, count) = (context.engine.clone(), tally.now(at));
        let add = move |event: MouseEvent| {
            let less = event.shift_key();
            engine.change_votes(at, |votes| if less { votes.saturating_sub(1) } else { votes + 1 });
        };
        html! {
            <div class="tally-of" key={at}>
                <button type="button" onclick={add} aria-label={fill(words.tally_add, &[&name])} title={said(&shares(at), words)}>
                    { bars(&shares(at)) }
                    <b>{ short }</b>
                </button>
                { field(&context.engine, at, count, fill(words.tally_count, &[&name])) }
            </div>
        }
    };
    html! { <div class="tally" role="group" aria-label={words.tally}>{ for names.map(counter) }</div> }
}

/// The share of each vote in words; none before it is seen.
fn said(shares: &[u32], words: &'static Page) -> Option<String> {
    match shares {
        [one] => Some(fill(words.tally_share, &[one])),
        [first, then] => Some(fill(words.tally_shares, &[first, then])),
        _ => None,
    }
}

/// The share of each vote as a bar, the second one beside the first.
fn bars(shares: &[u32]) -> Html {
    let bar = |(at, share): (usize, &u32)| {
        let (x, y) = ((at * 10).to_string(), (100 - (*share).min(100)).to_string());
        html! { <rect {x} {y} width="9" height={share.to_string()} /> }
    };
    html! {
        <svg viewBox="0 0 20 100" preserveAspectRatio="none" aria-hidden="true">{ for shares.iter().enumerate().map(bar) }</svg>
    }
}

/// The number of votes, to be typed as well. Keys of the tally and the clicker mean here what they mean elsewhere.
fn field(engine: &Engine, at: usize, count: u16, label: String) -> Html {
    let typed = {
        let engine = engine.clone();
        move |event: InputEvent| {
            let Some(input) = event.target_dyn_into::<HtmlInputElement>() else { return };
            let number: u16 = input.value().trim().parse().unwrap_or(0);
            engine.change_votes(at, |_| number);
        }
    };
    let pressed = {
        let engine = engine.clone();
        move |event: KeyboardEvent| {
            match event.key().as_str() {
                "t" | "T" => _ = engine.turn_tally(),
                "PageDown" => engine.lesson_on(),
                _ => return,
            }
            event.prevent_default();
        }
    };
    let value = if count == 0 { String::new() } else { count.to_string() };
    html! {
        <input inputmode="numeric" maxlength="3" autocomplete="off" placeholder="0" aria-label={label} {value} oninput={typed}
            onkeydown={pressed} />
    }
}
