//! Messages by type: how many of each were sent.

use super::*;
use crate::base::Arrange;

texts! {
    /// What the chart of messages says.
    pub struct SentWords {
        title: "Messages by type",
        x: "messages sent",
        said: "{} messages sent. Most frequent: {}.",
        none: "No messages yet: this is the start of the run.",
        others: "others",
        comma: ", ",
        kind: "type",
    }
}

/// How many types of messages have a bar of their own.
const MOST_TYPES: usize = 12;
/// How many types a sentence names.
const NAMED: usize = 3;

/// How many messages were sent.
#[derive(Clone, Debug, PartialEq)]
pub struct Sent {
    /// Of all types.
    pub total: u64,
    /// Of each type, the most first; of as many in the order of names.
    pub types: Vec<(&'static str, u64)>,
}

impl Sent {
    pub(super) fn of(session: &Session) -> Sent {
        let mut types: Vec<_> =
            session.run_summary().figures().sent().iter().map(|(&name, &many)| (name, many)).collect();
        types.arrange_by_key(|(_, many)| std::cmp::Reverse(*many));
        Sent { total: types.iter().map(|(_, many)| many).sum(), types }
    }
}

impl Chart for Sent {
    fn tell(&self, words: &ChartWords) -> Telling {
        let own = &words.sent;
        let named = self.types.iter().take(NAMED).map(|(name, many)| format!("{name} {many}"));
        Telling {
            title: own.title,
            said: fill(own.said, &[&self.total, &named.collect::<Vec<_>>().join(own.comma)]),
            nothing: (self.total == 0).then_some((own.none, &[Way::Play])),
            signs: None,
        }
    }

    fn table(&self, words: &ChartWords) -> Table {
        let own = &words.sent;
        let row = |(name, many): &(&'static str, u64)| vec![name.to_string(), many.to_string()];
        (vec![own.kind, own.x], self.types.iter().map(row).collect())
    }

    fn drawing(&self, words: &ChartWords, _: f64, paint: Paint) -> Drawing {
        let own = &words.sent;
        let (first, rest) = self.types.split_at(self.types.len().min(MOST_TYPES));
        let mut rows: Vec<(String, u64)> = first.iter().map(|(name, many)| (name.to_string(), *many)).collect();
        if !rest.is_empty() {
            rows.push((own.others.to_string(), rest.iter().map(|(_, many)| many).sum()));
        }
        Drawing::Bars(Bars { title: own.x, rows, room: MOST_TYPES + 1, colour: paint(Tint::Soft) })
    }

    fn has_time(&self) -> bool {
        false
    }
}
