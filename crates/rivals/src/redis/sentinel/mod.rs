//! A Sentinel (`sentinel.c`): it watches servers, agrees with others that a master is down, and makes a replica the master. Left out:
//! TILT, scripts that are called, renamed commands, passwords; one master is watched.

mod commands;
mod failover;
mod heard;
mod instance;
mod state;
mod votes;
mod watch;

use crate::base::Prng;
use crate::base::rows::Rows;
use crate::daemon::{Badge, BadgeLine, Cx, Daemon, Env, Told, Tone};

use super::fact::Fact;
use super::message::Message;

pub use state::Sentinel;
pub(crate) use state::{Job, Saved, SentinelConfig, Timer};

impl Daemon for Sentinel {
    const KIND: &'static str = "Sentinel";
    type Config = SentinelConfig;
    type Message = Message;
    type Timer = Timer;
    type Job = Job;
    type Files = Option<Saved>;
    type Fact = Fact;

    fn start(prng: Prng, cx: &mut Cx<Self>) -> Sentinel {
        Sentinel::boot(prng, cx)
    }

    fn handle(&mut self, told: Told<Self>, cx: &mut Cx<Self>) {
        match told {
            Told::Timer(Timer::Tick) => self.tick(cx),
            Told::Accepted(conn, _) => drop(self.asking.insert(conn, Vec::new())),
            Told::Connected(conn) => self.connected(conn, cx),
            Told::Refused(conn) | Told::Closed(conn) => self.disconnected(conn),
            Told::Message(conn, Message::Command { args }) => self.command(conn, &args, cx),
            Told::Message(conn, Message::Reply { reply }) => self.reply(conn, &reply, cx),
            Told::Message(_, Message::Push { push }) => self.pushed(&push, cx),
            Told::Message(..) => {}
            Told::Persisted(job) => self.persisted(job, cx),
            Told::Write(_, line) => self.operate(&line, cx),
        }
    }

    fn write(files: &mut Option<Saved>, job: &Job) -> Option<Fact> {
        *files = Some(job.saved.clone());
        None
    }

    fn badge(sentinel: Option<&Sentinel>, _: &Option<Saved>, _: &Env) -> Badge {
        sentinel.map(Sentinel::badge).unwrap_or_default()
    }

    fn rows(&self, rows: &mut Rows) {
        self.tell(rows);
    }

    fn file_rows(files: &Option<Saved>, rows: &mut Rows) {
        if let Some(saved) = files {
            rows.server("master", saved.master);
            rows.put("currentEpoch", &saved.current_epoch);
            rows.put("configEpoch", &saved.config_epoch);
        }
    }
}

impl Sentinel {
    /// Which server it takes for the master and what it thinks of it, and its vote.
    fn badge(&self) -> Badge {
        let down = self.instances.get(&self.master).is_some_and(|master| master.down_since.is_some());
        let (state, tone) = match (self.odown, down) {
            (true, _) => ("ODOWN", Tone::Bad),
            (false, true) => ("SDOWN", Tone::Waiting),
            (false, false) => ("", Tone::Plain),
        };
        let line = |label: String, value: String, tone| BadgeLine { label, value, tone, left: None };
        let mut lines = vec![line(self.master.to_string(), state.into(), tone)];
        lines.extend(self.vote.map(|(whom, epoch)| line(format!("{epoch}"), format!("→ {whom}"), Tone::Plain)));
        let leads = !matches!(self.phase, state::Phase::None | state::Phase::WaitStart);
        Badge { role: "SENTINEL", crowned: leads, lines, ..Badge::default() }
    }
}
