//! A lesson in somebody else's page: what that page does in it, and what it hears of it. Documented in `docs/embedding.md`. Nothing of an
//! answer is told before the answer has been shown.

use std::rc::Rc;

use serde_json::{Value as Json, json};

use crate::i18n::Lang;
use crate::lessons::{CHIPS, Lesson, Unit, Value, is_built_in, lesson};
use crate::view::lesson::{Choice, Phase};

use crate::ui::engine::{Answering, Engine, LessonNews, SettledNews, Shown, Taught};
use crate::ui::lesson::number;
use crate::ui::remote::lesson_input::{BeatName, Given};

/// Said where stories are not there.
pub(super) const MISSING: &str = "lessons and rules did not load: try again, or load the page again";

/// Opens a built-in lesson by its name, or a lesson that is given as JSON.
pub(super) fn open(engine: &Engine, text: &str, beat: Option<BeatName>) -> Result<(), String> {
    let beat = beat.map(|BeatName(beat)| beat);
    match lesson(text) {
        Some(lesson) => engine.open_lesson(lesson, beat),
        None if is_built_in(text) => return Err(MISSING.into()),
        None => {
            let own = Lesson::from_json(text).map_err(|error| format!("lesson: {error}"))?;
            engine.open_own_lesson(Rc::new(own), beat);
        }
    }
    Ok(())
}

/// Goes to a beat, also from beside the lesson's path.
pub(super) fn go_to(engine: &Engine, BeatName(beat): &BeatName) -> Result<(), String> {
    engine.open_wanted_lesson();
    match engine.lesson_to(beat) {
        Some(true) => Ok(()),
        Some(false) => Err(format!("beat: the lesson has no beat `{beat}`")),
        None => Err("beat: no lesson is open".into()),
    }
}

/// Where the viewer is in the lesson, or why nothing can be answered there.
fn asked(engine: &Engine, what: &str) -> Result<Box<Shown>, String> {
    engine.open_wanted_lesson();
    let shown = match engine.taught(Lang::En) {
        None => return Err(format!("{what}: no lesson is open")),
        Some(Taught::Opening) => return Err(format!("{what}: the lesson is being prepared")),
        Some(Taught::Open(shown)) => shown,
    };
    if shown.beside {
        return Err(format!("{what}: the stage shows another run than the lesson's; `beat` leads back"));
    }
    if !matches!(shown.phase, Phase::Asks | Phase::Does) {
        return Err(format!("{what}: no question is asked now"));
    }
    Ok(shown)
}

/// Answers the question.
pub(super) fn answer(engine: &Engine, given: &Given) -> Result<(), String> {
    let shown = asked(engine, "answer")?;
    if shown.answering == Answering::Stop && *given == Given::Nothing {
        engine.stop_lesson();
        return Ok(());
    }
    let value = value_of(&shown, given).map_err(|why| format!("answer: {why}"))?;
    engine.answer_lesson(value);
    Ok(())
}

/// Shows what happens without an answer, or a way to do what is to be done.
pub(super) fn reveal(engine: &Engine) -> Result<(), String> {
    asked(engine, "reveal")?;
    engine.show_lesson();
    Ok(())
}

/// What an answer means to the question that is asked.
fn value_of(shown: &Shown, given: &Given) -> Result<Value, String> {
    let choices = &shown.saying.choices;
    match (shown.answering, given) {
        (Answering::Choose, Given::One(text)) => named(choices, text, false),
        (Answering::Choose, _) => Err(format!("a number from 1 to {} is wanted", choices.len())),
        (Answering::One, Given::Nothing) => Ok(Value::Nothing),
        (Answering::One, Given::One(name)) => named(choices, name, true),
        (Answering::One, Given::List(_)) => Err("one name is wanted, or null for nobody".into()),
        (Answering::Several(_), Given::Nothing) => Ok(Value::List(Vec::new())),
        (Answering::Several(_), Given::One(name)) => Ok(Value::List(vec![named(choices, name, true)?])),
        (Answering::Several(_), Given::List(names)) => several(choices, names),
        (Answering::Number(unit), Given::One(text)) => number(text, unit).ok_or_else(|| wanted(unit).into()),
        (Answering::Number(unit), _) => Err(wanted(unit).into()),
        (Answering::Curve(_) | Answering::Chips | Answering::Bins, Given::List(numbers)) => columns(shown, numbers),
        (Answering::Curve(_) | Answering::Chips | Answering::Bins, _) => Err("a list of numbers is wanted".into()),
        (Answering::Place, Given::One(text)) => place(shown, text),
        (Answering::Place, _) => Err("the number of a moment is wanted".into()),
        (Answering::Stop, Given::One(ms)) => number(ms, Unit::Ms).ok_or_else(|| wanted(Unit::Ms).into()),
        (Answering::Stop, _) => Err(wanted(Unit::Ms).into()),
        (Answering::Write(_), _) => Err("this is answered by writing it, in the panel `recipe`".into()),
        (Answering::Deed, _) => Err("this is answered by doing it; `act` does it".into()),
        (Answering::Nothing, _) => Err("no question is asked now".into()),
    }
}

