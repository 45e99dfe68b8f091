//! What Sentinels do: events, roles, whom they name, and the time that it took.

use crate::base::json::Json;
use crate::rivals::redis::{Fact, Reply};

use super::compare::{number_fits, show};
use super::play::Play;
use super::recording::{Step, fields_of};

/// So long something of Sentinels is waited for, µs.
const PATIENCE_US: u64 = 60_000_000;
/// The recorder looked so often, µs.
const LOOK_US: u64 = 20_000;
/// Before it heard of an event and went on, what follows from the event had happened, µs.
const AFTER_EVENT_US: u64 = 250_000;

impl Play<'_> {
    /// `awaitEvent`.
    pub(super) fn await_event(&mut self, step: &Step) -> Result<(), String> {
        let event = step.need("event")?.to_string();
        let by = step.text("by").map(|by| self.names.sentinel(by)).transpose()?;
        let until = self.scene.world.now.plus(PATIENCE_US);
        let mut seen = self.act_facts;
        loop {
            while let Some((at, machine, fact)) = self.scene.facts.get(seen) {
                seen += 1;
                let Fact::Event { event: name, about } = fact else { continue };
                let told = self.names.told(&format!("{name} {about}"));
                if by.is_some_and(|by| by != *machine) || !told.starts_with(&event) {
                    continue;
                }
                let after = at.since(self.acted) / 1000;
                self.after_ms(step, after)?;
                if let Some(Json::Text(expected)) = step.0.get("told")
                    && *expected != told
                {
                    return Err(format!("told: expected {expected:?}, got {told:?}"));
                }
                self.scene.pass(AFTER_EVENT_US);
                return Ok(());
            }
            if self.scene.world.now >= until {
                return Err(format!("event: {event} did not come"));
            }
            self.scene.pass(LOOK_US);
        }
    }

    fn after_ms(&self, step: &Step, ms: u64) -> Result<(), String> {
        match step.0.get("afterMs") {
            None => Ok(()),
            Some(expected) if number_fits(expected, ms as i64) => Ok(()),
            Some(expected) => Err(format!("afterMs: expected {}, got {ms}", show(expected))),
        }
    }

    /// `awaitRole`: until a server has it, and as a replica its link.
    pub(super) fn await_role(&mut self, step: &Step) -> Result<(), String> {
        let (id, role) = (self.names.server(step.need("server")?)?, step.need("role")?);
        let until = self.scene.world.now.plus(PATIENCE_US);
        loop {
            let is = self.scene.info(id, "role")?.as_deref() == Some(role);
            let link = self.scene.info(id, "master_link_status")?;
            if is && link.is_none_or(|link| link == "up") {
                let after = self.scene.world.now.since(self.acted) / 1000;
                return self.after_ms(step, after);
            }
            if self.scene.world.now >= until {
                return Err(format!("role: expected {role:?}, which it never was"));
            }
            self.scene.pass(LOOK_US);
        }
    }

    /// `awaitLink`.
    pub(super) fn await_link(&mut self, step: &Step) -> Result<(), String> {
        let (id, link) = (self.names.server(step.need("server")?)?, step.need("link")?);
        let until = self.scene.world.now.plus(PATIENCE_US);
        loop {
            if self.scene.info(id, "master_link_status")?.as_deref() == Some(link) {
                self.scene.settle();
                return Ok(());
            }
            if self.scene.world.now >= until {
                return Err(format!("link: expected {link:?}, which it never was"));
            }
            self.scene.pass(LOOK_US);
        }
    }

    /// `who`: whom each Sentinel names.
    pub(super) fn who(&mut self, step: &Step) -> Result<(), String> {
        for (name, expected) in fields_of(step.0.get("ok").ok_or("ok is missing")?) {
            let sentinel = self.names.sentinel(&name)?;
            let reply = self.scene.ask(sentinel, "SENTINEL GET-MASTER-ADDR-BY-NAME mymaster")?;
            let master = match &reply {
                Reply::Array(parts) => parts.first().and_then(Reply::as_text).map(|master| self.names.told(master)),
                _ => None,
            };
            let got = master.map_or(Json::Null, Json::Text);
            if got != expected {
                return Err(format!("ok.{name}: expected {}, got {}", show(&expected), show(&got)));
            }
        }
        Ok(())
    }
}
