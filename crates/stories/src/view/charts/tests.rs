//! What the charts show is what anybody finds who reads all facts once more, run by run and seed by seed.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::gaps::GROWS_US;
use super::*;
use crate::base::{ServerId, Zxid};
use crate::scenarios::scenario;
use crate::sim::{Fact, Player, Record, Run, WorldFact};
use crate::{client, recipes, zab};

const RUNS: [&str; 5] =
    ["leader-crash-under-load", "counter-rollover", "lock-herd", "elect-latch", "minority-partition"];

fn run(id: &str, seed: u64) -> Run {
    let mut run = scenario(id).unwrap().run();
    run.seed = seed;
    run
}

fn at(run: Run, moment: SimTime) -> Charts {
    let mut session = Session::new(run, None).unwrap();
    session.seek(moment).unwrap();
    charts(&session)
}

/// Every fact of a run up to a moment.
fn facts(run: Run, until: SimTime) -> Vec<Rc<Record>> {
    let mut all = Vec::new();
    Player::new(run).unwrap().run_until(until, |_, records| all.extend_from_slice(records));
    all
}

/// Every commit: when, and how long after it was proposed. A new leader commits what its log has and nobody has committed.
fn commits(facts: &[Rc<Record>]) -> Vec<(u64, u64)> {
    let mut settled = BTreeSet::new();
    let mut committed = Vec::new();
    for (place, record) in facts.iter().enumerate() {
        let zxids: Vec<Zxid> = match &record.fact {
            Fact::Zab { fact: zab::Fact::Committed { zxid, .. }, .. } => vec![*zxid],
            Fact::Zab { server, fact: zab::Fact::Established { .. } } => {
                let queued = |before: &Rc<Record>| match &before.fact {
                    Fact::Zab { server: whose, fact: zab::Fact::Queued { zxid } } if whose == server => Some(*zxid),
                    _ => None,
                };
                facts[..place].iter().filter_map(queued).filter(|zxid| !settled.contains(zxid)).collect()
            }
            _ => continue,
        };
        for zxid in zxids {
            let proposed = |before: &&Rc<Record>| matches!(&before.fact, Fact::Zab { fact: zab::Fact::Proposed { zxid: one, .. }, .. } if *one == zxid);
            let since = facts[..place].iter().rfind(proposed).expect("a proposal").at_us;
            if settled.insert(zxid) {
                committed.push((record.at_us.0, record.at_us.since(since)));
            }
        }
    }
    committed
}

#[test]
fn commits_are_those_of_the_facts() {
    for seed in 1..=6 {
        for id in ["leader-crash-under-load", "counter-rollover"] {
            let until = SimTime::from_ms(4_200);
            let (charts, all) = (at(run(id, seed), until), commits(&facts(run(id, seed), until)));
            let mut sorted: Vec<u64> = all.iter().map(|(_, took)| *took).collect();
            sorted.sort_unstable();
            let latency = &charts.latency;
            assert_eq!(latency.count, all.len() as u64, "{id} {seed}");
            assert!(latency.dots.iter().map(|dot| (dot.at.0, dot.took_us)).eq(all.iter().copied()), "{id} {seed}");
            assert_eq!(latency.median_us / 100, sorted[sorted.len() / 2] / 100, "{id} {seed}");
            assert_eq!(latency.slowest.map(|dot| dot.took_us), sorted.last().copied());
            assert_eq!(latency.last.map(|dot| dot.at.0), all.last().map(|(at, _)| *at));
            let mut steps = vec![0; charts.rate.steps.len()];
            all.iter().for_each(|(at, _)| steps[(at / charts.rate.step_us) as usize] += 1);
            assert_eq!(charts.rate.steps, steps);
            let (begins, tenths) = charts.rate.most().unwrap();
            let within = all.iter().filter(|(at, _)| (begins.0..begins.0 + charts.rate.step_us).contains(at)).count();
            assert_eq!(tenths, within as u64 * 40, "in steps of a quarter of a second");
        }
    }
}

