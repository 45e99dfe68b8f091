//! Schedules, drawn: which clients call the recipe and when, and what goes wrong at which of their lines.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::base::{ClientId, Micros, Prng, ServerId, Stream};
use crate::recipes::own::{Program, Section};
use crate::recipes::{self, Method, Script, Step, ThreadId};
use crate::sim::{Action, Fact, Record, Run};

use super::super::goal::Goal;
use super::super::stand::{Outcome, Stand};
use super::{CLIENTS, OBJECT, Purpose, program_of};

/// Every so many schedules one has no fault and all clients: what a release costs is seen there.
const QUIET: u64 = 8;
/// So many seeds for what packets take; the stage is played once for each.
const SEEDS: u64 = 16;
/// Clients begin within this time, µs.
const WITHIN_US: Micros = 150_000;
/// How long what is held is held, ms: shortly, or in some schedules so long that who lost it meanwhile hears of that, and the next one
/// still has it.
const WORK_MS: u64 = 60;
const LONG_WORK_MS: u64 = 2_500;
/// A fault comes at most so long after a line, µs: while its request or the answer is on its way.
const BEHIND_US: Micros = 50_000;
/// A fault whose line nobody reaches in this time, µs, does not happen.
const GIVES_UP_US: Micros = 3_000_000;
/// A pause is longer than a session lives.
const PAUSE_US: [Micros; 2] = [2_400_000, 3_200_000];
/// A server is down for so long, µs.
const DOWN_US: Micros = 200_000;
/// An odd number without a pattern: numbers of neighbouring schedules have nothing in common.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// Draws and plays schedules.
#[derive(Clone, Debug)]
pub(in super::super) struct Schedules {
    stage: Run,
    goal: Goal,
    seed: u64,
    program: Option<Program>,
    /// The stage as it stands when everybody has the recipe, by seed.
    ready: BTreeMap<u64, Stand>,
}

impl Schedules {
    /// On a stage; a run without a recipe of one's own has no schedules that do anything.
    pub(in super::super) fn new(stage: &Run, goal: &Goal, seed: u64) -> Schedules {
        let (stage, program) = (stage.clone(), program_of(stage).map(|(_, program)| program));
        Schedules { stage, goal: goal.clone(), seed, program, ready: BTreeMap::new() }
    }

    fn ready(&mut self, seed: u64) -> Stand {
        let ready = || {
            let stage = Run { seed, ..self.stage.clone() };
            let mut stand = Stand::new(stage, &self.goal);
            let until = stand.last_deed().plus(500_000);
            stand.run_until(until);
            stand
        };
        self.ready.entry(seed).or_insert_with(ready).clone()
    }

    /// Plays the schedule of this number: what it led to, and how many events that took.
    pub(in super::super) fn trial(&mut self, number: u64) -> (Option<Outcome>, u64) {
        let mut prng = Prng::new(self.seed ^ number.wrapping_mul(SPREAD), Stream::Faults);
        let mut stand = self.ready(1 + number % SEEDS);
        let begun = stand.world.events;
        let Some(program) = self.program.clone() else { return (None, 1) };
        let quiet = number.is_multiple_of(QUIET);
        let (clients, within) = if quiet { (CLIENTS, WITHIN_US / 4) } else { (2 + prng.below(2) as u16, WITHIN_US) };
        let work_ms = if !quiet && prng.chance(1, 3) { LONG_WORK_MS } else { WORK_MS };
        let now = stand.world.now.plus(1).ceil_ms();
        for client in 1..=clients {
            let at = now.plus(prng.between(0, within));
            let script = script(&program, client, work_ms, &mut prng);
            let (client, thread) = (ClientId(client), ThreadId::MAIN);
            stand.world.append(at, Action::RunThread { client, thread, script });
        }
        let faults = if quiet { 0 } else { 1 + u32::from(prng.chance(1, 3)) };
        for _ in 0..faults {
            let client = ClientId(1 + prng.below(clients.into()) as u16);
            trouble(&mut stand, client, &mut prng);
        }
        let outcome = stand.finish(0);
        (outcome, stand.world.events - begun)
    }
}

/// Plays until a client has come to one of its next lines, or shortly behind that, and lets something go wrong.
fn trouble(stand: &mut Stand, client: ClientId, prng: &mut Prng) {
    let (mut lines, behind, what) = (1 + prng.below(12) as usize, prng.between(1, BEHIND_US), prng.below(11));
    let until = stand.world.now.plus(GIVES_UP_US);
    while lines > 0 && stand.watch.found.is_none() {
        if stand.world.next_at().is_none_or(|at| at > until) || !stand.step() {
            return;
        }
        let is_line = |record: &&Rc<Record>| match &record.fact {
            Fact::Program { client: who, fact: recipes::Fact::AtLine { .. } } => *who == client,
            _ => false,
        };
        lines = lines.saturating_sub(stand.world.last_facts().iter().filter(is_line).count());
    }
    let at = stand.world.now.plus(behind);
    let mut act = |after: Micros, action: Action| stand.world.append(at.plus(after), action);
    match what {
        // whatever is on its way is lost, request or answer
        0..=2 => act(0, Action::DisconnectClient { client }),
        3..=5 => act(0, Action::ExpireClient { client }),
        6..=7 => act(0, Action::KillClient { client }),
        8..=9 => {
            act(0, Action::PauseClient { client });
            act(prng.between(PAUSE_US[0], PAUSE_US[1]), Action::ResumeClient { client });
        }
        // all connections go with it
        _ => {
            act(0, Action::Crash { server: ServerId(1) });
            act(DOWN_US, Action::Restart { server: ServerId(1) });
        }
    }
    stand.run_until(at);
}

/// What a client does with the recipe. Work goes on whatever becomes of the connection: it is the recipe that must know.
pub(super) fn script(program: &Program, client: u16, work_ms: u64, prng: &mut Prng) -> Script {
    let call = |section: Section, data: Option<&str>| Step::Call {
        object: OBJECT.into(),
        method: Method { method: section.name().into(), timeout_ms: None, data: data.map(Rc::from) },
    };
    let work = || Step::Work { ms: work_ms, heedless: true };
    let uses = |get: Section, give: Section| vec![call(get, None), work(), call(give, None)];
    let steps = match Purpose::of(program) {
        Purpose::Lock => uses(Section::Acquire, Section::Release),
        Purpose::ReadWrite => {
            let both = program.has(Section::Read) && program.has(Section::Write);
            let reads = if both { prng.chance(1, 2) } else { program.has(Section::Read) };
            uses(if reads { Section::Read } else { Section::Write }, Section::Release)
        }
        Purpose::Election => uses(Section::Start, Section::Close),
        Purpose::Barrier if client == 1 => {
            vec![call(Section::Set, None), work(), work(), call(Section::Remove, None)]
        }
        Purpose::Barrier => vec![call(Section::Wait, None)],
        Purpose::Queue if client == 1 => vec![call(Section::Put, Some("a")), work(), call(Section::Put, Some("b"))],
        Purpose::Queue => vec![call(Section::Take, None)],
    };
    Script { steps, times: 1, in_callback: false }
}
