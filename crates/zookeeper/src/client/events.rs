//! Who is told what: notifications from the server, changes of the connection, removed watches (`EventThread`).

use std::rc::Rc;

use crate::base::{SortedSet, Zxid};
use crate::wire::{Code, EventType, KeeperState, WatchedEvent};

use super::io::{Fact, Outbox, Output, State};
use super::library::Client;
use super::watchers::{DEFAULT, Removed};

impl Client {
    /// A notification arrived.
    pub(in crate::client) fn notified(&mut self, zxid: Option<Zxid>, event: WatchedEvent, out: &mut Outbox) {
        out.fact(Fact::Notified { zxid, event: event.clone() });
        let Some(path) = event.path.as_ref().map(|path| self.chroot.to_client(path)) else { return };
        let called = self.watches.materialize(event.kind, &path);
        let event = WatchedEvent { path: Some(path), ..event };
        for watcher in called {
            tell(watcher, &event, out);
        }
    }

    /// The connection's state changed: the default Watcher hears of it and every registered one, each once. The same state
    /// twice in a row is told once.
    pub(in crate::client) fn state_changed(&mut self, state: KeeperState, out: &mut Outbox) {
        if std::mem::replace(&mut self.told, state) == state || self.config.outside.is_some() {
            return;
        }
        let event = WatchedEvent::state(state);
        tell(DEFAULT.into(), &event, out);
        for watcher in self.watches.everybody() {
            tell(watcher, &event, out);
        }
    }

    /// Watchers were removed on request; with the error that the server gave, or the lost connection. As in Java, the state
    /// in this event counts as told: when a connection is lost with a local removal under way, nobody hears `Disconnected`.
    pub(in crate::client) fn tell_removed(
        &mut self,
        path: &Rc<str>,
        removed: SortedSet<(Rc<str>, Removed)>,
        error: Option<Code>,
        out: &mut Outbox,
    ) {
        if matches!(self.state, State::Expired | State::Closed | State::AuthFailed) {
            return; // the thread that calls Watchers has ended
        }
        let lost = matches!(error, Some(Code::ConnectionLoss | Code::SessionExpired));
        let state = if lost { KeeperState::Disconnected } else { KeeperState::SyncConnected };
        for (watcher, what) in removed {
            self.told = state;
            tell(watcher, &WatchedEvent { kind: what.event(), path: Some(path.clone()), state }, out);
        }
    }
}

fn tell(watcher: Rc<str>, event: &WatchedEvent, out: &mut Outbox) {
    debug_assert!(event.path.is_some() || event.kind == EventType::None);
    out.fact(Fact::WatcherCalled { watcher: watcher.clone(), event: event.clone() });
    out.push(Output::Event(watcher, event.clone()));
}
