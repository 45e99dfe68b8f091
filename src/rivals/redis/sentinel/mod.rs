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
use crate::daemon::{Cx, Daemon, Told};

use super::fact::Fact;
use super::message::Message;

pub use state::{Job, Saved, Sentinel, SentinelConfig, Timer};

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
