//! A command on its way: the calls that it makes, one after the other or some at a time, and what it prints between.

use std::rc::Rc;

use crate::base::{Arrange, SortedSet};
use crate::client::{Call, CallOutcome, Failure};
use crate::wire::{Answer, Code, Request};

use super::Line;
use super::command::{Each, Operation, Show};
use super::quota::QuotaJob;
use super::text::{answer_lines, failure_lines, is_in_doubt, keeper_message};
use super::{Note, text};

/// How many multis of `deleteall` may be on their way at a time.
const DELETES_AT_A_TIME: usize = 10;

/// What an answer leads to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// The next calls; they are numbered on.
    pub more: Vec<Call>,
    /// What is printed.
    pub lines: Vec<Line>,
    /// Whether the command is over.
    pub done: bool,
}

/// A command on its way.
#[derive(Clone, Debug)]
pub struct Running {
    job: Job,
    /// The calls without an answer, by number.
    open: SortedSet<usize>,
    /// The number that the next call gets.
    next: usize,
}

#[derive(Clone, Debug)]
enum Job {
    One { path: Option<Rc<str>>, write: bool, show: Show },
    Walk(Walk),
    List(List),
    Batches(Batches),
    OneByOne(Vec<Rc<str>>),
    Quota(QuotaJob),
    Done,
}

impl Running {
    /// Begins. The calls are numbered from 0 in their order, and so are all later ones.
    pub fn start(operation: &Operation) -> (Running, Vec<Call>) {
        let (job, call) = match operation.clone() {
            Operation::One { call, show } => {
                let path = names_path(&call.request).then(|| call.request.path().into());
                (Job::One { path, write: call.request.is_write(), show }, call)
            }
            Operation::Walk { path, watch, each } => {
                let call = Call::new(Request::GetData { path: path.clone(), watch });
                let at = Some(Task::Read(path));
                (Job::Walk(Walk { at, left: Vec::new(), watch, each, said: String::new(), doubt: false }), call)
            }
            Operation::Quota { path, what } => {
                let (job, call) = QuotaJob::start(path, what);
                (Job::Quota(job), call)
            }
            Operation::DeleteAll { path, batch } => {
                let call = children(&path);
                (Job::List(List { tree: vec![path], listed: 0, batch }), call)
            }
        };
        (Running { job, open: SortedSet::from_iter([0]), next: 1 }, vec![call])
    }

    /// A call is over. An answer that nobody waits for changes nothing.
    pub fn answered(&mut self, call: usize, outcome: &CallOutcome) -> Progress {
        if !self.open.remove(&call) {
            return Progress { done: self.is_done(), ..Progress::default() };
        }
        let job = std::mem::replace(&mut self.job, Job::Done);
        let (job, more, lines) = match job {
            Job::One { path, write, show } => (Job::Done, Vec::new(), one(path.as_deref(), write, show, outcome)),
            Job::Walk(walk) => walk.answered(outcome),
            Job::List(list) => list.answered(outcome),
            Job::Batches(batches) => batches.answered(outcome, self.open.len()),
            Job::OneByOne(tree) => one_by_one(tree, outcome),
            Job::Quota(mut job) => {
                let mut lines = Vec::new();
                match job.answered(outcome, &mut lines) {
                    Some(call) => (Job::Quota(job), vec![call], lines),
                    None => (Job::Done, Vec::new(), lines),
                }
            }
            Job::Done => (Job::Done, Vec::new(), Vec::new()),
        };
        self.job = job;
        self.open.extend(self.next..self.next + more.len());
        self.next += more.len();
        Progress { more, lines, done: self.is_done() }
    }

    fn is_done(&self) -> bool {
        matches!(self.job, Job::Done)
    }
}

/// Whether the exception of a call that fails names its path: one that the library itself refuses for its empty list does not.
fn names_path(request: &Request) -> bool {
    match request {
        Request::GetEphemerals { .. } => false,
        Request::Create { acl, .. } | Request::SetAcl { acl, .. } => !acl.is_empty(),
        _ => true,
    }
}

