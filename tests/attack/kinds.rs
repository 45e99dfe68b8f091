//! What is attacked: where right texts come from, and what is done with a changed one, as the page or the command line does it.

use std::fs;
use std::hash::Hasher;
use std::path::Path;

use base64ct::{Base64UrlUnpadded, Encoding};
use siphasher::sip::SipHasher24;

use zabscope::base::{ServerId, SimTime};
use zabscope::check::Checker;
use zabscope::conform::Recording;
use zabscope::console::{self, Known};
use zabscope::explore::{Goal, Question, Report, Search};
use zabscope::lessons::{Assignment, COURSES, Course, LESSONS, Lesson};
use zabscope::scenarios::{SCENARIOS, scenario};
use zabscope::share::{self, Moment};
use zabscope::sim::{FORMAT_VERSION, Fact, Player, Run, WorldFact, read_fact};
use zabscope::soak::soak_run;
use zabscope::timeline::Session;
use zabscope::ui::remote::address;

use super::mutate::Form;
use crate::messages;

/// A way into the program.
pub struct Kind {
    pub name: &'static str,
    pub form: Form,
    /// Texts that are right.
    pub corpus: Vec<String>,
    /// Takes a text in; the sentence by which it is refused.
    pub strike: fn(&str) -> Result<(), String>,
}

/// Makes one.
pub type Make = fn() -> Kind;

/// All of them, by name. A corpus takes a moment to make.
pub const KINDS: &[(&str, Make)] = &[
    ("runs", runs),
    ("links", links),
    ("texts", texts),
    ("addresses", addresses),
    ("messages", messages),
    ("lines", lines),
    ("lessons", lessons),
    ("courses", courses),
    ("assignments", assignments),
    ("facts", facts),
    ("questions", questions),
    ("reports", reports),
    ("recordings", recordings),
];

/// Steps of what is accepted: enough for everything in it to begin.
const STEPS: u32 = 300;

fn said(error: impl std::fmt::Display) -> String {
    error.to_string()
}

fn some_runs() -> Vec<Run> {
    let scenes = SCENARIOS.iter().map(|scene| scene.run()).filter(|run| run.to_json().len() < 20_000);
    scenes.chain((1..8).map(|seed| soak_run(1 + (seed % 5) as u8, seed, 1, Default::default()))).collect()
}

/// Plays the beginning and what its actions begin, under the eyes of the checker.
fn play(run: Run) {
    let mut checker = Checker::new(&run.setup);
    let mut player = Player::new(run).expect("a run that was read was checked");
    for _ in 0..STEPS {
        let Some(records) = player.step() else { break };
        for record in records {
            let _ = checker.read(record);
        }
    }
}

fn runs() -> Kind {
    let corpus = some_runs().iter().map(Run::to_json).collect();
    let strike = |text: &str| Run::from_json(text).map(play).map_err(said);
    Kind { name: "runs", form: Form::Json, corpus, strike }
}

/// Opens a moment as the page does. The way to it may be long, and is cut short.
fn open(mut moment: Moment) -> Result<(), String> {
    moment.place.events %= 2_000;
    let mut session = Session::new(scenario("cold-start-3").expect("a scenario").run(), None).map_err(said)?;
    session.open(&moment).map_err(said)?;
    session.step(20);
    Ok(())
}

/// What a link holds behind its check, sealed again: whatever was changed in it is read.
fn sealed(text: &str) -> String {
    let Some(body) = text.split_once('.').and_then(|(_, body)| Base64UrlUnpadded::decode_vec(body).ok()) else {
        return text.into();
    };
    let Some((_, stream)) = body.split_at_checked(4) else { return text.into() };
    let mut hasher = SipHasher24::new();
    hasher.write(&FORMAT_VERSION.to_le_bytes());
    hasher.write(stream);
    let bytes = [&hasher.finish().to_le_bytes()[..4], stream].concat();
    format!("b{FORMAT_VERSION}.{}", Base64UrlUnpadded::encode_string(&bytes))
}

fn some_links() -> Vec<String> {
    let short = some_runs().into_iter().filter(|run| run.actions.len() < 60).take(40);
    short.map(|run| share::encode(&Moment::start(run)).expect("a link")).collect()
}

fn links() -> Kind {
    let strike = |text: &str| {
        let plain = share::decode(text).map_err(|error| format!("{error:?}")).and_then(open);
        let again = share::decode(&sealed(text)).map_err(|error| format!("{error:?}")).and_then(open);
        plain.or(again)
    };
    Kind { name: "links", form: Form::Plain, corpus: some_links(), strike }
}

fn texts() -> Kind {
    let corpus =
        some_links().into_iter().map(|link| format!("Look at <https://example.org/z/?lang=en#{link}>!\n")).collect();
    let strike = |text: &str| share::open(text).map_err(|error| format!("{error:?}")).and_then(open);
    Kind { name: "texts", form: Form::Plain, corpus, strike }
}

fn addresses() -> Kind {
    let given = [
        "?scenario=lock-herd&clients=50&hold_ms=50&seed=7&t=900&paused=1&lang=zh-CN&theme=dark",
        "?lesson=zab-broadcast&beat=who&embed=1&keys=deck&controls=minimal&speed=1/10&panel=znodes&step=3",
        "?rule=commit-at-minority&lecture=1&cast=ensemble&course=zab-lecture&part=3&beside=lock-predecessor",
    ];
    let strike = |text: &str| {
        let wishes = address::read(text);
        let from = wishes.scenario.as_deref().and_then(scenario);
        if let Some(from) = from {
            from.run_with(&wishes.given).map(|(run, _)| play(run)).map_err(said)?;
        }
        match wishes.wrong.first() {
            None => Ok(()),
            Some((name, value)) => Err(format!("{name}={value}")),
        }
    };
    Kind { name: "addresses", form: Form::Plain, corpus: given.map(String::from).to_vec(), strike }
}

