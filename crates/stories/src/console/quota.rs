//! `setquota`, `listquota`, `delquota`: each asks the ensemble several times, one call after the other, as the real commands do
//! (`SetQuotaCommand.java`, `ListQuotaCommand.java`, `DelQuotaCommand.java`). Nothing holds these calls together.

use std::rc::Rc;

use crate::client::{Call, CallOutcome, Failure};
use crate::wire::{
    Acl, Answer, Code, CreateMode, Data, LIMITS, QUOTA, Request, StatsTrack, decoded, limits_path, parent_of,
    stats_path,
};

use super::Line;
use super::command::{QuotaCommand, Show};
use super::text::failure_lines;

/// The node above that of all quotas.
const SYSTEM: &str = "/zookeeper";

/// Such a command on its way.
#[derive(Clone, Debug)]
pub(super) struct QuotaJob {
    path: Rc<str>,
    what: QuotaCommand,
    at: Step,
    /// What is still to be looked at, made or deleted, the next last.
    left: Vec<Rc<str>>,
    limits: StatsTrack,
    /// The request that is under way.
    asked: Request,
}

/// What is being asked.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Step {
    /// Whether the node is there.
    Node,
    /// Whether a quota is set below it.
    Below,
    /// Whether one is set above it.
    Above,
    /// Whether `/zookeeper/quota` is there: below a chroot nobody has made it.
    Quotas,
    /// `/zookeeper` is made.
    MakeSystem,
    MakeQuotas,
    /// Whether a node of the quota's path is there.
    Way,
    /// That node is made.
    MakeWay,
    /// Whether the limits are there.
    Limits,
    MakeLimits,
    MakeStats,
    ReadLimits,
    ReadStats,
    /// The same of a new quota, whose limits need no second write.
    ReadNewStats,
    Write,
    /// The children of a quota that goes.
    Children,
    Delete,
    /// Whether a node of the quota's path has other children.
    Trim,
    DeleteWay,
}

impl QuotaJob {
    pub(super) fn start(path: Rc<str>, what: QuotaCommand) -> (QuotaJob, Call) {
        let (at, asked) = match what {
            QuotaCommand::Set(_) => (Step::Node, exists(path.clone())),
            QuotaCommand::List => (Step::ReadLimits, get(limits_path(&path))),
            QuotaCommand::Delete(_) => (Step::Limits, exists(limits_path(&path).into())),
        };
        let limits = StatsTrack::holding(-1, -1);
        let job = QuotaJob { path, what, at, left: Vec::new(), limits, asked: asked.clone() };
        (job, Call::new(asked))
    }

    /// The call before is over: the next one, if there is one.
    pub(super) fn answered(&mut self, outcome: &CallOutcome, lines: &mut Vec<Line>) -> Option<Call> {
        if self.at == Step::ReadLimits && matches!(self.what, QuotaCommand::List) {
            lines.push(Line::error(format!("absolute path is {}", limits_path(&self.path))));
        }
        let missing = *outcome == Err(Failure::Code(Code::NoNode));
        let next = match outcome {
            Err(_) if missing && !self.makes_nodes() => self.missing(lines),
            Err(Failure::Code(Code::NodeExists)) if self.at == Step::MakeWay => self.make_way(),
            Err(Failure::Code(Code::NodeExists)) if self.makes_nodes() => self.next_way(),
            Err(failure) => {
                let (path, write) = (self.asked.path(), self.asked.is_write());
                lines.extend(failure_lines(Show::Nothing, failure, Some(path), write));
                None
            }
            Ok(answer) => match self.what {
                QuotaCommand::Set(quota) => self.setting(quota, answer, lines),
                QuotaCommand::List => self.listing(answer, lines),
                QuotaCommand::Delete(which) => self.deleting(which, answer),
            },
        };
        let (at, request) = next?;
        (self.at, self.asked) = (at, request.clone());
        Some(Call::new(request))
    }

    /// Whether a node on the quota's way is being made, which may be there by now.
    fn makes_nodes(&self) -> bool {
        matches!(self.at, Step::MakeSystem | Step::MakeQuotas | Step::MakeWay)
    }

