//! Which stretch of time is looked at, and where its moments and lanes stand.

use crate::base::Node;

use crate::draw::Point;
use crate::timeline::spacetime::Diagram;

/// The shortest stretch that can be looked at, µs.
const SHORTEST_US: f64 = 400.0;
/// The longest, µs.
const LONGEST_US: f64 = 1e12;
/// What is looked at in the beginning, µs.
const FIRST_US: f64 = 320_000.0;
/// Where the playhead stays while the picture follows it, as a share of the width.
const HEAD_AT: f64 = 0.82;
/// The share of the way that the picture goes in one frame to where it should be.
const SOFTLY: f64 = 0.16;
/// The least and the most height of a lane, CSS pixels.
const PITCH: (f64, f64) = (26.0, 190.0);
/// Room above the lanes: the names of reigns, the axis.
pub(super) const TOP: f64 = 50.0;
/// How far from something a pointer still means it, CSS pixels.
pub const REACH: f64 = 6.0;
/// The same for a finger.
pub const FINGER: f64 = 16.0;

/// A stretch of time that is looked at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Window {
    /// Its beginning, µs. May lie before the run's.
    pub from_us: f64,
    /// Its end, µs.
    pub to_us: f64,
    /// How far the lanes are moved up, CSS pixels.
    pub scroll: f64,
    /// Whether it goes with the playhead.
    pub follows: bool,
}

impl Window {
    /// The usual stretch, with the playhead in it.
    pub fn at(now_us: f64) -> Window {
        let mut window = Window { from_us: 0.0, to_us: FIRST_US, scroll: 0.0, follows: true };
        window.keep_up(now_us);
        window
    }

    /// Its length, µs.
    pub fn span(&self) -> f64 {
        self.to_us - self.from_us
    }

    /// Whether a moment lies in it.
    pub fn shows(&self, us: f64) -> bool {
        (self.from_us..=self.to_us).contains(&us)
    }

    /// Longer by a factor (shorter, below 1), around a moment that stays where it is. A picture that follows goes on doing
    /// that as long as the playhead is in it.
    pub fn zoom(&mut self, factor: f64, around_us: f64, now_us: f64) {
        let span = (self.span() * factor).clamp(SHORTEST_US, LONGEST_US);
        let share = ((around_us - self.from_us) / self.span()).clamp(0.0, 1.0);
        self.from_us = around_us - span * share;
        self.to_us = self.from_us + span;
        self.settle(now_us);
    }

    /// Later by so much, earlier where it is negative, µs.
    pub fn pan(&mut self, by_us: f64, now_us: f64) {
        self.from_us += by_us;
        self.to_us += by_us;
        self.settle(now_us);
    }

    /// Everything from the beginning to `until_us`. The playhead does not stand past its usual place: a window that follows
    /// would go on to there, and the beginning would be out of sight.
    pub fn fit(&mut self, until_us: f64, now_us: f64) {
        let until = until_us.max(SHORTEST_US);
        let from = -until * 0.01;
        let to = (until * 1.03).max(from + (now_us - from) / HEAD_AT);
        (self.from_us, self.to_us, self.scroll) = (from, to, 0.0);
        self.settle(now_us);
    }

    /// With this moment in its middle, unless it is in sight anyway.
    pub fn show(&mut self, us: f64, now_us: f64) {
        let edge = self.span() * 0.06;
        if us < self.from_us + edge || us > self.to_us - edge {
            self.pan(us - (self.from_us + self.to_us) / 2.0, now_us);
        }
    }

    /// Goes where the playhead is, and follows it from now on.
    pub fn go_along(&mut self, now_us: f64) {
        self.follows = true;
        if !self.shows(now_us) {
            let span = self.span();
            self.from_us = now_us - span * HEAD_AT;
            self.to_us = self.from_us + span;
        }
        self.keep_up(now_us);
    }

    /// The playhead has moved: a window that follows goes with it.
    pub fn keep_up(&mut self, now_us: f64) {
        if !self.follows {
            return;
        }
        let span = self.span();
        let ahead = now_us - (self.from_us + span * HEAD_AT);
        if now_us > self.to_us {
            self.from_us += ahead;
        } else if ahead > 0.0 {
            // no jump: it comes along softly
            self.from_us += ahead * SOFTLY;
        } else if now_us < self.from_us {
            self.from_us = (now_us - span * (1.0 - HEAD_AT)).max(-span * 0.02);
        }
        self.to_us = self.from_us + span;
    }

    /// What was done by hand decides whether it follows: it does while the playhead is in sight.
    fn settle(&mut self, now_us: f64) {
        if self.to_us < 0.0 {
            let span = self.span();
            (self.from_us, self.to_us) = (-span, 0.0);
        }
        self.follows = self.shows(now_us);
    }
}

