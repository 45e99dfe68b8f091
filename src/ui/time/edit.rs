//! The dialog for what was done in a run: one action, to be moved, changed or taken away; or a list of several to choose from.

use serde_json::to_string;
use web_sys::{HtmlInputElement, HtmlTextAreaElement};
use yew::prelude::*;

use crate::base::SimTime;
use crate::base::json::{Json, Read};
use crate::i18n::page::page;
use crate::i18n::{Lang, action_words};
use crate::sim::{Action, RunError, TimedAction};
use crate::timeline::Session;

use crate::ui::engine::Engine;
use crate::ui::kit::browser::wrong_words;
use crate::ui::page::dialog::Dialog;
use crate::ui::page::state::{Overlay, PageContext, UiAction, use_page_context};

/// Most actions that a list shows.
const LISTED: usize = 100;

/// What the page tells the dialog: the first action, and how many there are.
#[derive(Clone, PartialEq, Properties)]
pub(in crate::ui) struct Props {
    pub lang: Lang,
    pub first: usize,
    pub count: usize,
}

fn actions(engine: &Engine, first: usize, count: usize) -> Vec<TimedAction> {
    engine.session().actions().iter().skip(first).take(count.min(LISTED)).cloned().collect()
}

/// A moment as it is written in a field: milliseconds with three digits.
fn written(at: SimTime) -> String {
    format!("{}.{:03}", at.0 / 1_000, at.0 % 1_000)
}

/// Reads such a moment; nothing where it is none.
fn read_ms(text: &str) -> Option<SimTime> {
    let (whole, part) = text.trim().split_once('.').unwrap_or((text.trim(), ""));
    if part.len() > 3 || !part.bytes().all(|digit| digit.is_ascii_digit()) || whole.starts_with('+') {
        return None;
    }
    let thousandths: u64 = format!("{part:0<3}").parse().ok()?;
    Some(SimTime(whole.parse::<u64>().ok()?.checked_mul(1_000)?.checked_add(thousandths)?))
}

/// Carries out what the form says.
fn apply(session: &mut Session, index: usize, at: SimTime, text: &str) -> Result<(), RunError> {
    let action = Json::parse(text).and_then(Action::read)?;
    let old = session.actions().get(index).cloned();
    if old.as_ref().is_some_and(|old| old.action != action) {
        session.edit_action(index, action)?;
    }
    match old {
        Some(old) if old.at_us != at => session.move_action(index, at),
        _ => Ok(()),
    }
}

/// The dialog.
#[component]
pub(in crate::ui) fn Edit(props: &Props) -> Html {
    let context = use_page_context();
    let listed = actions(&context.engine, props.first, props.count);
    let words = page(props.lang);
    match listed.as_slice() {
        [one] => html! {
            <Dialog title={words.edit_title} lang={props.lang}>
                <Form lang={props.lang} index={props.first} timed={one.clone()} />
            </Dialog>
        },
        several => html! {
            <Dialog title={words.edit_title} lang={props.lang}>
                <ul class="deeds">
                    { for several.iter().enumerate().map(|(place, one)| choice(&context, props.first + place, one, props.lang)) }
                </ul>
            </Dialog>
        },
    }
}

fn choice(context: &PageContext, index: usize, timed: &TimedAction, lang: Lang) -> Html {
    let choose = context.choose.clone();
    let open = move |_: MouseEvent| choose.dispatch(UiAction::Overlay(Overlay::Edit(index, 1)));
    html! {
        <li key={index}>
            <button onclick={open}>
                <span class="z">{ timed.at_us.seconds() }</span>{ action_words(lang, &timed.action) }
            </button>
        </li>
    }
}

#[derive(Clone, PartialEq, Properties)]
struct FormProps {
    lang: Lang,
    index: usize,
    timed: TimedAction,
}

#[component]
fn Form(props: &FormProps) -> Html {
    let context = use_page_context();
    let words = page(props.lang);
    let (at, text) = (use_node_ref(), use_node_ref());
    let wrong = use_state(|| None::<String>);
    let change = {
        let (context, say, index) = (context.clone(), wrong.setter(), props.index);
        move |change: &dyn Fn(&mut Session) -> Result<(), RunError>| match context.engine.edit(change, index) {
            Ok(()) => context.choose.dispatch(UiAction::Close),
            Err(error) => say.set(Some(wrong_words(&error))),
        }
    };
    let submit = {
        let (change, at, text) = (change.clone(), at.clone(), text.clone());
        let (index, lang, say) = (props.index, props.lang, wrong.setter());
        Callback::from(move |event: SubmitEvent| {
            event.prevent_default();
            let at = at.cast::<HtmlInputElement>().and_then(|input| read_ms(&input.value()));
            let Some(at) = at else { return say.set(Some(page(lang).edit_wrong_time.into())) };
            let text = text.cast::<HtmlTextAreaElement>().map(|area| area.value()).unwrap_or_default();
            change(&|session| apply(session, index, at, &text));
        })
    };
    let index = props.index;
    let delete = Callback::from(move |_: MouseEvent| change(&|session| session.delete_action(index)));
    html! {
        <form class="edit" onsubmit={submit}>
            <p>{ action_words(props.lang, &props.timed.action) }</p>
            <label><span>{ words.edit_at }</span>
                <input ref={at} inputmode="decimal" maxlength="20" value={written(props.timed.at_us)} /></label>
            <label><span>{ words.edit_json }</span>
                <textarea ref={text} rows="3" spellcheck="false"
                    value={to_string(&props.timed.action).unwrap_or_default()} /></label>
            <p class="wrong" role="alert">{ (*wrong).clone().unwrap_or_default() }</p>
            <p class="hint">{ words.edit_hint }</p>
            <div class="row">
                <button class="main">{ words.edit_apply }</button>
                <button type="button" onclick={delete}>{ words.edit_delete }</button>
            </div>
        </form>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_read_as_they_are_written() {
        for at in [0, 1, 999, 1_000, 1_234_567] {
            assert_eq!(read_ms(&written(SimTime(at))), Some(SimTime(at)));
        }
        assert_eq!(read_ms(" 12.5 "), Some(SimTime(12_500)));
        for wrong in ["", "x", "-1", "1.2345", "1.-2", "+1", "1e3", "99999999999999999999"] {
            assert_eq!(read_ms(wrong), None, "{wrong}");
        }
    }
}
