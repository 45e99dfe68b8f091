//! Chance. What is drawn is part of the run format: changing it bumps the format version.
//!
//! Packets and disks draw by name ([`Draw`]): leaving out an action moves nobody else's draw. Everything else draws from a stream of
//! its own ([`Prng`]): PCG XSH RR 64/32 (O'Neill 2014), `rand_pcg::Pcg32`, created with `Pcg32::new(seed, stream)` where `stream` is
//! [`Stream`]'s number. A draw from one never shifts another. Numbers below `n` are made by widening multiplication of one 32-bit output
//! (`(x * n) >> 32`); the bias is below 2^-12 for every `n` under 2^20 and the rule never rejects, so one call is always
//! one draw.

use rand_core::Rng;
use rand_pcg::Pcg32;
use siphasher::sip::SipHasher24;
use std::hash::{Hash, Hasher};

use super::Node;

/// Who draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream {
    /// Latencies of packets.
    Network = 1,
    /// Times of disk writes, and what survives a crash where that is drawn.
    Disk = 2,
    /// What servers draw for themselves (snapshot thresholds).
    Server = 3,
    /// Random schedules of faults.
    Faults = 4,
    /// What clients draw for themselves (the order of servers, pauses before they connect again).
    Client = 5,
    /// Random schedules of what clients ask for and what is done to them.
    Crowd = 6,
    /// What programs draw for themselves (unique names, pauses before they try again).
    Recipe = 7,
    /// Random schedules of what programs do and what is done to them.
    Programs = 8,
    /// Random schedules of what an operator does.
    Operator = 9,
    /// Random schedules of disks that fail.
    DiskFaults = 10,
}

/// One stream of pseudo-random integers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prng(Pcg32);

/// The generator does not show its state; what it draws next does.
impl Hash for Prng {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        let mut copy = self.0.clone();
        (copy.next_u64(), copy.next_u32()).hash(hasher);
    }
}

impl Prng {
    /// The stream of this seed.
    pub fn new(seed: u64, stream: Stream) -> Prng {
        Prng(Pcg32::new(seed, stream as u64))
    }

    /// A number in `0..n`; 0 where `n` is 0.
    pub fn below(&mut self, n: u32) -> u32 {
        ((u64::from(self.0.next_u32()) * u64::from(n)) >> 32) as u32
    }

    /// A number in `low..=high`; `low` where the range is empty. The range must be narrower than 2^32.
    pub fn between(&mut self, low: u64, high: u64) -> u64 {
        if high <= low {
            return low;
        }
        let width = u32::try_from(high - low).unwrap_or(u32::MAX - 1);
        low + u64::from(self.below(width + 1))
    }

    /// True in `times` of `of` draws.
    pub fn chance(&mut self, times: u32, of: u32) -> bool {
        self.below(of) < times
    }
}

/// A draw by name: what is drawn for a name is the same whatever else is drawn. SipHash-2-4 under the run's seed and the
/// stream's number.
#[derive(Clone, Copy, Debug)]
pub struct Draw(SipHasher24);

impl Draw {
    /// The beginning of a name.
    pub fn new(seed: u64, stream: Stream) -> Draw {
        Draw(SipHasher24::new_with_keys(seed, stream as u64))
    }

    /// A part of the name.
    pub fn number(mut self, number: u64) -> Draw {
        self.0.write(&number.to_le_bytes());
        self
    }

    /// A part of the name.
    pub fn text(mut self, text: &str) -> Draw {
        self.0.write(text.as_bytes());
        self.number(text.len() as u64)
    }

    /// A node as a part of the name.
    pub fn node(self, node: Node) -> Draw {
        match node {
            Node::Server(server) => self.number(server.0.into()),
            Node::Client(client) => self.number(1 << 32 | u64::from(client.0)),
        }
    }

    /// A number in `low..=high`; `low` where the range is empty.
    pub fn between(self, low: u64, high: u64) -> u64 {
        let width = u128::from(high.saturating_sub(low)) + 1;
        low + ((u128::from(self.0.finish()) * width) >> 64) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_of_a_seed_never_changes() {
        let mut prng = Prng::new(42, Stream::Network);
        let drawn: Vec<u32> = (0..5).map(|_| prng.below(1000)).collect();
        assert_eq!(drawn, [304, 896, 347, 952, 903], "the documented stream of seed 42");
    }

    #[test]
    fn a_range_is_kept_and_both_ends_are_reached() {
        let mut prng = Prng::new(7, Stream::Disk);
        let mut seen = [false; 3];
        for _ in 0..100 {
            seen[prng.between(10, 12) as usize - 10] = true;
        }
        assert_eq!(seen, [true; 3]);
        assert_eq!(prng.between(5, 5), 5);
    }
}
