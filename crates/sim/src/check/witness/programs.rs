//! What is known of programs: who believes to hold what, who waits for which node, and whether the nodes behind that stand in
//! the committed state. The service knows nodes, programs know what they were told: the two differ while a holder is paused.

use std::rc::Rc;

use crate::base::{ClientId, SimTime, SortedMap, Zxid};
use crate::client;
use crate::recipes::{ConnectionState, Fact as Told, ReleaseReason, Share, ThreadId, WAITS_NO_MORE};
use crate::sim::{Fact, WorldFact};
use crate::store::Tree;

use super::doubles::Double;
use super::{Step, Witness};

/// A thread of a program.
pub type Who = (ClientId, ThreadId);

/// A thread believes to hold something.
#[derive(Clone, Debug, Hash)]
pub struct Hold {
    /// The thread that believes it.
    pub who: Who,
    /// The recipe's object in that program, by name.
    pub object: Rc<str>,
    /// What is held: the path that all contenders share.
    pub path: Rc<str>,
    /// Alone, to read, a lease, or as leader.
    pub share: Share,
    /// The node that gives the right.
    pub node: Standing,
    /// The first commit with which the node is gone, where it is.
    pub gone: Option<Zxid>,
    /// When it was acquired, in virtual time.
    pub since: SimTime,
}

/// A node as it was first seen: another with its name is another node.
#[derive(Clone, Debug, Hash)]
pub struct Standing {
    /// Its path.
    pub path: Rc<str>,
    /// When it was created, where that is known.
    pub czxid: Option<Zxid>,
}

impl Standing {
    fn is_in(&self, tree: &Tree) -> bool {
        tree.get(&self.path).is_some_and(|found| self.czxid.is_none_or(|czxid| found.czxid == czxid))
    }
}

/// A thread waits until a node goes.
#[derive(Clone, Debug, Hash)]
pub struct Wait {
    /// The node.
    pub watched: Standing,
    /// Since when it is gone.
    pub gone: Option<SimTime>,
}

/// One program.
#[derive(Clone, Copy, Debug, Default, Hash)]
pub struct AppView {
    /// What its listeners were told last.
    pub state: Option<ConnectionState>,
    /// Its process stands still.
    pub paused: bool,
    /// When it was told last that its session is lost.
    pub lost: Option<SimTime>,
    /// When it went on last after a pause.
    pub resumed: SimTime,
    /// When that was, or its connection changed last.
    pub changed: SimTime,
    /// The session timeout that it was granted, ms.
    pub timeout_ms: u32,
}

impl AppView {
    /// It runs and has a connection, as far as it knows.
    pub fn is_well(&self) -> bool {
        !self.paused && matches!(self.state, Some(ConnectionState::Connected | ConnectionState::Reconnected))
    }
}

/// All programs.
#[derive(Clone, Debug, Default, Hash)]
pub struct Programs {
    /// Who believes to hold what, the oldest first.
    pub holds: Vec<Hold>,
    /// Who waits for what.
    pub waits: SortedMap<(Who, Rc<str>), Wait>,
    /// Who lost with its session what it held since then, and has called nothing since.
    pub let_go: SortedMap<Who, SimTime>,
    /// Who went on believing while another had it.
    pub doubles: Vec<Double>,
    apps: SortedMap<ClientId, AppView>,
}

impl Programs {
    /// What is known of a client's program.
    pub fn app(&self, client: ClientId) -> AppView {
        self.apps.get(&client).copied().unwrap_or_default()
    }

    /// The other threads that believe to hold a path.
    pub fn others<'a>(&'a self, who: Who, path: &'a str) -> impl Iterator<Item = &'a Hold> {
        self.holds.iter().filter(move |hold| hold.who != who && *hold.path == *path)
    }

    pub(super) fn take_world(&mut self, fact: &WorldFact, now: SimTime) {
        match fact {
            WorldFact::ClientKilled { client } | WorldFact::ClientOpened { client, .. } => self.ends(*client),
            WorldFact::ClientPaused { client } => self.apps.get_or_default(*client).paused = true,
            WorldFact::ClientResumed { client } => {
                let app = self.apps.get_or_default(*client);
                (app.paused, app.resumed, app.changed) = (false, now, now);
            }
            _ => {}
        }
    }

    /// Its process is over: it believes nothing any more.
    fn ends(&mut self, client: ClientId) {
        self.holds.retain(|hold| hold.who.0 != client);
        self.waits.retain(|(who, _), _| who.0 != client);
        self.let_go.retain(|who, _| who.0 != client);
        self.apps.remove(&client);
    }

