//! What clients have read, where one answer alone does not tell it: what they missed, what several answers are together, and what a server
//! keeps for them since.

use crate::base::{ClientId, ServerId, ServerSet};
use crate::client;
use crate::daemon::{Saying, Tone};
use crate::recipes::numbered;
use crate::rivals::{commit, register};
use crate::sim::{Fact, Record, World};
use crate::timeline::RunSummary;
use crate::wire::Request;

use super::{Callout, Said, callout};

/// What the reader of another system has of it.
pub(super) fn of_reader(
    (record, server): (&Record, ServerId),
    fact: &Saying,
    summary: &RunSummary,
) -> Option<Callout> {
    let before = || summary.told().skip_while(|other| other.seq >= record.seq);
    if let Some(register::Fact::ReadDone { key, held, .. }) = fact.value() {
        return missed(&before().collect::<Vec<_>>(), (key, held)).map(|said| callout(server, Tone::Bad, said));
    }
    let read = |record: &Record| match &record.fact {
        Fact::Other { server: whose, fact } if *whose == server => match &fact.value::<commit::Fact>()?.what {
            commit::What::Value { item, value: Some(value), .. } => Some((item.clone(), *value)),
            _ => None,
        },
        _ => None,
    };
    let own = |other: &&Record| matches!(&other.fact, Fact::Other { server: whose, .. } if *whose == server);
    let mut latest: Vec<(String, i64)> = before().filter(own).map_while(read).collect();
    latest.insert(0, read(record)?);
    let mut values: Vec<(String, i64)> = Vec::new();
    for one in latest.into_iter().rev() {
        // what is read again begins a sum of its own
        if values.iter().any(|(item, _)| *item == one.0) {
            values.clear();
        }
        values.push(one);
    }
    (values.len() > 1).then(|| callout(server, Tone::Plain, Said::ReadTogether(values)))
}

/// What a machine of a register states.
fn told<'a>(record: &&'a Record) -> Option<(ServerId, &'a register::Fact)> {
    match &record.fact {
        Fact::Other { server, fact } => Some((*server, fact.value()?)),
        _ => None,
    }
}

/// A write that was done before and is newer than what was read: who has it.
fn missed(before: &[&Record], (key, held): (&str, &register::Held)) -> Option<Said> {
    let (newest, stamp) = before.iter().filter_map(told).find_map(|(_, fact)| match fact {
        register::Fact::WriteDone { key: written, value, stamp, .. } if &**written == key && *stamp > held.stamp => {
            Some((value.to_string(), *stamp))
        }
        _ => None,
    })?;
    let keeps = |fact: &register::Fact| matches!(fact, register::Fact::Kept { key: kept, held, .. } if &**kept == key && held.stamp == stamp);
    let at: ServerSet =
        before.iter().filter_map(told).filter(|(_, fact)| keeps(fact)).map(|(server, _)| server).collect();
    Some(Said::Missed { read: format!("{key} = {}", held.text()), newest, at })
}

/// What a request that was answered leaves at the client's server: a watch.
pub(super) fn leaves_watch(client: ClientId, request: &Request, world: &World) -> Option<Callout> {
    let (Request::GetData { path, watch: true }
    | Request::Exists { path, watch: true }
    | Request::GetChildren { path, watch: true, .. }) = request
    else {
        return None;
    };
    let process = world.clients.get(&client).filter(|one| one.client.state == client::State::Connected)?;
    Some(callout(process.client.server?, Tone::Waiting, Said::KeepsWatch(client, path.clone())))
}

/// The steps of a multi, each by its sign and its path: one transaction.
pub(super) fn together(client: ClientId, ops: &[Request]) -> Option<Callout> {
    let sign = |op: &Request| match op {
        Request::Delete { .. } => '−',
        Request::SetData { .. } => '=',
        Request::Check { .. } => '?',
        _ => '+',
    };
    // the last parts of the paths, of ten digits those that count: all of them stand in the tree
    let step = |op: &Request| {
        let name = op.path().rsplit('/').next().unwrap_or_default();
        let name = numbered(name).map_or_else(|| name.to_string(), |(what, number)| format!("{what}{number}"));
        format!("{}{name}", sign(op))
    };
    (ops.len() > 1).then(|| callout(client, Tone::Waiting, Said::OneTransaction(ops.iter().map(step).collect())))
}
