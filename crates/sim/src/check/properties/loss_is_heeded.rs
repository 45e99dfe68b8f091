//! LOST is heeded (`ConnectionState.java`, Tech Note 14): who was told that its session is lost no longer acts by what it held before,
//! whether it has let go of that or not, until its thread calls something. What is done in the moment of being told is not held against it:
//! a thread may be at it already.

use crate::base::Micros;
use crate::check::evidence::{Evidence, Misuse};
use crate::check::witness::{Step, Witness};
use crate::sim::{Fact, WorldFact};

use super::Property;

pub(super) const PROPERTY: Property = Property {
    id: "loss-is-heeded",
    title: "LOST is heeded",
    about: "A client told LOST stops using whatever it held.",
    source: "ConnectionStateManager.java, ConnectionState.java; Tech Note 14",
    check,
};

/// How long the moment is, µs.
const MOMENT_US: Micros = 1_000_000;

fn world(fact: &Fact) -> Option<&WorldFact> {
    if let Fact::World(fact) = fact { Some(fact) } else { None }
}

fn check(witness: &Witness, step: &Step) -> Option<Evidence> {
    let (WorldFact::ResourceWritten { resource, client, thread, .. }
    | WorldFact::ResourceRefused { resource, client, thread, .. }) = world(step.fact)?
    else {
        return None;
    };
    let (who, app) = ((*client, *thread), witness.programs.app(*client));
    let told = app.lost?;
    let held = || witness.programs.holds.iter().filter(|hold| hold.who == who);
    let let_go = witness.programs.let_go.get(&who).copied();
    let any = held().count() > 0 || let_go.is_some();
    let stale = any && held().map(|hold| hold.since).chain(let_go).all(|since| since < told);
    let late_us = step.at.since(told.max(app.resumed));
    let resource = resource.to_string();
    (stale && late_us > MOMENT_US).then_some(Evidence::Recipe(Misuse::ActsAfterLoss { who, resource, late_us }))
}

#[cfg(test)]
mod tests {
    use crate::check::testkit::holders;
    use crate::recipes::Share;

    #[test]
    fn who_acts_on_is_seen() {
        let mut story = holders(&["/lock/lock-0000000000"]);
        story.acquires(1, "/lock", "/lock/lock-0000000000", Share::Exclusive).uses(1);
        story.loses_session(1).uses(1).wait(3_000_000);
        assert_eq!(story.violated(), Vec::<&str>::new());
        let mut right = story.clone();
        right.releases(1, "/lock").uses(1);
        assert_eq!(right.violated(), Vec::<&str>::new());
        let mut let_go = story.clone();
        story.uses(1);
        assert_eq!(story.violated(), ["loss-is-heeded"]);
        let_go.loses(1, "/lock").uses(1);
        assert_eq!(let_go.violated(), ["loss-is-heeded"], "it let go, and its thread goes on");
    }
}
