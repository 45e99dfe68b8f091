//! A server alone: its file names no other, so there is nobody to elect and nobody to ask (`ZooKeeperServerMain.java`,
//! `ZooKeeperServer.java` `loadData`, `setupRequestProcessors`). It numbers transactions behind those that it has, in whatever epoch they
//! are, and each counts when it is in its log. The real one lets reads wait behind what it is writing, whoever asked for that; here they
//! wait behind what their own session has asked for.

use crate::base::{ServerSet, Zxid};

use super::fact::{Fact, Note};
use super::io::Output;
use super::message::{Payload, Proposal};
use super::peer::Cx;
use super::storage::Done;

/// The state of a server alone.
#[derive(Clone, Debug, Hash)]
pub struct Alone {
    /// Whether it still writes the snapshot with which it begins; it serves nobody until then.
    pub loading: bool,
    /// The last zxid given out.
    pub last_proposed: Zxid,
}

impl Alone {
    pub(in crate::zab) fn start(cx: &mut Cx) -> Alone {
        let last_zxid = cx.storage.last_processed;
        cx.out.fact(Fact::Standalone { last_zxid });
        cx.storage.write_snapshot(cx.out);
        Alone { loading: true, last_proposed: last_zxid }
    }

    /// Gives a transaction the next zxid, and has it written.
    pub(in crate::zab) fn propose(&mut self, payload: Payload, cx: &mut Cx) {
        let zxid = self.last_proposed.next();
        self.last_proposed = zxid;
        cx.out.fact(Fact::Proposed { zxid, payload: payload.clone(), followers: ServerSet::EMPTY });
        cx.storage.enqueue(Proposal { zxid, payload }, cx.out);
    }

    /// A disk operation is done.
    pub(in crate::zab) fn persisted(&mut self, done: &Done, cx: &mut Cx) {
        match done {
            Done::Snapshot(_) if self.loading => {
                self.loading = false;
                cx.out.push(Output::Serve(true));
            }
            Done::Appended(zxids) => {
                let acks: ServerSet = [cx.me].into_iter().collect();
                for &zxid in zxids {
                    let Some(proposal) = cx.storage.logged(zxid) else { continue };
                    cx.out.explain(Fact::Committed { zxid, acks }, Note::OnDiskBeforeAck);
                    cx.storage.apply(proposal, cx.config, cx.out);
                }
            }
            _ => {}
        }
    }
}
