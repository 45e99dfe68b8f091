//! Every order, for tiny setups: an established ensemble, so many writes and crashes, and all orders in which packets arrive
//! and disks finish. A situation that was seen is not gone on with, so the answer is complete or says that it is not.
//!
//! Packets and disks take no time here. So time stands still between two timers, and two ways into one situation differ in
//! nothing but the numbers that packets were given. A situation is known by a hash of what servers, connections and the
//! judge keep; what a number left out of it could change is only how an action names a packet.

use std::collections::BTreeSet;
use std::hash::Hash;
use std::rc::Rc;

use serde::Serialize;
use siphasher::sip128::{Hasher128, SipHasher13};

use crate::base::json::{Json, Read, ReadError, within};
use crate::base::{Arrange, ServerId, SharedMap, SimTime};
use crate::check::{Checker, Violation, property};
use crate::sim::{Action, Choice, LatencyRange, Run, Setup, Status, World};

use super::deed::write;
use super::goal::Goal;
use super::stand::status;

/// Most servers: with more, no number of writes is tiny.
pub const MAX_SERVERS: u8 = 5;
/// Most of each in [`Bounds`].
const MOST: u64 = 9;

/// What may happen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
pub struct Bounds {
    /// Writes, each through the server that leads at the beginning.
    pub writes: u32,
    /// Crashes, of any server.
    pub crashes: u32,
    /// Restarts of who crashed.
    pub restarts: u32,
    /// Timers that fire, each the earliest, when nothing else can happen.
    pub ticks: u32,
}

/// What every order came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Proof {
    /// Situations that differ.
    pub states: u64,
    /// Steps between them.
    pub transitions: u64,
    /// Situations in which nothing can happen any more.
    pub ends: u64,
    /// Most steps from the beginning.
    pub depth: usize,
    /// Nothing was left out.
    pub complete: bool,
    /// A property that is violated after some of them, by its id; [`Exhaust::fall`] knows more.
    pub violated: Option<&'static str>,
    /// After how many steps.
    pub after: usize,
}

impl Read for Bounds {
    fn read(json: Json) -> Result<Bounds, ReadError> {
        let mut fields = json.fields()?;
        let mut few = |name| {
            let number = fields.or(name, 0_u64)?;
            within(name, number, 0, MOST).map(|()| number as u32)
        };
        let bounds = Bounds {
            writes: few("writes")?,
            crashes: few("crashes")?,
            restarts: few("restarts")?,
            ticks: few("ticks")?,
        };
        fields.end().map(|()| bounds)
    }
}

impl Read for Proof {
    fn read(json: Json) -> Result<Proof, ReadError> {
        let mut fields = json.fields()?;
        let violated: Option<String> = fields.or("violated", None)?;
        let proof = Proof {
            states: fields.need("states")?,
            transitions: fields.need("transitions")?,
            ends: fields.need("ends")?,
            depth: fields.need("depth")?,
            complete: fields.need("complete")?,
            violated: violated.and_then(|id| Some(property(&id)?.id)),
            after: fields.need("after")?,
        };
        fields.end().map(|()| proof)
    }
}

/// A step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    /// Something that was under way.
    Choice(Choice),
    /// A client writes.
    Write(ServerId),
    /// A server dies.
    Crash(ServerId),
    /// It starts again.
    Restart(ServerId),
}

#[derive(Clone, Debug)]
struct Situation {
    world: World,
    checker: Checker,
    left: Bounds,
    moves: Vec<Move>,
    /// How many of the moves have been made, and which one led here.
    next: usize,
    by: Option<Move>,
    parts: Parts,
}

/// A walk through all orders, somewhere on its way.
#[derive(Clone, Debug)]
pub struct Exhaust {
    leader: ServerId,
    stack: Vec<Situation>,
    seen: BTreeSet<u128>,
    /// Without the fall.
    proof: Proof,
    fall: Option<(Violation, Vec<Move>)>,
    goal: Goal,
    most: u64,
}

/// By then an ensemble without delays is established, and no heartbeat is due, µs.
const ESTABLISHED_US: u64 = 750_000;

impl Exhaust {
    /// The established ensemble of a setup, at rest; what is looked for ([`Goal::has_orders`]); and how many situations are looked at
    /// at most.
    pub fn new(setup: &Setup, bounds: Bounds, goal: &Goal, most: u64) -> Exhaust {
        let none = LatencyRange::ms(0, 0);
        let setup = Setup { latency: none, disk_sync: none, transmit_us: 0, ..setup.clone() };
        let mut checker = Checker::new(&setup);
        let mut world = World::new(Run::new(1, setup));
        while world.next_at().is_some_and(|at| at <= SimTime(ESTABLISHED_US)) {
            for record in world.step().into_iter().flatten() {
                checker.read(record);
            }
        }
        let leads = |id: &ServerId| {
            let server = world.processes.get(id).and_then(|process| process.server());
            server.is_some_and(|server| server.peer.orders().is_some())
        };
        let leader = world.processes.keys().copied().find(leads).unwrap_or(ServerId(1));
        let mut begin = Situation::new(world, checker, bounds, None);
        begin.look_around(leader);
        let proof = Proof { states: 1, complete: true, ..Proof::default() };
        let seen = [begin.mark(None)].into_iter().collect();
        Exhaust { leader, stack: vec![begin], seen, proof, fall: None, goal: goal.clone(), most }
    }

