//! The properties, one file each. To add one: a file with a `PROPERTY` and its tests, a line in the table, and its words in
//! each language but English.
//!
//! Sources: "Zab" is Junqueira, Reed, Serafini: *Zab: High-performance broadcast for primary-backup systems* (DSN
//! 2011); "ZooKeeper" is Hunt, Konar, Junqueira, Reed: *ZooKeeper: Wait-free coordination for Internet-scale systems*
//! (USENIX ATC 2010); "TLA+" are names in `Zab.tla` and `ZkV3_7_0.tla` of the ZooKeeper repository, whose pages
//! `zookeeperProgrammers.md` and `recipes.md` are called by their headings; Java classes are ZooKeeper's or
//! Curator's, "Tech Note" is Curator's.

use super::evidence::Evidence;
use super::second::SECOND_STORE;
use super::witness::{Step, Witness};

/// Something that must hold in every run.
#[derive(Clone, Copy, Debug)]
pub struct Property {
    /// Its stable name.
    pub id: &'static str,
    /// What it is called in English; the other languages have a title and a sentence for each id.
    pub title: &'static str,
    /// What it says, in one sentence.
    pub about: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// What is wrong with a fact, if anything, given all facts before it. It is asked only
    /// about facts that `Witness::look` lets through.
    pub(super) check: fn(&Witness, &Step) -> Option<Evidence>,
}

/// The table: each property's file, in the order in which they are shown.
macro_rules! properties {
    ($($room:ident),* $(,)?) => {
        $(mod $room;)*

        /// All that facts are judged by, in the order in which they are shown.
        pub const PROPERTIES: &[Property] = &[$($room::PROPERTY),*];

        #[cfg(test)]
        const ROOMS: &[&str] = &[$(stringify!($room)),*];
    };
}

properties! {
    epoch_uniqueness,
    integrity,
    agreement,
    local_primary_order,
    global_primary_order,
    primary_integrity,
    durability,
    quorum_durable,
    client_promise,
    ack_honesty,
    log_shape,
    memory_is_disk,
    state_machine,
    epoch_promise,
    fitting_packets,
    session_fifo,
    request_order,
    read_your_writes,
    fresh_sync,
    write_linearizability,
    session_life,
    timely_expiry,
    true_refusals,
    watch_rules,
    lasting_watches,
    sequence_numbers,
    mutual_exclusion,
    readers_and_writers,
    semaphore_bound,
    one_leader,
    lock_fairness,
    no_lost_wake_up,
    loss_is_heeded,
}

impl Property {
    /// One that somebody else judges: no single fact shows it.
    pub(super) const fn beside(
        id: &'static str,
        title: &'static str,
        about: &'static str,
        source: &'static str,
    ) -> Property {
        Property { id, title, about, source, check: |_, _| None }
    }
}

/// What no fact shows, but the end of a run in which all was healed: the soak judges it.
pub const LIVENESS: Property = Property::beside(
    "liveness",
    "Liveness",
    "Once a majority runs and can talk, there is a leader again, all catch up, and writes are done.",
    "Zab, Liveness",
);

/// The same of recipes.
pub const RECIPE_LIVENESS: Property = Property::beside(
    "recipe-liveness",
    "Liveness of recipes",
    "Once all is healed, whoever waits for something that nobody holds gets it.",
    "Curator's recipes: whoever waits is served",
);

/// The property of this name.
pub fn property(id: &str) -> Option<&'static Property> {
    PROPERTIES.iter().chain([&SECOND_STORE, &LIVENESS, &RECIPE_LIVENESS]).find(|property| property.id == id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_consistent() {
        for (at, property) in PROPERTIES.iter().enumerate() {
            assert_eq!(property.id, ROOMS[at].replace('_', "-"), "a property is called as its file is");
            assert!(ROOMS[..at].iter().all(|other| *other != ROOMS[at]), "{} stands twice", property.id);
            assert!(property.about.ends_with('.') && !property.source.is_empty(), "{}", property.id);
            assert!(!property.title.is_empty() && !property.title.ends_with('.'), "{}", property.id);
            assert_eq!(super::property(property.id).map(|found| found.id), Some(property.id));
        }
    }
}
