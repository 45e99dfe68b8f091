//! Log shape (Zab, phases 1 and 2; `QuorumPeer.java` `loadDataBase`): log and snapshots hold a history without a gap;
//! acceptedEpoch is at least currentEpoch and the epoch of the last transaction; currentEpoch vouches for a history
//! that is there (ZOOKEEPER-4643).
//!
//! Between the history of a new leader and currentEpoch the last transaction may be of a later epoch than the file says:
//! only a server that serves must have closed that window.

use crate::base::{Epoch, ServerId};
use crate::check::evidence::Evidence;
use crate::check::witness::{Step, Witness};
use crate::sim::{EpochFile, Fact, WorldFact};

use super::Property;

pub(super) const PROPERTY: Property = Property {
    id: "log-shape",
    title: "Well-formed log",
    about: "A log on disk has no gap, and its epochs vouch for no more than it holds.",
    source: "Zab, phases 1 and 2; QuorumPeer.java loadDataBase; ZOOKEEPER-4643",
    check,
};

fn check(witness: &Witness, step: &Step) -> Option<Evidence> {
    let Fact::World(fact) = step.fact else { return None };
    match *fact {
        WorldFact::Synced { server, count, .. } => gap(witness, server, count).or_else(|| {
            let last = witness.to_be_synced(server, count).last()?;
            let view = witness.server(server);
            let epoch = witness.histories.epoch(last);
            let wrong = epoch > view.accepted || (view.serving && epoch > view.current);
            let (accepted, current, last) = (view.accepted, view.current, witness.zxid(last));
            wrong.then_some(Evidence::EpochsOutOfOrder { server, accepted, current, last })
        }),
        WorldFact::EpochWritten { server, file: EpochFile::CurrentEpoch, epoch } => current(witness, server, epoch),
        _ => None,
    }
}

fn gap(witness: &Witness, server: ServerId, count: usize) -> Option<Evidence> {
    let mut after = witness.server(server).durable;
    for node in witness.to_be_synced(server, count) {
        let zxid = witness.zxid(node);
        if zxid > witness.zxid(after) {
            if witness.histories.parent(node) != after || !zxid.follows(witness.zxid(after)) {
                return Some(Evidence::Gap { server, zxid, after: witness.zxid(after) });
            }
            after = node;
        }
    }
    None
}

fn current(witness: &Witness, server: ServerId, epoch: Epoch) -> Option<Evidence> {
    let view = witness.server(server);
    if epoch > view.accepted {
        let last = witness.zxid(view.durable);
        return Some(Evidence::EpochsOutOfOrder { server, accepted: view.accepted, current: epoch, last });
    }
    let base = witness.reigns.get(&epoch)?.base;
    let vouches = witness.observes(server) || witness.histories.is_prefix(base, view.durable);
    let (history, on_disk) = (witness.zxid(base), witness.zxid(view.durable));
    (!vouches).then_some(Evidence::EpochBeforeHistory { server, epoch, history, on_disk })
}

#[cfg(test)]
mod tests {
    use crate::check::testkit::Story;

    #[test]
    fn a_gap_on_disk_is_seen() {
        let mut story = Story::new(3);
        story.lead(3, 1).propose(3, "1:1", "a").propose(3, "1:2", "b").queue(1, "1:1").sync(1, 1);
        assert_eq!(story.violated(), Vec::<&str>::new());
        story.accept(2, 1).queue(2, "1:2").sync(2, 1);
        assert_eq!(story.violated(), ["log-shape"]);
    }

    #[test]
    fn a_snapshot_covers_what_the_log_misses_until_it_is_cut_away() {
        let mut story = Story::new(3);
        story.lead(3, 1).propose(3, "1:1", "a").propose(3, "1:2", "b").propose(3, "1:3", "c");
        story.apply(1, "1:1", "a").apply(1, "1:2", "b").snapshot(1, "1:2").crash(1).start(1);
        story.queue(1, "1:3").sync(1, 1);
        assert_eq!(story.violated(), Vec::<&str>::new());
        story.cut(1, "1:1").queue(1, "1:2").sync(1, 1);
        assert_eq!(story.violated(), ["log-shape"], "nothing is left of 1:1");
    }

    #[test]
    fn an_epoch_that_vouches_for_what_is_not_there_is_seen() {
        let mut story = Story::new(3);
        story.lead(3, 1).propose(3, "1:1", "a").sync(3, 1).apply(3, "1:1", "a").synchronizing(3, 2).accept(1, 2);
        assert_eq!(story.violated(), Vec::<&str>::new());
        story.current_epoch(1, 2);
        assert_eq!(story.violated(), ["log-shape"]);
    }
}
