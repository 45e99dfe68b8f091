//! Double holders: a thread goes on believing that it holds something whose node is gone, and another has it by
//! right. The service has done its part, and so has the recipe; it is what remains of any lock whose holder may stand
//! still (Curator's Tech Note 10). It is told, and it is no violation.

use serde::Serialize;
use std::fmt;
use std::rc::Rc;

use crate::base::{ClientId, SimTime, Zxid};
use crate::recipes::{Share, ThreadId};

use super::programs::{Hold, Programs, Who};

/// Two believe to hold what only one may have.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Double {
    /// The moment from which two believed, in virtual time.
    #[serde(rename = "at_us")]
    pub at: SimTime,
    /// What they hold.
    pub path: Rc<str>,
    /// Who has no right to it any more.
    pub client: ClientId,
    /// Its thread.
    pub thread: ThreadId,
    /// The commit with which its node went.
    pub gone: Zxid,
    /// Who has it too.
    pub other: ClientId,
    /// Its thread.
    pub other_thread: ThreadId,
}

/// Whether two may not hold at a time. Leases are counted.
fn excludes(one: Share, other: Share) -> bool {
    use Share::{Exclusive, Leader, Read};
    matches!((one, other), (Exclusive, Exclusive | Read) | (Read, Exclusive) | (Leader, Leader))
}

impl Double {
    /// Those that a new hold makes; where leases are held, the oldest too many.
    pub(super) fn of(programs: &Programs, new: &Hold) -> Vec<Double> {
        let others = || programs.others(new.who, &new.path);
        let make = |believer: &Hold, other: Who| {
            let (at, path, (client, thread)) = (new.since, new.path.clone(), believer.who);
            let (other, other_thread) = other;
            Some(Double { at, path, client, thread, gone: believer.gone?, other, other_thread })
        };
        if let Share::Lease { of } = new.share {
            let gone = others().find(|hold| hold.gone.is_some()).filter(|_| others().count() >= of as usize);
            return gone.and_then(|old| make(old, new.who)).into_iter().collect();
        }
        let pairs = others().filter(|old| excludes(new.share, old.share));
        pairs.filter_map(|old| make(old, new.who).or_else(|| make(new, old.who))).collect()
    }
}

impl fmt::Display for Double {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Double { at, path, client, thread, gone, other, other_thread } = self;
        write!(
            f,
            "double holder of {path} at {at}: {client} {thread} still believes, its node is gone since {gone}; \
             {other} {other_thread} has it too"
        )
    }
}
