//! What happens when servers are started on their disks, told with their ids.

use serde::{Deserialize, Serialize};
use zabscope_sim::sim::ZkVersion;
use zabscope_zookeeper::zab::SyncKind;

use crate::disk::Disk;
use crate::load::Loaded;
use crate::matrix::Matrix;
use crate::report::what;
use crate::start::Reign;
use crate::trouble::hex;
use crate::verdict::{self, Course, Verdict};

/// What happens when they are started.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Start {
    /// By whose rules: `3.8`, `3.9` and so on.
    pub zookeeper: String,
    /// How many courses of each start together were tried.
    pub tried: u64,
    /// Choices in which somebody serves, those of more servers first.
    pub choices: Vec<Judged>,
    /// Choices in which nobody ever does.
    pub never: Vec<Vec<u64>>,
    /// How many choices of fewer servers were not tried.
    pub left_out: usize,
    /// The place of the worst: its choice, and its outcome there. None where nothing is lost and all trees are one.
    pub worst: Option<(usize, usize)>,
    /// The order of start that loses least: one after another, each waited for.
    pub advice: Option<Advice>,
}

/// Servers, and what may become of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Judged {
    /// Their ids.
    pub start: Vec<u64>,
    /// More than one where it is a race, or hangs on the order.
    pub outcomes: Vec<Told>,
}

/// One thing that may become of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Told {
    /// How many of the starts together came to it.
    pub together: u64,
    /// The seed of the first of these, with which a run comes to it again.
    pub seed: Option<u64>,
    /// In which orders it comes to it when each is waited for.
    pub orders: Vec<Vec<u64>>,
    /// Who leads in one of these courses or another.
    pub leaders: Vec<u64>,
    /// Who leads in one of them, and what the others get; two where there are two ensembles in the end.
    pub reigns: Vec<ToldReign>,
    /// Whose process ends by itself.
    pub exits: Vec<u64>,
    /// Who does not serve in the end, those included.
    pub not_serving: Vec<u64>,
    /// What is on some disk, and on none of those that serve.
    pub lost: Vec<Lost>,
}

/// Servers that are started, by their ids.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Started {
    /// All at once, in one of all courses of that.
    Together(Vec<u64>, u64),
    /// Each once the one before is up.
    InTurn(Vec<u64>),
}

impl Start {
    /// A choice of servers and one of what it may come to, by their places; none where there is no such place.
    pub fn outcome(&self, (choice, outcome): (usize, usize)) -> Option<(&Judged, &Told)> {
        let judged = self.choices.get(choice)?;
        Some((judged, judged.outcomes.get(outcome)?))
    }
}

impl Judged {
    /// A start that comes to this, which is one of its outcomes.
    pub fn started(&self, told: &Told) -> Started {
        match (told.seed, told.orders.first()) {
            (None, Some(order)) => Started::InTurn(order.clone()),
            (seed, _) => Started::Together(self.start.clone(), seed.unwrap_or(1)),
        }
    }
}

impl Told {
    /// How many transactions are lost.
    pub fn lost_count(&self) -> u64 {
        self.lost.iter().map(|lost| lost.count).sum()
    }
}

/// A leader, and who follows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToldReign {
    /// Its id.
    pub leader: u64,
    /// Its epoch.
    pub epoch: u32,
    /// Whose disk tells the history that it serves: its own, or that of a leader before it.
    pub history_of: u64,
    /// Where that history ends.
    pub last_zxid: String,
    /// How each learner is brought up to date.
    pub learners: Vec<Learner>,
    /// Whose znodes are others than the leader's, from now on.
    pub other_trees: Vec<u64>,
}

/// How a learner is brought up to date.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Learner {
    /// Its id.
    pub server: u64,
    /// `DIFF`, `TRUNC` or `SNAP`.
    pub sync: SyncKind,
    /// The zxid that is sent with that.
    pub to: String,
    /// How many transactions are sent behind that.
    pub sent: usize,
    /// How many it has that are not of the history: they are cut off, or overwritten, or stay.
    pub beside: u64,
}

