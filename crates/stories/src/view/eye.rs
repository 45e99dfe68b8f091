//! What eyes are led to while a sentence is told: whom it is about, and the motion that shows what it says. Nothing here decides what
//! happens; both are read from what the director tells.

use std::rc::Rc;

use crate::base::{Arrange, ClientId, Node, ServerId, ServerSet, Zxid};
use crate::sim::{Fact, Record, World, WorldFact};
use crate::timeline::Session;
use crate::zab::{self, ServerState};

use super::director::Told;
use super::meter::{Counted, Meter};

/// Whom a sentence is about, and what it needs. All else recedes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Focus {
    /// The servers.
    pub servers: ServerSet,
    /// The clients.
    pub clients: Vec<ClientId>,
    /// The transactions; where there are none, all of them.
    pub zxids: Vec<Zxid>,
}

impl Focus {
    /// Adds what a sentence needs beside what it names: who acted, who made up the majority, the server at the other end of a client's
    /// line. None if it is about nobody, which means about everything.
    pub fn complete(mut self, told: &Told, world: &World) -> Option<Focus> {
        told.records().iter().for_each(|record| self.add(record));
        let lines: ServerSet = self.clients.iter().filter_map(|id| world.clients.get(id)?.client.server).collect();
        self.servers = self.servers.union(lines);
        (!self.servers.is_empty() || !self.clients.is_empty()).then_some(self)
    }

    fn add(&mut self, record: &Record) {
        use zab::Fact as F;
        match &record.fact {
            Fact::Zab { server, fact } => {
                self.servers.insert(*server);
                self.servers = self.servers.union(match fact {
                    F::Committed { acks, .. } | F::AckCounted { acks, .. } | F::NewLeaderAckCounted { acks, .. } => {
                        *acks
                    }
                    F::Established { quorum, .. }
                    | F::EpochProposed { quorum, .. }
                    | F::Synchronizing { quorum, .. } => *quorum,
                    F::Finalizing { votes, .. } => *votes,
                    _ => ServerSet::EMPTY,
                });
            }
            Fact::Server { server, .. } | Fact::Other { server, .. } => {
                self.servers.insert(*server);
            }
            Fact::Client { client, .. } | Fact::Program { client, .. } => self.clients.push(*client),
            Fact::World(WorldFact::LinkCut { from, to } | WorldFact::LinkHealed { from, to }) => {
                self.servers = self.servers.union([from, to].into_iter().filter_map(|node| node.server()).collect());
            }
            Fact::World(_) => {}
        }
    }

    /// Whether it is about a server or client.
    pub fn has(&self, node: Node) -> bool {
        match node {
            Node::Server(id) => self.servers.contains(id),
            Node::Client(id) => self.clients.contains(&id),
        }
    }

    /// Whether it is about a transaction.
    pub fn has_zxid(&self, zxid: Zxid) -> bool {
        self.zxids.is_empty() || self.zxids.contains(&zxid)
    }

    /// Whether it is about a count.
    pub fn has_count(&self, meter: &Meter) -> bool {
        self.servers.contains(meter.leader) && !matches!(meter.counted, Counted::Acks(zxid) if !self.has_zxid(zxid))
    }
}

/// A motion that shows what a sentence says. How far it is, from 0 to 1, is how long the sentence has stood while time ran.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Motion {
    /// Transactions are committed: down their columns, in the order in which these servers acknowledged.
    Committed(Vec<Zxid>, Vec<ServerId>),
    /// A server is elected; the crown of the one that led before breaks.
    Elected(ServerId, Option<ServerId>),
    /// Its crown is whole.
    Established(ServerId),
    /// Its crown breaks.
    Deposed(ServerId),
    /// Links are cut.
    Torn(Vec<(ServerId, ServerId)>),
    /// Transactions are cut from a log.
    Forgotten(ServerId, Vec<Zxid>),
}

/// The stills of a log that is cut, where motion is to be calm, and how long each stands, ms.
const STILLS: [f64; 3] = [0.0, 0.45, 1.0];
const STILL_MS: u64 = 900;
/// So far back the acknowledgements of a commit are looked for, in facts.
const LOOKED_BACK: usize = 3_000;

