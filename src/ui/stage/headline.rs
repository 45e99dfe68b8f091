//! What an open lesson says, as the page's headline.

use yew::prelude::*;

use crate::i18n::Lang;
use crate::i18n::parts::{Part, parts};
use crate::view::lesson::Phase;

use crate::ui::engine::{Engine, Taught};
use crate::ui::stage::saying::term;

/// What the lesson says where it is.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::ui) struct Said {
    /// Each with whether it is a name or a number of the run.
    pieces: Vec<(String, bool)>,
    /// Nothing is shown: no fact is told beside what the lesson says.
    pub silent: bool,
}

/// What the open lesson says; nothing where none is open, the viewer has left its path or does a task, or all is said.
pub(in crate::ui) fn said(engine: &Engine, lang: &Lang) -> Option<Said> {
    let Some(Taught::Open(shown)) = engine.taught(*lang) else { return None };
    if shown.beside || shown.phase == Phase::Over || shown.saying.caption.is_empty() {
        return None;
    }
    Some(Said { silent: !matches!(shown.phase, Phase::Shows | Phase::Told), pieces: shown.saying.caption })
}

#[derive(Clone, PartialEq, Properties)]
pub(in crate::ui) struct Props {
    pub lang: Lang,
    pub said: Said,
}

/// The sentence, with terms that are explained below it when somebody asks.
#[component]
pub(in crate::ui) fn Headline(props: &Props) -> Html {
    let open = use_state_eq(|| None::<&'static str>);
    let (now, set) = (*open, open.setter());
    let toggle = Callback::from(move |about| set.set((now != Some(about)).then_some(about)));
    let pieces = props.said.pieces.iter().flat_map(|(text, name)| match name {
        true => vec![Err(text.clone())],
        false => parts(props.lang, [text]).into_iter().flatten().map(Ok).collect(),
    });
    let pieces: Vec<Result<Part, String>> = pieces.collect();
    // the sentence may be another one by now
    let explained = pieces.iter().find_map(|piece| match piece {
        Ok(Part::Term(_, about)) if now == Some(*about) => now,
        _ => None,
    });
    let piece = |piece: &Result<Part, String>| match piece {
        Err(of_run) => html! { <b>{ of_run.clone() }</b> },
        Ok(Part::Text(text)) => html! { { text.clone() } },
        Ok(Part::Name(name)) => html! { { name.to_string() } },
        Ok(Part::Term(text, about)) => term(text, about, explained, toggle.clone()),
    };
    html! {
        <>
            <p class="what lesson-caption" aria-live="polite">{ for pieces.iter().map(piece) }</p>
            if let Some(meaning) = explained { <p class="meaning" role="note">{ meaning }</p> }
        </>
    }
}
