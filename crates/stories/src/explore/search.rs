//! A search: what is asked, how far it has come, what it has found. It is advanced in slices and depends on nothing but its
//! question: cut into other slices, or begun anew and passed over what was tried, it finds the same.

use serde::{Deserialize, Serialize};

use crate::base::{Arrange, Micros, SimTime};
use crate::sim::Run;

use super::deed::write;
use super::dice::Dice;
use super::exhaust::{Bounds, Exhaust, Proof};
use super::goal::Goal;
use super::ladder::{Ladder, Rung};
use super::own::Schedules;
use super::shrink::Shrink;
use super::stand::{Outcome, Stand};
use super::watch::Found;

/// What is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The run to be troubled. One without actions stands for its setup: writes are asked for, and settings are drawn too.
    pub run: Run,
    /// What is looked for.
    pub goal: Goal,
    /// Nothing is done before this moment.
    pub from: SimTime,
    /// The seed of all dice.
    pub seed: u64,
    /// Most runs that are tried until something is found; those that shrinking takes come on top.
    pub budget: u64,
    /// The only way to look; both in turn where there is none.
    pub strategy: Option<Strategy>,
    /// Finds are made small, and a few more are looked for: the smallest is rarely the first. Without, the first is the answer.
    pub shrink: bool,
    /// No runs are tried, but every order in which so much can happen to the established ensemble of the run's setup; the budget is then the
    /// situations that are looked at. The goal must be one of those ([`Goal::has_orders`]).
    pub orders: Option<Bounds>,
}

impl Question {
    /// One that leaves all else as usual: from the beginning, seed 0, both ways in turn, small.
    pub fn new(run: Run, goal: Goal, budget: u64) -> Question {
        Question { run, goal, from: SimTime::ZERO, seed: 0, budget, strategy: None, shrink: true, orders: None }
    }
}

/// How a run was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Strategy {
    /// It was the run itself, or one with a few deeds at turning points.
    Ladder,
    /// It was drawn.
    Dice,
}

/// A run that reaches the goal.
#[derive(Clone, Debug)]
pub struct Find {
    /// The run as it is played, with the healing that a goal may ask for.
    pub run: Run,
    /// How many actions of it are what makes it so: all but that healing.
    pub deeds: usize,
    /// Where the goal is reached.
    pub found: Found,
    /// Which trial it was, from 0.
    pub trial: u64,
    /// How it was tried.
    pub strategy: Strategy,
    /// How many deeds there were before it was shrunk.
    pub shrunk_from: usize,
    /// The same run with every rule kept does not reach the goal. None where no rule is broken.
    pub repaired: Option<bool>,
}

/// What a search is at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// It tries the run with deeds, as the rung says, and random ones in between.
    Trying(Rung),
    /// It makes a find smaller: which one of those kept, and how many deeds that has by now.
    Shrinking {
        /// From 0.
        find: usize,
        /// Deeds left.
        deeds: usize,
    },
    /// It tries every order.
    Ordering,
    /// It is over.
    Done,
}

/// How far a search has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Runs tried for the goal.
    pub trials: u64,
    /// Runs played to shrink what was found.
    pub shrinks: u64,
    /// Steps taken in all of them.
    pub events: u64,
    /// Runs found so far.
    pub finds: usize,
    /// What it does now.
    pub stage: Stage,
}

/// How far a search had come, as plain data: with the question it is all that it takes to go on elsewhere or later.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cursor {
    /// Runs tried.
    pub trials: u64,
    /// The numbers of those that reached the goal, rising.
    pub finds: Vec<u64>,
}

/// So many plans of the ladder, and then so many random runs.
const TURN: u64 = 32;
/// So many finds are kept and shrunk: the smallest is rarely the first.
const FINDS: usize = 10;
/// After the first find the search goes on for so many trials, or a tenth of those before it.
const MORE: u64 = 1_000;
/// The same for recipes of one's own: somebody waits for the answer, and most schedules that break one are small.
const OWN_MORE: u64 = 200;
/// Deeds end so long after the last one of the run, µs.
const TAIL_US: Micros = 500_000;
/// Where a setup is searched, writes are asked for so long after it was first up, µs, and again.
const WRITES_US: [Micros; 2] = [200_000, 300_000];
/// Nobody is up after so long, µs: then writes come then.
const UP_US: Micros = 2_000_000;

