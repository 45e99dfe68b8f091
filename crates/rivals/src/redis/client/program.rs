//! A program with a lock: it is told of answers and timers, and goes on.

use crate::base::rows::Rows;
use crate::base::{ConnId, Prng, ServerId, SimTime, SortedMap};
use crate::daemon::{Badge, BadgeLine, Cx, Env, Tone};
use crate::redis::EPOCH_MS;
use crate::redis::fact::Fact;
use crate::redis::line::typed;
use crate::redis::message::Message;
use crate::redis::moment::moments;
use crate::redis::reply::Reply;

use super::Client;
use super::lines::Line;
use super::plan::{LockKind, Plan};

/// The line to the resource.
pub(super) const RESOURCE: u8 = 250;
/// The line on which it is subscribed.
pub(super) const CHANNEL: u8 = 251;
/// The line to a Sentinel.
pub(super) const SENTINEL: u8 = 252;

/// A program's timers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timer {
    /// It tries again, or goes on with the next round.
    Again,
    /// An answer has not come on this line.
    Answer(u8),
    /// It writes to the resource.
    Write,
    /// It keeps the lock.
    Renew,
    /// The work is done.
    Done,
    /// The limit is over, by its own count.
    Over,
}

/// What a program has asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// A Sentinel for the master.
    Master,
    /// SETNX.
    Setnx,
    /// The limit, after SETNX.
    Expire,
    /// The moment that stands there.
    Moment,
    /// GETSET.
    Getset,
    /// SET NX PX, or the script that also takes a token.
    Set,
    /// Whether the lock is its own after all.
    Own,
    /// The hash lock's script.
    Lock,
    /// SUBSCRIBE.
    Subscribe,
    /// Redlock: SET NX PX at one of the servers.
    Vote,
    /// INCR of the counter.
    Number,
    /// WAIT.
    Replicas,
    /// A write to the resource.
    Write,
    /// Keeping the lock.
    Renew,
    /// What stands in the lock, before it is deleted.
    LookBefore,
    /// WATCH and MULTI: nothing hangs on the answer.
    Formality,
    /// The lock is deleted.
    Unlock,
}

/// Where a program stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// It waits until it tries again.
    Resting,
    /// It tries to take the lock.
    Taking,
    /// It believes that it holds the lock.
    Holding,
    /// It lets go.
    Releasing,
    /// All rounds are over.
    Finished,
}

/// A program.
#[derive(Clone, Debug)]
pub(super) struct Program {
    pub plan: Plan,
    pub prng: Prng,
    pub lines: SortedMap<u8, Line>,
    pub stage: Stage,
    pub rounds: u32,
    pub tries: u32,
    /// What stands for this acquisition in the lock.
    pub token: String,
    /// The same token may be there already: an answer was lost.
    pub unsure: bool,
    /// When this try began.
    pub began: SimTime,
    /// The moment that was read, of `getset`.
    pub seen: String,
    pub number: Option<i64>,
    pub written: u32,
    pub subscribed: bool,
    /// It waits for a message or until a moment.
    pub waiting: bool,
    /// How the servers of Redlock have answered.
    pub votes: SortedMap<u8, Option<Reply>>,
    /// The lock was taken by so many, so it will be let go.
    pub lost: bool,
}

impl Program {
    pub(super) fn begin(plan: Plan, prng: Prng, cx: &mut Cx<Client>) -> Program {
        let mut lines = SortedMap::new();
        for (number, server) in cx.config.servers.iter().enumerate() {
            lines.insert(number as u8, Line::new(*server));
        }
        if let Some(first) = cx.config.servers.first() {
            lines.insert(CHANNEL, Line::new(*first));
        }
        lines.insert(RESOURCE, Line::new(cx.config.resource));
        let mut prng = prng;
        let first = prng.below(cx.config.sentinels.len() as u32) as usize;
        if let Some(first) = cx.config.sentinels.get(first) {
            lines.insert(SENTINEL, Line::new(*first));
        }
        let mut program = Program {
            plan,
            prng,
            lines,
            stage: Stage::Resting,
            rounds: 0,
            tries: 0,
            token: String::new(),
            unsure: false,
            began: cx.env.now,
            seen: String::new(),
            number: None,
            written: 0,
            subscribed: false,
            waiting: false,
            votes: SortedMap::new(),
            lost: false,
        };
        cx.fact(Fact::Begins { lock: program.plan.key.clone() });
        program.rest(cx);
        program
    }

