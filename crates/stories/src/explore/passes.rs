//! The ways in which a run may become smaller. Each lists its proposals by number, in an order that hangs on the run alone.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use crate::base::{Gather, Micros, ServerSet, SimTime};
use crate::sim::{Action, LatencyRange, Run, Setup};

use super::deed::DATA;

/// A proposal.
pub(super) enum Next {
    /// A smaller run.
    Try(Box<Run>),
    /// This number proposes nothing.
    Nothing,
    /// There is no such number, and none behind it.
    Over,
}

/// The passes, in the order in which they are gone through.
pub(super) const PASSES: &[fn(&Run, usize) -> Next] =
    &[programs, clients, chunks, settings, servers, pairs, simpler, chance, earlier, rounder];

/// With more deeds than this, only pairs that belong together are left out together.
const FEW: usize = 24;
/// A change of times is worth trying from here on, µs; it keeps times as round as they are.
const STEP_US: Micros = 100_000;
/// Times as people write them, µs.
const ROUND_US: [Micros; 6] = [1_000_000, 500_000, 100_000, 50_000, 10_000, 1_000];
/// Only so far may rounding move something later, µs.
const LATER_US: Micros = 10_000;

fn changed(run: &Run, change: impl FnOnce(&mut Run)) -> Next {
    let mut smaller = run.clone();
    change(&mut smaller);
    if smaller == *run { Next::Nothing } else { Next::Try(Box::new(smaller)) }
}

fn without(run: &Run, goes: impl Fn(usize, &Action) -> bool) -> Next {
    changed(run, |smaller| {
        let mut at = 0;
        smaller.actions.retain(|timed| {
            at += 1;
            !goes(at - 1, &timed.action)
        });
    })
}

/// An action's field, as runs are written.
fn field(action: &Action, name: &str) -> Option<u64> {
    serde_json::to_value(action).ok()?.get(name)?.as_u64()
}

fn clients_of(run: &Run) -> Vec<u64> {
    let all: BTreeSet<u64> = run.actions.iter().filter_map(|timed| field(&timed.action, "client")).gathered();
    all.into_iter().collect()
}

fn is_program(action: &Action) -> bool {
    matches!(
        action,
        Action::MakeRecipe { .. }
            | Action::RunThread { .. }
            | Action::SetUpCurator { .. }
            | Action::InterruptThread { .. }
    )
}

/// All programs, then those of one client.
fn programs(run: &Run, at: usize) -> Next {
    if at == 0 {
        return without(run, |_, action| is_program(action));
    }
    match clients_of(run).get(at - 1) {
        Some(&client) => without(run, |_, action| is_program(action) && field(action, "client") == Some(client)),
        None => Next::Over,
    }
}

/// All clients, then each.
fn clients(run: &Run, at: usize) -> Next {
    if at == 0 {
        return without(run, |_, action| field(action, "client").is_some());
    }
    match clients_of(run).get(at - 1) {
        Some(&client) => without(run, |_, action| field(action, "client") == Some(client)),
        None => Next::Over,
    }
}

/// Halves, quarters, … down to single deeds (Zeller, Hildebrandt 2002).
fn chunks(run: &Run, mut at: usize) -> Next {
    let many = run.actions.len();
    let mut size = many.div_ceil(2);
    while size > 0 {
        let chunks = many.div_ceil(size);
        if at < chunks {
            return without(run, |place, _| place / size == at);
        }
        at -= chunks;
        size /= 2;
    }
    Next::Over
}

/// Two deeds at once: often one only undoes the other.
fn pairs(run: &Run, at: usize) -> Next {
    let many = run.actions.len();
    if many > FEW {
        let Some(timed) = run.actions.get(at) else { return Next::Over };
        let server = field(&timed.action, "server");
        let later = run.actions.iter().skip(at + 1).position(|other| field(&other.action, "server") == server);
        return match (server, later) {
            (Some(_), Some(later)) => without(run, |place, _| place == at || place == at + 1 + later),
            _ => Next::Nothing,
        };
    }
    match (at / many.max(1), at % many.max(1)) {
        (first, _) if first >= many => Next::Over,
        (first, second) if first < second => without(run, |place, _| place == first || place == second),
        _ => Next::Nothing,
    }
}