/// What a step leads to: what is to do then, the next calls, the lines.
type Next = (Job, Vec<Call>, Vec<Line>);

fn one(path: Option<&str>, write: bool, show: Show, outcome: &CallOutcome) -> Vec<Line> {
    match outcome {
        Ok(answer) => answer_lines(show, answer),
        Err(failure) => failure_lines(show, failure, path, write),
    }
}

fn children(path: &Rc<str>) -> Call {
    Call::new(Request::GetChildren { path: path.clone(), watch: false, stat: false })
}

fn below(path: &str, child: &str) -> Rc<str> {
    format!("{}/{child}", if path == "/" { "" } else { path }).into()
}

fn failed(failure: &Failure, path: &str, write: bool) -> Next {
    (Job::Done, Vec::new(), failure_lines(Show::Nothing, failure, Some(path), write))
}

/// A walk through a subtree: the topmost node is read, then every node listed; all children are visited before the
/// children of the first.
#[derive(Clone, Debug)]
struct Walk {
    /// What is being asked.
    at: Option<Task>,
    /// What is still to do, the next one last.
    left: Vec<Task>,
    watch: bool,
    each: Each,
    /// What `setAcl -R` has complained about: it breaks no lines, so that all of it stands in one.
    said: String,
    doubt: bool,
}

#[derive(Clone, Debug)]
enum Task {
    Read(Rc<str>),
    Visit(Rc<str>),
    List(Rc<str>),
}

impl Walk {
    fn answered(mut self, outcome: &CallOutcome) -> Next {
        let mut lines = Vec::new();
        match (self.at.take(), outcome) {
            (Some(Task::Read(path)), Ok(_)) => self.left.extend([Task::List(path.clone()), Task::Visit(path)]),
            (Some(Task::Read(path)), Err(failure)) => return failed(failure, &path, false),
            (Some(Task::List(path)), Ok(Answer::Children { names, .. })) => self.found(&path, names),
            (Some(Task::List(path)), Err(failure)) if *failure != Failure::Code(Code::NoNode) => {
                let (job, calls, why) = failed(failure, &path, false);
                let mut lines = self.complaints();
                lines.extend(why);
                return (job, calls, lines);
            }
            (Some(Task::Visit(path)), Err(failure)) => {
                let named = !matches!(&self.each, Each::SetAcl(acl, _) if acl.is_empty());
                self.said += &match failure {
                    Failure::Code(code) => keeper_message(*code, Some(&*path).filter(|_| named)),
                    Failure::IllegalArgument(message) => message.clone(),
                };
                self.doubt |= matches!(failure, Failure::Code(code) if is_in_doubt(*code));
            }
            _ => {} // listed before it was deleted, or a list that was set
        }
        let call = self.next(&mut lines);
        match call {
            Some(call) => (Job::Walk(self), vec![call], lines),
            None => {
                lines.extend(self.complaints());
                (Job::Done, Vec::new(), lines)
            }
        }
    }

    /// What was complained about, in the one line that it is.
    fn complaints(&self) -> Vec<Line> {
        let said = Some(&self.said).filter(|said| !said.is_empty()).map(Line::error);
        said.into_iter().chain(self.doubt.then(|| Line::note(Note::InDoubt))).collect()
    }

    fn found(&mut self, path: &str, names: &[Rc<str>]) {
        let mut names: Vec<&str> = names.iter().map(|name| &**name).collect();
        names.arrange();
        let paths: Vec<Rc<str>> = names.iter().rev().map(|name| below(path, name)).collect();
        self.left.extend(paths.iter().cloned().map(Task::List));
        self.left.extend(paths.into_iter().map(Task::Visit));
    }

