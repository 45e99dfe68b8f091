//! A section under way: at which line it stands, what it keeps, what it waits for. Lines that ask nobody are done at once; the others
//! say what they want, and the section goes on with what comes of it.

use std::mem;
use std::rc::Rc;

use crate::base::{SimTime, SortedMap, Zxid};
use crate::wire::EventType;

use crate::runtime::context::Cx;
use crate::runtime::fact::{Fact, ReleaseReason, Share};
use crate::runtime::thread::{Flow, Resume, Wake};
use crate::runtime::thread_id::ThreadId;
use crate::runtime::value::{Exception, Outcome, Value};

use super::forms::{Section, Statement};
use super::program::Program;
use super::values::Kept;

/// Most lines of one call.
const MAX_STEPS: u32 = 100_000;
/// Most lines in a row that ask for nothing and wait for nothing.
const MAX_IN_A_ROW: u32 = 1_000;
/// Longest text that a value may have, bytes.
const MAX_TEXT: usize = 2_048;

/// What all threads of a recipe have in common.
#[derive(Debug, Default)]
pub(super) struct Shared {
    /// What it is called in its program.
    pub object: Rc<str>,
    pub path: Rc<str>,
    pub program: Program,
}

/// What a thread does at its line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Activity {
    /// Nothing: no section is under way.
    #[default]
    Idle,
    /// It waits for the answer to its request.
    Asks,
    /// It waits for a connection.
    Connects,
    /// It waits for a watch of this node.
    Waits(Rc<str>),
    /// It sleeps.
    Sleeps,
}

/// A clause for a lost request.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clause {
    pub at: usize,
    pub request: usize,
    /// How many loops it began in.
    pub loops: usize,
}

/// A thread that uses the recipe, in a section or between two.
#[derive(Clone, Debug, Default)]
pub(super) struct Running {
    pub shared: Rc<Shared>,
    pub who: ThreadId,
    /// The thread that does it: another one where nobody has called anything.
    pub by: ThreadId,
    /// What is under way.
    pub section: Option<Section>,
    /// Whether it has it.
    pub holds: bool,
    /// The code that is next, or that it is at.
    pub at: usize,
    pub values: SortedMap<Rc<str>, Kept>,
    /// What the method was given.
    pub item: Option<Rc<str>>,
    /// When the call is over, whatever it waits for.
    pub limit: Option<SimTime>,
    pub doing: Activity,
    /// Until when, at most.
    pub until: Option<SimTime>,
    /// What its watch is about that it set last.
    pub watched: Rc<str>,
    /// A watch has fired since the last wait.
    pub news: bool,
    /// What happened to what it waits for, since it asked.
    pub hit: Option<EventType>,
    /// The session was lost, and it has not heard of it yet.
    pub lost: bool,
    /// It is in the clause for that.
    pub in_lost: bool,
    /// An interrupt is on its way for which it has no use any more.
    pub owes_interrupt: bool,
    /// The clause for a lost request that it is in.
    pub clause: Option<Clause>,
    /// The `repeat`s that it is in, and how many rounds are left.
    pub loops: Vec<(usize, u32)>,
    /// The node that it made last, or wanted to make.
    pub made: Rc<str>,
    /// The node that it made or found to be its own last, and its czxid: another with its name is another node.
    pub born: Option<(Rc<str>, Zxid)>,
    /// The list that it read last.
    pub list: Kept,
    pub steps: u32,
    pub in_a_row: u32,
}

impl Running {
    /// A thread that has done nothing yet.
    pub(super) fn new(shared: Rc<Shared>, who: ThreadId) -> Running {
        Running { shared, who, by: who, ..Running::default() }
    }

    /// A section begins. What the thread keeps it keeps as long as it has what it got.
    pub(super) fn begin(&mut self, section: Section, at: usize) {
        let kept = mem::take(&mut self.values);
        *self = Running {
            section: Some(section),
            at: at + 1,
            holds: self.holds,
            values: if self.holds { kept } else { SortedMap::new() },
            ..Running::new(self.shared.clone(), self.who)
        };
    }

    /// Goes on with what it waited for.
    pub(super) fn resume(&mut self, with: Resume, cx: &mut Cx<'_>) -> Flow {
        self.step(with, cx).unwrap_or_else(|| self.go_on(cx))
    }

