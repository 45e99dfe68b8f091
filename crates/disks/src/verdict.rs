//! What is said before somebody presses Start: what each choice of servers comes to, in which order, and what is lost by it.

use std::collections::{BTreeMap, BTreeSet};

use zabscope_ground::base::Arrange;

use crate::disk::Disk;
use crate::load::Loaded;
use crate::matrix::{Column, Matrix, Relation, compare};
use crate::start::{Choice, Ensemble, Outcome};

/// How many servers are started in every order; of more than that each choice is started together only.
pub const ORDERED: usize = 5;
/// Of a start together so many courses are tried, fewer where logs are long.
const COURSES: u64 = 40;
/// And so many choices, those of most servers: of twelve servers there are four thousand.
const CHOICES: usize = 64;
/// As many as it takes to play so many records.
const RECORDS: u64 = 2_000_000;
/// Between two starts, where one is waited for, ms: the election of those before is over.
pub const GAP_MS: u64 = 3_000;
/// The seed of a start that is waited for: nothing of it is left to chance that would matter.
pub const ORDER_SEED: u64 = 1;

/// What becomes of each choice.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    /// Choices in which somebody serves, those of more servers first.
    pub choices: Vec<Judged>,
    /// Choices in which nobody ever does: too few, or they do not start.
    pub never: Vec<Vec<usize>>,
    /// How many choices, of fewer servers, were not tried.
    pub left_out: usize,
    /// The worst course of all that lose something, or end with other trees: its choice and its place there.
    pub worst: Option<(usize, usize)>,
    /// The order that loses least and has most servers, one after another.
    pub advice: Option<Advice>,
    /// How many courses of a start together were tried.
    pub tried: u64,
}

/// Servers, and all that may become of them when they start.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Judged {
    /// The places of their disks.
    pub start: Vec<usize>,
    /// What differs in whose history is served, who serves, or whose tree is another; those that come most often together first.
    pub courses: Vec<Course>,
}

/// One thing that may become of a choice.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Course {
    /// How many of the starts together came to it.
    pub together: u64,
    /// The first of their seeds.
    pub seed: Option<u64>,
    /// The orders in which it comes to it when one is started after another.
    pub orders: Vec<Vec<usize>>,
    /// Who leads in one of them or another.
    pub leaders: BTreeSet<usize>,
    /// One of those.
    pub outcome: Outcome,
    /// Transactions that some disk has, and nobody who serves.
    pub lost: Vec<Lost>,
}

/// Transactions in a row that are lost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lost {
    /// Their column in the matrix.
    pub column: usize,
    /// How many.
    pub count: u64,
    /// Who has them, by the places of their disks, started or not.
    pub on: Vec<usize>,
    /// Whether these are a majority of the voters: then clients may have been told that they were done. Of fewer nobody can tell who
    /// knows only these disks: the others may be older copies.
    pub on_majority: bool,
}

/// An order of start, and what it comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Advice {
    /// One after another.
    pub order: Vec<usize>,
    /// The place of its choice.
    pub choice: usize,
    /// The place of its course there.
    pub course: usize,
}

/// How bad a course is: leaders beside the first, whose histories part from now on; what a majority had and is lost; servers with other
/// trees; all that is lost; servers that do not serve.
type Badness = (usize, u64, usize, u64, usize);

impl Course {
    /// Transactions that are lost, all in all.
    pub fn lost(&self) -> u64 {
        self.lost.iter().map(|lost| lost.count).sum()
    }

    fn badness(&self) -> Badness {
        let differ = self.outcome.reigns.values().map(|reign| reign.differ.len()).sum::<usize>();
        let apart = self.outcome.reigns.len().saturating_sub(1);
        let of_majority = self.lost.iter().filter(|lost| lost.on_majority).map(|lost| lost.count).sum();
        (apart, of_majority, differ, self.lost(), self.outcome.not_serving.len())
    }
}

