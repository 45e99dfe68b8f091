//! What versions promise (docs/releasing.md): whatever stood in an address, a link, a file or a message of a release opens in every later one
//! of its major version and means the same. `tests/promise/1.0` is what that release wrote; its runs are of format 3, so today they open, play, and
//! may go otherwise. A folder is never written anew: a new minor version may add one of its own, by
//!
//!     cargo test --all-features --test integration -- --ignored write_what_this_version_promises

#[cfg(feature = "ui")]
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use zabscope::base::SimTime;
use zabscope::scenarios::scenario;
use zabscope::share::decode;
use zabscope::sim::{Player, Run};
use zabscope::timeline::Session;
#[cfg(feature = "ui")]
use zabscope::{
    base::{RuleSet, ServerId},
    lessons::{COURSES, LESSONS, Lesson},
    scenarios::SCENARIOS,
    share::{Look, Moment, Place, encode},
    sim::{Action, Rule},
    soak::soak_run,
    ui::remote::{address, messages},
};

/// How long a random run is.
const RANDOM: SimTime = SimTime::from_ms(60_000);

fn folders() -> Vec<PathBuf> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/promise");
    let mut all: Vec<_> =
        fs::read_dir(root).expect("tests/promise").filter_map(Result::ok).map(|entry| entry.path()).collect();
    all.retain(|path| path.is_dir());
    all.sort();
    assert!(!all.is_empty(), "no release has promised anything");
    all
}

/// The lines of a file in each folder, split at tabs.
fn rows(file: &str) -> Vec<Vec<String>> {
    let texts = folders().into_iter().map(|folder| fs::read_to_string(folder.join(file)).unwrap_or_default());
    let rows: Vec<Vec<String>> = texts
        .flat_map(|text| text.lines().map(|line| line.split('\t').map(String::from).collect()).collect::<Vec<_>>())
        .collect();
    assert!(rows.len() > 5, "{file}: next to nothing is promised");
    rows
}

/// Plays a run, which comes to the digest that it had, unless it is of an older format.
fn plays_as_it_did(name: &str, run: &Run, until: SimTime, then: &str) {
    let now = digest(run, until);
    assert!(now == then || run.is_older(), "{name}: {now} now, {then} when it was released");
}

fn digest(run: &Run, until: SimTime) -> String {
    let mut player = Player::new(run.clone()).expect("a valid run");
    player.run_until(until, |_, _| {});
    player.digest()
}

/// Random runs of a minute over 1 to 9 servers, three of each.
#[cfg(feature = "ui")]
fn random() -> String {
    let each = (1..=9).flat_map(|servers| (0..3).map(move |seed| (servers, seed)));
    let row = |(servers, seed)| {
        let run = soak_run(servers, seed, 1, RuleSet::default());
        let link = encode(&Moment::start(run.clone())).expect("a link");
        format!("{servers} servers, seed {seed}\t{}\t{link}\n", digest(&run, RANDOM))
    };
    each.map(row).collect()
}

/// A scene in its middle, after something was done by hand.
#[cfg(feature = "ui")]
fn shared(id: &str) -> Moment {
    let from = scenario(id).expect("a scenario");
    let mut session = Session::new(from.run(), Some(from)).expect("a valid run");
    session.seek(SimTime::from_ms(from.until_ms / 3)).expect("not far");
    let at = session.world().now;
    session.act(Action::Pause { server: ServerId(1) }).expect("there is room");
    let run = Run::clone(session.player().run());
    Moment {
        run,
        place: Place { events: session.events(), cursor_us: at.0 },
        look: session.look(Look::default()),
        beside: None,
    }
}

#[test]
fn every_link_opens_at_its_moment() {
    for row in rows("links.tsv") {
        let [name, link, events, digest] = &row[..] else { panic!("{row:?}") };
        let moment = decode(link).unwrap_or_else(|error| panic!("{name}: {error:?}"));
        let mut session =
            Session::new(scenario("cold-start-3").expect("a scenario").run(), None).expect("a valid run");
        session.open(&moment).unwrap_or_else(|error| panic!("{name}: {error}"));
        let (place, found) = (session.place(), (session.events().to_string(), session.player().digest()));
        match moment.run.is_older() {
            true => assert_eq!(place.cursor_us, moment.place.cursor_us, "{name}"),
            false => assert_eq!(found, (events.clone(), digest.clone()), "{name}"),
        }
    }
}

