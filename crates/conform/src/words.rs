//! What the simulation did, in the words of transcripts.

use serde_json::{Map, Value, json};

use crate::base::{SessionId, Zxid};
use crate::client::{CallOutcome, Failure};
use crate::wire::{Acl, Answer, Code, EventType, KeeperState, Outcome, Perms, Request, Stat, WatchedEvent};

use super::ensemble::Ensemble;

/// The fields of a step.
pub(super) type Fields = Map<String, Value>;

/// Writes zxids relative to the start, and sessions by the names of their clients.
pub(super) struct Words<'a> {
    /// Who knows the names.
    pub ensemble: &'a Ensemble,
    /// The leader's last zxid before the first step.
    pub start: Zxid,
    /// In the shorter words of the transcripts of the client library.
    pub library: bool,
}

impl Words<'_> {
    /// `E:C`: the epoch counts from the start; the counter too, while the epoch is the one of the start.
    pub(crate) fn zxid(&self, zxid: Zxid) -> Value {
        let epoch = i64::from(zxid.epoch()) - i64::from(self.start.epoch());
        let before = if epoch == 0 { self.start.counter() } else { 0 };
        format!("{epoch}:{}", i64::from(zxid.counter()) - i64::from(before)).into()
    }

    /// What a call came to: `ok`, or `error` and what belongs to it.
    pub(crate) fn outcome(&self, request: &Request, outcome: &CallOutcome) -> Fields {
        let fields = match (request, outcome) {
            (Request::Multi { .. }, Ok(answer @ Answer::Multi(parts))) => match answer.thrown() {
                Some(code) => json!({"error": code.name(), "results": self.refused_parts(parts)}),
                None if self.library => json!({"ok": {"results": parts.len()}}),
                None => json!({"ok": self.answer(answer)}),
            },
            (Request::Exists { .. }, Err(Failure::Code(Code::NoNode))) if self.library => json!({"ok": null}),
            (_, Ok(answer)) => json!({"ok": self.answer(answer)}),
            (_, Err(Failure::Code(code))) => json!({"error": code.name()}),
            (_, Err(Failure::IllegalArgument(message))) => json!({"error": "IllegalArgument", "message": message}),
        };
        match fields {
            Value::Object(fields) => fields,
            _ => Fields::new(),
        }
    }

    fn refused_parts(&self, parts: &[Outcome]) -> Vec<Value> {
        let codes = parts.iter().map(|part| part.as_ref().err().copied().unwrap_or(Code::Ok).name());
        codes.map(|code| if self.library { code.into() } else { json!({"error": code}) }).collect()
    }

    fn answer(&self, answer: &Answer) -> Value {
        match answer {
            Answer::Done => json!({}),
            Answer::Path(path) => json!({"path": path}),
            Answer::Created { path, stat } => json!({"path": path, "stat": self.stat(stat)}),
            Answer::Stat(stat) => json!({"stat": self.stat(stat)}),
            Answer::Data { data, stat } => json!({"data": data, "stat": self.stat(stat)}),
            Answer::Children { names, stat } => {
                let mut names = names.clone();
                names.sort(); // they are sorted in the record
                match stat {
                    Some(stat) => json!({"children": names, "stat": self.stat(stat)}),
                    None => json!({"children": names}),
                }
            }
            Answer::Acl { acl, stat } => {
                json!({"acl": acl.iter().map(acl_entry).collect::<Vec<_>>(), "stat": self.stat(stat)})
            }
            Answer::Number(number) => json!({"number": number}),
            Answer::Identities(who) => {
                json!({"clientInfo": who.iter().map(|who| json!({"scheme": who.scheme, "user": who.id})).collect::<Vec<_>>()})
            }
            Answer::Paths(paths) => {
                let mut paths = paths.clone();
                paths.sort_unstable(); // they come in the order of a hash table, and the recordings have them sorted
                json!({"ephemerals": paths})
            }
            Answer::Multi(parts) => {
                let part = |part: &Outcome| match part {
                    Ok(answer) => self.answer(answer),
                    Err(code) => json!({"error": code.name()}),
                };
                json!({"results": parts.iter().map(part).collect::<Vec<_>>()})
            }
        }
    }

    fn stat(&self, stat: &Stat) -> Value {
        json!({
            "czxid": self.zxid(stat.czxid),
            "mzxid": self.zxid(stat.mzxid),
            "pzxid": self.zxid(stat.pzxid),
            "version": stat.version,
            "cversion": stat.cversion,
            "aversion": stat.aversion,
            "ephemeralOwner": self.owner(stat.ephemeral_owner),
            "dataLength": stat.data_length,
            "numChildren": stat.num_children,
        })
    }

    fn owner(&self, session: SessionId) -> Value {
        match self.ensemble.owner(session) {
            _ if session == SessionId::NONE => 0.into(),
            Some(name) => name.into(),
            None => session.to_string().into(),
        }
    }
}

/// A notification.
pub(super) fn event(event: &WatchedEvent) -> Value {
    let mut fields = json!({"type": event.kind});
    if let Some(path) = &event.path {
        fields["path"] = json!(path);
    }
    if event.kind == EventType::None || event.state != KeeperState::SyncConnected {
        fields["state"] = json!(event.state);
    }
    fields
}

/// A Watcher's call.
pub(super) fn watched(watcher: &str, told: &WatchedEvent) -> Value {
    let mut fields = event(told);
    fields["watcher"] = watcher.into();
    fields
}

fn acl_entry(entry: &Acl) -> Value {
    let letters =
        [(Perms::READ, 'r'), (Perms::WRITE, 'w'), (Perms::CREATE, 'c'), (Perms::DELETE, 'd'), (Perms::ADMIN, 'a')];
    let perms: String =
        letters.into_iter().filter(|(perm, _)| entry.perms.any_of(*perm)).map(|(_, letter)| letter).collect();
    json!([perms, entry.who.scheme, entry.who.id])
}