/// A search somewhere on its way.
#[derive(Clone, Debug)]
pub struct Search {
    goal: Goal,
    budget: u64,
    strategy: Option<Strategy>,
    /// Finds are made small.
    small: bool,
    ladder: Ladder,
    dice: Dice,
    /// In the place of both, where a recipe of one's own is searched.
    own: Option<Schedules>,
    /// Instead of all.
    orders: Option<Exhaust>,
    /// Plans of the ladder left in this turn; none of it where the ladder has ended.
    turn: u64,
    ladder_over: bool,
    thrown: u64,
    first: Option<u64>,
    raw: Vec<Find>,
    shrink: Option<Shrink>,
    finds: Vec<Find>,
    progress: Progress,
}

impl Search {
    /// At the beginning. The run must have passed [`Run::check`].
    pub fn new(question: Question) -> Search {
        let Question { run, goal, from, seed, budget, strategy, shrink, orders } = question;
        let orders = orders.map(|bounds| Exhaust::new(&run.setup, bounds, &goal, budget));
        let free = run.actions.is_empty();
        let base = if free { with_writes(&run) } else { run };
        let until = base.actions.last().map_or(SimTime::ZERO, |timed| timed.at_us).max(from).plus(TAIL_US);
        let own = matches!(goal, Goal::OwnRecipe { .. }).then(|| Schedules::new(&base, &goal, seed));
        let ladder = Ladder::new(base.clone(), &goal, from, until);
        let dice = Dice::new(base, &goal, from, until, seed, free);
        let stage = if orders.is_some() { Stage::Ordering } else { Stage::Trying(ladder.rung()) };
        let progress = Progress { trials: 0, shrinks: 0, events: 0, finds: 0, stage };
        Search {
            goal,
            budget,
            strategy,
            small: shrink,
            ladder,
            dice,
            ladder_over: strategy == Some(Strategy::Dice) || own.is_some(),
            own,
            orders,
            turn: TURN,
            thrown: 0,
            first: None,
            raw: Vec::new(),
            shrink: None,
            finds: Vec::new(),
            progress,
        }
    }

    /// Where another search for the same question was: what it tried is passed over, what it found is played again.
    pub fn resume(question: Question, cursor: &Cursor) -> Search {
        let mut search = Search::new(question);
        while search.progress.trials < cursor.trials && matches!(search.progress.stage, Stage::Trying(_)) {
            if cursor.finds.contains(&search.progress.trials) {
                search.progress.events += search.try_one();
            } else {
                search.pass_over();
            }
        }
        search
    }

    /// Where it is.
    pub fn cursor(&self) -> Cursor {
        Cursor { trials: self.progress.trials, finds: self.raw.iter().map(|find| find.trial).collect() }
    }

    /// Goes on for about so many steps: whole runs are played, one at least.
    pub fn step(&mut self, events: u64) -> Progress {
        let end = self.progress.events.saturating_add(events);
        loop {
            let spent = match self.progress.stage {
                Stage::Trying(_) => self.try_one(),
                Stage::Shrinking { find, .. } => self.shrink_one(find),
                Stage::Ordering => self.order_one(),
                Stage::Done => return self.progress,
            };
            self.progress.events += spent;
            if self.progress.events >= end {
                return self.progress;
            }
        }
    }

    /// How far it has come.
    pub fn progress(&self) -> Progress {
        self.progress
    }

    /// What was found and shrunk: the smallest first.
    pub fn finds(&self) -> &[Find] {
        &self.finds
    }

    /// What every order has come to so far, where orders are tried.
    pub fn proof(&self) -> Option<Proof> {
        self.orders.as_ref().map(Exhaust::proof)
    }

    fn order_one(&mut self) -> u64 {
        if !self.orders.as_mut().is_some_and(|orders| orders.step(1)) {
            self.progress.stage = Stage::Done;
        }
        1
    }