/// A lane's place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// The machine of the lane.
    pub node: Node,
    /// The height of its line, CSS pixels from the top.
    pub y: f64,
}

/// Where everything stands: lanes as rows, time to the right.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    /// CSS pixels.
    pub width: f64,
    /// CSS pixels.
    pub height: f64,
    /// Where the names end and time begins, CSS pixels.
    pub left: f64,
    /// The distance of two lanes, CSS pixels.
    pub pitch: f64,
    /// The lanes.
    pub rows: Vec<Row>,
    /// How far the lanes can be moved up, CSS pixels.
    pub scrolls: f64,
    from_us: f64,
    us_a_px: f64,
    server_rows: [u16; 256],
    client_rows: Vec<u16>,
}

/// No row.
const NONE: u16 = u16::MAX;

impl Frame {
    /// The places of a diagram's lanes in a picture of this size.
    pub fn new(diagram: &Diagram, window: &Window, width: f64, height: f64) -> Frame {
        let (width, height) = (width.max(1.0), height.max(1.0));
        let left = if width < 560.0 { 46.0 } else { 104.0 };
        let nodes: Vec<Node> = diagram.lanes().keys().copied().collect();
        let servers = nodes.iter().filter(|node| node.server().is_some()).count();
        let gap = if servers > 0 && servers < nodes.len() { 0.35 } else { 0.0 };
        let room = (height - TOP - 8.0).max(PITCH.0);
        let pitch = (room / (nodes.len() as f64 + gap).max(1.0)).clamp(PITCH.0, PITCH.1);
        let needed = (nodes.len() as f64 + gap) * pitch;
        let scrolls = (needed - room).max(0.0);
        let top = TOP - window.scroll.clamp(0.0, scrolls);
        let place = |(index, &node): (usize, &Node)| {
            let gap = if index >= servers { gap } else { 0.0 };
            Row { node, y: top + (index as f64 + gap + 0.5) * pitch }
        };
        let rows: Vec<Row> = nodes.iter().enumerate().map(place).collect();
        let mut frame = Frame {
            width,
            height,
            left,
            pitch,
            rows,
            scrolls,
            from_us: window.from_us,
            us_a_px: window.span() / (width - left).max(1.0),
            server_rows: [NONE; 256],
            client_rows: Vec::new(),
        };
        frame.number_rows();
        frame
    }

    fn number_rows(&mut self) {
        for (index, row) in self.rows.iter().enumerate() {
            match row.node {
                Node::Server(server) => self.server_rows[usize::from(server.0)] = index as u16,
                Node::Client(client) => {
                    let place = usize::from(client.0);
                    if self.client_rows.len() <= place {
                        self.client_rows.resize(place + 1, NONE);
                    }
                    self.client_rows[place] = index as u16;
                }
            }
        }
    }

    /// Where a moment is, CSS pixels from the left.
    pub fn x(&self, us: f64) -> f64 {
        self.left + (us - self.from_us) / self.us_a_px
    }

    /// The moment at a place, µs.
    pub fn us(&self, x: f64) -> f64 {
        self.from_us + (x - self.left) * self.us_a_px
    }

    /// How long a pixel is, µs.
    pub fn us_a_px(&self) -> f64 {
        self.us_a_px
    }

    /// The first and the last moment that is shown, µs.
    pub fn span(&self) -> (u64, u64) {
        (self.from_us.max(0.0) as u64, self.us(self.width).max(0.0) as u64)
    }

    /// The number of a lane's row.
    pub fn row(&self, node: Node) -> Option<usize> {
        let row = match node {
            Node::Server(server) => self.server_rows[usize::from(server.0)],
            Node::Client(client) => self.client_rows.get(usize::from(client.0)).copied().unwrap_or(NONE),
        };
        (row != NONE).then_some(row.into())
    }

    /// The height of a lane's line.
    pub fn y(&self, node: Node) -> Option<f64> {
        self.row(node).map(|row| self.rows[row].y)
    }

    /// The lane whose name is at a point.
    pub fn name_at(&self, at: Point) -> Option<Node> {
        if at.x > self.left || at.y < TOP {
            return None;
        }
        let near = self.rows.iter().find(|row| (row.y - at.y).abs() <= self.pitch / 2.0);
        near.map(|row| row.node)
    }

    /// Whether a point is on the axis, or the reigns above it.
    pub fn is_axis(&self, at: Point) -> bool {
        at.y < TOP && at.x > self.left
    }

    /// Where the times on the axis stand, µs, and how many digits a second has there behind the point.
    pub fn ticks(&self) -> (Vec<u64>, usize) {
        let least = self.us_a_px * 96.0;
        let mut step: u64 = 1;
        let mut round = [2, 5, 10].iter().cycle();
        let mut power = 1;
        while (step as f64) < least && step < 1_000_000_000_000 {
            let next = round.next().copied().unwrap_or(10);
            step = power * next;
            if next == 10 {
                power *= 10;
            }
        }
        let digits = (0..6).find(|&digits| step.is_multiple_of(10_u64.pow(6 - digits as u32))).unwrap_or(6);
        let (from, to) = self.span();
        let first = from.div_ceil(step);
        ((first..).map(|n| n * step).take_while(|&at| at <= to).collect(), digits)
    }
}

