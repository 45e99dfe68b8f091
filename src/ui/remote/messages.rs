//! What a page around this one may say to it, read from the text of a message: a command, or a sentence about what is wrong.
//! Documented in `docs/embedding.md`. A message is text and not an object, because the size of a text is known before any work
//! is done: an object may be small and yet stand for more than fits into memory.

mod load;

use crate::base::SimTime;
use crate::base::json::{Fields, Json, ReadError, ValueError, out_of_range};
use crate::base::limits::{MAX_RUN_BYTES, MAX_TIME_MS};
use crate::sim::Action;

use crate::timeline::pace::speed_named;
use crate::ui::page::controls::Controls;
use crate::ui::page::panel::Panel;
use crate::ui::remote::address::is_spoken;
use crate::ui::remote::lesson_input::{BeatName, Given};

use load::load;
pub use load::{Load, Loaded, MAX_LINK_BYTES};

/// The version of the protocol: the value of `zabscope` in every message.
pub const PROTOCOL: u64 = 1;
/// Longest message, bytes: a run and what stands around it.
pub const MAX_MESSAGE_BYTES: usize = MAX_RUN_BYTES + (64 << 10);
/// Most events that one command steps.
const MAX_EVENTS: u64 = 1_000_000;
/// Most turning points that one command passes.
const MAX_TURNS: u64 = 10_000;
/// The highest `id`: the largest whole number that every browser can hold.
const MAX_ID: u64 = (1 << 53) - 1;

/// What was said.
#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    /// The number under which an answer is wanted.
    pub id: Option<u64>,
    /// What is to be done.
    pub command: Command,
}

/// A message that was not understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrong {
    /// Its number, as far as that was understood.
    pub id: Option<u64>,
    /// What is wrong, in a sentence.
    pub why: String,
}

/// What is to be done.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// The host is there and wants to hear of facts.
    Hello {
        /// Of which.
        facts: Telling,
    },
    /// Time runs, or stands.
    Play(bool),
    /// So many steps forth or, below 0, back.
    Step {
        /// How many.
        count: u64,
        /// Back.
        back: bool,
        /// Turning points, not events.
        turns: bool,
    },
    /// To a moment.
    Seek(Moment),
    /// Something is done to the ensemble.
    Act(Box<Action>),
    /// Another run.
    Load(Box<Load>),
    /// Another look.
    Set(Box<Look>),
    /// Whether the host shows the frame.
    Shown(bool),
    /// The state is asked for.
    State,
    /// A link to the moment is asked for.
    Link,
    /// Facts are asked for, from this number on.
    Facts(u64),
    /// To a beat of the lesson.
    Beat(BeatName),
    /// The lesson's question is answered.
    Answer(Given),
    /// What happens is shown without an answer.
    Reveal,
}

/// Which facts the host hears of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Telling {
    /// None.
    None,
    /// Those that narration tells.
    #[default]
    Told,
    /// All.
    All,
}

/// A moment of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// A time.
    At(SimTime),
    /// The turning point with this number; 0 is the beginning.
    Milestone(u64),
}

/// How the page looks; what is not said stays.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Look {
    /// The language's tag.
    pub lang: Option<String>,
    /// `light`, `dark` or `auto`.
    pub theme: Option<String>,
    /// The name of a panel, or `none`.
    pub panel: Option<String>,
    /// A speed: an index into [`crate::timeline::pace::SPEEDS`].
    pub speed: Option<usize>,
    /// How much there is around the stage.
    pub controls: Option<Controls>,
    /// Keys that turn slides are handed to the host.
    pub deck_keys: Option<bool>,
}

