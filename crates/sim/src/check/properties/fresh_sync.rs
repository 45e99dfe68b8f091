//! sync (`zookeeperProgrammers.md`, Consistency Guarantees, Simultaneously Consistent Cross-Client Views; `Leader.java`
//! `processSync`): when it is answered the server has all that was committed when the leader took it. Later reads of the
//! session see no less (`session-fifo`). A leader that is deposed and does not know it is asked in vain (ZOOKEEPER-1675):
//! that is told beside the violations.

use crate::check::evidence::{Breach, Evidence};
use crate::check::witness::{Step, Witness};
use crate::sim::{Fact, Parcel, WorldFact};
use crate::wire::{Request, ToClient};

use super::Property;

pub(super) const PROPERTY: Property = Property {
    id: "fresh-sync",
    title: "A sync catches up",
    about: "After a sync, the server has everything that was committed when the leader received it.",
    source: "zookeeperProgrammers.md, Consistency Guarantees; Leader.java processSync; ZOOKEEPER-1675",
    check,
};

fn check(witness: &Witness, step: &Step) -> Option<Evidence> {
    let Fact::World(WorldFact::Sent { from, to, message: Parcel::ToClient(packet), .. }) = step.fact else {
        return None;
    };
    let ToClient::Reply { xid, outcome: Ok(_), .. } = packet else { return None };
    let (server, client) = (from.server()?, to.client()?);
    let view = witness.clients.view(client).filter(|view| !view.overlapping)?;
    let Request::Sync { .. } = view.asked(*xid)?.request else { return None };
    let floor = witness.syncs.floor(view.session, *xid)?;
    let memory = witness.server(server).memory;
    let fresh = floor.deposed || witness.histories.is_prefix(floor.tip, memory);
    let (state, committed) = (witness.zxid(memory), witness.zxid(floor.tip));
    (!fresh).then_some(Evidence::Client(Breach::SyncBehind { client, server, state, committed }))
}

#[cfg(test)]
mod tests {
    use crate::check::testkit::Story;
    use crate::store::Owner;
    use crate::wire::{Answer, Request};

    #[test]
    fn a_sync_that_does_nothing_is_seen() {
        let mut story = Story::with_client();
        let sync = Request::Sync { path: "/".into() };
        let done = Ok(Answer::Path("/".into()));
        let mut right = story.clone();
        let _ = right.txn("1:2", -1, Story::created("/a", Owner::None, 1));
        right.ask(3, 1, sync.clone()).reply(3, 1, "1:2", done.clone());
        assert_eq!(right.violated(), Vec::<&str>::new());
        let created = story.proposed("1:2", -1, Story::created("/a", Owner::None, 1));
        story.commit(3, "1:2").ask(3, 1, sync.clone());
        let mut deposed = story.clone();
        story.reply(3, 1, "1:1", done.clone());
        assert_eq!(story.violated(), ["fresh-sync"], "{created}");
        // what a later leader has committed no sync at the old one can know
        deposed.queue(2, "1:1").queue(2, "1:2").current_epoch(2, 2).established(2, 2).ask(3, 2, sync);
        deposed.reply(3, 2, "1:1", done);
        assert!(!deposed.violated().contains(&"fresh-sync"), "{:?}", deposed.violated());
        assert!(deposed.stale_syncs()[0].contains("under a deposed leader"), "{:?}", deposed.stale_syncs());
    }
}