#[test]
fn every_run_plays_as_it_did() {
    for row in rows("runs.tsv") {
        let [name, until_ms, digest_then, text] = &row[..] else { panic!("{row:?}") };
        let run = Run::from_json(text).unwrap_or_else(|error| panic!("{name}: {error}"));
        plays_as_it_did(name, &run, SimTime::from_ms(until_ms.parse().expect("a time")), digest_then);
    }
}

/// Random runs with clients, recipes and faults go where no scenario does.
#[test]
fn every_random_run_plays_as_it_did() {
    for row in rows("random.tsv") {
        let [name, digest_then, link] = &row[..] else { panic!("{row:?}") };
        let run = decode(link).unwrap_or_else(|error| panic!("{name}: {error:?}")).run;
        plays_as_it_did(name, &run, RANDOM, digest_then);
    }
}

#[cfg(feature = "ui")]
#[test]
fn every_name_in_an_address_still_means_something() {
    for row in rows("addresses.tsv") {
        let wishes = address::read(&row[0]);
        assert_eq!(wishes.wrong, [], "{}", row[0]);
        if let (Some(lesson), Some(beat)) = (&wishes.lesson, &wishes.beat) {
            let text =
                LESSONS.iter().find(|(known, _)| known == lesson).unwrap_or_else(|| panic!("no lesson {lesson}")).1;
            let lesson = Lesson::from_json(text).expect("a lesson");
            assert!(lesson.place_of(beat).is_some(), "{}: no beat {beat}", row[0]);
        }
        if let Some(name) = &wishes.course {
            assert!(COURSES.iter().any(|(known, _)| known == name), "no course {name}");
        }
        if let Some(from) = wishes.scenario.as_deref().and_then(scenario) {
            from.run_with(&wishes.given).unwrap_or_else(|error| panic!("{}: {error}", row[0]));
        }
    }
}

#[cfg(feature = "ui")]
#[test]
fn every_message_is_understood() {
    for row in rows("messages.tsv") {
        messages::read(&row[0]).unwrap_or_else(|wrong| panic!("{}: {}", row[0], wrong.why));
    }
}

#[cfg(feature = "ui")]
fn addresses() -> String {
    let mut lines: Vec<String> =
        SCENARIOS.iter().map(|one| format!("?scenario={}&seed=7&t=900&paused=1", one.id)).collect();
    for scene in SCENARIOS {
        lines.extend(
            scene.params().iter().map(|param| format!("?scenario={}&{}={}", scene.id, param.name, param.default)),
        );
    }
    lines.extend(Rule::all().map(|rule| format!("?rule={}", rule.name())));
    for (id, text) in LESSONS {
        let lesson = Lesson::from_json(text).expect("a lesson");
        lines.extend(lesson.beats.iter().map(|beat| format!("?lesson={id}&beat={}", beat.id)));
    }
    lines.extend(COURSES.iter().map(|(id, _)| format!("?course={id}&part=1")));
    lines.extend(["logs", "znodes", "properties", "search"].map(|name| format!("?panel={name}")));
    lines.extend(
        [
            "?lang=zh-Hant&theme=dark&lecture=1",
            "?embed=1&controls=none&keys=deck&speed=1/30&step=4",
            "?beside=lock-predecessor&cast=ensemble",
        ]
        .map(String::from),
    );
    lines.join("\n") + "\n"
}

#[cfg(feature = "ui")]
#[test]
#[ignore = "writes what a release promises; never over what one has promised"]
fn write_what_this_version_promises() {
    let version = env!("CARGO_PKG_VERSION").rsplit_once('.').expect("a version").0;
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/promise").join(version);
    assert!(!folder.exists(), "{version} has promised already: {}", folder.display());
    fs::create_dir(&folder).expect("a folder");
    let (mut links, mut runs) = (String::new(), String::new());
    for scene in SCENARIOS {
        let moment = shared(scene.id);
        let link = encode(&moment).expect("a link");
        let mut session = Session::new(scene.run(), None).expect("a valid run");
        session.open(&decode(&link).expect("our own")).expect("it opens");
        let _ = writeln!(links, "{}\t{link}\t{}\t{}", scene.id, session.events(), session.player().digest());
        let until = SimTime::from_ms(scene.until_ms);
        let _ = writeln!(
            runs,
            "{}\t{}\t{}\t{}",
            scene.id,
            scene.until_ms,
            digest(&scene.run(), until),
            scene.run().to_json()
        );
    }
    let said = crate::messages::SAID.join("\n") + "\n";
    for (name, text) in [
        ("links.tsv", links),
        ("runs.tsv", runs),
        ("random.tsv", random()),
        ("addresses.tsv", addresses()),
        ("messages.tsv", said),
    ] {
        fs::write(folder.join(name), text).expect("a file");
    }
}
