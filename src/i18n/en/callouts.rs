//! English: the few words at the place where something happens.

use crate::base::Epoch;
use crate::base::rows::names;
use crate::i18n::text;
use crate::server::TurnedAway;
use crate::view::Said;
use crate::zab::{LeaveReason, SyncKind};

use super::programs;

/// What stands at a machine or client.
pub(super) fn callout(said: &Said) -> String {
    match said {
        Said::Remark([english, _]) => english.clone(),
        Said::Oracle(true) => "oracle: 1, may go on alone".into(),
        Said::Oracle(false) => "oracle: 0, may not".into(),
        Said::ReadsOnly => "serves reads only".into(),
        Said::InProcess(count) => format!("{count} in process: reads no more"),
        Said::QuorumWait => "waits for a quorum: initLimit".into(),
        Said::Sync(SyncKind::Trunc, to, _) => format!("must cut all behind {to}"),
        Said::Sync(SyncKind::Snap, ..) => "gets the whole state".into(),
        Said::Sync(SyncKind::Diff, to, count) => format!("gets the {count} it lacks, up to {to}"),
        Said::QuorumWaitOver => "initLimit is over: gives up".into(),
        Said::Silence => "hears nothing: syncLimit".into(),
        Said::LeftOffice(epoch, reason) => left_office(*epoch, *reason),
        Said::Dropped => "silent for syncLimit: dropped".into(),
        Said::ClockAhead(ms) => format!("clock {}", text::ahead(*ms)),
        Said::Counter(at, end) => format!("counter {at} of {end}: used up"),
        Said::Votes(who, of) => format!("{} of {of} votes: {}", who.len(), names(*who)),
        Said::Majorities(zxid, (old, of), (new, of_new)) => {
            format!("{zxid}: old {old} of {of}, new {new} of {of_new}")
        }
        Said::Session(true) => "local session".into(),
        Said::Session(false) => "global session".into(),
        Said::Upgraded => "local → global session".into(),
        Said::CircuitOpen => "circuit open: hears nothing".into(),
        Said::Hides(what) => format!("hidden: {what}"),
        Said::Line(word, line) => format!("{word} → {line}"),
        Said::TurnedAway(client, reason) => format!("{client}: {}", turned_away(*reason)),
        Said::Error(name) => (*name).into(),
        Said::Read(path, data) => format!("reads {path} = {data}"),
        Said::ReadTogether(all) => {
            format!("{}: {} together", text::values(all, ", "), all.iter().map(|(_, value)| value).sum::<i64>())
        }
        Said::Missed { read, newest, at } => format!("reads {read}; {newest} is at {}", names(*at)),
        Said::KeepsWatch(client, path) => format!("keeps a watch of {client} on {path}"),
        Said::OneTransaction(steps) => format!("one transaction: {}", steps.join(" ")),
        Said::OfOne(true) => "joins: counts in the new".into(),
        Said::OfOne(false) => "leaves: counts in the old".into(),
        Said::Hears(state) => format!("hears {}", state.name()),
        Said::Takes(item) => format!("takes {item}"),
        Said::NoQuorum(there, of) => format!("{}: {} of the future {of}", names(*there), there.len()),
        Said::Copy(all) => all.iter().map(|(what, name)| copied(what, name)).collect::<Vec<_>>().join(", "),
        Said::Told(what, about) => format!("{} {about}", programs::told(what)),
    }
}

/// What a program's copy has found.
fn copied(what: &str, name: &str) -> String {
    let found = match what {
        "cache_created" => "new",
        "cache_deleted" => "gone",
        _ => "changed",
    };
    format!("{name} {found}")
}

/// Why a leader leads no more.
fn left_office(epoch: Epoch, reason: LeaveReason) -> String {
    let why = match reason {
        LeaveReason::NoQuorum | LeaveReason::OnlyObservers => "no majority",
        LeaveReason::CounterUsedUp => "counter used up",
        LeaveReason::LaterEpochPromised | LeaveReason::OlderEpoch => "later epoch promised",
        LeaveReason::DiskFailed | LeaveReason::SnapshotFailed => "its disk fails",
        LeaveReason::Reconfigured => "reconfigured",
        _ => return format!("epoch {epoch} is over"),
    };
    format!("{why}: epoch {epoch} is over")
}

/// Why a client is not served.
fn turned_away(reason: TurnedAway) -> &'static str {
    match reason {
        TurnedAway::LeaderOnly => "no, it only leads",
        TurnedAway::TooManyConnections => "one too many",
        TurnedAway::NotReadOnlyClient => "no, reads only",
        TurnedAway::NoLocalSessions => "no, needs a leader",
        TurnedAway::GlobalSession => "no, its session is global",
        TurnedAway::ServerBehind => "no, it has seen more",
        TurnedAway::WrongPassword => "wrong password",
        TurnedAway::SessionGone => "session unknown here",
        TurnedAway::TooLong => "too long a request",
        TurnedAway::Unimplemented => "no such request",
        TurnedAway::NotServing | TurnedAway::Moved | TurnedAway::Replaced => "no",
    }
}
