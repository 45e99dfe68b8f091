//! Plays a transcript, step by step.

use serde_json::{Value, json};
use std::collections::BTreeMap;

use crate::base::{ClientId, Zxid};
use crate::client::CallId;
use crate::sim::{Action, MoveTo};
use crate::wire::{EventType, KeeperState, WatchedEvent};

use super::ask::Ask;
use super::compare::difference;
use super::ensemble::Ensemble;
use super::heard::Heard;
use super::transcript::{Act, Deed, Step, Transcript};
use super::words::{Fields, Words, event, watched};
use super::{Failure, Problem, Stuck, setup};

/// An ensemble on its way through a transcript.
pub(super) struct Play {
    ensemble: Ensemble,
    start: Zxid,
    library: bool,
    /// How much of what each client was told was asked for.
    asked: BTreeMap<ClientId, usize>,
}

/// Calls that were asked for together.
struct Calls {
    client: ClientId,
    /// How much the client had been told before.
    from: usize,
    ids: Vec<CallId>,
}

impl Play {
    /// Plays a transcript until something goes otherwise than recorded.
    pub(crate) fn play(transcript: &Transcript, seed: u64) -> Result<(), Failure> {
        let failure = |step, deed: String, problem| Failure { step, deed, problem };
        let ensemble = setup::run(&transcript.properties, seed)
            .map_err(Stuck)
            .and_then(Ensemble::start)
            .map_err(|stuck| failure(0, "the ensemble starts".into(), Problem::Stuck(stuck)))?;
        let (start, library) = (ensemble.zxid(), transcript.is_of_library());
        let mut play = Play { ensemble, start, library, asked: BTreeMap::new() };
        for (index, step) in transcript.steps.iter().enumerate() {
            play.step(step).map_err(|problem| failure(index + 1, step.deed.to_string(), problem))?;
        }
        Ok(())
    }

    fn step(&mut self, step: &Step) -> Result<(), Problem> {
        let mut recorded = step.recorded.clone();
        if let (Deed::Ask { .. }, false) = (&step.deed, self.library) {
            recorded.entry("eventsBeforeReply").or_insert(json!([])); // it is left out where there were none
        }
        let mut got = self.carry_out(&step.deed).map_err(Problem::Stuck)?;
        if let (Some(Value::String(word)), Some(client)) = (recorded.get("state"), step.deed.client()) {
            let client = self.ensemble.client(client).map_err(Problem::Stuck)?;
            got.insert("state".into(), json!(self.ensemble.state(client).map(|state| state_like(word, state))));
        }
        difference(&recorded, &got).map_or(Ok(()), |difference| Err(Problem::Differs(difference)))
    }

    fn words(&self) -> Words<'_> {
        Words { ensemble: &self.ensemble, start: self.start, library: self.library }
    }

    fn carry_out(&mut self, deed: &Deed) -> Result<Fields, Stuck> {
        match deed {
            Deed::Act(act) => {
                let mut got = self.act(act)?;
                got.insert("zxid".into(), self.words().zxid(self.ensemble.zxid()));
                Ok(got)
            }
            Deed::Events { client, path } => self.events(client, path.as_deref()),
            Deed::State { .. } => Ok(Fields::new()),
            Deed::Ask { client, ask } => {
                let calls = self.ask(client, std::slice::from_ref(ask))?;
                let mut got = self.reply(&calls, 0, ask);
                got.insert("eventsBeforeReply".into(), self.events_before(&calls));
                Ok(got)
            }
            Deed::Pipeline { client, asks } => {
                let calls = self.ask(client, asks)?;
                let replies = asks.iter().enumerate();
                let replies = replies.map(|(index, ask)| self.reply(&calls, index, ask).into()).collect();
                let stream = self.stream(&calls);
                Ok([("replies".into(), Value::Array(replies)), ("stream".into(), stream)].into_iter().collect())
            }
        }
    }
}

