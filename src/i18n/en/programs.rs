//! English: what happens in the programs on clients: recipes and their threads.

use crate::base::ClientId;
use crate::check::Double;
use crate::i18n::text;
use crate::recipes::{ConnectionState, Fact, ReleaseReason, Share, ThreadId};

/// Who went on believing, since when its node is gone, and who has it too.
pub(super) fn double(double: &Double) -> String {
    let Double { path, client, thread, gone, other, other_thread, .. } = double;
    let (believer, holder) = (who(*client, *thread), who(*other, *other_thread));
    format!("{believer} still believes to hold {path}; its node is gone since {gone}, and {holder} has it too.")
}

/// A fact as a sentence.
pub(super) fn sentence(client: ClientId, fact: &Fact) -> String {
    match fact {
        Fact::RecipeMade { object, recipe, path } => {
            let recipe = recipe.replace('_', " ");
            format!("{client} has {}: {recipe} on {}.", text::quoted(object), text::quoted(path))
        }
        Fact::ConnectionState { state } => connection(client, *state),
        Fact::MethodCalled { thread, object, method } => {
            format!("{} calls {method} of {}.", who(client, *thread), text::quoted(object))
        }
        Fact::MethodReturned { thread, object, method, outcome } => {
            let came = match outcome {
                Ok(value) => text::quoted(&value.to_string()),
                Err(exception) => exception.class(),
            };
            format!("{} has back from {method} of {}: {came}.", who(client, *thread), text::quoted(object))
        }
        Fact::Callback { object, callback } => {
            format!("The listener of {} at {client} is called: {callback}.", text::quoted(object))
        }
        Fact::WaitsBehind { thread, watched, ahead, .. } => {
            let place = if *ahead == 0 { String::new() } else { format!(", with {ahead} before it") };
            format!("{} waits{place} and watches {}.", who(client, *thread), text::quoted(watched))
        }
        Fact::WaitsFor { thread, watched, .. } => {
            format!("{} waits until {} is there.", who(client, *thread), text::quoted(watched))
        }
        Fact::Woken { thread, .. } => format!("{} is woken and looks again.", who(client, *thread)),
        Fact::Acquired { thread, path, share, token, .. } => {
            let token = token.map_or(String::new(), |token| format!(", its node has czxid {token}"));
            format!("{} {} {}{token}.", who(client, *thread), has(*share), text::quoted(path))
        }
        Fact::Released { thread, path, reason, .. } => {
            format!("{} no longer has {}: {}.", who(client, *thread), text::quoted(path), why(*reason))
        }
        Fact::GaveUp { thread, object } => format!("{} gives up on {}.", who(client, *thread), text::quoted(object)),
        Fact::Requeued { object } => format!("{client} queues again for {}.", text::quoted(object)),
        Fact::FoundProtected { node: path, own: true, .. } => {
            format!("{client} finds the node whose name it never heard: {}.", text::quoted(path))
        }
        Fact::FoundProtected { node: path, own: false, .. } => {
            format!("{client} finds {} of its dead session, and has it deleted.", text::quoted(path))
        }
        Fact::Consumed { thread, object, data } => {
            format!("{} takes {} from {}.", who(client, *thread), text::quoted(data), text::quoted(object))
        }
        Fact::Told { thread, object, what, about } => {
            format!("{}, {}: {} {}.", who(client, *thread), text::quoted(object), told(what), text::quoted(about))
        }
    }
}

/// The rule behind a fact.
pub(super) fn rule(fact: &Fact) -> Option<&'static str> {
    match fact {
        Fact::Woken { .. } => Some("To be woken is not to own: only the list of children tells."),
        Fact::ConnectionState { state: ConnectionState::Suspended } => {
            Some("Nobody can tell now whether the session lives: whoever holds something must not be sure of it.")
        }
        Fact::ConnectionState { state: ConnectionState::Lost } => {
            Some("Its ephemeral nodes are gone, or will be when the servers notice.")
        }
        Fact::FoundProtected { own: true, .. } => {
            Some("The reply was lost, the node was not: the unique part of its name tells whose it is.")
        }
        _ => None,
    }
}

fn connection(client: ClientId, state: ConnectionState) -> String {
    match state {
        ConnectionState::Connected => format!("The program of {client} is CONNECTED."),
        ConnectionState::Suspended => format!("The program of {client} is SUSPENDED: it has no connection."),
        ConnectionState::Reconnected => format!("The program of {client} is RECONNECTED."),
        ConnectionState::Lost => format!("The program of {client} counts its session as LOST."),
    }
}

/// A client, and its thread where it is not the first.
fn who(client: ClientId, thread: ThreadId) -> String {
    if thread == ThreadId::MAIN || !thread.is_valid() { client.to_string() } else { format!("{client}/{thread}") }
}

fn has(share: Share) -> &'static str {
    match share {
        Share::Exclusive => "has the lock",
        Share::Read => "has the read lock",
        Share::Lease { .. } => "has a lease of",
        Share::Leader => "leads at",
    }
}

fn why(reason: ReleaseReason) -> &'static str {
    match reason {
        ReleaseReason::Released => "it gives it back",
        ReleaseReason::Suspended => "without a connection it cannot be sure",
        ReleaseReason::Lost => "its session is lost",
        ReleaseReason::Closed => "it was closed",
        ReleaseReason::Displaced => "its node is not the first any more",
    }
}

/// What programs tell of their own kind, as the middle of a sentence.
fn told(what: &str) -> &str {
    match what {
        "failed_at" => "its consumer throws at",
        "count_changed" => "the listener hears",
        "made_it" => "the number is now",
        "lost_race" => "somebody was quicker at",
        "configured" => "the configuration is now",
        "follows" => "the addresses are now",
        "leads" => "is the master:",
        "stands_by" => "stands by behind",
        "buries" => "takes back all tasks of",
        "assigns" => "assigns",
        "runs_from" => "runs, and goes on from",
        "collects" => "collects from",
        "moves" => "gives out",
        "waits_no_more" => "waits no more, by its node",
        "returns_lease" => "gives back the lease",
        "orphans_lease" => "has a lease that nobody will give back:",
        other => other,
    }
}
