//! Where one answers with several things at once: a curve, chips, the moment of a deed, a bin for each card.

use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

use crate::i18n::page::{fill, page};
use crate::lessons::{CHIPS, Value};
use crate::view::lesson::Column;

use super::answer::Props;
use super::chart::stops;
use crate::ui::engine::Answering;
use crate::ui::page::state::use_page_context;

/// Sliders or lists, and the button that answers with them.
#[component]
pub(super) fn Expect(props: &Props) -> Html {
    let context = use_page_context();
    let (shown, words) = (&props.shown, page(props.lang));
    let columns = shown.saying.chart.as_ref().map_or(&[][..], |chart| &chart.columns);
    let (answering, count) = (shown.answering, columns.len());
    let values = use_state(|| vec![0_i64; count]);
    let left = CHIPS - values.iter().sum::<i64>();
    let set = {
        let values = values.clone();
        Callback::from(move |(at, value): (usize, i64)| {
            let mut all = (*values).clone();
            let others: i64 = all.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, value)| value).sum();
            if let Some(one) = all.get_mut(at) {
                *one = if answering == Answering::Chips { value.min(CHIPS - others) } else { value };
            }
            values.set(all);
        })
    };
    let ready = match answering {
        Answering::Chips => left == 0,
        Answering::Bins => values.iter().all(|bin| *bin > 0),
        _ => true,
    };
    let answer = {
        let (engine, values) = (context.engine.clone(), values.clone());
        move |_: MouseEvent| {
            engine.answer_lesson(match answering {
                Answering::Place => Value::Number(values.first().map_or(0, |at| at + 1)),
                _ => Value::List(values.iter().map(|value| Value::Number(number(answering, *value))).collect()),
            });
        }
    };
    let value = |at: usize| values.get(at).copied().unwrap_or(0);
    let fields = match answering {
        Answering::Place => place(columns, value(0), &set),
        Answering::Bins => {
            let bins: Vec<&str> = shown.saying.choices.iter().map(|choice| choice.words.as_str()).collect();
            columns.iter().enumerate().map(|(at, card)| bin(card, at, value(at), &bins, &set)).collect()
        }
        _ => {
            let slider = |(at, column): (usize, &Column)| slider(column, at, value(at), answering, &set);
            html! { <div class="sliders">{ for columns.iter().enumerate().map(slider) }</div> }
        }
    };
    html! {
        <>
            { fields }
            <button type="button" class="chip active" disabled={!ready} onclick={answer}>{ words.lesson_answer }</button>
            if answering == Answering::Chips { <span class="lesson-quiet" role="status">{ fill(words.lesson_chips, &[&left]) }</span> }
        </>
    }
}

/// The number at a field's place: in a curve one of its stops, so that each step is another number.
fn number(answering: Answering, place: i64) -> i64 {
    match answering {
        Answering::Curve(most) => {
            usize::try_from(place).ok().and_then(|at| stops(most).get(at).copied()).unwrap_or(0)
        }
        _ => place,
    }
}

/// Says where a field stands now.
fn told(set: &Callback<(usize, i64)>, at: usize) -> Callback<InputEvent> {
    let set = set.clone();
    Callback::from(move |event: InputEvent| {
        let typed = event.target_dyn_into::<HtmlInputElement>().and_then(|input| input.value().parse().ok());
        if let Some(place) = typed {
            set.emit((at, place));
        }
    })
}

/// An upright slider: a number of a curve, or chips.
fn slider(column: &Column, at: usize, place: i64, answering: Answering, set: &Callback<(usize, i64)>) -> Html {
    let last = match answering {
        Answering::Curve(most) => stops(most).len() as i64 - 1,
        _ => CHIPS,
    };
    let value = number(answering, place);
    html! {
        <label key={at}>
            <input type="range" min="0" max={last.to_string()} value={place.to_string()} oninput={told(set, at)}
                aria-label={column.words.clone()} aria-valuetext={value.to_string()} />
            <output>{ value }</output>
            <b>{ column.words.clone() }</b>
        </label>
    }
}

/// A deed on the way from its earliest moment to its latest one.
fn place(columns: &[Column], value: i64, set: &Callback<(usize, i64)>) -> Html {
    let last = columns.len().saturating_sub(1);
    let now = usize::try_from(value).ok().and_then(|at| columns.get(at)).map(|column| column.words.clone());
    let stop = |(at, column): (usize, &Column)| {
        let set = set.clone();
        let goes = move |_: MouseEvent| set.emit((0, at as i64));
        html! { <li key={at} class={(at as i64 == value).then_some("now")} onclick={goes}>{ column.words.clone() }</li> }
    };
    html! {
        <div class="place">
            <input type="range" min="0" max={last.to_string()} step="1" value={value.to_string()} aria-label={now.clone()}
                aria-valuetext={now} oninput={told(set, 0)} />
            <ol aria-hidden="true">{ for columns.iter().enumerate().map(stop) }</ol>
        </div>
    }
}

/// A card, and the list of bins.
fn bin(card: &Column, at: usize, value: i64, bins: &[&str], set: &Callback<(usize, i64)>) -> Html {
    let set = set.clone();
    let chosen = move |event: Event| {
        let chosen = event.target_dyn_into::<HtmlSelectElement>().and_then(|select| select.value().parse().ok());
        if let Some(bin) = chosen {
            set.emit((at, bin));
        }
    };
    let option = |(number, words): (usize, &&str)| {
        let number = number as i64 + 1;
        html! { <option value={number.to_string()} selected={number == value}>{ words.to_string() }</option> }
    };
    html! {
        <label class="card-of" key={at}>
            <b>{ card.words.clone() }</b>
            <select onchange={chosen}>
                <option value="0" disabled=true selected={value == 0}>{ "?" }</option>
                { for bins.iter().enumerate().map(option) }
            </select>
        </label>
    }
}
