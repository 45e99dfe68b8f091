//! One run being tried: its world, and who looks whether the goal is reached.

use crate::base::{Micros, ServerId, ServerSet, SimTime};
use crate::check::{LIVENESS, RECIPE_LIVENESS};
use crate::recipes::App;
use crate::sim::{Action, DiskFault, Fact, LatencyRange, PacketRef, Run, Status, TimedAction, World, WorldFact};
use crate::soak::{FINAL_WRITE, Liveness, Proceeding, RECOVERY_US, Stuck};
use crate::zab::MAX_NOTIFICATION_INTERVAL;

use super::goal::Goal;
use super::own::AFTER_US;
use super::watch::{Found, Watch};

/// How long a trial is played after its last deed at least, µs.
const HORIZON_US: Micros = 1_500_000;
/// The run that is searched is played so long after its last deed, µs: it is one trial, and what it was made for may wait for a session
/// to end, a leader to give up and a program to notice.
const PATIENT_US: Micros = 25_000_000;
/// When everything is healed, writes are asked for: soon, so that a trial that recovers ends soon, and when time is over.
const EARLY_US: Micros = 2_000_000;
/// How long the last writes may take, and programs whatever they wait for, µs.
const ANSWERS_US: Micros = 4_000_000;
const PROGRAMS_US: Micros = 25_000_000;

/// A trial somewhere on its way.
#[derive(Clone, Debug)]
pub(super) struct Stand {
    pub world: World,
    pub watch: Watch,
    /// What only the end of a run shows, where that is the goal.
    ending: Option<Box<Ending>>,
}

#[derive(Clone, Debug, Default)]
struct Ending {
    liveness: Liveness,
    proceeding: Proceeding,
}

/// How a trial went.
#[derive(Clone, Debug)]
pub(super) struct Outcome {
    /// Where the goal was reached.
    pub found: Found,
    /// The run that shows it: what was played, with the healing behind it where the goal asks for that.
    pub run: Run,
    /// How many of its actions came before that healing.
    pub deeds: usize,
}

/// How long a run is played after its last deed, µs: the ensemble's own time limits must be able to pass.
pub(super) fn horizon(run: &Run, goal: &Goal) -> Micros {
    let limit = run.setup.tick_time_ms * 1_000 * run.setup.sync_limit;
    HORIZON_US.max(limit + limit / 2) + goal.patience()
}

/// How long the very run that is asked about is played after its last deed, µs. What heals does so at the usual time.
pub(super) fn patient(run: &Run, goal: &Goal) -> Micros {
    let usual = horizon(run, goal);
    if goal.heals() { usual } else { usual.max(PATIENT_US) }
}

/// Plays a run from its beginning until the goal is reached, or so long after its last action; and how many events that took.
pub(super) fn play(run: Run, goal: &Goal, after: Micros) -> (Option<Outcome>, u64) {
    let mut stand = Stand::new(run, goal);
    let outcome = stand.finish(after);
    (outcome, stand.world.events)
}

/// Where a run reaches a goal, as a search sees one with deeds put in, and at least up to this moment; none where it does not.
pub fn reach(run: &Run, goal: &Goal, until: SimTime) -> Option<Found> {
    let mut stand = Stand::new(run.clone(), goal);
    let after = horizon(run, goal).max(until.0.saturating_sub(stand.last_deed().0));
    stand.finish(after).map(|outcome| outcome.found)
}

impl Stand {
    /// At the beginning of a run, which must have passed [`Run::check`].
    pub(super) fn new(run: Run, goal: &Goal) -> Stand {
        let watch = Watch::new(goal.clone(), &run.setup);
        let ends = goal.heals() && watch.own.is_none();
        Stand { world: World::new(run), watch, ending: ends.then(Box::default) }
    }

    /// Takes one step; whether there was one.
    pub(super) fn step(&mut self) -> bool {
        let Some(records) = self.world.step() else { return false };
        for record in records {
            self.watch.read(record);
            if let Some(ending) = &mut self.ending {
                ending.liveness.read(record);
                ending.proceeding.read(record);
            }
        }
        true
    }

