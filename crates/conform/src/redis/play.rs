//! Plays a recording step by step.

use std::collections::BTreeMap;

use crate::base::json::Json;
use crate::base::{ServerId, ServerSet, SimTime};
use crate::rivals::redis::{quoted, server_id};
use crate::sim::Action;

use super::compare::{Got, got_fits, reply_fits, show, show_got};
use super::recording::{CAME, Plain, Step, fields_of};
use super::scene::Scene;
use super::setup::{Names, run, setup};

/// So long it may take until replicas follow and Sentinels know each other, µs.
const BEGIN_US: u64 = 20_000_000;
/// A command that will have no answer is waited for so long, µs.
const WAITS_US: u64 = 20_000;

/// A play on its way.
pub(super) struct Play<'a> {
    recording: &'a Plain,
    pub scene: Scene,
    pub names: Names,
    /// When something was last done to machines.
    pub acted: SimTime,
    /// How many facts there were then.
    pub act_facts: usize,
    /// Links of replicas to their sources that are held or cut.
    broken: Vec<(ServerId, ServerId)>,
    /// How many facts there were when a log or its syncs were last asked for.
    pub asked: BTreeMap<(&'static str, ServerId), usize>,
}

/// Plays a recording.
///
/// # Errors
/// The first step that went otherwise, and how.
pub(super) fn play(recording: &Plain, seed: u64) -> Result<(), String> {
    let (redis, names) = setup(recording)?;
    let scene = Scene::new(run(redis, seed)?);
    let mut play = Play {
        recording,
        scene,
        names,
        acted: SimTime::ZERO,
        act_facts: 0,
        broken: Vec::new(),
        asked: BTreeMap::new(),
    };
    play.begin()?;
    for (at, step) in recording.steps.iter().enumerate() {
        play.step(step).map_err(|why| format!("step {} ({}): {why}", at + 1, described(step)))?;
    }
    Ok(())
}

fn described(step: &Step) -> String {
    let what = match (step.kind(), step.0.get("send")) {
        ("", Some(Json::List(words))) => {
            words.iter().map(|word| show(word).trim_matches('"').to_string()).collect::<Vec<_>>().join(" ")
        }
        ("", _) => "messages".into(),
        (kind, _) => format!("{kind} {}", step.text("server").unwrap_or_default()),
    };
    what.chars().take(80).flat_map(char::escape_debug).collect()
}

