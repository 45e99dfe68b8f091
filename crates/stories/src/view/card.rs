//! What a server's card says.

use std::collections::BTreeSet;

use crate::base::{Epoch, ServerId, ServerSet, Zxid};
use crate::daemon::{Badge, LogEntry, Tone};
use crate::sim::{Death, DiskFault, Known, Process, Status, World};
use crate::store::Tree;
use crate::zab::{Peer, Phase, Quorums, Role, SyncKind};

use crate::timeline::RunSummary;

/// A server's role in one word; each has its own shape on the stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Face {
    /// Not started yet.
    Off,
    /// Its process died.
    Crashed,
    /// It looks for a leader.
    Looking,
    /// It leads, or is about to.
    Leading,
    /// It follows.
    Following,
    /// It follows without a vote.
    Observing,
    /// It serves alone.
    Standalone,
    /// It leaves its role.
    Leaving,
    /// A machine of another kind runs.
    Other(&'static str),
}

impl Face {
    /// The role in its real name.
    pub fn word(self) -> &'static str {
        match self {
            Face::Off => "OFF",
            Face::Crashed => "CRASHED",
            Face::Looking | Face::Leaving => "LOOKING",
            Face::Leading => "LEADING",
            Face::Following => "FOLLOWING",
            Face::Observing => "OBSERVING",
            Face::Standalone => "STANDALONE",
            Face::Other(kind) => kind,
        }
    }

    /// The name of the style class.
    pub fn class(self) -> &'static str {
        match self {
            Face::Off => "off",
            Face::Crashed => "crashed",
            Face::Looking | Face::Leaving => "looking",
            Face::Leading => "leading",
            Face::Following => "following",
            Face::Observing => "observing",
            Face::Standalone => "standalone",
            Face::Other(_) => "other",
        }
    }
}

/// What a leader's crown is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Crown {
    /// It is elected, and no quorum has its history yet.
    Promised,
    /// It is established.
    Whole,
    /// A later epoch has begun without it, and it does not know.
    Broken,
}

/// One transaction in a strip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Square {
    /// The zxid of the transaction.
    pub zxid: Zxid,
    /// It would survive a crash of this server.
    pub durable: bool,
    /// What this server knows of its fate.
    pub known: Known,
    /// It is gone; shown for a moment more.
    pub lost: bool,
}

impl Square {
    /// One of each look, as the legend has them.
    pub fn signs() -> [Square; 6] {
        let of = |durable, known, lost| Square { zxid: Zxid::new(1, 1), durable, known, lost };
        [
            of(false, Known::Not, false),
            of(true, Known::Not, false),
            of(true, Known::Committed, false),
            of(true, Known::Open, false),
            of(true, Known::Before, false),
            of(true, Known::Not, true),
        ]
    }

    /// Its look in one word, as the legend has it.
    pub fn sign(&self) -> &'static str {
        match self {
            Square { lost: true, .. } => "lost",
            Square { known: Known::Before, .. } => "knew",
            Square { durable: false, .. } => "queued",
            Square { known: Known::Committed, .. } => "applied",
            Square { known: Known::Open, .. } => "open",
            Square { known: Known::Not, .. } => "logged",
        }
    }
}

/// What a server that looks has heard so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tally {
    /// Whom it votes for.
    pub leader: ServerId,
    /// Who votes alike, as far as it has heard.
    pub votes: ServerSet,
    /// How many make a majority.
    pub need: usize,
    /// How many vote at all.
    pub of: usize,
}

/// A server's card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Card {
    /// The server's id.
    pub id: ServerId,
    /// Its role.
    pub face: Face,
    /// What its process does.
    pub status: Status,
    /// Where its process is down, how it died; none where it ended itself.
    pub death: Option<Death>,
    /// What is wrong with its disk.
    pub disk: DiskFault,
    /// Whether it has no vote.
    pub observer: bool,
    /// Whether it serves alone when it runs: then it has no epochs.
    pub alone: bool,
    /// What its oracle says, where it has one: whether it may go on alone.
    pub oracle: Option<bool>,
    /// The number of its group and what its vote weighs there, where voters are in groups.
    pub group: Option<(usize, u8)>,
    /// Whether its vote counts: the configuration in force names it, or one that another server knows.
    pub votes: bool,
    /// The configurations that it knows; none while its process is down.
    pub quorums: Option<Quorums>,
    /// As a leader: a quorum has its history.
    pub established: bool,
    /// As a leader: a later epoch or term has begun without it, and it does not know.
    pub overtaken: bool,
    /// As a leader: its counter is used up at this number, where that can be seen to come.
    pub counter_ends: Option<u32>,
    /// The protocol's phase; none while its process is down.
    pub phase: Option<Phase>,
    /// How it is being brought up to date.
    pub sync: Option<SyncKind>,
    /// The latest epoch promised.
    pub accepted: Epoch,
    /// The epoch of the history that it has.
    pub current: Epoch,
    /// The end of its log.
    pub last: Zxid,
    /// Its last transactions, oldest first.
    pub strip: Vec<Square>,
    /// Its vote, while it looks.
    pub tally: Option<Tally>,
    /// What a machine of another kind says of itself.
    pub badge: Badge,
}

