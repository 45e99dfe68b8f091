//! How far the clocks of servers are apart: a message is never heard before it was sent, so each that two logs know bounds the difference
//! from one side.

use std::collections::BTreeMap;

use super::event::{Ballot, Event, Role};
use super::server::ServerLog;

/// Lines of different threads may be out of order by so much, ms.
const SLACK: i64 = 5;
/// No bound.
const FAR: i64 = i64::MAX / 4;

/// What is known of a server's clock, beside that of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    /// So many ms are to be taken from its times, give or take so many.
    Known(i64, i64),
    /// Nothing that both sides know tells.
    Unknown,
    /// No one difference fits all that is known: a clock was set.
    Set,
}

/// A message: sent by a server at its time, heard by another at its own.
type Message = ((usize, i64), (usize, i64));

/// The clocks of servers, each beside that of the first; one that agrees within what can be told counts as the same.
pub fn clocks(logs: &[ServerLog]) -> Vec<Clock> {
    let many = logs.len();
    // far[a][b]: the clock of b is ahead of that of a by at most so much
    let mut far = vec![vec![FAR; many]; many];
    for ((from, sent), (to, heard)) in votes(logs).into_iter().chain(handshakes(logs)) {
        let bound = heard.saturating_sub(sent).saturating_add(SLACK);
        far[from][to] = far[from][to].min(bound);
    }
    for by in 0..many {
        for from in 0..many {
            for to in 0..many {
                let around = if far[from][by] == FAR || far[by][to] == FAR {
                    FAR
                } else {
                    far[from][by].saturating_add(far[by][to])
                };
                far[from][to] = far[from][to].min(around).max(-FAR);
            }
        }
    }
    (0..many).map(|to| between(far[0][to], far[to][0], to == 0)).collect()
}

fn between(high: i64, back: i64, is_first: bool) -> Clock {
    let low = -back;
    match (high == FAR || back == FAR, low > high) {
        _ if is_first => Clock::Known(0, 0),
        (true, _) => Clock::Unknown,
        (_, true) => Clock::Set,
        _ if low <= 0 && 0 <= high => Clock::Known(0, high.max(-low)),
        _ => Clock::Known(low + (high - low) / 2, (high - low + 1) / 2),
    }
}

/// Votes: whoever hears one hears it after it was first sent. A log of INFO does not hold what is sent, but what a server votes at the
/// beginning of an election, which it hears from itself.
fn votes(logs: &[ServerLog]) -> Vec<Message> {
    let mut sent: BTreeMap<(u64, Ballot), (usize, i64)> = BTreeMap::new();
    for (place, log) in logs.iter().enumerate() {
        let mut begun = None;
        for (_, told) in &log.events {
            match told.event {
                Event::Election(zxid) => begun = Some((zxid, told.time)),
                Event::Hears(from, Role::Looking, ballot) if from == log.id => {
                    if let Some((_, at)) =
                        begun.take_if(|(zxid, _)| *zxid == ballot.zxid && i64::try_from(log.id) == Ok(ballot.leader))
                    {
                        once(&mut sent, (log.id, ballot), (place, at));
                    }
                }
                _ => {}
            }
        }
    }
    let mut messages = Vec::new();
    for (place, log) in logs.iter().enumerate() {
        let mut heard = BTreeMap::new();
        for (_, told) in &log.events {
            if let Event::Hears(from, Role::Looking, ballot) = told.event
                && from != log.id
            {
                heard.entry((from, ballot)).or_insert(told.time);
            }
        }
        let known = heard.into_iter().filter_map(|(key, at)| Some((*sent.get(&key)?, (place, at))));
        messages.extend(known.filter(|((from, _), _)| *from != usize::MAX));
    }
    messages
}

/// A vote that was given twice, before and after a restart, tells nothing.
fn once(sent: &mut BTreeMap<(u64, Ballot), (usize, i64)>, key: (u64, Ballot), at: (usize, i64)) {
    sent.entry(key).and_modify(|known| known.0 = usize::MAX).or_insert(at);
}

/// A learner begins before its leader sees it, and gets what the leader has sent before.
fn handshakes(logs: &[ServerLog]) -> Vec<Message> {
    type Key = (u64, u8, u64);
    // when the leader saw the learner and sent it something; when that began, and it came
    let mut sent: BTreeMap<Key, Vec<(usize, i64, Option<i64>)>> = BTreeMap::new();
    let mut got: BTreeMap<Key, Vec<(usize, i64, Option<i64>)>> = BTreeMap::new();
    for (place, log) in logs.iter().enumerate() {
        let (mut seen, mut begun) = (BTreeMap::new(), None);
        for (_, told) in &log.events {
            match &told.event {
                Event::Joins(id) => drop(seen.insert(*id, told.time)),
                Event::Sent(id, kind, zxid) => {
                    let one = (place, told.time, seen.remove(id));
                    sent.entry((*id, *kind as u8, *zxid)).or_default().push(one);
                }
                Event::Takes(Role::Following | Role::Observing) => begun = Some(told.time),
                Event::Sync(kind, zxid) => {
                    got.entry((log.id, *kind as u8, *zxid)).or_default().push((place, told.time, begun.take()));
                }
                _ => {}
            }
        }
    }
    let mut messages = Vec::new();
    for (key, sent) in &sent {
        // as often sent as got, and by one leader: then they belong to each other in their order
        let by_one = sent.iter().all(|(leader, ..)| *leader == sent[0].0);
        let Some(got) = got.get(key).filter(|got| by_one && got.len() == sent.len()) else { continue };
        for ((leader, at, seen), (learner, came, begun)) in sent.iter().zip(got) {
            messages.push(((*leader, *at), (*learner, *came)));
            if let (Some(seen), Some(begun)) = (seen, begun) {
                messages.push(((*learner, *begun), (*leader, *seen)));
            }
        }
    }
    messages
}
