//! Which moment of the run it is by the clock on the wall.

use std::time::{Duration, Instant};

use crate::base::SimTime;

/// Virtual time that goes with real time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clock {
    began: Instant,
    from: SimTime,
    speed: f64,
}

impl Clock {
    /// Now it is this moment; from here on virtual time goes so many times as fast as real time.
    pub(super) fn new(from: SimTime, speed: f64) -> Clock {
        Clock { began: Instant::now(), from, speed }
    }

    /// The moment, in whole ms: what comes from outside is done then, and no run needs it more exactly.
    pub(super) fn now(&self) -> SimTime {
        let passed = self.began.elapsed().as_secs_f64() * self.speed * 1_000.0;
        SimTime::from_ms(self.from.as_ms() + passed as u64)
    }

    /// How long it is until a moment.
    pub(super) fn until(&self, moment: SimTime) -> Duration {
        let away = moment.ceil_ms().0.saturating_sub(self.from.as_ms() * 1_000) as f64 / 1_000_000.0 / self.speed;
        Duration::from_secs_f64(away).saturating_sub(self.began.elapsed())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn virtual_time_goes_by_its_speed() {
        let clock = Clock::new(SimTime::from_ms(500), 100.0);
        let hour = clock.until(SimTime::from_ms(3_600_500));
        assert!(hour <= Duration::from_secs(36) && hour > Duration::from_secs(30), "{hour:?}");
        assert_eq!(clock.until(SimTime::from_ms(400)), Duration::ZERO);
        let before = clock.now();
        std::thread::sleep(Duration::from_millis(20));
        assert!(clock.now().as_ms() - before.as_ms() >= 2_000 - 100);
    }
}
