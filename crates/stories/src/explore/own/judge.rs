//! Who judges a recipe of one's own: by facts while the run plays, and by what is left at its end.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::base::{ClientId, Micros, SessionId, SimTime};
use crate::check::{Checker, Hold, Misuse, Who};
use crate::client;
use crate::recipes::own::{Activity, Section};
use crate::recipes::{Fact as Told, Share};
use crate::server;
use crate::sim::{Fact, Record, World, WorldFact};

use super::law::Law;
use super::{OBJECT, Purpose, program_of};

/// After trouble so much time passes before anything is judged by what is left, µs: sessions have ended, clients are back.
const SETTLE_US: Micros = 3_500_000;
/// Nobody comes any further for so long, µs: nobody will. Longer than the longest pause where somebody sleeps.
const PATIENCE_US: Micros = 8_000_000;
const SLEEPERS_US: Micros = 45_000_000;
/// So many are woken for nothing by one release: a herd.
const HERD: usize = 2;

/// A call under way.
#[derive(Clone, Debug)]
struct Under {
    method: Rc<str>,
    since: SimTime,
}

/// What facts have told.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct Judge {
    may_herd: bool,
    /// There is one server: no read is old.
    alone: bool,
    /// What it is about.
    path: Rc<str>,
    /// When something went wrong last since the first call: what is woken then is no measure.
    trouble: Option<SimTime>,
    /// Somebody sleeps, or waits for a limited time.
    bides: bool,
    /// When somebody came further last.
    further: SimTime,
    sessions: BTreeMap<ClientId, SessionId>,
    ended: BTreeSet<SessionId>,
    /// The session in which something was acquired.
    held_in: BTreeMap<Who, SessionId>,
    calls: BTreeMap<Who, Under>,
    taken: BTreeMap<Rc<str>, Who>,
    /// How many calls there were that are to get something, how many of them got it, and how many items were put.
    wanted: usize,
    got: usize,
    put: usize,
    /// Since when a barrier is closed, as whoever closed it knows, and who that is.
    closed: Option<(SimTime, ClientId)>,
    /// A barrier was removed.
    removed: bool,
    /// Something was given back before.
    released: bool,
    /// Who was woken since the last release and has got nothing, and who has gone back to wait.
    woken: BTreeSet<Who>,
    for_nothing: BTreeSet<Who>,
}

/// What a law falls by.
type Seen = (Law, Misuse);

impl Judge {
    pub(in super::super) fn new(may_herd: bool, servers: u8) -> Judge {
        Judge { may_herd, alone: servers == 1, ..Judge::default() }
    }

    /// Reads the next fact, which the checker has read.
    pub(in super::super) fn read(&mut self, record: &Record, checker: &Checker) -> Option<Seen> {
        let now = record.at_us;
        let seen = match &record.fact {
            Fact::Program { client, fact } => self.program(*client, fact, now, checker),
            Fact::Client { client, fact: client::Fact::ClientConnected { session, .. } } => {
                self.sessions.insert(*client, *session);
                None
            }
            fact => {
                if self.is_trouble(fact) && self.further > SimTime::ZERO {
                    self.trouble = Some(now);
                }
                None
            }
        };
        seen.or_else(|| self.believes(now, checker))
    }

    /// Whether something goes wrong, by which calls and sessions may end.
    fn is_trouble(&mut self, fact: &Fact) -> bool {
        match fact {
            Fact::Client { fact: client::Fact::ClientDisconnected { .. }, .. } => true,
            Fact::Server { fact: server::Fact::SessionExpired { session, .. }, .. }
            | Fact::Server { fact: server::Fact::SessionClosed { session, .. }, .. } => {
                self.ended.insert(*session);
                // a barrier may go with the session of who closed it
                self.closed = self.closed.filter(|(_, by)| self.sessions.get(by) != Some(session));
                true
            }
            Fact::World(WorldFact::ClientKilled { client }) => {
                self.calls.retain(|(other, _), _| other != client);
                self.closed = self.closed.filter(|(_, by)| by != client);
                true
            }
            Fact::World(
                WorldFact::ClientPaused { .. }
                | WorldFact::ClientResumed { .. }
                | WorldFact::Crashed { .. }
                | WorldFact::Started { .. },
            ) => true,
            _ => false,
        }
    }

