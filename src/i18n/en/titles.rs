//! English: what decides and what causes, as short as a title.

use std::rc::Rc;

use crate::base::{ClientId, Node, SessionId};
use crate::client::{self, Failure};
use crate::i18n::text::{self, asked, brief, ended};
use crate::i18n::title::{Cut, cut, events, hosts, learners, path, zxids};
use crate::recipes::{self, ReleaseReason, Share};
use crate::server;
use crate::sim::{Death, DiskFault, Fact, Record, RefusalReason, WorldFact};
use crate::wire::{Answer, EventType, KeeperState, WatchedEvent};
use crate::zab::{self, LeaveReason, ServerState, SyncKind};

use super::clients::turned_away;
use super::programs::told;
use super::{terms, transactions};

/// A title for facts of one kind; nothing where their sentence is short enough.
pub(super) fn title(records: &[Rc<Record>], owner: Option<ClientId>) -> Option<String> {
    let all = hosts(records);
    if let Some((asked, error)) = ended(records) {
        let me = who(&all);
        return Some(match error {
            None => format!("{me}: “{asked}” is done."),
            Some(code) => format!("{me}: “{asked}” fails: {}.", code.name()),
        });
    }
    match &records.first()?.fact {
        Fact::Zab { fact, .. } => in_server(fact, &all, records),
        Fact::World(fact) => in_world(fact, &all, records),
        Fact::Client { fact, .. } => in_client(fact, &all),
        Fact::Server { server, fact } => in_service(&server.to_string(), fact, owner, records),
        Fact::Program { fact, .. } => in_program(fact, &all),
        Fact::Other { .. } => None,
    }
}

/// Why something happens of which neither the record nor its sentence says it.
pub(super) fn because(record: &Record) -> Option<String> {
    use client::Fact::Answered;
    let why = match &record.fact {
        Fact::Zab { fact: zab::Fact::LearnerDropped { learner, reason }, .. } => {
            return Some(format!("{learner}: {}.", terms::drop(*reason)));
        }
        Fact::Client { fact: Answered { outcome: Err(Failure::Code(code)), .. }, .. } => match code.name() {
            "BadVersion" => "The node has another version by now: nobody overwrites what he has not seen.",
            "NewConfigNoQuorum" => "No majority of the new configuration is in step with the leader.",
            _ => return None,
        },
        Fact::World(WorldFact::ResourceWritten { token: None, .. }) => {
            "The store cannot know who holds the lock: without a token it takes every write."
        }
        Fact::Program { fact: recipes::Fact::Released { reason: ReleaseReason::Released, .. }, .. } => {
            "Its node is deleted, and whoever watches it is told."
        }
        _ => return None,
    };
    Some(why.to_string())
}

/// `S1, S2 and S3`; from four on only how many there are.
fn who(all: &[Node]) -> String {
    if all.len() > 3 {
        let what = if all.iter().all(|one| one.server().is_some()) { "servers" } else { "clients" };
        return format!("{} {what}", all.len());
    }
    join(all.iter().map(ToString::to_string))
}

fn join(names: impl Iterator<Item = String>) -> String {
    let names: Vec<String> = names.collect();
    match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => names.concat(),
    }
}

/// Zxids, or the first and the last of many.
fn range(records: &[Rc<Record>]) -> String {
    match zxids(records).as_slice() {
        [first, _, .., _, last] => format!("{first} to {last}"),
        few => join(few.iter().map(ToString::to_string)),
    }
}

/// Many do, one does.
fn do_or<'a>(all: &[Node], one: &'a str, many: &'a str) -> &'a str {
    if all.len() == 1 { one } else { many }
}

