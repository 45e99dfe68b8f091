//! English: what happens in the programs on clients: recipes and their threads.

use crate::base::ClientId;
use crate::check::Double;
use crate::i18n::text;
use crate::recipes::{ConnectionState, Fact, ReleaseReason, Share, ThreadId};

/// Who went on believing, since when its node is gone, and who has it too.
pub(super) fn double(double: &Double) -> String {
    let Double { path, client, thread, gone, other, other_thread, .. } = double;
    let (believer, holder) = (who(*client, *thread), who(*other, *other_thread));
    format!("{believer} still believes it holds {path}; its node was deleted at {gone}, and {holder} holds it too.")
}

/// A fact as a sentence.
pub(super) fn sentence(client: ClientId, fact: &Fact) -> String {
    match fact {
        Fact::RecipeMade { object, recipe, path } => {
            let recipe = recipe.replace('_', " ");
            format!("{client} creates {}: {recipe} on {}.", text::quoted(object), text::quoted(path))
        }
        Fact::ConnectionState { state } => connection(client, *state),
        Fact::StateHeldBack { state } => {
            format!("The circuit breaker of {client} is open: its listeners are not told of {}.", state.name())
        }
        Fact::MethodCalled { thread, object, method } => {
            format!("{} calls {method} on {}.", who(client, *thread), text::quoted(object))
        }
        Fact::MethodReturned { thread, object, method, outcome } => {
            let came = match outcome {
                Ok(value) => text::quoted(&value.to_string()),
                Err(exception) => exception.class(),
            };
            format!("{method} on {} returns {came} to {}.", text::quoted(object), who(client, *thread))
        }
        Fact::Callback { object, callback } => {
            format!("The listener of {} at {client} is called: {callback}.", text::quoted(object))
        }
        Fact::WaitsBehind { thread, watched, ahead, .. } => {
            let place = if *ahead == 0 { String::new() } else { format!(" behind {ahead}") };
            format!("{} waits{place} and watches {}.", who(client, *thread), text::quoted(watched))
        }
        Fact::WaitsFor { thread, watched, .. } => {
            format!("{} waits for {} to appear.", who(client, *thread), text::quoted(watched))
        }
        Fact::Woken { thread, .. } => format!("{} wakes up and checks again.", who(client, *thread)),
        Fact::Acquired { thread, path, share, token, .. } => {
            let token = token.map_or(String::new(), |token| format!(", its node has czxid {token}"));
            format!("{} {} {}{token}.", who(client, *thread), has(*share), text::quoted(path))
        }
        Fact::Released { thread, path, reason, .. } => {
            format!("{} no longer holds {}: {}.", who(client, *thread), text::quoted(path), why(*reason))
        }
        Fact::GaveUp { thread, object } => format!("{} gives up on {}.", who(client, *thread), text::quoted(object)),
        Fact::Requeued { object } => format!("{client} queues again for {}.", text::quoted(object)),
        Fact::FoundProtected { node: path, own: true, .. } => {
            format!("{client} finds its node, whose name it never received: {}.", text::quoted(path))
        }
        Fact::FoundProtected { node: path, own: false, .. } => {
            format!("{client} finds {} of its dead session and deletes it.", text::quoted(path))
        }
        Fact::Consumed { thread, object, data } => {
            format!("{} takes {} from {}.", who(client, *thread), text::data(data), text::quoted(object))
        }
        Fact::AtLine { thread, object, line } => {
            format!("{} is at line {line} of {}.", who(client, *thread), text::quoted(object))
        }
        Fact::Keeps { thread, name, value, .. } => {
            format!("{} keeps {name} = {}.", who(client, *thread), text::quoted(value))
        }
        Fact::Told { thread, object, what, about } => {
            format!("{}, {}: {} {}.", who(client, *thread), text::quoted(object), told(what), text::quoted(about))
        }
    }
}

/// The rule behind a fact.
pub(super) fn rule(fact: &Fact) -> Option<&'static str> {
    match fact {
        Fact::Woken { .. } => Some("Being notified is not owning the lock: only the child list decides."),
        Fact::ConnectionState { state: ConnectionState::Suspended } => {
            Some("Nobody knows now whether the session is alive: a holder must not rely on it.")
        }
        Fact::ConnectionState { state: ConnectionState::Lost } => {
            Some("Its ephemeral nodes are gone, or will be when the servers notice.")
        }
        Fact::StateHeldBack { .. } => Some(
            "A connection that comes and goes would restart every recipe each time: they are told once it is stable.",
        ),
        Fact::FoundProtected { own: true, .. } => {
            Some("The reply was lost, the node was not: the unique part of its name identifies its owner.")
        }
        _ => None,
    }
}

fn connection(client: ClientId, state: ConnectionState) -> String {
    match state {
        ConnectionState::Connected => format!("The program of {client} is CONNECTED."),
        ConnectionState::Suspended => format!("The program of {client} is SUSPENDED: it has no connection."),
        ConnectionState::Reconnected => format!("The program of {client} is RECONNECTED."),
        ConnectionState::Lost => format!("The program of {client} treats its session as LOST."),
    }
}

/// A client, and its thread where it is not the first.
fn who(client: ClientId, thread: ThreadId) -> String {
    if thread == ThreadId::MAIN || !thread.is_valid() { client.to_string() } else { format!("{client}/{thread}") }
}

fn has(share: Share) -> &'static str {
    match share {
        Share::Exclusive => "acquires the lock",
        Share::Read => "acquires the read lock",
        Share::Lease { .. } => "acquires a lease of",
        Share::Leader => "becomes leader at",
    }
}

fn why(reason: ReleaseReason) -> &'static str {
    match reason {
        ReleaseReason::Released => "it releases it",
        ReleaseReason::Suspended => "without a connection it cannot be sure",
        ReleaseReason::Lost => "its session is lost",
        ReleaseReason::Closed => "it was closed",
        ReleaseReason::Displaced => "its node is no longer first",
    }
}

/// What programs tell of their own kind, as the middle of a sentence.
pub(super) fn told(what: &str) -> &str {
    match what {
        "failed_at" => "its consumer throws at",
        "count_changed" => "the listener gets",
        "made_it" => "the number is now",
        "lost_race" => "lost the race for",
        "configured" => "the configuration is now",
        "follows" => "the addresses are now",
        "leads" => "is the master:",
        "stands_by" => "stands by behind",
        "buries" => "takes back all tasks of",
        "assigns" => "assigns a task to a worker:",
        "runs_from" => "runs, resuming from",
        "collects" => "collects from",
        "moves" => "moves a source to a collector:",
        "recognised" => "uses, to go by its node's name,",
        "waits_no_more" => "waits no more, by its node",
        "returns_lease" => "releases the lease",
        "adopts" => "finds a node of this name and adopts it:",
        "registers_again" => "has a new connection and registers again:",
        "cache_created" => "its copy has a new node:",
        "cache_changed" => "its copy has new data for",
        "cache_deleted" => "its copy drops",
        "orphans_lease" => "holds a lease that nobody will release:",
        other => other,
    }
}
