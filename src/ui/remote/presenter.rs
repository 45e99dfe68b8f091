//! The presenter's window: a small page of ours (`static/presenter.html`) that the lecturer keeps for himself. It shows what this page tells
//! it and asks for what is pressed in it; it runs nothing. Only a window of the same origin that this page has opened is answered.

use std::cell::RefCell;
use std::rc::Rc;

use gloo_timers::callback::Timeout;
use js_sys::{JsString, Object, Reflect};
use serde_json::{Value, json};
use wasm_bindgen::prelude::*;
use web_sys::{MessageEvent, Window};
use yew::prelude::*;

use crate::i18n::page::{chapter_words, fill, page, scenario_words, scene_word, try_words};
use crate::i18n::title::title;
use crate::i18n::{Lang, SceneWord};
use crate::scenarios::{Scenario, scenario};
use crate::timeline::{Ending, Session};

use crate::ui::engine::{Engine, ListenerGroup, Taught};
use crate::ui::kit::browser::{Listener, window};
use crate::ui::kit::wear::Theme;
use crate::ui::page::state::{PageContext, UiAction};
use crate::ui::time::chapters;
use crate::ui::time::scene::turn_page;

/// What messages between the two begin with.
const NAME: &str = "presenter";
/// Longer messages are nobody's, characters.
const LONGEST: u32 = 200;
/// How long the window may take to greet, ms.
const PATIENCE_MS: u32 = 8_000;

thread_local! {
    /// The window that greeted, and what it was told last.
    static DESK: RefCell<Option<(Window, String)>> = const { RefCell::new(None) };
}

/// Opens the window, or brings it to the front; where that is refused, or nothing comes up in it, a sentence says so.
pub(in crate::ui) fn open(engine: &Engine, lang: Lang) {
    let size = "popup,width=860,height=640";
    let opened = window().open_with_url_and_target_and_features("presenter.html", "zabscope-presenter", size);
    let refused = move |engine: &Engine| engine.note(Some(page(lang).presenter_refused.into()));
    let Some(opened) = opened.ok().flatten() else { return refused(engine) };
    let _ = opened.focus();
    DESK.set(None);
    let engine = engine.clone();
    let look = move || {
        if DESK.with_borrow(Option::is_none) {
            refused(&engine);
        }
    };
    Timeout::new(PATIENCE_MS, look).forget();
}

/// Answers the window as long as the page lives, and tells it of changes.
#[hook]
pub(in crate::ui) fn use_presenter(context: &PageContext, lang: Lang, theme: Theme, dark: bool) {
    use_effect_with((context.clone(), lang, theme, dark), |(context, lang, theme, dark)| {
        let (engine, shown) = (context.engine.clone(), (*lang, *theme, *dark));
        let heard = {
            let context = context.clone();
            Listener::new(&window(), "message", move |event| {
                if let Some(event) = event.dyn_ref::<MessageEvent>() {
                    hear(&context, event, shown);
                }
            })
        };
        let look: Rc<dyn Fn()> = Rc::new(move || tell(&engine, shown));
        look();
        let groups = [ListenerGroup::Voice, ListenerGroup::Beside];
        let listening = groups.map(|group| context.engine.listen(group, look.clone()));
        move || drop((heard, listening))
    });
}

/// Tells the window what there is to show, if there is one and that is something else.
fn tell(engine: &Engine, shown: (Lang, Theme, bool)) {
    DESK.with_borrow_mut(|desk| {
        let Some((window, told)) = desk else { return };
        if Reflect::get(window, &"closed".into()).is_ok_and(|closed| closed.is_truthy()) {
            *desk = None;
            return;
        }
        let now = state(engine, shown).to_string();
        if *told != now {
            post(window, &now);
            *told = now;
        }
    });
}

fn post(to: &Window, text: &str) {
    let origin = window().location().origin().unwrap_or_default();
    let _ = to.post_message(&text.into(), &origin);
}

/// What a message asks for, if it comes from a window that this page has opened.
fn asked(event: &MessageEvent) -> Option<(Window, String)> {
    let source = event.source().filter(|_| Ok(event.origin()) == window().location().origin())?;
    let opener = Reflect::get(&source, &"opener".into()).ok()?;
    let text = event.data().dyn_ref::<JsString>().filter(|text| text.length() <= LONGEST).map(String::from)?;
    let message: Value = serde_json::from_str(&text).ok().filter(|_| Object::is(&opener, &window()))?;
    let what = message.get("do").filter(|_| message["zabscope"] == NAME)?.as_str()?;
    // a window of another realm is no instance of this one's class
    Some((source.unchecked_into(), what.to_string()))
}