/// What is done to sessions and servers.
impl Play {
    fn act(&mut self, act: &Act) -> Result<Fields, Stuck> {
        let ensemble = &mut self.ensemble;
        match act {
            Act::Connect { client, server, timeout_ms } => {
                let client = ensemble.open(client, server, *timeout_ms, !self.library)?;
                Ok(self.connected(client, 0))
            }
            Act::Close { client } => self.close(client),
            Act::Expire { client } => self.expire(client),
            Act::CutAndExpire { client } => self.cut_and_expire(client),
            Act::Disconnect { client } => {
                let client = ensemble.client(client)?;
                ensemble.disconnect(client)?;
                ensemble.wait("rest", |_| true)?;
                Ok(Fields::new())
            }
            Act::Reconnect { client, server, password, last_zxid_seen, keep_old_connection } => {
                let to = MoveTo {
                    server: server.id(),
                    wrong_password: password.is_some(),
                    claim_ahead: last_zxid_seen.is_some(),
                    keep_old: *keep_old_connection,
                };
                self.reconnect(client, to)
            }
            Act::AddAuth { client, scheme, auth } => self.add_auth(client, scheme, auth),
            Act::Pause { ms } => {
                ensemble.pause(*ms)?;
                ensemble.wait("rest", |_| true)?;
                Ok(Fields::new())
            }
            act => self.act_on_servers(act),
        }
    }

    fn act_on_servers(&mut self, act: &Act) -> Result<Fields, Stuck> {
        let ensemble = &mut self.ensemble;
        let mut ok = json!({});
        match act {
            Act::Crash { server } => {
                ensemble.act(Action::Crash { server: server.id() })?;
                ensemble.wait("rest", |_| true)?;
            }
            Act::Restart { server } => {
                ensemble.act(Action::Restart { server: server.id() })?;
                ensemble.wait(&format!("{server} to serve"), |ensemble| ensemble.role(*server).is_some())?;
                ok["role"] = json!(ensemble.role(*server));
            }
            Act::RestartAll { order } => {
                ensemble.restart_all(order)?;
                ensemble.wait("a leader", |ensemble| ensemble.leader().is_some())?;
                ok["leader"] = json!(ensemble.leader().map(|place| place.name()));
            }
            Act::AwaitLeader => {
                ensemble.wait("a leader", |ensemble| ensemble.leader().is_some())?;
                ok["leader"] = json!(ensemble.leader().map(|place| place.name()));
            }
            Act::AwaitNoQuorum => ensemble.wait("no server to serve", Ensemble::nobody_serves)?,
            Act::CheckContainers => {
                ensemble.pause(ensemble.container_check_ms() * 2)?;
                ensemble.wait("rest", |_| true)?;
            }
            _ => {}
        }
        Ok([("ok".to_string(), ok)].into_iter().collect())
    }

    fn close(&mut self, name: &str) -> Result<Fields, Stuck> {
        let client = self.ensemble.client(name)?;
        self.ensemble.close(client)?;
        Ok([("ok".to_string(), json!({}))].into_iter().collect())
    }

    /// The client falls silent: a wire client stays away by itself, the library would come back.
    fn expire(&mut self, name: &str) -> Result<Fields, Stuck> {
        let client = self.ensemble.client(name)?;
        let session = self.ensemble.session(client).ok_or_else(|| Stuck(format!("'{name}' has no session")))?;
        match self.library {
            true => self.ensemble.act(Action::KillClient { client })?,
            false => self.ensemble.disconnect(client)?,
        }
        self.ensemble.wait("the session to expire", |ensemble| ensemble.is_gone(session))?;
        Ok(Fields::new())
    }

