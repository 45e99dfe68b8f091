//! What stands large at a machine or client because nothing else on the stage says it: conditions that last, read from the world, and what
//! happened a moment ago and left nothing to be seen, read from the facts.

mod reading;

use std::rc::Rc;

use crate::base::{ClientId, Epoch, Micros, Node, ServerId, ServerSet, SimTime, Zxid};
use crate::client::{self, Failure};
use crate::daemon::{Remark, Tone};
use crate::recipes::{self, ConnectionState};
use crate::server::{self, TurnedAway};
use crate::sim::{ClientProcess, Fact, Process, Record, Status, World, WorldFact};
use crate::timeline::{Reign, RunSummary};
use crate::wire::{Answer, Code, FourLetterWord, Request, decoded};
use crate::zab::{self, DropReason, LeaveReason, Phase, Role, SyncKind, Timer};

use super::card::Card;
use super::meter::{Counted, Meter};
use super::standing::newest;

/// A few words at one place.
#[derive(Clone, Debug, PartialEq)]
pub struct Callout {
    /// At whom.
    pub at: Node,
    /// How it looks.
    pub tone: Tone,
    /// What.
    pub said: Said,
    /// How much of a time is over, and of how much, µs: a bar that fills.
    pub over: Option<(Micros, Micros)>,
}