/// Reads a message.
///
/// # Errors
/// It is too long, no JSON, of another version, or asks for what is not there.
pub fn read(text: &str) -> Result<Message, Wrong> {
    let wrong = |id, why: String| Wrong { id, why };
    if text.len() > MAX_MESSAGE_BYTES {
        let why = format!("a message has at most {MAX_MESSAGE_BYTES} bytes; this has {}", text.len());
        return Err(wrong(None, why));
    }
    let mut fields =
        Json::parse(text).and_then(Json::fields).map_err(|read_error| wrong(None, read_error.to_string()))?;
    let version = fields.need::<u64>("zabscope").map_err(|read_error| wrong(None, read_error.to_string()))?;
    if version != PROTOCOL {
        let why = format!("zabscope: this is version {version} of the protocol, and this page speaks {PROTOCOL}");
        return Err(wrong(None, why));
    }
    let id = fields.or::<Option<u64>>("id", None).map_err(|read_error| wrong(None, read_error.to_string()))?;
    if id.is_some_and(|id| id > MAX_ID) {
        return Err(wrong(None, format!("id: a whole number from 0 to {MAX_ID} is wanted")));
    }
    let command = command(fields).map_err(|read_error| wrong(id, read_error.to_string()))?;
    Ok(Message { id, command })
}

/// A moment is named in one way.
const MOMENT: ValueError = ValueError::OneOf { fields: &["ms", "turn"] };

fn command(mut from: Fields) -> Result<Command, ReadError> {
    let name: String = from.need("do")?;
    let command = match name.as_str() {
        "hello" => Command::Hello { facts: telling(&mut from)? },
        "play" => Command::Play(true),
        "pause" => Command::Play(false),
        "step" | "step_back" => step(&mut from, name == "step_back")?,
        "seek" => Command::Seek(moment(&mut from)?.ok_or_else(|| ReadError::new(MOMENT))?),
        "act" => Command::Act(Box::new(from.need("action")?)),
        "load" => Command::Load(Box::new(load(&mut from)?)),
        "set" => Command::Set(Box::new(look(&mut from)?)),
        "shown" => Command::Shown(from.need("on")?),
        "state" => Command::State,
        "link" => Command::Link,
        "facts" => Command::Facts(from.or("since", 0)?),
        "beat" => Command::Beat(from.need("beat")?),
        "answer" => Command::Answer(from.or("value", Given::Nothing)?),
        "reveal" => Command::Reveal,
        other => return Err(ReadError::unknown("do", other)),
    };
    from.end().map(|()| command)
}

/// One of these names, with its number.
fn named(from: &mut Fields, field: &'static str, names: &[&str]) -> Result<Option<usize>, ReadError> {
    let Some(name) = from.or::<Option<String>>(field, None)? else { return Ok(None) };
    match names.iter().position(|known| *known == name) {
        Some(at) => Ok(Some(at)),
        None => Err(ReadError::unknown(field, &name)),
    }
}

fn bounded(from: &mut Fields, field: &'static str, most: u64) -> Result<Option<u64>, ReadError> {
    match from.or::<Option<u64>>(field, None)? {
        Some(number) if number > most => Err(out_of_range(number, 0, most).within(field)),
        number => Ok(number),
    }
}

fn telling(from: &mut Fields) -> Result<Telling, ReadError> {
    let names = ["none", "told", "all"];
    let found = named(from, "facts", &names)?.map(|at| [Telling::None, Telling::Told, Telling::All][at]);
    Ok(found.unwrap_or_default())
}

fn step(from: &mut Fields, back: bool) -> Result<Command, ReadError> {
    let turns = named(from, "by", &["event", "turn"])? != Some(0);
    let most = if turns { MAX_TURNS } else { MAX_EVENTS };
    Ok(Command::Step { count: bounded(from, "count", most)?.unwrap_or(1), back, turns })
}

fn moment(from: &mut Fields) -> Result<Option<Moment>, ReadError> {
    let ms = bounded(from, "ms", MAX_TIME_MS)?;
    match (ms, bounded(from, "turn", MAX_TURNS)?) {
        (Some(_), Some(_)) => Err(ReadError::new(MOMENT)),
        (Some(ms), None) => Ok(Some(Moment::At(SimTime::from_ms(ms)))),
        (None, turn) => Ok(turn.map(Moment::Milestone)),
    }
}