/// Transactions that are lost.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lost {
    /// The first.
    pub first: String,
    /// The last.
    pub last: String,
    /// How many.
    pub count: u64,
    /// Who has them.
    pub on: Vec<u64>,
    /// Whether these are a majority of the voters.
    pub on_majority: bool,
    /// What the first of them do.
    pub what: Vec<String>,
}

/// An order of start.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Advice {
    /// One after another, each waited for.
    pub order: Vec<u64>,
    /// The place of the choice.
    pub choice: usize,
    /// The place of what it comes to.
    pub outcome: usize,
}

/// Disks, and what is known of them.
struct Teller<'a> {
    own: &'a [(&'a Disk, &'a Loaded)],
    matrix: &'a Matrix,
}

impl Start {
    /// A verdict with the ids of the servers.
    pub(crate) fn told(verdict: &Verdict, own: &[(&Disk, &Loaded)], matrix: &Matrix, version: ZkVersion) -> Start {
        let teller = Teller { own, matrix };
        let advice = verdict.advice.as_ref().map(|advice| Advice {
            order: teller.ids(&advice.order),
            choice: advice.choice,
            outcome: advice.course,
        });
        let judged = |judged: &verdict::Judged| Judged {
            start: teller.ids(&judged.start),
            outcomes: judged.courses.iter().map(|course| teller.told(course)).collect(),
        };
        Start {
            zookeeper: version.name().into(),
            tried: verdict.tried,
            choices: verdict.choices.iter().map(judged).collect(),
            never: verdict.never.iter().map(|choice| teller.ids(choice)).collect(),
            left_out: verdict.left_out,
            worst: verdict.worst,
            advice,
        }
    }
}

impl Teller<'_> {
    fn id(&self, place: usize) -> u64 {
        self.own[place].0.id.unwrap_or_default() // without one there is no ensemble
    }

    fn ids<'b>(&self, places: impl IntoIterator<Item = &'b usize>) -> Vec<u64> {
        places.into_iter().map(|place| self.id(*place)).collect()
    }

    fn told(&self, course: &Course) -> Told {
        let outcome = &course.outcome;
        Told {
            together: course.together,
            seed: course.seed,
            orders: course.orders.iter().map(|order| self.ids(order)).collect(),
            leaders: self.ids(&course.leaders),
            reigns: outcome.reigns.iter().map(|(leader, reign)| self.reign(*leader, reign)).collect(),
            exits: self.ids(&outcome.exits),
            not_serving: self.ids(&outcome.not_serving),
            lost: course.lost.iter().map(|lost| self.lost(lost)).collect(),
        }
    }

    fn reign(&self, leader: usize, reign: &Reign) -> ToldReign {
        let learners = reign.learners.iter().map(|(learner, synced)| Learner {
            server: self.id(*learner),
            sync: synced.way,
            to: hex(synced.to),
            sent: synced.sent,
            beside: self.beside(*learner, reign.history),
        });
        ToldReign {
            leader: self.id(leader),
            epoch: reign.epoch,
            history_of: self.id(reign.history),
            last_zxid: hex(self.own[reign.history].1.last),
            learners: learners.collect(),
            other_trees: self.ids(&reign.differ),
        }
    }

    /// How many transactions one disk has and another has not.
    fn beside(&self, one: usize, other: usize) -> u64 {
        let columns = self.matrix.columns.iter();
        columns.filter(|of| of.cells[one].is_there() && !of.cells[other].is_there()).map(|of| of.count()).sum()
    }

    fn lost(&self, lost: &verdict::Lost) -> Lost {
        let column = &self.matrix.columns[lost.column];
        Lost {
            first: hex(column.first),
            last: hex(column.last),
            count: lost.count,
            on: self.ids(&lost.on),
            on_majority: lost.on_majority,
            what: what(column, self.own),
        }
    }
}