fn in_server(fact: &zab::Fact, all: &[Node], records: &[Rc<Record>]) -> Option<String> {
    use zab::Fact as F;
    let me = who(all);
    Some(match fact {
        F::Looking { .. } => format!("{me} {} for a leader.", do_or(all, "looks", "look")),
        F::VoteChanged { vote, .. } => {
            format!("{me} {} to {}.", do_or(all, "changes its vote", "change their votes"), vote.leader)
        }
        F::Finalizing { leader, .. } if all == [(*leader).into()] => format!("{me} has a majority of the votes."),
        F::Finalizing { leader, .. } => format!("{me} {} a majority for {leader}.", do_or(all, "sees", "see")),
        F::Elected { leader, role: ServerState::Leading, .. } => format!("{leader} wins the election."),
        F::Elected { leader, role: ServerState::Observing, .. } => {
            format!("{me} {} {leader}.", do_or(all, "observes", "observe"))
        }
        F::Elected { leader, .. } => format!("{me} {} {leader}.", do_or(all, "follows", "follow")),
        F::EpochProposed { epoch, .. } => format!("{me} proposes epoch {epoch}."),
        F::EpochAccepted { epoch } => format!("{me} {} epoch {epoch}.", do_or(all, "accepts", "accept")),
        F::SyncChosen { sync, to, proposals, .. } => {
            let learners = who(&learners(records));
            match (sync, *proposals) {
                (SyncKind::Diff, 0) => format!("{me} sends {learners} an empty DIFF."),
                (SyncKind::Diff, n) => format!("{me} sends {learners} a DIFF: {}.", transactions(n)),
                (SyncKind::Trunc, _) => format!("{me} tells {learners} to cut its log: TRUNC {to}."),
                (SyncKind::Snap, _) => format!("{me} sends {learners} a SNAP: its whole state."),
            }
        }
        F::Established { epoch, .. } => format!("{me} is established: epoch {epoch} begins."),
        F::Standalone { .. } => format!("{me} {} alone.", do_or(all, "serves", "serve")),
        F::Proposed { followers, .. } if followers.is_empty() => format!("{me} numbers {}.", range(records)),
        F::UpToDate { .. } => format!("{me} {} up to date.", do_or(all, "is", "are")),
        F::Proposed { .. } => format!("{me} proposes {}.", range(records)),
        F::Committed { .. } => {
            format!("{} {} committed.", range(records), if zxids(records).len() == 1 { "is" } else { "are" })
        }
        F::AcksForgotten { learner, .. } => format!("{me} no longer counts the ACKs of {learner}."),
        F::LearnerDropped { learner, .. } => format!("{me} drops {learner}."),
        F::Left { role: ServerState::Leading, reason } => format!("{me} stops leading{}.", leaves(*reason)),
        F::Left { reason: LeaveReason::LeaderGone | LeaveReason::LeaderSilent, .. } => {
            format!("{me} {} on {} leader.", do_or(all, "gives up", "give up"), do_or(all, "its", "their"))
        }
        F::Left { role: ServerState::Following, .. } => format!("{me} {} following.", do_or(all, "stops", "stop")),
        F::RefusedToStart { .. } => format!("{me} refuses to start."),
        F::CannotStart { .. } => format!("{me} cannot start."),
        F::ConfigSeen { .. } => format!("{me} {} the next configuration.", do_or(all, "knows", "know")),
        F::ConfigActivated { .. } => format!("The new configuration is in force at {me}."),
        F::LeaderDesignated { leader } => format!("{me} hands over to {leader}."),
        _ => return None,
    })
}

/// Why a leader goes, where that is said in a few words.
fn leaves(reason: LeaveReason) -> &'static str {
    match reason {
        LeaveReason::NoQuorum => ": it has lost its majority",
        LeaveReason::OnlyObservers => ": voters to come follow as observers",
        LeaveReason::IdTooLarge => ": its id is too large",
        LeaveReason::QuorumWaitOver => ": no majority came in time",
        LeaveReason::CounterUsedUp => ": its counter is used up",
        LeaveReason::LaterEpochPromised => ": somebody has promised a later epoch",
        LeaveReason::DiskFailed => ": its disk fails",
        LeaveReason::Reconfigured => ": it was reconfigured",
        _ => "",
    }
}