    /// The next call; on the way there it prints.
    fn next(&mut self, lines: &mut Vec<Line>) -> Option<Call> {
        loop {
            let task = self.left.pop()?;
            let request = match (&task, &self.each) {
                (Task::Visit(path), Each::Print) => {
                    lines.push(Line::output(&**path));
                    continue;
                }
                (Task::Visit(path), Each::SetAcl(acl, version)) => {
                    Request::SetAcl { path: path.clone(), acl: acl.clone(), version: *version }
                }
                (Task::List(path) | Task::Read(path), _) => {
                    Request::GetChildren { path: path.clone(), watch: self.watch, stat: true }
                }
            };
            self.at = Some(task);
            return Some(Call::new(request));
        }
    }
}

/// The first half of `deleteall`: the subtree, breadth first.
#[derive(Clone, Debug)]
struct List {
    /// Every node found, parents before children.
    tree: Vec<Rc<str>>,
    /// How many of them have told their children; the next is being asked.
    listed: usize,
    batch: usize,
}

impl List {
    fn answered(mut self, outcome: &CallOutcome) -> Next {
        let path = self.tree[self.listed].clone();
        match outcome {
            Ok(Answer::Children { names, .. }) => self.tree.extend(names.iter().map(|name| below(&path, name))),
            Ok(_) => {}
            Err(failure) => return failed(failure, &path, false),
        }
        self.listed += 1;
        match self.tree.get(self.listed) {
            Some(path) => {
                let call = children(path);
                (Job::List(self), vec![call], Vec::new())
            }
            None if self.batch == 0 => {
                let call = self.tree.last().map(delete).into_iter().collect();
                (Job::OneByOne(self.tree), call, Vec::new())
            }
            None => {
                let mut batches = Batches { left: self.tree, size: self.batch, failed: false, doubt: false };
                let calls = (0..DELETES_AT_A_TIME).map_while(|_| batches.next()).collect();
                (Job::Batches(batches), calls, Vec::new())
            }
        }
    }
}

fn delete(path: &Rc<str>) -> Call {
    Call::new(Request::Delete { path: path.clone(), version: -1 })
}

/// `deleteall -b 0`: the last of the tree is being deleted.
fn one_by_one(mut tree: Vec<Rc<str>>, outcome: &CallOutcome) -> Next {
    let path = tree.pop().unwrap_or_else(|| "/".into());
    match (outcome, tree.last().map(delete)) {
        (Err(failure), _) => failed(failure, &path, true),
        (Ok(_), Some(call)) => (Job::OneByOne(tree), vec![call], Vec::new()),
        (Ok(_), None) => (Job::Done, Vec::new(), Vec::new()),
    }
}

/// The second half of `deleteall`: multis that delete from the leaves up. After the first that fails none is sent.
#[derive(Clone, Debug)]
struct Batches {
    /// What no multi holds yet, parents before children.
    left: Vec<Rc<str>>,
    size: usize,
    failed: bool,
    doubt: bool,
}

impl Batches {
    fn next(&mut self) -> Option<Call> {
        let first = self.left.len().saturating_sub(self.size);
        let ops: Vec<Request> = self.left.drain(first..).rev().map(|path| delete(&path).request).collect();
        (!ops.is_empty()).then(|| Call::new(Request::Multi { ops }))
    }

    fn answered(mut self, outcome: &CallOutcome, open: usize) -> Next {
        let code = match outcome {
            Ok(answer) => answer.thrown(),
            Err(Failure::Code(code)) => Some(*code),
            Err(Failure::IllegalArgument(_)) => Some(Code::BadArguments),
        };
        self.failed |= code.is_some();
        self.doubt |= code.is_some_and(is_in_doubt);
        let more: Vec<Call> = if self.failed { Vec::new() } else { self.next().into_iter().collect() };
        if open > 0 || !more.is_empty() {
            return (Job::Batches(self), more, Vec::new());
        }
        let mut lines = Vec::new();
        if self.failed {
            lines.push(Line::error(text::DELETED_PARTLY));
        }
        if self.doubt {
            lines.push(Line::note(Note::InDoubt));
        }
        (Job::Done, Vec::new(), lines)
    }
}
