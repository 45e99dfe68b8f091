//! A question that has been answered: its choices again, each with what became of it, the way to the answer, and the verdict. What is right
//! is said by a sign, its colour and a word for those who listen.

use yew::prelude::*;

use crate::i18n::page::Page;
use crate::view::lesson::{Choice, Mark};

use crate::ui::engine::Shown;

/// The question, its choices, and what is seen on the way to the answer.
pub(super) fn asked(shown: &Shown, words: &Page) -> Html {
    let saying = &shown.saying;
    let one = |(choice, mark): (&Choice, &Mark)| choice_of(choice, *mark, words);
    let choices = saying.choices.iter().zip(&saying.marks).map(one);
    let now = saying.steps.iter().rposition(|(_, reached)| *reached);
    let step = |(at, (name, reached)): (usize, &(String, bool))| {
        let class = classes!(reached.then_some("reached"), (Some(at) == now).then_some("now"));
        html! { <li {class} aria-current={(Some(at) == now).then_some("step")}>{ name.clone() }</li> }
    };
    html! {
        <>
            <p class="lesson-question">{ saying.question.clone() }</p>
            if !saying.marks.is_empty() { <ul class="row options">{ for choices }</ul> }
            if !saying.steps.is_empty() { <ol class="steps">{ for saying.steps.iter().enumerate().map(step) }</ol> }
        </>
    }
}

fn choice_of(choice: &Choice, mark: Mark, words: &Page) -> Html {
    let right = mark.right.filter(|right| *right || mark.yours);
    let class = classes!("chip", mark.yours.then_some("yours"), right.map(|right| sign(right).0));
    html! {
        <li {class}>
            { choice.words.clone() }
            if let Some(right) = right {
                <b aria-hidden="true">{ sign(right).1 }</b>
                <span class="unseen">{ if right { words.lesson_right } else { words.lesson_other } }</span>
            }
            if mark.yours { <i class="yours-word">{ words.lesson_pick }</i> }
        </li>
    }
}

/// The class and the sign of what is right, or not.
fn sign(right: bool) -> (&'static str, &'static str) {
    if right { ("right", "✓") } else { ("wrong", "✕") }
}

/// Whether the answer was right, and what there is to say to it; what was expected and what happened, where no choice shows that.
pub(super) fn verdict(shown: &Shown, more: Html, words: &Page) -> Html {
    let verdict = match shown.verdict.as_deref() {
        None | Some("shown" | "done") => None,
        Some("right") => Some((true, words.lesson_right)),
        Some("near") => Some((true, words.lesson_near)),
        Some(_) => Some((false, words.lesson_other)),
    };
    let said = verdict.map(|(right, say)| {
        let (class, sign) = sign(right);
        html! { <><b {class} aria-hidden="true">{ sign }</b>{ " " }<b>{ say }</b>{ " " }</> }
    });
    let feedback = shown.saying.feedback.clone();
    html! { <p class="verdict">{ for said }{ more }{ for feedback }</p> }
}
