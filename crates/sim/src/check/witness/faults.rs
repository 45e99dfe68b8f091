//! What the protocol does not bear: disks that lose what they had (Zab, section 2: processes crash and recover, what is on
//! stable storage stays).

use crate::base::{Arrange, Epoch, ServerId, SimTime};

use super::{ServerView, Witness};

impl ServerView {
    /// What is on its disk, and no process.
    pub(super) fn at_rest(&self) -> ServerView {
        let ServerView { durable, accepted, current, partial, .. } = *self;
        let (log, snapshots) = (self.log.clone(), self.snapshots.clone());
        let (tail, promised) = (durable, accepted);
        ServerView { tail, durable, accepted, current, promised, partial, log, snapshots, ..ServerView::default() }
    }
}

impl Witness {
    /// What a majority keeps of it all: whether the committed history, and the latest epochs promised and taken over.
    fn kept(&self) -> (bool, Epoch, Epoch) {
        let majority = |epoch: fn(&ServerView) -> Epoch| {
            let mut epochs: Vec<Epoch> = self.members.voters.iter().map(|id| epoch(self.server(id))).collect();
            epochs.arrange_by(|one, other| other.cmp(one));
            epochs.get(self.members.majority() - 1).copied().unwrap_or_default()
        };
        let tip = self.histories.tip();
        let holds = |&voter: &ServerId| self.histories.is_prefix(tip, self.server(voter).durable);
        let committed = self.members.is_quorum(self.members.voters.iter().filter(holds).collect());
        (committed, majority(|view| view.accepted), majority(|view| view.current))
    }

    /// A disk was emptied, or is an older copy. Where a majority no longer has what a majority had, anything may follow.
    pub(super) fn replaced(&mut self, server: ServerId, by: ServerView, now: SimTime) {
        let before = self.kept();
        let ServerView { quorums, file, .. } = *self.server(server); // its files lie elsewhere
        *self.server_mut(server) = ServerView { quorums, file, ..by };
        let after = self.kept();
        if (before.0 && !after.0) || after.1 < before.1 || after.2 < before.2 {
            self.outside.get_or_insert(now);
        }
    }
}