fn hear(context: &PageContext, event: &MessageEvent, shown: (Lang, Theme, bool)) {
    let Some((from, what)) = asked(event) else { return };
    let engine = &context.engine;
    match what.as_str() {
        "hello" => {
            // told again in any case: it may have been loaded anew
            DESK.set(Some((from, String::new())));
            tell(engine, shown);
        }
        "next" | "play" if engine.carry_on() => {}
        "next" if engine.has_lesson() => engine.lesson_on(),
        "previous" if engine.has_lesson() => engine.lesson_back(),
        "play" if engine.plays_lesson_on() => {}
        "next" => turn_page(engine),
        "previous" => engine.change(Session::last_chapter),
        "play" => engine.change(|session| session.playing = !session.playing),
        "dark" => context.choose.dispatch(UiAction::Dark),
        _ => {}
    }
}

/// All that the window shows, its words too.
fn state(engine: &Engine, (lang, theme, dark): (Lang, Theme, bool)) -> Value {
    let words = page(lang);
    let said = engine.told(|told, _, _| told.map(|told| title(lang, told)).unwrap_or_default());
    let session = engine.session();
    let (id, playing) = (session.scenario().map_or("", |scenario| scenario.id), session.playing);
    let chapter = session.chapter().and_then(|place| session.chapters().get(place)).copied();
    let said = [
        scenario_words(lang, id).map_or(words.own_run, |(scene, _)| scene).to_string(),
        chapter.map_or(String::new(), |mark| chapters::in_words(lang, id, mark).0),
        said.title,
        said.because.unwrap_or_default(),
        next(&session, lang),
    ];
    let notes = notes(&session, lang);
    drop(session);
    let ([scene, chapter, title, because, next], notes) = of_lesson(engine, lang).unwrap_or((said, notes));
    let back = if engine.has_lesson() { words.lesson_back } else { words.presenter_previous };
    json!({
        "zabscope": NAME, "lang": lang.code(), "theme": theme.name(), "dark": dark, "playing": playing,
        "words": {
            "window": words.presenter, "elapsed": words.presenter_elapsed, "reset": words.presenter_reset,
            "lost": words.presenter_lost, "previous": back, "play": words.play,
            "pause": words.pause, "dark": words.presenter_dark,
        },
        "scene": scene, "chapter": chapter, "title": title, "because": because, "next": next, "notes": notes,
    })
}

/// The same of an open lesson: its title, the number of its place, what is said there, what comes next; the question with its answer and what
/// is answered instead.
fn of_lesson(engine: &Engine, lang: Lang) -> Option<([String; 5], Vec<[String; 2]>)> {
    let (words, desk) = (page(lang), engine.desk(lang)?);
    let Some(Taught::Open(shown)) = engine.taught(lang) else { return None };
    let number = fill(words.lesson_number, &[&shown.number.0, &shown.number.1]);
    let next = desk.next.unwrap_or_else(|| scene_word(lang, SceneWord::End).to_string());
    let next = fill(scene_word(lang, SceneWord::Next), &[&next]);
    let note = |name: &str, text: String| [name.to_string(), text];
    let asked = desk.question.map(|question| note(words.presenter_ask, question));
    let answer = desk.answer.map(|answer| note(words.presenter_answer, answer));
    let mistakes = desk.mistakes.into_iter().map(|mistake| note(words.presenter_mistake, mistake));
    let notes = asked.into_iter().chain(answer).chain(mistakes).collect();
    let title = engine.lesson_title(lang).unwrap_or_default();
    Some(([title, number, desk.says, String::new(), next], notes))
}

/// What the next press of the clicker leads to.
fn next(session: &Session, lang: Lang) -> String {
    let Some(scenario) = session.scenario().filter(|one| one.scene().is_some()) else {
        return page(lang).turn.to_string();
    };
    let after = (session.ending() == Some(Ending::Scene)).then(|| scenario.next()).flatten();
    let place = session.chapter().and_then(|place| session.chapters().get(place)).map_or(0, |mark| mark.index + 1);
    let scene = after.and_then(|next| scenario_words(lang, next.id)).map(|(title, _)| title);
    let name = scene.or_else(|| chapter_words(lang, scenario.id, place));
    fill(scene_word(lang, SceneWord::Next), &[&name.unwrap_or(scene_word(lang, SceneWord::End))])
}