fn wanted(unit: Unit) -> &'static str {
    match unit {
        Unit::Count => "a whole number is wanted, as 4",
        Unit::Ms => "whole milliseconds are wanted, as 250",
        Unit::Zxid => "a zxid is wanted, as \"1:4\"",
    }
}

/// The choice of this number or, where they are names, of this name.
fn named(choices: &[Choice], text: &str, by_name: bool) -> Result<Value, String> {
    let number = text.parse().ok().map(Value::Number);
    let found = choices.iter().find(|one| (by_name && one.words == text) || Some(&one.value) == number.as_ref());
    found.map(|one| one.value.clone()).ok_or_else(|| match by_name {
        true => {
            let names: Vec<&str> = choices.iter().map(|one| one.words.as_str()).collect();
            format!("`{text}` is none of {}", names.join(", "))
        }
        false => format!("a number from 1 to {} is wanted", choices.len()),
    })
}

/// A number for each column, in their order.
fn columns(shown: &Shown, numbers: &[String]) -> Result<Value, String> {
    let count = shown.saying.chart.as_ref().map_or(0, |chart| chart.columns.len());
    if numbers.len() != count {
        return Err(format!("{count} numbers are wanted"));
    }
    let most = match shown.answering {
        Answering::Curve(most) => most,
        Answering::Bins => shown.saying.choices.len() as i64,
        _ => CHIPS,
    };
    let number = |text: &String| {
        let number = text.parse::<i64>().ok().filter(|number| (0..=most).contains(number));
        number.ok_or_else(|| format!("`{text}` is no number from 0 to {most}"))
    };
    let numbers = numbers.iter().map(number).collect::<Result<Vec<_>, _>>()?;
    if shown.answering == Answering::Chips && numbers.iter().sum::<i64>() != CHIPS {
        return Err(format!("{CHIPS} chips in all are wanted"));
    }
    Ok(Value::List(numbers.into_iter().map(Value::Number).collect()))
}

/// One of the moments, by its number from 1.
fn place(shown: &Shown, text: &str) -> Result<Value, String> {
    let count = shown.saying.chart.as_ref().map_or(0, |chart| chart.columns.len()) as i64;
    let number = text.parse::<i64>().ok().filter(|number| (1..=count).contains(number));
    number.map(Value::Number).ok_or_else(|| format!("a number from 1 to {count} is wanted"))
}

fn several(choices: &[Choice], names: &[String]) -> Result<Value, String> {
    let mut values = Vec::new();
    for name in names {
        let value = named(choices, name, true)?;
        if values.contains(&value) {
            return Err(format!("`{name}` is there twice"));
        }
        values.push(value);
    }
    Ok(Value::List(values))
}

/// Where the lesson is, as the state has it; null where none is open.
pub(super) fn state(engine: &Engine) -> Json {
    engine.lesson_news().map_or(Json::Null, |news| {
        json!({
            "id": news.id,
            "beat": news.beat,
            "index": news.index,
            "count": news.count,
            "phase": phase(news.phase),
            "beside": news.beside,
        })
    })
}

fn phase(phase: Option<Phase>) -> &'static str {
    match phase {
        None => "preparing",
        Some(Phase::Says) => "says",
        Some(Phase::Asks) => "asks",
        Some(Phase::Shows) => "shows",
        Some(Phase::Told) => "told",
        Some(Phase::Does) => "does",
        Some(Phase::Over) => "over",
    }
}

/// What is new since the host was told last, each without the version of the protocol.
pub(super) fn news(last: Option<&LessonNews>, now: Option<&LessonNews>) -> Vec<Json> {
    let mut all = Vec::new();
    let Some(now) = now.filter(|now| now.phase.is_some()) else { return all };
    let place = |news: &LessonNews| (news.id.clone(), news.index);
    if last.map(place) != Some(place(now)) {
        all.push(json!({ "tell": "beat", "lesson": now.id, "beat": now.beat, "index": now.index }));
    }
    let before = last.map_or(0, |last| last.settled.0);
    match &now.settled {
        (number, Some(what)) if before != *number => all.push(settled(now, what)),
        _ => {}
    }
    all
}

