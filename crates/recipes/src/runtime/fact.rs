//! What happens in a program, as everybody may read it.

use serde::{Deserialize, Serialize};
use std::rc::Rc;

use crate::base::Zxid;
use crate::base::{self, Name};
use crate::wire::Bytes;

use crate::curator::ConnectionState;
use crate::runtime::thread_id::ThreadId;
use crate::runtime::value::Outcome;

/// A fact of a program. `object` names the recipe.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Fact {
    /// The program has a new object.
    RecipeMade {
        /// Its name.
        object: Rc<str>,
        /// Its kind.
        #[serde(deserialize_with = "base::name")]
        recipe: Name,
        /// Its path.
        path: Rc<str>,
    },
    /// What listeners to the connection are told (`ConnectionState.java`).
    ConnectionState {
        /// The state.
        state: ConnectionState,
    },
    /// The circuit breaker is open: listeners are not told of this state, or only later
    /// (`CircuitBreakingConnectionStateListener.java`).
    StateHeldBack {
        /// The state.
        state: ConnectionState,
    },
    /// A thread calls a method.
    MethodCalled {
        /// The thread.
        thread: ThreadId,
        /// The object.
        object: Rc<str>,
        /// The method.
        method: Rc<str>,
    },
    /// The method came back.
    MethodReturned {
        /// The thread.
        thread: ThreadId,
        /// The object.
        object: Rc<str>,
        /// The method.
        method: Rc<str>,
        /// What it came to.
        outcome: Outcome,
    },
    /// A listener is called.
    Callback {
        /// The object that calls it.
        object: Rc<str>,
        /// Which method of it: `isLeader`, `notLeader`, `takeLeadership` …
        #[serde(deserialize_with = "base::name")]
        callback: Name,
    },
    /// A thread waits behind another's node.
    WaitsBehind {
        /// The thread.
        thread: ThreadId,
        /// The object.
        object: Rc<str>,
        /// The own node; empty where it has none.
        node: Rc<str>,
        /// The node that it watches.
        watched: Rc<str>,
        /// How many nodes are before its own.
        ahead: u32,
    },
    /// A thread waits until a node is made.
    WaitsFor {
        /// The thread.
        thread: ThreadId,
        /// The object.
        object: Rc<str>,
        /// The own node.
        node: Rc<str>,
        /// The node that is to come.
        watched: Rc<str>,
    },
    /// A waiting thread was woken and looks again.
    Woken {
        /// The thread.
        thread: ThreadId,
        /// The object.
        object: Rc<str>,
    },
    /// A thread has it: the lock, the lease, leadership.
    Acquired {
        /// The thread.
        thread: ThreadId,
        /// The object.
        object: Rc<str>,
        /// What is held: the path that all contenders share.
        path: Rc<str>,
        /// The own node.
        node: Rc<str>,
        /// How it is held.
        share: Share,
        /// The node's czxid: a token that grows from holder to holder. None where the reply that told it was lost.
        #[serde(skip_serializing_if = "Option::is_none")]
        token: Option<Zxid>,
    },
    /// A thread no longer has it, as far as it knows.
    Released {
        /// The thread.
        thread: ThreadId,
        /// The object.
        object: Rc<str>,
        /// What was held.
        path: Rc<str>,
        /// What ended it: a release, SUSPENDED, LOST …
        reason: ReleaseReason,
    },
    /// A thread gives up to wait.
    GaveUp {
        /// The thread.
        thread: ThreadId,
        /// The object.
        object: Rc<str>,
    },
    /// It stands in the queue once more.
    Requeued {
        /// The object.
        object: Rc<str>,
    },
    /// The reply to a create was lost, and the node was found by the name's unique part.
    FoundProtected {
        /// The thread.
        thread: ThreadId,
        /// The node.
        node: Rc<str>,
        /// Whether it belongs to the present session; another's is deleted.
        own: bool,
    },
    /// A queue's consumer has an item.
    Consumed {
        /// The thread.
        thread: ThreadId,
        /// The object.
        object: Rc<str>,
        /// The item's data.
        data: Bytes,
    },
    /// A thread comes to a line of a program of one's own.
    AtLine {
        /// The thread.
        thread: ThreadId,
        /// The object.
        object: Rc<str>,
        /// The line of the program's text, from 1.
        line: u32,
    },
    /// A thread keeps a value in a program of one's own.
    Keeps {
        /// The thread.
        thread: ThreadId,
        /// The object.
        object: Rc<str>,
        /// The value's name.
        name: Rc<str>,
        /// The value as a text; of a list the names in it.
        value: Rc<str>,
    },
    /// The program does something noteworthy of its own kind.
    Told {
        /// The thread.
        thread: ThreadId,
        /// The object.
        object: Rc<str>,
        /// What: a short, stable word, whose phrase stands in `told` of `programs.rs` in each language.
        #[serde(deserialize_with = "base::name")]
        what: Name,
        /// About what.
        about: Rc<str>,
    },
}

/// What a part of another recipe says that has waited and now has the lock.
pub const WAITS_NO_MORE: &str = "waits_no_more";

/// How something is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Share {
    /// By one at a time.
    Exclusive,
    /// By any number of readers.
    Read,
    /// By as many as there are leases.
    Lease {
        /// How many there are.
        of: u32,
    },
    /// By a leader.
    Leader,
}

/// Why something is no longer held.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReleaseReason {
    /// It was given back.
    Released,
    /// The connection is suspended, and the program is careful.
    Suspended,
    /// The session is lost.
    Lost,
    /// The object was closed.
    Closed,
    /// Its node is gone, or is not the first any more.
    Displaced,
}

/// Where a thread stands in a recipe; what a picture of the client shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// A method is under way.
    Busy {
        /// The method's name in scripts.
        method: Rc<str>,
    },
    /// It waits behind another's node.
    Waiting {
        /// The own node.
        node: Rc<str>,
        /// The node that it watches.
        watched: Rc<str>,
        /// How many are before it.
        ahead: u32,
    },
    /// It has it.
    Holding {
        /// The own node.
        node: Rc<str>,
        /// Alone, to read, a lease, or as leader.
        share: Share,
        /// The node's czxid.
        token: Option<Zxid>,
    },
}
