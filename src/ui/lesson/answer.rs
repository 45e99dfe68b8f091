//! Where one answers: buttons, a field for a number, or the deed itself. Whoever does not want to answer is shown.

use web_sys::HtmlInputElement;
use yew::prelude::*;

use crate::base::Zxid;
use crate::i18n::page::{Page, fill, page};
use crate::i18n::{Lang, property_title};
use crate::lessons::{Judged, Unit, Value};
use crate::view::lesson::{Choice, Phase};

use super::expect::Expect;
use crate::ui::engine::{Answering, Engine, Shown};
use crate::ui::page::panel::Panel;
use crate::ui::page::state::{PageContext, UiAction, use_page_context};

/// Longest time that is taken for an answer, ms, and largest number.
const MAX_MS: i64 = 3_600_000;
const MAX_COUNT: i64 = 1_000_000_000;

/// What the band tells it.
#[derive(Clone, PartialEq, Properties)]
pub(super) struct Props {
    pub lang: Lang,
    pub shown: Shown,
}

/// A button that does something with the engine.
pub(in crate::ui) fn button(
    engine: &Engine,
    class: &'static str,
    words: impl Into<String>,
    act: impl Fn(&Engine) + 'static,
) -> Html {
    let (engine, words): (Engine, String) = (engine.clone(), words.into());
    html! { <button type="button" {class} onclick={move |_: MouseEvent| act(&engine)}>{ words }</button> }
}

/// An answer as it stands in a sentence: nobody is somebody there.
pub(super) fn somebody<'a>(value: &'a str, words: &Page) -> &'a str {
    if value.is_empty() || value == "–" { words.lesson_nobody } else { value }
}

/// The question with all ways to answer it.
#[component]
pub(super) fn Answer(props: &Props) -> Html {
    let context = use_page_context();
    let (engine, shown, words) = (&context.engine, &props.shown, page(props.lang));
    let ways = match shown.answering {
        Answering::Nothing => return Html::default(),
        Answering::Choose => choices(engine, shown, true),
        Answering::One => html! {
            <>{ choices(engine, shown, false) }{ button(engine, "chip", words.lesson_nobody, |engine| engine.answer_lesson(Value::Nothing)) }</>
        },
        Answering::Several(ordered) => several(engine, shown, ordered, words),
        Answering::Number(unit) => html! { <Number lang={props.lang} {unit} /> },
        Answering::Curve(_) | Answering::Chips | Answering::Place | Answering::Bins => {
            html! { <Expect key={shown.number.0} lang={props.lang} shown={shown.clone()} /> }
        }
        Answering::Stop => button(engine, "chip active", words.lesson_stop, |engine| _ = engine.stop_lesson()),
        Answering::Deed => deed(engine, shown, words),
        Answering::Write(schedules) => html! {
            <>{ write(&context, shown, schedules, props.lang) }{ deed(engine, shown, words) }</>
        },
    };
    let question = shown.saying.question.clone().unwrap_or_default();
    let task = matches!(shown.answering, Answering::Deed | Answering::Write(_));
    html! {
        <fieldset class="lesson-answer">
            <legend>
                if let Some(who) = shown.saying.who { <small class="kicker">{ fill(words.lesson_you_are, &[&who]) }</small>{ " " } }
                if task { <small class="kicker">{ words.lesson_task }</small>{ " " } }
                { question }
            </legend>
            <div class={classes!("row", (shown.answering == Answering::Choose).then_some("options"))}>
                { ways }
                if !(shown.phase == Phase::Does && shown.done) {
                    { button(engine, "text", words.lesson_show, Engine::show_lesson) }
                }
            </div>
            if shown.sure { <p class="lesson-sure" role="status">{ words.lesson_sure }</p> }
        </fieldset>
    }
}

/// A button for each choice, which answers at once; numbered where they are sentences.
fn choices(engine: &Engine, shown: &Shown, numbered: bool) -> Html {
    let one = |(at, choice): (usize, &Choice)| {
        let value = choice.value.clone();
        let words = if numbered { format!("{}.  {}", at + 1, choice.words) } else { choice.words.clone() };
        button(engine, "chip", words, move |engine| engine.answer_lesson(value.clone()))
    };
    html! { <>{ for shown.saying.choices.iter().enumerate().map(one) }</> }
}

/// Toggles, with their places where the order matters.
fn several(engine: &Engine, shown: &Shown, ordered: bool, words: &'static Page) -> Html {
    let one = |choice: &Choice| {
        let place = shown.picked.iter().position(|picked| *picked == choice.value);
        let toggle = {
            let (engine, value) = (engine.clone(), choice.value.clone());
            move |_: MouseEvent| engine.pick_for_lesson(value.clone())
        };
        let class = classes!("chip", (!ordered).then_some("tick"));
        html! {
            <button type="button" {class} onclick={toggle} aria-pressed={place.is_some().to_string()}>
                { choice.words.clone() }
                if let Some(place) = place.filter(|_| ordered) { { " " }<sup>{ place + 1 }</sup> }
            </button>
        }
    };
    let answer = {
        let engine = engine.clone();
        move |_: MouseEvent| engine.answer_picked()
    };
    html! {
        <>
            { for shown.saying.choices.iter().map(one) }
            <button type="button" class="chip active" onclick={answer} disabled={shown.picked.is_empty()}>{ words.lesson_answer }</button>
            { button(engine, "chip", words.lesson_nobody, |engine| engine.answer_lesson(Value::List(Vec::new()))) }
        </>
    }
}

