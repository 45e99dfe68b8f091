//! The facts of a run, kept so that questions to them are cheap: as text, by kind.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::base::{Micros, SimTime};
use crate::check::Checker;
use crate::scenarios::pattern::Pattern;
use crate::sim::{Interest, Player, Record, Setup, interest};

/// What has happened in a run so far.
#[derive(Clone, Debug)]
pub struct Played {
    facts: Vec<Kept>,
    /// Places among the facts, by their kind.
    kinds: BTreeMap<Box<str>, Vec<usize>>,
    checker: Checker,
    events: u64,
    now: SimTime,
    done: usize,
}

/// A fact.
#[derive(Clone, Debug)]
struct Kept {
    /// As `--facts` prints it.
    json: Box<str>,
    at: SimTime,
    /// The number of the step in which it happened, from 1.
    events: u64,
    /// Whether it is more than a heartbeat.
    loud: bool,
    /// How many of the run's actions had been done before that step, and with it.
    done: (usize, usize),
}

/// Where a moment lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Moment {
    /// How many facts have happened.
    pub facts: usize,
    /// How many steps have been taken.
    pub events: u64,
    /// The time.
    pub at: SimTime,
    /// How many of the run's actions have been done.
    pub done: usize,
    /// The fact that it is, if it is one.
    pub fact: Option<usize>,
}

/// Nothing but heartbeats for so long is quiet, µs.
const QUIET_US: Micros = 300_000;

impl Played {
    /// Of a run of this setup nothing is known yet.
    pub fn new(setup: &Setup) -> Played {
        Played {
            facts: Vec::new(),
            kinds: BTreeMap::new(),
            checker: Checker::new(setup),
            events: 0,
            now: SimTime::ZERO,
            done: 0,
        }
    }

    /// Takes the player's next step and reads what happens in it; whether there was one.
    pub fn step(&mut self, player: &mut Player) -> bool {
        let before = player.world().done();
        let Some(records) = player.step() else { return false };
        let records: Vec<Rc<Record>> = records.to_vec();
        let world = player.world();
        (self.events, self.now, self.done) = (world.events, world.now, world.done());
        for record in &records {
            self.read(record, before);
        }
        true
    }

    fn read(&mut self, record: &Record, before: usize) {
        self.checker.read(record);
        let json = serde_json::to_string(record).unwrap_or_default().into_boxed_str();
        let place = self.facts.len();
        match self.kinds.get_mut(kind_of(&json)) {
            Some(places) => places.push(place),
            None => drop(self.kinds.insert(kind_of(&json).into(), vec![place])),
        }
        let loud = interest(record) > Interest::Noise;
        self.facts.push(Kept { json, at: record.at_us, events: self.events, loud, done: (before, self.done) });
    }

    /// Steps taken.
    pub fn events(&self) -> u64 {
        self.events
    }

    /// The time of the last step.
    pub fn now(&self) -> SimTime {
        self.now
    }

    /// The fact with this number, as `--facts` prints it.
    pub fn fact(&self, seq: usize) -> Option<&str> {
        self.facts.get(seq).map(|kept| &*kept.json)
    }

    pub(super) fn checker(&self) -> &Checker {
        &self.checker
    }

    /// All that is known of it.
    pub(super) fn end(&self) -> Moment {
        Moment { facts: self.facts.len(), events: self.events, at: self.now, done: self.done, fact: None }
    }

    /// The facts of this pattern, oldest first.
    pub(super) fn fitting<'a>(&'a self, pattern: &'a str) -> impl DoubleEndedIterator<Item = usize> + 'a {
        let kind = pattern.split(' ').next().unwrap_or_default();
        let bare = kind.len() == pattern.len();
        let of_kind = self.kinds.get(kind).map_or(&[][..], Vec::as_slice);
        of_kind.iter().copied().filter(move |&place| bare || Pattern(pattern).is_in(&self.facts[place].json))
    }

    /// How many facts happened before the run's action with this index was done.
    pub(super) fn before_action(&self, index: usize) -> usize {
        self.facts.partition_point(|kept| kept.done.1 <= index)
    }

    /// Whether a fact is more than a heartbeat.
    pub(super) fn is_loud(&self, place: usize) -> bool {
        self.facts[place].loud
    }

    /// The moment at which a fact has just happened.
    pub(super) fn at_fact(&self, place: usize) -> Moment {
        let Kept { at, events, done, .. } = self.facts[place];
        Moment { facts: place + 1, events, at, done: done.1, fact: Some(place) }
    }

    /// The moment before the step in which a fact happens.
    pub(super) fn before(&self, place: usize) -> Moment {
        let Kept { at, events, done, .. } = self.facts[place];
        let facts = self.facts.partition_point(|kept| kept.events < events);
        Moment { facts, events: events.saturating_sub(1), at, done: done.0, fact: None }
    }

    /// The moment at which everything up to a time has happened.
    pub(super) fn at_time(&self, at: SimTime) -> Moment {
        let facts = self.facts.partition_point(|kept| kept.at <= at);
        let (events, done) =
            facts.checked_sub(1).map_or((0, 0), |last| (self.facts[last].events, self.facts[last].done.1));
        Moment { facts, events, at, done, fact: None }
    }

    /// When it has been quiet for long enough after a moment, whether or not the run is known so far.
    pub(super) fn quiet_after(&self, from: Moment) -> SimTime {
        let mut last = from.at;
        for kept in self.facts[from.facts..].iter().filter(|kept| kept.loud) {
            if kept.at.since(last) >= QUIET_US {
                break;
            }
            last = kept.at;
        }
        last.plus(QUIET_US)
    }
}

fn kind_of(json: &str) -> &str {
    let rest = json.split_once("\"kind\":\"").map_or("", |(_, rest)| rest);
    rest.split('"').next().unwrap_or_default()
}
