//! The parameters of the scenario on the stage, to be changed: the run begins anew with them.

use web_sys::HtmlInputElement;
use yew::prelude::*;

use crate::i18n::Lang;
use crate::i18n::page::{page, param_words};
use crate::scenarios::Param;
use crate::timeline::Pair;

use crate::ui::dialogs::locks;
use crate::ui::engine::Engine;
use crate::ui::engine::model::use_model;
use crate::ui::kit::browser::wrong_words;
use crate::ui::page::state::{Overlay, UiAction, use_page_context};

/// What the bar tells it.
#[derive(Clone, PartialEq, Properties)]
pub(in crate::ui) struct Props {
    pub lang: Lang,
}

/// Whether the table of locks chooses the parameters.
fn from_table(engine: &Engine, (): &()) -> bool {
    engine.session().scenario().is_some_and(|scenario| scenario.id == locks::SCENARIO)
}

/// Each parameter's name, its bounds and its present value.
fn values(engine: &Engine, (): &()) -> Vec<(&'static str, u64, u64, String)> {
    let params = engine.session().scenario().map_or(&[][..], |scenario| scenario.params());
    let pair = engine.pair();
    params.iter().map(|param| (param.name, param.least, param.most, value(&pair, param))).collect()
}

/// What a parameter is now.
pub(in crate::ui) fn value(pair: &Pair, param: &Param) -> String {
    let own = pair.given().iter().find(|(name, _)| name == param.name);
    own.map_or_else(|| param.default.to_string(), |(_, value)| value.clone())
}

/// Changes one parameter; what does not fit is told.
pub(in crate::ui) fn change(engine: &Engine, name: &str, value: String) {
    let mut given = engine.pair().given().to_vec();
    given.retain(|(other, _)| other != name);
    given.push((name.to_string(), value));
    let result = engine.change_pair(|pair| {
        pair.give(given)?;
        pair.open_scene()
    });
    engine.note(result.err().map(|error| wrong_words(&error)));
}

/// A field or a switch for each parameter; nothing where there is none.
#[component]
pub(in crate::ui) fn Params(props: &Props) -> Html {
    let context = use_page_context();
    let values = use_model(&context.engine, (), values);
    let from_table = *use_model(&context.engine, (), from_table);
    // a lesson holds for the parameters that it chose
    if *use_model(&context.engine, (), |engine, ()| engine.has_lesson()) {
        return Html::default();
    }
    if from_table {
        let choose = context.choose.clone();
        let table = move |_: MouseEvent| choose.dispatch(UiAction::Overlay(Overlay::Locks));
        let words = page(props.lang);
        return html! {
            <div class="params"><button class="text" onclick={table} aria-haspopup="dialog">{ words.locks_open }</button></div>
        };
    }
    let field = |(name, least, most, value): &(&'static str, u64, u64, String)| {
        let (engine, name) = (context.engine.clone(), *name);
        let changed = Callback::from(move |event: Event| {
            if let Some(input) = event.target_dyn_into::<HtmlInputElement>() {
                let switch = input.type_() == "checkbox";
                change(&engine, name, if switch { u8::from(input.checked()).to_string() } else { input.value() });
            }
        });
        // what is 0 or 1 is a switch
        if (*least, *most) == (0, 1) {
            return html! {
                <label key={name}>
                    <input type="checkbox" checked={value == "1"} onchange={changed} />
                    { param_words(props.lang, name) }
                </label>
            };
        }
        html! {
            <label key={name}>
                { param_words(props.lang, name) }
                <input type="number" min={least.to_string()} max={most.to_string()} value={value.clone()} onchange={changed} />
            </label>
        }
    };
    html! { <div class={classes!("params", values.is_empty().then_some("none"))}>{ for values.iter().map(field) }</div> }
}
