//! Rules of recipes that a run can break, for all clients at once. Most are what a word of a recipe does (`with`): a rule of
//! a kind is called by the kind, a colon and that word; where it is the word's absence that does harm, by what then happens.
//! The others are of what recipes and scripts stand on: creates, deletes and work.
//!
//! A later version of Curator has some of these words by itself.

use crate::base::{RuleSet, Way, rules};

use super::runtime::recipe::Recipe;

rules! {
    /// A rule of recipes, broken.
    RecipeRule in Recipe {
        /// Who is woken believes to own the lock, and does not list again.
        NeverLooksAgain = "mutex:never_looks_again",
        /// Who waits watches the first node, not the one before its own: each release wakes all.
        WatchesFirst = "mutex:watches_first",
        /// The node of the lock has no name by which it is found again when the answer to its create is lost.
        Unprotected = "mutex:unprotected",
        /// The node of the lock does not go with its holder's session.
        Persistent = "mutex:persistent",
        /// Who gives up leaves its node in the queue.
        LeavesNode = "mutex:leaves_node",
        /// Work goes on whatever becomes of the connection.
        HeedlessWork = "work:heedless" or "CURATOR-206",
        /// A holder that was told LOST goes on, and deletes the node of its successor.
        HeedlessHolder = "naive_lock:heedless",
        /// Who finds the node there does not look whether it is its own.
        IgnoresOwner = "naive_lock:ignores_owner",
        /// The queue stands in the order of its nodes' names, and these begin with the session.
        SortsByName = "predecessor_lock:sorts_by_name" or "ZOOKEEPER-2931",
        /// A writer that goes on as a reader queues behind the writers that wait.
        LosesPlace = "read_write:loses_place" or "CURATOR-621",
        /// An acquire that fails leaves its node among the leases.
        LeavesLease = "semaphore:leaves_lease" or "CURATOR-335",
        /// Who is first leads, though its node is of a session that is over.
        LeadsByGhost = "latch:leads_by_ghost" or "CURATOR-696",
        /// A latch whose path is gone waits for ever.
        EndsWithWipe = "latch:ends_with_wipe" or "CURATOR-724",
        /// Each reconnection, and each predecessor that goes, makes a latch queue anew.
        ResetsOnReconnect = "latch:resets_on_reconnect" or "CURATOR-644",
        /// A leader does not listen to interrupts: it leads on when the session is lost.
        Deaf = "selector:deaf",
        /// Who gives leadership up by an interrupt cancels the round that it waits for, too.
        CancelsWaiting = "selector:cancels_waiting" or "CURATOR-518",
        /// A round that is cancelled is the last, though the selector is to queue again.
        DeadThread = "selector:dead_thread",
        /// A member counts first and then sets its watch.
        WatchesLate = "double_barrier:watches_late",
        /// A member counts once: whatever wakes it, it takes for the others' arrival.
        CountsOnce = "double_barrier:counts_once" or "GH-1290",
        /// A leave with a time limit waits without one.
        NeverGivesUp = "double_barrier:never_gives_up" or "CURATOR-536",
        /// A protected create takes the node that it finds for its own, though it is of a session that is over.
        AnySession = "create:any_session" or "CURATOR-498",
        /// A protected create that is given up does not look for a node that may be there all the same.
        NoCleanUp = "create:no_clean_up" or "CURATOR-79",
        /// A guaranteed delete that fails for want of a connection is not tried again.
        NotGuaranteed = "delete:not_guaranteed",
    }
}

impl RecipeRule {
    /// The kind of recipe that it is of, or what all of them stand on; and its word there.
    fn parts(self) -> (&'static str, &'static str) {
        self.name().split_once(':').unwrap_or_default()
    }

    /// The word that keeps it, where recipes do without that by themselves.
    fn kept_by(self) -> Option<&'static str> {
        Some(match self {
            RecipeRule::LosesPlace => "keeps_place",
            RecipeRule::LeadsByGhost => "checks_owner",
            RecipeRule::EndsWithWipe => "survives_wipe",
            RecipeRule::CancelsWaiting => "spares_waiting",
            RecipeRule::CountsOnce => "recounts",
            _ => return None,
        })
    }
}