    /// Plays until a moment, or until the goal is reached.
    pub(super) fn run_until(&mut self, until: SimTime) {
        while self.watch.found.is_none() && self.world.next_at().is_some_and(|at| at <= until) {
            self.step();
        }
    }

    /// When the last of its deeds is over: an action may ask for several writes.
    pub(super) fn last_deed(&self) -> SimTime {
        let over = |timed: &TimedAction| match timed.action {
            Action::Write { count, every_us, .. } => timed.at_us.plus(u64::from(count) * every_us),
            _ => timed.at_us,
        };
        self.world.run().actions.iter().map(over).max().unwrap_or_default()
    }

    /// Plays so long after the last deed, and heals everything where the goal asks for that.
    pub(super) fn finish(&mut self, after: Micros) -> Option<Outcome> {
        if self.watch.own.is_some() {
            return self.finish_own();
        }
        let until = self.last_deed().max(self.world.now).plus(after);
        self.run_until(until);
        let deeds = self.world.run().actions.len();
        if self.watch.found.is_none() && self.ending.is_some() {
            self.recover(until);
        }
        let found = self.watch.found.clone()?;
        Some(Outcome { found, run: Run::clone(self.world.run()), deeds })
    }

    /// Plays a recipe of one's own to its end: after the last deed as long as a session may live without its client, then everything is
    /// healed, then until all calls are over or nobody comes any further.
    fn finish_own(&mut self) -> Option<Outcome> {
        let healed_at = self.last_deed().max(self.world.now).plus(AFTER_US);
        let is_well = |world: &World| world.run().actions.len() == world.done() && healing(world).is_empty();
        while self.goes_on(healed_at) && !(self.is_over() && is_well(&self.world)) {
            self.step();
        }
        let deeds = self.world.run().actions.len();
        if self.watch.found.is_none() {
            for action in healing(&self.world) {
                self.world.append(healed_at.plus(1), action);
            }
        }
        while self.goes_on(SimTime(u64::MAX)) && !self.is_over() && !self.comes_no_further() {
            self.step();
        }
        // all of this moment, so that whoever plays the run up to it sees the same
        self.run_until(self.world.now);
        let found = self.watch.found.take().or_else(|| self.own_ending())?;
        Some(Outcome { found, run: Run::clone(self.world.run()), deeds })
    }

    /// Whether something is left to be seen up to a moment.
    fn goes_on(&self, until: SimTime) -> bool {
        self.watch.found.is_none() && self.world.next_at().is_some_and(|at| at <= until)
    }

    fn is_over(&self) -> bool {
        let over = self.watch.own.as_ref().is_none_or(|judge| judge.is_over(self.world.now));
        over && !self.has_program(App::is_at_work)
    }

    fn comes_no_further(&mut self) -> bool {
        let (now, bides) = (self.world.now, self.has_program(App::bides_time));
        self.watch.own.as_mut().is_none_or(|judge| judge.comes_no_further(now, bides))
    }

    fn has_program(&self, that: fn(&App) -> bool) -> bool {
        self.world.clients.values().any(|client| client.app.as_ref().is_some_and(that))
    }

    /// What only the end of a run shows of a recipe of one's own.
    fn own_ending(&self) -> Option<Found> {
        let (law, misuse) = self.watch.own.as_ref()?.ending(&self.world, self.watch.checker())?;
        let seq = self.world.last_facts().last().map_or(0, |record| record.seq);
        Some(Found::broken(law, misuse, self.world.now, seq))
    }

    /// Heals, restarts and brings everything to normal speed at a moment; then the ensemble must serve within the bound of
    /// random runs.
    fn recover(&mut self, now: SimTime) {
        for action in healing(&self.world) {
            self.world.append(now, action);
        }
        let bound = RECOVERY_US + now.0.min(MAX_NOTIFICATION_INTERVAL);
        let all = self.world.members.all();
        for at in [EARLY_US, bound] {
            for server in all.iter() {
                let write = Action::Write { server, data: FINAL_WRITE.into(), count: 1, every_us: 0 };
                self.world.append(now.plus(at), write);
            }
        }
        let programs = matches!(self.watch.goal(), Goal::Violated(id) if *id == RECIPE_LIVENESS.id);
        let end = now.plus(bound + if programs { PROGRAMS_US } else { ANSWERS_US });
        while self.world.next_at().is_some_and(|at| at <= end) {
            self.step();
            if !programs && self.has_recovered() {
                return;
            }
        }
        self.watch.found = self.missing(end, programs);
    }