/// Choices that are judged one at a time, those of most servers first: it takes a while.
pub struct Judging<'a> {
    ensemble: &'a Ensemble<'a>,
    matrix: &'a Matrix,
    voters: Voters,
    alike: Alike,
    choices: Vec<Vec<usize>>,
    done: usize,
    verdict: Verdict,
}

impl<'a> Judging<'a> {
    /// Nothing is judged yet.
    pub fn of(
        ensemble: &'a Ensemble<'a>,
        disks: &[(&Disk, &Loaded)],
        matrix: &'a Matrix,
        voters: Voters,
    ) -> Judging<'a> {
        let records: usize = disks.iter().map(|(_, loaded)| loaded.applied.len() + loaded.image.len()).sum();
        let tried = (RECORDS / (records as u64 + 1)).clamp(2, COURSES);
        let mut choices: Vec<Vec<usize>> = subsets(disks.len());
        choices.arrange_by_key(|choice| (std::cmp::Reverse(choice.len()), choice.clone()));
        let left_out = choices.len().saturating_sub(CHOICES);
        choices.truncate(CHOICES);
        let verdict = Verdict { tried, left_out, ..Verdict::default() };
        Judging { ensemble, matrix, voters, alike: Alike::of(disks), choices, done: 0, verdict }
    }

    /// How many choices are judged, and how many there are.
    pub fn progress(&self) -> (usize, usize) {
        (self.done, self.choices.len())
    }

    /// Judges the next choice; whether there was one.
    pub fn step(&mut self) -> bool {
        let Some(start) = self.choices.get(self.done) else { return false };
        self.done += 1;
        let mut courses = Courses { alike: &self.alike, found: Vec::new() };
        for seed in 1..=self.verdict.tried {
            let choice = Choice { start: start.clone(), gap_ms: 0 };
            let course = courses.one(self.ensemble.start(&choice, seed));
            course.together += 1;
            course.seed.get_or_insert(seed);
        }
        let orders = if start.len() <= ORDERED && start.len() > 1 { orders(start) } else { Vec::new() };
        for order in orders {
            let outcome = self.ensemble.start(&Choice { start: order.clone(), gap_ms: GAP_MS }, ORDER_SEED);
            courses.one(outcome).orders.push(order);
        }
        let mut courses = courses.found;
        if courses.iter().all(|course| course.outcome.reigns.is_empty()) {
            self.verdict.never.push(start.clone());
            return true;
        }
        courses.arrange_by_key(|course| std::cmp::Reverse((course.together, course.orders.len())));
        courses.iter_mut().for_each(|course| course.lost = lost(&course.outcome, self.matrix, &self.voters));
        self.verdict.choices.push(Judged { start: start.clone(), courses });
        true
    }

    /// What is known so far.
    pub fn verdict(&mut self) -> &Verdict {
        self.verdict.judge();
        &self.verdict
    }
}

impl Verdict {
    fn judge(&mut self) {
        let places = self.choices.iter().enumerate();
        let all = places.flat_map(|(choice, judged)| judged.courses.iter().enumerate().map(move |of| (choice, of)));
        let all: Vec<(usize, (usize, &Course))> = all.collect();
        let harms = |course: &Course| {
            let (apart, _, differ, lost, _) = course.badness();
            apart > 0 || differ > 0 || lost > 0
        };
        let worst = all.iter().filter(|(_, (_, course))| harms(course)).rev().max_by_key(|(_, (_, of))| of.badness());
        self.worst = worst.map(|(choice, (course, _))| (*choice, *course));
        // only an order that is waited for is no race
        let ordered = all.iter().filter(|(_, (_, of))| !of.orders.is_empty() && !of.outcome.reigns.is_empty());
        let best = ordered.min_by_key(|(choice, (_, of))| {
            let (apart, of_majority, differ, lost, _) = of.badness();
            let serving = self.choices[*choice].start.len() - of.outcome.not_serving.len();
            (apart, of_majority, differ, lost, std::cmp::Reverse(serving), of.outcome.exits.len())
        });
        self.advice = best.map(|(choice, (course, of))| Advice {
            order: of.orders[0].clone(),
            choice: *choice,
            course: *course,
        });
    }
}