/// Each setting that is not the default. What is broken stays broken, and what has no chance in it is simple enough.
fn settings(run: &Run, at: usize) -> Next {
    let as_json = |setup: &Setup| match serde_json::to_value(setup) {
        Ok(Value::Object(fields)) => fields,
        _ => Map::new(),
    };
    let (own, default) = (as_json(&run.setup), as_json(&Setup::default()));
    let Some(key) = own.keys().nth(at) else { return Next::Over };
    let fixed = match key.as_str() {
        "latency" => run.setup.latency.min_us == run.setup.latency.max_us,
        "disk_sync" => run.setup.disk_sync.min_us == run.setup.disk_sync.max_us,
        "rules" | "zookeeper" | "voters" | "systems" => true,
        _ => false,
    };
    // what the default leaves out when it is written cannot be set back by its name
    let Some(value) = default.get(key).filter(|value| !fixed && Some(*value) != own.get(key)) else {
        return Next::Nothing;
    };
    let mut smaller = run.clone();
    match smaller.set(&format!("{key}={value}")) {
        Ok(()) => Next::Try(Box::new(smaller)),
        Err(_) => Next::Nothing,
    }
}

/// Two servers less, or one; those above move up.
fn servers(run: &Run, at: usize) -> Next {
    let voters = usize::from(run.setup.voters);
    if voters <= 3 || !run.setup.systems.is_empty() {
        return Next::Over;
    }
    let (first, second) = (at / voters, at % voters);
    if first >= voters {
        return Next::Over;
    }
    if first > second || (first != second && voters < 5) {
        return Next::Nothing;
    }
    let gone: BTreeSet<u64> = [first as u64 + 1, second as u64 + 1].into_iter().gathered();
    let mut smaller = run.clone();
    smaller.setup.voters -= gone.len() as u8;
    smaller.setup.start_us.clear();
    smaller.actions.clear();
    for timed in &run.actions {
        let Ok(Value::Object(mut fields)) = serde_json::to_value(timed) else { continue };
        if renumber(&mut fields, &gone)
            && let Ok(text) = serde_json::to_string(&fields)
            && let Some(timed) = read_action(&text)
        {
            smaller.actions.push(timed);
        }
    }
    Next::Try(Box::new(smaller))
}

fn read_action(text: &str) -> Option<crate::sim::TimedAction> {
    use crate::base::json::{Json, Read};
    Json::parse(text).and_then(crate::sim::TimedAction::read).ok()
}

/// Whether an action is left when these servers are gone: what names only them is not.
fn renumber(fields: &mut Map<String, Value>, gone: &BTreeSet<u64>) -> bool {
    let lower = |id: u64| id - gone.iter().filter(|&&other| other < id).count() as u64;
    for name in ["server", "from", "to", "servers", "voters", "observers", "links"] {
        match fields.get_mut(name) {
            Some(Value::Number(number)) => {
                let id = number.as_u64().unwrap_or_default();
                if gone.contains(&id) {
                    return false;
                }
                *number = lower(id).into();
            }
            Some(Value::Array(ids)) => {
                ids.retain(|id| id.as_u64().is_none_or(|id| !gone.contains(&id)));
                for id in ids.iter_mut() {
                    match id {
                        Value::Number(number) => *number = lower(number.as_u64().unwrap_or_default()).into(),
                        // a link: its two ends
                        _ => return false,
                    }
                }
                if ids.is_empty() {
                    return false;
                }
            }
            _ => {}
        }
    }
    true
}

/// How many ways there are to make one deed simpler.
const SIMPLER: usize = 20;

/// One deed becomes simpler.
fn simpler(run: &Run, at: usize) -> Next {
    let Some(timed) = run.actions.get(at / SIMPLER) else { return Next::Over };
    let Some(action) = simpler_action(&timed.action, at % SIMPLER) else { return Next::Nothing };
    changed(run, |smaller| {
        if let Some(timed) = smaller.actions.get_mut(at / SIMPLER) {
            timed.action = action;
        }
    })
}

