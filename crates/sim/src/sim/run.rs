//! A run: format version, seed, setup, timed actions. Nothing else decides what happens.

use serde::Serialize;

use crate::base::SimTime;
use crate::base::json::{Fields, Json, Read, ReadError, ValueError, at_most, within};
use crate::base::limits::{MAX_ACTIONS, MAX_RUN_BYTES, MAX_TIME_MS, MAX_WRITES};

use super::action::Action;
use super::run_error::RunError;
use super::setup::Setup;
use super::timed_action::TimedAction;

/// The version of the run format and of everything that decides a digest. A change that alters digests raises it.
pub const FORMAT_VERSION: u32 = 4;

/// The oldest format whose runs are still read. They play by today's rules, so perhaps otherwise than they did when they were made.
pub const OLDEST_FORMAT: u32 = 3;

/// Everything that decides what happens.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Run {
    /// The format that it was made with, from [`OLDEST_FORMAT`] to [`FORMAT_VERSION`].
    pub version: u32,
    /// The seed of all random draws.
    pub seed: u64,
    /// The ensemble and its settings.
    pub setup: Setup,
    /// What is done to it, in order of time.
    pub actions: Vec<TimedAction>,
}

impl Read for Run {
    fn read(json: Json) -> Result<Run, ReadError> {
        let mut fields = json.fields()?;
        let run = Run {
            version: fields.need("version")?,
            seed: fields.or("seed", 0)?,
            setup: fields.or("setup", Setup::default())?,
            actions: fields.or("actions", Vec::new())?,
        };
        fields.end().map(|()| run)
    }
}

impl Run {
    /// A run with nothing done to it.
    pub fn new(seed: u64, setup: Setup) -> Run {
        Run { version: FORMAT_VERSION, seed, setup, actions: Vec::new() }
    }

    /// Reads a run from JSON.
    ///
    /// # Errors
    /// What is wrong, and where: a size over the limit, JSON that is none, a field that is unknown or wrong, an
    /// action out of order.
    pub fn from_json(text: &str) -> Result<Run, RunError> {
        if text.len() > MAX_RUN_BYTES {
            return Err(RunError::TooLarge { bytes: text.len() });
        }
        let run = Json::parse(text).and_then(Run::read)?;
        run.check()?;
        Ok(run)
    }

    /// Whether it was made with a format before today's.
    pub fn is_older(&self) -> bool {
        self.version < FORMAT_VERSION
    }

    /// The run as JSON.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Checks every bound.
    ///
    /// # Errors
    /// What does not fit, and where.
    pub fn check(&self) -> Result<(), ReadError> {
        if !(OLDEST_FORMAT..=FORMAT_VERSION).contains(&self.version) {
            let format = ValueError::Format { version: self.version, ours: FORMAT_VERSION };
            return Err(ReadError::new(format).within("version"));
        }
        self.setup.check().map_err(|read_error| read_error.within("setup"))?;
        at_most("actions", self.actions.len(), MAX_ACTIONS)?;
        let (mut last, mut writes) = (SimTime::ZERO, 0);
        for (index, timed) in self.actions.iter().enumerate() {
            writes += timed.action.writes();
            let fits = check_action(timed, last).and_then(|()| check_writes(writes));
            fits.map_err(|read_error| read_error.within(&format!("actions[{index}]")))?;
            last = timed.at_us;
        }
        Ok(())
    }

    /// Whether an action that asks for writes fits beside those in the run.
    ///
    /// # Errors
    /// They would be more than [`MAX_WRITES`].
    pub(super) fn has_room_for(&self, action: &Action) -> Result<(), ReadError> {
        match action.writes() {
            0 => Ok(()),
            more => check_writes(more + self.writes()),
        }
    }

    /// How many writes its actions ask for.
    pub fn writes(&self) -> u64 {
        self.actions.iter().map(|timed| timed.action.writes()).sum()
    }

    /// Changes one setting, written `key=value` with a key of [`Setup`] or `seed`; a value is JSON, or a bare word.
    ///
    /// # Errors
    /// The key is unknown, or the value does not fit; then nothing has changed.
    pub fn set(&mut self, setting: &str) -> Result<(), RunError> {
        let written = || setting.chars().take(80).collect();
        let wrong = |why: ReadError| RunError::Setting { setting: written(), why };
        let (key, value) = setting.split_once('=').ok_or_else(|| RunError::NotASetting { setting: written() })?;
        let value = Json::parse(value).unwrap_or_else(|_| Json::Text(value.to_string()));
        if key == "seed" {
            self.seed = Read::read(value).map_err(wrong)?;
            return Ok(());
        }
        let mut setup = self.setup.clone();
        setup.change(Fields::one(key, value)).map_err(wrong)?;
        setup.check().map_err(wrong)?;
        self.setup = setup;
        Ok(())
    }

