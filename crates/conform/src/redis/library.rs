//! What lock libraries send: redis-py's Lock and redlock-py, modelled call by call, and the traffic of each call compared.

use crate::base::ServerId;
use crate::base::json::Json;
use crate::rivals::redis::{Redis, Reply, ServerSetup, client_id, quoted, server_id};
use crate::sim::Action;

use super::compare::{Got, between, got_fits, number_fits, show, show_got};
use super::lock_py::LockPy;
use super::recording::{Library, Stage, Step, fields_of};
use super::redlock_py::RedlockPy;
use super::scene::Scene;
use super::setup::run;

/// What came of a call.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Outcome {
    /// Nothing.
    None,
    /// Yes or no.
    Bool(bool),
    /// A lock of Redlock, and for how long it is valid, ms.
    Held(Option<i64>),
    /// An exception, and what it says.
    Raises(&'static str, Option<&'static str>),
}

/// A command that was sent.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Sent {
    client: String,
    server: String,
    words: Vec<String>,
    got: Got,
}

/// Servers, and each client's connection to each.
pub(super) struct Bench {
    pub scene: Scene,
    clients: Vec<String>,
    servers: Vec<String>,
    dead: Vec<String>,
    sent: Vec<Sent>,
    tokens: u32,
}

/// What a script is called in a recording, and its text.
const SCRIPTS: &[(&str, &str)] = &[
    ("<script: compare and delete>", "@compareAndDelete"),
    ("<script: compare and set the limit anew>", "@compareAndPexpire"),
    (
        "<script: compare, then add to what is left or set anew>",
        "if redis.call('get', KEYS[1]) ~= ARGV[1] then return 0 end
         local left = redis.call('pttl', KEYS[1])
         if left < 0 then return 0 end
         local limit = ARGV[2]
         if ARGV[3] == '0' then limit = left + ARGV[2] end
         redis.call('pexpire', KEYS[1], limit)
         return 1",
    ),
];

impl Bench {
    /// A token that nobody had before.
    pub(super) fn token(&mut self) -> String {
        self.tokens += 1;
        format!("<random {}>", self.tokens)
    }

    /// All servers, in order.
    pub(super) fn servers(&self) -> Vec<String> {
        self.servers.clone()
    }

    /// Whether a server was killed.
    pub(super) fn is_dead(&self, server: &str) -> bool {
        self.dead.iter().any(|dead| dead == server)
    }

    fn console(&self, client: &str, server: &str) -> Option<ServerId> {
        let place = |names: &[String], name: &str| names.iter().position(|known| known == name);
        let at = place(&self.clients, client)? * self.servers.len() + place(&self.servers, server)?;
        u8::try_from(at + 1).ok().map(client_id)
    }

    /// A client sends a command to a server; the answer.
    pub(super) fn send(&mut self, client: &str, server: &str, words: &[&str]) -> Reply {
        let by_sha = words.first() == Some(&"EVALSHA");
        let wire = words.iter().map(|word| match SCRIPTS.iter().find(|(name, _)| name == word) {
            Some((_, text)) if by_sha => quoted(&format!("sha1:{text}")),
            Some((_, text)) => quoted(text),
            None => quoted(word),
        });
        let line = wire.collect::<Vec<_>>().join(" ");
        let got = match self.console(client, server) {
            Some(console) => self.scene.send(console, &line, None),
            None => Got::NotConnected,
        };
        let words = words.iter().map(|word| (*word).into()).collect();
        self.sent.push(Sent { client: client.into(), server: server.into(), words, got: got.clone() });
        match got {
            Got::Reply(reply) => reply,
            other => Reply::error(show_got(&other)),
        }
    }

    /// A script by its SHA1; one that the server does not know is loaded first.
    pub(super) fn evalsha(&mut self, client: &str, server: &str, script: &str, args: &[&str]) -> Reply {
        let words = [&["EVALSHA", script, "1"], args].concat();
        let reply = self.send(client, server, &words);
        match &reply {
            Reply::Error(text) if text.starts_with("NOSCRIPT") => {
                self.send(client, server, &["SCRIPT", "LOAD", script]);
                self.send(client, server, &words)
            }
            _ => reply,
        }
    }

    /// `2.4 s pass`, `n4 and n5 are dead`.
    fn happen(&mut self, what: &str) -> Result<(), String> {
        let words: Vec<&str> = what.split(|c: char| c.is_whitespace() || "(),;".contains(c)).collect();
        if words.contains(&"dead") {
            for server in self.servers().into_iter().filter(|server| words.contains(&server.as_str())) {
                let at = self.servers.iter().position(|known| *known == server).unwrap_or_default();
                self.scene.act(Action::Kill { server: server_id(at as u8 + 1) });
                self.dead.push(server);
            }
        } else if let Some(at) = words.iter().position(|word| *word == "s")
            && let Some(seconds) = at.checked_sub(1).and_then(|at| words.get(at))
        {
            let ms = millis(seconds).ok_or_else(|| format!("{seconds} is no time"))?;
            self.scene.pass(ms * 1000);
        } else {
            return Err(format!("what happens in {what:?}?"));
        }
        self.scene.settle();
        Ok(())
    }
}

/// Seconds with a fraction, as ms.
pub(super) fn millis(text: &str) -> Option<u64> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits = |text: &str| text.chars().all(|c| c.is_ascii_digit());
    if whole.is_empty() || !digits(whole) || !digits(fraction) || fraction.len() > 3 || whole.len() > 6 {
        return None;
    }
    Some(whole.parse::<u64>().ok()? * 1000 + format!("{fraction:0<3}").parse::<u64>().ok()?)
}