    /// Tries again after a pause of about the polling time.
    pub(super) fn rest(&mut self, cx: &mut Cx<Client>) {
        if self.rounds >= self.plan.rounds {
            self.stage = Stage::Finished;
            return;
        }
        self.stage = Stage::Resting;
        self.waiting = false;
        let ms = self.plan.poll_ms;
        let pause = self.prng.between(ms * 500, ms * 1_500);
        cx.set_timer(Timer::Again, cx.env.now.plus(pause));
    }

    pub(super) fn ask(&mut self, number: u8, step: Step, args: &[&str], cx: &mut Cx<Client>) {
        let timeout = self.plan.timeout_ms;
        if let Some(line) = self.lines.get_mut(&number) {
            line.ask(number, step, args, timeout, cx);
        }
    }

    /// The client's wall clock, ms since 1970.
    pub(super) fn clock(cx: &Cx<Client>) -> i64 {
        EPOCH_MS + cx.env.clock_ms
    }

    pub(super) fn timer(&mut self, timer: Timer, cx: &mut Cx<Client>) {
        match timer {
            Timer::Again if matches!(self.stage, Stage::Resting | Stage::Taking) => self.try_lock(cx),
            Timer::Again => {}
            Timer::Answer(number) => {
                if let Some(line) = self.lines.get(&number)
                    && let Some((_, args)) = line.asked.front()
                {
                    cx.fact(Fact::TimedOut { server: line.server.to_string(), line: typed(args) });
                    self.over(number, true, cx);
                }
            }
            Timer::Write => self.write(cx),
            Timer::Renew => self.renew(cx),
            Timer::Done => self.let_go(cx),
            Timer::Over => self.lose("validity", cx),
        }
    }

    fn number_of(&self, conn: ConnId) -> Option<u8> {
        self.lines.iter().find(|(_, line)| line.conn == Some(conn)).map(|(number, _)| *number)
    }

    pub(super) fn connected(&mut self, conn: ConnId, cx: &mut Cx<Client>) {
        if let Some(line) = self.number_of(conn).and_then(|number| self.lines.get_mut(&number)) {
            line.connected(cx);
        }
    }

    pub(super) fn disconnected(&mut self, conn: ConnId, refused: bool, cx: &mut Cx<Client>) {
        let Some(number) = self.number_of(conn) else { return };
        let server = self.lines.get(&number).map_or(String::new(), |line| line.server.to_string());
        cx.fact(if refused { Fact::Refused { server } } else { Fact::Closed { server } });
        self.over(number, false, cx);
    }

    /// A connection is over: what was asked on it will not be answered.
    fn over(&mut self, number: u8, hang_up: bool, cx: &mut Cx<Client>) {
        let Some(line) = self.lines.get_mut(&number) else { return };
        let asked = line.over(number, hang_up, cx);
        if number == CHANNEL {
            self.subscribed = false;
            if self.waiting {
                self.waiting = false;
                cx.set_timer(Timer::Again, cx.env.now.plus(1_000));
            }
        }
        if number == SENTINEL {
            self.next_sentinel(cx);
        }
        for (step, _) in asked {
            self.unanswered(number, step, cx);
        }
    }

    /// The next Sentinel is asked next time.
    fn next_sentinel(&mut self, cx: &mut Cx<Client>) {
        let all = &cx.config.sentinels;
        let now = self.lines.get(&SENTINEL).map(|line| line.server);
        let at = all.iter().position(|id| Some(*id) == now).unwrap_or(0);
        if let Some(next) = all.get((at + 1) % all.len().max(1)) {
            self.lines.insert(SENTINEL, Line::new(*next));
        }
    }