/// What there is to say.
#[derive(Clone, Debug, PartialEq)]
pub enum Said {
    /// What a machine of another system says of a fact: in English and Simplified Chinese.
    Remark([String; 2]),
    /// What an oracle says, while its server has no majority: whether it may go on alone.
    Oracle(bool),
    /// A server without a leader serves reads.
    ReadsOnly,
    /// So many requests are in process, of which some client is not read any more.
    InProcess(usize),
    /// A leader waits for a quorum; `initLimit` is the end of it.
    QuorumWait,
    /// A learner hears nothing of its leader; `syncLimit` is the end of it.
    Silence,
    /// The counter of a leader's epoch, and the last number that it can reach.
    Counter(u32, u32),
    /// Who has voted for a candidate, of how many.
    Votes(ServerSet, usize),
    /// A proposal needs majorities of two configurations: who has it, of how many, by the old and by the new one.
    Majorities(Zxid, (usize, usize), (usize, usize)),
    /// A session that only one server knows, or that all do.
    Session(bool),
    /// A circuit breaker is open: the program is not told what its connection is.
    CircuitOpen,
    /// What a caller is not handed out, for the errors that it made.
    Hides(String),
    /// A server's answer to a four-letter word: the line that tells.
    Line(FourLetterWord, Rc<str>),
    /// A client was turned away.
    TurnedAway(ClientId, TurnedAway),
    /// A local session is made known to all.
    Upgraded,
    /// How a learner is brought up to date: what it must cut behind, how many transactions it gets, or that it gets everything.
    Sync(SyncKind, Zxid, usize),
    /// `initLimit` was over before a quorum was there.
    QuorumWaitOver,
    /// A leader of this epoch has left office, and why.
    LeftOffice(Epoch, LeaveReason),
    /// A leader has dropped a learner that was silent for `syncLimit`.
    Dropped,
    /// A machine's wall clock is so far ahead, ms; behind, where that is negative.
    ClockAhead(i64),
    /// A call failed: the error's name.
    Error(&'static str),
    /// A client has read data.
    Read(Rc<str>, String),
    /// What a reader of another system has read in one go: items and values.
    ReadTogether(Vec<(String, i64)>),
    /// A read is done that missed a newer write: what was read, what is newer, and who has that.
    Missed {
        /// The key and its value.
        read: String,
        /// The newer value.
        newest: String,
        /// At whom it is.
        at: ServerSet,
    },
    /// A server keeps a watch for a client on a node.
    KeepsWatch(ClientId, Rc<str>),
    /// A multi is one transaction: its steps in few letters.
    OneTransaction(Vec<String>),
    /// While a reconfiguration is under way: a server that is a voter of only one of the two, the new one or the old one.
    OfOne(bool),
    /// A program was told of its connection.
    Hears(ConnectionState),
    /// A consumer takes an item.
    Takes(String),
    /// A program tells of something of its own kind.
    Told(&'static str, String),
    /// A program's copy of the tree has found what changed: as programs tell it, of which nodes.
    Copy(Vec<(&'static str, String)>),
    /// A reconfiguration is refused: who of the new members is there, and how many there would be.
    NoQuorum(ServerSet, usize),
}

/// So long what happened is news, µs of virtual time without idle stretches.
const NEWS_US: Micros = 250_000;
/// Of what programs tell, what leaves nothing to be seen.
const TOLD: [&str; 3] = ["runs_from", "adopts", "registers_again"];
/// A reign that ended in this news is one of so many.
const RECENT_REIGNS: usize = 8;
/// What they tell of their copies.
const COPIES: [&str; 3] = ["cache_changed", "cache_created", "cache_deleted"];

/// What is to be said now, one of each machine and client: news of the chapter that began then, before conditions.
pub(super) fn callouts(
    world: &World,
    summary: &RunSummary,
    chapter: SimTime,
    (cards, meters): (&[Card], &[Meter]),
) -> Vec<Callout> {
    let mut all: Vec<Callout> = Vec::new();
    // how many have voted for somebody matters more than whom he has refused
    let votes = cards.iter().filter_map(|card| votes(card, cards));
    for callout in votes.chain(news(world, summary, chapter)).chain(conditions(world, cards, meters)) {
        match all.iter_mut().find(|known| known.at == callout.at) {
            None => all.push(callout),
            Some(Callout { said: Said::Copy(later), .. }) => {
                // one reading may find many changes, and of one node the last one counts
                if let Said::Copy(mut before) = callout.said {
                    before.retain(|(_, name)| later.iter().all(|(_, known)| known != name));
                    before.append(later);
                    *later = before;
                }
            }
            Some(_) => {}
        }
    }
    all
}

/// What has happened since the chapter began and is not over, the newest first.
fn news(world: &World, summary: &RunSummary, chapter: SimTime) -> Vec<Callout> {
    // how everything begins is no news
    let of_it = |record: &Record| record.at_us >= chapter && record.at_us > SimTime::ZERO;
    let is_news = |record: &&Record| of_it(record) && summary.lively_since(record.at_us) <= NEWS_US;
    let (mut later, mut all): (Vec<&Record>, Vec<Callout>) = (Vec::new(), Vec::new());
    for record in summary.told().take_while(is_news) {
        let news = news_of(record, world, summary).filter(|callout| is_there(world, callout.at));
        all.extend(news.filter(|_| !later.iter().any(|newer| is_over(&newer.fact, &record.fact))));
        later.push(record);
    }
    all
}

/// Whether somebody can still be spoken of as one that hears, reads or decides: his process lives.
fn is_there(world: &World, node: Node) -> bool {
    match node {
        Node::Client(id) => world.clients.contains_key(&id),
        Node::Server(id) => world.processes.get(&id).is_some_and(|process| process.status != Status::Crashed),
    }
}

/// Whether what was said of the earlier fact is over with the newer one.
fn is_over(newer: &Fact, earlier: &Fact) -> bool {
    match (newer, earlier) {
        (Fact::Other { server, fact }, Fact::Other { server: before, fact: earlier }) => {
            fact.ends(earlier, server == before)
        }
        // whoever leads or follows again is neither without a leader nor dropped
        (
            Fact::Zab { server, fact: zab::Fact::UpToDate { .. } | zab::Fact::Established { .. } },
            Fact::Zab { server: before, fact: earlier },
        ) => match earlier {
            zab::Fact::Left { .. } => server == before,
            zab::Fact::LearnerDropped { learner, .. } => server == learner,
            _ => false,
        },
        _ => false,
    }
}

fn callout(at: impl Into<Node>, tone: Tone, said: Said) -> Callout {
    Callout { at: at.into(), tone, said, over: None }
}

fn conditions(world: &World, cards: &[Card], meters: &[Meter]) -> Vec<Callout> {
    let mut all: Vec<Callout> = meters.iter().filter_map(|meter| majorities(meter, meters)).collect();
    for process in world.processes.values().filter(|process| process.status == Status::Running) {
        all.extend(of_server(world, process));
        all.extend(clock(process));
    }
    all.extend(of_one(cards));
    all.extend(cards.iter().filter_map(counter));
    all.extend(world.clients.values().filter_map(|process| of_client(world, process)));
    all
}

/// A count by the old configuration and its twin by the new one.
fn majorities(old: &Meter, meters: &[Meter]) -> Option<Callout> {
    let Counted::Acks(zxid) = old.counted else { return None };
    let twin = |meter: &&Meter| meter.next && (meter.leader, meter.counted) == (old.leader, old.counted);
    let new = meters.iter().find(twin).filter(|_| !old.next)?;
    let of = |meter: &Meter| (meter.have.len(), meter.of.len());
    Some(callout(old.leader, Tone::Waiting, Said::Majorities(zxid, of(old), of(new))))
}

/// Those that a reconfiguration under way lets in, or removes: each counts for one of the two majorities.
fn of_one(cards: &[Card]) -> Vec<Callout> {
    let quorums = cards.iter().filter(|card| card.established).find_map(|card| card.quorums);
    let Some((now, next)) = quorums.and_then(|quorums| Some((quorums.now.voters, quorums.next?.voters))) else {
        return Vec::new();
    };
    let ids = cards.iter().map(|card| card.id).filter(|id| now.contains(*id) != next.contains(*id));
    ids.map(|id| callout(id, Tone::Plain, Said::OfOne(next.contains(id)))).collect()
}

fn of_server(world: &World, process: &Process) -> Option<Callout> {
    let memory = process.server()?;
    let (peer, service) = (&memory.peer, &memory.service);
    let said = |tone, said| callout(process.id, tone, said);
    if let Some(grants) = process.files().and_then(|files| files.oracle) {
        let alone = match &peer.role {
            Role::Leading(leader) => leader.learners.is_empty(),
            Role::Looking | Role::Leaving { .. } => true,
            _ => false,
        };
        if alone {
            return Some(said(if grants { Tone::Held } else { Tone::Bad }, Said::Oracle(grants)));
        }
    }
    if service.read_only {
        return Some(said(Tone::Waiting, Said::ReadsOnly));
    }
    if service.conns.values().any(|conn| conn.throttled) {
        return Some(said(Tone::Bad, Said::InProcess(service.in_process())));
    }
    let setup = world.setup();
    let limit = |ticks: u64| ticks * setup.tick_time_ms * 1_000;
    let wait = |due: SimTime, whole: Micros| (whole.saturating_sub(due.since(world.now)), whole);
    let (over, what) = match &peer.role {
        Role::Leading(leader) if !peer.is_established_leader() && !leader.learners.is_empty() => {
            let due = process.waits_until(|timer| timer == Timer::QuorumWait)?;
            (wait(due, limit(setup.init_limit)), Said::QuorumWait)
        }
        Role::Learning(_) if peer.phase() == Phase::Broadcast => {
            let due = process.waits_until(|timer| matches!(timer, Timer::ReadTimeout(_)))?;
            (wait(due, limit(setup.sync_limit)), Said::Silence)
        }
        _ => return None,
    };
    // nobody is to be alarmed before half of it is over
    (over.0 * 2 > over.1).then(|| Callout { over: Some(over), ..said(Tone::Bad, what) })
}

/// A wall clock that somebody has set: no other place on the stage shows it.
fn clock(process: &Process) -> Option<Callout> {
    let ahead = Some(process.clock_ahead_ms).filter(|ms| *ms != 0)?;
    Some(callout(process.id, Tone::Waiting, Said::ClockAhead(ahead)))
}

/// Who has voted for a candidate of another system.
fn votes(card: &Card, cards: &[Card]) -> Option<Callout> {
    let votes = Some(card.badge.votes).filter(|votes| !votes.is_empty())?;
    let servers = cards.iter().filter(|other| other.id.letters() == card.id.letters()).count();
    let tone = if votes.len() * 2 > servers { Tone::Held } else { Tone::Waiting };
    Some(callout(card.id, tone, Said::Votes(votes, servers)))
}

/// The counter of a leader whose next number would be the one that is none any more.
fn counter(card: &Card) -> Option<Callout> {
    let (last, at) = (card.counter_ends?.saturating_sub(1), card.last.counter());
    let used_up = at >= last && card.last.epoch() == card.current;
    used_up.then(|| callout(card.id, Tone::Bad, Said::Counter(at, last)))
}

fn of_client(world: &World, process: &ClientProcess) -> Option<Callout> {
    let said = |tone, said| Some(callout(process.id, tone, said));
    if let Some(app) = &process.app {
        if app.circuit_is_open() {
            return said(Tone::Waiting, Said::CircuitOpen);
        }
        let hidden = app.copy().map(|copy| copy.hidden).filter(|hidden| !hidden.is_empty())?;
        return said(Tone::Bad, Said::Hides(hidden.join(" ")));
    }
    let connected = |process: &&ClientProcess| process.client.state == client::State::Connected;
    let tree = newest(world).filter(|_| world.setup().local_sessions)?;
    let local = |process: &ClientProcess| tree.session(process.client.session).is_none();
    // it makes a difference where there are both kinds
    let both = world.clients.values().filter(connected).any(|other| local(other) != local(process));
    let tone = if local(process) { Tone::Plain } else { Tone::Held };
    if both && connected(&process) { said(tone, Said::Session(local(process))) } else { None }
}

/// What a fact leaves to be said.
fn news_of(record: &Record, world: &World, summary: &RunSummary) -> Option<Callout> {
    match &record.fact {
        Fact::Other { server, fact } => {
            if let Some(read) = reading::of_reader((record, *server), fact, summary) {
                return Some(read);
            }
            let Remark { at, tone, words } = fact.remark()?;
            Some(callout(at.unwrap_or(*server), tone, Said::Remark(words)))
        }
        Fact::Zab { server, fact } => of_zab((*server, record.at_us), fact, world, summary),
        Fact::Server { server, fact } => of_service(*server, fact),
        Fact::Client { client, fact } => of_call(*client, fact, world, summary),
        Fact::Program { client, fact } => of_program(*client, fact),
        Fact::World(WorldFact::FourLetterAnswered { server, word, answer, .. }) => {
            let mode = answer.iter().find(|line| line.starts_with("Mode:"));
            let line = mode.or(answer.first().filter(|_| answer.len() == 1))?;
            Some(callout(*server, Tone::Held, Said::Line(*word, line.clone())))
        }
        Fact::World(_) => None,
    }
}

fn of_zab(
    (server, at): (ServerId, SimTime),
    fact: &zab::Fact,
    world: &World,
    summary: &RunSummary,
) -> Option<Callout> {
    let whole = world.setup().sync_limit * world.setup().tick_time_ms * 1_000;
    let silent =
        |whose: ServerId, said| Some(Callout { over: Some((whole, whole)), ..callout(whose, Tone::Bad, said) });
    match fact {
        zab::Fact::SyncChosen { learner, sync, to, proposals, .. } => {
            let tone = if *sync == SyncKind::Trunc { Tone::Bad } else { Tone::Waiting };
            // who lacks nothing gets an empty DIFF
            let lacks = *sync != SyncKind::Diff || *proposals > 0;
            (lacks && is_brought_up(world, *learner))
                .then(|| callout(*learner, tone, Said::Sync(*sync, *to, *proposals)))
        }
        zab::Fact::LearnerDropped { learner, reason: DropReason::Silent } => silent(*learner, Said::Dropped),
        zab::Fact::Left { reason: LeaveReason::LeaderSilent, .. } => silent(server, Said::Silence),
        zab::Fact::Left { reason: LeaveReason::QuorumWaitOver, .. } => {
            Some(callout(server, Tone::Bad, Said::QuorumWaitOver))
        }
        zab::Fact::Left { reason, .. } => {
            let ends = |reign: &&Reign| (reign.leader, reign.to) == (server, Some(at));
            let reign = summary.reigns().rev().take(RECENT_REIGNS).find(ends)?;
            Some(callout(server, Tone::Bad, Said::LeftOffice(reign.epoch, *reason)))
        }
        _ => None,
    }
}

/// Whether a learner is being brought up to date, and has neither got all of it nor lost its leader.
fn is_brought_up(world: &World, learner: ServerId) -> bool {
    let memory = world.processes.get(&learner).and_then(Process::server);
    memory.is_some_and(|memory| matches!(memory.peer.phase(), Phase::Discovery | Phase::Synchronization))
}

fn of_service(server: ServerId, fact: &server::Fact) -> Option<Callout> {
    match fact {
        server::Fact::ClientTurnedAway { client, reason } => {
            let told = !matches!(reason, TurnedAway::Moved | TurnedAway::Replaced | TurnedAway::NotServing);
            told.then(|| callout(server, Tone::Bad, Said::TurnedAway(*client, *reason)))
        }
        server::Fact::SessionUpgraded { client, .. } => Some(callout(*client, Tone::Held, Said::Upgraded)),
        _ => None,
    }
}

/// What a client is answered that runs no recipe: those ask for much that nobody is to read.
fn of_call(client: ClientId, fact: &client::Fact, world: &World, summary: &RunSummary) -> Option<Callout> {
    if world.clients.get(&client).is_none_or(ClientProcess::runs_recipes) {
        return None;
    }
    let (call, outcome) = match fact {
        client::Fact::Answered { call, outcome, .. } => (call, outcome),
        client::Fact::Called { request, .. } => {
            let Request::Multi { ops } = request else { return None };
            return reading::together(client, ops);
        }
        _ => return None,
    };
    let asked = || {
        summary.told().find_map(|record| match &record.fact {
            Fact::Client { client: whose, fact: client::Fact::Called { call: known, request } } => {
                ((*whose, *known) == (client, *call)).then_some(request)
            }
            _ => None,
        })
    };
    if let Some(kept) = outcome.as_ref().ok().and_then(|_| reading::leaves_watch(client, asked()?, world)) {
        return Some(kept);
    }
    match outcome {
        Err(Failure::Code(Code::NewConfigNoQuorum)) => no_quorum(world, summary),
        Err(Failure::Code(code)) => Some(callout(client, Tone::Bad, Said::Error(code.name()))),
        Ok(Answer::Data { data, .. }) => {
            let read = decoded(data).to_string();
            Some(callout(client, Tone::Plain, Said::Read(asked()?.path().into(), read)))
        }
        _ => None,
    }
}

/// Why the newest reconfiguration that was asked for finds no quorum: said at the leader.
fn no_quorum(world: &World, summary: &RunSummary) -> Option<Callout> {
    let asked = summary.told().find_map(|record| match &record.fact {
        Fact::Client {
            fact: client::Fact::Called { request: Request::Reconfig { joining, leaving, .. }, .. },
            ..
        } => Some((joining.clone().unwrap_or_default(), leaving.clone().unwrap_or_default())),
        _ => None,
    });
    let (joining, leaving) = asked?;
    let ids = |list: &str| -> ServerSet {
        let id = |one: &str| {
            let digits = one.trim().trim_start_matches("server.");
            digits.split('=').next()?.parse().ok().map(ServerId)
        };
        list.split(',').filter_map(id).collect()
    };
    let leads = |process: &&Process| process.server().is_some_and(|memory| memory.peer.is_established_leader());
    let (id, memory) =
        world.processes.values().find(leads).and_then(|process| Some((process.id, process.server()?)))?;
    let Role::Leading(leader) = &memory.peer.role else { return None };
    let leaving = ids(&leaving);
    let members = memory.peer.members.now.voters.union(ids(&joining)).iter().filter(|id| !leaving.contains(*id));
    let members: ServerSet = members.collect();
    let there: ServerSet = leader.learners.values().map(|handler| handler.learner).chain([id]).collect();
    Some(callout(id, Tone::Bad, Said::NoQuorum(there.intersection(members), members.len())))
}

fn of_program(client: ClientId, fact: &recipes::Fact) -> Option<Callout> {
    use recipes::Fact as F;
    let (tone, said) = match fact {
        F::ConnectionState { state } => {
            let tone = if state.is_connected() { Tone::Plain } else { Tone::Bad };
            (tone, Said::Hears(*state))
        }
        F::StateHeldBack { .. } => (Tone::Waiting, Said::CircuitOpen),
        F::Consumed { data, .. } => (Tone::Held, Said::Takes(data.shown().into())),
        F::Told { what, about, .. } => {
            let about: String = about.rsplit('/').next().unwrap_or_default().into();
            match *what {
                what if TOLD.contains(&what) => (Tone::Held, Said::Told(what, about)),
                what if COPIES.contains(&what) => (Tone::Held, Said::Copy(vec![(what, about)])),
                _ => return None,
            }
        }
        _ => return None,
    };
    Some(callout(client, tone, said))
}

#[cfg(test)]
mod tests;
