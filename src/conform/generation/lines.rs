//! What a server's log says of terms and votes, in etcd's words, as a recording tells it. Terms count from the one at the beginning, places in
//! the log from the reader's own last entry: how many entries there were before is no part of it.

use std::collections::BTreeMap;

use super::recording::Recording;
use super::scene::Seen;
use crate::base::ServerId;
use crate::rivals::generation::{Fact, Position, Sight};

/// Who is called how.
pub(super) struct Names {
    ids: BTreeMap<u8, ServerId>,
    first_term: u64,
}

impl Names {
    /// The leader there is the leader here; the others follow in their order.
    pub fn new(recording: &Recording, (leader, first_term): (ServerId, u64)) -> Names {
        let numbers = 1..=recording.settings.servers;
        let mut others = numbers.clone().map(|n| ServerId::nth("G", n)).filter(|id| *id != leader);
        let named = |n: u8| Some((n, if n == recording.leader { leader } else { others.next()? }));
        let ids = numbers.filter_map(named).collect();
        Names { ids, first_term }
    }

    pub fn id(&self, number: u8) -> ServerId {
        self.ids.get(&number).copied().unwrap_or(ServerId::NONE)
    }

    pub fn of(&self, id: ServerId) -> String {
        let found = self.ids.iter().find(|(_, known)| **known == id);
        found.map_or("?".into(), |(number, _)| format!("s{number}"))
    }

    /// A term, counted from the first.
    pub fn term(&self, term: u64) -> String {
        format!("+{}", term.saturating_sub(self.first_term))
    }

    fn places(&self, own: Position, its: Position) -> String {
        let ahead = i128::from(its.index) - i128::from(own.index);
        format!("own last {}, its {} and {ahead:+}", self.term(own.term), self.term(its.term))
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
            let mut asked: Vec<String> = asked.iter().map(|id| names.of(*id)).collect();
            asked.sort();
            let sent = |to: &String| format!("sent {} to {to}, term {}", kind(*pre), term(its));
            let sent = asked.iter().map(sent).collect::<Vec<_>>();
            [vec![format!("became {role}, term {}", term(its))], sent].concat()
        }
        Fact::Leads { term: its, .. } => vec![format!("became leader, term {}", term(*its))],
        Fact::TermSeen { from, sight, old, term: new } => {
            let what = match sight {
                Sight::RequestVote => "MsgVote",
                Sight::RequestVoteReply => "MsgVoteResp",
                Sight::AppendEntries => "MsgApp",
                Sight::AppendEntriesReply => "MsgAppResp",
            };
            vec![format!("saw a higher term in {what} from {}, {} -> {}", names.of(*from), term(*old), term(*new))]
        }
        Fact::Granted { term: its, pre, candidate, own, its: last } => {
            let (what, its) = (kind(*pre), its - u64::from(*pre));
            let places = names.places(*own, *last);
            vec![format!("cast {what} for {}, {places}, term {}", names.of(*candidate), term(its))]
        }
        Fact::Refused { term: its, pre, candidate, own, its: last, .. } => {
            let (what, its) = (kind(*pre), its - u64::from(*pre));
            let places = names.places(*own, *last);
            vec![format!("rejected {what} from {}, {places}, term {}", names.of(*candidate), term(its))]
        }
        Fact::Ignored { pre, candidate, .. } => {
            vec![format!("ignored {} from {}, it has heard its leader lately", kind(*pre), names.of(*candidate))]
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
