//! The band below the stage: what a lesson asks, what comes of the answer, and the way on and back, always at the same place. What it says is the
//! page's headline.

use yew::prelude::*;

use crate::i18n::Lang;
use crate::i18n::page::{Page, fill, page};
use crate::lessons::FIRST;
use crate::timeline::Pair;
use crate::view::lesson::{Corrected, Phase};

use super::answer::{Answer, button, somebody};
use super::asked::{asked, verdict};
use super::chart::chart;
use super::recall::Recall;
use super::tally::Tally;
use super::{cards, keep};
use crate::ui::engine::model::{use_model, use_stories, use_voice_model};
use crate::ui::engine::{Engine, Followed, Shown, Taught};
use crate::ui::page::state::use_page_context;

/// How many lessons are offered at the end of one.
const OFFERED: usize = 2;

/// What the page tells the band.
#[derive(Clone, PartialEq, Properties)]
pub(in crate::ui) struct Props {
    pub lang: Lang,
    /// Whether the browser keeps what is answered: not in somebody else's page, not in a hall.
    pub keeps: bool,
}

/// The band; nothing where no lesson is open.
#[component]
pub(in crate::ui) fn Band(props: &Props) -> Html {
    let context = use_page_context();
    let (lang, words) = (props.lang, page(props.lang));
    let taught = use_voice_model(&context.engine, lang, |engine, lang| engine.taught(*lang));
    let title = use_model(&context.engine, lang, |engine, lang| engine.lesson_title(*lang));
    // the end of the first lesson, which needs nothing, names those that come next
    let over = matches!(&*taught, Some(Taught::Open(shown)) if shown.phase == Phase::Over && !shown.own);
    use_stories(&context.engine, over);
    let mark = match &*taught {
        Some(Taught::Open(shown)) => Some((shown.id.clone(), shown.number, shown.phase, shown.verdict.clone())),
        _ => None,
    };
    use_effect_with((mark, props.keeps), {
        let taught = taught.clone();
        move |(_, keeps)| {
            if let (Some(Taught::Open(shown)), true) = (&*taught, *keeps)
                && !shown.own
            {
                keep::remember(shown);
            }
        }
    });
    let inside = match &*taught {
        None => return Html::default(),
        Some(Taught::Opening) => {
            html! { <div class="lesson-said"><p class="lesson-caption">{ words.lesson_preparing }</p></div> }
        }
        Some(Taught::Open(shown)) if shown.beside => off_path(&context.engine, words),
        Some(Taught::Open(shown)) => html! {
            <>
                <div class="lesson-said">{ said(&context.engine, shown, lang) }</div>
                { way(&context.engine, shown, lang) }
            </>
        },
    };
    let label = fill(words.lesson_named, &[&(*title).clone().unwrap_or_default()]);
    html! { <section class="band" aria-label={label} aria-live="polite">{ inside }</section> }
}

/// Where the viewer has left the lesson's path: the one way back.
fn off_path(engine: &Engine, words: &'static Page) -> Html {
    html! {
        <div class="lesson-said">
            <p class="lesson-caption">{ words.lesson_off }</p>
            <div class="row">
                { button(engine, "chip active", words.lesson_return, Engine::return_to_lesson) }
                { button(engine, "chip", words.lesson_own, Engine::ask_about_own_run) }
            </div>
        </div>
    }
}

/// The sentence, and below it what belongs to the place.
fn said(engine: &Engine, shown: &Shown, lang: Lang) -> Html {
    let words = page(lang);
    let below = match shown.phase {
        Phase::Says => Html::default(),
        Phase::Asks | Phase::Does => html! { <Answer {lang} shown={shown.clone()} /> },
        Phase::Shows => html! {
            <>
                { asked(shown, words) }
                { for shown.saying.chart.as_ref().map(|columns| chart(columns, false, words)) }
            </>
        },
        Phase::Told => told(engine, shown, words),
        Phase::Over => over(engine, shown, lang),
    };
    html! {
        <>
            { below }
            if shown.mine {
                <div class="row">
                    <small class="kicker">{ words.lesson_mine }</small>
                    { button(engine, "text", words.lesson_return, Engine::return_to_lesson) }
                </div>
            }
        </>
    }
}

