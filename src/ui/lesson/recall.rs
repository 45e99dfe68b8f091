//! What somebody answered in a lesson and what happened, as a text that they can keep or hand in. It has no score.

use web_sys::HtmlElement;
use yew::prelude::*;

use crate::i18n::Lang;
use crate::i18n::page::{Page, fill, page};
use crate::view::lesson::Recalled;

use super::answer::somebody;
use crate::ui::dialogs::home::{home, is_nowhere};
use crate::ui::engine::Engine;
use crate::ui::kit::promise::copy;
use crate::ui::page::state::use_page_context;

/// The text: the lesson's title, each question with what was expected and what it did, a link to the lesson where there is one.
fn text(title: &str, recalled: &[Recalled], link: Option<String>, words: &Page) -> String {
    let one = |(at, one): (usize, &Recalled)| {
        let expected = match (&one.expected, one.answered) {
            (Some(expected), _) => fill(words.lesson_expected, &[&somebody(expected, words)]),
            (None, true) => words.lesson_done.to_string(),
            (None, false) => words.lesson_unanswered.to_string(),
        };
        let did = one.did.as_ref().map_or(String::new(), |did| fill(words.lesson_did, &[&somebody(did, words)]));
        let lines = [format!("{}. {}", at + 1, one.question), expected, did, one.then.clone()];
        lines.into_iter().filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
    };
    let questions = recalled.iter().enumerate().map(one);
    let parts = [title.to_string()].into_iter().chain(questions).chain(link);
    parts.collect::<Vec<_>>().join("\n\n")
}

/// The text for the open lesson.
fn text_of(engine: &Engine, lang: Lang) -> String {
    let title = engine.lesson_title(lang).unwrap_or_default();
    let there = engine.lesson_in_address().map(|(id, _)| (home(), id)).filter(|(home, _)| !is_nowhere(home));
    let link = there.map(|(home, id)| format!("{home}?lesson={id}"));
    text(&title, &engine.lesson_recalled(lang), link, page(lang))
}

/// What the band tells it.
#[derive(Clone, PartialEq, Properties)]
pub(super) struct Props {
    pub lang: Lang,
}

/// The button that copies the text. Where the browser forbids that, the text stands there to be copied by hand.
#[component]
pub(super) fn Recall(props: &Props) -> Html {
    let context = use_page_context();
    let (lang, words) = (props.lang, page(props.lang));
    let field = use_node_ref();
    let (said, by_hand) = (use_state_eq(|| ""), use_state_eq(|| None::<String>));
    let press = {
        let (engine, field) = (context.engine.clone(), field.clone());
        let (say, show) = (said.setter(), by_hand.setter());
        move |_: MouseEvent| {
            let text = text_of(&engine, lang);
            let (say, show, kept) = (say.clone(), show.clone(), text.clone());
            copy(&text, field.cast::<HtmlElement>(), move |copied| {
                say.set(if copied { words.share_copied } else { words.lesson_by_hand });
                show.set((!copied).then(|| kept.clone()));
            });
        }
    };
    html! {
        <>
            <button type="button" class="chip" onclick={press}>{ words.lesson_answers }</button>
            <span class="lesson-quiet" role="status">{ *said }</span>
            if let Some(text) = &*by_hand {
                <div class="link-line">
                    <textarea ref={field} readonly=true rows="3" spellcheck="false" aria-label={words.lesson_answers} value={text.clone()} />
                </div>
            }
        </>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_says_what_was_expected_and_what_it_did() {
        let asked = |question: &str, answered, expected: Option<&str>, did: Option<&str>| Recalled {
            question: question.into(),
            answered,
            expected: expected.map(String::from),
            did: did.map(String::from),
            then: "So it is.".into(),
        };
        let all = [
            asked("Who?", true, Some("S1"), Some("S2")),
            asked("Whom?", false, None, Some("–")),
            asked("Do it.", true, None, None),
        ];
        let link = Some("https://example.org/?lesson=a".to_string());
        assert_eq!(
            text("Title", &all, link, page(Lang::En)),
            "Title\n\n1. Who?\nYou expected: S1.\nIt was: S2.\nSo it is.\n\n\
             2. Whom?\nYou did not answer.\nIt was: None.\nSo it is.\n\n\
             3. Do it.\nDone.\nSo it is.\n\nhttps://example.org/?lesson=a"
        );
    }
}
