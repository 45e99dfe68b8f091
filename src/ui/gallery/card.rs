//! A card: a picture of a run or two, its name, and what one will see.

use web_sys::HtmlCanvasElement;
use yew::prelude::*;

use crate::i18n::Lang;
use crate::i18n::page::page;

use super::entries::{Entry, What};
use super::stills::{Studio, Subject};
use crate::ui::kit::wear::Theme;
use crate::ui::lesson::keep::Marks;

/// What the gallery tells a card.
#[derive(Clone, PartialEq, Properties)]
pub(super) struct Props {
    pub lang: Lang,
    pub theme: Theme,
    pub entry: Entry,
    /// Of a lesson, what was seen of it; none where it was never begun.
    pub marks: Option<Marks>,
    /// Whether it is on the stage.
    pub now: bool,
    /// Whether Tab stops at it.
    pub stop: bool,
    /// Whether Enter opens it, from the search.
    pub enter: bool,
    pub studio: Studio,
    pub pick: Callback<What>,
    pub focused: Callback<String>,
}

/// A card.
#[component]
pub(super) fn Card(props: &Props) -> Html {
    let entry = &props.entry;
    let pick = {
        let (pick, what) = (props.pick.clone(), entry.what.clone());
        move |_: MouseEvent| pick.emit(what.clone())
    };
    let focused = {
        let (focused, key) = (props.focused.clone(), entry.key());
        move |_: FocusEvent| focused.emit(key.clone())
    };
    let picture = |subject: &Subject| {
        let Props { lang, theme, studio, .. } = props.clone();
        html! { <Picture {lang} {theme} subject={*subject} {studio} /> }
    };
    html! {
        <li>
            <button class={classes!("scene", props.now.then_some("now"), props.enter.then_some("enter"))} tabindex={if props.stop { "0" } else { "-1" }} onclick={pick}
                onfocus={focused} aria-current={props.now.then_some("true")}>
                <span class={classes!("views", (entry.pictures.len() > 1).then_some("two"))}>
                    { for entry.pictures.iter().map(picture) }
                    { row(&entry.parts) }
                </span>
                <span class="name">
                    if let Some(place) = entry.place { <small aria-hidden="true">{ format!("{place} ") }</small> }
                    { entry.title.clone() }
                    { for props.marks.map(|marks| ring(marks, props.lang)) }
                    if props.now { { " " }<i>{ page(props.lang).gallery_now }</i> }
                    if props.enter { <kbd aria-hidden="true">{ "↵" }</kbd> }
                </span>
                { " " }
                <span class="promise">
                    { entry.promise.clone() }
                    if let Some(small) = &entry.small { <small>{ small.clone() }</small> }
                </span>
            </button>
        </li>
    }
}

/// What was seen of a lesson, as a ring of three marks: all of it said, each question answered, each task done.
fn ring(marks: Marks, lang: Lang) -> Html {
    let words = page(lang);
    let all = [
        (marks.seen, words.lesson_seen, "M10 2a8 8 0 0 1 6.9 4"),
        (marks.asked, words.lesson_asked, "M17.9 9a8 8 0 0 1-6.9 9"),
        (marks.played, words.lesson_played, "M9 18a8 8 0 0 1-5.9-12"),
    ];
    let said = all.iter().filter(|(is, ..)| *is).map(|(_, word, _)| *word).collect::<Vec<_>>().join(", ");
    let arc = |(is, _, d): &(bool, &str, &'static str)| html! { <path d={*d} class={is.then_some("full")} /> };
    html! {
        <>
            <svg class="ring" viewBox="0 0 20 20" aria-hidden="true">{ for all.iter().map(arc) }</svg>
            if !said.is_empty() { <span class="unseen">{ format!(" ({said})") }</span> }
        </>
    }
}

/// The parts of a course in a row, each as wide as it is long; pointed at, it says what it is.
fn row(parts: &[(String, u32)]) -> Html {
    let all: u32 = parts.iter().map(|(_, minutes)| minutes).sum();
    let part = |from: &mut u32, (words, minutes): &(String, u32)| {
        let x = std::mem::replace(from, *from + minutes);
        // a hair between two parts
        let width = format!("{}.7", minutes.saturating_sub(1));
        Some(html! { <rect x={x.to_string()} y="0" {width} height="1"><title>{ words.clone() }</title></rect> })
    };
    html! {
        if all > 0 {
            <svg class="minutes" viewBox={format!("0 0 {all} 1")} preserveAspectRatio="none" aria-hidden="true">
                { for parts.iter().scan(0, part) }
            </svg>
        }
    }
}

#[derive(Clone, PartialEq, Properties)]
struct PictureProps {
    lang: Lang,
    /// Another theme is another picture.
    theme: Theme,
    subject: Subject,
    studio: Studio,
}

/// A canvas that is drawn when it comes into sight.
#[component]
fn Picture(props: &PictureProps) -> Html {
    let node = use_node_ref();
    use_effect_with((node.clone(), props.clone()), |(node, props)| {
        if let Some(canvas) = node.cast::<HtmlCanvasElement>() {
            props.studio.want(canvas, props.subject, props.lang);
        }
    });
    html! { <canvas ref={node} aria-hidden="true" /> }
}
