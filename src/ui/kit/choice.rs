//! A choice among a few values, with its label.

use web_sys::HtmlSelectElement;
use yew::prelude::*;

/// A list to choose from: values and what they are called.
pub(in crate::ui) fn choice(
    label: &'static str,
    values: &[(String, String)],
    chosen: &str,
    choose: Callback<String>,
) -> Html {
    let change = Callback::from(move |event: Event| {
        if let Some(select) = event.target_dyn_into::<HtmlSelectElement>() {
            choose.emit(select.value());
        }
    });
    html! {
        <label>
            <span>{ label }</span>
            <select onchange={change}>
                { for values.iter().map(|(value, words)| html! {
                    <option key={value.clone()} value={value.clone()} selected={value == chosen}>{ words.clone() }</option>
                }) }
            </select>
        </label>
    }
}