    /// What it waited for; nothing where it goes on at the line that it is at.
    fn step(&mut self, with: Resume, cx: &mut Cx<'_>) -> Option<Flow> {
        let interrupted = matches!(with, Resume::Woken(Wake::Interrupted));
        if mem::take(&mut self.lost) {
            self.owes_interrupt = !interrupted;
            let clause = self.shared.program.place_of(&Statement::OnLost {})?;
            (self.at, self.clause, self.in_lost) = (clause + 1, None, true);
            self.loops.clear();
            return None;
        }
        if interrupted && !mem::take(&mut self.owes_interrupt) {
            return Some(self.ends(Err(Exception::Interrupted), cx));
        }
        if matches!(with, Resume::Woken(_)) && self.limit.is_some_and(|limit| limit <= cx.now) {
            return Some(self.ends(Ok(Value::Bool(false)), cx));
        }
        match (with, self.doing.clone()) {
            (Resume::Answer(outcome), _) => self.answered(outcome.map_err(Exception::from), cx),
            (Resume::Woken(wake), Activity::Waits(_)) => self.woken(wake == Wake::TimedOut, cx),
            (Resume::Woken(_), Activity::Connects) => self.ask(cx),
            (Resume::Woken(_), Activity::Sleeps) if self.until.is_some_and(|until| cx.now < until) => {
                Some(self.rests(Activity::Sleeps, None, self.until))
            }
            (Resume::Woken(_), Activity::Sleeps) => self.leave(self.at, cx),
            _ => None,
        }
    }

    /// Goes on at the line that it is at, until it wants something or is over.
    fn go_on(&mut self, cx: &mut Cx<'_>) -> Flow {
        let of = self.shared.clone();
        loop {
            (self.steps, self.in_a_row) = (self.steps + 1, self.in_a_row + 1);
            if self.steps > MAX_STEPS || self.in_a_row > MAX_IN_A_ROW {
                return self.ends(Err(Exception::state("It goes round and round: too many lines")), cx);
            }
            let Some(code) = of.program.code.get(self.at) else { return self.ends(Ok(Value::Nothing), cx) };
            cx.fact(Fact::AtLine { thread: self.who, object: of.object.clone(), line: code.line as u32 });
            if let Some(flow) = self.one(&code.what, cx) {
                return flow;
            }
        }
    }

    /// Does a line; nothing where it goes on at once.
    fn one(&mut self, what: &Statement, cx: &mut Cx<'_>) -> Option<Flow> {
        match what {
            Statement::If { condition } | Statement::Else { condition: Some(condition) } => {
                self.branch(self.is_so(condition, cx), cx)
            }
            Statement::Else { condition: None } => self.branch(true, cx),
            Statement::Repeat {} => self.repeat(None, cx),
            Statement::RepeatTimes { times, .. } => self.repeat(Some(*times), cx),
            Statement::Stop {} => self.stop(cx),
            _ if what.path().is_some() => self.ask(cx),
            Statement::Do { what: (name, make) } => {
                let value = self.made_of(make, cx);
                self.keep(name.as_ref(), value, cx)
            }
            Statement::Wait {} | Statement::WaitAtMost { .. } if mem::take(&mut self.news) => self.leave(self.at, cx),
            Statement::Wait {} => Some(self.wait(None, cx)),
            Statement::WaitAtMost { ms, .. } => Some(self.wait(Some(after(*ms, cx)), cx)),
            Statement::Sleep { ms, .. } => Some(self.rests(Activity::Sleeps, None, Some(after(*ms, cx)))),
            Statement::BackOff { ms, .. } => {
                let until = after(1 + cx.core.curator.prng.below(*ms), cx);
                Some(self.rests(Activity::Sleeps, None, Some(until)))
            }
            Statement::SortByName { list, .. } | Statement::SortByNumber { list, .. } => {
                let by_name = matches!(what, Statement::SortByName { .. });
                let sorted = self.value(list, cx).sorted(by_name);
                self.keep(Some(list), sorted, cx)
            }
            Statement::Hold { shared: true } => Some(self.has(Share::Read, cx)),
            Statement::Hold { shared: false } => Some(self.has(Share::Exclusive, cx)),
            Statement::Lead {} => Some(self.has(Share::Leader, cx)),
            Statement::Release {} => {
                let reason = if self.in_lost { ReleaseReason::Lost } else { ReleaseReason::Released };
                self.lets_go(reason, cx);
                self.leave(self.at, cx)
            }
            Statement::ReturnValue { value } => {
                let value = Value::Text(Some(self.text(value, cx)));
                Some(self.ends(Ok(value), cx))
            }
            Statement::Return {} => Some(self.ends(Ok(Value::Nothing), cx)),
            Statement::GiveUp {} => Some(self.gives_up(cx)),
            Statement::Again {} => {
                let Clause { request, loops, .. } = self.clause.take()?;
                self.at = request;
                self.loops.truncate(loops);
                None
            }
            Statement::StartOver {} => {
                let begins =
                    self.section.and_then(|section| self.shared.program.place_of(&Statement::Section { section }));
                (self.at, self.clause, self.in_lost) = (begins? + 1, None, false);
                self.loops.clear();
                self.values.clear();
                None
            }
            // what stands below these is done when its time comes
            Statement::Section { .. } | Statement::OnLoss {} | Statement::OnLost {} => self.leave(self.at, cx),
            // they ask, see above
            Statement::WaitGone { .. } | Statement::WaitThere { .. } => None,
        }
    }

