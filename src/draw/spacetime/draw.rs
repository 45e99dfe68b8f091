//! Draws the whole picture: reigns behind, lanes, messages, what is chosen, and in front the names and the axis.

use crate::base::{MsgId, Node};

use crate::draw::spacetime::arrows::{Taken, draw_arrows, draw_chosen, draw_shapes, in_sight};
use crate::draw::spacetime::frame::{Frame, TOP, Window, seconds};
use crate::draw::spacetime::hit::Shown;
use crate::draw::spacetime::lanes::{draw_events, draw_lanes};
use crate::draw::spacetime::overlaps;
use crate::draw::spacetime::thin::thin;
use crate::draw::surface::{Align, Lettering, Path, Stroke, Surface};
use crate::draw::{Palette, Point, epoch_colour};
use crate::timeline::spacetime::{Band, Diagram, LaneState, Moment, NEVER, Stand, UNKNOWN};

/// The words of the picture, in the reader's language.
#[derive(Clone, Copy, Debug)]
pub struct Words<'a> {
    /// A reign, with two places `{}`: the epoch and the leader.
    pub reign: &'a str,
    /// A process that is down.
    pub down: &'a str,
    /// A process that stands still.
    pub paused: &'a str,
    /// A client with a connection, one without, and one that holds something.
    pub connected: &'a str,
    /// Without a connection.
    pub away: &'a str,
    /// It holds something.
    pub holds: &'a str,
}

/// What is chosen, or pointed at.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chosen {
    /// A server or client.
    pub node: Option<Node>,
    /// A message.
    pub msg: Option<MsgId>,
    /// The message under the pointer: its place.
    pub under: Option<u32>,
    /// The event at which the keyboard is, or that was clicked.
    pub focus: Option<Moment>,
    /// Two events that are compared.
    pub pair: [Option<Moment>; 2],
    /// The messages by which one of them happened before the other: their places.
    pub way: Vec<u32>,
}

/// Everything that the picture shows.
#[derive(Clone, Copy)]
pub struct Picture<'a> {
    /// The run.
    pub diagram: &'a Diagram,
    /// The colours.
    pub palette: &'a Palette,
    /// The words.
    pub words: Words<'a>,
    /// The playhead, µs.
    pub now_us: f64,
    /// The number of the first fact after it.
    pub next_seq: u32,
    /// What is chosen.
    pub chosen: &'a Chosen,
}

/// Draws a stretch of time into an area of this size, CSS pixels; what was drawn, for the pointer.
pub fn draw(surface: &mut dyn Surface, picture: &Picture, window: &Window, (width, height): (f64, f64)) -> Shown {
    let frame = Frame::new(picture.diagram, window, width, height);
    let thinned = thin(picture.diagram, &frame);
    let mut taken = Taken::new();
    fill(surface, &picture.palette.paper, (0.0, 0.0, frame.width, frame.height), 1.0);
    picture.bands(surface, &frame);
    picture.grid(surface, &frame);
    picture.chosen_lane(surface, &frame);
    draw_lanes(surface, picture, &frame);
    overlaps::draw(surface, (picture.diagram, picture.palette), &frame, (picture.end_us(), picture.next_seq));
    draw_arrows(surface, picture, &frame, &thinned);
    draw_events(surface, picture, &frame, &mut taken);
    draw_shapes(surface, picture, &frame, &thinned, &mut taken);
    picture.chosen_arrows(surface, &frame);
    picture.pair(surface, &frame);
    picture.axis(surface, &frame);
    picture.names(surface, &frame);
    picture.playhead(surface, &frame);
    Shown { frame, thinned }
}

fn fill(surface: &mut dyn Surface, colour: &str, (x, y, width, height): (f64, f64, f64, f64), alpha: f64) {
    let mut path = Path::default();
    path.rect(Point::new(x, y), width, height, 0.0);
    surface.path(&path, Some(colour), None, alpha);
}