fn settled(now: &LessonNews, what: &SettledNews) -> Json {
    match what {
        SettledNews::Answer { given, verdict, idea } => json!({
            "tell": "answered", "lesson": now.id, "beat": now.beat, "given": given, "verdict": verdict, "idea": idea,
        }),
        SettledNews::Task(task) => json!({ "tell": "goal", "lesson": now.id, "beat": now.beat, "task": task }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::ServerId;
    use crate::lessons::LESSONS;
    use crate::sim::Action;
    use crate::ui::remote::address;

    fn at(lesson: &str, beat: &str) -> Engine {
        let engine = Engine::new();
        open(&engine, lesson, Some(BeatName(beat.into()))).unwrap();
        engine
    }

    fn said(text: &str) -> Given {
        Given::One(text.into())
    }

    fn names(all: &[&str]) -> Given {
        Given::List(all.iter().map(|name| name.to_string()).collect())
    }

    fn tells(news: &[Json]) -> Vec<&str> {
        news.iter().filter_map(|one| one["tell"].as_str()).collect()
    }

    #[test]
    fn nothing_of_an_answer_is_told_before_it_has_been_shown() {
        let engine = at("zab-broadcast", "own-disk");
        let asks = engine.lesson_news();
        assert_eq!((&state(&engine)["beat"], &state(&engine)["phase"]), (&json!("own-disk"), &json!("asks")));
        assert_eq!(tells(&news(None, asks.as_ref())), ["beat"]);
        answer(&engine, &said("2")).unwrap();
        let shows = engine.lesson_news();
        assert_eq!(news(asks.as_ref(), shows.as_ref()), Vec::<Json>::new());
        assert!(!state(&engine).to_string().contains("verdict"));
        assert_eq!(answer(&engine, &said("1")), Err("answer: no question is asked now".into()));
        engine.lesson_on();
        let told = engine.lesson_news();
        let all = news(shows.as_ref(), told.as_ref());
        assert_eq!(
            (tells(&all), &all[0]["given"], &all[0]["beat"]),
            (vec!["answered"], &json!(2), &json!("own-disk"))
        );
        assert!(all[0]["verdict"] == "other" || all[0]["verdict"] == "right", "{all:?}");
        // away and back: the answer stands there told, and is no new one
        go_to(&engine, &BeatName("1".into())).unwrap();
        let away = engine.lesson_news();
        assert_eq!(tells(&news(told.as_ref(), away.as_ref())), ["beat"]);
        go_to(&engine, &BeatName("own-disk".into())).unwrap();
        let back = engine.lesson_news();
        assert_eq!(tells(&news(away.as_ref(), back.as_ref())), ["beat"]);
        // asked once more, and shown without an answer
        engine.lesson_back();
        reveal(&engine).unwrap();
        engine.lesson_on();
        let all = news(back.as_ref(), engine.lesson_news().as_ref());
        assert_eq!((&all[0]["verdict"], &all[0]["given"]), (&json!("shown"), &Json::Null));
    }

    #[test]
    fn answers_are_names_numbers_and_zxids_or_get_a_sentence() {
        let value = |lesson: &str, beat: &str, given: Given| {
            let engine = at(lesson, beat);
            value_of(&asked(&engine, "answer").unwrap(), &given)
        };
        let number = |number| Ok(Value::Number(number));
        assert_eq!(value("zab-broadcast", "own-disk", said("1")), number(1));
        assert_eq!(value("zab-election", "newest", said("S2")), number(2));
        assert_eq!(value("zab-election", "newest", said("2")), number(2));
        assert_eq!(value("zab-election", "newest", Given::Nothing), Ok(Value::Nothing));
        let both = Ok(Value::List(vec![Value::Number(3), Value::Number(1)]));
        assert_eq!(value("zab-roles", "read", names(&["S3", "1"])), both);
        assert_eq!(value("zab-heartbeat", "dies", said("250")), number(250_000));
        assert_eq!(value("zab-zxid", "set", said("1:4")), Ok(Value::Text("1:4".into())));
        assert_eq!(value("zab-broadcast", "catch", said("900")), number(900_000));
        for (lesson, beat, given, sentence) in [
            ("zab-broadcast", "own-disk", said("9"), "a number from 1 to"),
            ("zab-broadcast", "own-disk", Given::Nothing, "a number from 1 to"),
            ("zab-election", "newest", said("S9"), "`S9` is none of S1, S2"),
            ("zab-election", "newest", names(&["S1"]), "one name"),
            ("zab-roles", "read", names(&["S1", "1"]), "`1` is there twice"),
            ("zab-heartbeat", "dies", said("soon"), "whole milliseconds"),
            ("zab-zxid", "set", said("14"), "a zxid"),
            ("zk-cli", "line", said("1"), "by doing it"),
        ] {
            let why = value(lesson, beat, given).expect_err(sentence);
            assert!(why.contains(sentence), "{lesson}: {why}");
        }
    }

    #[test]
    fn what_cannot_be_done_is_said() {
        let engine = Engine::new();
        let beat = |name: &str| BeatName(name.into());
        for said in [go_to(&engine, &beat("1")), answer(&engine, &said("1")), reveal(&engine)] {
            assert!(said.expect_err("no lesson").contains("no lesson is open"));
        }
        assert_eq!(state(&engine), Json::Null);
        assert!(open(&engine, "{\"lesson\":1}", None).expect_err("no lesson").contains("lesson: "));
        let engine = at("zab-broadcast", "own-disk");
        for name in ["nowhere", "0", "99"] {
            assert!(go_to(&engine, &beat(name)).is_err(), "{name}");
        }
        engine.change_pair(|pair| pair.act(Action::Crash { server: ServerId(1) })).unwrap();
        assert_eq!((&state(&engine)["beside"], engine.lesson_in_address()), (&json!(true), None));
        assert!(answer(&engine, &said("1")).expect_err("beside").contains("another run"));
        go_to(&engine, &beat("own-disk")).unwrap();
        assert_eq!(state(&engine)["beside"], json!(false));
        answer(&engine, &said("1")).unwrap();
    }

    #[test]
    fn a_deck_gets_page_keys_before_the_first_beat_and_behind_the_last() {
        let engine = at("zab-broadcast", "1");
        assert_eq!([true, false].map(|forth| engine.lesson_has_pages(forth)), [true, false]);
        engine.lesson_on();
        assert_eq!([true, false].map(|forth| engine.lesson_has_pages(forth)), [true, true]);
        go_to(&engine, &BeatName((engine.lesson_news().unwrap().count + 1).to_string())).unwrap();
        assert_eq!((&state(&engine)["phase"], &state(&engine)["beat"]), (&json!("over"), &Json::Null));
        assert_eq!([true, false].map(|forth| engine.lesson_has_pages(forth)), [false, true]);
        assert_eq!([true, false].map(|forth| Engine::new().lesson_has_pages(forth)), [false, false]);
    }

    #[test]
    fn a_task_in_which_something_was_done_is_shared_as_a_run() {
        let engine = at("lock-pause", "past-the-fence");
        assert_eq!(state(&engine)["phase"], json!("does"));
        assert!(engine.lesson_in_address().is_some());
        engine.change_pair(|pair| pair.act(Action::Crash { server: ServerId(1) })).unwrap();
        assert_eq!(engine.lesson_in_address(), None);
    }

    #[test]
    fn a_lesson_of_ones_own_is_shown_whatever_its_name_and_has_no_address() {
        let (id, text) = LESSONS[0];
        let title = lesson(id).unwrap().title.en.to_string();
        let own = text.replacen(&title, &format!("Mine: {title}"), 1);
        assert_ne!(own, text);
        let engine = Engine::new();
        open(&engine, &own, None).unwrap();
        assert!(engine.lesson_title(Lang::En).is_some_and(|title| title.starts_with("Mine: ")));
        assert_eq!((&state(&engine)["id"], engine.lesson_in_address()), (&json!(id), None));
        let Some(Taught::Open(shown)) = engine.taught(Lang::En) else { panic!("it is open") };
        assert!(shown.own);
    }

    #[test]
    fn an_address_can_name_each_beat_and_task() {
        for (id, _) in LESSONS {
            let lesson = lesson(id).unwrap();
            let names = lesson.beats.iter().map(|beat| &beat.id).chain(lesson.play.iter().map(|task| &task.id));
            let mut known = std::collections::BTreeSet::new();
            for name in names {
                let read = address::read(&format!("lesson={id}&beat={name}"));
                assert_eq!((read.beat.as_deref(), read.wrong), (Some(&**name), vec![]), "{id}");
                assert!(known.insert(name), "{id}: {name} is there twice");
                assert!(name.parse::<usize>().is_err(), "{id}: {name} is a number");
            }
        }
    }
}