    /// The lock's server is another one from now on.
    pub(super) fn move_to(&mut self, server: ServerId, cx: &mut Cx<Client>) {
        for number in [0, CHANNEL] {
            if self.lines.get(&number).is_some_and(|line| line.server != server) {
                self.over(number, true, cx);
                self.lines.insert(number, Line::new(server));
            }
        }
    }

    pub(super) fn heard(&mut self, conn: ConnId, message: Message, cx: &mut Cx<Client>) {
        let Some(number) = self.number_of(conn) else { return };
        match message {
            Message::Reply { reply } => {
                let Some(line) = self.lines.get_mut(&number) else { return };
                let server = line.server.to_string();
                let Some((step, args)) = line.answered(number, cx) else { return };
                cx.fact(Fact::Answered { server, line: typed(&args), reply: reply.clone() });
                self.answered(number, step, reply, cx);
            }
            Message::Push { .. } if number == CHANNEL => self.woken(cx),
            _ => {}
        }
    }

    /// An answer has come.
    fn answered(&mut self, number: u8, step: Step, reply: Reply, cx: &mut Cx<Client>) {
        match step {
            Step::Vote => self.voted(number, Some(reply), cx),
            Step::Renew => self.renewed(number, &reply, cx),
            Step::Write => self.wrote(&reply, cx),
            Step::LookBefore | Step::Unlock => self.unlock_step(number, step, &reply, cx),
            Step::Formality => {}
            _ if reply.is_error() => self.failed(cx),
            _ => self.take_step(step, &reply, cx),
        }
    }

    /// An answer will not come: what was asked may have been done or not.
    fn unanswered(&mut self, number: u8, step: Step, cx: &mut Cx<Client>) {
        match step {
            Step::Vote => self.voted(number, None, cx),
            Step::Renew => self.renewed(number, &Reply::error("no answer"), cx),
            Step::Write | Step::Formality => {}
            Step::LookBefore | Step::Unlock => self.unlock_step(number, step, &Reply::error("no answer"), cx),
            _ => {
                self.unsure |= step == Step::Set;
                self.failed(cx);
            }
        }
    }

    pub(super) fn tell(&self, rows: &mut Rows) {
        rows.put("program", &format!("{:?}", self.stage));
        rows.put("rounds", &format!("{} / {}", self.rounds, self.plan.rounds));
        if self.stage == Stage::Holding {
            rows.put("holds", &self.plan.key);
            rows.put("token", &self.token);
            rows.some("number", self.number.as_ref().map(|number| number as _));
        }
    }

    /// What it believes of its lock. Who believes longer than the limit lasts, by its own count, is shown to be wrong.
    pub(super) fn badge(&self, env: &Env) -> Badge {
        let holds = self.stage == Stage::Holding;
        let whole = self.plan.limit().map(|ms| ms.saturating_mul(1_000));
        let left = whole.map(|whole| (whole.saturating_sub(env.now.since(self.began)), whole)).filter(|_| holds);
        let (value, tone) = match self.stage {
            Stage::Holding => {
                let over = left.is_some_and(|(left, _)| left == 0);
                (self.token_shown(), if over { Tone::Bad } else { Tone::Held })
            }
            Stage::Taking | Stage::Resting if self.tries > 0 => (format!("✗ {}", self.tries), Tone::Waiting),
            _ => ("–".into(), Tone::Plain),
        };
        let line = BadgeLine { label: self.plan.key.clone(), value, tone, left };
        Badge { role: "CLIENT", crowned: holds, lines: vec![line], ..Badge::default() }
    }

    /// Its fencing token, or what stands for this acquisition in the lock.
    fn token_shown(&self) -> String {
        self.number.map_or_else(|| moments(&self.token), |number| format!("#{number}"))
    }

    /// Whether it is Redlock.
    pub(super) fn is_redlock(&self) -> bool {
        self.plan.lock == LockKind::Redlock
    }
}
