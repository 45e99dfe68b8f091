//! Damaged and hostile messages from a page around ours: a sentence, or a command that can be obeyed; never a panic.

use zabscope::base::{Prng, SimTime, Stream};
use zabscope::explore::prepared;
use zabscope::scenarios::scenario;
use zabscope::timeline::Session;
use zabscope::timeline::milestones as turns;
use zabscope::ui::remote::address as query;
use zabscope::ui::remote::messages::{Command, Loaded, MAX_MESSAGE_BYTES, Moment, read};

/// One of each kind, with most of what it may carry.
pub(crate) const SAID: [&str; 22] = [
    r#"{"zabscope":1,"id":1,"do":"hello","facts":"all"}"#,
    r#"{"zabscope":1,"id":2,"do":"play"}"#,
    r#"{"zabscope":1,"do":"pause"}"#,
    r#"{"zabscope":1,"id":3,"do":"step","count":12,"by":"event"}"#,
    r#"{"zabscope":1,"id":4,"do":"step_back","count":2,"by":"turn"}"#,
    r#"{"zabscope":1,"id":5,"do":"seek","ms":1200}"#,
    r#"{"zabscope":1,"id":6,"do":"seek","turn":4}"#,
    r#"{"zabscope":1,"id":7,"do":"act","action":{"do":"crash","server":2}}"#,
    r#"{"zabscope":1,"id":8,"do":"act","action":{"do":"write","server":1,"data":"x","count":3,"every_us":5000}}"#,
    r#"{"zabscope":1,"id":9,"do":"load","scenario":"lock-herd","beside":"lock-predecessor","params":"clients=5&hold_ms=20","seed":7,"turn":3,"play":false}"#,
    r#"{"zabscope":1,"id":10,"do":"load","run":{"version":4,"seed":7,"setup":{"voters":5},"actions":[{"at_us":900000,"do":"crash","server":5}]},"ms":900}"#,
    r##"{"zabscope":1,"id":11,"do":"load","link":"#z1.AbC-_09~x","play":true}"##,
    r#"{"zabscope":1,"id":12,"do":"set","lang":"zh","theme":"dark","panel":"znodes","speed":"1/30","controls":"minimal","keys":"deck"}"#,
    r#"{"zabscope":1,"id":13,"do":"shown","on":false}"#,
    r#"{"zabscope":1,"id":14,"do":"state"}"#,
    r#"{"zabscope":1,"id":15,"do":"facts","since":120}"#,
    r#"{"zabscope":1,"id":16,"do":"load","lesson":"zab-broadcast","beat":"catch"}"#,
    r#"{"zabscope":1,"id":17,"do":"beat","beat":2}"#,
    r#"{"zabscope":1,"id":18,"do":"answer","value":["S2",1,"1:4"]}"#,
    r#"{"zabscope":1,"id":19,"do":"reveal"}"#,
    r#"{"zabscope":1,"id":20,"do":"load","rule":"ZOOKEEPER-3911","ms":900}"#,
    r#"{"zabscope":1,"id":21,"do":"link"}"#,
];

/// Obeys a message as the page does, where that takes no browser; long ways are cut short. Whether it was understood.
pub(crate) fn feed(session: &mut Session, text: &str) -> bool {
    let message = match read(text) {
        Ok(message) => message,
        Err(wrong) => {
            assert!(!wrong.why.is_empty() && wrong.why.len() < 2_000, "{}", wrong.why);
            return false;
        }
    };
    // what cannot be done is a sentence too
    let _ = match message.command {
        Command::Act(action) => session.act(*action),
        Command::Step { count, back: true, turns: true } => turns::back(session, count),
        Command::Step { count, back: true, .. } => session.seek_event(session.events().saturating_sub(count)),
        Command::Step { count, turns: true, .. } => turns::forth(session, count.min(20)),
        Command::Step { count, .. } => {
            session.step(count.min(200));
            Ok(())
        }
        Command::Seek(Moment::At(at)) => session.seek(at.min(SimTime::from_ms(300))),
        Command::Seek(Moment::Milestone(turn)) => session.seek_turn(turn.min(20)),
        Command::Load(load) => match load.what {
            Loaded::Run(run) => session.load(*run, None),
            Loaded::Scenario { scenario, given, .. } => {
                scenario.run_with(&given).and_then(|(run, _)| session.load(run, Some(scenario)))
            }
            Loaded::Rule(rule) => session.load(prepared(rule).expect("each rule has a run").run.clone(), None),
            Loaded::Link(_) | Loaded::Lesson { .. } => Ok(()),
        },
        _ => Ok(()),
    };
    true
}

