//! A server: one thread that executes commands, turn by turn (`server.c`, `ae.c`). A turn reads what has arrived, executes it,
//! writes and syncs the append-only file, and only then sends answers and the replication stream.

mod admin;
mod aof;
mod backlog;
mod blocking;
mod files;
mod info;
mod master;
mod process;
mod pubsub;
mod replica;
mod rows;
mod scripting;
mod session;
mod state;
mod transaction;
mod turn;

use crate::base::Prng;
use crate::base::rows::Rows;
use crate::daemon::{Badge, Cx, Daemon, Env, Told};

use super::fact::Fact;
use super::message::Message;

pub(crate) use files::{Files, Job};
pub use state::Server;
pub(crate) use state::{ServerConfig, Timer};

impl Daemon for Server {
    const KIND: &'static str = "Redis";
    type Config = ServerConfig;
    type Message = Message;
    type Timer = Timer;
    type Job = Job;
    type Files = Files;
    type Fact = Fact;

    fn start(prng: Prng, cx: &mut Cx<Self>) -> Server {
        Server::boot(prng, cx)
    }

    fn handle(&mut self, told: Told<Self>, cx: &mut Cx<Self>) {
        match told {
            Told::Persisted(job) => self.persisted(&job, cx),
            // the thread waits for the disk
            other if self.aof.inline => self.held.push_back(other),
            other => self.take(other, cx),
        }
    }

    fn write(files: &mut Files, job: &Job) -> Option<Fact> {
        files.sync(job)
    }

    fn lose_power(files: &mut Files) {
        files.lose_power();
    }

    fn edit(files: &mut Files, line: &str) -> bool {
        files.edit(line)
    }

    fn badge(server: Option<&Server>, _: &Files, env: &Env) -> Badge {
        rows::badge(server, env)
    }

    fn rows(&self, rows: &mut Rows) {
        self.tell(rows);
    }

    fn file_rows(files: &Files, rows: &mut Rows) {
        files.tell(rows);
    }
}
