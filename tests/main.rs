//! All tests that need no browser, linked once.

// nobody else can reach what is in here
#![allow(unreachable_pub)]

mod architecture;
#[cfg(all(feature = "ui", feature = "conform"))]
#[path = "attack/main.rs"]
mod attack;
mod begun;
mod broken_rules;
mod clocks;
mod command_line;
#[cfg(feature = "conform")]
mod conformance;
#[path = "counter/main.rs"]
mod counter;
mod design;
mod disks;
#[cfg(feature = "conform")]
mod ensemble;
mod explore;
mod exported;
mod facts;
#[path = "rivals/faults.rs"]
mod faults;
mod four_letter_words;
#[path = "rivals/generation.rs"]
mod generation;
#[cfg(feature = "conform")]
#[path = "rivals/generation_recorded.rs"]
mod generation_recorded;
mod grade;
mod guarantees;
mod hands;
mod hostile;
mod judged;
#[cfg(feature = "live")]
mod jute;
mod kernel;
mod ledger;
mod length;
mod lessons;
mod limits;
#[cfg(all(feature = "live", unix))]
#[path = "live/main.rs"]
mod live;
#[cfg(feature = "ui")]
mod messages;
mod notes;
mod occasions;
mod oracle;
mod outside;
mod own_recipes;
mod promise;
mod real_runs;
#[cfg(feature = "conform")]
mod recipe_traces;
mod recipes;
mod reconfig;
mod record;
#[path = "rivals/register.rs"]
mod register;
mod restart;
mod reveals;
mod rivals;
mod scenarios;
mod share;
mod soak;
#[cfg(feature = "conform")]
#[path = "rivals/sql.rs"]
mod sql;
#[path = "rivals/sql_counts.rs"]
mod sql_counts;
#[cfg(feature = "conform")]
#[path = "rivals/sql_rules.rs"]
mod sql_rules;
#[path = "rivals/sql_soak.rs"]
mod sql_soak;
mod standalone;
#[path = "rivals/systems.rs"]
mod systems;
mod teaching;
mod telling;
#[path = "two_phase/main.rs"]
mod two_phase;
mod versions;
mod zkcli;
