//! Above each stage: what the run is called, what it is compared with, and one large number. On a phone, where one stage is seen at a time,
//! they choose which.

use yew::prelude::*;

use super::names::{bug_beside, titles};
use super::numbers::{amount_words, counter_words};
use super::reigns::{of_pair, seconds};
use crate::explore::Goal;
use crate::i18n::Lang;
use crate::i18n::page::{fill, page};
use crate::i18n::wording::LETTERS;
use crate::museum::Shows;
use crate::timeline::{Against, Pair};
use crate::ui::engine::Engine;
use crate::ui::engine::model::use_model;
use crate::ui::page::state::use_page_context;
use crate::view::comparison::{Counted, Counter, count, headline};

/// What the page tells it.
#[derive(Clone, PartialEq, Properties)]
pub(super) struct Props {
    pub lang: Lang,
}

#[derive(PartialEq)]
struct Model {
    titles: [String; 2],
    versus: &'static str,
    headline: Counted,
    /// For how long nobody led, µs, where the pair is about that.
    without: Option<[u64; 2]>,
}

fn model(engine: &Engine, lang: &Lang) -> Model {
    let pair = engine.pair();
    let headline = match bug_beside(&pair).as_ref().map(|bug| &bug.shows) {
        Some(Shows::Runs { goal: Goal::TwoHolders, .. }) => count(&pair, Counter::Holders),
        Some(Shows::Runs { .. }) => count(&pair, Counter::Violated),
        _ => headline(&pair),
    };
    let without = of_pair(engine).map(|sides| sides.map(|side| side.without_us()));
    Model { titles: titles(&pair, *lang), versus: versus(&pair, *lang), headline, without }
}

/// In what the right run differs from the left one.
fn versus(pair: &Pair, lang: Lang) -> &'static str {
    let words = page(lang);
    match pair.against() {
        Some(Against::Scenario(_)) => words.compare_vs_scenario,
        Some(Against::Varied(_)) => words.compare_vs_varied,
        Some(Against::Named(_)) | None => words.compare_vs_other,
    }
}

/// Both.
#[component]
pub(super) fn Heads(props: &Props) -> Html {
    let context = use_page_context();
    let model = use_model(&context.engine, props.lang, model);
    let shown = use_state(|| 0);
    let counted = counter_words(model.headline.counter, props.lang);
    let one = |side: usize| {
        let choose = {
            let shown = shown.clone();
            Callback::from(move |_: Event| shown.set(side))
        };
        let (letter, title) = (LETTERS[side], model.titles[side].clone());
        let (number, unit) = amount_words(model.headline.amounts[side]);
        html! {
            <div class={classes!("head", letter.to_lowercase())}>
                <input type="radio" name="side" checked={*shown == side} onchange={choose} aria-label={format!("{letter}: {title}")} />
                <h2 title={title.clone()}><span class="letter">{ letter }</span>{ " " }{ title }</h2>
                <p class="many">{ number }<small>{ unit }</small></p>
                <p class="of">{ counted }</p>
                if let Some(without) = model.without {
                    <p class="without">{ fill(page(props.lang).compare_without, &[&seconds(without[side])]) }</p>
                }
                if side == 1 { <p class="vs">{ model.versus }</p> }
            </div>
        }
    };
    html! { <div class="heads" role="group" aria-label={page(props.lang).compare_title}>{ one(0) }{ one(1) }</div> }
}
