//! A machine's disk: it does one operation at a time, and one in the background beside it. What is durable its machine
//! keeps; what is under way is known here by its name only.

use std::collections::VecDeque;

use crate::base::{Micros, Prng};

use super::action::LatencyRange;
use super::host::Token;

/// One disk.
#[derive(Clone, Debug)]
pub struct Disk {
    /// How long a sync takes.
    pub sync: LatencyRange,
    pub(super) jobs: VecDeque<Token>,
    pub(super) background: Option<Token>,
}

impl Disk {
    pub(super) fn new(sync: LatencyRange) -> Disk {
        Disk { sync, jobs: VecDeque::new(), background: None }
    }

    pub(super) fn draw_time(&self, prng: &mut Prng) -> Micros {
        prng.between(self.sync.min_us, self.sync.max_us)
    }
}
