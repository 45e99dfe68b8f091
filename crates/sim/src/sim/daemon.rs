//! A [`Daemon`] as a [`Host`].

use crate::base::rows::Rows;
use crate::base::{Prng, ServerId, SortedMap};
use crate::daemon::{Badge, Cx, Daemon, Effect, Env, Place, Saying, Told};

use super::fact::Fact;
use super::host::{Host, Input, Outbox, Output, Timer, Token, Written};
use super::hosts::Machine;
use super::network::{Parcel, Port};

impl Machine {
    /// A machine on which this program runs.
    pub fn running<D: Daemon>(config: D::Config) -> Machine {
        let bookings = Bookings { timers: Vec::new(), jobs: SortedMap::new(), next_token: 0 };
        let files = D::Files::default();
        Machine::Other(Box::new(Running::<D> { config, memory: None, files, backup: None, bookings }))
    }
}

/// Machines that systems have put into a world, by number.
#[derive(Default)]
pub(super) struct Placed(pub Vec<(ServerId, Machine)>);

impl Place for Placed {
    fn put<D: Daemon>(&mut self, id: ServerId, config: D::Config) {
        self.0.push((id, Machine::running::<D>(config)));
    }
}

/// The names under which the world knows a daemon's timers and disk operations.
#[derive(Clone, Debug)]
struct Bookings<D: Daemon> {
    timers: Vec<D::Timer>,
    jobs: SortedMap<Token, D::Job>,
    next_token: Token,
}

impl<D: Daemon> Bookings<D> {
    fn number(&mut self, timer: D::Timer) -> Timer {
        let known = self.timers.iter().position(|other| *other == timer);
        Timer::Other(known.unwrap_or_else(|| {
            self.timers.push(timer);
            self.timers.len() - 1
        }))
    }

    fn output(&mut self, effect: Effect<D>, env: &Env) -> Output {
        match effect {
            Effect::Dial(conn, to) => Output::Dial { conn, to, port: Port::Service },
            Effect::Send(conn, message) => Output::Send(conn, Parcel::Other(Saying::new(message))),
            Effect::Close(conn) => Output::Close(conn),
            Effect::Listen(on) => Output::Listen(Port::Service, on),
            Effect::SetTimer(timer, at) => Output::SetTimer(self.number(timer), at),
            Effect::CancelTimer(timer) => Output::CancelTimer(self.number(timer)),
            Effect::Persist(job) => {
                let token = self.next_token;
                self.next_token += 1;
                self.jobs.insert(token, job);
                Output::Persist { token, kind: "write", background: false }
            }
            Effect::Exit => Output::Exit,
            Effect::Fact(fact) => Output::Fact(Fact::Other { server: env.me, fact: Saying::new(fact) }, None),
        }
    }
}

/// A machine with a daemon.
#[derive(Clone, Debug)]
struct Running<D: Daemon> {
    config: D::Config,
    memory: Option<D>,
    files: D::Files,
    backup: Option<D::Files>,
    bookings: Bookings<D>,
}

impl<D: Daemon> Running<D> {
    /// What the daemon is told of an input. A message of another system comes by mistake of the sender: it breaks the
    /// connection, as bytes that make no sense would.
    fn told(&mut self, input: Input, out: &mut Outbox) -> Option<Told<D>> {
        match input {
            Input::Timer(Timer::Other(number)) => self.bookings.timers.get(number).copied().map(Told::Timer),
            Input::Accepted { conn, from, .. } => Some(Told::Accepted(conn, from)),
            Input::Connected(conn) => Some(Told::Connected(conn)),
            Input::Refused(conn) => Some(Told::Refused(conn)),
            Input::Closed(conn) => Some(Told::Closed(conn)),
            Input::Message(conn, parcel) => {
                if let Parcel::Other(saying) = &parcel
                    && let Some(message) = saying.value::<D::Message>()
                {
                    return Some(Told::Message(conn, message.clone()));
                }
                out.push(Output::Close(conn));
                Some(Told::Closed(conn))
            }
            Input::Persisted(token, _) => self.bookings.jobs.remove(&token).map(Told::Persisted),
            Input::DiskFailed(_) => {
                out.push(Output::Exit);
                None
            }
            Input::Write(number, data) => Some(Told::Write(number, data)),
            Input::Timer(Timer::Server(_)) | Input::Server(_) => None,
        }
    }

    /// Lets the daemon do something, and puts down what it wants done.
    fn with<T>(&mut self, env: &Env, out: &mut Outbox, act: impl FnOnce(&mut Option<D>, &mut Cx<D>) -> T) {
        let mut effects = Vec::new();
        let Running { config, memory, files, backup: _, bookings } = self;
        act(memory, &mut Cx { env, config, files, effects: &mut effects, next_conn: &mut out.next_conn });
        for effect in effects {
            out.push(bookings.output(effect, env));
        }
    }
}

impl<D: Daemon> Host for Running<D> {
    fn kind(&self) -> &'static str {
        D::KIND
    }

    fn copy(&self) -> Box<dyn Host> {
        Box::new(self.clone())
    }

    fn start(&mut self, prng: Prng, env: &Env, out: &mut Outbox) {
        self.with(env, out, |memory, cx| *memory = Some(D::start(prng, cx)));
    }

    fn handle(&mut self, input: Input, env: &Env, out: &mut Outbox) {
        let Some(told) = self.told(input, out) else { return };
        self.with(env, out, |memory, cx| memory.iter_mut().for_each(|daemon| daemon.handle(told.clone(), cx)));
    }

    fn persist(&mut self, token: Token, env: &Env) -> Written {
        let job = self.bookings.jobs.get(&token);
        let fact = job.and_then(|job| D::write(&mut self.files, job));
        let fact = fact.map(|fact| Fact::Other { server: env.me, fact: Saying::new(fact) });
        Written { fact, ..Written::default() }
    }

    fn fail(&mut self, token: Token) {
        self.bookings.jobs.remove(&token);
    }

    fn crash(&mut self, _torn: Option<(Token, u32)>, _env: &Env, _out: &mut Outbox) {
        self.memory = None;
        self.bookings.jobs.clear();
    }

    fn lose_power(&mut self, _env: &Env, _out: &mut Outbox) {
        D::lose_power(&mut self.files);
    }

    fn lose_unsynced(&mut self) {
        D::lose_power(&mut self.files);
    }

    fn edit(&mut self, line: &str) -> bool {
        D::edit(&mut self.files, line)
    }

    fn wipe(&mut self) {
        self.files = D::Files::default();
    }

    fn back_up(&mut self) {
        self.backup = Some(self.files.clone());
    }

    fn restore_backup(&mut self) -> bool {
        self.backup.clone().map(|backup| self.files = backup).is_some()
    }

    fn badge(&self, env: &Env) -> Badge {
        D::badge(self.memory.as_ref(), &self.files, env)
    }

    fn rows(&self, rows: &mut Rows) {
        self.memory.iter().for_each(|memory| memory.rows(rows));
    }

    fn disk_rows(&self, rows: &mut Rows) {
        D::file_rows(&self.files, rows);
    }

    fn job_name(&self, token: Token) -> String {
        self.bookings.jobs.get(&token).map_or(String::new(), |job| format!("{job:?}"))
    }

    fn timer_name(&self, timer: Timer) -> String {
        match timer {
            Timer::Other(number) => {
                self.bookings.timers.get(number).map_or(String::new(), |timer| format!("{timer:?}"))
            }
            Timer::Server(timer) => format!("{timer:?}"),
        }
    }
}