fn in_world(fact: &WorldFact, all: &[Node], records: &[Rc<Record>]) -> Option<String> {
    use WorldFact as W;
    let me = who(all);
    Some(match fact {
        W::Started { incarnation: 1, .. } => format!("{me} {}.", do_or(all, "starts", "start")),
        W::Started { .. } => format!("{me} {}.", do_or(all, "restarts", "restart")),
        W::Crashed { how: Death::Crash, .. } => format!("{me} {}.", do_or(all, "crashes", "crash")),
        W::Crashed { how: Death::Kill, .. } => format!("{me} {} killed.", do_or(all, "is", "are")),
        W::Crashed { how: Death::PowerOff, .. } => format!("{me} {} power.", do_or(all, "loses", "lose")),
        W::Paused { .. } => format!("{me} {} paused.", do_or(all, "is", "are")),
        W::Resumed { .. } => format!("{me} {} up.", do_or(all, "wakes", "wake")),
        W::Added { .. } => format!("{me} {} with an empty disk.", do_or(all, "joins", "join")),
        W::OracleSet { grants: true, .. } => format!("The oracle lets {me} go on alone."),
        W::OracleSet { .. } => format!("The oracle does not let {me} go on alone."),
        W::ConfigEdited { .. } => format!("The configuration of {me} is edited by hand."),
        W::LinkCut { .. } => match cut(records) {
            Cut::Link(a, b) => format!("The link between {a} and {b} is cut."),
            Cut::OneWay(from, to) => {
                format!("{} {} nothing from {}.", who(&to), do_or(&to, "hears", "hear"), who(&from))
            }
            Cut::Off(nodes) => format!("{} {} cut off.", who(&nodes), do_or(&nodes, "is", "are")),
        },
        W::LinkHealed { .. } => match cut(records) {
            Cut::Link(a, b) => format!("The link between {a} and {b} is healed."),
            Cut::OneWay(from, to) => {
                format!("{} {} from {} again.", who(&to), do_or(&to, "hears", "hear"), who(&from))
            }
            Cut::Off(nodes) => format!("{} {} cut off no more.", who(&nodes), do_or(&nodes, "is", "are")),
        },
        W::LatencySet { from, to, .. } => match records.len() {
            1 | 2 => format!("The link between {from} and {to} is slow now."),
            _ => "Links have another speed now.".to_string(),
        },
        W::DiskFaultSet { fault: DiskFault::None, .. } => format!("The disk of {me} works again."),
        W::DiskFaultSet { fault: DiskFault::Full, .. } => format!("The disk of {me} is full."),
        W::DiskFaultSet { fault: DiskFault::Error, .. } => format!("The disk of {me} is broken."),
        W::DiskFailed { .. } => format!("The disk of {me} takes no more."),
        W::LogTruncated { removed, .. } => match removed.as_slice() {
            [] => return None,
            [only] => format!("{me} cuts {only} from its log."),
            [first, .., last] => format!("{me} cuts {first} to {last} from its log."),
        },
        W::UnsyncedLost { first, last, .. } if first == last => format!("{me} loses {first}: it was not synced."),
        W::UnsyncedLost { first, last, .. } => format!("{me} loses {first} to {last}: not synced."),
        W::WriteAsked { server, data, .. } if !server.is_valid() => format!("Typed at {me}: “{}”.", brief(data)),
        W::WriteAsked { .. } => format!("A client writes at {me}."),
        W::WriteAnswered { zxid, .. } => format!("{me} tells its client: {zxid} is done."),
        W::WriteFailed { reason: RefusalReason::ConnectionLoss, .. } => {
            format!("At {me} a client loses its connection before the answer.")
        }
        W::WriteFailed { reason: RefusalReason::NotServing, .. } => {
            format!("{me} serves no clients now: the write fails.")
        }
        W::WriteFailed { .. } => format!("{me} is down: the write fails."),
        W::FourLetterAnswered { word, answer, .. } if records.len() == 1 => {
            format!("{me} answers {word}: “{}”.", brief(word.telling(answer)))
        }
        W::FourLetterAnswered { .. } => format!("{me} {} four-letter words.", do_or(all, "answers", "answer")),
        W::FourLetterUnanswered { word, .. } => format!("{me} {} no answer to {word}.", do_or(all, "gives", "give")),
        W::ClientOpened { .. } => format!("{me} {}.", do_or(all, "starts", "start")),
        W::ClientKilled { .. } => format!("{me} {}.", do_or(all, "dies", "die")),
        W::ClientPaused { .. } => format!("{me} {}.", do_or(all, "freezes", "freeze")),
        W::ClientResumed { .. } => format!("{me} {} up.", do_or(all, "wakes", "wake")),
        W::ResourceWritten { resource, token, .. } => match token {
            Some(token) => format!("{me} writes to “{resource}” with token {token}."),
            None => format!("{me} writes to “{resource}”."),
        },
        W::ResourceRefused { resource, token, .. } => format!("“{resource}” refuses {me}: token {token} is old."),
        _ => return None,
    })
}

fn in_client(fact: &client::Fact, all: &[Node]) -> Option<String> {
    use client::Fact as F;
    let me = who(all);
    Some(match fact {
        F::ClientConnected { server, again, .. } => {
            let verb = if *again { do_or(all, "reconnects", "reconnect") } else { do_or(all, "connects", "connect") };
            if all.len() == 1 { format!("{me} {verb} to {server}.") } else { format!("{me} {verb}.") }
        }
        F::ClientDisconnected { server, .. } if all.len() == 1 => format!("{me} loses its connection to {server}."),
        F::ClientDisconnected { .. } => format!("{me} lose their connections."),
        F::ClientEnded { state: KeeperState::Closed, by_itself: true, .. } => {
            format!("{me} stops; its session stays.")
        }
        F::ClientEnded { session: SessionId::NONE, by_itself: true, .. } => format!("{me} gives up."),
        F::ClientEnded { by_itself: true, .. } => format!("{me} gives its session up."),
        F::ClientEnded { state: KeeperState::Expired, .. } => format!("{me} learns that its session has expired."),
        F::ClientEnded { state: KeeperState::Closed, .. } => format!("{me} has closed its session."),
        F::Answered { in_doubt: true, .. } => format!("{me} cannot know whether its write was done."),
        F::Called { request, .. } => format!("{me} asks: “{}”.", brief(&asked(request))),
        F::Answered { outcome: Ok(answer), .. } => match answer {
            Answer::Path(made) | Answer::Created { path: made, .. } => {
                format!("{me} gets its answer: {}.", path(made))
            }
            Answer::Stat(stat) => format!("{me} gets its answer: version {}.", stat.version),
            Answer::Data { data: Some(data), stat } => {
                format!("{me} reads {}, version {}.", text::data(data), stat.version)
            }
            _ => return None,
        },
        F::Answered { outcome: Err(Failure::Code(code)), .. } => format!("{me} gets {}.", code.name()),
        F::Notified { event, .. } => format!("{me} {} notified: {}.", do_or(all, "is", "are"), happened(event)),
        _ => return None,
    })
}