#[test]
fn messages_are_those_of_the_facts() {
    for seed in 1..=4 {
        for id in RUNS {
            let until = SimTime::from_ms(5_000);
            let mut counted: BTreeMap<&str, u64> = BTreeMap::new();
            for record in facts(run(id, seed), until) {
                if let Fact::World(WorldFact::Sent { message, .. }) = &record.fact {
                    *counted.entry(message.name()).or_default() += 1;
                }
            }
            let sent = at(run(id, seed), until).sent;
            assert_eq!(sent.total, counted.values().sum::<u64>());
            assert!(sent.types.windows(2).all(|pair| pair[0].1 >= pair[1].1));
            assert_eq!(sent.types.into_iter().collect::<BTreeMap<_, _>>(), counted, "{id} {seed}");
        }
    }
}

/// Nobody leads in every millisecond that no reign has.
#[test]
fn gaps_are_those_of_the_facts() {
    for seed in 1..=4 {
        for id in ["leader-crash-under-load", "counter-rollover", "minority-partition", "old-leader-returns"] {
            for until in [300, 1_450, 4_000, 7_000].map(SimTime::from_ms) {
                let mut led = vec![false; until.0 as usize / 1_000];
                let mut reigning: BTreeMap<ServerId, u64> = BTreeMap::new();
                let mut end = |reigning: &mut BTreeMap<ServerId, u64>, server, at: u64| {
                    if let Some(from) = reigning.remove(&server) {
                        led[from.div_ceil(1_000) as usize..(at / 1_000) as usize].fill(true);
                    }
                };
                for record in facts(run(id, seed), until) {
                    match &record.fact {
                        Fact::Zab { server, fact: zab::Fact::Established { .. } } => {
                            reigning.insert(*server, record.at_us.0);
                        }
                        Fact::Zab { server, fact: zab::Fact::Left { .. } }
                        | Fact::World(WorldFact::Crashed { server, .. } | WorldFact::Exited { server }) => {
                            end(&mut reigning, *server, record.at_us.0);
                        }
                        _ => {}
                    }
                }
                for server in reigning.keys().copied().collect::<Vec<_>>() {
                    end(&mut reigning, server, until.0);
                }
                let without = led.iter().filter(|led| !**led).count() as u64;
                let gaps = at(run(id, seed), until).gaps;
                let (total, slack) = (gaps.total_us / 1_000, 2 * gaps.count + GROWS_US / 1_000);
                assert!(total.abs_diff(without) <= slack, "{id} {seed} {until:?}: {total} {without}");
                let stretches = led.windows(2).filter(|pair| pair[0] && !pair[1]).count() + usize::from(!led[0]);
                assert_eq!(gaps.count, stretches as u64, "{id} {seed} {until:?}: {:?}", gaps.shown);
                assert_eq!(gaps.lasts, led.last() == Some(&false));
                assert!(gaps.longest.is_some_and(|longest| gaps.shown.iter().all(|gap| gap.us() <= longest.us())));
            }
        }
    }
}

/// Between a release and the next one lies what it cost.
#[test]
fn releases_are_those_of_the_facts() {
    for seed in 1..=4 {
        for id in ["lock-herd", "lock-predecessor", "elect-selector"] {
            let until = SimTime::from_ms(6_000);
            let mut costs: Vec<(u64, u64, u64)> = Vec::new();
            for record in facts(run(id, seed), until) {
                match &record.fact {
                    Fact::Program { fact: recipes::Fact::Released { .. }, .. } => costs.push((record.at_us.0, 0, 0)),
                    Fact::Client { fact: client::Fact::Notified { .. }, .. } => {
                        costs.last_mut().into_iter().for_each(|cost| cost.1 += 1);
                    }
                    Fact::Client { fact: client::Fact::Called { .. }, .. } => {
                        costs.last_mut().into_iter().for_each(|cost| cost.2 += 1);
                    }
                    _ => {}
                }
            }
            let releases = at(run(id, seed), until).releases;
            assert!(releases.held && releases.count >= 1, "{id} {seed}");
            for release in &releases.shown {
                let cost = (release.at.0, release.notifications, release.requests);
                assert!(costs.contains(&cost), "{id} {seed}: {cost:?} {costs:?}");
            }
            assert_eq!(releases.notifications, releases.shown.iter().map(|one| one.notifications).sum::<u64>());
        }
    }
}

