//! What clients believe to hold, and where two believe it of the same thing.

use std::rc::Rc;

use crate::base::Node;
use crate::recipes::Share;

use crate::timeline::spacetime::{Diagram, NEVER, UNKNOWN};

/// The time in which a client believes to hold something alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Claim {
    from_us: u64,
    to_us: u64,
    seq: u32,
    end_seq: u32,
    client: Node,
    path: Rc<str>,
    /// The claim of another client on the same thing that had not ended when this one began: its place.
    over: Option<u32>,
}

/// The time in which two clients hold, as they believe, what only one can.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overlap {
    /// Who had it first, and who got it.
    pub clients: (Node, Node),
    /// Since when, µs.
    pub from_us: u64,
    /// Until when; [`UNKNOWN`] while it lasts.
    pub to_us: u64,
    /// The fact that told of its beginning.
    pub seq: u32,
}

impl Diagram {
    pub(super) fn claim(&mut self, client: Node, (path, share): (&Rc<str>, Share), (us, seq): (u64, u32)) {
        if share != Share::Exclusive {
            return;
        }
        let other = |claim: &Claim| claim.end_seq == NEVER && claim.path == *path && claim.client != client;
        let over = self.claims.iter().rposition(other).and_then(|place| u32::try_from(place).ok());
        let path = path.clone();
        self.claims.push(Claim { from_us: us, to_us: UNKNOWN, seq, end_seq: NEVER, client, path, over });
    }

    /// A client gives a thing back, or everything.
    pub(super) fn give_back(&mut self, client: Node, path: Option<&str>, (us, seq): (u64, u32)) {
        let own = |claim: &&mut Claim| {
            claim.end_seq == NEVER && claim.client == client && path.is_none_or(|path| *claim.path == *path)
        };
        for claim in self.claims.iter_mut().filter(own) {
            (claim.to_us, claim.end_seq) = (us, seq);
        }
    }

    pub(super) fn cut_claims(&mut self, cut: u32) {
        self.claims.truncate(self.claims.partition_point(|claim| claim.seq < cut));
        for claim in self.claims.iter_mut().filter(|claim| claim.end_seq >= cut) {
            (claim.to_us, claim.end_seq) = (UNKNOWN, NEVER);
        }
    }

    /// Where two clients believed to hold the same thing alone, in order.
    pub fn overlaps(&self) -> impl Iterator<Item = Overlap> {
        self.claims.iter().filter_map(|claim| {
            let first = self.claims.get(claim.over? as usize)?;
            let to_us = claim.to_us.min(first.to_us);
            Some(Overlap { clients: (first.client, claim.client), from_us: claim.from_us, to_us, seq: claim.seq })
        })
    }
}
