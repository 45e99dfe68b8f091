//! How the queues that stand on DistributedQueue name their items and in which order they hand them on
//! (`DistributedPriorityQueue.java`, `DistributedDelayQueue.java`, `DistributedIdQueue.java`).

use std::rc::Rc;

use crate::base::{Arrange, SimTime};
use crate::wire::{Bytes, Data};

use crate::coordination::queue::ITEM;
use crate::runtime::recipe::Kind;
use crate::runtime::value::Exception;

const SEPARATOR: char = '|';
/// The latest moment that a name may mean, ms: far behind the end of every run.
const LATEST_MS: i64 = 1 << 50;

/// Which of the queues it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// First in, first out.
    Plain,
    /// The lowest priority number first.
    Priority,
    /// When its time has come.
    Delay,
    /// First in, first out; an item can be removed by its id.
    Id,
}

impl Order {
    pub(crate) fn of(kind: Kind) -> Order {
        let orders =
            [(Kind::PRIORITY_QUEUE, Order::Priority), (Kind::DELAY_QUEUE, Order::Delay), (Kind::ID_QUEUE, Order::Id)];
        orders.into_iter().find(|(other, _)| *other == kind).map_or(Order::Plain, |(_, order)| order)
    }

    /// The name of a new item without its number, and its data. All but the plain queue are given a word before the item:
    /// its priority, its delay in ms, its id.
    pub(crate) fn item(self, data: &Option<Rc<str>>, now: SimTime) -> Result<(String, Data), Exception> {
        if self == Order::Plain {
            return Ok((ITEM.into(), data.clone().map(Bytes::from)));
        }
        let wrong = |wanted: &str| {
            Exception::java("IllegalArgumentException", &format!("{wanted}, a blank and the item are wanted"))
        };
        let text = data.as_deref().unwrap_or_default();
        let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
        let name = match self {
            Order::Delay => {
                let delay: u32 = word.parse().map_err(|_| wrong("a delay in ms"))?;
                format!("{ITEM}{SEPARATOR}{:08X}{SEPARATOR}", now.as_ms() + u64::from(delay))
            }
            Order::Id if word.is_empty() => return Err(wrong("an id")),
            Order::Id => Order::with_id(word),
            Order::Priority | Order::Plain => {
                let priority: i32 = word.parse().map_err(|_| wrong("a priority"))?;
                format!("{ITEM}{}{priority:08X}", u8::from(priority >= 0))
            }
        };
        Ok((name, Some(rest.into())))
    }

    /// `makeIdPath`: what parts a path or a name cannot stand in an id.
    fn with_id(id: &str) -> String {
        format!("{ITEM}{SEPARATOR}{}{SEPARATOR}", id.replace(['/', SEPARATOR], "_"))
    }

    /// The id in an item's name, and the name without it (`parseId`); twice the whole name where it has none.
    fn parts(name: &str) -> (&str, String) {
        let mut parts = name.splitn(3, SEPARATOR);
        match (parts.next(), parts.next(), parts.next()) {
            (Some(head), Some(id), Some(number)) => (id, format!("{head}{number}")),
            _ => (name, name.into()),
        }
    }

    /// The id in an item's name.
    pub(crate) fn id(name: &str) -> &str {
        Order::parts(name).0
    }

    /// `makeRequeueItemPath`: the name, without its number, with which an item goes to the queue's end. A delayed one goes without
    /// its time, and so is due at once.
    pub(crate) fn again(self, name: &str) -> String {
        match self {
            Order::Priority => name.get(..name.len().saturating_sub(10)).unwrap_or(name).into(),
            Order::Id => Order::with_id(Order::id(name)),
            Order::Plain | Order::Delay => ITEM.into(),
        }
    }

    /// When an item is due (`getEpoch`): at once where its name does not say.
    pub(crate) fn due(self, name: &str) -> SimTime {
        let mut parts = name.rsplitn(3, SEPARATOR);
        match (self, parts.next(), parts.next(), parts.next()) {
            (Order::Delay, Some(_), Some(epoch), Some(head)) if !head.is_empty() => {
                let epoch = i64::from_str_radix(epoch, 16).unwrap_or(0);
                SimTime::from_ms(epoch.clamp(0, LATEST_MS).unsigned_abs())
            }
            _ => SimTime::ZERO,
        }
    }

    /// `sortChildren`. Items that are due at the same time stay as the server listed them.
    pub(crate) fn sort(self, names: &mut [Rc<str>]) {
        match self {
            Order::Plain | Order::Priority => names.arrange(),
            Order::Delay => names.arrange_by_key(|name| self.due(name)),
            Order::Id => names.arrange_by_key(|name| Order::parts(name).1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_tells_when_its_item_is_due() {
        let now = SimTime::from_ms(4_000);
        let (name, data) = Order::Delay.item(&Some("96 a b".into()), now).expect("an item");
        assert_eq!((name.as_str(), data.as_deref()), ("queue-|00001000|", Some(&b"a b"[..])));
        assert_eq!(Order::Delay.due("queue-|00001000|0000000007"), SimTime::from_ms(4_096));
        for foreign in ["queue-0000000001", "queue-|xyz|0000000001", "note", "a|b", "|5|0000000001"] {
            assert_eq!(Order::Delay.due(foreign), SimTime::ZERO, "{foreign}");
        }
        assert_eq!(Order::Delay.due("q|7FFFFFFFFFFFFFFF|1"), SimTime::from_ms(1 << 50));
        assert!(Order::Delay.item(&Some("soon a".into()), now).is_err());
    }

    #[test]
    fn ids_are_no_part_of_the_order() {
        let (name, data) = Order::Id.item(&Some("x/y|z item".into()), SimTime::ZERO).expect("an item");
        assert_eq!((name.as_str(), data.as_deref()), ("queue-|x_y_z|", Some(&b"item"[..])));
        let mut names: Vec<Rc<str>> =
            ["queue-|a|0000000002", "queue-|b|0000000001", "queue-|queue-|0000000000"].map(Rc::from).into();
        Order::Id.sort(&mut names);
        assert_eq!(names.iter().map(|name| Order::id(name)).collect::<Vec<_>>(), ["queue-", "b", "a"]);
        assert_eq!(Order::Id.again("queue-|b|0000000001"), "queue-|b|");
        assert!(Order::Id.item(&Some(" item".into()), SimTime::ZERO).is_err());
    }
}
