//! The teacher's pack (`docs/teaching`, `docs/slides/lecture`): its links lead somewhere, both languages say the same, its lab can be
//! graded, its times add up, and its traces are those of the runs that they are taken from.

use std::collections::BTreeSet;
use std::fs;

use zabscope::base::SimTime;
use zabscope::explore::prepared;
use zabscope::lessons::{Assignment, course, lesson};
use zabscope::scenarios::{Scenario, scenario};
use zabscope::sim::{Player, Rule};

/// How many of the exam's first questions show a trace of the run that the answer links to.
const TRACES: usize = 5;

fn read(path: &str) -> String {
    let path = format!("{}/{path}", env!("CARGO_MANIFEST_DIR"));
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn sheet(name: &str, lang: &str) -> String {
    read(&format!("docs/teaching/{name}.{lang}.html"))
}

/// What the links of a sheet ask the page for, in turn, their language left out; each must be printed as it is.
fn links(name: &str, lang: &str) -> Vec<String> {
    let text = sheet(name, lang);
    let language = format!("&amp;lang={lang}");
    let asked = text.split("<a href=\"").skip(1).map(|link| {
        let (address, rest) = link.split_once("\">").expect("an address ends");
        let (printed, _) = rest.split_once("</a>").expect("a link ends");
        let wish = address.strip_prefix("../zabscope.html").and_then(|wish| wish.strip_suffix(&language));
        assert_eq!(Some(printed), wish, "{name}.{lang}: {address}");
        printed.trim_start_matches('?').replace("&amp;", "&")
    });
    asked.collect()
}

/// What stands between these two, each time.
fn between<'a>(text: &'a str, from: &'a str, to: &'a str) -> impl Iterator<Item = &'a str> {
    text.split(from).skip(1).filter_map(move |rest| Some(rest.split_once(to)?.0))
}

/// Whether the page finds all that a link names.
fn leads_somewhere(wish: &str) -> bool {
    let value = |name: &str| wish.split('&').find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='));
    let number = |name: &str| value(name).map_or(Some(1), |number| number.parse::<u64>().ok());
    match (value("lesson"), value("course"), value("scenario"), value("rule")) {
        (Some(id), None, None, None) => {
            lesson(id).is_some_and(|lesson| value("beat").is_none_or(|beat| lesson.place_of(beat).is_some()))
        }
        (None, Some(id), None, None) => course(id)
            .zip(number("part"))
            .is_some_and(|(course, part)| (1..=course.parts.len() as u64).contains(&part)),
        (None, None, Some(id), None) => {
            let beside = value("beside").is_none_or(|other| scenario(other).is_some());
            beside && scenario(id).zip(number("t")).is_some_and(|(scenario, at)| at <= scenario.until_ms)
        }
        (None, None, None, Some(name)) => Rule::named(name).and_then(prepared).is_some(),
        _ => false,
    }
}

#[test]
fn links_lead_somewhere_and_are_the_same_in_both_languages() {
    for name in ["lab", "exam"] {
        let asked = links(name, "en");
        assert!(asked.len() >= 20, "{name}");
        for wish in &asked {
            assert!(leads_somewhere(wish), "{name}: {wish}");
        }
        assert_eq!(asked, links(name, "zh"), "{name}");
    }
    for lost in ["lesson=zab-zxid&beat=never", "scenario=never", "rule=never", "course=locks-lab&part=99", "t=1"] {
        assert!(!leads_somewhere(lost), "{lost}");
    }
}

#[test]
fn the_lab_can_be_graded_and_takes_two_hours() {
    let assignment = Assignment::from_json(&read("docs/teaching/lab.json")).expect("an assignment");
    let tasks: Vec<&str> = assignment.tasks.iter().map(|task| &*task.id).collect();
    let asked = links("lab", "en");
    let linked: Vec<&str> = asked.iter().filter_map(|wish| Some(wish.split_once("&beat=")?.1)).collect();
    assert_eq!(linked, tasks);
    assert!(assignment.tasks.iter().all(|task| !task.is_done_by_nobody()));
    let lab = course("locks-lab").expect("a course");
    for (lang, before, after) in [("en", " (at most ", " deeds)"), ("zh", "（至多 ", " 步）")] {
        let text = sheet("lab", lang);
        for task in &assignment.tasks {
            let most = format!("<code>{}</code></b>{before}{}{after}", task.id, task.most);
            assert!(text.contains(&most), "{lang}: {most}");
        }
        let mut from = 0;
        for (part, span) in lab.parts.iter().zip(between(&text, "<h2><b>", "</h2>")) {
            let to = from + u32::from(part.minutes);
            assert!(span.contains(&format!("<small>{from}–{to} ")), "{lang}: {}: {span}", part.lesson);
            from = to;
        }
        assert_eq!(from, 120);
    }
}

#[test]
fn the_lecture_takes_ninety_minutes_and_each_of_its_slides_has_a_note() {
    let course = course("zab-lecture").expect("a course");
    assert_eq!(course.minutes(), 90);
    assert!(course.parts.iter().all(|part| part.note.is_some()));
    let deck = read("docs/slides/lecture/deck.js");
    assert!(deck.contains("json(\"courses/zab-lecture\")") && deck.contains("part.note?.[lang]"));
    // where it finds the lessons, seen from its folder
    let lessons = "crates/stories/src/lessons/";
    assert!(deck.contains(&format!("../../../{lessons}$")));
    read(&format!("{lessons}courses/zab-lecture.json"));
    // what scripts/teaching puts in the place of others
    let page = read("docs/slides/lecture/index.html");
    for replaced in ["../../../target/slides/node_modules/", "../../../dist/", "<script defer src=\"deck.js\">"] {
        assert!(page.contains(replaced), "{replaced}");
    }
}

/// The moments of a run at which something happens, to the nearest millisecond.
fn moments(scenario: &Scenario) -> BTreeSet<u64> {
    let mut player = Player::new(scenario.run()).expect("a run that can be played");
    let mut moments = BTreeSet::new();
    player.run_until(SimTime::from_ms(scenario.until_ms), |_, records| {
        moments.extend(records.iter().map(|record| record.at_us.plus(500).as_ms()));
    });
    moments
}

#[test]
fn the_exam_has_enough_points_and_its_traces_are_those_of_their_runs() {
    let links = links("exam", "en");
    for lang in ["en", "zh"] {
        let text = sheet("exam", lang);
        let points: Vec<u32> = between(&text, "<small>", "</small>")
            .map(|points| points.split(' ').next().unwrap_or_default().parse().expect("points"))
            .collect();
        let (asked, answered) = points.split_at(points.len() / 2);
        assert_eq!(asked, answered, "{lang}: questions, and answers");
        assert!(asked.len() >= 20 && asked.iter().sum::<u32>() == 100, "{lang}");
        for (trace, link) in between(&text, "<table class=\"trace\">", "</table>").zip(&links).take(TRACES) {
            let id = link.trim_start_matches("scenario=").split('&').next().unwrap_or_default();
            let moments = moments(scenario(id).unwrap_or_else(|| panic!("{lang}: {link}")));
            let told: Vec<u64> = between(trace, "<th>", "</th>")
                .flat_map(|row| row.split([',', ' ', '…']))
                .filter_map(|moment| moment.parse().ok())
                .collect();
            assert!(told.len() > 4 && told.iter().all(|at| moments.contains(at)), "{lang}: {link}: {told:?}");
        }
    }
}
