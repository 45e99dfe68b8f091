//! What servers say of themselves: states, logs, forced writes.

use crate::base::ServerId;
use crate::base::json::Json;
use crate::rivals::redis::{EPOCH_MS, Fact};

use super::compare::{number_fits, show};
use super::play::Play;
use super::recording::{Step, fields_of};

impl Play<'_> {
    /// `state`.
    pub(super) fn state(&mut self, step: &Step) -> Result<(), String> {
        let id = self.names.server(step.need("server")?)?;
        for (name, expected) in fields_of(step.0.get("ok").ok_or("ok is missing")?) {
            let got = self.state_field(id, &name)?;
            let fits = match &got {
                Json::Natural(number) => number_fits(&expected, *number as i64),
                got => *got == expected,
            };
            if !fits {
                return Err(format!("ok.{name}: expected {}, got {}", show(&expected), show(&got)));
            }
        }
        Ok(())
    }

    fn state_field(&mut self, id: ServerId, name: &str) -> Result<Json, String> {
        let number = |text: Option<String>| {
            let number = text.and_then(|text| text.parse::<u64>().ok());
            number.map_or(Json::Null, Json::Natural)
        };
        let text = |text: Option<String>| text.map_or(Json::Null, Json::Text);
        Ok(match name {
            "role" => text(self.scene.info(id, "role")?),
            "replicas" => number(self.scene.info(id, "connected_slaves")?),
            "goodReplicas" => number(self.scene.info(id, "min_slaves_good_slaves")?),
            "link" => text(self.scene.info(id, "master_link_status")?),
            "fullSyncs" => number(self.scene.info(id, "sync_full")?),
            "partialSyncs" => number(self.scene.info(id, "sync_partial_ok")?),
            "expiredKeys" => number(self.scene.info(id, "expired_keys")?),
            "of" => text(self.scene.info(id, "master_host")?.map(|source| self.names.told(&source))),
            "behind" => Json::Bool(self.is_behind(id)?),
            other => return Err(format!("ok.{other}: a server says nothing of that name")),
        })
    }

    /// Whether a replica's offset is less than its source's.
    fn is_behind(&mut self, id: ServerId) -> Result<bool, String> {
        let source = self.scene.info(id, "master_host")?.and_then(|source| ServerId::named(&source));
        let source = source.ok_or("behind: it follows nobody")?;
        let offset = |text: Option<String>| text.and_then(|text| text.parse::<i64>().ok()).unwrap_or(0);
        let own = offset(self.scene.info(id, "slave_repl_offset")?);
        Ok(own < offset(self.scene.info(source, "master_repl_offset")?))
    }

    /// `syncs`: how many forced writes there were since the last such step.
    pub(super) fn syncs(&mut self, step: &Step) -> Result<(), String> {
        let id = self.names.server(step.need("server")?)?;
        let is = |fact: &Fact| matches!(fact, Fact::Synced { .. });
        let count = self.since_asked("syncs", id).filter(|fact| is(fact)).count();
        self.mark("syncs", id);
        match step.0.get("ok") {
            None if step.0.contains_key("from") => Ok(()),
            None => Err("ok is missing".into()),
            Some(expected) if number_fits(expected, count as i64) => Ok(()),
            Some(expected) => Err(format!("ok: expected {}, got {count}", show(expected))),
        }
    }

    /// `aof`: what the log has got since the last such step.
    pub(super) fn aof(&mut self, step: &Step) -> Result<(), String> {
        let id = self.names.server(step.need("server")?)?;
        let logged = |fact: &Fact| match fact {
            Fact::Logged { command, clock_ms } => Some((command.clone(), *clock_ms)),
            _ => None,
        };
        let got: Vec<(Vec<String>, i64)> = self.since_asked("aof", id).filter_map(logged).collect();
        self.mark("aof", id);
        let Some(Json::List(expected)) = step.0.get("ok") else { return Err("ok is missing or no list".into()) };
        for (at, command) in expected.iter().enumerate() {
            let Json::List(words) = command else { return Err(format!("ok[{at}] is no list")) };
            let shown =
                |got: Option<&(Vec<String>, i64)>| got.map_or("nothing".into(), |(command, _)| command.join(" "));
            let fits = got.get(at).is_some_and(|(command, clock_ms)| {
                words.len() == command.len()
                    && words.iter().zip(command).all(|(word, got)| word_fits(word, got, *clock_ms))
            });
            if !fits {
                return Err(format!("ok[{at}]: expected {}, got {}", show(command), shown(got.get(at))));
            }
        }
        match got.get(expected.len()) {
            None => Ok(()),
            Some((more, _)) => Err(format!("ok: expected no more, got {}", more.join(" "))),
        }
    }

    fn since_asked(&self, what: &'static str, id: ServerId) -> impl Iterator<Item = &Fact> {
        let from = self.asked.get(&(what, id)).copied().unwrap_or(0);
        self.scene.facts.iter().skip(from).filter(move |(_, machine, _)| *machine == id).map(|(_, _, fact)| fact)
    }

    fn mark(&mut self, what: &'static str, id: ServerId) {
        self.asked.insert((what, id), self.scene.facts.len());
    }
}

/// A word of a logged command; a moment is told by the command's own time.
fn word_fits(expected: &Json, got: &str, clock_ms: i64) -> bool {
    let Json::Text(text) = expected else { return false };
    let Some(after) = text.strip_prefix("<time of the command + ").and_then(|rest| rest.strip_suffix(" ms>")) else {
        return text == got;
    };
    let moment = got.parse::<i64>().ok().filter(|moment| *moment > EPOCH_MS / 2);
    moment.zip(after.parse::<i64>().ok()).is_some_and(|(moment, after)| moment == clock_ms + after)
}
