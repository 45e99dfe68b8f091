//! The built-in scenarios.

use crate::base::{ServerId, SimTime};

use super::action::Action;
use super::run::{Run, Setup};

/// A built-in run.
#[derive(Clone, Copy, Debug)]
pub struct Scenario {
    /// Its stable name.
    pub id: &'static str,
    /// What it shows, in one line.
    pub about: &'static str,
    /// How long it is worth watching, ms.
    pub until_ms: u64,
    make: fn() -> Run,
}

/// All of them, in the order in which they are shown.
pub const SCENARIOS: &[Scenario] = &[Scenario {
    id: "cold-start-3",
    about: "Three servers start together and elect a leader; clients write.",
    until_ms: 2_000,
    make: cold_start_3,
}];

fn write(run: &mut Run, at_ms: u64, server: u8, data: &str, count: u32, every_ms: u64) {
    let every_us = every_ms * 1000;
    let action = Action::Write { server: ServerId(server), data: data.into(), count, every_us };
    run.push(SimTime::from_ms(at_ms), action);
}

fn cold_start_3() -> Run {
    let mut run = Run::new(1, Setup::default());
    write(&mut run, 1_000, 1, "x=1", 3, 150);
    run
}

/// The built-in scenario of this name.
pub fn scenario(id: &str) -> Option<&'static Scenario> {
    SCENARIOS.iter().find(|scenario| scenario.id == id)
}

impl Scenario {
    /// Its run.
    pub fn run(&self) -> Run {
        (self.make)()
    }
}