    /// Goes on behind a line and all that stands below it.
    pub(super) fn leave(&mut self, at: usize, cx: &mut Cx<'_>) -> Option<Flow> {
        let of = self.shared.clone();
        let code = &of.program.code;
        let mut next = code[at].end;
        let Some(parent) = code[at].parent else { return Some(self.ends(Ok(Value::Nothing), cx)) };
        while next < code[parent].end && matches!(code[next].what, Statement::Else { .. }) {
            next = code[next].end;
        }
        if next < code[parent].end {
            self.at = next;
            return None;
        }
        match &code[parent].what {
            Statement::Repeat {} | Statement::RepeatTimes { .. } => {
                self.at = parent;
                None
            }
            Statement::OnLoss {} => match self.clause.take() {
                Some(Clause { request, .. }) => self.leave(request, cx),
                None => Some(self.gives_up(cx)),
            },
            Statement::OnLost {} => Some(self.gives_up(cx)),
            Statement::Section { .. } => Some(self.ends(Ok(Value::Nothing), cx)),
            _ => self.leave(parent, cx),
        }
    }

    fn branch(&mut self, so: bool, cx: &mut Cx<'_>) -> Option<Flow> {
        let code = &self.shared.program.code;
        let (end, parent) = (code[self.at].end, code[self.at].parent);
        if so {
            self.at += 1;
            return None;
        }
        let other = code.get(end).filter(|other| other.parent == parent);
        if other.is_some_and(|other| matches!(other.what, Statement::Else { .. })) {
            self.at = end;
            return None;
        }
        self.leave(self.at, cx)
    }

    fn repeat(&mut self, times: Option<u32>, cx: &mut Cx<'_>) -> Option<Flow> {
        match self.loops.last_mut() {
            Some((at, left)) if *at == self.at => {
                *left -= u32::from(times.is_some());
                if *left == 0 {
                    self.loops.pop();
                    return self.leave(self.at, cx);
                }
            }
            _ => self.loops.push((self.at, times.unwrap_or(1))),
        }
        self.at += 1;
        None
    }

    fn stop(&mut self, cx: &mut Cx<'_>) -> Option<Flow> {
        let (at, _) = self.loops.pop()?;
        if self.clause.is_some_and(|clause| at < clause.at) {
            self.clause = None;
        }
        self.leave(at, cx)
    }

    /// Keeps a value, if it has a name and is not too long, and goes on.
    pub(super) fn keep(&mut self, name: Option<&Rc<str>>, value: Kept, cx: &mut Cx<'_>) -> Option<Flow> {
        if value.as_text().len() > MAX_TEXT {
            return Some(self.ends(Err(Exception::state("A value is too long")), cx));
        }
        if let Some(name) = name.cloned() {
            let (thread, object) = (self.who, self.shared.object.clone());
            cx.fact(Fact::Keeps { thread, object, name: name.clone(), value: value.to_string().into() });
            self.values.insert(name, value);
        }
        self.leave(self.at, cx)
    }

