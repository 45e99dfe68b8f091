//! No lost wake-up (`LockInternals.java` `internalLockLoop`): where the node is gone that somebody waits for,
//! something comes of it within a bound: it has the lock, waits for another, or gives up. To be woken alone is not
//! enough, for it must look again.
//!
//! Time counts only while the program runs and has a connection: otherwise it is told when that is over. The bound leaves room
//! for a server that has lost its leader and does not know it yet, for the client to leave that server, and for retries.

use crate::base::{Micros, SimTime};
use crate::check::evidence::{Evidence, Misuse};
use crate::check::witness::{Step, Wait, Who, Witness};

use super::Property;

pub(super) const PROPERTY: Property = Property {
    id: "no-lost-wake-up",
    title: "No lost wake-up",
    about: "When the node that a client waits for is gone, the client soon gets the lock, waits for another or gives up.",
    source: "LockInternals.java internalLockLoop; CURATOR-107",
    check,
};

/// What requests and their retries may take, µs.
const ROOM_US: Micros = 10_000_000;

fn check(witness: &Witness, step: &Step) -> Option<Evidence> {
    witness.programs.waits.iter().find_map(|((who, object), wait)| {
        let late_us = late(witness, *who, wait, step.at)?;
        let (who, object, watched) = (*who, object.to_string(), wait.watched.path.to_string());
        Some(Evidence::Recipe(Misuse::NotWoken { who, object, watched, late_us }))
    })
}

fn late(witness: &Witness, (client, _): Who, wait: &Wait, now: SimTime) -> Option<Micros> {
    let gone = wait.gone?;
    let app = witness.programs.app(client);
    let late_us = now.since(gone.max(app.changed));
    let bound = ROOM_US + 2 * u64::from(app.timeout_ms) * 1_000 + witness.patience_us;
    (app.is_well() && late_us > bound).then_some(late_us)
}

#[cfg(test)]
mod tests {
    use crate::check::testkit::holders;
    use crate::recipes::Share;

    const NODES: [&str; 2] = ["/lock/lock-0000000000", "/lock/lock-0000000001"];

    #[test]
    fn who_sleeps_on_is_seen() {
        let mut story = holders(&NODES);
        story.waits(1, NODES[1], NODES[0]).wait(60_000_000).serve(3);
        assert_eq!(story.violated(), Vec::<&str>::new());
        story.removes(NODES[0]).wait(5_000_000);
        let (mut right, mut paused) = (story.clone(), story.clone());
        right.acquires(1, "/lock", NODES[1], Share::Exclusive).wait(60_000_000).serve(3);
        paused.pauses(1).wait(60_000_000).serve(3);
        assert_eq!([right.violated(), paused.violated()], [Vec::<&str>::new(), Vec::new()]);
        story.wait(60_000_000).serve(3);
        assert_eq!(story.violated(), ["no-lost-wake-up"]);
    }
}
