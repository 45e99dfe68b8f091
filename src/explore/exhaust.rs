//! Every order, for tiny setups: an established ensemble, so many writes and crashes, and all orders in which packets arrive
//! and disks finish. A situation that was seen is not gone on with, so the answer is complete or says that it is not.
//!
//! Packets and disks take no time here. So time stands still between two timers, and two ways into one situation differ in
//! nothing but the numbers that packets were given. A situation is known by a hash of what servers, connections and the
//! judge keep; what a number left out of it could change is only how an action names a packet.

use std::collections::BTreeSet;
use std::fmt::{self, Write};
use std::hash::Hasher;

use siphasher::sip128::{Hasher128, SipHasher24};

use crate::base::{ServerId, SimTime};
use crate::check::{Checker, Violation};
use crate::sim::{Action, Choice, LatencyRange, Run, Setup, Status, World};

use super::deed::write;
use super::stand::status;

/// What may happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Writes, each through the server that leads at the beginning.
    pub writes: u32,
    /// Crashes, of any server.
    pub crashes: u32,
    /// Restarts of who crashed.
    pub restarts: u32,
    /// Timers that fire, each the earliest, when nothing else can happen.
    pub ticks: u32,
    /// Most situations that are looked at.
    pub states: u64,
}

/// What every order came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
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
    /// What was violated, and the steps that led there.
    pub violated: Option<(Violation, Vec<Move>)>,
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
}

/// A walk through all orders, somewhere on its way.
#[derive(Clone, Debug)]
pub struct Exhaust {
    leader: ServerId,
    stack: Vec<Situation>,
    seen: BTreeSet<u128>,
    proof: Proof,
    states: u64,
}

/// By then an ensemble without delays is established, and no heartbeat is due, µs.
const ESTABLISHED_US: u64 = 750_000;

impl Exhaust {
    /// The established ensemble of a setup, at rest.
    pub fn new(setup: &Setup, bounds: Bounds) -> Exhaust {
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
            server.is_some_and(|server| server.peer.is_established_leader())
        };
        let leader = world.processes.keys().copied().find(leads).unwrap_or(ServerId(1));
        let mut begin = Situation { world, checker, left: bounds, moves: Vec::new(), next: 0, by: None };
        begin.look_around(leader);
        let proof = Proof { states: 1, complete: true, ..Proof::default() };
        let seen = [begin.mark()].into_iter().collect();
        Exhaust { leader, stack: vec![begin], seen, proof, states: bounds.states }
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
    pub fn proof(&self) -> &Proof {
        &self.proof
    }

    fn one(&mut self) -> bool {
        if self.proof.violated.is_some() {
            return false;
        }
        let Some(top) = self.stack.last_mut() else { return false };
        let Some(&step) = top.moves.get(top.next) else {
            self.stack.pop();
            return !self.stack.is_empty();
        };
        top.next += 1;
        let mut next = top.clone();
        next.make(step);
        next.look_around(self.leader);
        self.proof.transitions += 1;
        let violation = next.checker.violations().first().cloned();
        if self.seen.insert(next.mark()) {
            self.proof.states += 1;
            self.proof.ends += u64::from(next.moves.is_empty());
            self.stack.push(next);
            self.proof.depth = self.proof.depth.max(self.stack.len() - 1);
        }
        if let Some(violation) = violation {
            let moves = self.stack.iter().filter_map(|situation| situation.by).collect();
            (self.proof.violated, self.proof.complete) = (Some((violation, moves)), false);
        } else if self.proof.states >= self.states {
            self.proof.complete = false;
            self.stack.clear();
        }
        true
    }
}

impl Situation {
    fn make(&mut self, step: Move) {
        (self.by, self.next) = (Some(step), 0);
        let choice = match step {
            Move::Choice(choice) => {
                self.left.ticks -= u32::from(is_timer(choice));
                choice
            }
            Move::Write(server) => self.deed(write(server), |left| &mut left.writes),
            Move::Crash(server) => self.deed(Action::Crash { server }, |left| &mut left.crashes),
            Move::Restart(server) => self.deed(Action::Restart { server }, |left| &mut left.restarts),
        };
        if let Ok(records) = self.world.apply(choice) {
            for record in records {
                self.checker.read(record);
            }
        }
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
        moves.sort_by_key(|step| if let Move::Choice(choice) = step { Some(*choice) } else { None });
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

    /// The situation in one number.
    fn mark(&self) -> u128 {
        let mut mark = Mark { hasher: SipHasher24::new(), tail: String::new() };
        let (world, left) = (&self.world, &self.left);
        let cut: Vec<_> = world.choices().filter(|(_, choice)| is_timer(*choice)).collect();
        // writing to a hasher never fails
        let _ = write!(
            mark,
            "{:?}{:?}{:?}{:?}{:?}{:?}",
            world.processes,
            world.network.conns,
            world.members,
            cut,
            left,
            self.checker.mark()
        );
        mark.end()
    }
}

fn is_timer(choice: Choice) -> bool {
    matches!(choice, Choice::Timer(..))
}

/// Hashes a text, and leaves out the numbers of packets.
struct Mark {
    hasher: SipHasher24,
    /// The last characters before a number, to know what it numbers.
    tail: String,
}

/// What stands before a packet's number: its id, its place among all of its direction, and the how-manieth of its name.
const NUMBERED: [&str; 2] = ["MsgId(", "nth: "];

impl Mark {
    fn end(self) -> u128 {
        self.hasher.finish128().as_u128()
    }
}

impl Write for Mark {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        if !(is_number && NUMBERED.iter().any(|name| self.tail.ends_with(name))) {
            self.hasher.write(text.as_bytes());
        }
        self.tail.push_str(text);
        let spare = self.tail.len().saturating_sub(16);
        if let Some(start) = (spare..self.tail.len()).find(|&at| self.tail.is_char_boundary(at)) {
            self.tail.drain(..start);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mark(text: &[&str]) -> u128 {
        let mut mark = Mark { hasher: SipHasher24::new(), tail: String::new() };
        text.iter().for_each(|text| mark.write_str(text).unwrap());
        mark.end()
    }

    #[test]
    fn a_packets_number_is_left_out_and_no_other() {
        assert_eq!(mark(&["msg: MsgId", "(", "12", ")"]), mark(&["msg: MsgId", "(", "7", ")"]));
        assert_eq!(mark(&["nth", ": ", "12"]), mark(&["nth", ": ", "7"]));
        assert_ne!(mark(&["ConnId", "(", "12", ")"]), mark(&["ConnId", "(", "7", ")"]));
        assert_ne!(mark(&["epoch", ": ", "12"]), mark(&["epoch", ": ", "7"]));
    }

    #[test]
    fn the_orders_of_one_write_are_few_and_all_are_seen() {
        let bounds = Bounds { writes: 1, crashes: 0, restarts: 0, ticks: 0, states: 10_000 };
        let mut all = Exhaust::new(&Setup::default(), bounds);
        while all.step(100) {}
        let proof = all.proof();
        assert!(proof.complete && proof.violated.is_none(), "{proof:?}");
        assert_eq!((proof.states, proof.transitions, proof.depth), (129, 236, 10));
    }
}
