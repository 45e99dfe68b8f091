//! What a server's log says of terms and votes, in etcd's words, as a recording tells it. Terms count from the one at the beginning, places in
//! the log from the reader's own last entry: how many entries there were before is no part of it.

use std::collections::BTreeMap;

use super::recording::Recording;
use super::scene::Seen;
use crate::base::ServerId;
use crate::rivals::generation::{Fact, Position, Sight};

/// Who is called how. In the lines of a play servers have the names that they have here, until they are [`Names::rename`]d.
pub(super) struct Names {
    ids: BTreeMap<u8, ServerId>,
    /// Those that no deed and no role names: any of them may have been any of those there.
    free: Vec<u8>,
    first_term: u64,
}

/// Most servers whose names are tried in every order.
const MOST_FREE: usize = 5;

impl Names {
    /// The leader there is the leader here; the others follow in their order.
    pub(super) fn new(recording: &Recording, (leader, first_term): (ServerId, u64)) -> Names {
        let numbers = 1..=recording.settings.servers;
        let mut others = numbers.clone().map(|n| ServerId::nth("G", n)).filter(|id| *id != leader);
        let named = |n: u8| Some((n, if n == recording.leader { leader } else { others.next()? }));
        let ids: BTreeMap<u8, ServerId> = numbers.clone().filter_map(named).collect();
        let mut free: Vec<u8> = numbers.filter(|n| !recording.is_named(*n)).collect();
        free.truncate(MOST_FREE);
        Names { ids, free, first_term }
    }

    pub(super) fn id(&self, number: u8) -> ServerId {
        self.ids.get(&number).copied().unwrap_or(ServerId::NONE)
    }

    pub(super) fn ids(&self) -> impl Iterator<Item = ServerId> {
        self.ids.values().copied()
    }

    /// A term, counted from the first.
    pub(super) fn term(&self, term: u64) -> String {
        format!("+{}", term.saturating_sub(self.first_term))
    }

    fn places(&self, own: Position, its: Position) -> String {
        let ahead = i128::from(its.index) - i128::from(own.index);
        format!("own last {}, its {} and {ahead:+}", self.term(own.term), self.term(its.term))
    }

    /// All ways to call the servers that nobody names.
    pub(super) fn ways(&self) -> Vec<BTreeMap<String, String>> {
        let mut orders = vec![Vec::new()];
        for _ in &self.free {
            let longer = |order: Vec<u8>| {
                let left = self.free.iter().filter(|n| !order.contains(n)).copied().collect::<Vec<u8>>();
                left.into_iter().map(move |n| [&order[..], &[n]].concat()).collect::<Vec<_>>()
            };
            orders = orders.into_iter().flat_map(longer).collect();
        }
        let way = |order: Vec<u8>| {
            let other =
                |n: u8| self.free.iter().position(|free| *free == n).and_then(|place| order.get(place)).copied();
            let name = |(n, id): (&u8, &ServerId)| (id.to_string(), format!("s{}", other(*n).unwrap_or(*n)));
            self.ids.iter().map(name).collect()
        };
        orders.into_iter().map(way).collect()
    }

    /// Lines with the servers' names as they were there; those who are asked at once in the order of their names.
    pub(super) fn rename_all(lines: &[String], way: &BTreeMap<String, String>) -> Vec<String> {
        let mut lines: Vec<String> = lines.iter().map(|line| Names::rename(line, way)).collect();
        let asks = |line: &String| line.starts_with("sent ");
        lines.chunk_by_mut(|one, other| asks(one) && asks(other)).for_each(<[String]>::sort);
        lines
    }

    /// A line with the servers' names as they were there.
    pub(super) fn rename(line: &str, way: &BTreeMap<String, String>) -> String {
        let word = |word: &str| {
            let name = word.trim_end_matches(',');
            way.get(name).map_or(word.to_string(), |other| word.replace(name, other))
        };
        line.split(' ').map(word).collect::<Vec<_>>().join(" ")
    }
}

fn kind(pre: bool) -> &'static str {
    if pre { "MsgPreVote" } else { "MsgVote" }
}

/// The lines of a server.
pub(super) fn of<'a>(seen: impl Iterator<Item = &'a Seen>, server: ServerId, names: &Names) -> Vec<String> {
    seen.filter(|seen| seen.by == server).flat_map(|seen| of_fact(&seen.fact, names)).collect()
}

fn of_fact(fact: &Fact, names: &Names) -> Vec<String> {
    let term = |term: u64| names.term(term);
    match fact {
        Fact::Started { term: its, .. } | Fact::Follows { term: its, .. } => {
            vec![format!("became follower, term {}", term(*its))]
        }
        Fact::Candidate { term: its, pre, asked, .. } => {
            // whoever only asks in advance is still in its own term
            let (its, role) = if *pre { (its - 1, "pre-candidate") } else { (*its, "candidate") };
            let sent = |to: &ServerId| format!("sent {} to {to}, term {}", kind(*pre), term(its));
            let sent = asked.iter().map(sent).collect::<Vec<_>>();
            [vec![format!("became {role}, term {}", term(its))], sent].concat()
        }
        Fact::Leads { term: its, .. } => vec![format!("became leader, term {}", term(*its))],
        Fact::TermSeen { from, sight, old, term: new, .. } => {
            let what = match sight {
                Sight::RequestVote => "MsgVote",
                Sight::RequestVoteReply => "MsgVoteResp",
                Sight::AppendEntries => "MsgApp",
                Sight::AppendEntriesReply => "MsgAppResp",
            };
            vec![format!("saw a higher term in {what} from {}, {} -> {}", from, term(*old), term(*new))]
        }
        Fact::Granted { term: its, pre, candidate, own, its: last } => {
            let (what, its) = (kind(*pre), its - u64::from(*pre));
            let places = names.places(*own, *last);
            vec![format!("cast {what} for {}, {places}, term {}", candidate, term(its))]
        }
        Fact::Refused { term: its, pre, candidate, own, its: last, .. } => {
            let (what, its) = (kind(*pre), its - u64::from(*pre));
            let places = names.places(*own, *last);
            vec![format!("rejected {what} from {}, {places}, term {}", candidate, term(its))]
        }
        Fact::Ignored { pre, candidate, .. } => {
            vec![format!("ignored {} from {}, it has heard its leader lately", kind(*pre), candidate)]
        }
        _ => Vec::new(),
    }
}

/// A recorded line, with terms and places counted as above.
pub(super) fn recorded(line: &str, first_term: u64) -> Option<String> {
    let term = |text: &str| text.parse::<u64>().ok()?.checked_sub(first_term).map(|term| format!("+{term}"));
    if let Some((before, terms)) = line.split_once(" -> ") {
        let (before, old) = before.rsplit_once(' ')?;
        // a heartbeat is a message with no entries
        let before = before.replace("MsgHeartbeat", "MsgApp");
        return Some(format!("{before} {} -> {}", term(old)?, term(terms)?));
    }
    let Some((before, its)) = line.rsplit_once(", term ") else { return Some(line.into()) };
    let its = term(its)?;
    let Some((before, places)) = before.split_once(", own last ") else {
        return Some(format!("{before}, term {its}"));
    };
    let (own, other) = places.split_once(", its ")?;
    let place = |text: &str| {
        let (term, index) = text.split_once(':')?;
        Some((term.to_string(), index.parse::<i128>().ok()?))
    };
    let ((own_term, own), (other_term, other)) = (place(own)?, place(other)?);
    let places = format!("own last {}, its {} and {:+}", term(&own_term)?, term(&other_term)?, other - own);
    Some(format!("{before}, {places}, term {its}"))
}
