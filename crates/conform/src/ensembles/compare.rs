//! What a run says of elections and synchronisations, beside what the recording says of them.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::base::{ServerId, ServerSet, Zxid};
use crate::sim::{Fact, Record, WorldFact};
use crate::zab::{self, Note};

use super::play::Play;
use super::recording::{Digest, FirstVote, NewEpoch, Recording};

/// A leader that got its majority, as the run's facts tell of it.
#[derive(Debug)]
struct Reign {
    leader: ServerId,
    epoch_zxid: Zxid,
    quorum: ServerSet,
    first_votes: BTreeMap<ServerId, FirstVote>,
    /// By which rules supporters changed their vote to this leader.
    changes: Vec<&'static str>,
}

/// How a leader brought a learner up to date.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Chosen {
    kind: String,
    learner_zxid: Zxid,
    window: (Zxid, Zxid),
    last_processed: Zxid,
    to: Zxid,
}

type Syncs = BTreeMap<(ServerId, ServerId), Vec<Chosen>>;

/// What differs from the recorded plays in short. It is a matter of milliseconds which of the servers started together get an
/// empty DIFF and which a SNAP, and what follows may depend on it (a server with a SNAP stands at 1:0); so the run must be
/// like a play in which that came out the same. In versions in which a race between two threads lets rounds fail, it is as much a matter
/// of chance which do: there the same rounds must have failed. Nothing is said where it never came out like that.
pub fn against_all_plays(recording: &Recording, play: &Play) -> Vec<String> {
    let first = recording.started_together();
    let ours = digest(recording, play);
    let plays: Vec<Digest> = recording.plays.iter().map(|play| comparable(recording, play.clone())).collect();
    let starts_alike = |theirs: &Digest| theirs.syncs.iter().take(first).eq(ours.syncs.iter().take(first));
    let fails_alike = |theirs: &Digest| !recording.rounds_may_fail() || theirs.skipped() == ours.skipped();
    let alike: Vec<&Digest> = plays.iter().filter(|theirs| starts_alike(theirs) && fails_alike(theirs)).collect();
    match alike.is_empty() || alike.contains(&&ours) {
        true => Vec::new(),
        false => vec![format!("{ours:?}, recorded are {alike:?}")],
    }
}

fn digest(recording: &Recording, play: &Play) -> Digest {
    let reigns = reigns(&play.seen.records);
    let line = |(leader, learner): (ServerId, ServerId), chosen: Chosen| {
        format!("{}->{} {}", leader.0, learner.0, chosen.kind)
    };
    let digest = Digest {
        leaders: reigns.iter().map(|reign| reign.leader).collect(),
        epochs: reigns.iter().map(|reign| reign.epoch_zxid).collect(),
        decided_by: reigns.iter().map(|reign| reign.decided_by().to_string()).collect(),
        syncs: all_syncs(&play.seen.records).into_iter().map(|(who, chosen)| line(who, chosen)).collect(),
        reads: play.reads.clone(),
    };
    comparable(recording, digest)
}

/// Without what varied for another reason than the start, and without the order of the later synchronisations.
fn comparable(recording: &Recording, mut digest: Digest) -> Digest {
    let first = recording.started_together().min(digest.syncs.len());
    digest.syncs[..first].sort();
    digest.syncs[first..].sort();
    let same = recording.same_in_all_plays.iter().flatten();
    if !same.into_iter().any(|field| field == "decidedBy") {
        digest.decided_by.clear();
    }
    digest
}

/// What differs from the one play that the recording tells in full.
pub fn against_this_play(recording: &Recording, play: &Play) -> Vec<String> {
    let mut differences = play.differences.clone();
    let refused = |record: &&Rc<Record>| matches!(record.fact, Fact::World(WorldFact::ActionRefused { .. }));
    differences.extend(play.seen.records.iter().filter(refused).map(|record| format!("{record:?}")));
    differences.extend(reign_differences(recording, &play.seen.records));
    differences.extend(sync_differences(recording, &play.seen.records));
    differences
}

fn reigns(records: &[Rc<Record>]) -> Vec<Reign> {
    let mut first_votes = BTreeMap::new();
    let mut changes: BTreeMap<ServerId, Vec<(ServerId, Option<Note>)>> = BTreeMap::new();
    let mut reigns = Vec::new();
    for record in records {
        let Fact::Zab { server, fact } = &record.fact else { continue };
        match fact {
            zab::Fact::Looking { last_zxid, current_epoch, .. } => {
                first_votes.insert(*server, FirstVote { sid: *server, peer_epoch: *current_epoch, zxid: *last_zxid });
                changes.remove(server);
            }
            zab::Fact::VoteChanged { vote, .. } => {
                changes.entry(*server).or_default().push((vote.leader, record.why));
            }
            zab::Fact::Established { epoch, quorum } => {
                let to_leader = quorum.iter().filter_map(|id| changes.get(&id)).flatten();
                reigns.push(Reign {
                    leader: *server,
                    epoch_zxid: Zxid::new(*epoch, 0),
                    quorum: *quorum,
                    first_votes: first_votes.clone(),
                    changes: to_leader.filter(|(leader, _)| leader == server).map(|(_, why)| rule(*why)).collect(),
                });
            }
            _ => {}
        }
    }
    reigns
}

fn rule(why: Option<Note>) -> &'static str {
    match why {
        Some(Note::LaterEpochWins) => "peerEpoch",
        Some(Note::LaterZxidWins) => "zxid",
        Some(Note::HigherIdWins) => "sid",
        _ => "nothing",
    }
}