impl Play<'_> {
    /// Everybody is there: clients are connected, replicas follow, Sentinels know each other.
    fn begin(&mut self) -> Result<(), String> {
        for (name, _) in &self.recording.clients {
            let id = self.names.client(name)?;
            self.scene.client(id);
        }
        for (name, _) in self.recording.servers.iter().filter(|(_, server)| server.down) {
            self.scene.act(Action::Kill { server: self.names.server(name)? });
        }
        self.scene.settle();
        if self.recording.sentinel.is_some() {
            self.scene.pass(BEGIN_US);
        }
        let replicas = self
            .recording
            .servers
            .iter()
            .enumerate()
            .filter(|(_, (_, server))| server.replica_of.is_some() && !server.down);
        for number in replicas.map(|(at, _)| at as u8 + 1).collect::<Vec<_>>() {
            let until = self.scene.world.now.plus(BEGIN_US);
            while self.scene.info(server_id(number), "master_link_status")?.as_deref() != Some("up") {
                if self.scene.world.now >= until {
                    return Err(format!("{} does not follow", server_id(number)));
                }
                self.scene.pass(BEGIN_US / 200);
            }
        }
        self.scene.settle();
        Ok(())
    }

    fn step(&mut self, step: &Step) -> Result<(), String> {
        let looks = ["awaitEvent", "awaitRole", "awaitLink", "who", "events", "state", "syncs", "aof"];
        let acts = !looks.contains(&step.kind()) && !step.0.contains_key("messages");
        // what is waited for is counted from what was last done to machines, not from what clients said
        if acts && !["", "advance", "connect", "disconnect"].contains(&step.kind()) {
            (self.acted, self.act_facts) = (self.scene.world.now, self.scene.facts.len());
        }
        self.deed(step)?;
        if acts || CAME.iter().any(|came| step.0.contains_key(*came)) {
            self.scene.settle();
            self.closed_meanwhile(step)?;
            self.told_meanwhile(step)?;
        }
        Ok(())
    }

    fn deed(&mut self, step: &Step) -> Result<(), String> {
        match step.kind() {
            "" => self.client_step(step),
            "advance" => {
                let ms = step.number("ms")?;
                self.scene.pass(ms.unsigned_abs() * 1000);
                Ok(())
            }
            "connect" => self.connect(step),
            "disconnect" => {
                let id = self.names.client(step.need("client")?)?;
                self.scene.hang_up(id);
                Ok(())
            }
            "kill" | "terminate" | "start" | "stop" | "continue" | "clock" | "cutAof" => self.at_server(step),
            "holdLink" | "releaseLink" | "cutLink" | "healLink" => self.link(step),
            "cutOff" | "heal" => self.cut_off(step),
            "replicaOf" => self.replica_of(step),
            "state" => self.state(step),
            "syncs" => self.syncs(step),
            "aof" => self.aof(step),
            "awaitLink" => self.await_link(step),
            "awaitEvent" => self.await_event(step),
            "awaitRole" => self.await_role(step),
            "who" => self.who(step),
            // which Sentinel leads, and the order between them, differs from play to play
            _ => Ok(()),
        }
    }

    fn client_step(&mut self, step: &Step) -> Result<(), String> {
        let id = self.names.client(step.need("client")?)?;
        if let Some(expected) = step.0.get("messages") {
            return self.messages(id, expected);
        }
        let words = step.texts("send")?.ok_or("send is missing")?;
        let line = words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ");
        if step.is("replyNeverRead")? {
            // both are in the socket before the server reads
            self.scene.write(id, &line);
            self.scene.hang_up(id);
            return Ok(());
        }
        let waits = step.is("waits")?;
        let timeout = match step.0.contains_key("timeoutMs") {
            true => Some(step.number("timeoutMs")?.unsigned_abs() * 1000),
            false => waits.then_some(WAITS_US),
        };
        let got = self.scene.send(id, &line, timeout);
        if waits {
            return match got {
                Got::Timeout => Ok(()),
                got => Err(format!("waits: expected no answer, got {}", show_got(&got))),
            };
        }
        if got == Got::Timeout {
            self.scene.hang_up(id);
        }
        let expected = step.0.get("reply").ok_or("it has neither reply nor waits")?;
        match got_fits(expected, &got) {
            true => Ok(()),
            false => Err(format!("reply: expected {}, got {}", show(expected), show_got(&got))),
        }
    }

    fn messages(&mut self, id: ServerId, expected: &Json) -> Result<(), String> {
        let got = std::mem::take(&mut self.scene.client(id).messages);
        let Json::List(items) = expected else { return Err("messages is no list".into()) };
        let fits = items.len() == got.len() && items.iter().zip(&got).all(|(item, got)| reply_fits(item, got));
        let shown = || got.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        if fits { Ok(()) } else { Err(format!("messages: expected {}, got [{}]", show(expected), shown())) }
    }

    fn connect(&mut self, step: &Step) -> Result<(), String> {
        let (client, server) = (step.need("client")?, step.need("server")?);
        let (client, server) = (self.names.client(client)?, self.names.server(server)?);
        let listened = self.scene.connect(client, server);
        match (step.0.get("error"), listened) {
            (None, true) => Ok(()),
            (Some(Json::Text(error)), false) if error == "refused" => Ok(()),
            (expected, _) => {
                let got = if listened { "a connection" } else { "refused" };
                Err(format!("error: expected {}, got {got}", expected.map_or("a connection".into(), show)))
            }
        }
    }

    /// The machines of a host that a step means: the server, or what `what` names.
    fn machines(&self, step: &Step) -> Result<Vec<ServerId>, String> {
        let name = step.need("server")?;
        let what = step.texts("what")?.unwrap_or_else(|| vec!["redis".into()]);
        let machine = |what: &String| match what.as_str() {
            "redis" => self.names.server(name),
            "sentinel" => self.names.sentinel(name),
            other => Err(format!("what: there is no {other}")),
        };
        what.iter().map(machine).collect()
    }

    fn at_server(&mut self, step: &Step) -> Result<(), String> {
        let name = step.need("server")?;
        for server in self.machines(step)? {
            let power_loss = self.recording.servers.iter().any(|(known, of)| known == name && of.power_loss);
            match step.kind() {
                "kill" if power_loss => self.scene.act(Action::Crash { server }),
                "kill" => self.scene.act(Action::Kill { server }),
                "terminate" => self.scene.write(server, "SHUTDOWN"),
                "stop" => self.scene.act(Action::Pause { server }),
                "continue" => self.scene.act(Action::Resume { server }),
                "clock" => {
                    let ms = step.number("addMs")?;
                    self.scene.act(Action::ClockJump { server, ms });
                }
                "cutAof" => {
                    let bytes = step.number("bytes")?;
                    self.scene.write(server, &format!("truncate -s -{bytes} appendonly.aof"));
                }
                _ => {
                    if step.is("emptyDisk")? {
                        self.scene.act(Action::WipeDisk { server });
                    }
                    if let Some(source) = step.text("replicaOf") {
                        let source = self.names.server(source)?;
                        self.turned_round(server, source);
                        self.scene.write(server, &format!("replicaof {source} 6379"));
                    }
                    self.scene.act(Action::Restart { server });
                }
            }
        }
        Ok(())
    }

    fn link(&mut self, step: &Step) -> Result<(), String> {
        let replica = self.names.server(step.need("replica")?)?;
        let source = self.names.server(step.need("source")?)?;
        let set = |id: ServerId| [id].into_iter().collect::<ServerSet>();
        let (from, to) = (set(replica), set(source));
        match step.kind() {
            "releaseLink" | "healLink" => self.broken.retain(|link| *link != (replica, source)),
            _ => self.broken.push((replica, source)),
        }
        match step.kind() {
            "holdLink" => self.scene.act(Action::Cut { from, to, one_way: false }),
            "releaseLink" | "healLink" => self.scene.act(Action::Heal { from, to, one_way: false }),
            _ => {
                self.scene.act(Action::Cut { from, to, one_way: false });
                self.scene.write(replica, "CLIENT KILL TYPE master");
                self.scene.write(source, &format!("CLIENT KILL ADDR {replica}"));
            }
        }
        Ok(())
    }

    /// A broken link is that of a replica to its source. Where the source is to follow the former replica, that is another link,
    /// and it is whole.
    fn turned_round(&mut self, replica: ServerId, source: ServerId) {
        if self.broken.contains(&(source, replica)) {
            self.broken.retain(|link| *link != (source, replica));
            let set = |id: ServerId| [id].into_iter().collect::<ServerSet>();
            self.scene.act(Action::Heal { from: set(replica), to: set(source), one_way: false });
        }
    }

    /// A host can no longer reach the others; its clients still reach it.
    fn cut_off(&mut self, step: &Step) -> Result<(), String> {
        let name = step.need("server")?;
        let of = |name: &str| Ok::<_, String>([self.names.server(name)?, self.names.sentinel(name)?]);
        let from = of(name)?.into_iter().collect();
        let mut to = ServerSet::EMPTY;
        for other in self.names.servers().iter().filter(|other| *other != name) {
            to = to.union(of(other)?.into_iter().collect());
        }
        self.scene.act(match step.kind() {
            "cutOff" => Action::Cut { from, to, one_way: false },
            _ => Action::Heal { from, to, one_way: false },
        });
        Ok(())
    }

    fn replica_of(&mut self, step: &Step) -> Result<(), String> {
        let server = self.names.server(step.need("server")?)?;
        let line = match step.0.get("source") {
            Some(Json::Text(source)) => {
                let source = self.names.server(source)?;
                self.turned_round(server, source);
                format!("REPLICAOF {source} 6379")
            }
            Some(Json::Null) => "REPLICAOF NO ONE".into(),
            _ => return Err("source is missing".into()),
        };
        let reply = self.scene.ask(server, &line)?;
        let expected = step.0.get("reply").ok_or("reply is missing")?;
        match reply_fits(expected, &reply) {
            true => Ok(()),
            false => Err(format!("reply: expected {}, got {reply}", show(expected))),
        }
    }

    /// Which idle clients find their connection ended: always looked at after commands, kills and changes of roles, otherwise
    /// where it was recorded.
    fn closed_meanwhile(&mut self, step: &Step) -> Result<(), String> {
        let always = ["", "kill", "terminate", "replicaOf"].contains(&step.kind());
        if !always && !step.0.contains_key("connectionsClosed") {
            return Ok(());
        }
        let mut expected = step.texts("connectionsClosed")?.unwrap_or_default();
        let mut got = Vec::new();
        for (name, _) in &self.recording.clients {
            let client = self.scene.client(self.names.client(name)?);
            if client.connected && client.ended {
                (client.connected, client.ended) = (false, false);
                got.push(name.clone());
            }
        }
        expected.sort();
        got.sort();
        match expected == got {
            true => Ok(()),
            false => Err(format!("connectionsClosed: expected {expected:?}, got {got:?}")),
        }
    }

    /// What clients that waited were told, in order.
    fn told_meanwhile(&mut self, step: &Step) -> Result<(), String> {
        let mut got: Vec<(usize, String, Got)> = Vec::new();
        for (name, _) in &self.recording.clients {
            let client = self.scene.client(self.names.client(name)?);
            got.extend(client.told.drain(..).map(|(order, told)| (order, name.clone(), told)));
        }
        got.sort_by_key(|(order, ..)| *order);
        // a mark beside the list, or the list itself
        let (expected, any_order): (Vec<Json>, bool) = match (step.0.get("then"), step.0.get("thenInAnyOrder")) {
            (Some(Json::List(then)), None | Some(Json::Bool(false))) => (then.clone(), false),
            (Some(Json::List(then)), Some(Json::Bool(true))) | (None, Some(Json::List(then))) => (then.clone(), true),
            (None, None | Some(Json::Bool(_))) => (Vec::new(), false),
            _ => return Err("then is no list".into()),
        };
        let shown = || got.iter().map(|(_, name, told)| format!("{name}: {}", show_got(told))).collect::<Vec<_>>();
        let wrong = |at: usize, got: &[String]| {
            let one = |text: Option<String>| text.unwrap_or("nothing".into());
            Err(format!(
                "then[{at}]: expected {}, got {}",
                one(expected.get(at).map(show)),
                one(got.get(at).cloned())
            ))
        };
        let mut left: Vec<(String, Got)> = got.iter().map(|(_, name, told)| (name.clone(), told.clone())).collect();
        for (at, item) in expected.iter().enumerate() {
            let fields = fields_of(item);
            let fits = |(name, told): &(String, Got)| match fields.as_slice() {
                [(a, Json::Text(client)), (b, reply)] if a == "client" && b == "reply" => {
                    client == name && got_fits(reply, told)
                }
                _ => false,
            };
            let found =
                if any_order { left.iter().position(fits) } else { left.first().is_some_and(fits).then_some(0) };
            match found {
                Some(place) => drop(left.remove(place)),
                None => return wrong(at, &shown()),
            }
        }
        if left.is_empty() { Ok(()) } else { wrong(expected.len(), &shown()) }
    }
}
