//! Which server is tried next (`StaticHostProvider.java`).

use crate::base::{Prng, ServerId};

/// The servers in the order in which they are tried, round and round.
#[derive(Clone, Debug)]
pub(in crate::client) struct Hosts {
    servers: Vec<ServerId>,
    /// The one tried last.
    current: Option<usize>,
    /// The one connected last; the first one after the first attempt. Coming back to it ends a round.
    last: Option<usize>,
}

impl Hosts {
    /// The servers of a connect string, shuffled once; for a wire client in the order written.
    pub(super) fn new(mut servers: Vec<ServerId>, shuffle: bool, prng: &mut Prng) -> Hosts {
        if shuffle {
            for rest in (2..=servers.len()).rev() {
                let chosen = prng.below(u32::try_from(rest).unwrap_or(u32::MAX)) as usize;
                servers.swap(rest - 1, chosen);
            }
        }
        Hosts { servers, current: None, last: None }
    }

    /// The servers in their order, the place of the one tried last, and of the one at which a round ends.
    pub(super) fn order(&self) -> (&[ServerId], Option<usize>, Option<usize>) {
        let Hosts { servers, current, last } = self;
        (servers, *current, *last)
    }

    /// How many there are; at least 1, as divisor.
    pub(super) fn len(&self) -> u32 {
        u32::try_from(self.servers.len()).unwrap_or(u32::MAX).max(1)
    }

    /// The next one, and whether a round is over, so that a pause is due. `None` where the list is empty.
    pub(super) fn next(&mut self) -> Option<(ServerId, bool)> {
        let next = self.current.map_or(0, |current| current + 1);
        let next = if next < self.servers.len() { next } else { 0 };
        let server = *self.servers.get(next)?;
        let round_over = self.last == Some(next);
        self.current = Some(next);
        self.last.get_or_insert(0);
        Some((server, round_over))
    }

    /// The server tried last gave a session.
    pub(super) fn connected(&mut self) {
        self.last = self.current;
    }

    /// A server was chosen by somebody else: rounds go on behind it.
    pub(super) fn jump(&mut self, to: ServerId) {
        if let Some(place) = self.servers.iter().position(|&server| server == to) {
            self.current = Some(place);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Stream;

    fn hosts(n: u8, shuffle: bool) -> Hosts {
        Hosts::new((1..=n).map(ServerId).collect(), shuffle, &mut Prng::new(1, Stream::Client))
    }

    #[test]
    fn a_round_ends_where_it_began_and_never_before_the_first_attempt() {
        let mut three = hosts(3, false);
        let tried: Vec<_> = (0..5).filter_map(|_| three.next()).map(|(server, over)| (server.0, over)).collect();
        assert_eq!(tried, [(1, false), (2, false), (3, false), (1, true), (2, false)]);
        three.connected();
        let tried: Vec<_> = (0..3).filter_map(|_| three.next()).map(|(server, over)| (server.0, over)).collect();
        assert_eq!(tried, [(3, false), (1, false), (2, true)]);
        three.jump(ServerId(1));
        assert_eq!(three.next(), Some((ServerId(2), true)));
    }

    #[test]
    fn one_server_is_tried_again_after_a_pause_and_none_not_at_all() {
        let mut one = hosts(1, true);
        assert_eq!(one.next(), Some((ServerId(1), false)));
        assert_eq!(one.next(), Some((ServerId(1), true)));
        assert_eq!(hosts(0, true).next(), None);
    }

    #[test]
    fn the_order_is_shuffled_and_complete() {
        let orders: std::collections::BTreeSet<Vec<ServerId>> = (0..50)
            .map(|seed| {
                let mut prng = Prng::new(seed, Stream::Client);
                Hosts::new((1..=3).map(ServerId).collect(), true, &mut prng).servers
            })
            .collect();
        assert_eq!(orders.len(), 6);
    }
}
