//! The code that Share gives, for each tool.

use super::*;
use crate::base::ServerId;
use crate::lessons::lesson;
use crate::scenarios::scenario;
use crate::share::decode;
use crate::sim::Action;
use crate::ui::dialogs::home::NOWHERE;
use crate::ui::remote::address::read;

const HOME: &str = "https://example.org/zabscope/index.html";

fn wish(opens: Opens, plays: bool) -> Wish {
    Wish { opens, controls: Controls::None, plays, lang: Some(Lang::Zh), theme: None }
}

fn herd() -> Engine {
    let engine = Engine::new();
    let given = vec![("clients".to_string(), "7".to_string())];
    engine.choose(scenario("lock-herd").unwrap(), scenario("lock-predecessor"), given, Some(9)).unwrap();
    engine.open_scene().unwrap();
    engine
}

#[test]
fn the_page_reads_an_address_as_it_was_meant() {
    let stage = Stage::of(&herd().pair(), Lang::En, false);
    let address = stage.address(HOME, &wish(Opens::At(1_500), false));
    let read = read(address.split_once('?').unwrap().1);
    assert_eq!((read.scenario.as_deref(), read.beside.as_deref()), (Some("lock-herd"), Some("lock-predecessor")));
    assert_eq!((read.given, read.seed), (vec![("clients".to_string(), "7".to_string())], Some(9)));
    assert_eq!((read.at_ms, read.turn, read.paused, read.wrong), (Some(1_500), None, true, Vec::new()));
    assert_eq!((read.controls, read.lang.as_deref(), read.theme), (Some(Controls::None), Some("zh-Hans"), None));
}

#[test]
fn each_code_is_well_formed_and_says_whether_time_runs() {
    let stage = Stage::of(&herd().pair(), Lang::En, false);
    let element = |opens, plays| stage.element(HOME, &wish(opens, plays));
    let code = element(Opens::Milestone(3), false);
    assert!(
        code.contains(" keys=\"deck\"") && code.ends_with("</a></zab-scope>") && !code.contains(" src="),
        "{code}"
    );
    let single = stage.element("https://example.org/zabscope.html", &wish(Opens::Scene, true));
    assert!(single.contains(" src=\"https://example.org/zabscope.html\""), "{single}");
    assert!(
        code.contains(" scenario=\"lock-herd\"")
            && code.contains(" params=\"clients=7\"")
            && code.contains(" step=\"3\""),
        "{code}"
    );
    let play = |code: &str| [" autoplay", " paused"].map(|word| code.contains(word));
    assert_eq!([play(&code), play(&element(Opens::At(5), true))], [[false, false], [true, false]]);
    assert_eq!(
        [play(&element(Opens::Scene, true)), play(&element(Opens::Scene, false))],
        [[false, false], [false, true]]
    );
    let frame = stage.frame(HOME, &wish(Opens::Scene, true));
    assert!(
        frame
            .starts_with("<iframe src=\"https://example.org/zabscope/index.html?embed=1&amp;scenario=lock-herd&amp;"),
        "{frame}"
    );
    assert!(!frame.contains("paused") && !frame.contains("&t="), "{frame}");
    assert_eq!(safe("a \"b\" <c> & d"), "a &quot;b&quot; &lt;c> &amp; d");
}

