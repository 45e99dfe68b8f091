//! The properties, one file each. To add one: a file with a `PROPERTY` and its tests, a line in [`PROPERTIES`].
//!
//! Sources: "reference" is section 13.2 of the project's protocol reference, "recipes" its reference of recipes; "Zab" is Junqueira, Reed, Serafini: *Zab:
//! High-performance broadcast for primary-backup systems* (DSN 2011); "TLA+" are the names in `Zab.tla` of the ZooKeeper
//! repository.

use super::evidence::Evidence;
use super::witness::{Step, Witness};

mod ack_honesty;
mod agreement;
mod client_promise;
mod durability;
mod epoch_promise;
mod epoch_uniqueness;
mod global_primary_order;
mod integrity;
mod local_primary_order;
mod lock_fairness;
mod log_shape;
mod loss_is_heeded;
mod memory_is_disk;
mod mutual_exclusion;
mod no_lost_wake_up;
mod one_leader;
mod primary_integrity;
mod read_your_writes;
mod readers_and_writers;
mod semaphore_bound;
mod sequence_numbers;
mod session_fifo;
mod session_life;
mod state_machine;
mod watch_rules;
mod write_linearizability;

/// Something that must hold in every run.
#[derive(Clone, Copy, Debug)]
pub struct Property {
    /// Its stable name.
    pub id: &'static str,
    /// What it says, in one line.
    pub about: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// What is wrong with a fact, if anything, given all facts before it.
    pub(super) check: fn(&Witness, &Step) -> Option<Evidence>,
}

/// All of them, in the order in which they are shown.
pub const PROPERTIES: &[Property] = &[
    epoch_uniqueness::PROPERTY,
    integrity::PROPERTY,
    agreement::PROPERTY,
    local_primary_order::PROPERTY,
    global_primary_order::PROPERTY,
    primary_integrity::PROPERTY,
    durability::PROPERTY,
    client_promise::PROPERTY,
    ack_honesty::PROPERTY,
    log_shape::PROPERTY,
    memory_is_disk::PROPERTY,
    state_machine::PROPERTY,
    epoch_promise::PROPERTY,
    session_fifo::PROPERTY,
    read_your_writes::PROPERTY,
    write_linearizability::PROPERTY,
    session_life::PROPERTY,
    watch_rules::PROPERTY,
    sequence_numbers::PROPERTY,
    mutual_exclusion::PROPERTY,
    readers_and_writers::PROPERTY,
    semaphore_bound::PROPERTY,
    one_leader::PROPERTY,
    lock_fairness::PROPERTY,
    no_lost_wake_up::PROPERTY,
    loss_is_heeded::PROPERTY,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_kebab_case_and_unique() {
        for (index, property) in PROPERTIES.iter().enumerate() {
            assert!(property.id.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-'), "{}", property.id);
            assert!(PROPERTIES[..index].iter().all(|other| other.id != property.id), "{}", property.id);
            assert!(property.about.ends_with('.') && !property.source.is_empty(), "{}", property.id);
        }
    }
}