    /// Adds an action in the order of time, behind those of the same moment.
    pub fn push(&mut self, at: SimTime, action: Action) {
        let place = self.actions.partition_point(|timed| timed.at_us <= at);
        self.actions.insert(place, TimedAction { at_us: at, action });
    }
}

fn check_writes(writes: u64) -> Result<(), ReadError> {
    at_most("count", usize::try_from(writes).unwrap_or(usize::MAX), MAX_WRITES as usize)
}

fn check_action(timed: &TimedAction, last: SimTime) -> Result<(), ReadError> {
    if timed.at_us < last {
        return Err(ReadError::new(ValueError::OutOfOrder { at: timed.at_us.0, before: last.0 }).within("at_us"));
    }
    within("at_us", timed.at_us.0, 0, MAX_TIME_MS * 1000 + 999)?;
    timed.action.check()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::{ServerId, ServerSet};

    #[test]
    fn a_run_survives_json() {
        let mut run = Run::new(7, Setup { observers: 1, ..Setup::default() });
        run.push(SimTime(5), Action::Crash { server: ServerId(1) });
        run.push(
            SimTime(9),
            Action::Cut { from: ServerSet::first(1), to: [2, 3].map(ServerId).into_iter().collect(), one_way: true },
        );
        assert_eq!(Run::from_json(&run.to_json()), Ok(run));
    }

    #[test]
    fn what_is_left_out_has_its_default() {
        let run = Run::from_json(r#"{"version":4,"setup":{"voters":5}}"#).unwrap();
        assert_eq!((run.seed, run.setup.voters, run.setup.sync_limit), (0, 5, 5));
    }

    #[test]
    fn a_run_asks_for_so_many_writes_and_no_more() {
        let write = || Action::Write { server: ServerId(1), data: "x".into(), count: 1_000, every_us: 0 };
        let mut run = Run::new(1, Setup::default());
        for _ in 0..MAX_WRITES / 1_000 {
            assert_eq!(run.has_room_for(&write()), Ok(()));
            run.push(SimTime(1), write());
        }
        assert_eq!(run.check(), Ok(()));
        assert!(run.has_room_for(&write()).is_err());
        run.push(SimTime(1), write());
        assert_eq!(run.check().unwrap_err().place, "actions[2000].count");
    }

    #[test]
    fn errors_name_the_place() {
        for (text, place) in [
            ("[", "line 1"),
            (r#"{"version":1}"#, "version: this is format 1"),
            (r#"{"version":4,"sead":3}"#, "unknown field `sead`"),
            (r#"{"version":4,"seed":3,"seed":3}"#, "duplicate field `seed`"),
            (r#"{"version":4,"setup":{"voters":99}}"#, "setup.voters: 99 is not a whole number from 1 to 9"),
            (r#"{"version":4,"setup":{"voters":999}}"#, "setup.voters: 999 is not a whole number from 0 to 255"),
            (r#"{"version":4,"setup":{"latency":{"min_us":1}}}"#, "setup.latency: missing field `max_us`"),
            (
                r#"{"version":4,"setup":{"rules":["commit"]}}"#,
                "setup.rules[0]: unknown name `commit`; expected `commit-at-minority`, `commit-only-what-is-known`",
            ),
            (r#"{"version":4,"actions":[{"at_us":1,"do":"crsh","server":1}]}"#, "actions[0].do: unknown name `crsh`"),
            (
                r#"{"version":4,"actions":[{"at_us":1,"do":"crash","server":1,"x":1}]}"#,
                "actions[0]: unknown field `x`",
            ),
            (
                r#"{"version":4,"actions":[{"at_us":1,"do":"ask","client":1,"request":{"op":"sync","path":"/","x":1}}]}"#,
                "actions[0].request: unknown field `x`; expected `op`, `path`",
            ),
            (
                r#"{"version":4,"actions":[{"at_us":9,"do":"heal_all"},{"at_us":1,"do":"heal_all"}]}"#,
                "actions[1].at_us: 1 is before",
            ),
            (r#"{"version":4} x"#, "trailing characters"),
        ] {
            let error = Run::from_json(text).unwrap_err().to_string();
            assert!(error.contains(place), "{text}: {error}");
        }
    }
}
