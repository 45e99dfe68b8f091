//! Leases (`InterProcessSemaphoreV2.java`): no more are held than there are, as far as the service knows. How many
//! there are is what contenders say; where they disagree, the highest counts.

use crate::check::evidence::{Evidence, Misuse};
use crate::check::witness::{Step, Witness};
use crate::recipes::Share;

use super::Property;

pub(super) const PROPERTY: Property = Property {
    id: "semaphore-bound",
    title: "Semaphore limit",
    about: "No more leases are held than exist, counting those whose nodes exist.",
    source: "InterProcessSemaphoreV2.java",
    check,
};

fn check(witness: &Witness, step: &Step) -> Option<Evidence> {
    let new = witness.acquired(step).filter(|new| new.gone.is_none())?;
    let leases = |share| if let Share::Lease { of } = share { Some(of) } else { None };
    let own = leases(new.share)?;
    let standing = witness.programs.holds.iter().filter(|hold| hold.path == new.path && hold.gone.is_none());
    let (held, of) =
        standing.filter_map(|hold| leases(hold.share)).fold((1, own), |(n, of), one| (n + 1, of.max(one)));
    (held > of as usize).then_some(Evidence::Recipe(Misuse::TooManyLeases { path: new.path.to_string(), held, of }))
}

#[cfg(test)]
mod tests {
    use crate::check::testkit::holders;
    use crate::recipes::Share;

    const NODES: [&str; 3] =
        ["/sem/leases/lease-0000000000", "/sem/leases/lease-0000000001", "/sem/leases/lease-0000000002"];
    const TWO: Share = Share::Lease { of: 2 };

    #[test]
    fn a_lease_too_many_is_seen() {
        let mut story = holders(&NODES);
        story.acquires(1, "/sem", NODES[0], TWO).acquires(2, "/sem", NODES[1], TWO);
        let mut right = story.clone();
        right.releases(1, "/sem").removes(NODES[0]).acquires(1, "/sem", NODES[2], TWO);
        let mut paused = story.clone();
        paused.removes(NODES[0]).acquires(3, "/sem", NODES[2], TWO);
        assert_eq!([right.violated(), paused.violated()], [Vec::<&str>::new(), Vec::new()]);
        assert_eq!((right.doubles().len(), paused.doubles().len()), (0, 1));
        story.acquires(1, "/sem", NODES[2], TWO);
        assert_eq!(story.violated(), ["semaphore-bound"]);
    }
}
