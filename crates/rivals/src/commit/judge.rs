//! Atomic commitment, judged from facts: AC1 to AC5 of Bernstein, Hadzilacos and Goodman, section 7.3.

use std::collections::BTreeMap;

use crate::base::{ServerId, ServerSet, SimTime, SortedMap};
use crate::daemon::{Breach, Judge, Property};

use super::fact::{Fact, What};
use super::txn::{Decision, Txn, Vote};

/// All that decide, decide the same.
pub const AC1: &str = "commit-agreement";
/// Nobody changes a decision.
pub const AC2: &str = "commit-no-change";
/// Commit is decided only if all have voted yes.
pub const AC3: &str = "commit-unanimous";
/// If all vote yes and nothing fails, commit is decided.
pub const AC4: &str = "commit-not-trivial";
/// When all faults are repaired, all decide in the end.
pub const AC5: &str = "commit-all-decide";

/// What is known of a transaction.
#[derive(Clone, Debug, Default)]
struct Course {
    participants: ServerSet,
    /// Who has voted yes, or has only read.
    yes: ServerSet,
    /// Who has voted yes, and so waits for the decision.
    bound: ServerSet,
    decided: SortedMap<ServerId, Decision>,
    /// Something has failed since it began: a time limit, a connection, a machine.
    failed: bool,
    /// What was said of it already.
    said: Vec<&'static str>,
}

/// The judge of all transactions.
#[derive(Clone, Debug, Default)]
pub struct AtomicCommitment {
    courses: BTreeMap<Txn, Course>,
    breaches: Vec<Breach>,
}

impl Judge for AtomicCommitment {
    type Fact = Fact;

    // AC5 is asked at the end of a run that has been repaired ([`AtomicCommitment::end`]): no fact says that it is the end
    const PROPERTIES: &'static [Property] = &[
        Property {
            id: AC1,
            title: ["Agreement (AC1)", "一致（AC1）"],
            about: ["All that decide on a transaction decide the same.", "对同一事务作出决定的各方，决定都相同。"],
        },
        Property {
            id: AC2,
            title: ["No change of mind (AC2)", "决定不变（AC2）"],
            about: ["Nobody changes a decision that it has made.", "决定一旦作出，就不再改变。"],
        },
        Property {
            id: AC3,
            title: ["Unanimity (AC3)", "全体赞成（AC3）"],
            about: [
                "A transaction is committed only if all its participants have voted yes.",
                "只有全部参与者都投赞成票，事务才能提交。",
            ],
        },
        Property {
            id: AC4,
            title: ["No abort for nothing (AC4)", "不无故中止（AC4）"],
            about: [
                "If all participants vote yes and nothing fails, the transaction is committed.",
                "如果全部参与者都投赞成票，也没有任何故障，事务就提交。",
            ],
        },
    ];

    fn read(&mut self, at: SimTime, machine: ServerId, fact: &Fact) {
        match &fact.what {
            What::Began { txn, participants, .. } => {
                self.courses.entry(*txn).or_default().participants = *participants;
            }
            What::Voted { txn, vote, .. } => self.voted(*txn, machine, *vote),
            What::Decided { txn, decision, .. } | What::Concluded { txn, decision, .. } => {
                self.decides(at, *txn, machine, *decision);
            }
            // the record is the decision, whether or not somebody lives to tell
            What::Forced { record: "COMMIT", txn } => self.decides(at, *txn, machine, Decision::Commit),
            What::Forced { record: "ABORT", txn } => self.decides(at, *txn, machine, Decision::Abort),
            // what it had prepared is gone: its part is undone
            What::Missing { txn } => {
                self.courses.entry(*txn).or_default().failed = true;
                self.decides(at, *txn, machine, Decision::Abort);
            }
            What::VoteTimeout { txn, .. } | What::LineLost { txn, .. } | What::InDoubt { txn, .. } => {
                self.courses.entry(*txn).or_default().failed = true;
            }
            What::Recovered { .. } => self.courses.values_mut().for_each(|course| course.failed = true),
            _ => {}
        }
    }

    fn breaches(&self) -> &[Breach] {
        &self.breaches
    }
}

