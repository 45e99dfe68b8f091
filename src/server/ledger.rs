//! The replicated state: which transactions were applied, in one number that any two servers can compare.

use serde::{Deserialize, Serialize};
use siphasher::sip::SipHasher24;
use std::collections::VecDeque;
use std::hash::Hasher;

use crate::base::Zxid;
use crate::zab::{Image, Proposal};

/// How many of the last transactions the state remembers by name, for the strips on the stage.
pub const RECENT: usize = 16;

/// All applied transactions, summed up.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ledger {
    /// The last one.
    pub last: Zxid,
    /// How many there are.
    pub count: u64,
    /// A hash over all of them in order: equal on two servers when their histories are.
    pub state: u64,
    /// The last few.
    pub recent: VecDeque<Zxid>,
}

impl Ledger {
    /// Applies a transaction.
    pub fn apply(&mut self, proposal: &Proposal) {
        let mut hasher = SipHasher24::new();
        hasher.write(&self.state.to_le_bytes());
        hasher.write(&proposal.zxid.0.to_le_bytes());
        hasher.write(proposal.payload.0.as_bytes());
        self.state = hasher.finish();
        self.last = proposal.zxid;
        self.count += 1;
        if self.recent.len() == RECENT {
            self.recent.pop_front();
        }
        self.recent.push_back(proposal.zxid);
    }

    /// The state written down, for a snapshot or a SNAP.
    pub fn image(&self) -> Image {
        Image(serde_json::to_string(self).unwrap_or_default().into())
    }

    /// The state read back; the empty one from a text that no ledger wrote.
    pub fn from_image(image: &Image) -> Ledger {
        serde_json::from_str(&image.0).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::zab::Payload;

    #[test]
    fn the_state_tells_histories_apart_and_survives_an_image() {
        let proposal = |counter, text: &str| Proposal { zxid: Zxid::new(1, counter), payload: Payload(text.into()) };
        let (mut one, mut other) = (Ledger::default(), Ledger::default());
        one.apply(&proposal(1, "a"));
        other.apply(&proposal(1, "b"));
        assert_ne!(one.state, other.state);
        one.apply(&proposal(2, "c"));
        assert_eq!(Ledger::from_image(&one.image()), one);
        assert_eq!((one.last, one.count), (Zxid::new(1, 2), 2));
    }
}