#[test]
fn back_in_time_the_charts_are_those_of_that_moment() {
    for id in RUNS {
        let mut session = Session::new(run(id, 3), None).unwrap();
        let mut seen = Vec::new();
        for ms in [0, 700, 1_500, 3_000, 5_500] {
            session.seek(SimTime::from_ms(ms)).unwrap();
            seen.push((ms, charts(&session)));
        }
        for (ms, then) in seen.into_iter().rev() {
            session.seek(SimTime::from_ms(ms)).unwrap();
            let until = session.extent();
            assert!(charts(&session) == Charts { until, ..then }, "{id} at {ms} ms");
        }
    }
}

#[test]
fn sentences_have_the_numbers_in_them() {
    let words = &ChartWords::ENGLISH;
    let dot = crate::timeline::figures::Dot { at: SimTime::from_ms(1_250), took_us: 31_460, epoch: 1 };
    let (slowest, last) = (Some(dot), Some(crate::timeline::figures::Dot { took_us: 9_000, ..dot }));
    let latency = Latency { count: 3, median_us: 12_300, slowest, last, dots: vec![dot], every: 1 };
    for number in ["3", "12.3", "31.4", "1.250", "9.0"] {
        assert!(latency.tell(words).said.contains(number), "{}", latency.tell(words).said);
    }
    let rate = Rate { count: 9, step_us: 250_000, steps: vec![0, 5, 4] };
    assert!(rate.tell(words).said.contains("20 per second"), "{}", rate.tell(words).said);
    let sent = Sent { total: 12, types: vec![("PING", 7), ("ACK", 4), ("COMMIT", 1)] };
    assert!(sent.tell(words).said.contains("PING 7, ACK 4, COMMIT 1"), "{}", sent.tell(words).said);
    let never = Gaps { total_us: 0, of_us: 0, count: 0, longest: None, lasts: false, shown: vec![], reigns: vec![] };
    assert!(never.tell(words).nothing.is_some());
    assert!(sent.tell(words).nothing.is_none());
    assert_eq!(
        (tenths(40), tenths(45), each(5, 2), each(0, 0)),
        ("4".into(), "4.5".into(), "2.5".into(), "0".into())
    );
}

#[test]
fn a_table_has_a_cell_below_each_head_and_a_drawing_what_the_run_has() {
    let charts = at(run("lock-herd", 1), SimTime::from_ms(6_000));
    let paint = |tint| format!("{tint:?}");
    for chart in charts.each() {
        let (heads, rows) = chart.table(&ChartWords::ENGLISH);
        assert!(!rows.is_empty() && rows.iter().all(|row| row.len() == heads.len()), "{}", chart.name());
        assert!(chart.tell(&ChartWords::ENGLISH).nothing.is_none(), "{}", chart.name());
        match chart.drawing(&ChartWords::ENGLISH, 6.0, &paint) {
            Drawing::Plot(plot) => {
                assert!(chart.has_time() && plot.x == (0.0, 6.0), "{}", chart.name());
                let in_sight =
                    plot.dots.iter().all(|dot| dot.x <= 6.0) && plot.areas.iter().all(|area| area.to <= 6.25);
                assert!(in_sight && plot.dots.len() + plot.areas.len() > 0, "{}", chart.name());
            }
            Drawing::Bars(bars) => assert!(!chart.has_time() && bars.rows.len() <= bars.room, "{}", chart.name()),
        }
    }
}