#[test]
fn each_tool_has_its_code_or_a_sentence() {
    let stage = Stage::of(&herd().pair(), Lang::En, false);
    let parts = stage.parts(HOME, &wish(Opens::At(1_500), false));
    assert_eq!(parts.script, "https://example.org/zabscope/zabscope-embed.js");
    assert!(parts.whole.contains("controls=full") && parts.whole.contains("t=1500"), "{}", parts.whole);
    for tool in Tool::ALL {
        let (codes, note) = (tool.codes(&parts, page(Lang::En)), tool.note(page(Lang::En)));
        assert!(!codes.is_empty() || note.is_some(), "{tool:?}");
        assert_eq!(Tool::named(tool.name()), tool);
        // what Markdown takes for one block has no empty line, and the element stands on one line
        let code: String = codes.into_iter().map(|(_, code)| code).collect();
        let lines = code.lines().filter(|line| line.contains("<zab-scope"));
        assert!(lines.clone().all(|line| line.ends_with("</zab-scope>")), "{code}");
        assert!(code.contains("example.org") || tool == Tool::Office, "{code}");
    }
    let code = |tool: Tool| tool.codes(&parts, page(Lang::En)).remove(0).1;
    assert!(code(Tool::Jupyter).contains("&scenario=lock-herd&"), "Python knows no entities");
    assert!(code(Tool::Reveal).contains("<script async src=\"https://example.org/zabscope/zabscope-embed.js\">"));
}

#[test]
fn a_notebook_has_code_that_needs_no_address() {
    let stage = Stage::of(&herd().pair(), Lang::En, false);
    let codes = |home: &str| Tool::Jupyter.codes(&stage.parts(home, &wish(Opens::At(1_500), true)), page(Lang::En));
    let widget = "from zabscope import ZabScope\nZabScope(scenario=\"lock-herd\", beside=\"lock-predecessor\", seed=\"9\", \
        params=\"clients=7\", controls=\"none\", lang=\"zh-Hans\", at=1500, autoplay=True)";
    let (there, nowhere) = (codes(HOME), codes(NOWHERE));
    assert_eq!((there.len(), there[1].1.as_str()), (2, widget));
    assert_eq!(nowhere, there[1..]);
}

#[test]
fn what_was_done_by_hand_goes_along_as_a_link() {
    let engine = herd();
    engine.change_pair(|pair| pair.act(Action::Crash { server: ServerId(1) })).unwrap();
    let stage = Stage::of(&engine.pair(), Lang::En, true);
    let address = stage.address(HOME, &wish(Opens::At(5), true));
    let moment = decode(&address).expect("a link");
    assert_eq!(moment.run.to_json(), engine.session().player().run().to_json());
    assert!(moment.look.playing && !moment.look.lecture && !address.contains("scenario="), "{address}");
    let element = stage.element(HOME, &wish(Opens::At(5), false));
    assert!(element.contains(" run=\"b4.") && !element.contains(" at=") && element.contains(" paused"), "{element}");
}

#[test]
fn a_lesson_is_named_with_its_beat() {
    let engine = Engine::new();
    engine.open_lesson(lesson("zab-broadcast").unwrap(), Some("2".into()));
    let stage = Stage::now(&engine, Lang::En, false);
    let address = stage.address(HOME, &wish(Opens::Scene, false));
    let read = read(address.split_once('?').unwrap().1);
    let beat = lesson("zab-broadcast").unwrap().beats[1].id.to_string();
    assert_eq!((read.lesson.as_deref(), read.beat, read.wrong), (Some("zab-broadcast"), Some(beat), vec![]));
    let element = stage.element(HOME, &wish(Opens::Scene, false));
    assert!(element.contains(" lesson=\"zab-broadcast\" beat=\""), "{element}");
    // what is done beside the lesson is a run like any other
    engine.change_pair(|pair| pair.act(Action::Crash { server: ServerId(1) })).unwrap();
    assert!(Stage::now(&engine, Lang::En, false).run.iter().all(|(name, _)| *name != "lesson"));
}

#[test]
fn it_may_open_now_at_each_chapter_and_at_the_last_milestone() {
    let engine = herd();
    let places = places(&engine.pair(), Lang::En);
    assert_eq!(Opens::of(&places[0].0), Opens::At(engine.session().opens().0.div_ceil(1_000)));
    assert_eq!(Opens::of(&places[1].0), Opens::Scene);
    assert_eq!(Opens::of(&places.last().unwrap().0), Opens::Milestone(engine.session().turn()));
    for opens in [Opens::At(7), Opens::Milestone(8), Opens::Scene] {
        assert_eq!(Opens::of(&opens.value()), opens);
    }
}
