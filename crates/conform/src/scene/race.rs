//! Who won? Clients that were woken at the same moment race, and traces list what differed between two plays. Such a stage
//! need not be the recorded one with the same names: it is enough that it becomes so when clients are called otherwise.

use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

type Fields = Map<String, Value>;

/// So many clients are tried in every order.
const MOST_IN_ANY_ORDER: usize = 5;

/// How our clients are to be called so that everybody did what was recorded of him; `None` where no names do. Whether the whole
/// is then the same is to be seen.
pub(super) fn renaming(clients: &[String], recorded: &Fields, ours: &Fields) -> Option<BTreeMap<String, String>> {
    let mut free: Vec<(String, &String)> = clients.iter().map(|name| (part(name, recorded), name)).collect();
    let mut parts: Vec<(String, &String)> = clients.iter().map(|name| (part(name, ours), name)).collect();
    let mut names = BTreeMap::new();
    // whoever played his own part keeps his name
    parts.retain(|own| match free.iter().position(|other| other == own) {
        Some(at) => {
            free.swap_remove(at);
            names.insert(own.1.clone(), own.1.clone());
            false
        }
        None => true,
    });
    for (played, name) in parts {
        let at = free.iter().position(|(recorded, _)| *recorded == played)?;
        let (_, other) = free.remove(at);
        names.insert(name.clone(), other.clone());
    }
    Some(names)
}

/// Other names for those who did not play their own parts: every order of them where they are few, else every two exchanged.
pub(super) fn exchanges(
    clients: &[String],
    recorded: &Fields,
    ours: &Fields,
) -> impl Iterator<Item = BTreeMap<String, String>> + use<> {
    let others = clients.iter().filter(|name| part(name, recorded) != part(name, ours));
    let others: Vec<String> = others.cloned().collect();
    let orders = if others.len() <= MOST_IN_ANY_ORDER { orders(others.clone()) } else { swaps(&others) };
    orders.into_iter().map(move |order| others.iter().cloned().zip(order).collect())
}

/// All orders of a few names.
fn orders(names: Vec<String>) -> Vec<Vec<String>> {
    if names.is_empty() {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for at in 0..names.len() {
        let mut rest = names.clone();
        let first = rest.remove(at);
        all.extend(orders(rest).into_iter().map(|rest| [vec![first.clone()], rest].concat()));
    }
    all
}

/// The names with two of them exchanged.
fn swaps(names: &[String]) -> Vec<Vec<String>> {
    let pairs = (0..names.len()).flat_map(|one| (one + 1..names.len()).map(move |other| (one, other)));
    let swapped = |(one, other)| {
        let mut names = names.to_vec();
        names.swap(one, other);
        names
    };
    pairs.map(swapped).collect()
}

/// All that a client did and was told in a stage, without its name and those of others.
fn part(name: &str, fields: &Fields) -> String {
    let of = |field: &str, key: &str| fields.get(field).and_then(|all| all.get(key)).cloned().unwrap_or_default();
    let list = |field: &str| fields.get(field).and_then(Value::as_array).cloned().unwrap_or_default();
    let writes = list("writes").into_iter().enumerate().filter(|(_, write)| write["who"] == name);
    let writes = writes.map(|(at, mut write)| {
        write["who"] = at.into();
        write
    });
    let connections = list("connections").into_iter().enumerate().filter(|(_, one)| one["client"] == name);
    let watched = |field: &str| -> Vec<String> {
        let by_path = fields.get(field).and_then(Value::as_object).into_iter().flatten();
        let is_watcher = |watchers: &Value| watchers.as_array().into_iter().flatten().any(|watcher| watcher == name);
        by_path.filter(|(_, watchers)| is_watcher(watchers)).map(|(path, _)| path.clone()).collect()
    };
    let part = json!([
        of("answers", &format!("= {name}")),
        of("answers", &format!("* {name}")),
        of("requests", name),
        of("notifications", name),
        writes.collect::<Vec<_>>(),
        connections.map(|(at, one)| json!([at, one["connected"]])).collect::<Vec<_>>(),
        watched("watchesAfter"),
        watched("childWatchesAfter"),
    ]);
    anonymous(&part.to_string(), name)
}

/// Random names are the client's own or another's.
fn anonymous(text: &str, name: &str) -> String {
    let mut pieces = text.split("<guid:");
    let mut whole = pieces.next().unwrap_or_default().to_string();
    for piece in pieces {
        let (maker, rest) = piece.split_once('>').unwrap_or(("", piece));
        whole += if maker == name { "<guid:own>" } else { "<guid:other>" };
        whole += rest;
    }
    whole
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(winner: &str, loser: &str) -> Fields {
        let fields = json!({
            "answers": {format!("= {winner}"): ["q take data 1"]},
            "writes": [{"who": winner, "type": "delete"}, {"who": loser, "type": "error"}],
            "requests": {winner: [{"path": format!("/q/<guid:{winner}>")}], loser: [{"error": "NoNode"}]},
            "childWatchesAfter": {"/q": [loser]},
        });
        fields.as_object().cloned().unwrap()
    }

    #[test]
    fn the_winner_gets_the_winners_name() {
        let clients = ["a", "b", "c"].map(String::from);
        let names = renaming(&clients, &fields("b", "c"), &fields("c", "b")).unwrap();
        let named = |name: &str| names[name].as_str();
        assert_eq!((named("a"), named("b"), named("c")), ("a", "c", "b"));
        let swapped: Vec<_> = exchanges(&clients, &fields("b", "c"), &fields("c", "b")).collect();
        assert!(swapped.contains(&names.into_iter().filter(|(name, _)| name != "a").collect()), "{swapped:?}");
        assert_eq!(swapped.len(), 2);
        let other = fields("b", "b");
        assert_eq!(renaming(&clients, &fields("b", "c"), &other), None);
    }
}
