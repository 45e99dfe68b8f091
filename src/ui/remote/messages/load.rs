//! Which run a message asks for: a scenario, a rule's own run, a run of the host's, a link, or a lesson; and from when.

use crate::base::json::{Fields, ReadError, ValueError, short};
use crate::lessons::{MAX_LESSON_BYTES, is_built_in};
use crate::scenarios::{Scenario, scenario};
use crate::sim::{Rule, Run};

use super::{Moment, moment};
use crate::ui::remote::address::pairs;
use crate::ui::remote::lesson_input::BeatName;

/// Longest link that a message may carry, bytes.
pub const MAX_LINK_BYTES: usize = 256 << 10;

/// Another run, and where it begins to be watched.
#[derive(Clone, Debug, PartialEq)]
pub struct Load {
    /// A scenario, a run of the host's, a link, or a lesson.
    pub what: Loaded,
    /// From when.
    pub from: Option<Moment>,
    /// Whether time runs; as before where that is not said.
    pub play: Option<bool>,
}

/// Where a run comes from.
#[derive(Clone, Debug)]
pub enum Loaded {
    /// It is built in.
    Scenario {
        /// Its scenario.
        scenario: &'static Scenario,
        /// The one beside it.
        beside: Option<&'static Scenario>,
        /// Parameters: names and values.
        given: Vec<(String, String)>,
        /// A seed of one's own.
        seed: Option<u64>,
    },
    /// The host has it.
    Run(Box<Run>),
    /// A link holds it: the part behind `#`.
    Link(String),
    /// It is a rule's own, kept and broken beside each other.
    Rule(Rule),
    /// It is a lesson's.
    Lesson {
        /// The name of a built-in lesson, or a lesson as JSON, not yet read.
        lesson: String,
        /// Where the lesson begins.
        beat: Option<BeatName>,
    },
}

impl Load {
    /// Whether it takes a file of stories to open it.
    pub fn needs_stories(&self) -> bool {
        match &self.what {
            Loaded::Rule(_) => true,
            Loaded::Lesson { lesson, .. } => is_built_in(lesson),
            _ => false,
        }
    }
}

impl PartialEq for Loaded {
    fn eq(&self, other: &Loaded) -> bool {
        let id = |one: &'static Scenario| one.id;
        match (self, other) {
            (Loaded::Run(a), Loaded::Run(b)) => a == b,
            (Loaded::Rule(a), Loaded::Rule(b)) => a == b,
            (Loaded::Link(a), Loaded::Link(b)) => a == b,
            (Loaded::Lesson { lesson: a, beat: b }, Loaded::Lesson { lesson: c, beat: d }) => (a, b) == (c, d),
            (
                Loaded::Scenario { scenario: a, beside: b, given: c, seed: d },
                Loaded::Scenario { scenario: e, beside: f, given: g, seed: h },
            ) => (a.id, b.map(id), c, d) == (e.id, f.map(id), g, h),
            _ => false,
        }
    }
}

fn known(from: &mut Fields, field: &'static str) -> Result<Option<&'static Scenario>, ReadError> {
    let Some(name) = from.or::<Option<String>>(field, None)? else { return Ok(None) };
    scenario(&name).map(Some).ok_or_else(|| ReadError::unknown(field, &name))
}

/// What says which run it is: exactly one of these.
const RUN: ValueError = ValueError::OneOf { fields: &["scenario", "rule", "run", "link", "lesson"] };

/// The lesson that is asked for; a name that is no lesson's may be a scenario's.
fn lesson_or_scenario(from: &mut Fields) -> Result<(Option<Loaded>, Option<&'static Scenario>), ReadError> {
    let Some(text) = from.or::<Option<String>>("lesson", None)? else { return Ok((None, known(from, "scenario")?)) };
    let beat = from.or("beat", None)?;
    if known(from, "scenario")?.is_some() {
        return Err(ReadError::new(RUN));
    }
    short("lesson", &text, MAX_LESSON_BYTES)?;
    if text.trim_start().starts_with('{') || is_built_in(&text) {
        return Ok((Some(Loaded::Lesson { lesson: text, beat }), None));
    }
    scenario(&text).map(|alike| (None, Some(alike))).ok_or_else(|| ReadError::unknown("lesson", &text))
}

pub(super) fn load(from: &mut Fields) -> Result<Load, ReadError> {
    let (lesson, scenario) = lesson_or_scenario(from)?;
    let named = match (lesson, from.or::<Option<Rule>>("rule", None)?) {
        (Some(_), Some(_)) => return Err(ReadError::new(RUN)),
        (lesson, rule) => lesson.or(rule.map(Loaded::Rule)),
    };
    let beside = known(from, "beside")?;
    let params: Option<String> = from.or("params", None)?;
    let seed = from.or("seed", None)?;
    let run: Option<Run> = from.or("run", None)?;
    let link: Option<String> = from.or("link", None)?;
    let around = beside.is_some() || params.is_some() || seed.is_some();
    let what = match (scenario, run, link, named) {
        (Some(scenario), None, None, None) => {
            let given = pairs(params.as_deref().unwrap_or_default());
            Loaded::Scenario { scenario, beside, given, seed }
        }
        (None, Some(_), None, None) | (None, None, Some(_), None) | (None, None, None, Some(_)) if around => {
            let fields = &["beside", "params", "seed"];
            return Err(ReadError::new(ValueError::OnlyWith { fields, field: "scenario" }));
        }
        (None, Some(run), None, None) => {
            run.check().map_err(|read_error| read_error.within("run"))?;
            Loaded::Run(Box::new(run))
        }
        (None, None, Some(link), None) => Loaded::Link(link_of(link)?),
        (None, None, None, Some(named)) => named,
        _ => return Err(ReadError::new(RUN)),
    };
    Ok(Load { what, from: moment(from)?, play: from.or("play", None)? })
}

/// A link's text, which will stand in an address.
fn link_of(link: String) -> Result<String, ReadError> {
    let text = link.strip_prefix('#').unwrap_or(&link);
    short("link", text, MAX_LINK_BYTES)?;
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'#') {
        return Err(ReadError::new(ValueError::NoLinkText).within("link"));
    }
    Ok(text.to_string())
}
