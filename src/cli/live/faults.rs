//! What is done to the ensemble by itself: `--faults FILE`. Each line is an action as a run has it, and says when: at a time (`at_ms`), or
//! at a moment (`when`: a fact, with the values that it must have), then or a while later (`after_ms`).

use std::collections::BTreeMap;

use serde_json::Value;

use crate::base::SimTime;
use crate::base::json::{Json, Read};
use crate::base::limits::{MAX_ACTIONS, MAX_RUN_BYTES, MAX_TIME_MS};
use crate::cli::{Failure, say};
use crate::scenarios::pattern::Pattern;
use crate::sim::{Action, Record};

/// Stands for the leader of the moment, in the place of a server.
const LEADER: &str = "leader";
/// Stands for whom the fact is about, in the place of a client or a server.
const SAME: &str = "same";

/// Something that is to be done when a fact happens.
#[derive(Debug)]
struct Waiting {
    line: usize,
    when: String,
    after_ms: u64,
    every_time: bool,
    action: Value,
    happened: bool,
}

impl Waiting {
    /// Whether it is still to be done when its fact happens.
    fn waits(&self) -> bool {
        self.every_time || !self.happened
    }
}

/// Something that is to be done at its time.
#[derive(Clone, Debug)]
pub(super) struct Due {
    line: usize,
    action: Value,
    /// The fact on which it waited.
    fact: Value,
}

/// All that is still to come.
#[derive(Debug, Default)]
pub(super) struct Faults {
    waiting: Vec<Waiting>,
    due: BTreeMap<(SimTime, usize), Due>,
    count: usize,
}

impl Faults {
    /// Reads a file of them.
    ///
    /// # Errors
    /// It cannot be read; or a line is none, with its number and what is wrong.
    pub(super) fn read(file: &str) -> Result<Faults, Failure> {
        let fails = |why: String| Failure::usage(format!("--faults {file}: {why}"));
        let size = std::fs::metadata(file).map_err(|error| fails(error.to_string()))?.len();
        if size > MAX_RUN_BYTES as u64 {
            return Err(fails(format!("{size} bytes are more than the {MAX_RUN_BYTES} that it may have")));
        }
        let text = std::fs::read_to_string(file).map_err(|error| fails(error.to_string()))?;
        let mut faults = Faults::default();
        for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            faults.add(index + 1, line).map_err(|why| fails(format!("line {}: {why}", index + 1)))?;
        }
        Ok(faults)
    }

    fn add(&mut self, line: usize, text: &str) -> Result<(), String> {
        let mut action: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let fields = action.as_object_mut().ok_or("an action is written in braces")?;
        let mut ms = |name: &str| match fields.remove(name) {
            None => Ok(None),
            Some(value) => match value.as_u64().filter(|ms| *ms <= MAX_TIME_MS) {
                Some(ms) => Ok(Some(ms)),
                None => Err(format!("{name}: a number of milliseconds up to {MAX_TIME_MS} is meant")),
            },
        };
        let (at_ms, after_ms) = (ms("at_ms")?, ms("after_ms")?.unwrap_or(0));
        let when = fields.remove("when").map(|when| when.as_str().map(String::from).ok_or("when: a text is meant"));
        let every_time = fields.remove("every_time").is_some_and(|every| every == Value::Bool(true));
        // whoever is meant in the end, it must be an action
        action_of(&action, Some(1), &serde_json::json!({ "client": 1, "server": 1 }))?;
        match (at_ms, when.transpose()?) {
            (Some(at), None) => {
                self.plan(SimTime::from_ms(at + after_ms), Due { line, action, fact: Value::Null });
                Ok(())
            }
            (None, Some(when)) => {
                self.waiting.push(Waiting { line, when, after_ms, every_time, action, happened: false });
                Ok(())
            }
            _ => Err("either at_ms or when says when it is done".into()),
        }
    }

    fn plan(&mut self, at: SimTime, due: Due) {
        self.count += 1;
        if self.due.len() < MAX_ACTIONS {
            self.due.insert((at, self.count), due);
        }
    }

    /// Whether nothing is to come any more.
    pub(super) fn is_empty(&self) -> bool {
        self.due.is_empty() && !self.waiting.iter().any(Waiting::waits)
    }

    /// When something is to be done next.
    pub(super) fn next_at(&self) -> Option<SimTime> {
        self.due.keys().next().map(|(at, _)| *at)
    }

    /// Hears of a fact.
    pub(super) fn hear(&mut self, record: &Record) {
        if !self.waiting.iter().any(Waiting::waits) {
            return;
        }
        let Ok(json) = serde_json::to_string(record) else { return };
        let mut planned = Vec::new();
        for one in self.waiting.iter_mut().filter(|one| one.waits()) {
            if Pattern(&one.when).is_in(&json) {
                one.happened = true;
                let fact = serde_json::from_str(&json).unwrap_or_default();
                let due = Due { line: one.line, action: one.action.clone(), fact };
                planned.push((record.at_us.plus(one.after_ms * 1_000), due));
            }
        }
        planned.into_iter().for_each(|(at, due)| self.plan(at, due));
    }

    /// What is to be done by now.
    pub(super) fn take(&mut self, now: SimTime) -> Option<Due> {
        let first = self.due.first_entry().filter(|first| first.key().0 <= now)?;
        Some(first.remove())
    }

    /// Says what never came about: a test that waited for it has tested nothing.
    pub(super) fn end(&self) {
        for one in self.waiting.iter().filter(|one| !one.happened) {
            say(format_args!("zabscope: line {} of the faults was never due: no fact was {}\n", one.line, one.when));
        }
        for due in self.due.values() {
            say(format_args!("zabscope: line {} of the faults was still to come\n", due.line));
        }
    }
}

