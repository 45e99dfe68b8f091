//! The trace of a run as ShiViz reads it (Beschastnikh et al. 2016): what happened at each server and client, with vector clocks
//! (Fidge 1988, Mattern 1989). A clock knows of others by messages alone: what a closed connection tells is not in it.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::rc::Rc;

use crate::base::{MsgId, Node, SortedMap};
use crate::sim::{Fact, Record, WorldFact};

/// The regular expression that takes an entry apart: the first line of the file. The second, which would part several runs, is empty.
const REGEX: &str = r"(?<time>\S*) (?<event>.*)\n(?<host>\S*) (?<clock>{.*})";

/// How many entries of each host came before.
type Clock = SortedMap<Node, u64>;

/// A trace in the making.
#[derive(Debug, Default)]
pub(super) struct Trace {
    begun: bool,
    clocks: SortedMap<Node, Clock>,
    /// The clocks of messages under way.
    sent: BTreeMap<MsgId, Rc<Clock>>,
}

impl Trace {
    /// Something happened: an entry, if it happened at one host.
    pub(super) fn read(&mut self, record: &Record, out: &mut String) {
        if !std::mem::replace(&mut self.begun, true) {
            let _ = write!(out, "{REGEX}\n\n");
        }
        if let Fact::World(WorldFact::Lost { msg, .. }) = &record.fact {
            self.sent.remove(msg);
        }
        let Some(host) = record.fact.host() else { return };
        let clock = self.clocks.get_or_default(host);
        if let Fact::World(WorldFact::Delivered { msg, .. }) = &record.fact
            && let Some(sent) = self.sent.remove(msg)
        {
            for (node, count) in sent.iter() {
                let known = clock.get_or_default(*node);
                *known = (*known).max(*count);
            }
        }
        *clock.get_or_default(host) += 1;
        if let Fact::World(WorldFact::Sent { msg, .. }) = &record.fact {
            self.sent.insert(*msg, Rc::new(clock.clone()));
        }
        let (seconds, micros) = (record.at_us.0 / 1_000_000, record.at_us.0 % 1_000_000);
        let _ = write!(out, "{seconds}.{micros:06}s {}\n{host} {{", event(record));
        for (at, (node, count)) in clock.iter().enumerate() {
            let comma = if at == 0 { "" } else { ", " };
            let _ = write!(out, "{comma}\"{node}\": {count}");
        }
        out.push_str("}\n");
    }
}

/// What happened, in a line.
fn event(record: &Record) -> String {
    let with = |zxid: Option<_>| zxid.map_or(String::new(), |zxid: crate::base::Zxid| format!(" {zxid}"));
    match &record.fact {
        Fact::World(WorldFact::Sent { to, message, .. }) => {
            format!("send {}{} to {to}", message.name(), with(message.zxid()))
        }
        Fact::World(WorldFact::Delivered { from, name, zxid, .. }) => {
            format!("receive {name}{} from {from}", with(*zxid))
        }
        _ => told(record),
    }
}

/// A fact in its own words: its kind, and the rest as JSON. Where and when stand elsewhere in the entry.
fn told(record: &Record) -> String {
    let Ok(serde_json::Value::Object(mut fields)) = serde_json::to_value(record) else { return String::new() };
    let kind = fields.remove("kind").and_then(|kind| kind.as_str().map(String::from)).unwrap_or_default();
    for name in ["seq", "at_us", "server", "client"] {
        fields.remove(name);
    }
    if fields.is_empty() { kind } else { format!("{kind} {}", serde_json::Value::Object(fields)) }
}