impl Motion {
    /// The motion of what is told, if it has one.
    pub fn of(told: &Told, session: &Session) -> Option<Motion> {
        let records = told.records();
        let first = &records.first()?.fact;
        Some(match first {
            Fact::Zab { fact: zab::Fact::Committed { acks, .. }, .. } => {
                let zxid = |record: &Rc<Record>| match &record.fact {
                    Fact::Zab { fact: zab::Fact::Committed { zxid, .. }, .. } => Some(*zxid),
                    _ => None,
                };
                let zxids: Vec<Zxid> = records.iter().filter_map(zxid).collect();
                Motion::Committed(zxids.clone(), order(session, *zxids.first()?, *acks))
            }
            Fact::Zab { server, fact: zab::Fact::Elected { role: ServerState::Leading, .. } } => {
                let before = session.run_summary().reigns().next_back().map(|reign| reign.leader);
                Motion::Elected(*server, before.filter(|leader| leader != server))
            }
            Fact::Zab { server, fact: zab::Fact::Established { .. } } => Motion::Established(*server),
            Fact::Zab { server, fact: zab::Fact::Left { role: ServerState::Leading, .. } } => {
                Motion::Deposed(*server)
            }
            Fact::World(WorldFact::LinkCut { .. }) => {
                let mut torn: Vec<(ServerId, ServerId)> = records.iter().filter_map(|record| ends(record)).collect();
                torn.arrange();
                torn.dedup();
                Motion::Torn(torn)
            }
            Fact::World(WorldFact::LogTruncated { server, removed, .. }) if !removed.is_empty() => {
                Motion::Forgotten(*server, removed.clone())
            }
            _ => return None,
        })
    }

    /// How long it takes, ms.
    fn length_ms(&self) -> u64 {
        match self {
            Motion::Committed(..) => 420,
            Motion::Elected(..) | Motion::Established(_) | Motion::Deposed(_) => 600,
            Motion::Torn(_) => 260,
            Motion::Forgotten(..) => 1_100,
        }
    }

    /// How far it is when its sentence has stood so long, ms; in stills, where motion is to be calm.
    pub fn at(&self, stood_ms: u64, calm: bool) -> f64 {
        match self {
            Motion::Forgotten(..) if calm => STILLS[((stood_ms / STILL_MS) as usize).min(STILLS.len() - 1)],
            _ if calm => 1.0,
            _ => (stood_ms as f64 / self.length_ms() as f64).min(1.0),
        }
    }

    /// Whether it moves a link between two servers.
    pub fn tears(&self, a: ServerId, b: ServerId) -> bool {
        matches!(self, Motion::Torn(links) if links.contains(&(a.min(b), a.max(b))))
    }

    /// Whether it moves a server's crown.
    pub fn crowns(&self, server: ServerId) -> bool {
        match self {
            Motion::Elected(new, before) => *new == server || *before == Some(server),
            Motion::Established(whose) | Motion::Deposed(whose) => *whose == server,
            _ => false,
        }
    }

    /// Whether it moves what a server has of a transaction.
    pub fn moves(&self, server: ServerId, zxid: Zxid) -> bool {
        match self {
            Motion::Committed(zxids, order) => zxids.contains(&zxid) && order.contains(&server),
            Motion::Forgotten(whose, zxids) => *whose == server && zxids.contains(&zxid),
            _ => false,
        }
    }
}

/// Both ends of a link that is cut, the lower one first.
fn ends(record: &Record) -> Option<(ServerId, ServerId)> {
    let Fact::World(WorldFact::LinkCut { from, to }) = &record.fact else { return None };
    let (a, b) = (from.server()?, to.server()?);
    Some((a.min(b), a.max(b)))
}

/// In which order a transaction was acknowledged.
fn order(session: &Session, zxid: Zxid, acks: ServerSet) -> Vec<ServerId> {
    let counted = |record: &Record| match &record.fact {
        Fact::Zab { fact: zab::Fact::AckCounted { zxid: of, from, .. }, .. } if *of == zxid => Some(*from),
        _ => None,
    };
    let mut order: Vec<ServerId> = session.facts().all().rev().take(LOOKED_BACK).filter_map(counted).collect();
    order.reverse();
    order.extend(acks.iter().filter(|id| !order.contains(id)).collect::<Vec<_>>());
    order
}

/// What the painter needs to know of all this.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Eye {
    /// Whom the sentence is about; none while all is in full ink.
    pub focus: Option<Rc<Focus>>,
    /// What moves, and how far it is.
    pub motion: Option<(Rc<Motion>, f64)>,
    /// The ends of the link or line that a pointer or the keyboard is on.
    pub pointed: Option<(Node, Node)>,
}

impl Eye {
    /// Whether something recedes that both of these are needed for.
    pub fn passes(&self, a: Node, b: Node) -> bool {
        self.focus.as_ref().is_some_and(|focus| !focus.has(a) || !focus.has(b))
    }

    /// The motion that is under way.
    pub fn moving(&self) -> Option<(&Motion, f64)> {
        self.motion.as_ref().filter(|(_, h)| *h < 1.0).map(|(motion, h)| (&**motion, *h))
    }

    /// The same without what changes from frame to frame.
    pub fn at_a_glance(&self) -> Eye {
        let motion = self.motion.as_ref().filter(|(_, h)| *h < 1.0).map(|(motion, _)| (motion.clone(), 0.0));
        Eye { focus: self.focus.clone(), motion, pointed: None }
    }
}