/// A counter that ends at most here is watched as it fills.
const SEEN_TO_END: u32 = 999;

impl Card {
    /// The card of a server as it is now.
    pub fn of(world: &World, process: &Process, run_summary: &RunSummary) -> Card {
        let peer = process.server().map(|memory| &memory.peer);
        let on_disk = process.files().map_or((0, 0), |files| (files.accepted_epoch, files.current_epoch));
        let (accepted, current) = peer.map_or(on_disk, |p| (p.storage.accepted_epoch, p.storage.current_epoch));
        let mut badge = process.badge(world.now);
        let (strip, last) = match badge.log.is_empty() {
            true => strip(process, run_summary, world),
            false => entries(process.id, &badge.log, run_summary, world),
        };
        let deposed = is_deposed(process.id, &badge, world);
        for line in badge.lines.iter_mut().filter(|line| deposed && matches!(line.tone, Tone::Term(_))) {
            line.tone = Tone::Bad;
        }
        Card {
            id: process.id,
            face: face(process),
            status: process.status,
            death: process.death,
            disk: process.disk.fault,
            alone: process.is_alone(),
            observer: world.members.observers.contains(process.id),
            oracle: process.files().and_then(|files| files.oracle),
            group: group(world, process.id),
            votes: votes(world, process.id),
            quorums: peer.map(|peer| peer.members),
            established: peer.is_some_and(Peer::is_established_leader),
            counter_ends: Some(world.setup().counter_limit).filter(|limit| {
                *limit <= SEEN_TO_END && peer.is_some_and(|peer| matches!(peer.role, Role::Leading(_)))
            }),
            overtaken: deposed || peer.is_some_and(|peer| is_overtaken(peer, run_summary)),
            phase: peer.map(Peer::phase),
            sync: peer.and_then(sync),
            accepted,
            current,
            last,
            strip,
            tally: peer.and_then(tally),
            badge,
        }
    }

    /// Whether it is a machine of another system, up or down: it has no epochs, no log, no role in an ensemble.
    pub fn is_of_other_system(&self) -> bool {
        !self.id.is_valid()
    }

    /// The role whose sign it has: of a machine of another system the one that its own word means.
    pub fn sign(&self) -> Face {
        match (self.face, self.badge.role) {
            (Face::Other(_), "FOLLOWER" | "REPLICA") => Face::Following,
            (Face::Other(_), "CANDIDATE" | "PRE-CANDIDATE") => Face::Looking,
            (face, _) => face,
        }
    }

    /// What its crown is worth, if it has one.
    pub fn crown(&self) -> Option<Crown> {
        let other = matches!(self.face, Face::Other(_)) && self.badge.crowned;
        (other || self.face == Face::Leading).then_some(match (self.overtaken, other || self.established) {
            (true, _) => Crown::Broken,
            (false, true) => Crown::Whole,
            (false, false) => Crown::Promised,
        })
    }

    /// Whether it follows like a voter, and no quorum counts it: it has joined, and no reconfiguration has let it in yet, or one has
    /// removed it.
    pub fn is_outside(&self) -> bool {
        self.face == Face::Following && !self.votes
    }

    /// Whether it works and no quorum counts it: as an observer, or from outside.
    pub fn has_no_say(&self) -> bool {
        let observes = self.face == Face::Observing && self.phase == Some(Phase::Broadcast);
        observes || self.is_outside()
    }

    /// The phase in its real name, with the kind of synchronisation where there is one.
    pub fn phase_words(&self) -> String {
        match (self.phase, self.sync) {
            (Some(Phase::Synchronization), Some(sync)) => format!("SYNC · {}", sync.word()),
            (Some(Phase::Synchronization), None) => "SYNC".into(),
            (Some(Phase::Election), _) => "ELECTION".into(),
            (Some(Phase::Discovery), _) => "DISCOVERY".into(),
            (Some(Phase::Broadcast), _) => "BROADCAST".into(),
            (Some(Phase::Standalone), _) | (None, _) => String::new(),
        }
    }
}