impl Picture<'_> {
    /// The colour with this number, as [`epoch_colour`] gives it.
    pub(super) fn colour(&self, number: u32) -> &str {
        let found = (number as usize).checked_sub(1).and_then(|place| self.palette.epochs.get(place));
        found.map_or(&self.palette.soft, |(fill, _)| fill)
    }

    /// How far lanes are known, µs.
    pub(super) fn end_us(&self) -> f64 {
        match self.diagram.next_seq() > self.next_seq {
            true => self.now_us.max(self.diagram.last_us() as f64),
            false => self.now_us,
        }
    }

    fn style<'a>(&'a self, size: f64, weight: u16, colour: &'a str, align: Align) -> Lettering<'a> {
        Lettering { colour, size, weight, font: &self.palette.sans, align, halo: None }
    }

    /// Where a reign lies, as the playhead knows it, and how strong it is.
    fn extent(&self, frame: &Frame, band: &Band) -> Option<(f64, f64, f64)> {
        let future = band.seq >= self.next_seq;
        let end = match band.end_seq {
            NEVER => self.end_us(),
            _ => band.to_us as f64,
        };
        debug_assert!(band.end_seq != NEVER || band.to_us == UNKNOWN);
        let (from, to) = (frame.x(band.from_us as f64).max(frame.left), frame.x(end).min(frame.width));
        (to > from).then_some((from, to, if future { 0.35 } else { 1.0 }))
    }

    fn bands(&self, surface: &mut dyn Surface, frame: &Frame) {
        for band in self.diagram.bands() {
            if let Some((from, to, alpha)) = self.extent(frame, band) {
                let colour = self.colour(epoch_colour(band.epoch));
                fill(surface, colour, (from, TOP, to - from, frame.height - TOP), 0.075 * alpha);
            }
        }
    }

    fn grid(&self, surface: &mut dyn Surface, frame: &Frame) {
        let mut path = Path::default();
        for at in frame.ticks().0 {
            let x = frame.x(at as f64).round() + 0.5;
            path.line(Point::new(x, TOP), Point::new(x, frame.height));
        }
        surface.path(&path, None, Some(Stroke { colour: &self.palette.line, width: 1.0, dash: &[] }), 0.55);
    }

    fn chosen_lane(&self, surface: &mut dyn Surface, frame: &Frame) {
        if let Some(y) = self.chosen.node.and_then(|node| frame.y(node)).filter(|&y| y > TOP) {
            let half = (frame.pitch / 2.0 - 2.0).min(26.0);
            fill(surface, &self.palette.focus, (0.0, y - half, frame.width, half * 2.0), 0.1);
        }
    }

    fn chosen_arrows(&self, surface: &mut dyn Surface, frame: &Frame) {
        draw_chosen(surface, self, frame, &self.chosen.way, 3.6);
        let found = self.chosen.msg.and_then(|msg| self.diagram.find(msg)).map(|place| place as u32);
        for (place, width) in [(self.chosen.under, 2.2), (found, 3.4)] {
            let seen = place.filter(|&place| {
                self.diagram.arrows().get(place as usize).is_some_and(|arrow| in_sight(arrow, frame))
            });
            if let Some(place) = seen {
                draw_chosen(surface, self, frame, &[place], width);
            }
        }
    }

    /// The two events that are compared: rings with letters.
    fn pair(&self, surface: &mut dyn Surface, frame: &Frame) {
        if let Some(focus) = self.chosen.focus
            && let Some(y) = frame.y(focus.node)
        {
            let mut path = Path::default();
            path.circle(Point::new(frame.x(focus.at_us as f64), y), 11.0);
            surface.path(&path, None, Some(Stroke { colour: &self.palette.paper, width: 5.0, dash: &[] }), 1.0);
            surface.path(&path, None, Some(Stroke { colour: &self.palette.focus, width: 3.0, dash: &[] }), 1.0);
        }
        let [Some(_), Some(_)] = self.chosen.pair else { return };
        for (moment, letter) in self.chosen.pair.iter().flatten().zip(["A", "B"]) {
            let Some(y) = frame.y(moment.node) else { continue };
            let at = Point::new(frame.x(moment.at_us as f64), y);
            if at.x < frame.left {
                continue;
            }
            let mut path = Path::default();
            path.circle(at, 10.0);
            let stroke = Stroke { colour: &self.palette.paper, width: 2.0, dash: &[] };
            surface.path(&path, Some(&self.palette.focus), Some(stroke), 1.0);
            let style = self.style(13.0, 700, &self.palette.paper, Align::Middle);
            surface.text(letter, Point::new(at.x, at.y + 4.6), &style);
        }
    }

    fn axis(&self, surface: &mut dyn Surface, frame: &Frame) {
        fill(surface, &self.palette.paper, (0.0, 0.0, frame.width, TOP - 1.0), 0.94);
        let mut free = frame.left;
        for band in self.diagram.bands() {
            let Some((from, to, alpha)) = self.extent(frame, band) else { continue };
            fill(surface, self.colour(epoch_colour(band.epoch)), (from, 22.0, to - from, 4.0), alpha);
            let words = self.words.reign.replacen("{}", &band.epoch.to_string(), 1);
            let words = words.replacen("{}", &band.leader.to_string(), 1);
            let width = words.chars().map(|letter| if letter.is_ascii() { 7.4 } else { 13.5 }).sum::<f64>();
            if to - from > width && from >= free {
                free = from + width + 10.0;
                let style = self.style(13.0, 700, &self.palette.ink, Align::Left);
                surface.text(&words, Point::new(from + 2.0, 16.0), &style);
            }
        }
        let (ticks, digits) = frame.ticks();
        let style = self.style(12.5, 500, &self.palette.soft, Align::Middle);
        let head = frame.x(self.now_us);
        for at in ticks {
            let x = frame.x(at as f64);
            // no half numbers at the edges and beside the playhead's
            if (x - head).abs() > 58.0 && x > frame.left + 22.0 && x < frame.width - 22.0 {
                surface.text(&format!("{} s", seconds(at, digits)), Point::new(x, 42.0), &style);
            }
        }
        let mut line = Path::default();
        line.line(Point::new(0.0, TOP - 0.5), Point::new(frame.width, TOP - 0.5));
        surface.path(&line, None, Some(Stroke { colour: &self.palette.line, width: 1.0, dash: &[] }), 1.0);
        // cuts and heals have their marks on the axis, which has just been laid over them
        crate::draw::spacetime::lanes::draw_link_marks(surface, self, frame);
    }

    fn names(&self, surface: &mut dyn Surface, frame: &Frame) {
        fill(surface, &self.palette.paper, (0.0, 0.0, frame.left, frame.height), 1.0);
        let wide = frame.left > 80.0;
        for row in frame.rows.iter().filter(|row| row.y > TOP + 4.0) {
            let Some(lane) = self.diagram.lanes().get(&row.node) else { continue };
            let turn = lane.turn_at(self.next_seq);
            let chosen = self.chosen.node == Some(row.node);
            let two = frame.pitch >= 40.0 && wide;
            let colour = if chosen { &self.palette.focus } else { &self.palette.ink };
            let size = if frame.pitch < 34.0 { 14.0 } else { 18.0 };
            let style = self.style(size, 700, colour, Align::Left);
            surface.text(
                &row.node.to_string(),
                Point::new(12.0, row.y + if two { -1.0 } else { size * 0.36 }),
                &style,
            );
            if let Some(turn) = turn {
                if two {
                    let style = self.style(12.0, 500, &self.palette.soft, Align::Left);
                    surface.text(self.word(turn), Point::new(12.0, row.y + 15.0), &style);
                }
                let mut dot = Path::default();
                dot.circle(Point::new(frame.left - 9.0, row.y), if turn.stand == Stand::Leading { 5.5 } else { 3.2 });
                let epoch = (turn.epoch > 0).then_some(turn.epoch);
                if turn.stand != Stand::Down && turn.stand != Stand::Away {
                    surface.path(&dot, Some(self.palette.epoch(epoch).0), None, 1.0);
                }
            }
        }
        fill(surface, &self.palette.paper, (0.0, 0.0, frame.left, TOP - 1.0), 1.0);
        let mut line = Path::default();
        line.line(Point::new(frame.left - 0.5, TOP), Point::new(frame.left - 0.5, frame.height));
        surface.path(&line, None, Some(Stroke { colour: &self.palette.line, width: 1.0, dash: &[] }), 1.0);
    }

    /// What a lane is now. Roles have their real names in every language.
    fn word(&self, turn: &LaneState) -> &str {
        match turn.stand {
            _ if turn.paused => self.words.paused,
            Stand::Down => self.words.down,
            Stand::Looking => "LOOKING",
            Stand::Following => "FOLLOWING",
            Stand::Leading => "LEADING",
            Stand::Observing => "OBSERVING",
            Stand::Standalone => "STANDALONE",
            Stand::Away => self.words.away,
            Stand::Connected if turn.holds > 0 => self.words.holds,
            Stand::Connected => self.words.connected,
        }
    }

    fn playhead(&self, surface: &mut dyn Surface, frame: &Frame) {
        let x = frame.x(self.now_us);
        if x < frame.left - 1.0 || x > frame.width + 1.0 {
            return;
        }
        let mut line = Path::default();
        line.line(Point::new(x, 46.0), Point::new(x, frame.height));
        surface.path(&line, None, Some(Stroke { colour: &self.palette.ink, width: 2.0, dash: &[] }), 1.0);
        let text = format!("{} s", seconds(self.now_us.max(0.0) as u64, 3));
        let half = text.len() as f64 * 3.9 + 6.0;
        let middle = x.clamp(frame.left + half, (frame.width - half).max(frame.left + half));
        let mut pill = Path::default();
        pill.rect(Point::new(middle - half, 28.0), half * 2.0, 20.0, 10.0);
        surface.path(&pill, Some(&self.palette.ink), None, 1.0);
        let style =
            Lettering { font: &self.palette.mono, ..self.style(12.5, 700, &self.palette.paper, Align::Middle) };
        surface.text(&text, Point::new(middle, 42.3), &style);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::spacetime::testing::{diagram_of, random, records};
    use crate::draw::spacetime::{FINGER, Hit, REACH};
    use crate::draw::surface::Svg;
    use crate::scenarios::scenario;
    use crate::timeline::spacetime::{End, Fate, What};

    fn palette() -> Palette {
        let colours = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9"];
        Palette {
            paper: "#f7f6f2".into(),
            ink: "#1d2328".into(),
            soft: "#566068".into(),
            line: "#d2cec2".into(),
            strong: "#958f80".into(),
            bad: "#b3261e".into(),
            focus: "#3b5bdb".into(),
            epochs: colours.map(|colour| (colour.to_string(), "#ffffff".to_string())).to_vec(),
            sans: "Noto Sans, sans-serif".into(),
            mono: "DejaVu Sans Mono, monospace".into(),
            ..Palette::default()
        }
    }

    const WORDS: Words<'static> = Words {
        reign: "epoch {} · {}",
        down: "down",
        paused: "paused",
        connected: "connected",
        away: "away",
        holds: "holds",
    };

    /// Draws a window of a diagram up to a moment; the picture as SVG, and what was shown.
    fn drawn(diagram: &Diagram, chosen: &Chosen, now_us: f64, next_seq: u32, window: &Window) -> (String, Shown) {
        let palette = palette();
        let picture = Picture { diagram, palette: &palette, words: WORDS, now_us, next_seq, chosen };
        let mut svg = Svg::new(900.0, 500.0);
        let shown = draw(&mut svg, &picture, window, (900.0, 500.0));
        (svg.finish("a picture"), shown)
    }

    #[test]
    fn a_picture_has_lanes_reigns_crosses_and_a_playhead() {
        let all = records(scenario("leader-crash-under-load").expect("a scenario").run(), 3_000);
        let diagram = diagram_of(&all);
        let crash =
            diagram.events().iter().find(|event| event.what == What::Crashed).expect("the crash").at_us as f64;
        let now = crash + 60_000.0;
        let seq = all.iter().find(|record| record.at_us.0 as f64 > now).expect("a fact after that").seq as u32;
        let (svg, _) = drawn(&diagram, &Chosen::default(), now, seq, &Window::at(now));
        for word in ["S1", "S2", "S3", "epoch 1 · S3", " s</text>", "#b3261e", "down"] {
            assert!(svg.contains(word), "{word}");
        }
        assert!(!svg.contains("NaN") && svg.len() < 400_000);
    }

    #[test]
    fn what_comes_after_the_playhead_is_faint_or_not_there() {
        let all = records(scenario("cold-start-3").expect("a scenario").run(), 1_600);
        let half = all.len() / 2;
        let (now, seq) = (all[half].at_us.0 as f64, all[half].seq as u32);
        let window = Window::at(now);
        let known = drawn(&diagram_of(&all), &Chosen::default(), now, seq, &window).0;
        let unknown = drawn(&diagram_of(&all[..half]), &Chosen::default(), now, seq, &window).0;
        assert!(known.len() > unknown.len());
        assert!(known.contains("opacity=\"0.28\"") && !unknown.contains("opacity=\"0.28\""));
    }

    #[test]
    fn the_pointer_finds_what_is_drawn() {
        let palette = palette();
        let chosen = Chosen::default();
        let mut found = 0;
        for seed in 0..6 {
            let diagram = diagram_of(&random(seed, 6_000));
            let window = Window { from_us: 2e6, to_us: 2.3e6, scroll: 0.0, follows: false };
            let picture = Picture {
                diagram: &diagram,
                palette: &palette,
                words: WORDS,
                now_us: 6e6,
                next_seq: NEVER,
                chosen: &chosen,
            };
            let mut svg = Svg::new(900.0, 500.0);
            let shown = draw(&mut svg, &picture, &window, (900.0, 500.0));
            for drawn in &shown.thinned.drawn {
                let arrow = &diagram.arrows()[drawn.place as usize];
                let Some(course) = picture.course(&shown.frame, arrow) else { continue };
                if course.wait.is_some() {
                    continue;
                }
                let middle = course.start.toward(course.tip, 0.43);
                if middle.x < shown.frame.left || middle.x > 900.0 {
                    continue;
                }
                match picture.hit(&shown, middle, REACH) {
                    Some(Hit::Arrow(place, end)) => {
                        found += 1;
                        // it may be another one that runs there too
                        let other = picture.course(&shown.frame, &diagram.arrows()[place as usize]).expect("lanes");
                        assert!(picture.distance_to(&other, middle).0 <= 2.01);
                        assert!(end == End::Sent(place) || diagram.arrows()[place as usize].fate == Fate::Arrived);
                        assert!(picture.moment_of(Hit::Arrow(place, end)).is_some());
                    }
                    Some(Hit::Event(_)) => {}
                    other => panic!("{other:?} at {middle:?}"),
                }
            }
            let row = shown.frame.rows[0];
            assert_eq!(picture.hit(&shown, Point::new(9.0, row.y), REACH), Some(Hit::Name(row.node)));
            let axis = picture.hit(&shown, Point::new(500.0, 30.0), REACH);
            assert!(matches!(axis, Some(Hit::Axis(us)) if (us - shown.frame.us(500.0)).abs() < 1.0));
        }
        assert!(found > 100, "{found}");
    }

    #[test]
    fn a_finger_is_wider_than_a_pointer() {
        let diagram = diagram_of(&records(scenario("cold-start-3").expect("a scenario").run(), 1_600));
        let palette = palette();
        let chosen = Chosen::default();
        let event = diagram.events().iter().find(|event| event.what == What::Established).expect("a leader");
        let picture = Picture {
            diagram: &diagram,
            palette: &palette,
            words: WORDS,
            now_us: 1.6e6,
            next_seq: NEVER,
            chosen: &chosen,
        };
        let at = event.at_us as f64;
        let window = Window { from_us: at - 1_000.0, to_us: at + 1_000.0, scroll: 0.0, follows: false };
        let mut svg = Svg::new(900.0, 500.0);
        let shown = draw(&mut svg, &picture, &window, (900.0, 500.0));
        let place = Point::new(shown.frame.x(at), shown.frame.y(event.node).expect("a lane"));
        let beside = Point::new(place.x, place.y + 12.0);
        let is_event = |hit| matches!(hit, Some(Hit::Event(found)) if diagram.events()[found as usize] == *event);
        assert!(is_event(picture.hit(&shown, place, REACH)));
        assert!(!is_event(picture.hit(&shown, beside, REACH)) && is_event(picture.hit(&shown, beside, FINGER)));
    }

    #[test]
    fn thousands_are_thinned_and_the_lost_ones_stay() {
        let diagram = diagram_of(&random(4, 60_000));
        let window = Window { from_us: 0.0, to_us: 6e7, scroll: 0.0, follows: false };
        let (svg, shown) = drawn(&diagram, &Chosen::default(), 6e7, NEVER, &window);
        assert!(shown.thinned.visible > 4_000, "{}", shown.thinned.visible);
        assert!(shown.thinned.drawn.len() < 4_500 && svg.len() < 1_000_000, "{}", shown.thinned.drawn.len());
        let stands_for: u32 = shown.thinned.drawn.iter().map(|drawn| drawn.weight).sum();
        assert_eq!(stands_for as usize, shown.thinned.visible);
        assert!(shown.thinned.drawn.iter().any(|one| diagram.arrows()[one.place as usize].fate == Fate::Lost));
    }
}