/// What helps to do a task, or that it is done.
fn deed(engine: &Engine, shown: &Shown, words: &'static Page) -> Html {
    html! {
        <>
            if shown.done { <b class="lesson-done">{ words.lesson_done }</b> }
            if shown.has_hint && !shown.done { { button(engine, "chip", words.lesson_hint, Engine::lesson_hint) } }
            { for shown.saying.hints.iter().map(|hint| html! { <span class="lesson-hint">{ hint.clone() }</span> }) }
        </>
    }
}

/// The way to where one writes, and what came of what was written.
fn write(context: &PageContext, shown: &Shown, schedules: u64, lang: Lang) -> Html {
    let (words, choose) = (page(lang), context.choose.clone());
    let judged = shown.judged.and_then(|judged| match judged {
        Judged::Done => None,
        Judged::Falls(law) => Some(fill(words.lesson_falls, &[&property_title(lang, law.id())])),
        Judged::Stands => Some(fill(words.lesson_stands, &[&schedules])),
        Judged::Lacks(section) => Some(fill(words.lesson_lacks, &[&section.name()])),
    });
    html! {
        <>
            { button(&context.engine, "chip active", words.lesson_write, move |_| {
                choose.dispatch(UiAction::Panel(Panel::Recipe));
            }) }
            { for judged.map(|judged| html! { <b class="lesson-judged">{ judged }</b> }) }
        </>
    }
}

#[derive(Clone, PartialEq, Properties)]
struct NumberProps {
    lang: Lang,
    unit: Unit,
}

/// A field for a number; what is none gets a sentence.
#[component]
fn Number(props: &NumberProps) -> Html {
    let context = use_page_context();
    let (field, wrong) = (use_node_ref(), use_state(|| false));
    let (unit, words) = (props.unit, page(props.lang));
    let (label, bad) = match unit {
        Unit::Count => (words.lesson_count, words.lesson_bad_count),
        Unit::Ms => (words.lesson_ms, words.lesson_bad_ms),
        Unit::Zxid => (words.lesson_zxid, words.lesson_bad_zxid),
    };
    let answer = {
        let (engine, field, say) = (context.engine.clone(), field.clone(), wrong.setter());
        move |event: SubmitEvent| {
            event.prevent_default();
            let typed = field.cast::<HtmlInputElement>().map(|input| input.value()).unwrap_or_default();
            let value = number(&typed, unit);
            say.set(value.is_none());
            if let Some(value) = value {
                engine.answer_lesson(value);
            }
        }
    };
    html! {
        <form class="lesson-number" onsubmit={answer}>
            <input ref={field} maxlength="20" inputmode={if unit == Unit::Zxid { "text" } else { "numeric" }} autocomplete="off"
                aria-label={label} placeholder={label} aria-invalid={wrong.to_string()} />
            <button class="chip active">{ words.lesson_answer }</button>
            <span class="wrong" role="alert">{ if *wrong { bad } else { "" } }</span>
        </form>
    }
}

/// What was typed, in the form in which the machine answers; none of what is no such number, or too large.
pub(in crate::ui) fn number(typed: &str, unit: Unit) -> Option<Value> {
    let typed = typed.trim();
    match unit {
        Unit::Count => typed.parse::<i64>().ok().filter(|count| (0..=MAX_COUNT).contains(count)).map(Value::Number),
        Unit::Ms => {
            let ms = typed.parse::<i64>().ok().filter(|ms| (0..=MAX_MS).contains(ms));
            ms.map(|ms| Value::Number(ms * 1_000))
        }
        Unit::Zxid => {
            let (epoch, counter) = typed.split_once([':', '：'])?;
            let zxid = Zxid::new(epoch.trim().parse().ok()?, counter.trim().parse().ok()?);
            Some(Value::Text(zxid.to_string().into()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_the_machine_says_them() {
        assert_eq!(number(" 4 ", Unit::Count), Some(Value::Number(4)));
        assert_eq!(number("250", Unit::Ms), Some(Value::Number(250_000)));
        assert_eq!(number("1 : 4", Unit::Zxid), Some(Value::Text("1:4".into())));
        for (typed, unit) in
            [("", Unit::Count), ("-1", Unit::Count), ("1.5", Unit::Ms), ("14", Unit::Zxid), ("a:b", Unit::Zxid)]
        {
            assert_eq!(number(typed, unit), None, "{typed}");
        }
        assert_eq!(number(&"9".repeat(20), Unit::Ms), None);
    }
}