fn simpler_action(action: &Action, way: usize) -> Option<Action> {
    let action = action.clone();
    match action {
        Action::Kill { server } | Action::PowerOff { server } => (way == 0).then_some(Action::Crash { server }),
        Action::Write { server, data, count, every_us } => match way {
            0 => Some(Action::Write { server, data: DATA.into(), count: 1, every_us: 0 }),
            1 => Some(Action::Write { server, data: DATA.into(), count, every_us: 0 }),
            2 => Some(Action::Write { server, data, count: count / 2, every_us }),
            _ => None,
        },
        Action::Disk { server, sync } if way == 0 => Some(Action::Disk { server, sync: fixed(sync) }),
        Action::Latency { from, to, range } if way == 0 => Some(Action::Latency { from, to, range: fixed(range) }),
        Action::Cut { from, to, one_way } => fewer(from, to, way).map(|(from, to)| Action::Cut { from, to, one_way }),
        Action::Heal { from, to, one_way } => match way {
            0 => Some(Action::HealAll),
            _ => fewer(from, to, way).map(|(from, to)| Action::Heal { from, to, one_way }),
        },
        _ => None,
    }
}

/// No chance left in it, as slow as it may be.
fn fixed(range: LatencyRange) -> LatencyRange {
    LatencyRange { min_us: range.max_us, max_us: range.max_us }
}

/// One server less on one of the two sides.
fn fewer(mut from: ServerSet, mut to: ServerSet, way: usize) -> Option<(ServerSet, ServerSet)> {
    let mut both = from.iter().map(|id| (id, true)).chain(to.iter().map(|id| (id, false)));
    let (id, is_from) = both.nth(way.checked_sub(1)?)?;
    let side = if is_from { &mut from } else { &mut to };
    side.remove(id);
    (!side.is_empty()).then_some((from, to))
}

/// Every packet and every disk as slow as every other.
fn chance(run: &Run, at: usize) -> Next {
    let (link, disk) = (LatencyRange::ms(10, 10), LatencyRange::ms(8, 8));
    let (seed, latency, sync) = match at {
        0 => (true, true, true),
        1 => (false, true, true),
        2 => (false, true, false),
        3 => (false, false, true),
        4 => (true, false, false),
        _ => return Next::Over,
    };
    changed(run, |smaller| {
        if latency {
            smaller.setup.latency = link;
        }
        if sync {
            smaller.setup.disk_sync = disk;
        }
        if seed {
            smaller.seed = 1;
        }
    })
}

/// A deed and all behind it come earlier, by half of the gap before it.
fn earlier(run: &Run, at: usize) -> Next {
    let Some(timed) = run.actions.get(at) else { return Next::Over };
    let before =
        at.checked_sub(1).and_then(|before| run.actions.get(before)).map_or(SimTime::ZERO, |other| other.at_us);
    let by = timed.at_us.since(before) / 2 / STEP_US * STEP_US;
    changed(run, |smaller| {
        for timed in smaller.actions.iter_mut().skip(at) {
            timed.at_us = SimTime(timed.at_us.0.saturating_sub(by));
        }
    })
}

/// One deed comes at a time as people write it.
fn rounder(run: &Run, at: usize) -> Next {
    let ways = 2 * ROUND_US.len();
    let place = at / ways;
    let Some(timed) = run.actions.get(place) else { return Next::Over };
    let (unit, up) = (ROUND_US[at % ways / 2], at % 2 == 1);
    let now = timed.at_us.0;
    if now.is_multiple_of(unit) || (up && unit > LATER_US) {
        return Next::Nothing;
    }
    let rounded = if up { now.next_multiple_of(unit) } else { now / unit * unit };
    changed(run, |smaller| {
        if let Some(timed) = smaller.actions.get_mut(place) {
            timed.at_us = SimTime(rounded);
        }
    })
}