    fn program(&mut self, client: ClientId, fact: &Told, now: SimTime, checker: &Checker) -> Option<Seen> {
        match fact {
            Told::RecipeMade { path, .. } => self.path = path.clone(),
            Told::MethodCalled { thread, method, .. } => {
                let section = Section::named(method);
                let takes = section == Some(Section::Take) && self.put > 0;
                self.wanted += usize::from(takes || section.is_some_and(Section::gets));
                self.closed = self.closed.filter(|_| section != Some(Section::Remove));
                let under = Under { method: method.clone(), since: now };
                self.calls.insert((client, *thread), under);
                self.further = now;
            }
            Told::MethodReturned { thread, method, outcome, .. } => {
                self.further = now;
                let call = self.calls.remove(&(client, *thread))?;
                let section = Section::named(method).filter(|_| outcome.is_ok());
                return self.returned((client, *thread), section?, call.since, checker);
            }
            Told::WaitsBehind { thread, .. } => {
                let who = (client, *thread);
                if self.woken.remove(&who) {
                    self.for_nothing.insert(who);
                    return self.herd();
                }
            }
            Told::Woken { thread, .. } => drop(self.woken.insert((client, *thread))),
            Told::Acquired { thread, .. } => {
                let who = (client, *thread);
                self.woken.remove(&who);
                (self.further, self.got) = (now, self.got + 1);
                self.held_in.extend(self.sessions.get(&client).map(|session| (who, *session)));
            }
            Told::Released { .. } => {
                self.released = true;
                self.woken.clear();
                self.for_nothing.clear();
                self.further = now;
            }
            Told::Consumed { thread, data, .. } => {
                let (who, item) = ((client, *thread), data.shown().to_string());
                self.got += 1;
                let other = self.taken.insert(item.as_str().into(), who)?;
                return Some((Law::TakenOnce, Misuse::TakenTwice { item, who: other, other: who }));
            }
            _ => {}
        }
        None
    }

    /// A call has come to what it is for, in this moment.
    fn returned(&mut self, who: Who, section: Section, since: SimTime, checker: &Checker) -> Option<Seen> {
        match section {
            Section::Remove => self.removed = true,
            Section::Set => self.closed = Some((self.further, who.0)),
            Section::Put => self.put += 1,
            Section::Wait => {
                let closed = self.alone && self.closed.is_some_and(|(closed, _)| since >= closed);
                let path = self.path.to_string();
                return (closed && checker.stands(&path)).then_some((Law::Closed, Misuse::Passed { path, who }));
            }
            _ => {}
        }
        None
    }

    fn herd(&self) -> Option<Seen> {
        let for_nothing = self.for_nothing.len();
        if self.may_herd || self.trouble.is_some() || !self.released || for_nothing < HERD {
            return None;
        }
        // the one that got it is among those that were woken
        let woken = for_nothing + self.woken.len() + 1;
        Some((Law::NoHerd, Misuse::Herd { path: self.path.to_string(), woken, for_nothing }))
    }

    /// Somebody holds on though its node is gone, and has no excuse: it runs, and its session lives or it was told. Beside it another
    /// holds, with its node or without an excuse either.
    fn believes(&self, now: SimTime, checker: &Checker) -> Option<Seen> {
        let holds = checker.holds();
        let has_no_excuse = |hold: &Hold| {
            let app = checker.app(hold.who.0);
            let told = app.lost.is_some_and(|told| told >= hold.since && now > told);
            let ended = self.held_in.get(&hold.who).is_some_and(|session| self.ended.contains(session));
            !app.paused && (told || !ended)
        };
        let mut gone = holds.iter().filter(|hold| hold.gone.is_some() && has_no_excuse(hold));
        gone.find_map(|old| {
            let excludes = |new: &&Hold| {
                let shared = (old.share, new.share) == (Share::Read, Share::Read);
                let may = new.gone.is_none() || has_no_excuse(new);
                new.who != old.who && new.path == old.path && may && !shared
            };
            let new = holds.iter().find(excludes)?;
            let (path, who, other) = (old.path.to_string(), old.who, new.who);
            Some((Law::Believed, Misuse::Believes { path, who, other }))
        })
    }

