//! A replica: keeps for each key the value with the greatest timestamp, on disk. A spare also keeps what is meant for others, and hands it
//! over when they are back.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::base::rows::Rows;
use crate::base::{ConnId, Micros, Prng, ServerId, SortedMap};
use crate::daemon::{Badge, BadgeLine, Cx, Daemon, Env, Told, Tone};

use super::fact::Fact;
use super::links::{Links, REDIAL};
use super::message::{Held, Message};

/// How often a spare tries to hand over what it keeps for others, µs.
const HAND_OVER: Micros = 500_000;

/// All nodes.
#[derive(Clone, Debug)]
pub struct ReplicaConfig {
    /// Replicas first, then spares.
    pub nodes: Vec<ServerId>,
}

/// Where something is kept: for whom, where that is somebody else, and under which key.
type Place = (Option<ServerId>, Rc<str>);

/// A replica's disk.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Files {
    kept: BTreeMap<Place, Held>,
}

impl Files {
    fn at(&self, place: &Place) -> Held {
        self.kept.get(place).cloned().unwrap_or_default()
    }
}

/// What is done to the disk.
#[derive(Clone, Debug, PartialEq)]
pub enum Job {
    /// Keep this, unless there is something newer; then acknowledge it.
    Keep {
        /// Who waits for the acknowledgement, and its number.
        ack: (ConnId, u64),
        /// Where.
        place: Place,
        /// What.
        held: Held,
    },
    /// It is handed over: forget it, unless there is something newer.
    Forget {
        /// Where.
        place: Place,
        /// What was handed over.
        held: Held,
    },
}

/// A replica's timers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timer {
    /// Time to hand over.
    HandOver,
}

/// A replica.
#[derive(Clone, Debug)]
pub struct Replica {
    links: Links,
    /// What is on its way to its owner, by number.
    handing: SortedMap<u64, (Place, Held)>,
    numbers: u64,
}

impl Daemon for Replica {
    const KIND: &'static str = "Replica";
    type Config = ReplicaConfig;
    type Message = Message;
    type Timer = Timer;
    type Job = Job;
    type Files = Files;
    type Fact = Fact;

    fn start(_: Prng, cx: &mut Cx<Self>) -> Replica {
        cx.listen(true);
        let mut replica = Replica { links: Links::default(), handing: SortedMap::new(), numbers: 0 };
        replica.hand_over(cx);
        replica
    }

    fn handle(&mut self, told: Told<Self>, cx: &mut Cx<Self>) {
        match told {
            Told::Message(conn, message) => self.message(conn, message, cx),
            Told::Persisted(Job::Keep { ack: (conn, number), place, .. }) => {
                cx.send(conn, Message::Stored { number });
                if place.0.is_some() {
                    cx.set_timer(Timer::HandOver, cx.env.now.plus(HAND_OVER));
                }
            }
            Told::Persisted(Job::Forget { .. }) => {}
            Told::Timer(Timer::HandOver) => self.hand_over(cx),
            Told::Connected(conn) => {
                self.links.connected(conn);
                self.hand_over(cx);
            }
            Told::Refused(conn) | Told::Closed(conn) => self.links.closed(conn),
            Told::Accepted(..) => {}
            Told::Write(_, line) => cx.fact(Fact::NotTaken { line, full: false }),
        }
    }

    fn write(files: &mut Files, job: &Job) -> Option<Fact> {
        match job {
            Job::Keep { place, held, .. } => {
                let before = files.at(place);
                if before.stamp >= held.stamp {
                    return None;
                }
                files.kept.insert(place.clone(), held.clone());
                let (owner, key) = place.clone();
                Some(Fact::Kept { key, held: held.clone(), before, owner })
            }
            Job::Forget { place, held } => {
                if files.at(place).stamp > held.stamp {
                    return None;
                }
                let held = files.kept.remove(place)?;
                let (owner, key) = place.clone();
                owner.map(|owner| Fact::HandedOver { key, held, owner })
            }
        }
    }

    fn badge(_: Option<&Replica>, files: &Files, _: &Env) -> Badge {
        let line = |((owner, key), held): (&Place, &Held)| BadgeLine {
            label: owner.map_or(key.to_string(), |owner| format!("{key} → {owner}")),
            value: held.to_string(),
            tone: if owner.is_some() { Tone::Waiting } else { Tone::Held },
            left: None,
        };
        Badge { lines: files.kept.iter().map(line).collect(), ..Badge::default() }
    }

    fn rows(&self, rows: &mut Rows) {
        rows.put("handingOver", &self.handing.len());
    }

    fn file_rows(files: &Files, rows: &mut Rows) {
        rows.list("kept", |rows| {
            for ((owner, key), held) in &files.kept {
                let name = owner.map_or(key.to_string(), |owner| format!("{key} ({owner})"));
                rows.item(&name, &name, held.to_string(), None);
            }
        });
    }
}

impl Replica {
    fn message(&mut self, conn: ConnId, message: Message, cx: &mut Cx<Self>) {
        match message {
            Message::Query { number, key, owner } => {
                let held = cx.files.at(&(owner.filter(|owner| *owner != cx.env.me), key));
                cx.send(conn, Message::Holds { number, held });
            }
            Message::Store { number, key, held, owner } => {
                let place = (owner.filter(|owner| *owner != cx.env.me), key);
                let has = cx.files.at(&place);
                if has.stamp >= held.stamp {
                    if has.stamp > held.stamp {
                        cx.fact(Fact::Older { key: place.1, held: has, sent: held.stamp });
                    }
                    return cx.send(conn, Message::Stored { number });
                }
                cx.persist(Job::Keep { ack: (conn, number), place, held });
            }
            Message::Stored { number } => {
                if let Some((place, held)) = self.handing.remove(&number) {
                    cx.persist(Job::Forget { place, held });
                }
            }
            Message::Holds { .. } => {}
        }
    }

    /// Sends owners what is kept for them, where they can be reached; tries again as long as there is something.
    fn hand_over(&mut self, cx: &mut Cx<Self>) {
        let hints: Vec<(Place, Held)> =
            cx.files.kept.iter().map(|(place, held)| (place.clone(), held.clone())).collect();
        let hints: Vec<_> = hints.into_iter().filter(|((owner, _), _)| owner.is_some()).collect();
        if hints.is_empty() {
            return;
        }
        cx.set_timer(Timer::HandOver, cx.env.now.plus(HAND_OVER.max(REDIAL)));
        let owners: Vec<ServerId> = hints.iter().filter_map(|((owner, _), _)| *owner).collect();
        let nodes = cx.config.nodes.clone();
        self.links.dial(nodes.into_iter().filter(|node| owners.contains(node)), cx);
        for (place, held) in hints {
            let Some(conn) = place.0.and_then(|owner| self.links.to(owner)) else { continue };
            self.numbers += 1;
            self.handing.retain(|_, (other, _)| *other != place);
            let message =
                Message::Store { number: self.numbers, key: place.1.clone(), held: held.clone(), owner: None };
            self.handing.insert(self.numbers, (place, held));
            cx.send(conn, message);
        }
    }
}
