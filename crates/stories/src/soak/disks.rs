//! Disks that fill up or break for a while, beside the other faults. Drawn from a stream of its own, so that everything else of a seed stays what
//! it is. A disk that takes nothing loses nothing that it has synced, so these runs stay within the fault model.

use crate::base::{Micros, Prng, ServerId, SimTime, Stream};
use crate::sim::{Action, DiskFault, Run};

use crate::soak::swarm::pick;

/// The failing disks of one random run.
pub(super) struct Disks {
    prng: Prng,
    fail: bool,
    /// The longest pause between two of them.
    gap_us: Micros,
}

impl Disks {
    /// Draws whether disks fail in the run of a seed, and how often.
    pub(super) fn draw(seed: u64) -> Disks {
        let mut prng = Prng::new(seed, Stream::DiskFaults);
        let fail = prng.chance(1, 3);
        Disks { fail, gap_us: pick(&mut prng, &[300_000, 1_500_000, 5_000_000]), prng }
    }

    /// Fills a run with so many servers until `end`; then every disk works, and whoever has ended for its disk runs again.
    pub(super) fn fill(mut self, run: &mut Run, servers: usize, end: Micros) {
        if !self.fail {
            return;
        }
        let all = || (1..=servers).map(|id| ServerId(id as u8));
        let mut now = self.prng.between(300_000, 3_000_000);
        while now < end {
            let server = ServerId(1 + self.prng.below(servers as u32) as u8);
            let fault = pick(&mut self.prng, &[DiskFault::Full, DiskFault::Error]);
            run.push(SimTime(now), Action::DiskFault { server, fault });
            let back = now + self.some_time();
            if self.prng.chance(1, 4) {
                // started while its disk still takes nothing, if it has ended by itself
                run.push(SimTime(self.prng.between(now, back).min(end)), Action::Restart { server });
            }
            run.push(SimTime(back.min(end)), Action::DiskFault { server, fault: DiskFault::None });
            let start = back + self.some_time();
            run.push(SimTime(start.min(end)), Action::Restart { server });
            now += self.prng.between(50_000, self.gap_us);
        }
        for server in all() {
            // what is so already is refused
            run.push(SimTime(end), Action::DiskFault { server, fault: DiskFault::None });
            run.push(SimTime(end), Action::Restart { server });
        }
    }

    fn some_time(&mut self) -> Micros {
        let longest = pick(&mut self.prng, &[50_000, 400_000, 3_000_000]);
        self.prng.between(5_000, longest)
    }
}
