//! A client's machine: a program with a lock, and a redis-cli for whoever sits at it.

mod acquire;
mod console;
mod hold;
mod lines;
mod plan;
mod program;
mod redlock;
mod release;

use crate::base::rows::Rows;
use crate::base::{ConnId, Prng, ServerId};
use crate::daemon::{Badge, Cx, Daemon, Env, Told};

use super::fact::Fact;
use super::message::Message;

use console::Console;
use program::Program;

pub use plan::{Break, Fencing, LockKind, Plan, Renewal, Unlock};
pub(crate) use program::Timer;

/// What a client is set up with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientSetup {
    /// The servers of its lock: one, or those of Redlock.
    pub servers: Vec<ServerId>,
    /// Sentinels that it asks for the master; none: the first server is it.
    pub sentinels: Vec<ServerId>,
    /// The server of the resource.
    pub resource: ServerId,
    /// Its program, if it runs one.
    pub plan: Option<Plan>,
}

/// A client's memory.
#[derive(Clone, Debug)]
pub struct Client {
    console: Console,
    program: Option<Program>,
}

impl Daemon for Client {
    const KIND: &'static str = "Client";
    type Config = ClientSetup;
    type Message = Message;
    type Timer = Timer;
    type Job = ();
    type Files = ();
    type Fact = Fact;

    fn start(prng: Prng, cx: &mut Cx<Self>) -> Client {
        let program = cx.config.plan.clone().map(|plan| Program::begin(plan, prng, cx));
        let mut client = Client { console: Console::default(), program };
        // who sits at it finds redis-cli connected
        if let (None, Some(&server)) = (&client.program, cx.config.servers.first()) {
            client.console.dial(server, cx);
        }
        client
    }

    fn handle(&mut self, told: Told<Self>, cx: &mut Cx<Self>) {
        match (told, &mut self.program) {
            (Told::Write(_, line), _) => self.console.typed(&line, cx),
            (Told::Timer(timer), Some(program)) => program.timer(timer, cx),
            (Told::Connected(conn), program) => match self.console.is(conn) {
                true => self.console.connected(cx),
                false => program.iter_mut().for_each(|program| program.connected(conn, cx)),
            },
            (Told::Refused(conn), program) => match self.console.is(conn) {
                true => self.console.ended(true, cx),
                false => program.iter_mut().for_each(|program| program.disconnected(conn, true, cx)),
            },
            (Told::Closed(conn), program) => match self.console.is(conn) {
                true => self.console.ended(false, cx),
                false => program.iter_mut().for_each(|program| program.disconnected(conn, false, cx)),
            },
            (Told::Message(conn, message), program) => heard(conn, message, &mut self.console, program.as_mut(), cx),
            (Told::Timer(_) | Told::Accepted(..) | Told::Persisted(()), _) => {}
        }
    }

    fn write(_: &mut (), _: &()) -> Option<Fact> {
        None
    }

    fn badge(client: Option<&Client>, (): &(), env: &Env) -> Badge {
        let program = client.and_then(|client| client.program.as_ref());
        program.map_or(Badge { role: "CLIENT", ..Badge::default() }, |program| program.badge(env))
    }

    fn rows(&self, rows: &mut Rows) {
        self.console.tell(rows);
        self.program.iter().for_each(|program| program.tell(rows));
    }

    fn file_rows(_: &(), _: &mut Rows) {}
}

fn heard(conn: ConnId, message: Message, console: &mut Console, program: Option<&mut Program>, cx: &mut Cx<Client>) {
    match (console.is(conn), program) {
        (true, _) => console.heard(message, cx),
        (false, Some(program)) => program.heard(conn, message, cx),
        (false, None) => cx.close(conn),
    }
}