impl Reign {
    /// What made the leader's own vote better than the best of its supporters' own votes.
    fn decided_by(&self) -> &'static str {
        let key = |id: ServerId| self.first_votes.get(&id).map(|vote| (vote.peer_epoch, vote.zxid, vote.sid));
        let best_other = self.quorum.iter().filter(|&id| id != self.leader).filter_map(key).max();
        match (key(self.leader), best_other) {
            (Some(own), Some(other)) if own.0 > other.0 => "peerEpoch",
            (Some(own), Some(other)) if own.0 == other.0 && own.1 > other.1 => "zxid",
            (Some(own), Some(other)) if own > other && own.1 == other.1 => "sid",
            _ => "nothing",
        }
    }
}

/// All synchronisations in the order of time.
fn all_syncs(records: &[Rc<Record>]) -> Vec<((ServerId, ServerId), Chosen)> {
    let chosen = |record: &Rc<Record>| match &record.fact {
        Fact::Zab {
            server,
            fact:
                zab::Fact::SyncChosen {
                    learner,
                    sync,
                    learner_zxid,
                    to,
                    min_committed,
                    max_committed,
                    last_processed,
                    ..
                },
        } => {
            let chosen = Chosen {
                kind: format!("{sync:?}").to_uppercase(),
                learner_zxid: *learner_zxid,
                window: (*min_committed, *max_committed),
                last_processed: *last_processed,
                to: *to,
            };
            Some(((*server, *learner), chosen))
        }
        _ => None,
    };
    records.iter().filter_map(chosen).collect()
}

fn syncs(records: &[Rc<Record>]) -> Syncs {
    let mut syncs = Syncs::new();
    for (who, chosen) in all_syncs(records) {
        syncs.entry(who).or_default().push(chosen);
    }
    syncs
}

fn recorded_syncs(recording: &Recording) -> Syncs {
    let mut syncs = Syncs::new();
    for sync in &recording.syncs {
        syncs.entry((sync.leader, sync.learner)).or_default().push(Chosen {
            kind: sync.kind.clone(),
            learner_zxid: sync.learner_last_zxid,
            window: sync.window(),
            last_processed: sync.leader_last_processed,
            to: sync.to,
        });
    }
    syncs
}

/// Of the transactions that a load made, a comparison knows only that there were some, and how many a window holds.
fn without_load(recording: &Recording, mut syncs: Syncs) -> Syncs {
    let blur = |zxid: Zxid| if zxid.epoch() == 1 && zxid.counter() > 100 { Zxid::new(1, 100) } else { zxid };
    if recording.has_load() {
        for chosen in syncs.values_mut().flatten() {
            let width = chosen.window.1.0 - chosen.window.0.0;
            chosen.window = (Zxid::ZERO, Zxid(width));
            chosen.learner_zxid = blur(chosen.learner_zxid);
            chosen.last_processed = blur(chosen.last_processed);
            chosen.to = blur(chosen.to);
        }
    }
    syncs
}

fn sync_differences(recording: &Recording, records: &[Rc<Record>]) -> Vec<String> {
    let ours = without_load(recording, syncs(records));
    let theirs = without_load(recording, recorded_syncs(recording));
    let keys = ours.keys().chain(theirs.keys()).collect::<BTreeSet<_>>();
    let none = Vec::new();
    keys.into_iter()
        .filter(|key| ours.get(key) != theirs.get(key))
        .map(|key| {
            let (ours, theirs) = (ours.get(key).unwrap_or(&none), theirs.get(key).unwrap_or(&none));
            format!("syncs {}->{}: {ours:?}, recorded is {theirs:?}", key.0, key.1)
        })
        .collect()
}

fn reign_differences(recording: &Recording, records: &[Rc<Record>]) -> Vec<String> {
    let ours = reigns(records);
    let counts = (ours.len(), recording.new_epochs.len());
    let mut differences = match counts.0 == counts.1 {
        true => Vec::new(),
        false => vec![format!("(epochs, recorded epochs) are {counts:?}")],
    };
    for (ours, theirs) in ours.iter().zip(&recording.new_epochs) {
        let mut expect = |what: &str, same: bool| {
            if !same {
                differences.push(format!("{what}: {ours:?}, recorded is {theirs:?}"));
            }
        };
        expect("epoch", (ours.leader, ours.epoch_zxid) == (theirs.leader, theirs.epoch_zxid));
        expect("supporters", supporters_fit(recording, ours, theirs));
        expect("first votes", first_votes_fit(recording, ours, theirs));
        expect("decided by", ours.decided_by() == theirs.decided_by);
        expect("why votes changed", ours.changes.contains(&theirs.decided_by.as_str()));
    }
    differences
}

/// Where just a majority was up, it was these. Where more were, it is a matter of milliseconds who completes the majority.
fn supporters_fit(recording: &Recording, ours: &Reign, theirs: &NewEpoch) -> bool {
    let up = recording.voters_up(theirs.at);
    let recorded: ServerSet = theirs.supporters.iter().copied().collect();
    match up.len() == recorded.len() {
        true => ours.quorum == recorded,
        false => ours.quorum.len() == recorded.len() && ours.quorum.iter().all(|id| up.contains(id)),
    }
}

/// Those who are supporters here and there voted for themselves with the same history.
fn first_votes_fit(recording: &Recording, ours: &Reign, theirs: &NewEpoch) -> bool {
    let zxids_count = !recording.has_load();
    theirs.first_votes.iter().filter(|vote| ours.quorum.contains(vote.sid)).all(|vote| {
        ours.first_votes
            .get(&vote.sid)
            .is_some_and(|own| own.peer_epoch == vote.peer_epoch && (own.zxid == vote.zxid || !zxids_count))
    })
}