    /// A node is not there.
    fn missing(&mut self, lines: &mut Vec<Line>) -> Option<(Step, Request)> {
        let path = &self.path;
        match (self.at, self.what) {
            (Step::Node, _) => lines.push(Line::error(format!("{path} does not exist."))),
            (Step::Below, _) if self.asked.path() == quota_path(path) => return self.look_above(),
            (Step::Below, _) => return self.look_below(),
            (Step::Above, _) => return self.begin_way(),
            (Step::Quotas, _) => return Some((Step::MakeSystem, make(SYSTEM.into(), None))),
            (Step::Way, _) => return self.left.last().map(|path| (Step::MakeWay, make(path.clone(), None))),
            (Step::Limits, QuotaCommand::Set(quota)) => {
                let limits = Some(quota.to_string().into());
                return Some((Step::MakeLimits, make(limits_path(path).into(), limits)));
            }
            (Step::Limits, _) => lines.push(Line::output(format!("Quota does not exist for {path}"))),
            _ => lines.push(Line::error(format!("quota for {path} does not exist."))),
        }
        None
    }

    fn setting(&mut self, quota: StatsTrack, answer: &Answer, lines: &mut Vec<Line>) -> Option<(Step, Request)> {
        let path = self.path.clone();
        match self.at {
            Step::Node => {
                self.left.push(quota_path(&path).into());
                self.look_below()
            }
            Step::Below | Step::Above => {
                let (names, asked) = (names(answer), self.asked.path().to_string());
                if asked != quota_path(&path) && names.iter().any(|name| &**name == LIMITS) {
                    let kin = if self.at == Step::Below { "child" } else { "parent" };
                    let other = asked.strip_prefix(QUOTA).unwrap_or_default();
                    lines.push(Line::error(format!("{path} has a {kin} {other} which has a quota")));
                    return None;
                }
                if self.at == Step::Below {
                    self.left.extend(names.iter().map(|name| Rc::from(format!("{asked}/{name}"))));
                    return self.look_below();
                }
                if names.is_empty() { self.begin_way() } else { self.next_above() }
            }
            Step::MakeSystem => Some((Step::MakeQuotas, make(QUOTA.into(), None))),
            Step::Quotas | Step::MakeQuotas => self.next_way(),
            Step::Way | Step::MakeWay => self.make_way(),
            Step::Limits => Some((Step::ReadLimits, get(limits_path(&path)))),
            Step::MakeLimits => {
                let nothing = Some(StatsTrack::holding(0, 0).to_string().into());
                Some((Step::MakeStats, make(stats_path(&path).into(), nothing)))
            }
            Step::MakeStats => {
                self.limits = quota;
                Some((Step::ReadNewStats, get(stats_path(&path))))
            }
            Step::ReadLimits => {
                self.limits = merged(track(answer), quota, |limit| (limit > -1).then_some(limit));
                Some((Step::ReadStats, get(stats_path(&path))))
            }
            Step::ReadStats | Step::ReadNewStats => {
                warn(self.limits, track(answer), lines);
                (self.at == Step::ReadStats).then(|| (Step::Write, set(limits_path(&path), self.limits)))
            }
            _ => None,
        }
    }

    fn look_below(&mut self) -> Option<(Step, Request)> {
        match self.left.pop() {
            Some(path) => Some((Step::Below, children(path))),
            None => self.look_above(),
        }
    }

    /// The nodes above, the highest first.
    fn look_above(&mut self) -> Option<(Step, Request)> {
        self.left = way(parent_of(&self.path).unwrap_or("/"));
        self.next_above()
    }

    fn next_above(&mut self) -> Option<(Step, Request)> {
        match self.left.pop() {
            Some(path) => Some((Step::Above, children(path))),
            None => self.begin_way(),
        }
    }

    fn begin_way(&mut self) -> Option<(Step, Request)> {
        self.left = way(&self.path);
        Some((Step::Quotas, exists(QUOTA.into())))
    }

    /// A node of the way is there.
    fn make_way(&mut self) -> Option<(Step, Request)> {
        self.left.pop();
        self.next_way()
    }

    fn next_way(&mut self) -> Option<(Step, Request)> {
        match self.left.last() {
            Some(path) => Some((Step::Way, exists(path.clone()))),
            None => Some((Step::Limits, exists(limits_path(&self.path).into()))),
        }
    }

    fn listing(&mut self, answer: &Answer, lines: &mut Vec<Line>) -> Option<(Step, Request)> {
        let path = &self.path;
        if self.at == Step::ReadLimits {
            self.limits = track(answer);
            return Some((Step::ReadStats, get(stats_path(path))));
        }
        lines.push(Line::output(format!("Output quota for {path} {}", self.limits)));
        lines.push(Line::output(format!("Output stat for {path} {}", track(answer))));
        None
    }