/// A moment in seconds, with so many digits behind the point.
pub fn seconds(us: u64, digits: usize) -> String {
    let rest = us % 1_000_000 / 10_u64.pow(6 - digits.min(6) as u32);
    match digits {
        0 => (us / 1_000_000).to_string(),
        _ => format!("{}.{rest:0digits$}", us / 1_000_000),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::spacetime::testing::{diagram_of, records};
    use crate::scenarios::scenario;

    fn diagram() -> Diagram {
        diagram_of(&records(scenario("cold-start-3").expect("a scenario").run(), 1_500))
    }

    #[test]
    fn zooming_keeps_the_moment_under_the_pointer() {
        let diagram = diagram();
        let mut window = Window::at(900_000.0);
        let frame = Frame::new(&diagram, &window, 900.0, 500.0);
        let under = frame.us(400.0);
        for factor in [0.5, 0.25, 8.0, 1e-9, 1e12] {
            window.zoom(factor, under, 900_000.0);
            assert!(window.span() >= 399.9 && window.span() <= 1.01e12);
            let frame = Frame::new(&diagram, &window, 900.0, 500.0);
            assert!((frame.x(under) - 400.0).abs() < 1.0, "{}", frame.x(under));
        }
    }

    #[test]
    fn it_follows_until_it_is_moved_away_and_again_when_told_to() {
        let mut window = Window::at(0.0);
        for now in [100_000.0, 400_000.0, 900_000.0, 50_000.0] {
            window.keep_up(now);
            assert!(window.shows(now) && window.follows);
        }
        window.pan(-5_000_000.0, 900_000.0);
        assert!(!window.follows && window.to_us >= 0.0);
        let before = window;
        window.keep_up(3_000_000.0);
        assert_eq!(window, before);
        window.go_along(3_000_000.0);
        assert!(window.follows && window.shows(3_000_000.0));
        window.fit(4_000_000.0, 3_000_000.0);
        assert!(window.shows(0.0) && window.shows(4_000_000.0) && window.follows);
    }

    #[test]
    fn a_window_on_everything_stays_there_while_the_playhead_stands() {
        for now in [0.0, 2_500_000.0, 4_000_000.0] {
            let mut window = Window::at(now);
            window.fit(4_000_000.0, now);
            for _ in 0..100 {
                window.keep_up(now);
            }
            assert!(window.shows(0.0) && window.shows(4_000_000.0) && window.follows, "{now} {window:?}");
        }
    }

    #[test]
    fn ticks_are_round_and_not_crowded() {
        let diagram = diagram();
        for (span, width) in [(500.0, 300.0), (3_000.0, 390.0), (2e6, 1_000.0), (7e9, 1_400.0), (1e12, 900.0)] {
            let window = Window { from_us: 12_345.0, to_us: 12_345.0 + span, scroll: 0.0, follows: false };
            let frame = Frame::new(&diagram, &window, width, 500.0);
            let (ticks, digits) = frame.ticks();
            assert!(!ticks.is_empty() && ticks.len() < 20, "{span} {ticks:?}");
            let names: Vec<String> = ticks.iter().map(|&at| seconds(at, digits)).collect();
            assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "{names:?}");
            assert!(ticks.windows(2).all(|pair| frame.x(pair[1] as f64) - frame.x(pair[0] as f64) > 90.0));
        }
        assert_eq!([seconds(1_250_000, 2), seconds(9_000_000, 0), seconds(1, 6)], ["1.25", "9", "0.000001"]);
    }

    #[test]
    fn many_lanes_scroll_and_names_are_found() {
        let diagram = diagram_of(&records(scenario("lock-herd").expect("a scenario").run(), 3_000));
        let mut window = Window::at(0.0);
        let frame = Frame::new(&diagram, &window, 390.0, 120.0);
        assert!(frame.scrolls > 0.0 && frame.rows.len() > 5);
        let row = frame.rows[0];
        assert_eq!(frame.name_at(Point::new(20.0, row.y)), Some(row.node));
        assert_eq!((frame.name_at(Point::new(20.0, 4.0)), frame.name_at(Point::new(200.0, row.y))), (None, None));
        window.scroll = 1e9;
        let frame = Frame::new(&diagram, &window, 390.0, 120.0);
        let last = frame.rows.last().expect("a lane");
        assert!(last.y < 120.0 && frame.y(last.node) == Some(last.y));
        assert_eq!(frame.y(crate::base::ClientId(900).into()), None);
    }
}
