//! Which rule is broken: what it is for, and where breaking it does harm.

use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

use crate::i18n::page::page;
use crate::i18n::{Lang, rule_about};
use crate::sim::Rule;
use crate::timeline::Variation;
use crate::ui::engine::Engine;
use crate::ui::kit::browser::wrong_words;
use crate::ui::kit::rule_options::rule_options;

/// What the form tells it: the fields that it makes.
#[derive(Clone, PartialEq, Properties)]
pub(super) struct Props {
    pub lang: Lang,
    /// The rule's name.
    pub rule: NodeRef,
    /// Whether the run is to be one in which that does harm.
    pub harm: NodeRef,
}

/// The choice, with a sentence about what is chosen.
#[component]
pub(super) fn RuleChoice(props: &Props) -> Html {
    let (lang, words) = (props.lang, page(props.lang));
    let chosen = use_state(|| Rule::all().next());
    let pick = {
        let chosen = chosen.clone();
        Callback::from(move |event: Event| {
            let select = event.target_dyn_into::<HtmlSelectElement>();
            chosen.set(select.and_then(|select| Rule::named(&select.value())));
        })
    };
    html! {
        <>
            <label>
                <span>{ words.compare_which }</span>
                <select ref={props.rule.clone()} onchange={pick}>
                    { rule_options(lang) }
                </select>
            </label>
            if let Some(rule) = *chosen { <p class="about">{ rule_about(lang, rule) }</p> }
            <label class="tick"><span>{ words.compare_bites }</span><input type="checkbox" ref={props.harm.clone()} checked={true} /></label>
        </>
    }
}

/// Puts the run beside itself with this rule broken, or kept; where it is asked for, one in which that does harm.
/// `done` hears whether it could be done.
pub(super) fn put(
    engine: &Engine,
    rule: Rule,
    harm: &NodeRef,
    lang: Lang,
    done: impl FnOnce(Result<(), String>) + 'static,
) {
    if !harm.cast::<HtmlInputElement>().is_some_and(|tick| tick.checked()) {
        return done(engine.vary(Variation::Rule(rule)).map_err(|error| wrong_words(&error)));
    }
    engine.with_stories(move |engine, there| match there {
        true => done(engine.show_rule(rule).map_err(|error| wrong_words(&error))),
        false => done(Err(page(lang).stories_missing.into())),
    });
}