/// The latest configuration that any of these servers knows.
pub(super) fn latest_quorums<'a>(cards: impl IntoIterator<Item = &'a Card>) -> Option<Quorums> {
    cards.into_iter().filter_map(|card| card.quorums).max_by_key(|quorums| quorums.last_seen().version)
}

fn face(process: &Process) -> Face {
    let Some(memory) = process.server() else {
        return match process.status {
            Status::Crashed if process.incarnation == 0 => Face::Off,
            Status::Crashed => Face::Crashed,
            Status::Running | Status::Paused => Face::Other(process.machine.host().kind()),
        };
    };
    match &memory.peer.role {
        Role::Looking => Face::Looking,
        Role::Leading(_) => Face::Leading,
        Role::Learning(learner) if learner.observer => Face::Observing,
        Role::Learning(_) => Face::Following,
        Role::Alone(_) => Face::Standalone,
        Role::Leaving { .. } => Face::Leaving,
        Role::Stopped => Face::Off,
    }
}

/// What a server's own file says of itself decides nothing: another server must know it, with the latest configuration.
fn votes(world: &World, id: ServerId) -> bool {
    let known = || world.processes.values().filter_map(|it| Some((it.id, it.server()?.peer.members)));
    let latest = known().map(|(_, quorums)| quorums.last_seen().version).max();
    let named = |(by, quorums): (ServerId, Quorums)| {
        by != id && Some(quorums.last_seen().version) == latest && quorums.votes(id)
    };
    world.members.votes(id) || known().any(named)
}

fn group(world: &World, id: ServerId) -> Option<(usize, u8)> {
    let setup = world.setup();
    let place = setup.groups.iter().position(|group| group.contains(id))?;
    let weight = usize::from(id.0).checked_sub(1).and_then(|nth| setup.weights.get(nth));
    Some((place + 1, weight.copied().unwrap_or(1)))
}

fn is_overtaken(peer: &Peer, run_summary: &RunSummary) -> bool {
    matches!(peer.role, Role::Leading(_))
        && run_summary.reigns().next_back().is_some_and(|reign| reign.epoch > peer.storage.accepted_epoch)
}

/// Whether a machine of another system leads a reign that is over: another one knows the leader of a later one.
fn is_deposed(id: ServerId, badge: &Badge, world: &World) -> bool {
    let Some((own, _)) = badge.reign.filter(|_| badge.crowned) else { return false };
    let others = world.processes.values().filter(|other| other.id != id && other.id.letters() == id.letters());
    others.filter_map(|other| other.badge(world.now).reign).any(|(term, _)| term > own)
}

/// The entries of a log of terms, as transactions: a term is to it what an epoch is to a zxid. The end of the log.
fn entries(id: ServerId, log: &[LogEntry], run_summary: &RunSummary, world: &World) -> (Vec<Square>, Zxid) {
    let zxid = |entry: &LogEntry| Zxid::new(entry.term as u32, entry.index as u32);
    let square = |entry: &LogEntry| Square {
        zxid: zxid(entry),
        durable: entry.durable,
        known: if entry.committed { Known::Committed } else { Known::Not },
        lost: false,
    };
    let mut strip: Vec<Square> = log.iter().map(square).collect();
    for zxid in run_summary.lost(id, world.now) {
        if strip.iter().all(|square| square.zxid != zxid) {
            strip.push(Square { zxid, durable: true, known: Known::Not, lost: true });
        }
    }
    (strip, log.last().map_or(Zxid::ZERO, zxid))
}

fn sync(peer: &Peer) -> Option<SyncKind> {
    match &peer.role {
        Role::Learning(learner) => learner.sync,
        _ => None,
    }
}

fn tally(peer: &Peer) -> Option<Tally> {
    if !matches!(peer.role, Role::Looking) || !peer.members.votes(peer.id) {
        return None;
    }
    let mine = peer.election.proposal;
    let mut votes: ServerSet = peer.election.ballots().filter(|(_, vote)| **vote == mine).map(|(id, _)| id).collect();
    votes.insert(peer.id);
    let of = peer.members.voters().len();
    Some(Tally { leader: mine.leader, votes, need: peer.members.need(), of })
}

/// How many transactions a strip holds at most; a small card shows fewer.
const STRIP: usize = 16;