    /// Makes so many steps; whether there is more to do.
    pub fn step(&mut self, transitions: u64) -> bool {
        for _ in 0..transitions {
            if !self.one() {
                return false;
            }
        }
        true
    }

    /// What has come of it so far.
    pub fn proof(&self) -> Proof {
        match &self.fall {
            Some((violation, moves)) => {
                Proof { complete: false, violated: Some(violation.property), after: moves.len(), ..self.proof }
            }
            None => self.proof,
        }
    }

    /// What was violated, and the steps that led there.
    pub fn fall(&self) -> Option<&(Violation, Vec<Move>)> {
        self.fall.as_ref()
    }

    fn one(&mut self) -> bool {
        if self.fall.is_some() {
            return false;
        }
        let Some(top) = self.stack.last_mut() else { return false };
        let Some(&step) = top.moves.get(top.next) else {
            self.stack.pop();
            return !self.stack.is_empty();
        };
        top.next += 1;
        let mut next = top.after(step);
        self.proof.transitions += 1;
        let violation = next.checker.violations().iter().find(|one| self.goal.is(one.property)).cloned();
        if self.seen.insert(next.mark(Some(top))) {
            next.look_around(self.leader);
            self.proof.states += 1;
            self.proof.ends += u64::from(next.moves.is_empty());
            self.stack.push(next);
            self.proof.depth = self.proof.depth.max(self.stack.len() - 1);
        }
        if let Some(violation) = violation {
            self.fall = Some((violation, self.stack.iter().filter_map(|situation| situation.by).collect()));
        } else if self.proof.states >= self.most {
            self.proof.complete = false;
            self.stack.clear();
        }
        true
    }
}

impl Situation {
    fn new(world: World, checker: Checker, left: Bounds, by: Option<Move>) -> Situation {
        Situation { world, checker, left, moves: Vec::new(), next: 0, by, parts: Parts::default() }
    }

    /// The situation after a step.
    fn after(&self, step: Move) -> Situation {
        let mut next = Situation::new(self.world.clone(), self.checker.clone(), self.left, Some(step));
        let choice = match step {
            Move::Choice(choice) => {
                next.left.ticks -= u32::from(is_timer(choice));
                choice
            }
            Move::Write(server) => next.deed(write(server), |left| &mut left.writes),
            Move::Crash(server) => next.deed(Action::Crash { server }, |left| &mut left.crashes),
            Move::Restart(server) => next.deed(Action::Restart { server }, |left| &mut left.restarts),
        };
        if let Ok(records) = next.world.apply(choice) {
            for record in records {
                next.checker.read(record);
            }
        }
        next
    }

    fn deed(&mut self, action: Action, of: fn(&mut Bounds) -> &mut u32) -> Choice {
        *of(&mut self.left) -= 1;
        self.world.append(self.world.now, action);
        Choice::Script
    }

    /// Finds what can happen next.
    fn look_around(&mut self, leader: ServerId) {
        let at_once = |choice: &Choice| matches!(choice, Choice::Deliver { .. } | Choice::Disk { .. });
        let world = &self.world;
        let mut moves: Vec<Move> =
            world.choices().map(|(_, choice)| choice).filter(at_once).map(Move::Choice).collect();
        if moves.is_empty() && self.left.ticks > 0 {
            let timer = world.choices().map(|(_, choice)| choice).find(|choice| is_timer(*choice));
            moves.extend(timer.map(Move::Choice));
        }
        // choices come in the order in which they were enabled, which the way here decides
        moves.arrange_by_key(|step| if let Move::Choice(choice) = step { Some(*choice) } else { None });
        if self.left.writes > 0 && world.processes.get(&leader).is_some_and(|process| process.is_running()) {
            moves.push(Move::Write(leader));
        }
        if self.left.crashes > 0 {
            moves.extend(status(world, Status::Running).map(Move::Crash));
        }
        if self.left.restarts > 0 {
            moves.extend(status(world, Status::Crashed).map(Move::Restart));
        }
        self.moves = moves;
    }

    /// The situation in one number. What it shares with the one before it has the hash that it has there.
    fn mark(&mut self, before: Option<&Situation>) -> u128 {
        let parts = Parts {
            processes: each(&self.world.processes, before.map(|it| (&it.world.processes, &it.parts.processes))),
            conns: each(&self.world.network.conns, before.map(|it| (&it.world.network.conns, &it.parts.conns))),
            judge: match before.filter(|it| Rc::ptr_eq(it.checker.mark(), self.checker.mark())) {
                Some(before) => before.parts.judge,
                None => hash(self.checker.mark()),
            },
        };
        let mut hasher = SipHasher13::new();
        (&parts, self.world.members, self.left).hash(&mut hasher);
        for timer in self.world.choices().filter(|(_, choice)| is_timer(*choice)) {
            timer.hash(&mut hasher);
        }
        self.parts = parts;
        hasher.finish128().as_u128()
    }
}

