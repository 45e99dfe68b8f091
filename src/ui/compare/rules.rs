//! Which rule is broken: what it is for, and where breaking it does harm.

use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

use crate::i18n::page::{fill, page, scenario_words};
use crate::i18n::{Lang, rule_about, rule_title};
use crate::sim::{Rule, RunError};
use crate::timeline::{Against, Side, Variation};
use crate::ui::engine::Engine;
use crate::view::bites::{bites, rules};

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
    let chosen = use_state(|| rules().next());
    let pick = {
        let chosen = chosen.clone();
        Callback::from(move |event: Event| {
            let select = event.target_dyn_into::<HtmlSelectElement>();
            chosen.set(select.and_then(|select| Rule::named(&select.value())));
        })
    };
    let place = chosen.and_then(bites).map(|(scenario, _)| {
        let title = scenario_words(lang, scenario.id).map_or(scenario.id, |(title, _)| title);
        fill(words.compare_bites, &[&title])
    });
    html! {
        <>
            <label>
                <span>{ words.compare_which }</span>
                <select ref={props.rule.clone()} onchange={pick}>
                    { for rules().map(|rule| html! { <option value={rule.name()}>{ rule_title(lang, rule) }</option> }) }
                </select>
            </label>
            if let Some(rule) = *chosen { <p class="about">{ rule_about(lang, rule) }</p> }
            if let Some(place) = place {
                <label class="tick"><span>{ place }</span><input type="checkbox" ref={props.harm.clone()} checked={true} /></label>
            }
        </>
    }
}

/// Puts the run beside itself with this rule broken, or kept; where it is asked for, one in which that does harm.
pub(super) fn put(engine: &Engine, rule: Rule, harm: &NodeRef) -> Result<(), RunError> {
    let asked = harm.cast::<HtmlInputElement>().is_some_and(|tick| tick.checked());
    let Some((scenario, seed)) = bites(rule).filter(|_| asked) else { return engine.vary(Variation::Rule(rule)) };
    engine.leaving(|pair| {
        pair.choose(scenario, Some(Against::Varied(Variation::Rule(rule))), Vec::new(), seed)?;
        pair.change(Side::Left, |left| left.playing = true);
        pair.open_scene()
    })
}