impl AtomicCommitment {
    fn voted(&mut self, txn: Txn, machine: ServerId, vote: Vote) {
        let course = self.courses.entry(txn).or_default();
        if vote != Vote::No {
            course.yes.insert(machine);
        }
        if vote == Vote::Yes {
            course.bound.insert(machine);
        }
    }

    fn decides(&mut self, at: SimTime, txn: Txn, machine: ServerId, decision: Decision) {
        let course = self.courses.entry(txn).or_default();
        let before = course.decided.get(&machine).copied().filter(|before| *before != decision);
        let other = course.decided.iter().find(|(id, other)| **id != machine && **other != decision);
        let other = other.map(|(id, _)| *id);
        course.decided.insert(machine, decision);
        course.bound.remove(machine);
        let missing: ServerSet = course.participants.iter().filter(|id| !course.yes.contains(*id)).collect();
        let unanimous = missing.is_empty() && !course.participants.is_empty();
        let failed = course.failed;
        if before.is_some() {
            self.breach(at, txn, AC2, changed(txn, machine, decision));
        }
        if let Some(other) = other {
            self.breach(at, txn, AC1, disagree(txn, machine, decision, other));
        }
        if decision == Decision::Commit && !unanimous {
            self.breach(at, txn, AC3, not_all(txn, machine, missing));
        }
        if decision == Decision::Abort && unanimous && !failed {
            self.breach(at, txn, AC4, for_nothing(txn, machine));
        }
    }

    fn breach(&mut self, at: SimTime, txn: Txn, property: &'static str, said: [String; 2]) {
        let course = self.courses.entry(txn).or_default();
        if !course.said.contains(&property) {
            course.said.push(property);
            self.breaches.push(Breach { property, at, said });
        }
    }

    /// Who has voted yes and knows no decision, by transaction: blocked, until somebody tells them.
    pub fn undecided(&self) -> impl Iterator<Item = (Txn, ServerSet)> {
        let open = |(txn, course): (&Txn, &Course)| (!course.bound.is_empty()).then_some((*txn, course.bound));
        self.courses.iter().filter_map(open)
    }

    /// The run is over, all faults have been repaired for long: who still does not know a decision never will.
    pub fn end(&mut self, at: SimTime) {
        for (txn, blocked) in self.undecided().collect::<Vec<_>>() {
            self.breach(at, txn, AC5, for_ever(txn, blocked));
        }
    }
}

fn list(set: ServerSet) -> String {
    crate::base::rows::names(set)
}

fn disagree(txn: Txn, one: ServerId, decision: Decision, other: ServerId) -> [String; 2] {
    let word = decision.word();
    [
        format!("{txn}: {one} decides {word}, and {other} has decided otherwise."),
        format!("{txn}：{one} 的决定是 {word}，而 {other} 的决定相反。"),
    ]
}

fn changed(txn: Txn, machine: ServerId, decision: Decision) -> [String; 2] {
    let word = decision.word();
    [
        format!("{txn}: {machine} decides {word}, against its own decision before."),
        format!("{txn}：{machine} 的决定变为 {word}，与它先前的决定相反。"),
    ]
}

fn not_all(txn: Txn, machine: ServerId, missing: ServerSet) -> [String; 2] {
    [
        format!("{txn}: {machine} commits without a yes of {}.", list(missing)),
        format!("{txn}：没有 {} 的赞成票，{machine} 就提交了。", list(missing)),
    ]
}

fn for_nothing(txn: Txn, machine: ServerId) -> [String; 2] {
    [
        format!("{txn}: all have voted yes and nothing has failed, and {machine} aborts."),
        format!("{txn}：全部投了赞成票，也没有任何故障，{machine} 却中止了。"),
    ]
}

fn for_ever(txn: Txn, blocked: ServerSet) -> [String; 2] {
    [
        format!("{txn}: {} never hear the decision, although everything works again.", list(blocked)),
        format!("{txn}：一切都已恢复，{} 却始终得不到决定。", list(blocked)),
    ]
}