    pub(super) fn take_client(&mut self, client: ClientId, fact: &client::Fact, now: SimTime) {
        if let client::Fact::ClientConnected { timeout_ms, .. } = fact {
            let app = self.apps.get_or_default(client);
            (app.timeout_ms, app.changed) = (*timeout_ms, now);
            app.state.get_or_insert(ConnectionState::Connected); // a program that begins later is told nothing
        }
    }

    fn connection(&mut self, client: ClientId, state: ConnectionState, now: SimTime) {
        let app = self.apps.get_or_default(client);
        (app.state, app.changed) = (Some(state), now);
        if state == ConnectionState::Lost {
            app.lost = Some(now);
        }
    }

    /// Of several leases of a thread the youngest goes back first.
    fn released(&mut self, who: Who, object: &str, path: &str, reason: ReleaseReason) {
        let of = |hold: &Hold| hold.who == who && *hold.object == *object && *hold.path == *path;
        if let Some(at) = self.holds.iter().rposition(of) {
            let hold = self.holds.remove(at);
            if reason == ReleaseReason::Lost {
                self.let_go.insert(who, hold.since);
            }
        }
    }
}

impl Witness {
    /// A node as the committed state has it.
    pub fn standing(&self, path: &Rc<str>) -> Standing {
        let tree = self.histories.model(self.histories.tip());
        let czxid = tree.and_then(|tree| tree.get(path)).map(|node| node.czxid);
        Standing { path: path.clone(), czxid }
    }

    /// Whether a node stands in the committed state; where that is not kept, nobody can say no.
    pub fn stands(&self, node: &Standing) -> bool {
        self.histories.model(self.histories.tip()).is_none_or(|tree| node.is_in(tree))
    }

    /// The first commit with which a node is gone.
    fn gone_since(&self, node: &Standing) -> Option<Zxid> {
        let histories = &self.histories;
        let mut at = histories.tip();
        let mut since = None;
        while histories.model(at).is_some_and(|tree| !node.is_in(tree)) && since != Some(Zxid::ZERO) {
            since = Some(self.zxid(at));
            at = histories.parent(at);
        }
        since
    }

    /// Something was committed: nodes may be gone.
    pub(super) fn take_committed(&mut self, now: SimTime) {
        let mut programs = std::mem::take(&mut self.programs);
        for hold in programs.holds.iter_mut().filter(|hold| hold.gone.is_none()) {
            hold.gone = if self.stands(&hold.node) { None } else { self.gone_since(&hold.node) };
        }
        for wait in programs.waits.values_mut().filter(|wait| wait.gone.is_none()) {
            wait.gone = (!self.stands(&wait.watched)).then_some(now);
        }
        self.programs = programs;
    }

    /// What somebody gets by a fact, if it is about that.
    pub fn acquired(&self, step: &Step) -> Option<Hold> {
        let Fact::Program { client, fact: Told::Acquired { thread, object, path, node, share, token } } = step.fact
        else {
            return None;
        };
        let seen = self.standing(node);
        let node = Standing { czxid: token.or(seen.czxid), ..seen };
        let (who, object, path) = ((*client, *thread), object.clone(), path.clone());
        let gone = if self.stands(&node) { None } else { self.gone_since(&node) };
        // who writes may read: where the writer's node is gone, so is the right
        let mut own = self.programs.holds.iter().filter(|hold| hold.who == who && hold.path == path);
        let gone = gone.or_else(|| own.find_map(|hold| hold.gone).filter(|_| *share == Share::Read));
        Some(Hold { who, object, path, share: *share, node, gone, since: step.at })
    }

    pub(super) fn take_program(&mut self, client: ClientId, fact: &Told, step: &Step) {
        match fact {
            Told::ConnectionState { state } => self.programs.connection(client, *state, step.at),
            Told::WaitsBehind { thread, object, watched, .. } => {
                let watched = self.standing(watched);
                let gone = watched.czxid.is_none().then_some(step.at);
                self.programs.waits.insert(((client, *thread), object.clone()), Wait { watched, gone });
            }
            Told::Acquired { thread, object, .. } => {
                self.programs.waits.remove(&((client, *thread), object.clone()));
                if let Some(hold) = self.acquired(step) {
                    self.programs.doubles.extend(Double::of(&self.programs, &hold));
                    self.programs.holds.push(hold);
                }
            }
            Told::Released { thread, object, path, reason } => {
                self.programs.released((client, *thread), object, path, *reason);
            }
            Told::MethodCalled { thread, .. } => drop(self.programs.let_go.remove(&(client, *thread))),
            Told::GaveUp { thread, object }
            | Told::MethodReturned { thread, object, .. }
            | Told::Told { thread, object, what: WAITS_NO_MORE, .. } => {
                self.programs.waits.remove(&((client, *thread), object.clone()));
            }
            _ => {}
        }
    }
}