    /// Whether nothing is missing any more. Asked only when something has happened that may have been the last.
    fn has_recovered(&self) -> bool {
        let telling =
            |fact: &Fact| matches!(fact, Fact::World(WorldFact::WriteAnswered { .. } | WorldFact::Applied { .. }));
        let told = self.world.last_facts().iter().any(|record| telling(&record.fact));
        told && self.ending.as_ref().is_some_and(|ending| ending.liveness.missing(self.world.now).is_none())
    }

    pub(super) fn missing(&self, end: SimTime, programs: bool) -> Option<Found> {
        if self.watch.own.is_some() {
            return self.own_ending();
        }
        let ending = self.ending.as_ref()?;
        let (property, evidence) = match programs {
            true => match ending.proceeding.stuck(end, self.watch.checker())? {
                Stuck::InVain(evidence) => (RECIPE_LIVENESS.id, evidence),
                Stuck::BehindOrphan => return None,
            },
            false => (LIVENESS.id, ending.liveness.missing(end)?),
        };
        let seq = self.world.last_facts().last().map_or(0, |record| record.seq);
        Some(Found { at: end, seq, property: Some(property), evidence: Some(evidence) })
    }
}

/// What it takes to make everything as it should be; nothing that is so already.
fn healing(world: &World) -> Vec<Action> {
    let all: ServerSet = world.processes.keys().copied().collect();
    let mut actions = Vec::new();
    let done = |is_it: fn(&Action) -> bool| world.run().actions.iter().any(|timed| is_it(&timed.action));
    if done(|action| matches!(action, Action::Cut { .. } | Action::CutLinks { .. })) {
        actions.push(Action::HealAll);
    }
    actions.extend(held(world).map(|packet| Action::ReleasePacket { packet }));
    actions.extend(status(world, Status::Paused).map(|server| Action::Resume { server }));
    let clients = world.clients.values().filter(|process| process.paused);
    actions.extend(clients.map(|process| Action::ResumeClient { client: process.id }));
    let (latency, sync) = (world.setup().latency, world.setup().disk_sync);
    if done(|action| matches!(action, Action::Latency { .. })) || normal(latency) != latency {
        actions.push(Action::Latency { from: all, to: all, range: normal(latency) });
    }
    if done(|action| matches!(action, Action::Disk { .. })) || normal(sync) != sync {
        actions.extend(all.iter().map(|server| Action::Disk { server, sync: normal(sync) }));
    }
    if done(|action| matches!(action, Action::DiskFault { .. })) {
        actions.extend(all.iter().map(|server| Action::DiskFault { server, fault: DiskFault::None }));
    }
    // last: who starts finds everything well
    actions.extend(status(world, Status::Crashed).map(|server| Action::Restart { server }));
    actions
}

/// The packets that are held by hand.
fn held(world: &World) -> impl Iterator<Item = PacketRef> + '_ {
    let items = world.network.conns.values().flat_map(|conn| [true, false].map(|way| &conn.pipe(way).items));
    let held = items.flatten().filter(|item| item.held.is_some());
    held.filter_map(|item| world.network.packet(item.msg).map(|(packet, _)| packet))
}

/// The machines that are so.
pub(super) fn status(world: &World, status: Status) -> impl Iterator<Item = ServerId> + use<> {
    let so: ServerSet = world.processes.values().filter(|p| p.status == status).map(|p| p.id).collect();
    so.iter()
}

/// At the end nothing is slower than by default.
fn normal(range: LatencyRange) -> LatencyRange {
    let default = LatencyRange::ms(10, 20);
    if range.max_us > default.max_us { default } else { range }
}