/// The note of the scene: what it promises, what to ask the hall before its idea, what to try.
fn notes(session: &Session, lang: Lang) -> Vec<[String; 2]> {
    let Some(id) = session.scenario().map(|one| one.id) else { return Vec::new() };
    let words = page(lang);
    let promise =
        scenario_words(lang, id).map(|(_, promise)| [words.presenter_promise.to_string(), promise.to_string()]);
    let place = session.chapter().and_then(|place| session.chapters().get(place)).map_or(0, |mark| mark.index);
    let idea = scenario(id).and_then(Scenario::scene).map(|scene| scene.idea).filter(|idea| place < *idea);
    let ask = idea
        .and_then(|idea| chapter_words(lang, id, idea))
        .map(|name| [words.presenter_ask.to_string(), fill(words.presenter_question, &[&name])]);
    let deed = try_words(lang, id).map(|deed| [scene_word(lang, SceneWord::TryThis).to_string(), deed.to_string()]);
    [promise, ask, deed].into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(name: &str, chapters: usize) -> Engine {
        let engine = Engine::new();
        engine.choose(scenario(name).expect("a scenario"), None, Vec::new(), None).expect("it can be played");
        engine.open_scene().expect("it opens");
        for _ in 0..chapters {
            assert!(engine.change(Session::next_chapter));
        }
        engine
    }

    fn told(engine: &Engine, lang: Lang) -> Value {
        state(engine, (lang, Theme::Dark, false))
    }

    #[test]
    fn it_names_the_chapter_the_next_one_and_the_note_in_the_reader_s_language() {
        let id = "leader-crash-under-load";
        let engine = at(id, 1);
        for lang in Lang::ALL {
            let told = told(&engine, lang);
            let name = |index| chapter_words(lang, id, index).expect("a chapter");
            assert!(told["chapter"].as_str().is_some_and(|words| words.contains(name(1))), "{told}");
            assert!(told["next"].as_str().is_some_and(|words| words.contains(name(2))), "{told}");
            assert_eq!(told["scene"], scenario_words(lang, id).expect("words").0);
            assert_eq!(told["notes"][0][1], scenario_words(lang, id).expect("words").1);
            assert_eq!(told["words"]["pause"], page(lang).pause);
        }
    }

    #[test]
    fn the_hall_is_asked_before_the_idea_and_not_after_it() {
        let id = "leader-crash-under-load";
        let idea = scenario(id).and_then(Scenario::scene).expect("a scene").idea;
        let asked = |chapters| {
            notes(&at(id, chapters).session(), Lang::En).iter().any(|note| note[0] == page(Lang::En).presenter_ask)
        };
        assert!(idea > 0 && asked(idea - 1) && !asked(idea));
    }

    #[test]
    fn after_the_last_chapter_comes_the_end_and_then_the_next_scene() {
        let one = scenario("leader-crash-under-load").expect("a scenario");
        let count = one.scene().expect("a scene").chapters.len();
        let engine = at(one.id, count - 1);
        let end = |engine: &Engine| next(&engine.session(), Lang::En);
        assert!(end(&engine).contains(scene_word(Lang::En, SceneWord::End)), "{}", end(&engine));
        engine.change(Session::next_chapter);
        let title = scenario_words(Lang::En, one.next().expect("another").id).expect("words").0;
        assert!(end(&engine).contains(title), "{}", end(&engine));
        // a run of one's own has milestones
        engine.load(crate::sim::Run::new(5, Default::default()), None).expect("it can be played");
        assert_eq!(end(&engine), page(Lang::En).turn);
        assert!(notes(&engine.session(), Lang::En).is_empty());
    }

    #[test]
    fn in_a_lesson_it_has_its_question_the_answer_the_usual_mistakes_and_what_comes_next() {
        let lesson = crate::lessons::lesson("zab-broadcast").expect("a lesson");
        let engine = Engine::new();
        engine.open_lesson(lesson.clone(), Some("own-disk".into()));
        for lang in Lang::ALL {
            let told = told(&engine, lang);
            let desk = engine.desk(lang).expect("a place");
            let notes: Vec<&str> =
                told["notes"].as_array().expect("notes").iter().filter_map(|note| note[1].as_str()).collect();
            assert_eq!(notes.first().copied(), desk.question.as_deref());
            assert_eq!(notes.get(1).copied(), desk.answer.as_deref());
            assert_eq!(notes.len(), 2 + desk.mistakes.len());
            assert!(!desk.mistakes.is_empty() && told["title"] == json!(desk.says));
            assert!(told["next"].as_str().is_some_and(|next| next.contains(desk.next.as_deref().expect("more"))));
            assert_eq!(told["scene"], json!(engine.lesson_title(lang)));
            assert_eq!(told["words"]["previous"], page(lang).lesson_back);
        }
    }
}
