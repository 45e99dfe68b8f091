//! The connection as a program sees it: CONNECTED, SUSPENDED, RECONNECTED, LOST, and the new handle after a lost session
//! (`ConnectionStateManager.java`, `ConnectionState.java`, `CuratorFrameworkImpl.java` `validateConnection`).

use crate::wire::KeeperState;

use super::circuit::{Circuit, Passed};
use super::state::ConnectionState;

use crate::runtime::context::{Boxed, Cx, Effect, Frame};
use crate::runtime::fact::Fact;
use crate::runtime::thread::{Flow, Resume, Wake};
use crate::runtime::value::{Exception, Value};

/// What threads wait on that wait for a connection.
pub(crate) const CONNECTION: &str = "connection";

impl Cx<'_> {
    /// The library's default Watcher is called: its connection changed.
    pub(crate) fn library_state(&mut self, state: KeeperState) {
        match state {
            KeeperState::SyncConnected | KeeperState::ConnectedReadOnly => self.connected(),
            KeeperState::Disconnected => self.suspended(),
            KeeperState::Expired => self.expired(),
            KeeperState::Closed if self.core.curator.is_kazoo => {
                self.core.curator.connected = false;
                self.tell(ConnectionState::Lost);
                self.notify(&CONNECTION.into());
            }
            _ => self.core.curator.connected = false,
        }
    }

    /// There is a connection, with the old session or a new one.
    pub(crate) fn connected(&mut self) {
        self.core.curator.connected = true;
        self.core.curator.lost_at = None;
        match self.core.curator.state {
            None => self.tell(ConnectionState::Connected),
            Some(ConnectionState::Suspended | ConnectionState::Lost) if self.core.curator.is_kazoo => {
                self.tell(ConnectionState::Connected);
            }
            Some(ConnectionState::Suspended | ConnectionState::Lost) => self.tell(ConnectionState::Reconnected),
            Some(ConnectionState::Connected | ConnectionState::Reconnected) => {}
        }
        self.notify(&CONNECTION.into());
    }

    /// There is none, or a background operation has given up.
    pub(crate) fn suspended(&mut self) {
        self.core.curator.connected = false;
        if matches!(self.core.curator.state, Some(ConnectionState::Suspended | ConnectionState::Lost)) {
            return;
        }
        if self.core.curator.is_kazoo {
            // only a server ends the session, and watches are not set again (`KazooClient._reset_watchers`)
            self.library.forget_watches();
        } else {
            self.core.curator.lost_at = Some(self.now.plus(self.core.curator.expiration(self.library.timeout_ms)));
        }
        self.tell(ConnectionState::Suspended);
    }

    /// The session is over: the handle is replaced by a new one, which will have a session of its own.
    fn expired(&mut self) {
        self.core.curator.connected = false;
        self.core.curator.lost_at = None;
        self.core.curator.watches.clear();
        self.library.reopen(self.now, &mut self.out.library);
        self.tell(ConnectionState::Lost);
    }

    /// SUSPENDED has lasted too long: the session counts as lost, though the servers may still have it.
    pub(crate) fn lost_by_timer(&mut self) {
        self.core.curator.lost_at = None;
        if !self.core.curator.connected {
            self.library.abandon(&mut self.out.library);
        }
    }

    fn tell(&mut self, state: ConnectionState) {
        let curator = &mut self.core.curator;
        if curator.state.replace(state) == Some(state) {
            return;
        }
        match Circuit::pass(&mut curator.circuit, &curator.config, state, self.now) {
            Passed::On => self.deliver(state),
            Passed::HeldBack => self.fact(Fact::StateHeldBack { state }),
        }
    }

    /// Listeners are called.
    fn deliver(&mut self, state: ConnectionState) {
        self.fact(Fact::ConnectionState { state });
        self.core.effects.push_back(Effect::Connection(state));
    }

    /// The circuit breaker's pause is over.
    pub(crate) fn circuit_pause_over(&mut self) {
        let curator = &mut self.core.curator;
        if let Some(state) = Circuit::pause_over(&mut curator.circuit, &curator.config, self.now) {
            self.deliver(state);
        }
    }
}

/// Waits for the first connection, as long as it takes (`AfterConnectionEstablished.java`).
#[derive(Clone, Debug)]
pub(crate) struct AfterConnection;

impl AfterConnection {
    pub(crate) fn boxed() -> Boxed {
        Box::new(AfterConnection)
    }
}

impl Frame for AfterConnection {
    fn resume(&mut self, cx: &mut Cx<'_>, with: Resume) -> Flow {
        match with {
            Resume::Woken(Wake::Interrupted) => Flow::Return(Err(Exception::Interrupted)),
            _ if cx.core.curator.connected => Flow::Return(Ok(Value::Nothing)),
            _ => Flow::Wait { on: Some(CONNECTION.into()), until: None },
        }
    }
}