    fn deleting(&mut self, which: Option<StatsTrack>, answer: &Answer) -> Option<(Step, Request)> {
        let path = quota_path(&self.path);
        match self.at {
            Step::Limits => Some((Step::ReadLimits, get(limits_path(&self.path)))),
            Step::ReadLimits => match which {
                None => Some((Step::Children, children(path.into()))),
                Some(which) => {
                    let limits = merged(track(answer), which, |flag| (flag > 0).then_some(-1));
                    Some((Step::Write, set(limits_path(&self.path), limits)))
                }
            },
            Step::Children => {
                self.left = names(answer).iter().rev().map(|name| Rc::from(format!("{path}/{name}"))).collect();
                self.delete_or_trim(path.into())
            }
            Step::Delete => self.delete_or_trim(path.into()),
            Step::Trim if names(answer).is_empty() => Some((Step::DeleteWay, delete(self.asked.path().into()))),
            Step::DeleteWay => {
                let above = parent_of(self.asked.path()).filter(|above| *above != QUOTA)?;
                Some((Step::Trim, children(above.into())))
            }
            _ => None,
        }
    }

    fn delete_or_trim(&mut self, path: Rc<str>) -> Option<(Step, Request)> {
        match self.left.pop() {
            Some(child) => Some((Step::Delete, delete(child))),
            None if &*path == QUOTA => None,
            None => Some((Step::Trim, children(path))),
        }
    }
}

fn quota_path(path: &str) -> String {
    format!("{QUOTA}{path}")
}

/// The nodes below `/zookeeper/quota` down to that of a path, the highest last.
fn way(path: &str) -> Vec<Rc<str>> {
    let ends = path.match_indices('/').skip(1).map(|(at, _)| at).chain([path.len()]);
    let mut way: Vec<Rc<str>> = match path {
        "/" | "" => Vec::new(),
        _ => ends.map(|end| format!("{QUOTA}{}", &path[..end]).into()).collect(),
    };
    way.reverse();
    way
}

/// Limits with those changed that a flag says something of.
fn merged(limits: StatsTrack, flags: StatsTrack, change: impl Fn(i64) -> Option<i64>) -> StatsTrack {
    StatsTrack {
        count: change(flags.count).unwrap_or(limits.count),
        bytes: change(flags.bytes).unwrap_or(limits.bytes),
        count_hard: flags.count_hard.and_then(&change).or(limits.count_hard),
        bytes_hard: flags.bytes_hard.and_then(&change).or(limits.bytes_hard),
    }
}

fn warn(limits: StatsTrack, holds: StatsTrack, lines: &mut Vec<Line>) {
    let below = |limit: Option<i64>, held: i64| limit.is_some_and(|limit| limit > -1 && limit < held);
    for (what, soft, hard, held) in [
        ("count", limits.count, limits.count_hard, holds.count),
        ("bytes", limits.bytes, limits.bytes_hard, holds.bytes),
    ] {
        if below(Some(soft), held) || below(hard, held) {
            let text = format!("[Warning]: the {what} quota you create is less than the existing {what}:{held}");
            lines.push(Line::output(text));
        }
    }
}

fn track(answer: &Answer) -> StatsTrack {
    match answer {
        Answer::Data { data, .. } => StatsTrack::read(&decoded(data)),
        _ => StatsTrack::holding(-1, -1),
    }
}

fn names(answer: &Answer) -> &[Rc<str>] {
    match answer {
        Answer::Children { names, .. } => names,
        _ => &[],
    }
}

fn exists(path: Rc<str>) -> Request {
    Request::Exists { path, watch: false }
}

fn get(path: String) -> Request {
    Request::GetData { path: path.into(), watch: false }
}

fn set(path: String, limits: StatsTrack) -> Request {
    Request::SetData { path: path.into(), data: Some(limits.to_string().into()), version: -1 }
}

fn children(path: Rc<str>) -> Request {
    Request::GetChildren { path, watch: false, stat: false }
}

fn delete(path: Rc<str>) -> Request {
    Request::Delete { path, version: -1 }
}

fn make(path: Rc<str>, data: Data) -> Request {
    let (acl, mode) = (Acl::open(), CreateMode::Persistent);
    Request::Create { path, data, acl, mode, ttl: 0, stat: false, flags: None }
}
