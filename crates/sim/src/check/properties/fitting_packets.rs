//! Every packet fits (TLA+ CheckDuringAction: stateInconsistent, proposalInconsistent, commitInconsistent, messageIllegal): no server meets
//! a proposal, a commit, a cut or an answer that it cannot use. Where a rule is broken on purpose that is no surprise, and not judged, but
//! for the rule that breaks just this. Nor is a cut at a server whose log does not go back to the first transaction of all: no leader can
//! know where it begins, and such a server asks for SNAP.

use crate::check::evidence::{Evidence, Unfit};
use crate::check::witness::{Step, Witness};
use crate::sim::Fact;
use crate::zab::{self, DropReason, LeaveReason};

use super::Property;

pub(super) const PROPERTY: Property = Property {
    id: "fitting-packets",
    title: "Every packet fits",
    about: "No server receives a proposal, commit, TRUNC or answer that its state has no use for.",
    source: "TLA+ CheckDuringAction; Learner.java, Follower.java, LearnerHandler.java",
    check,
};

fn check(witness: &Witness, step: &Step) -> Option<Evidence> {
    let Fact::Zab { server, fact } = step.fact else { return None };
    let what = match fact {
        zab::Fact::Left { reason: LeaveReason::OutOfOrder, .. } => Unfit::OutOfOrder,
        zab::Fact::Left { reason: LeaveReason::CannotTruncate, .. } if witness.has_whole_log(*server) => {
            Unfit::CannotTruncate
        }
        zab::Fact::LearnerDropped { reason: DropReason::BadPacket, .. } => Unfit::BadPacket,
        _ => return None,
    };
    witness.unbroken.then_some(Evidence::Unfit { server: *server, what })
}

#[cfg(test)]
mod tests {
    use crate::check::testkit::Story;
    use crate::zab::LeaveReason;

    #[test]
    fn a_proposal_that_does_not_fit_is_seen() {
        let mut story = Story::new(3);
        story.lead(3, 1).leave(1, LeaveReason::LeaderGone);
        assert_eq!(story.violated(), Vec::<&str>::new());
        story.leave(2, LeaveReason::OutOfOrder);
        assert_eq!(story.violated(), ["fitting-packets"]);
    }

    #[test]
    fn a_cut_that_only_a_whole_log_can_bear_is_judged_there() {
        let mut story = Story::new(3);
        story.lead(3, 1).propose(3, "1:1", "a").queue(1, "1:1").sync(1, 1);
        let mut received = story.clone();
        received.install(1, "1:1").leave(1, LeaveReason::CannotTruncate);
        assert_eq!(received.violated(), Vec::<&str>::new());
        story.leave(1, LeaveReason::CannotTruncate);
        assert_eq!(story.violated(), ["fitting-packets"]);
    }
}
