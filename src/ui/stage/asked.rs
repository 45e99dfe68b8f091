//! What an open lesson asks of something on the stage, as a ring and a word at its edge.

use yew::prelude::*;

use crate::i18n::Lang;
use crate::i18n::page::page;

use crate::ui::engine::LessonMark;

/// The class of what is asked.
pub(super) fn asked_class(mark: Option<LessonMark>) -> Option<&'static str> {
    mark.map(|mark| match mark {
        LessonMark::Open => "asked",
        LessonMark::Picked(_) | LessonMark::You | LessonMark::Is => "asked yours",
    })
}

/// Its word: the viewer's, or the place in an order.
pub(super) fn asked(mark: Option<LessonMark>, lang: Lang) -> Html {
    let word = match mark {
        None | Some(LessonMark::Open) => return Html::default(),
        Some(LessonMark::Picked(Some(place))) => place.to_string(),
        Some(LessonMark::Picked(None)) => "✓".to_string(),
        Some(LessonMark::You | LessonMark::Is) => page(lang).lesson_you.to_string(),
    };
    html! { <i class="yours-word">{ word }</i> }
}
