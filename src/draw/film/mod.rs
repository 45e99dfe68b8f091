//! A stretch of a run as a moving picture: which moments it shows, and how frames become a GIF or, once they are encoded, a video. What a
//! frame looks like is `picture`'s; who has a canvas makes pixels of it.

mod colours;
mod encode;
mod video;

use crate::base::SimTime;
use crate::sim::{Interest, RunError, interest};

use crate::timeline::pace::LONGEST_FRAME_MS;
use crate::timeline::{Pair, Session, Side};

pub use colours::Colours;
pub use encode::Film;
pub use video::{Codec, Tint, Video};

/// Most frames of a film.
pub const MOST_FRAMES: usize = 600;
/// Most bytes of a film.
pub const MOST_BYTES: usize = 48 << 20;
/// How many frames there may be in a second.
pub const RATES: [u32; 4] = [8, 10, 12, 15];
/// How wide a film may be, pixels.
pub const WIDTHS: [u32; 4] = [480, 640, 800, 960];
/// Width and height of the largest frame of a film, pixels.
pub const LARGEST: (u32, u32) = (960, 1_200);

/// What a film is to show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The moment of the first frame.
    pub from: SimTime,
    /// The moment of the last.
    pub to: SimTime,
    /// How fast: an index into `pace::SPEEDS`.
    pub speed: usize,
    /// Whether idle times pass faster.
    pub skip_idle: bool,
    /// Frames in a second: one of [`RATES`].
    pub rate: u32,
    /// Width and height, pixels.
    pub size: (u32, u32),
}

/// Why there is no film.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It would end before it begins, or with its beginning.
    Backwards,
    /// It would have more than [`MOST_FRAMES`].
    Long,
    /// A frame would have too many pixels, or none.
    Large,
    /// The file grew beyond [`MOST_BYTES`].
    Heavy,
    /// Its beginning cannot be reached.
    Far(RunError),
    /// The file could not be written.
    Broken(String),
    /// The encoder of videos failed: what it says.
    Encoder(String),
}

impl Plan {
    /// Whether sizes and times are such that work may begin.
    ///
    /// # Errors
    /// They are not.
    pub fn check(&self) -> Result<(), Refusal> {
        let (width, height) = self.size;
        if self.from >= self.to {
            return Err(Refusal::Backwards);
        }
        if width == 0 || height == 0 || width > LARGEST.0 || width.saturating_mul(height) > LARGEST.0 * LARGEST.1 {
            return Err(Refusal::Large);
        }
        Ok(())
    }

    /// How long a frame is shown, ms.
    fn frame_ms(&self) -> f64 {
        1_000.0 / f64::from(self.rate.clamp(RATES[0], RATES[RATES.len() - 1]))
    }
}

/// A copy of the runs on the stage that goes from frame to frame. They themselves are left alone.
#[derive(Clone, Debug)]
pub struct Take {
    pair: Pair,
    plan: Plan,
}

impl Take {
    /// Stands at the first frame.
    ///
    /// # Errors
    /// The plan asks for too much, or its beginning is too far.
    pub fn new(pair: &Pair, plan: Plan) -> Result<Take, Refusal> {
        plan.check()?;
        let mut pair = pair.clone();
        pair.change(Side::Left, |left| {
            (left.playing, left.speed, left.skip_idle, left.packet) = (true, plan.speed, plan.skip_idle, None);
            left.seek(plan.from).map_err(Refusal::Far)
        })?;
        Ok(Take { pair, plan })
    }

    /// The copies, as they are at this frame.
    pub fn pair(&self) -> &Pair {
        &self.pair
    }

    /// Goes to the next frame; false where this was the last.
    pub fn forward(&mut self) -> bool {
        let (end, frame_ms) = (self.plan.to, self.plan.frame_ms());
        if self.pair.left().cursor_us() >= end.0 as f64 {
            return false;
        }
        self.pair.change(Side::Left, |left| {
            // real time passes in parts that a session accepts
            let parts = (frame_ms / LONGEST_FRAME_MS).ceil();
            for _ in 0..parts as u32 {
                // a film goes on where a viewer's time would stand by itself
                left.playing = true;
                left.advance(frame_ms / parts);
            }
            // the last frame is the end itself, not what lies a rounding or an idle time beside it
            left.cursor_us() <= end.0 as f64 - 1.0 || left.seek(end).is_ok()
        })
    }

    /// The share of the way that is behind it, 0 to 1.
    pub fn share(&self) -> f64 {
        let (from, to) = (self.plan.from.0 as f64, self.plan.to.0 as f64);
        ((self.pair.left().cursor_us() - from) / (to - from).max(1.0)).clamp(0.0, 1.0)
    }
}

/// Counts the frames of a film before any is drawn.
#[derive(Clone, Debug)]
pub struct Count {
    take: Take,
    frames: usize,
}

impl Count {
    /// Begins at a take's first frame.
    pub fn new(take: &Take) -> Count {
        Count { take: take.clone(), frames: 1 }
    }

    /// Counts so many frames at most; the number of all when it is known.
    ///
    /// # Errors
    /// There are too many.
    pub fn go_on(&mut self, frames: usize) -> Result<Option<usize>, Refusal> {
        for _ in 0..frames {
            if !self.take.forward() {
                return Ok(Some(self.frames));
            }
            self.frames += 1;
            if self.frames > MOST_FRAMES {
                return Err(Refusal::Long);
            }
        }
        Ok(None)
    }
}

/// So much quiet ends what happened, µs: the wait for a better vote does not.
const QUIET_US: u64 = 250_000;
/// A film of what happened begins so long before it, and ends so long after, µs.
const AROUND_US: u64 = 30_000;
/// The longest stretch that is offered, µs.
const LONGEST_US: u64 = 2_000_000;

/// From when to when the last thing happened that is worth telling: facts without a pause between them.
pub fn happened(session: &Session) -> Option<(SimTime, SimTime)> {
    let mut told = session.facts().all().rev().filter(|record| interest(record) != Interest::Noise);
    let last = told.next()?.at_us;
    let mut first = last;
    for record in told {
        if record.at_us.0 + QUIET_US < first.0 || record.at_us.0 + LONGEST_US < last.0 {
            break;
        }
        first = record.at_us;
    }
    Some((SimTime(first.0.saturating_sub(AROUND_US)), SimTime(last.0 + AROUND_US)))
}

#[cfg(test)]
mod tests;