/// The rules that later versions of Curator keep, each by its way.
const KEPT_BY_VERSIONS: [(Way, RecipeRule); 4] = [
    (Way::ReaderKeepsPlace, RecipeRule::LosesPlace),
    (Way::LatchReadsOwn, RecipeRule::LeadsByGhost),
    (Way::LatchSurvivesWipe, RecipeRule::EndsWithWipe),
    (Way::SelectorSparesWaiting, RecipeRule::CancelsWaiting),
];

impl Recipe {
    /// The recipe as a run under these rules makes it: with the words that its version keeps rules of its kind by, and those
    /// by which the run breaks some.
    pub(crate) fn under(mut self, rules: RuleSet) -> Recipe {
        let kind = self.kind.name();
        for (_, rule) in KEPT_BY_VERSIONS.iter().filter(|(way, rule)| rules.breaks(*way) && rule.parts().0 == kind) {
            self.with.extend(rule.kept_by().map(Into::into));
        }
        for rule in RecipeRule::ALL.iter().filter(|rule| rules.breaks(**rule) && rule.parts().0 == kind) {
            match rule.kept_by() {
                Some(kept) => self.with.retain(|word| &**word != kept),
                None => self.with.push(rule.parts().1.into()),
            }
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Kind;

    fn made(kind: Kind, words: &[&str]) -> Recipe {
        let with = words.iter().map(|word| (*word).into()).collect();
        Recipe { kind, path: "/it".into(), count: None, id: None, hold_ms: None, with }
    }

    #[test]
    fn a_rule_of_a_kind_is_a_word_of_that_kind() {
        for rule in RecipeRule::ALL {
            let (of, word) = rule.parts();
            match Kind::all().find(|kind| kind.name() == of) {
                Some(kind) => assert!(kind.words().contains(&rule.kept_by().unwrap_or(word)), "{}", rule.name()),
                None => assert!(["work", "create", "delete"].contains(&of), "{}", rule.name()),
            }
        }
    }

    #[test]
    fn a_run_that_breaks_a_rule_makes_all_of_its_kind_so() {
        let none = RuleSet::default();
        let rules = none.breaking(RecipeRule::Unprotected).breaking(RecipeRule::LeadsByGhost);
        assert_eq!(made(Kind::MUTEX, &[]).under(none), made(Kind::MUTEX, &[]));
        assert_eq!(made(Kind::MUTEX, &["deaf"]).under(rules), made(Kind::MUTEX, &["deaf", "unprotected"]));
        assert_eq!(made(Kind::READ_WRITE, &[]).under(rules), made(Kind::READ_WRITE, &[]), "a rule is of one kind");
        let latch = made(Kind::LATCH, &["checks_owner", "survives_wipe"]);
        assert_eq!(latch.under(rules), made(Kind::LATCH, &["survives_wipe"]));
    }

    #[test]
    fn a_later_version_keeps_rules_that_a_run_may_break_all_the_same() {
        let later = Way::OF_CURATOR_5_9.into_iter().fold(RuleSet::default(), RuleSet::breaking);
        let words = |recipe: Recipe| recipe.with;
        assert_eq!(words(made(Kind::READ_WRITE, &[]).under(later)), ["keeps_place".into()]);
        assert_eq!(words(made(Kind::LATCH, &[]).under(later)), ["checks_owner".into(), "survives_wipe".into()]);
        assert_eq!(words(made(Kind::SELECTOR, &["auto_requeue"]).under(later)).len(), 2);
        assert_eq!(words(made(Kind::DOUBLE_BARRIER, &[]).under(later)), [], "mended after 5.9.0");
        let ghosts = later.breaking(RecipeRule::LeadsByGhost);
        assert_eq!(words(made(Kind::LATCH, &["checks_owner"]).under(ghosts)), ["survives_wipe".into()]);
    }
}