/// A fresh run now and then: what was done to it would grow without end.
pub(crate) fn session() -> Session {
    let first = scenario("cold-start-3");
    Session::new(first.expect("a scenario").run(), first).expect("a valid run")
}

#[test]
fn each_kind_is_understood_as_it_is() {
    let mut session = session();
    for text in SAID {
        assert!(feed(&mut session, text), "{text}: {:?}", read(text));
    }
}

#[test]
fn mutated_messages_never_panic() {
    let mut prng = Prng::new(5, Stream::Faults);
    let alphabet: Vec<char> = "0123456789-eE.,:{}[]\"atrue nulcrswi#&=/\u{7}\u{1f600}".chars().collect();
    let mut pick = |below: usize| prng.below(below as u32) as usize;
    const ROUNDS: usize = 1_250;
    let (mut obeyed, mut refused) = (0, 0);
    for _ in 0..ROUNDS {
        let mut session = session();
        for said in SAID {
            let mut text: Vec<char> = said.chars().collect();
            for _ in 0..=pick(3) {
                let (at, new) = (pick(text.len()), alphabet[pick(alphabet.len())]);
                match pick(8) {
                    // another number, which may well be obeyed
                    5.. => {
                        let digits: Vec<usize> = (0..text.len()).filter(|&at| text[at].is_ascii_digit()).collect();
                        if let Some(&at) = digits.get(1 + pick(digits.len().max(1))) {
                            text[at] = alphabet[pick(10)];
                        }
                    }
                    0 => text[at] = new,
                    1 => text.insert(at, new),
                    2 if text.len() > 1 => drop(text.remove(at)),
                    3 => text.truncate(at + 2),
                    // a piece of another message
                    _ => {
                        let other: Vec<char> = SAID[pick(SAID.len())].chars().collect();
                        let from = pick(other.len());
                        text.splice(at..at, other[from..(from + pick(30)).min(other.len())].iter().copied());
                    }
                }
            }
            let understood = feed(&mut session, &text.into_iter().collect::<String>());
            *(if understood { &mut obeyed } else { &mut refused }) += 1;
        }
    }
    assert_eq!(obeyed + refused, SAID.len() * ROUNDS);
    assert!(obeyed > 500 && refused > 10_000, "some of them are still messages: {obeyed} of {}", obeyed + refused);
}

#[test]
fn extreme_messages_are_refused_in_words() {
    let mut session = session();
    let nested = format!(r#"{{"zabscope":1,"do":{}}}"#, "[".repeat(200_000));
    let many = format!(r#"{{"zabscope":1,{}"do":"play"}}"#, "\"a\":1,".repeat(100_000));
    let fields: String = (0..100_000).map(|number| format!("\"f{number}\":1,")).collect();
    let fields = format!(r#"{{"zabscope":1,{fields}"do":"play"}}"#);
    let link = format!(r#"{{"zabscope":1,"do":"load","link":"{}"}}"#, "a".repeat(300_000));
    let params =
        format!(r#"{{"zabscope":1,"do":"load","scenario":"lock-herd","params":"{}"}}"#, "a=b&".repeat(100_000));
    let long = "x".repeat(MAX_MESSAGE_BYTES + 1);
    for text in [nested.as_str(), &many, &fields, &link, &long, "slide:", "\u{0}", "null", "{}", "1e999"] {
        assert!(!feed(&mut session, text), "{:.60}", text);
    }
    feed(&mut session, &params);
    // addresses are read by the same rooms
    let mut prng = Prng::new(6, Stream::Faults);
    let good =
        "embed=1&controls=none&panel=znodes&speed=1/30&step=4&keys=deck&scenario=lock-herd&clients=5&seed=7&t=99";
    let alphabet: Vec<char> = "0123456789-&=?%/#a\u{1f600}".chars().collect();
    for _ in 0..10_000 {
        let mut text: Vec<char> = good.chars().collect();
        for _ in 0..4 {
            let at = prng.below(text.len() as u32) as usize;
            text[at] = alphabet[prng.below(alphabet.len() as u32) as usize];
        }
        for (name, value) in query::read(&text.into_iter().collect::<String>()).wrong {
            assert!(name.len() < 400 && value.chars().count() <= 40);
        }
    }
}