    /// Whether all calls are over, and sessions have had time to end.
    pub(in super::super) fn is_over(&self, now: SimTime) -> bool {
        self.calls.is_empty() && self.trouble.is_none_or(|trouble| now >= trouble.plus(SETTLE_US))
    }

    /// Whether nobody will come any further; who sleeps, or has slept, may.
    pub(in super::super) fn comes_no_further(&mut self, now: SimTime, bides: bool) -> bool {
        self.bides |= bides;
        let patience = if self.bides { SLEEPERS_US } else { PATIENCE_US };
        now >= self.further.max(self.trouble.unwrap_or_default()).plus(patience)
    }

    /// What is wrong at the end.
    pub(in super::super) fn ending(&self, world: &World, checker: &Checker) -> Option<Seen> {
        let (_, program) = program_of(world.run())?;
        let (home, purpose, furniture) = (program.home(), Purpose::of(&program), program.furniture());
        let below = format!("{home}/");
        let own = |path: &Rc<str>| !furniture.contains(path) && (*path == home || path.starts_with(&below));
        let items: Vec<Rc<str>> = checker.nodes_below("").into_iter().map(|(path, _)| path).filter(own).collect();
        let may_wait = |method: &str| match purpose {
            Purpose::Barrier => method == Section::Wait.name() && checker.stands(&home) && !self.removed,
            Purpose::Queue => method == Section::Take.name() && items.is_empty(),
            Purpose::Lock | Purpose::ReadWrite | Purpose::Election => false,
        };
        let mut late = self.calls.iter().filter(|(_, call)| !may_wait(&call.method));
        if let Some((who, Under { method, since })) = late.next() {
            let (who, for_us) = (*who, world.now.since(*since));
            let (object, method) = (OBJECT.to_string(), method.to_string());
            return Some(match waits(world, who) {
                None => (Law::Progress, Misuse::StillWaits { who, object, method, for_us }),
                Some(watched) if checker.stands(&watched) => {
                    (Law::Woken, Misuse::StillWaits { who, object, method, for_us })
                }
                Some(watched) => {
                    let watched = watched.to_string();
                    (Law::Woken, Misuse::NotWoken { who, object, watched, late_us: for_us })
                }
            });
        }
        // nothing went wrong, there was something to get, and nobody got it
        let quiet = self.trouble.is_none();
        let (path, calls) = (self.path.to_string(), self.wanted);
        let nobody = quiet && calls > 0 && self.got == 0;
        let nobody = nobody.then_some((Law::Progress, Misuse::NobodyGets { path, calls }));
        let (put, taken, left) = (self.put, self.taken.len(), items.len());
        match purpose {
            Purpose::Queue if quiet && put > taken + left => {
                Some((Law::TakenOnce, Misuse::ItemsLost { put, taken, left }))
            }
            Purpose::Queue => nobody.filter(|_| self.alone),
            Purpose::Barrier => None,
            _ if !checker.holds().is_empty() => None,
            _ => match items.first() {
                Some(node) => Some((Law::NothingLeft, Misuse::LeftBehind { node: node.to_string() })),
                None => nobody,
            },
        }
    }
}

/// The node whose watch a thread waits for.
fn waits(world: &World, (client, thread): Who) -> Option<Rc<str>> {
    let app = world.clients.get(&client)?.app.as_ref()?;
    app.own_recipes().flat_map(|(.., places)| places).find_map(|at| match at.doing {
        Activity::Waits(watched) if at.thread == thread => Some(watched),
        _ => None,
    })
}
