//! Every rule that can be broken, as choices below what they are rules of.

use yew::prelude::*;

use crate::i18n::page::rules_of;
use crate::i18n::{Lang, rule_title};
use crate::sim::Rule;

/// What a list to choose from holds: a rule's value is its name.
pub(in crate::ui) fn rule_options(lang: Lang) -> Html {
    let all: Vec<Rule> = Rule::all().collect();
    let option = |rule: &Rule| html! { <option value={rule.name()}>{ rule_title(lang, *rule) }</option> };
    let groups = all.chunk_by(|one, other| rules_of(lang, *one) == rules_of(lang, *other)).map(|of_one| {
        html! { <optgroup label={rules_of(lang, of_one[0])}>{ for of_one.iter().map(option) }</optgroup> }
    });
    html! { { for groups } }
}