    /// Plays one run; how many events that took.
    fn try_one(&mut self) -> u64 {
        let trial = self.progress.trials;
        let (played, strategy) = match self.next_number() {
            Some(number) => {
                let own = self.own.as_mut().map(|own| own.trial(number));
                (own.or_else(|| Some(self.dice.trial(number))), Strategy::Dice)
            }
            None => (self.ladder.trial(), Strategy::Ladder),
        };
        let Some((outcome, events)) = played else {
            self.end_ladder();
            return 0;
        };
        // at the very end of what a run may hold a deed, or the healing, may have no place left
        if let Some(Outcome { found, run, deeds }) = outcome.filter(|outcome| outcome.run.check().is_ok()) {
            self.first.get_or_insert(trial);
            self.found(Find { run, deeds, found, trial, strategy, shrunk_from: deeds, repaired: None });
        }
        self.tried();
        events
    }

    /// Keeps a find; of a recipe of one's own the smallest by each law, so that a herd does not hide what is worse.
    fn found(&mut self, find: Find) {
        let same = |other: &&mut Find| self.own.is_some() && other.found.property == find.found.property;
        match self.raw.iter_mut().find(same) {
            Some(other) if other.deeds <= find.deeds => {}
            Some(other) => *other = find,
            None => self.raw.push(find),
        }
        self.progress.finds = self.raw.len();
    }

    /// The same without playing it: it is known that it comes to nothing.
    fn pass_over(&mut self) {
        if self.next_number().is_none() && !self.ladder.skip() {
            self.end_ladder();
            return;
        }
        self.tried();
    }

    fn end_ladder(&mut self) {
        self.ladder_over = true;
        if self.strategy == Some(Strategy::Ladder) {
            self.begin_shrinking(0);
        }
    }

    /// Whose turn it is: the number of a random run, or the ladder's next plan.
    fn next_number(&mut self) -> Option<u64> {
        if self.strategy == Some(Strategy::Ladder) {
            return None;
        }
        if self.turn > 0 && !self.ladder_over {
            self.turn -= 1;
            return None;
        }
        let number = self.thrown;
        self.thrown += 1;
        if self.thrown.is_multiple_of(TURN) {
            self.turn = TURN;
        }
        Some(number)
    }

    fn tried(&mut self) {
        self.progress.trials += 1;
        self.progress.stage = Stage::Trying(self.ladder.rung());
        let more = if self.own.is_some() { OWN_MORE } else { MORE };
        let enough = |first: u64| !self.small || self.progress.trials >= first + more.max(first / 10);
        if self.progress.trials >= self.budget || self.raw.len() >= FINDS || self.first.is_some_and(enough) {
            self.begin_shrinking(0);
        }
    }

    fn begin_shrinking(&mut self, find: usize) {
        self.shrink = self.raw.get(find).map(|raw| Shrink::new(raw.clone(), &self.goal));
        self.progress.stage = match self.raw.get(find) {
            Some(raw) => Stage::Shrinking { find, deeds: raw.deeds },
            None => Stage::Done,
        };
    }

    /// Plays one run that is smaller; how many events that took.
    fn shrink_one(&mut self, find: usize) -> u64 {
        let Some(shrink) = &mut self.shrink else { return self.end_shrinking(find) };
        // even then what comes after the find is gone, and it is known whether the rule is to blame
        let step = if self.small { shrink.step() } else { None };
        let Some(events) = step else { return self.end_shrinking(find) };
        self.progress.shrinks += 1;
        self.progress.stage = Stage::Shrinking { find, deeds: shrink.best().deeds };
        events
    }

    fn end_shrinking(&mut self, find: usize) -> u64 {
        self.finds.extend(self.shrink.take().map(Shrink::into_best));
        self.finds.arrange_by_key(|find| (find.repaired == Some(false), find.deeds, find.found.at, find.trial));
        self.begin_shrinking(find + 1);
        0
    }
}

/// The run with a write at two of its machines once it is up: without any nothing can be lost.
fn with_writes(run: &Run) -> Run {
    let mut stand = Stand::new(run.clone(), &Goal::TwoEstablished);
    let is_up = |stand: &Stand| {
        let mut servers = stand.world.processes.values().filter_map(|process| process.server());
        servers.any(|server| server.peer.orders().is_some())
    };
    while !is_up(&stand) && stand.world.next_at().is_some_and(|at| at.0 <= UP_US) && stand.step() {}
    let servers: Vec<_> = stand.world.processes.keys().copied().collect();
    let mut run = run.clone();
    for (&server, after) in servers.last().into_iter().chain(servers.first()).zip(WRITES_US) {
        let at = stand.world.now.plus(after).ceil_ms();
        run.push(at, write(server));
    }
    run
}