/// The last transactions of a server: what memory has, what is in the log behind it, what was just lost.
fn strip(process: &Process, run_summary: &RunSummary, world: &World) -> (Vec<Square>, Zxid) {
    let Some(disk) = process.files() else { return Default::default() };
    let imaged = disk.newest().map(|snapshot| &snapshot.state);
    let imaged_last = imaged.map_or(Zxid::ZERO, |tree| tree.last);
    let on_disk = |zxid: Zxid| zxid <= disk.log.last().map_or(disk.log_start, |p| p.zxid) || zxid <= imaged_last;
    let mut zxids: BTreeSet<Zxid> = BTreeSet::new();
    match process.server() {
        Some(memory) => {
            zxids.extend(memory.tree.recent());
            let log = &memory.peer.storage.log;
            zxids.extend(log.iter().skip(log.len().saturating_sub(STRIP)).map(|proposal| proposal.zxid));
        }
        None => {
            zxids.extend(imaged.into_iter().flat_map(Tree::recent));
            zxids.extend(disk.log.from(disk.log.len().saturating_sub(STRIP)).map(|proposal| proposal.zxid));
        }
    }
    let last = zxids.last().copied().unwrap_or_default();
    let square = |&zxid: &Zxid| Square {
        zxid,
        durable: on_disk(zxid),
        known: run_summary.known(process.id, zxid),
        lost: false,
    };
    let mut squares: Vec<Square> = zxids.iter().map(square).collect();
    for zxid in run_summary.lost(process.id, world.now) {
        if !zxids.contains(&zxid) {
            squares.push(Square { zxid, durable: true, known: Known::Not, lost: true });
        }
    }
    let first = squares.len().saturating_sub(STRIP);
    (squares.split_off(first), last)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::SimTime;
    use crate::scenarios::scenario;
    use crate::timeline::Session;

    /// What the crowns of a scenario are worth, from moment to moment.
    fn crowns(id: &str, until_ms: u64) -> Vec<(ServerId, Crown)> {
        let mut session = Session::new(scenario(id).unwrap().run(), scenario(id)).unwrap();
        let mut seen = Vec::new();
        for ms in (0..until_ms).step_by(10) {
            session.seek(SimTime::from_ms(ms)).unwrap();
            let world = session.world();
            let cards = world.processes.values().map(|process| Card::of(world, process, session.run_summary()));
            for (id, crown) in cards.filter_map(|card| Some((card.id, card.crown()?))) {
                if !seen.contains(&(id, crown)) {
                    seen.push((id, crown));
                }
            }
        }
        seen
    }

    #[test]
    fn a_crown_is_promised_then_whole_and_broken_when_a_later_epoch_has_begun_elsewhere() {
        let seen = crowns("old-leader-returns", 6_000);
        let first = seen[0].0;
        assert_eq!(seen[..2], [(first, Crown::Promised), (first, Crown::Whole)], "{seen:?}");
        assert!(seen.contains(&(first, Crown::Broken)), "{seen:?}");
        assert!(seen.iter().any(|(id, crown)| *id != first && *crown == Crown::Whole), "{seen:?}");
        assert!(!crowns("leader-crash-under-load", 4_000).iter().any(|(_, crown)| *crown == Crown::Broken));
    }

    #[test]
    fn the_crown_of_a_leader_whose_term_is_over_is_broken_as_that_of_an_old_epoch() {
        let seen = crowns("generation-old-leader", 4_000);
        let (first, crown) = seen[0];
        assert_eq!((crown, seen.len()), (Crown::Whole, 3), "{seen:?}");
        assert!(seen.contains(&(first, Crown::Broken)), "{seen:?}");
        assert!(seen.iter().any(|(id, crown)| *id != first && *crown == Crown::Whole), "{seen:?}");
    }

    #[test]
    fn a_full_disk_is_on_the_card_until_it_is_free_again() {
        let mut session = Session::new(scenario("disk-full").unwrap().run(), None).unwrap();
        let mut seen = Vec::new();
        for ms in [1_900, 2_100, 6_100] {
            session.seek(SimTime::from_ms(ms)).unwrap();
            let world = session.world();
            let faults = world.processes.values().map(|it| Card::of(world, it, session.run_summary()).disk);
            seen.push(faults.filter(|fault| *fault == DiskFault::Full).count());
        }
        assert_eq!(seen, [0, 1, 0]);
    }

    #[test]
    fn a_counter_that_ends_is_told_by_who_leads() {
        let mut session = Session::new(scenario("counter-rollover").unwrap().run(), None).unwrap();
        session.seek(SimTime::from_ms(2_000)).unwrap();
        let world = session.world();
        let cards = world.processes.values().map(|process| Card::of(world, process, session.run_summary()));
        let ends: Vec<(Face, Option<u32>)> = cards.map(|card| (card.face, card.counter_ends)).collect();
        for (face, end) in &ends {
            assert_eq!(end.is_some(), *face == Face::Leading, "{ends:?}");
        }
        assert!(ends.iter().any(|(_, end)| *end == Some(world.setup().counter_limit)), "{ends:?}");
    }
}