    /// Waits for a notification, or for a time; never longer than the call may take.
    pub(super) fn rests(&mut self, doing: Activity, on: Option<&str>, until: Option<SimTime>) -> Flow {
        (self.doing, self.until, self.in_a_row) = (doing, until, 0);
        Flow::Wait { on: on.map(Rc::from), until: [until, self.limit].into_iter().flatten().min() }
    }

    fn waits(&mut self, until: Option<SimTime>) -> Flow {
        let of = self.shared.clone();
        self.rests(Activity::Waits(self.watched.clone()), Some(&of.object), until)
    }

    pub(super) fn wait(&mut self, until: Option<SimTime>, cx: &mut Cx<'_>) -> Flow {
        let (thread, object, watched) = (self.who, self.shared.object.clone(), self.watched.clone());
        let me = self.values.get("me");
        let ahead = me.and_then(|me| self.list.place(me)).unwrap_or(0) as u32;
        let node = me.map(Kept::as_text).unwrap_or_default();
        cx.fact(Fact::WaitsBehind { thread, object, node, watched, ahead });
        self.waits(until)
    }

    /// It was woken while it waits: how it goes on, and whether it does.
    fn woken(&mut self, timed_out: bool, cx: &mut Cx<'_>) -> Option<Flow> {
        let wanted = match self.shared.program.code.get(self.at)?.what {
            Statement::WaitGone { .. } => Some(EventType::NodeDeleted),
            Statement::WaitThere { .. } => Some(EventType::NodeCreated),
            _ => None,
        };
        let goes_on = if wanted.is_some() { self.hit.is_some() } else { timed_out || self.news };
        if !goes_on {
            return Some(self.waits(self.until));
        }
        if !timed_out {
            cx.fact(Fact::Woken { thread: self.who, object: self.shared.object.clone() });
        }
        self.news = false;
        match (wanted, self.hit.take()) {
            // something else happened to the node, or the session of that watch is over
            (Some(wanted), Some(hit)) if hit != wanted => self.ask(cx),
            _ => self.leave(self.at, cx),
        }
    }

    fn has(&mut self, share: Share, cx: &mut Cx<'_>) -> Flow {
        (self.section, self.holds) = (None, true);
        let me = self.values.get("me").map(Kept::as_text).unwrap_or_default();
        // by `me`, or else the node that it made last
        let node = if me.is_empty() { self.made.clone() } else { me };
        let token = self.born.as_ref().filter(|(born, _)| *born == node).map(|(_, czxid)| *czxid);
        let (thread, object, path) = (self.who, self.shared.object.clone(), self.shared.path.clone());
        cx.fact(Fact::Acquired { thread, object, path, node, share, token });
        Flow::Return(Ok(if self.limit.is_some() { Value::Bool(true) } else { Value::Nothing }))
    }

    /// It no longer has it, if it did.
    pub(super) fn lets_go(&mut self, reason: ReleaseReason, cx: &mut Cx<'_>) {
        if mem::take(&mut self.holds) {
            let (thread, object, path) = (self.who, self.shared.object.clone(), self.shared.path.clone());
            cx.fact(Fact::Released { thread, object, path, reason });
        }
    }

    fn gives_up(&mut self, cx: &mut Cx<'_>) -> Flow {
        self.ends(Err(Exception::state("It gave up")), cx)
    }

    /// The section is over, and has nothing.
    pub(super) fn ends(&mut self, outcome: Outcome, cx: &mut Cx<'_>) -> Flow {
        let (thread, object, section) = (self.who, self.shared.object.clone(), self.section.take());
        let gets = section.is_some_and(Section::gets);
        match &outcome {
            Ok(Value::Text(Some(data))) if section == Some(Section::Take) => {
                cx.fact(Fact::Consumed { thread, object, data: data.clone().into() });
            }
            _ if gets => cx.fact(Fact::GaveUp { thread, object }),
            _ => {}
        }
        match outcome {
            Ok(Value::Nothing | Value::Text(_)) if gets => {
                Flow::Return(Err(Exception::state("It ended without hold or lead")))
            }
            _ => Flow::Return(outcome),
        }
    }
}

fn after(ms: u32, cx: &Cx<'_>) -> SimTime {
    cx.now.plus(u64::from(ms) * 1_000)
}