fn messages() -> Kind {
    let strike = |text: &str| match messages::feed(&mut messages::session(), text) {
        true => Ok(()),
        false => Err("refused in a sentence, which `feed` has looked at".into()),
    };
    Kind { name: "messages", form: Form::Json, corpus: messages::SAID.map(String::from).to_vec(), strike }
}

fn lines() -> Kind {
    let given = [
        "create -e -s /a/b- x digest:u:p:cdrwa",
        "ls -R -s /zookeeper",
        "get -w /a",
        "set -v 3 /a z",
        "deleteall -b 10 /a",
        "setAcl -R /a world:anyone:r,auth::cdrwa",
        "setquota -N 5 /a",
        "addWatch -m PERSISTENT_RECURSIVE /a",
        "reconfig -add server.4=S4:2888:3888:participant;2181",
        "create -t 500 /ttl data",
    ];
    let strike = |text: &str| {
        let (servers, version) = (&[ServerId(1), ServerId(2)], Default::default());
        let known = Known { children: &|_| vec!["a".into(), "é".into()], servers, version };
        for cursor in [0, text.len() / 2, text.len(), usize::MAX] {
            console::complete(text, cursor, &known);
        }
        console::parse(text).map(drop).map_err(|error| format!("{error:?}"))
    };
    Kind { name: "lines", form: Form::Plain, corpus: given.map(String::from).to_vec(), strike }
}

fn lessons() -> Kind {
    let corpus = LESSONS.iter().map(|(_, text)| text.to_string()).collect();
    Kind { name: "lessons", form: Form::Json, corpus, strike: |text| Lesson::from_json(text).map(drop).map_err(said) }
}

fn courses() -> Kind {
    let corpus = COURSES.iter().map(|(_, text)| text.to_string()).collect();
    let strike = |text: &str| Course::from_json(text).map(drop).map_err(|error| format!("{error:?}"));
    Kind { name: "courses", form: Form::Json, corpus, strike }
}

fn assignments() -> Kind {
    let given = r#"{"assignment": 1, "title": "Lab 3", "tasks": [
        {"lesson": "lock-pause", "task": "past-the-fence"},
        {"id": "next-leader", "most": 2,
         "start": {"scenario": "cold-start-3", "set": ["seed=7"], "until_ms": 8000,
                   "names": {"L": {"server": ["field", "established", "server"]}}},
         "goal": ["happens", ["next", "crashed server={L}", "established"]]}]}"#;
    let strike = |text: &str| Assignment::from_json(text).map(drop).map_err(said);
    Kind { name: "assignments", form: Form::Json, corpus: vec![given.into()], strike }
}

/// Judges lines as `zabscope check` does.
fn judged(text: &str) -> Result<(), String> {
    let mut checker = None;
    for line in text.lines() {
        let Some(record) = read_fact(line).map_err(said)? else { continue };
        match (&mut checker, &record.fact) {
            (None, Fact::World(WorldFact::Began { setup, .. })) => {
                if !setup.systems.is_empty() {
                    return Err("facts of other systems than ZooKeeper are not read back".into());
                }
                checker = Some(Checker::with_second_store(setup));
            }
            (None, _) => return Err("the facts of a run begin with `began`".into()),
            (Some(checker), _) => drop(checker.read(&record)),
        }
    }
    checker.map(drop).ok_or_else(|| "there are no facts".into())
}

fn facts() -> Kind {
    let told = |run: Run| {
        let mut player = Player::new(run).expect("a valid run");
        let mut text = String::new();
        player.run_until(SimTime::from_ms(1_500), |_, records| {
            for record in records {
                text.push_str(&serde_json::to_string(record).expect("a fact is JSON"));
                text.push('\n');
            }
        });
        text
    };
    let corpus = ["cold-start-3", "leader-crash-under-load", "lock-herd"];
    let corpus = corpus.iter().filter_map(|id| scenario(id)).map(|scene| told(scene.run())).collect();
    Kind { name: "facts", form: Form::Plain, corpus, strike: judged }
}

fn a_question() -> Question {
    Question::new(scenario("cold-start-3").expect("a scenario").run(), Goal::Any, 40)
}

fn questions() -> Kind {
    let strike = |text: &str| {
        let question = Question::from_json(text).map_err(said)?;
        // what the page's worker does with it, for a moment
        if question.run.actions.len() < 100 && question.check().is_ok() {
            Search::new(question).step(2_000);
        }
        Ok(())
    };
    Kind { name: "questions", form: Form::Json, corpus: vec![a_question().to_json()], strike }
}

fn reports() -> Kind {
    let mut search = Search::new(a_question());
    search.step(20_000);
    let corpus = vec![Report::of(&search).to_json()];
    Kind { name: "reports", form: Form::Json, corpus, strike: |text| Report::from_json(text).map(drop).map_err(said) }
}

fn recordings() -> Kind {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let folders = ["conformance", "recipes_recorded", "ensemble"];
    let files = folders.iter().flat_map(|folder| {
        let listed = fs::read_dir(root.join(folder)).expect("recordings lie there");
        let mut paths: Vec<_> = listed.filter_map(Result::ok).map(|entry| entry.path()).collect();
        paths.sort();
        paths.into_iter().filter(|path| path.extension().is_some_and(|end| end == "json")).take(12)
    });
    let corpus =
        files.map(|path| fs::read_to_string(path).expect("a recording")).filter(|text| text.len() < 60_000).collect();
    let strike = |text: &str| Recording::from_json(text).map(drop).map_err(said);
    Kind { name: "recordings", form: Form::Json, corpus, strike }
}