/// A library: it does what a call says.
pub(super) trait Model {
    /// Does a call of a client; `None` where it knows no such call.
    fn call(&mut self, client: &str, call: &str, bench: &mut Bench) -> Option<Outcome>;
}

pub(super) fn play(library: &Library, seed: u64) -> Result<(), String> {
    let names = |field: &str| -> Vec<String> {
        let all = library.stages.iter().flat_map(|stage| &stage.traffic);
        let mut names: Vec<String> = all.filter_map(|step| step.text(field).map(String::from)).collect();
        names.sort();
        names.dedup();
        names
    };
    let (clients, servers) = (names("client"), names("server"));
    let mut redis = Redis { servers: vec![ServerSetup::default(); servers.len()], ..Redis::default() };
    redis.consoles = clients.iter().flat_map(|_| 1..=servers.len() as u8).collect();
    let mut scene = Scene::new(run(redis, seed)?);
    (1..=(clients.len() * servers.len()) as u8).for_each(|number| drop(scene.client(client_id(number)).clone()));
    scene.settle();
    let mut bench = Bench { scene, clients, servers, dead: Vec::new(), sent: Vec::new(), tokens: 0 };
    let mut model: Box<dyn Model> = if library.recorded_from.starts_with("redis-py ") {
        Box::new(LockPy::default())
    } else if library.recorded_from.starts_with("redlock-py ") {
        Box::new(RedlockPy::default())
    } else {
        return Err(format!("{} is not modelled", library.recorded_from));
    };
    for (at, recorded) in library.stages.iter().enumerate() {
        let done = stage(&mut bench, model.as_mut(), recorded);
        done.map_err(|why| format!("stage {} ({}): {why}", at + 1, recorded.call))?;
    }
    Ok(())
}

/// Does a call and compares what came of it.
fn stage(bench: &mut Bench, model: &mut dyn Model, recorded: &Stage) -> Result<(), String> {
    bench.sent.clear();
    let call = recorded.call.split('#').next().unwrap_or_default().trim();
    let (before, call) = call.split_once("; ").map_or((None, call), |(before, call)| (Some(before), call));
    if let Some(before) = before {
        bench.happen(before)?;
    }
    let outcome = match call.split_once(": ") {
        _ if call == "connect" => Outcome::None,
        Some((client, call)) => {
            model.call(client, call, bench).ok_or_else(|| format!("{call} is no call that is modelled"))?
        }
        None => {
            bench.happen(call)?;
            Outcome::None
        }
    };
    compare_result(&recorded.result, &outcome)?;
    compare_traffic(recorded, &bench.sent)
}

fn compare_result(expected: &Json, outcome: &Outcome) -> Result<(), String> {
    let fields = fields_of(expected);
    let field = |name: &str| fields.iter().find(|(field, _)| field == name).map(|(_, value)| value);
    let text = |text: &str| Json::Text(text.into());
    let fits = match outcome {
        Outcome::None => *expected == Json::Null,
        Outcome::Bool(value) => *expected == Json::Bool(*value),
        Outcome::Held(valid) => {
            let validity = match (field("validity"), valid) {
                (Some(bounds), Some(ms)) => between(bounds).is_some() && number_fits(bounds, *ms),
                (None, None) => true,
                _ => false,
            };
            field("held") == Some(&Json::Bool(valid.is_some())) && validity
        }
        Outcome::Raises(name, message) => {
            let said = field("message").is_none_or(|said| message.is_some_and(|message| *said == text(message)));
            field("raises") == Some(&text(name)) && said
        }
    };
    if fits { Ok(()) } else { Err(format!("result: expected {}, got {outcome:?}", show(expected))) }
}

/// Whether a command was sent and answered as a step tells.
fn is_sent(step: &Step, it: &Sent) -> Result<bool, String> {
    let words = step.texts("send")?.unwrap_or_default();
    let reply = step.0.get("reply").ok_or("reply is missing")?;
    Ok(Some(it.client.as_str()) == step.text("client")
        && Some(it.server.as_str()) == step.text("server")
        && it.words == words
        && got_fits(reply, &it.got))
}

/// The commands in order, or in any; one that is sent again and again stands once, with how often.
fn compare_traffic(recorded: &Stage, sent: &[Sent]) -> Result<(), String> {
    let mut left: Vec<&Sent> = sent.iter().collect();
    for (at, step) in recorded.traffic.iter().enumerate() {
        let times = step.0.get("times");
        let most = if times.is_some() { usize::MAX } else { 1 };
        let (mut count, mut place) = (0, 0);
        while count < most && place < left.len() {
            if is_sent(step, left[place])? {
                left.remove(place);
                count += 1;
            } else if recorded.in_any_order {
                place += 1;
            } else {
                break;
            }
        }
        if !times.map_or(count == 1, |times| number_fits(times, count as i64)) {
            let shown = left.first().map_or("nothing".into(), |it| {
                format!("{} to {}: {} and {}", it.client, it.server, it.words.join(" "), show_got(&it.got))
            });
            return Err(format!(
                "traffic[{at}]: expected {} and {}, got {shown}",
                step.texts("send")?.unwrap_or_default().join(" "),
                show(step.0.get("reply").unwrap_or(&Json::Null)),
            ));
        }
    }
    match left.first() {
        None => Ok(()),
        Some(more) => Err(format!("traffic: expected no more, got {}", more.words.join(" "))),
    }
}
