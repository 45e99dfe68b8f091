//! The scene on the stage: its chapter above the sentence, and the card at its end.

use yew::prelude::*;

use crate::base::limits::MAX_SHOWN_EVENTS;
use crate::i18n::Lang;
use crate::i18n::SceneWord;
use crate::i18n::page::{chapter_words, fill, page, scenario_words, scene_word, try_words};
use crate::scenarios::{Scenario, scenario};
use crate::timeline::{ChapterMark, Ending, Session};

use crate::ui::engine::Engine;
use crate::ui::engine::model::{use_model, use_stage_model};
use crate::ui::kit::browser::wrong_words;
use crate::ui::lesson::{button, cards, keep};
use crate::ui::page::state::use_page_context;
use crate::ui::time::chapters;
use crate::ui::time::on_line::go;

/// What the page tells the scene.
#[derive(Clone, PartialEq, Properties)]
pub(in crate::ui) struct Props {
    pub lang: Lang,
}

fn title(lang: Lang, id: &str) -> &'static str {
    scenario_words(lang, id).map_or("", |(title, _)| title)
}

fn id(session: &Session) -> &'static str {
    session.scenario().map_or("", |scenario| scenario.id)
}

#[derive(PartialEq)]
struct Place {
    /// Its scenario's id; empty where the run is somebody's own.
    id: &'static str,
    chapter: Option<ChapterMark>,
}

fn place(engine: &Engine, (): &()) -> Place {
    let session = engine.session();
    let chapter = session.chapter().and_then(|index| session.chapters().get(index)).copied();
    Place { id: id(&session), chapter }
}

/// How far the scene is, and its chapter; its promise as long as it has none.
#[component]
pub(in crate::ui) fn Kicker(props: &Props) -> Html {
    let context = use_page_context();
    let place = use_stage_model(&context.engine, (), place);
    let count = chapters::count(place.id);
    let chapter = |mark: ChapterMark| {
        let (words, name) = chapters::in_words(props.lang, place.id, mark);
        html! {
            <>
                <span class="dots" role="img" aria-label={words.clone()} title={words}>
                    { for (0..count).map(|index| html! { <i class={(index == mark.index).then_some("here")} /> }) }
                </span>
                <span class="chapter-name">{ name }</span>
            </>
        }
    };
    let promise = scenario_words(props.lang, place.id).map_or("", |(_, promise)| promise);
    html! {
        <p class="kicker">
            { place.chapter.map_or_else(|| html! { <span class="chapter-name">{ promise }</span> }, chapter) }
        </p>
    }
}

#[derive(PartialEq)]
struct Over {
    ending: Ending,
    id: &'static str,
    chapters: Vec<ChapterMark>,
}

fn over(engine: &Engine, (): &()) -> Option<Over> {
    // a lesson says itself what comes next
    if engine.has_lesson() {
        return None;
    }
    let session = engine.session();
    let ending = session.ending()?;
    // what a run of somebody's own recipe comes to is said beside it, and is to be seen
    if ending == Ending::Quiet && session.scenario().is_none() && engine.recipe_on_stage().is_some() {
        return None;
    }
    Some(Over { ending, id: id(&session), chapters: session.chapters().to_vec() })
}

/// The card where time stands by itself: what was seen, what there is to try, what comes next.
#[component]
pub(in crate::ui) fn EndCard(props: &Props) -> Html {
    let context = use_page_context();
    let lang = props.lang;
    let over = use_model(&context.engine, (), over);
    let Some(over) = &*over else { return Html::default() };
    let word = |word| scene_word(lang, word);
    let engine = &context.engine;
    let scenario = scenario(over.id).filter(|_| over.ending == Ending::Scene);
    let full = over.ending == Ending::Full;
    let heading = word(match scenario {
        Some(_) => SceneWord::End,
        None if full => SceneWord::Full,
        None => SceneWord::Quiet,
    });
    let next = scenario.and_then(Scenario::next).map(|next| fill(word(SceneWord::Next), &[&title(lang, next.id)]));
    html! {
        <section class="end-card" aria-label={heading}>
            <h2>{ heading }</h2>
            if let Some(scenario) = scenario {
                { seen(lang, scenario, &over.chapters, &context.engine) }
                <p><b>{ word(SceneWord::TryThis) }</b>{ " " }{ try_words(lang, scenario.id) }</p>
            } else if full {
                <p>{ fill(word(SceneWord::FullAbout), &[&MAX_SHOWN_EVENTS]) }</p>
            } else {
                <p>{ word(SceneWord::QuietAbout) }</p>
            }
            <div class="row">
                { next.map(|next| button(engine, "chip active", next, turn_page)) }
                if scenario.is_some() {
                    { button(engine, "chip", word(SceneWord::Again), again) }
                }
                if let Some(lesson) = scenario.and_then(cards::about) {
                    { button(engine, "chip", page(lang).lesson_about, move |engine| keep::open_named(engine, lesson)) }
                }
                if !full {
                    { button(engine, "chip", word(SceneWord::PlayOn), |engine| engine.change(|session| session.playing = true)) }
                }
            </div>
        </section>
    }
}

/// The chapters that were seen, each a way back.
fn seen(lang: Lang, scenario: &Scenario, marks: &[ChapterMark], engine: &Engine) -> Html {
    let one = |mark: ChapterMark| {
        let engine = engine.clone();
        html! {
            <li><button onclick={move |_: MouseEvent| go(&engine, mark.at)}>
                { chapter_words(lang, scenario.id, mark.index) }
            </button></li>
        }
    };
    html! {
        <>
            <h3>{ scene_word(lang, SceneWord::Saw) }</h3>
            <ol>{ for marks.iter().map(|mark| one(*mark)) }</ol>
        </>
    }
}

fn again(engine: &Engine) {
    let opened = engine.open_scene();
    engine.change(|session| session.playing = true);
    engine.note(opened.err().map(|error| wrong_words(&error)));
}

/// Goes on to the next chapter, and where the scene is over to the next scene.
pub(in crate::ui) fn turn_page(engine: &Engine) {
    let over = engine.session().ending() == Some(Ending::Scene);
    let next = engine.session().scenario().filter(|_| over).and_then(Scenario::next);
    match next {
        Some(next) => engine.note(engine.play(next, None).err().map(|error| wrong_words(&error))),
        None => _ = engine.change(Session::next_chapter),
    }
}