impl Due {
    /// The action as it is to be done, where this server leads.
    ///
    /// # Errors
    /// Nobody is what it names.
    pub(super) fn action(&self, leader: Option<u8>) -> Result<Action, String> {
        action_of(&self.action, leader, &self.fact)
    }

    /// What is wrong with it, and where it stands.
    pub(super) fn say(&self, why: &str) {
        say(format_args!("zabscope: line {} of the faults: {why}\n", self.line));
    }
}

fn action_of(action: &Value, leader: Option<u8>, fact: &Value) -> Result<Action, String> {
    let mut action = action.clone();
    for name in ["server", "client"] {
        let Some(field) = action.get_mut(name) else { continue };
        match field.as_str() {
            Some(LEADER) if name == "server" => *field = leader.ok_or("there is no leader")?.into(),
            Some(SAME) => *field = fact.get(name).cloned().ok_or_else(|| format!("the fact names no {name}"))?,
            _ => {}
        }
    }
    Json::parse(&action.to_string()).and_then(Action::read).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::{ClientId, ServerId};
    use crate::sim::{Fact, WorldFact};

    fn faults(lines: &[&str]) -> Result<Faults, String> {
        let mut faults = Faults::default();
        lines.iter().enumerate().try_for_each(|(index, line)| faults.add(index + 1, line)).map(|()| faults)
    }

    fn record(ms: u64, fact: WorldFact) -> Record {
        Record { seq: 0, at_us: SimTime::from_ms(ms), fact: Fact::World(fact), why: None }
    }

    #[test]
    fn times_and_moments_come_in_their_order() {
        let mut faults = faults(&[
            r#"{"at_ms":900,"do":"pause","server":"leader"}"#,
            r#"{"when":"client_paused client=2","after_ms":50,"do":"resume_client","client":"same"}"#,
        ])
        .unwrap();
        assert_eq!(faults.next_at(), Some(SimTime::from_ms(900)));
        faults.hear(&record(100, WorldFact::ClientPaused { client: ClientId(1) }));
        faults.hear(&record(200, WorldFact::ClientPaused { client: ClientId(2) }));
        faults.hear(&record(300, WorldFact::ClientPaused { client: ClientId(2) }));
        assert!(faults.take(SimTime::from_ms(249)).is_none());
        let due = faults.take(SimTime::from_ms(250)).unwrap();
        assert_eq!(due.action(None), Ok(Action::ResumeClient { client: ClientId(2) }));
        assert!(!faults.is_empty() && faults.take(SimTime::from_ms(899)).is_none(), "once");
        let due = faults.take(SimTime::from_ms(900)).unwrap();
        assert_eq!(due.action(Some(3)), Ok(Action::Pause { server: ServerId(3) }));
        assert!(due.action(None).is_err() && faults.is_empty());
    }

    #[test]
    fn what_is_no_fault_is_said() {
        for (line, says) in [
            ("{", "EOF"),
            ("[]", "braces"),
            (r#"{"do":"crash","server":1}"#, "either"),
            (r#"{"at_ms":1,"when":"crashed","do":"crash","server":1}"#, "either"),
            (r#"{"at_ms":-1,"do":"crash","server":1}"#, "milliseconds"),
            (r#"{"at_ms":1,"do":"crush","server":1}"#, "crush"),
            (r#"{"at_ms":1,"do":"crash","server":"holder"}"#, "server"),
            (r#"{"when":7,"do":"crash","server":1}"#, "text"),
        ] {
            let why = faults(&[line]).expect_err(line);
            assert!(why.contains(says), "{line}: {why}");
        }
    }
}
