//! A server's disk: it does one operation at a time, and a snapshot beside it. What is done is in its files.

use std::collections::VecDeque;

use crate::base::{Micros, Prng};
use crate::server::{Files, Job};

use super::action::LatencyRange;

/// One disk.
#[derive(Clone, Debug)]
pub struct Disk {
    /// What is durable.
    pub files: Files,
    /// How long a sync takes.
    pub sync: LatencyRange,
    pub(super) jobs: VecDeque<Job>,
    pub(super) background: Option<Job>,
}

impl Disk {
    pub(super) fn new(sync: LatencyRange) -> Disk {
        Disk { files: Files::default(), sync, jobs: VecDeque::new(), background: None }
    }

    pub(super) fn draw_time(&self, prng: &mut Prng) -> Micros {
        prng.between(self.sync.min_us, self.sync.max_us)
    }
}