/// The hashes of what a situation is made of.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Parts {
    processes: Vec<u128>,
    conns: Vec<u128>,
    judge: u128,
}

/// The hash of each entry; that of an entry which was in the map before, untouched since, is known.
fn each<K: Ord + Hash, V: Clone + Hash>(
    map: &SharedMap<K, V>,
    before: Option<(&SharedMap<K, V>, &Vec<u128>)>,
) -> Vec<u128> {
    let known = |place| {
        let (map, hashes) = before?;
        let mut places = map.places().zip(hashes);
        places.find(|((_, other), _)| Rc::ptr_eq(other, place)).map(|(_, hash)| *hash)
    };
    map.places().map(|(key, place)| known(place).unwrap_or_else(|| hash(&(key, place)))).collect()
}

fn hash(what: &impl Hash) -> u128 {
    let mut hasher = SipHasher13::new();
    what.hash(&mut hasher);
    hasher.finish128().as_u128()
}

fn is_timer(choice: Choice) -> bool {
    matches!(choice, Choice::Timer(..))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::ConnId;
    use crate::sim::{InFlight, Item, PacketName};

    /// A situation as text, without what [`NUMBERED`] names: slow, and nothing is forgotten.
    fn text(of: &Situation) -> String {
        let (world, cut) = (&of.world, of.world.choices().filter(|(_, choice)| is_timer(*choice)));
        let (known, cut) = (of.checker.mark(), cut.collect::<Vec<_>>());
        let whole =
            format!("{:?}{:?}{:?}{cut:?}{:?}{known:?}", world.processes, world.network.conns, world.members, of.left);
        NUMBERED.iter().fold(whole, |text, name| {
            let mut parts = text.split(name);
            let first = parts.next().unwrap_or_default().to_owned();
            parts.fold(first, |text, part| text + name + part.trim_start_matches(|char: char| char.is_ascii_digit()))
        })
    }

    /// What stands before a packet's number: its id, its place among all of its direction, and the how-manieth of its name.
    const NUMBERED: [&str; 2] = ["MsgId(", " nth: "];

    #[test]
    fn what_a_step_left_alone_has_its_hash_and_the_mark_tells_apart_what_the_text_does() {
        let bounds = Bounds { writes: 1, crashes: 1, restarts: 1, ticks: 1 };
        let mut all = Exhaust::new(&Setup::default(), bounds, &Goal::Any, 2_000);
        let mut texts = BTreeSet::from([hash(&text(&all.stack[0]))]);
        while all.proof().states < 1_500 && all.step(1) {
            let Some(top) = all.stack.last().filter(|top| top.next == 0) else { continue };
            let mut whole = top.clone();
            assert!(all.seen.contains(&whole.mark(None)) && whole.parts == top.parts);
            texts.insert(hash(&text(top)));
        }
        assert_eq!(texts.len() as u64, all.proof().states);
    }

    #[test]
    fn a_packets_numbers_are_left_out_and_no_other() {
        let bounds = Bounds { writes: 1, crashes: 0, restarts: 0, ticks: 0 };
        let mut all = Exhaust::new(&Setup::default(), bounds, &Goal::Any, 10);
        while all.stack.last().is_some_and(|top| packet(&top.world).is_none()) && all.step(1) {}
        let one = packet(&all.stack.last().unwrap().world).unwrap();
        let like = |change: fn(&mut InFlight)| {
            let mut other = one.clone();
            change(&mut other);
            hash(&other) == hash(&one)
        };
        assert!(like(|it| it.msg.0 += 1) && like(|it| it.nth += 1));
        assert!(!like(|it| it.due.0 += 1) && !like(|it| it.item = Item::Fin));
        let name = |text: &str| hash(&text.parse::<PacketName>().unwrap());
        assert!(name("COMMIT 1:3 #2") == name("COMMIT 1:3") && name("COMMIT 1:4") != name("COMMIT 1:3"));
        assert_ne!(hash(&ConnId(12)), hash(&ConnId(7)));
    }

    fn packet(world: &World) -> Option<InFlight> {
        world.network.conns.values().flat_map(|ends| &ends.pipes).find_map(|pipe| pipe.items.front().cloned())
    }

    #[test]
    fn the_orders_of_one_write_are_few_and_all_are_seen() {
        let bounds = Bounds { writes: 1, crashes: 0, restarts: 0, ticks: 0 };
        let mut all = Exhaust::new(&Setup::default(), bounds, &Goal::Any, 10_000);
        while all.step(100) {}
        let proof = all.proof();
        assert!(proof.complete && proof.violated.is_none(), "{proof:?}");
        assert_eq!((proof.states, proof.transitions, proof.depth), (129, 236, 10));
    }
}