fn look(from: &mut Fields) -> Result<Look, ReadError> {
    const THEMES: [&str; 3] = ["light", "dark", "auto"];
    let panels: Vec<&str> = Panel::NAMES.iter().copied().chain(["none"]).collect();
    let speed = match from.or::<Option<String>>("speed", None)? {
        Some(name) => Some(speed_named(&name).ok_or_else(|| ReadError::unknown("speed", &name))?),
        None => None,
    };
    Ok(Look {
        lang: lang(from)?,
        theme: named(from, "theme", &THEMES)?.map(|at| THEMES[at].to_string()),
        panel: named(from, "panel", &panels)?.map(|at| panels[at].to_string()),
        speed,
        controls: named(from, "controls", &Controls::NAMES)?.map(|at| Controls::ALL[at]),
        deck_keys: named(from, "keys", &["page", "deck"])?.map(|at| at == 1),
    })
}

fn lang(from: &mut Fields) -> Result<Option<String>, ReadError> {
    let Some(tag) = from.or::<Option<String>>("lang", None)? else { return Ok(None) };
    if is_spoken(&tag) { Ok(Some(tag)) } else { Err(ReadError::unknown("lang", &tag)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::ServerId;

    fn said(rest: &str) -> Result<Command, String> {
        read(&format!(r#"{{"zabscope":1,"id":7,{rest}}}"#)).map(|message| message.command).map_err(|wrong| {
            assert_eq!(wrong.id, Some(7), "{}", wrong.why);
            wrong.why
        })
    }

    #[test]
    fn what_is_said_is_understood() {
        use Command as C;
        assert_eq!(said(r#""do":"hello""#), Ok(C::Hello { facts: Telling::Told }));
        assert_eq!(said(r#""do":"hello","facts":"all""#), Ok(C::Hello { facts: Telling::All }));
        assert_eq!(said(r#""do":"pause""#), Ok(C::Play(false)));
        assert_eq!(said(r#""do":"step""#), Ok(C::Step { count: 1, back: false, turns: true }));
        assert_eq!(
            said(r#""do":"step_back","count":3,"by":"event""#),
            Ok(C::Step { count: 3, back: true, turns: false })
        );
        assert_eq!(said(r#""do":"seek","ms":1200"#), Ok(C::Seek(Moment::At(SimTime::from_ms(1200)))));
        assert_eq!(said(r#""do":"seek","turn":4"#), Ok(C::Seek(Moment::Milestone(4))));
        let crash = Action::Crash { server: ServerId(2) };
        assert_eq!(said(r#""do":"act","action":{"do":"crash","server":2}"#), Ok(C::Act(Box::new(crash))));
        assert_eq!(said(r#""do":"shown","on":false"#), Ok(C::Shown(false)));
        assert_eq!(read(r#"{"zabscope":1,"do":"state"}"#), Ok(Message { id: None, command: C::State }));
        assert_eq!(said(r#""do":"beat","beat":2"#), Ok(C::Beat(BeatName("2".into()))));
        assert_eq!(said(r#""do":"answer","value":"S2""#), Ok(C::Answer(Given::One("S2".into()))));
        let both = Given::List(vec!["S1".into(), "2".into()]);
        assert_eq!(said(r#""do":"answer","value":["S1",2]"#), Ok(C::Answer(both)));
        assert_eq!(said(r#""do":"answer""#), Ok(C::Answer(Given::Nothing)));
        assert_eq!(said(r#""do":"reveal""#), Ok(C::Reveal));
        let look = said(r#""do":"set","lang":"zh-CN","speed":"1/30","panel":"none","controls":"full","keys":"deck""#)
            .unwrap();
        let Command::Set(look) = look else { panic!("{look:?}") };
        assert_eq!((look.speed, look.deck_keys, look.controls), (Some(3), Some(true), Some(Controls::Full)));
    }

    #[test]
    fn runs_come_from_three_places() {
        let load = |rest: &str| match said(&format!(r#""do":"load",{rest}"#)) {
            Ok(Command::Load(load)) => Ok(*load),
            Ok(other) => panic!("{other:?}"),
            Err(why) => Err(why),
        };
        let herd = load(
            r#""scenario":"lock-herd","beside":"lock-predecessor","params":"clients=5&hold_ms=20","seed":3,"turn":2"#,
        );
        let herd = herd.unwrap();
        assert_eq!((herd.from, herd.play), (Some(Moment::Milestone(2)), None));
        let Loaded::Scenario { given, seed: Some(3), .. } = herd.what else { panic!("{:?}", herd.what) };
        assert_eq!(given, [("clients".to_string(), "5".to_string()), ("hold_ms".into(), "20".into())]);
        assert!(matches!(load(r#""run":{"version":4}"#).unwrap().what, Loaded::Run(_)));
        assert_eq!(load(r##""link":"#z1.abc""##).unwrap().what, Loaded::Link("z1.abc".into()));
        let who = Loaded::Lesson { lesson: "zab-broadcast".into(), beat: Some(BeatName("3".into())) };
        assert_eq!(load(r#""lesson":"zab-broadcast","beat":3"#).unwrap().what, who);
        let alike = load(r#""lesson":"rejoin-diff","beat":"who""#).unwrap().what;
        assert!(matches!(alike, Loaded::Scenario { scenario, .. } if scenario.id == "rejoin-diff"));
        for (rest, sentence) in [
            (r#""seed":1"#, "one of"),
            (r#""scenario":"x""#, "unknown name `x`"),
            (r#""run":{"version":4},"link":"a""#, "one of"),
            (r#""run":{"version":4},"seed":4"#, "require `scenario`"),
            (r#""run":{"version":77}"#, "format 77"),
            (r#""run":{"version":4,"setup":{"voters":99}}"#, "run"),
            (r#""link":"a b""#, "after #"),
            (r#""link":"""#, "after #"),
            (r#""scenario":"lock-herd","ms":1,"turn":1"#, "exactly one of `ms`, `turn`"),
            (r#""scenario":"lock-herd","beat":"who""#, "unknown field `beat`"),
            (r#""lesson":"nonsense""#, "lesson: unknown name `nonsense`"),
            (r#""lesson":"zab-broadcast","seed":4"#, "require `scenario`"),
            (r#""lesson":"zab-broadcast","scenario":"lock-herd""#, "one of"),
        ] {
            let why = load(rest).expect_err(rest);
            assert!(why.contains(sentence), "{rest}: {why}");
        }
    }

    #[test]
    fn what_is_wrong_is_said_in_a_sentence() {
        for (rest, sentence) in [
            (r#""do":"explode""#, "do: unknown name `explode`"),
            (r#""doing":"play""#, "missing field `do`"),
            (r#""do":"play","now":true"#, "unknown field `now`"),
            (r#""do":"seek""#, "exactly one of `ms`, `turn`"),
            (r#""do":"seek","ms":1e3"#, "whole numbers"),
            (r#""do":"seek","ms":-1"#, "ms"),
            (r#""do":"seek","ms":1000000001"#, "from 0 to 1000000000"),
            (r#""do":"step","count":10001"#, "from 0 to 10000"),
            (r#""do":"set","speed":"fast""#, "speed: unknown name `fast`"),
            (r#""do":"set","panel":"kitchen""#, "panel: unknown name `kitchen`"),
            (r#""do":"beat","beat":[]"#, "beat: a list"),
            (r#""do":"beat","beat":-1"#, "beat"),
            (r#""do":"answer","value":{"a":1}"#, "value: an object"),
            (r#""do":"answer","value":["S1",[]]"#, "value[1]: a list"),
            (r#""do":"reveal","now":true"#, "unknown field `now`"),
            (r#""do":"shown","on":1"#, "on: 1 is not true or false"),
            (r#""do":"act","action":{"do":"explode"}"#, "action.do: unknown name `explode`"),
        ] {
            let text = format!(r#"{{"zabscope":1,"id":7,{rest}}}"#);
            let why = read(&text).expect_err(rest).why;
            assert!(why.contains(sentence), "{rest}: {why}");
        }
        for (text, sentence) in [
            ("", "EOF"),
            ("[]", "a list is not an object"),
            ("{}", "missing field `zabscope`"),
            (r#"{"zabscope":2,"do":"play"}"#, "version 2"),
            (r#"{"zabscope":1,"id":9007199254740992,"do":"play"}"#, "id"),
        ] {
            let wrong = read(text).expect_err(text);
            assert!(wrong.id.is_none() && wrong.why.contains(sentence), "{text}: {}", wrong.why);
        }
        let long = " ".repeat(MAX_MESSAGE_BYTES + 1);
        assert!(read(&long).expect_err("too long").why.contains("at most"));
    }
}