/// What was expected beside what happened, and what there is to say to it.
fn told(engine: &Engine, shown: &Shown, words: &'static Page) -> Html {
    let would = shown.saying.would.as_ref().map(|would| (words.lesson_would, would));
    let own = || shown.saying.own_run.as_ref().map(|own| (words.lesson_own_run, own));
    let other = match would.or_else(own) {
        _ if shown.paired => button(engine, "chip", words.lesson_alone, |engine| engine.change_pair(Pair::only_left)),
        Some((label, name)) => html! {
            <>
                { button(engine, "chip active", label, |engine| _ = engine.show_would()) }
                <span class="lesson-quiet">{ name.clone() }</span>
            </>
        },
        None => Html::default(),
    };
    let right = shown.verdict.as_deref() == Some("right");
    let compared = shown.saying.compared.as_ref().filter(|_| !right).map(|(expected, did)| {
        let expected = expected.as_ref().map(|expected| fill(words.lesson_expected, &[&somebody(expected, words)]));
        html! { <>{ for expected }{ " " }<b>{ fill(words.lesson_did, &[&somebody(did, words)]) }</b>{ " " }</> }
    });
    html! {
        <div class="lesson-told">
            { asked(shown, words) }
            { for shown.saying.chart.as_ref().map(|columns| chart(columns, true, words)) }
            { verdict(shown, html! { <>{ for compared }</> }, words) }
            <div class="row">{ other }</div>
        </div>
    }
}

/// The end: what comes next.
fn over(engine: &Engine, shown: &Shown, lang: Lang) -> Html {
    let words = page(lang);
    let course = shown.followed.as_ref().and_then(Followed::next).and_then(|next| {
        let title = cards::title(&next.part()?.lesson, lang);
        let title = fill(words.course_next, &[&(next.at + 1), &next.course.parts.len(), &title]);
        Some(button(engine, "chip active", title, Engine::lesson_on))
    });
    let offered = if shown.own { 0 } else { OFFERED };
    let next = cards::after(&shown.id, offered).into_iter().map(|lesson| {
        let title = fill(words.lesson_next, &[&cards::words(&lesson.title, lang)]);
        button(engine, "chip", title, move |engine| engine.open_lesson(lesson.clone(), None))
    });
    html! {
        <>
            <p class="lesson-caption">{ words.lesson_over }</p>
            <div class="row">
                { for course }
                { for next }
                { button(engine, "chip", words.lesson_free, Engine::leave_lesson) }
                { button(engine, "chip", words.lesson_again, Engine::lesson_again) }
                <Recall {lang} />
            </div>
            { corrections(engine, shown, words) }
        </>
    }
}

/// What is often read otherwise, each with the way to where it was seen.
fn corrections(engine: &Engine, shown: &Shown, words: &'static Page) -> Html {
    let one = |one: &Corrected| {
        let beat = one.beat.to_string();
        html! {
            <li>
                <q>{ one.often.clone() }</q>{ " " }{ one.so.clone() }{ " " }
                if let Some(source) = &one.source { <cite>{ source.to_string() }</cite>{ " " } }
                { button(engine, "text", words.lesson_look, move |engine| _ = engine.lesson_to(&beat)) }
            </li>
        }
    };
    let all = &shown.saying.corrected;
    html! {
        if !all.is_empty() {
            <h3 class="kicker">{ words.lesson_otherwise }</h3>
            <ul class="lesson-otherwise">{ for all.iter().map(one) }</ul>
        }
    }
}

/// Back, the number, Continue.
fn way(engine: &Engine, shown: &Shown, lang: Lang) -> Html {
    let words = page(lang);
    let over = shown.phase == Phase::Over && shown.followed.as_ref().and_then(Followed::next).is_none();
    let (at, of) = shown.number;
    let first = at == 1 && !matches!(shown.phase, Phase::Shows | Phase::Told);
    let step = |class: &'static str, words: &'static str, disabled: bool, act: fn(&Engine)| {
        let engine = engine.clone();
        html! { <button type="button" {class} {disabled} onclick={move |_: MouseEvent| act(&engine)}>{ words }</button> }
    };
    html! {
        <nav class="lesson-way" aria-label={words.lesson_way}>
            if shown.id.as_ref() == FIRST && shown.phase != Phase::Over {
                { button(engine, "text", words.lesson_skip, Engine::leave_lesson) }
            }
            if shown.tally.is_some() { <Tally {lang} shown={shown.clone()} /> }
            { step("chip", words.lesson_back, first, Engine::lesson_back) }
            <span class="lesson-number-of">{ fill(words.lesson_number, &[&at, &of]) }</span>
            { step("chip active", words.lesson_on, over, Engine::lesson_on) }
        </nav>
    }
}
