//! Whether one event happened before another: whether anything that the one did can have had to do with the other. On a lane
//! what comes first happened before what comes later; a message's sending happened before its arrival; and so on from there
//! (Lamport 1978). Restarts go on where the process had been: what the disk keeps connects them.

use crate::base::{Arrange, Node, SortedMap};

use crate::timeline::spacetime::{Arrow, Diagram, Event, Fate, NEVER};

/// Which event of a lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The sending of the message at this place.
    Sent(u32),
    /// Its arrival.
    Arrived(u32),
    /// The event at this place.
    Event(u32),
}

/// An event on a lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// The fact that told of it.
    pub seq: u32,
    /// When, µs.
    pub at_us: u64,
    /// Whose lane.
    pub node: Node,
    /// A sending, an arrival or another event.
    pub end: End,
}

/// How two events stand to each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Order {
    /// They are the same.
    Same,
    /// The first happened before the second, by way of the messages at these places; none on one lane.
    Before(Vec<u32>),
    /// The second happened before the first.
    After(Vec<u32>),
    /// Neither happened before the other.
    Concurrent,
}

/// Since when a lane knows of the first event, and by which message.
#[derive(Clone, Copy)]
struct Known {
    seq: u32,
    by: Option<u32>,
}

impl Diagram {
    /// The sending or the arrival of a message, or an event; none for what is not there, is still on its way, never arrived,
    /// or has no place on a lane.
    pub fn moment(&self, end: End) -> Option<Moment> {
        match end {
            End::Sent(place) => {
                let arrow = self.arrows.get(place as usize)?;
                Some(Moment { seq: arrow.sent_seq, at_us: arrow.sent_us, node: arrow.from, end })
            }
            End::Arrived(place) => {
                let arrow = self.arrows.get(place as usize).filter(|arrow| arrow.fate == Fate::Arrived)?;
                Some(Moment { seq: arrow.end_seq, at_us: arrow.end_us, node: arrow.to, end })
            }
            End::Event(place) => {
                let event = self.events.get(place as usize).filter(|event| !event.is_of_a_link())?;
                Some(Moment { seq: event.seq, at_us: event.at_us, node: event.node, end })
            }
        }
    }

    /// The last event on a lane before a fact, and with `forward` the first one after it; heartbeats and ends of connections,
    /// of which there are many, are passed over.
    pub fn neighbour(&self, node: Node, seq: u32, forward: bool) -> Option<Moment> {
        let own = self.own_neighbour(node, seq, forward);
        // messages between there and here may end on this lane
        let bound = own.as_ref().map(|own| own.seq);
        let inside = |found: u32| match forward {
            true => found > seq && bound.is_none_or(|bound| found < bound),
            false => found < seq && bound.is_none_or(|bound| found > bound),
        };
        let told = |arrow: &&Arrow| arrow.to == node && arrow.fate == Fate::Arrived && self.is_told(arrow);
        let all = (0..).zip(self.arrows.iter());
        let ends = all.filter(|(_, arrow)| told(arrow) && inside(arrow.end_seq));
        let found = match forward {
            true => ends.min_by_key(|(_, arrow)| arrow.end_seq),
            false => ends.max_by_key(|(_, arrow)| arrow.end_seq),
        };
        found.and_then(|(place, _)| self.moment(End::Arrived(place))).or(own)
    }

    fn is_told(&self, arrow: &Arrow) -> bool {
        arrow.msg().is_some() && !self.kind(arrow).is_heartbeat()
    }

    /// The nearest event on a lane that is not the arrival of a message.
    fn own_neighbour(&self, node: Node, seq: u32, forward: bool) -> Option<Moment> {
        let sends = |arrow: &Arrow| arrow.from == node && self.is_told(arrow);
        let happens = |event: &Event| event.node == node && !event.is_of_a_link();
        let (sent, event) = if forward {
            let first = self.arrows.partition_point(|arrow| arrow.sent_seq <= seq);
            let sent = self.arrows.from(first).position(sends).map(|further| first + further);
            let first = self.events.partition_point(|event| event.seq <= seq);
            (sent, self.events.from(first).position(happens).map(|further| first + further))
        } else {
            let last = self.arrows.partition_point(|arrow| arrow.sent_seq < seq);
            let sent = (0..last).rev().find(|&place| sends(&self.arrows[place]));
            let last = self.events.partition_point(|event| event.seq < seq);
            (sent, (0..last).rev().find(|&place| happens(&self.events[place])))
        };
        let sent = sent.and_then(|place| self.moment(End::Sent(place as u32)));
        let event = event.and_then(|place| self.moment(End::Event(place as u32)));
        let both = [event, sent].into_iter().flatten();
        if forward { both.min_by_key(|moment| moment.seq) } else { both.max_by_key(|moment| moment.seq) }
    }

    /// How two events stand to each other.
    pub fn order(&self, a: &Moment, b: &Moment) -> Order {
        if (a.seq, a.node) == (b.seq, b.node) {
            return Order::Same;
        }
        let (first, second) = if a.seq <= b.seq { (a, b) } else { (b, a) };
        match self.way(first, second) {
            Some(path) if a.seq <= b.seq => Order::Before(path),
            Some(path) => Order::After(path),
            None => Order::Concurrent,
        }
    }

    /// The messages by which the later event can know of the earlier one.
    fn way(&self, first: &Moment, second: &Moment) -> Option<Vec<u32>> {
        if first.node == second.node {
            return Some(Vec::new());
        }
        let mut known = SortedMap::new();
        known.insert(first.node, Known { seq: first.seq, by: None });
        for (arrived, place) in self.arrivals_between(first.seq, second.seq) {
            let arrow = &self.arrows[place as usize];
            let carries = known.get(&arrow.from).is_some_and(|known| known.seq <= arrow.sent_seq);
            if carries {
                known.get_or(arrow.to, Known { seq: arrived, by: Some(place) });
            }
        }
        let mut path = Vec::new();
        let mut at = known.get(&second.node)?;
        while let Some(place) = at.by {
            path.push(place);
            at = known.get(&self.arrows[place as usize].from)?;
        }
        path.reverse();
        Some(path)
    }

    /// The messages that were sent after the one fact and arrived before the other, in the order in which they arrived.
    fn arrivals_between(&self, first: u32, second: u32) -> Vec<(u32, u32)> {
        let begin = self.arrows.partition_point(|arrow| arrow.sent_seq < first);
        let sent = (begin as u32..).zip(self.arrows.from(begin));
        let sent = sent.take_while(|(_, arrow)| arrow.sent_seq < second);
        let arrived = sent.filter(|(_, arrow)| arrow.fate == Fate::Arrived && arrow.end_seq <= second);
        let mut all: Vec<(u32, u32)> = arrived.map(|(place, arrow)| (arrow.end_seq, place)).collect();
        debug_assert!(all.iter().all(|(seq, _)| *seq != NEVER));
        all.arrange();
        all
    }
}