/// Whose votes count, and how many there are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Voters {
    /// The places of the disks of those that are here.
    pub here: BTreeSet<usize>,
    /// How many there are, with those whose disks are not here.
    pub all: usize,
}

/// Disks that hold the same: for each the place of the first of those.
struct Alike(Vec<usize>);

impl Alike {
    fn of(disks: &[(&Disk, &Loaded)]) -> Alike {
        let first = |(_, loaded): &(&Disk, &Loaded)| {
            disks.iter().position(|(_, other)| compare(loaded, other) == Relation::Same).unwrap_or_default()
        };
        Alike(disks.iter().map(first).collect())
    }

    /// What makes two outcomes different: who serves, what history, and whose tree is another. Who leads, in which epoch, and how the
    /// others were brought up to date does not.
    fn fate<'o>(
        &self,
        outcome: &'o Outcome,
    ) -> (&'o BTreeSet<usize>, &'o BTreeSet<usize>, BTreeMap<usize, &'o BTreeSet<usize>>) {
        let histories = outcome.reigns.values().map(|reign| (self.0[reign.history], &reign.differ)).collect();
        (&outcome.exits, &outcome.not_serving, histories)
    }
}

/// What a choice has come to so far.
struct Courses<'a> {
    alike: &'a Alike,
    found: Vec<Course>,
}

impl Courses<'_> {
    /// The course that comes to the same, or a new one.
    fn one(&mut self, outcome: Outcome) -> &mut Course {
        let fate = self.alike.fate(&outcome);
        let known = self.found.iter().position(|course| self.alike.fate(&course.outcome) == fate);
        let place = known.unwrap_or(self.found.len());
        let leaders: Vec<usize> = outcome.reigns.keys().copied().collect();
        if known.is_none() {
            self.found.push(Course { outcome, ..Course::default() });
        }
        self.found[place].leaders.extend(leaders);
        &mut self.found[place]
    }
}

fn lost(outcome: &Outcome, matrix: &Matrix, voters: &Voters) -> Vec<Lost> {
    if outcome.reigns.is_empty() {
        return Vec::new(); // nothing has happened to any disk
    }
    let served = |column: &Column| outcome.reigns.values().any(|reign| column.cells[reign.history].is_there());
    let columns = matrix.columns.iter().enumerate().filter(|(_, column)| !served(column));
    let lost = columns.map(|(place, column)| {
        let cells = column.cells.iter().enumerate();
        let on: Vec<usize> = cells.filter(|(_, cell)| cell.is_there()).map(|(disk, _)| disk).collect();
        let votes = on.iter().filter(|disk| voters.here.contains(disk)).count();
        Lost { column: place, count: column.count(), on_majority: votes * 2 > voters.all, on }
    });
    lost.filter(|lost| !lost.on.is_empty()).collect()
}

/// All choices of so many, but the empty one.
fn subsets(count: usize) -> Vec<Vec<usize>> {
    (1_usize..1 << count).map(|bits| (0..count).filter(|place| bits >> place & 1 == 1).collect()).collect()
}

/// All orders, those in which they stand first.
fn orders(of: &[usize]) -> Vec<Vec<usize>> {
    if of.is_empty() {
        return vec![Vec::new()];
    }
    let begin = |place: usize| {
        let rest: Vec<usize> = of.iter().enumerate().filter(|(at, _)| *at != place).map(|(_, disk)| *disk).collect();
        orders(&rest).into_iter().map(move |rest| [vec![of[place]], rest].concat())
    };
    (0..of.len()).flat_map(begin).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_choice_and_each_order_is_there_once() {
        assert_eq!(subsets(3).len(), 7);
        let all = orders(&[0, 2, 5]);
        assert_eq!(all.len(), 6);
        assert_eq!((&all[0][..], &all[5][..]), (&[0, 2, 5][..], &[5, 2, 0][..]));
        assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), 6);
    }
}