    /// The library is kept away and then let back; a wire client comes back when it is told to.
    fn cut_and_expire(&mut self, name: &str) -> Result<Fields, Stuck> {
        let client = self.ensemble.client(name)?;
        let session = self.ensemble.session(client).ok_or_else(|| Stuck(format!("'{name}' has no session")))?;
        if !self.library {
            return self.expire(name);
        }
        let from = self.ensemble.told(client);
        self.ensemble.keep_away(client)?;
        self.ensemble.wait("the session to expire", |ensemble| ensemble.is_gone(session))?;
        self.ensemble.let_back(client);
        self.ensemble.wait("the client to hear of it", |ensemble| {
            ensemble.since(client, from).contains(&Heard::Ended(KeeperState::Expired))
        })?;
        Ok([("ok".to_string(), json!({}))].into_iter().collect())
    }

    /// Its answer carries nothing; a refusal ends the connection.
    fn add_auth(&mut self, name: &str, scheme: &str, auth: &str) -> Result<Fields, Stuck> {
        let client = self.ensemble.client(name)?;
        let from = self.ensemble.told(client);
        if self.ensemble.is_over(client) {
            return Ok([("error".to_string(), json!("ConnectionLoss"))].into_iter().collect());
        }
        self.ensemble.act(Action::AddAuth { client, scheme: scheme.into(), auth: Some(auth.into()) })?;
        self.ensemble.wait("rest", |_| true)?;
        let failed = self.ensemble.since(client, from).contains(&Heard::Ended(KeeperState::AuthFailed));
        let (field, value) = if failed { ("error", json!("AuthFailed")) } else { ("ok", json!({})) };
        Ok([(field.to_string(), value)].into_iter().collect())
    }

    fn reconnect(&mut self, name: &str, to: MoveTo) -> Result<Fields, Stuck> {
        let client = self.ensemble.client(name)?;
        let from = self.ensemble.told(client);
        self.ensemble.act(Action::MoveClient { client, to })?;
        self.ensemble.wait("an answer to CONNECT", |ensemble| {
            let over = |heard: &Heard| matches!(heard, Heard::Connected { .. } | Heard::Ended(_) | Heard::Lost);
            ensemble.since(client, from).iter().any(over)
        })?;
        Ok(self.connected(client, from))
    }

    /// What an attempt to connect came to.
    fn connected(&self, client: ClientId, from: usize) -> Fields {
        let came_to = self.ensemble.since(client, from).iter().find_map(|heard| match heard {
            Heard::Connected { timeout_ms, .. } => Some(("ok", json!({"negotiatedTimeoutMs": timeout_ms}))),
            Heard::Ended(KeeperState::Expired) => Some(("error", json!("SessionExpired"))),
            Heard::Lost => Some(("error", json!("ConnectionLoss"))),
            _ => None,
        });
        came_to.into_iter().map(|(name, value)| (name.to_string(), value)).collect()
    }
}

/// What clients ask, and what they are told.
impl Play {
    fn ask(&mut self, name: &str, asks: &[Ask]) -> Result<Calls, Stuck> {
        let client = self.ensemble.client(name)?;
        let from = self.ensemble.told(client);
        for ask in asks {
            let (watcher, local, on_old_connection) = (ask.watcher.clone(), ask.local, ask.on_old_connection);
            let request = ask.whole_request();
            self.ensemble.act(Action::Ask { client, request, watcher, local, on_old_connection })?;
        }
        let called = self.ensemble.since(client, from).iter().filter_map(|heard| match heard {
            Heard::Called(call) => Some(*call),
            _ => None,
        });
        let calls = Calls { client, from, ids: called.collect() };
        if calls.ids.len() != asks.len() {
            return Err(Stuck(format!("'{name}' took {} of {} calls", calls.ids.len(), asks.len())));
        }
        self.ensemble.wait("the reply", |ensemble| {
            let answered = |id: &CallId| ensemble.since(client, from).iter().any(|heard| heard.answers(*id));
            calls.ids.iter().all(answered)
        })?;
        Ok(calls)
    }

