//! Which frame paints a side, and who hears of changes in which frame. While time runs the stage hears of it six times a second, everything
//! beside it half as often and in a frame of its own, so that no frame has to lay out the whole page; where there is a crowd of packets more
//! seldom, and in parts. Whatever a viewer does, everybody hears of at once.

/// After so many times that the stage has heard, the others hear too.
const BESIDE_EVERY: u8 = 2;
/// In so many parts, each in a frame of its own, where there is a crowd.
const PARTS: usize = 8;
/// Where somebody asks for less motion, packets step from place to place: so long they stand, ms of real time.
const STEP_MS: f64 = 400.0;

/// The shortest time between two times that the stage hears while time runs, ms: in a crowd nobody follows a single packet to its card.
fn stage_every_ms(crowd: bool) -> f64 {
    if crowd { 300.0 } else { 160.0 }
}

/// Who hears.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hearers {
    Nobody,
    /// Whoever shows what the director tells.
    Voice,
    Stage,
    /// This part of all others, of so many.
    Beside {
        part: usize,
        of: usize,
    },
    Everybody,
}

/// What is remembered of the frames before.
#[derive(Default)]
pub(super) struct Pacing {
    /// The version that the stage heard of last, and when, ms.
    heard: Option<(u64, f64)>,
    /// How often the stage has heard what the others have not heard.
    owed: u8,
    /// The part of the others that hears next.
    part: usize,
    /// In the last frame somebody heard, and nothing was painted.
    only_heard: bool,
    /// How often somebody asked for paint.
    asked: u64,
    /// The version that was painted last, and how often paint had been asked for.
    painted: Option<(u64, u64)>,
    painted_at: Option<f64>,
    /// Somebody asks for less motion, as far as is known: to ask the browser in each frame would cost more than to draw a packet.
    pub calm: bool,
}

impl Pacing {
    /// The side must be painted again although nothing has happened.
    pub(super) fn ask(&mut self) {
        self.asked += 1;
    }

    /// What is told has changed: the stage hears in this frame too, so that no card contradicts it.
    pub(super) fn told(&mut self) {
        self.heard = None;
    }

    /// Everybody hears now.
    pub(super) fn everybody(&mut self) -> Hearers {
        (self.owed, self.part) = (0, 0);
        self.ask();
        Hearers::Everybody
    }

    /// Who hears in this frame, and whether somebody still has to.
    pub(super) fn hear(&mut self, now: f64, version: u64, playing: bool, crowd: bool) -> (Hearers, bool) {
        // to paint a crowd and to render what hears of it would take too long: after a frame in which somebody heard, one only paints
        if crowd && std::mem::take(&mut self.only_heard) {
            return (Hearers::Nobody, true);
        }
        let known = self.heard.is_some_and(|(known, _)| known == version);
        let soon = self.heard.is_some_and(|(_, when)| now - when < stage_every_ms(crowd));
        let (hearers, owed) = if known || soon {
            let hearers = self.others(playing, crowd);
            (hearers, self.owed > 0 || !known)
        } else {
            self.heard = Some((version, now));
            (self.stage(playing), false)
        };
        self.only_heard |= crowd && hearers != Hearers::Nobody;
        (hearers, owed)
    }

    /// The stage; everybody where time does not run, or where frames are so slow that none came since the stage has heard.
    fn stage(&mut self, playing: bool) -> Hearers {
        if !playing || self.owed >= BESIDE_EVERY {
            return self.everybody();
        }
        self.owed += 1;
        self.ask();
        Hearers::Stage
    }

    /// The others, if it is time; of a crowd in parts.
    fn others(&mut self, playing: bool, crowd: bool) -> Hearers {
        let every = if playing { BESIDE_EVERY } else { 1 };
        if self.owed < every && self.part == 0 {
            return Hearers::Nobody;
        }
        let of = if crowd { PARTS } else { 1 };
        let part = self.part % of;
        self.part = (part + 1) % of;
        if self.part == 0 {
            self.owed = 0;
        }
        Hearers::Beside { part, of }
    }

    /// Whether this frame leaves the picture as it is, because motion is to be calm.
    pub(super) fn rests(&mut self, now: f64, playing: bool) -> bool {
        let rests = playing && self.calm && self.painted_at.is_some_and(|at| now - at < STEP_MS);
        if !rests {
            self.painted_at = Some(now);
        }
        rests
    }

    /// Whether there is something to paint, which then is done.
    pub(super) fn paints(&mut self, version: u64) -> bool {
        let mark = Some((version, self.asked));
        std::mem::replace(&mut self.painted, mark) != mark
    }

    /// Whether paint was asked for since, for instance while painting: something glides.
    pub(super) fn is_asked(&self) -> bool {
        self.painted.is_none_or(|(_, asked)| asked != self.asked)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Who hears in frames that follow each other by 16 ms, in each of which something happens.
    fn frames(pacing: &mut Pacing, from: u64, count: u64, crowd: bool) -> Vec<Hearers> {
        (from..from + count).map(|frame| pacing.hear(1_000.0 + 16.0 * frame as f64, frame, true, crowd).0).collect()
    }

    #[test]
    fn the_stage_hears_six_times_a_second_and_the_others_half_as_often_in_frames_of_their_own() {
        let heard = frames(&mut Pacing::default(), 0, 600, false);
        let count = |whom: Hearers| heard.iter().filter(|hearers| **hearers == whom).count();
        let (stage, others) = (count(Hearers::Stage), count(Hearers::Beside { part: 0, of: 1 }));
        assert!((52..=60).contains(&stage) && others == stage / 2, "{stage} and {others} in 9.6 s");
        assert_eq!(count(Hearers::Everybody), 0);
    }

    #[test]
    fn in_a_crowd_a_frame_paints_or_is_heard_of_and_the_others_hear_in_parts() {
        let heard = frames(&mut Pacing::default(), 0, 600, true);
        assert!(heard.windows(2).all(|two| two.contains(&Hearers::Nobody)));
        let parts: Vec<usize> = heard
            .iter()
            .filter_map(|whom| if let Hearers::Beside { part, of: PARTS } = whom { Some(*part) } else { None })
            .collect();
        assert!(parts.len() >= 2 * PARTS);
        assert!(parts.iter().enumerate().all(|(at, part)| *part == at % PARTS), "{parts:?}");
    }

    #[test]
    fn when_time_stops_everybody_hears_of_the_last_moment_and_then_nobody() {
        let mut pacing = Pacing::default();
        frames(&mut pacing, 0, 15, false);
        assert_eq!(pacing.hear(9_000.0, 99, false, false), (Hearers::Everybody, false));
        assert_eq!(pacing.hear(9_016.0, 99, false, false), (Hearers::Nobody, false));
        // a change that comes too soon after the last one is owed
        assert_eq!(pacing.hear(9_032.0, 100, false, false), (Hearers::Nobody, true));
        assert_eq!(pacing.hear(9_200.0, 100, false, false), (Hearers::Everybody, false));
    }

    #[test]
    fn the_same_moment_is_painted_once_unless_somebody_asks() {
        let mut pacing = Pacing::default();
        assert!(pacing.paints(3) && !pacing.paints(3) && pacing.paints(4));
        pacing.ask();
        assert!(pacing.is_asked() && pacing.paints(4) && !pacing.is_asked());
        assert!(!pacing.rests(0.0, true) && !pacing.rests(16.0, true));
        pacing.calm = true;
        assert!(pacing.rests(32.0, true) && !pacing.rests(32.0, false) && pacing.rests(400.0, true));
        assert!(!pacing.rests(450.0, true));
    }
}