/// What a watch tells.
fn happened(event: &WatchedEvent) -> String {
    let path = event.path.as_deref().map_or(String::new(), path);
    match event.kind {
        EventType::NodeCreated => format!("{path} was created"),
        EventType::NodeDeleted => format!("{path} is gone"),
        EventType::NodeDataChanged => format!("{path} has changed"),
        EventType::NodeChildrenChanged => format!("children of {path} changed"),
        _ => "its watch is over".into(),
    }
}

fn in_service(me: &str, fact: &server::Fact, owner: Option<ClientId>, records: &[Rc<Record>]) -> Option<String> {
    use server::Fact as F;
    let whose = owner.map_or("A session".to_string(), |client| format!("{client}'s session"));
    Some(match fact {
        F::SessionExpired { .. } => format!("{whose} expires."),
        F::SessionClosed { ephemerals, .. } => match ephemerals.as_slice() {
            [] => format!("{whose} is closed."),
            [only] => format!("{whose} ends: {} is gone.", path(only)),
            more => format!("{whose} ends: {} ephemerals are gone.", more.len()),
        },
        F::SessionResumed { client, .. } => format!("{me} takes over the session of {client}."),
        F::SessionMoved { from, to, .. } => format!("{whose} moves from {from} to {to}."),
        F::SessionUpgraded { client, .. } => format!("The local session of {client} becomes global."),
        F::ClientTurnedAway { client, reason } => {
            format!("{me} turns {client} away: {}.", turned_away(*reason))
        }
        F::OverQuota { path: below, hard: true, .. } => format!("The hard quota of {below} refuses a write."),
        F::OverQuota { path: below, .. } => format!("A write exceeds the soft quota of {below}."),
        F::ReadOnly { on: true } => format!("{me} has no leader and serves reads only."),
        F::WatchFired { event, .. } => match events(records).as_slice() {
            [only] => format!("{only}'s watch fires: {}.", happened(event)),
            clients => format!("The watches of {} fire: {}.", who(clients), happened(event)),
        },
        _ => return None,
    })
}

fn in_program(fact: &recipes::Fact, all: &[Node]) -> Option<String> {
    use recipes::Fact as F;
    let me = who(all);
    Some(match fact {
        F::Acquired { share, .. } => {
            let what = match share {
                Share::Exclusive => "the lock",
                Share::Read => "the read lock",
                Share::Lease { .. } => "a lease",
                Share::Leader => return Some(format!("{me} {} the leader.", do_or(all, "is now", "are now"))),
            };
            format!("{me} {} {what}.", do_or(all, "gets", "get"))
        }
        F::Released { path: held, reason, .. } => {
            let held = path(held);
            match reason {
                ReleaseReason::Released => format!("{me} {} go of {held}.", do_or(all, "lets", "let")),
                ReleaseReason::Suspended => format!("{me} gives up {held}: it has no connection."),
                ReleaseReason::Lost => format!("{me} gives up {held}: its session is lost."),
                ReleaseReason::Closed => format!("{me} closes, and gives up {held}."),
                ReleaseReason::Displaced => format!("{me} is no longer first at {held}."),
            }
        }
        F::WaitsBehind { watched, .. } if all.len() == 1 => format!("{me} waits and watches {}.", path(watched)),
        F::WaitsBehind { .. } => format!("{me} wait."),
        F::WaitsFor { watched, .. } => format!("{me} waits for {}.", path(watched)),
        F::Told { what, about, .. } => {
            let (phrase, about) = (told(what), path(about));
            // a phrase with a subject of its own stands apart
            let own = ["its ", "the "].iter().any(|begins| phrase.starts_with(begins));
            format!("{me}{} {phrase} {about}.", if own { ":" } else { "" })
        }
        F::Consumed { data, .. } => format!("{me} takes {}.", text::data(data)),
        F::Requeued { .. } => format!("{me} {} again.", do_or(all, "queues", "queue")),
        _ => return None,
    })
}