    fn reply(&self, calls: &Calls, index: usize, ask: &Ask) -> Fields {
        let words = self.words();
        let reply = self.ensemble.since(calls.client, calls.from).iter().find_map(|heard| match heard {
            Heard::Answered { call, zxid, outcome } if calls.ids.get(index) == Some(call) => Some((zxid, outcome)),
            _ => None,
        });
        let Some((zxid, outcome)) = reply else { return Fields::new() };
        let mut fields = words.outcome(&ask.request, outcome);
        fields.extend(zxid.map(|zxid| ("zxid".to_string(), words.zxid(zxid))));
        fields
    }

    /// Notifications between a request and its reply.
    fn events_before(&self, calls: &Calls) -> Value {
        let heard = self.ensemble.since(calls.client, calls.from).iter();
        let before = heard.take_while(|heard| !calls.ids.iter().any(|id| heard.answers(*id)));
        before.filter_map(Heard::notification).map(event).collect()
    }

    /// Replies and notifications in their order.
    fn stream(&self, calls: &Calls) -> Value {
        let heard = self.ensemble.since(calls.client, calls.from).iter();
        let word = |heard: &Heard| match calls.ids.iter().position(|id| heard.answers(*id)) {
            Some(index) => Some(json!({"reply": index})),
            None if self.library => heard.watched().map(|(watcher, told)| json!({"event": watched(watcher, told)})),
            None => heard.notification().map(|told| json!({"event": event(told)})),
        };
        heard.filter_map(word).collect()
    }

    fn events(&mut self, name: &str, path: Option<&str>) -> Result<Fields, Stuck> {
        let client = self.ensemble.client(name)?;
        let from = self.asked.insert(client, self.ensemble.told(client)).unwrap_or(0);
        let heard = self.ensemble.since(client, from).iter();
        let is_meant = |told: &WatchedEvent| path.is_none_or(|path| told.path.as_deref() == Some(path));
        let events = match self.library {
            true => {
                let watched = heard.filter_map(Heard::watched).filter(|(_, told)| is_meant(told));
                in_order_of_names(watched.collect())
            }
            false => heard.filter_map(Heard::notification).filter(|told| is_meant(told)).map(event).collect(),
        };
        Ok([("events".to_string(), events)].into_iter().collect())
    }
}

/// A client's state in the words of the record: those of `ZooKeeper.getState` are in capitals, all others are those of events.
/// After an expiry the former knows no more than that it is over.
fn state_like(word: &str, state: KeeperState) -> String {
    let of_client = word.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_');
    match state {
        state if !of_client => format!("{state:?}"),
        KeeperState::SyncConnected => "CONNECTED".into(),
        KeeperState::ConnectedReadOnly => "CONNECTEDREADONLY".into(),
        KeeperState::Disconnected => "CONNECTING".into(),
        KeeperState::AuthFailed => "AUTH_FAILED".into(),
        KeeperState::Expired | KeeperState::Closed => "CLOSED".into(),
    }
}

/// Which of several Watchers hears of one thing first is not defined: transcripts sort them.
fn in_order_of_names(mut told: Vec<(&str, &WatchedEvent)>) -> Value {
    for same in told.chunk_by_mut(|(_, one), (_, other)| heard_together(one, other)) {
        same.sort_by_key(|(watcher, told)| (*watcher, name_of(told.kind)));
    }
    told.into_iter().map(|(watcher, told)| watched(watcher, told)).collect()
}

/// Whether two calls of Watchers tell of one thing; a removal tells each Watcher what of its own was removed.
fn heard_together(one: &WatchedEvent, other: &WatchedEvent) -> bool {
    use EventType::{ChildWatchRemoved, DataWatchRemoved, PersistentWatchRemoved};
    let removal = |kind| matches!(kind, ChildWatchRemoved | DataWatchRemoved | PersistentWatchRemoved);
    one == other || one.path == other.path && removal(one.kind) && removal(other.kind)
}

fn name_of(kind: EventType) -> String {
    format!("{kind:?}")
}
