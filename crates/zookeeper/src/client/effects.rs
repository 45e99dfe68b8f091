//! What an answer changes at the client: Watchers are registered and removed, the session ends (`WatchRegistration`,
//! `WatchDeregistration`).

use std::rc::Rc;

use crate::wire::{AddWatchMode, Answer, Code, Outcome, Request, WatcherType};

use super::io::Outbox;
use super::library::Client;
use super::watchers::{DEFAULT, Table};

/// What its end changes here. Paths are the application's.
#[derive(Clone, Debug)]
pub(in crate::client) enum Effect {
    None,
    /// A Watcher is registered (`WatchRegistration`).
    Watch {
        path: Rc<str>,
        watcher: Rc<str>,
        by: Setter,
    },
    /// A Watcher, or all, are removed (`WatchDeregistration`).
    Unwatch {
        path: Rc<str>,
        watcher: Option<Rc<str>>,
        kind: WatcherType,
        local: bool,
    },
    /// A wire client has removed its watches.
    Forget {
        path: Rc<str>,
        kind: WatcherType,
    },
    /// The session is closed.
    Close,
}

/// What sets a watch.
#[derive(Clone, Copy, Debug)]
pub(in crate::client) enum Setter {
    GetData,
    Exists,
    GetChildren,
    AddWatch(AddWatchMode),
}

impl Setter {
    /// Where the Watcher is registered, if this outcome sets a watch.
    fn table(self, outcome: &Outcome) -> Option<Table> {
        let absent = matches!(outcome, Err(Code::NoNode));
        match self {
            _ if outcome.is_err() && !absent => None,
            Setter::Exists if absent => Some(Table::Exist),
            Setter::Exists => Some(Table::Data),
            Setter::AddWatch(AddWatchMode::Persistent) => Some(Table::Persistent),
            Setter::AddWatch(AddWatchMode::PersistentRecursive) => Some(Table::Recursive),
            _ if absent => None,
            Setter::GetData => Some(Table::Data),
            Setter::GetChildren => Some(Table::Child),
        }
    }
}

/// What a request of the application changes here when it is answered; sets its watch flag where a Watcher was named.
pub(in crate::client) fn effect_of(
    request: &mut Request,
    watcher: Option<Rc<str>>,
    local: bool,
    raw: bool,
) -> Effect {
    let named = watcher.is_some();
    let watch = |path: &Rc<str>, watcher: Option<Rc<str>>, by| Effect::Watch {
        path: path.clone(),
        watcher: watcher.unwrap_or_else(|| DEFAULT.into()),
        by,
    };
    match request {
        Request::Exists { watch: flag, .. }
        | Request::GetData { watch: flag, .. }
        | Request::GetChildren { watch: flag, .. } => *flag |= named,
        _ => {}
    }
    match request {
        Request::Exists { path, watch: true } => watch(path, watcher, Setter::Exists),
        Request::GetData { path, watch: true } => watch(path, watcher, Setter::GetData),
        Request::GetChildren { path, watch: true, .. } => watch(path, watcher, Setter::GetChildren),
        Request::AddWatch { path, mode } => watch(path, watcher, Setter::AddWatch(*mode)),
        Request::RemoveWatches { path, kind } if raw => Effect::Forget { path: path.clone(), kind: *kind },
        Request::RemoveWatches { path, kind } => Effect::Unwatch { path: path.clone(), watcher, kind: *kind, local },
        Request::CloseSession => Effect::Close,
        _ => Effect::None,
    }
}

impl Client {
    /// Does it; the outcome as the application gets it.
    pub(in crate::client) fn take_effect(&mut self, effect: Effect, outcome: Outcome, out: &mut Outbox) -> Outcome {
        match effect {
            Effect::Watch { path, watcher, by } => {
                if let Some(table) = by.table(&outcome) {
                    self.watches.register(table, &path, &watcher);
                }
                outcome
            }
            Effect::Unwatch { path, watcher, kind, local } => {
                if !self.watches.contains(&path, watcher.as_ref(), kind) {
                    return Err(Code::NoWatcher);
                }
                match outcome {
                    Err(code) if !local => Err(code),
                    _ => {
                        let removed = self.watches.remove(&path, watcher.as_ref(), kind);
                        self.tell_removed(&path, removed, outcome.err(), out);
                        Ok(Answer::Done)
                    }
                }
            }
            Effect::Forget { path, kind } => {
                if outcome.is_ok() {
                    self.watches.remove(&path, None, kind);
                }
                outcome
            }
            Effect::None | Effect::Close => outcome,
        }
    }
}
