//! Plays a run and keeps what everybody wants of it: the digest, the number of commits, the leader.

use serde::Serialize;
use std::rc::Rc;

use crate::base::{Epoch, ServerId, SimTime, Zxid};
use crate::zab;

use super::action::Action;
use super::digest::Digest;
use super::fact::{Fact, Record};
use super::ledger::Ledger;
use super::run::Run;
use super::run_error::RunError;
use super::tally::{RecipeNumbers, Tally};
use super::world::World;

/// The end of a run in numbers: the last line that `zabscope run` prints.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Summary {
    /// The digest of all facts.
    pub digest: String,
    /// Steps taken.
    pub events: u64,
    /// Facts stated.
    pub facts: u64,
    /// Virtual time, ms.
    pub time_ms: u64,
    /// The established leader with the latest epoch, if there is one.
    pub leader: Option<ServerId>,
    /// The latest epoch established.
    pub epoch: Epoch,
    /// Transactions committed: by acknowledgements, or with the history of a new leader.
    pub committed: u64,
    /// The last one.
    pub last_committed: Zxid,
    /// Violations of properties, where somebody watched for them.
    pub violations: usize,
    /// What its recipes cost, where programs ran.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub recipes: Option<RecipeNumbers>,
}

/// So many of the last actions are compared before two share a run: there is no time for thousands.
const SHARED_END: usize = 64;

/// A run with its world, somewhere on its way.
#[derive(Clone, Debug)]
pub struct Player {
    /// The world; its run grows by an action at each [`Player::act`].
    world: World,
    digest: Digest,
    tally: Tally,
    epoch: Epoch,
    ledger: Ledger,
}

impl Player {
    /// The beginning of a run.
    ///
    /// # Errors
    /// What [`Run::check`] says.
    pub fn new(run: impl Into<Rc<Run>>) -> Result<Player, RunError> {
        let run = run.into();
        run.check()?;
        Ok(Player {
            world: World::new(run),
            digest: Digest::default(),
            tally: Tally::default(),
            epoch: 0,
            ledger: Ledger::default(),
        })
    }

    /// The run so far.
    pub fn run(&self) -> &Rc<Run> {
        self.world.run()
    }

    /// Goes on with a run in which other things are done from now on.
    ///
    /// # Errors
    /// What [`Run::check`] says; or seed, setup or what has been done already differ. Then nothing has changed.
    pub fn go_on_with(&mut self, run: Rc<Run>) -> Result<(), RunError> {
        run.check()?;
        if !self.leads_to(&run, 0) {
            return Err(RunError::OtherBeginning);
        }
        self.world.go_on_with(run);
        Ok(())
    }

    /// Whether a run begins as this one does, as far as it has been done; of what was done this many actions are not compared.
    fn leads_to(&self, run: &Run, uncompared: usize) -> bool {
        let (old, done) = (self.run(), self.world.done());
        let next = run.actions.get(done).is_none_or(|next| next.at_us >= self.world.now);
        let begins =
            run.actions.get(uncompared..done).is_some_and(|is| old.actions.get(uncompared..done) == Some(is));
        old.seed == run.seed && old.setup == run.setup && next && begins
    }

    /// The run has grown since this was kept, by what was done behind its moment: then both share it, and there is one list of actions.
    pub fn share(&mut self, run: &Rc<Run>) {
        // a run is changed before the moments that are kept, or behind all of them, so the end tells
        let compared = self.world.done().min(SHARED_END);
        if !Rc::ptr_eq(self.run(), run) && self.leads_to(run, self.world.done() - compared) {
            self.world.go_on_with(run.clone());
        }
    }

    /// A copy that is kept for long: without the room that the original needs to go on.
    pub fn copy_to_keep(&self) -> Player {
        let mut copy = self.clone();
        copy.world.network.shrink();
        copy
    }

    /// The world as it is.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// Takes the earliest step; what happened, or `None` when nothing can happen any more.
    pub fn step(&mut self) -> Option<&[Rc<Record>]> {
        self.world.step()?;
        for record in self.world.last_facts() {
            self.digest.read(record);
            self.tally.read(record);
            self.ledger.read(record);
            if let Fact::Zab { fact: zab::Fact::Established { epoch, .. }, .. } = &record.fact {
                self.epoch = self.epoch.max(*epoch);
            }
        }
        Some(self.world.last_facts())
    }

    /// Plays everything up to and including a moment, and tells what happens.
    pub fn run_until(&mut self, until: SimTime, mut tell: impl FnMut(&World, &[Rc<Record>])) {
        while self.world.next_at().is_some_and(|at| at <= until) {
            self.step();
            tell(&self.world, self.world.last_facts());
        }
        self.world.now = self.world.now.max(until);
    }

    /// Does something to the world at the next whole millisecond: nobody's hand is more exact, and links are shorter. What
    /// else happens until then happens first, so that the recorded run plays the same.
    ///
    /// # Errors
    /// The action itself is wrong, or the run is full; then nothing has happened.
    pub fn act(&mut self, action: Action, tell: impl FnMut(&World, &[Rc<Record>])) -> Result<(), RunError> {
        self.admits(&action)?;
        let at = self.world.now.ceil_ms();
        self.world.append(at, action);
        self.run_until(at, tell);
        Ok(())
    }

    /// Goes on beyond what a run may hold: what has been done is forgotten, and cannot be played again. The digest goes on.
    pub fn forget_done(&mut self) {
        self.world.forget_done();
    }

    /// Whether an action could be done now.
    ///
    /// # Errors
    /// What [`Player::act`] would say.
    pub fn admits(&self, action: &Action) -> Result<(), RunError> {
        let mut alone = Run::new(self.run().seed, self.run().setup.clone());
        alone.push(self.world.now.ceil_ms(), action.clone());
        alone.check()?;
        if self.run().actions.len() >= crate::base::limits::MAX_ACTIONS {
            return Err(RunError::Full);
        }
        Ok(self.run().has_room_for(action)?)
    }

    /// The established leader of the latest epoch.
    pub fn leader(&self) -> Option<ServerId> {
        let leads = |id: &ServerId| -> Option<(Epoch, ServerId)> {
            let memory = self.world.processes.get(id)?.server()?;
            match &memory.peer.role {
                zab::Role::Leading(leader) if memory.peer.is_established_leader() => Some((leader.epoch, *id)),
                _ => None,
            }
        };
        self.world.processes.keys().filter_map(leads).max().map(|(_, id)| id)
    }

    /// What the recipes cost so far.
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// How many facts have been stated: the number of the next one.
    pub fn facts(&self) -> u64 {
        self.digest.facts()
    }

    /// The digest so far.
    pub fn digest(&self) -> String {
        self.digest.hex()
    }

    /// Everything in numbers.
    pub fn summary(&self, violations: usize) -> Summary {
        Summary {
            digest: self.digest.hex(),
            events: self.world.events,
            facts: self.digest.facts(),
            time_ms: self.world.now.as_ms(),
            leader: self.leader(),
            epoch: self.epoch,
            committed: self.ledger.committed(),
            last_committed: self.ledger.last_committed(),
            violations,
            recipes: self.tally.numbers(self.world.resources.values().any(Option::is_some)),
        }
    }
}
