//! Random schedules of faults for systems of other kinds, and a judge for what they state.

use std::rc::Rc;

use zabscope::base::{Prng, ServerId, ServerSet, SimTime, Stream};
use zabscope::daemon::{Breach, Judge};
use zabscope::sim::{Action, Fact, Player, Record, Run, Setup};

/// What happens to some machines.
#[derive(Clone, Copy, Debug)]
pub struct Faults<'a> {
    /// Which machines may fail.
    pub machines: &'a [ServerId],
    /// Whose clocks jump.
    pub clocks: &'a [ServerId],
    /// How long they do, ms; all are well again then.
    pub for_ms: u64,
    /// How long it takes to the next one at most, ms.
    pub every_ms: u64,
    /// How long something stays broken at most, ms.
    pub lasts_ms: u64,
}

fn one(server: ServerId) -> ServerSet {
    [server].into_iter().collect()
}

/// A run with faults of all kinds, drawn by the seed: crash, kill, loss of power, pause, cut, clock jump. Machines recover, so that there
/// is something to judge.
pub fn faulty_run(seed: u64, setup: Setup, faults: &Faults) -> Run {
    let (mut prng, mut run) = (Prng::new(seed, Stream::Faults), Run::new(seed, setup));
    let mut at = 500;
    let pick = |prng: &mut Prng, of: &[ServerId]| of[prng.below(of.len() as u32) as usize];
    while at < faults.for_ms {
        at += prng.between(1, faults.every_ms);
        let (server, until) = (pick(&mut prng, faults.machines), at + prng.between(1, faults.lasts_ms));
        let (from, until) = (SimTime::from_ms(at), SimTime::from_ms(until));
        match prng.below(8) {
            n @ 0..=2 => {
                let actions = [Action::Crash { server }, Action::Kill { server }, Action::PowerOff { server }];
                run.push(from, actions[n as usize].clone());
                run.push(until, Action::Restart { server });
            }
            3 => {
                run.push(from, Action::Pause { server });
                run.push(until, Action::Resume { server });
            }
            n @ 4..=6 => {
                let others = faults.machines.iter().copied().filter(|other| *other != server);
                let to: ServerSet = others.filter(|_| n == 4 || prng.chance(1, 2)).collect();
                let one_way = prng.chance(1, 4);
                run.push(from, Action::Cut { from: one(server), to, one_way });
                run.push(until, Action::Heal { from: one(server), to, one_way: false });
            }
            _ if faults.clocks.is_empty() => {}
            _ => {
                let ms = prng.between(0, 4_000) as i64 - 2_000;
                run.push(from, Action::ClockJump { server: pick(&mut prng, faults.clocks), ms });
            }
        }
    }
    let end = SimTime::from_ms(faults.for_ms + faults.lasts_ms + faults.every_ms);
    run.push(end, Action::HealAll);
    for &server in faults.machines {
        run.push(end, Action::Resume { server });
        run.push(end, Action::Restart { server });
    }
    run
}

/// Plays a run up to a moment, ms; all that was stated.
pub fn played(run: &Run, until_ms: u64) -> Vec<Rc<Record>> {
    let mut player = Player::new(run.clone()).unwrap_or_else(|why| panic!("{why}: {}", run.to_json()));
    let mut records = Vec::new();
    player.run_until(SimTime::from_ms(until_ms), |_, new| records.extend(new.iter().cloned()));
    records
}

/// What the machines of a system stated, in order.
pub fn stated<F: zabscope::daemon::Say>(records: &[Rc<Record>]) -> impl Iterator<Item = (SimTime, ServerId, &F)> {
    records.iter().filter_map(|record| match &record.fact {
        Fact::Other { server, fact } => Some((record.at_us, *server, fact.value::<F>()?)),
        _ => None,
    })
}

/// What a judge finds in a run.
pub fn judged<J: Judge>(run: &Run, until_ms: u64) -> Vec<Breach> {
    let (records, mut judge) = (played(run, until_ms), J::default());
    stated::<J::Fact>(&records).for_each(|(at, machine, fact)| judge.read(at, machine, fact));
    judge.breaches().to_vec()
}

/// No run of these seeds shows a breach.
pub fn assert_safe<J: Judge>(seeds: std::ops::Range<u64>, until_ms: u64, run: impl Fn(u64) -> Run) {
    for seed in seeds {
        let run = run(seed);
        let breaches = judged::<J>(&run, until_ms);
        assert!(breaches.is_empty(), "seed {seed}: {}; zabscope run of:\n{}", said(&breaches), run.to_json());
    }
}

/// The first of a hundred runs with a breach of one of these properties; its seed and what was violated.
pub fn first_breach<J: Judge>(until_ms: u64, of: &[&str], run: impl Fn(u64) -> Run) -> Option<(u64, Breach)> {
    (0..100).find_map(|seed| {
        let breach = judged::<J>(&run(seed), until_ms).into_iter().find(|breach| of.contains(&breach.property));
        breach.map(|breach| (seed, breach))
    })
}

fn said(breaches: &[Breach]) -> String {
    let said: Vec<String> =
        breaches.iter().map(|breach| format!("{} at {}: {}", breach.property, breach.at, breach.said[0])).collect();
    said.join("; ")
}
