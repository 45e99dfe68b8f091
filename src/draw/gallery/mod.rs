//! The gallery of scenarios without a browser: a real run played up to its telling moment a little at a time, what a search
//! finds, and where an arrow key leads.

mod walk;

pub use walk::{Way, walk};

use crate::base::SimTime;
use crate::scenarios::{Cast, Scenario};
use crate::sim::{Player, Run, RunError};

use crate::draw::figure::laid_out;
use crate::draw::layout::Layout;
use crate::draw::packet::{PacketView, packets};
use crate::draw::palette::Palette;
use crate::draw::stage::{Picture, Wording};
use crate::draw::surface::Surface;
use crate::timeline::RunSummary;
use crate::timeline::Session;
use crate::view::{ClientView, Scene};

/// What stands on a stage at one moment: all that a picture of it needs, without its world.
#[derive(Clone, Debug)]
pub struct Still {
    layout: Layout,
    scene: Scene,
    packets: Vec<PacketView>,
}

impl Still {
    /// A session where its viewer is, on a stage of this size, CSS pixels.
    pub fn of(session: &Session, size: (f64, f64)) -> Still {
        let cast = session.scenario().map_or(Cast::default(), Scenario::cast);
        Still::placed(session, laid_out((session.player(), session.run_summary()), cast, size, false))
    }

    /// A session where its viewer is, with everybody where this layout has them.
    pub fn placed(session: &Session, layout: Layout) -> Still {
        let packets = packets(session.world(), session.run_summary(), &layout, session.cursor_us());
        Still { scene: Scene::of_session(session), layout, packets }
    }

    /// The stage's width and height, CSS pixels.
    pub fn size(&self) -> (f64, f64) {
        (self.layout.width, self.layout.height)
    }

    /// How many packets are on their way in it.
    pub fn packets(&self) -> usize {
        self.packets.len()
    }

    /// Its clients, and where everybody stands.
    pub fn seated(&self) -> (&[ClientView], &Layout) {
        (&self.scene.clients, &self.layout)
    }

    /// Draws it from the top left corner on.
    pub fn draw(&self, surface: &mut dyn Surface, palette: &Palette, words: &dyn Wording) {
        let Still { layout, scene, packets } = self;
        Picture { palette, words, layout, scene, packets, chosen: None, marked: None, eye: None }.whole(surface);
    }
}

/// A scenario on its way to the moment of its picture.
#[derive(Clone, Debug)]
pub struct Preview {
    player: Player,
    run_summary: RunSummary,
    cast: Cast,
    until: SimTime,
}

impl Preview {
    /// The beginning of a scenario's run.
    ///
    /// # Errors
    /// The run is not valid.
    pub fn new(scenario: &Scenario) -> Result<Preview, RunError> {
        Preview::of(scenario.run(), scenario.cast(), SimTime::from_ms(scenario.telling_ms))
    }

    /// The beginning of a run, cast like this, on its way to a moment.
    ///
    /// # Errors
    /// The run is not valid.
    pub fn of(run: Run, cast: Cast, until: SimTime) -> Result<Preview, RunError> {
        Ok(Preview { player: Player::new(run)?, run_summary: RunSummary::default(), cast, until })
    }

    /// Takes so many steps at most; whether the moment is reached.
    pub fn go_on(&mut self, steps: usize) -> bool {
        for _ in 0..steps {
            if self.player.world().next_at().is_none_or(|at| at > self.until) {
                return true;
            }
            for record in self.player.step().unwrap_or_default() {
                self.run_summary.read(record);
            }
        }
        self.player.world().next_at().is_none_or(|at| at > self.until)
    }

    /// What stands there, once [`Preview::go_on`] has reached the moment, on a stage of this size, CSS pixels.
    pub fn still(&self, size: (f64, f64)) -> Still {
        let (world, run_summary) = (self.player.world(), &self.run_summary);
        let layout = laid_out((&self.player, run_summary), self.cast, size, false);
        let packets = packets(world, run_summary, &layout, self.until.0 as f64);
        Still { scene: Scene::of(world, run_summary), layout, packets }
    }

    /// The player of the run.
    pub fn player(&self) -> &Player {
        &self.player
    }
}

/// Whether a text has every word of a question, in whatever case. Chinese is found anywhere within a word.
pub fn finds(question: &str, text: &str) -> bool {
    let text = text.to_lowercase();
    question.to_lowercase().split_whitespace().all(|word| text.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::palette::testing::palette;
    use crate::draw::stage::FigureWord;
    use crate::draw::surface::Svg;
    use crate::scenarios::{SCENARIOS, scenario};
    use crate::sim::{Fact, WorldFact};

    const SIZE: (f64, f64) = (520.0, 325.0);

    fn preview(id: &str, steps: usize) -> Preview {
        let mut preview = Preview::new(scenario(id).unwrap()).unwrap();
        while !preview.go_on(steps) {}
        preview
    }

    #[test]
    fn a_telling_moment_lies_inside_its_run_and_something_is_on_its_way_there() {
        for one in SCENARIOS {
            assert!(one.telling_ms > 0 && one.telling_ms < one.until_ms, "{}", one.id);
            let still = preview(one.id, 100).still(SIZE);
            // cards of other systems say what they keep
            let queue = one.cast() != Cast::Ensemble || !one.run().setup.has_ensemble();
            assert!(queue || still.packets() >= 1, "{}: nothing moves at {} ms", one.id, one.telling_ms);
        }
    }

    /// The picture is of the run itself: the same moment as whoever plays or seeks reaches, however the steps are divided.
    #[test]
    fn a_preview_is_the_run_at_that_moment() {
        for (id, steps) in [("leader-crash-under-load", 1), ("lock-herd", 7), ("zk-watch", 10_000)] {
            let one = scenario(id).unwrap();
            let preview = preview(id, steps);
            let mut session = Session::new(one.run(), Some(one)).unwrap();
            session.seek(SimTime::from_ms(one.telling_ms)).unwrap();
            assert_eq!(preview.player().world().events, session.events(), "{id}");
            let (from_run, from_session) = (preview.still(SIZE), Still::of(&session, SIZE));
            let svg = |still: &Still| {
                let mut svg = Svg::new(SIZE.0, SIZE.1);
                still.draw(&mut svg, &palette(false), &Plain);
                svg.finish("")
            };
            assert_eq!(svg(&from_run), svg(&from_session), "{id}");
        }
    }

    struct Plain;

    impl Wording for Plain {
        fn role(&self, card: &crate::view::Card) -> String {
            format!("{:?}", card.face)
        }
        fn second(&self, card: &crate::view::Card) -> String {
            card.phase_words()
        }
        fn epochs(&self, card: &crate::view::Card) -> String {
            card.current.to_string()
        }
        fn last(&self, card: &crate::view::Card) -> String {
            card.last.to_string()
        }
        fn client(&self, client: &crate::view::ClientView) -> String {
            format!("{:?}", client.face)
        }
        fn meter(&self, meter: &crate::view::Meter) -> String {
            meter.text.to_string()
        }
        fn slow(&self) -> &'static str {
            "slow"
        }
        fn callout(&self, _: &crate::view::Said) -> String {
            String::new()
        }

        fn figure(&self, word: FigureWord<'_>) -> String {
            format!("{word:?}")
        }
    }

    /// The packets of these types that are on their way at a scenario's telling moment.
    fn on_the_way(id: &str, types: &[&str]) -> usize {
        let one = scenario(id).unwrap();
        let mut player = Player::new(one.run()).unwrap();
        let mut under_way = std::collections::BTreeSet::new();
        player.run_until(SimTime::from_ms(one.telling_ms), |_, records| {
            for record in records {
                match &record.fact {
                    Fact::World(WorldFact::Sent { msg, message, .. }) if types.contains(&message.name()) => {
                        under_way.insert(*msg);
                    }
                    Fact::World(WorldFact::Delivered { msg, .. } | WorldFact::Lost { msg, .. }) => {
                        under_way.remove(msg);
                    }
                    _ => {}
                }
            }
        });
        under_way.len()
    }

    const SHOWN: &[(&str, &str, usize)] = &[
        ("cold-start-3", "NOTIFICATION", 3),
        ("cold-start-5", "NOTIFICATION", 3),
        ("leader-crash-under-load", "NOTIFICATION", 2),
        ("uncommitted-kept", "COMMIT", 2),
        ("rejoin-diff", "DIFF", 1),
        ("rejoin-snap", "SNAP", 1),
        ("rejoin-trunc", "TRUNC", 1),
        ("minority-partition", "PROPOSAL", 1),
        ("observer", "INFORM", 1),
        ("counter-rollover", "NOTIFICATION", 3),
        ("zk-watch", "WATCH_EVENT", 1),
        ("lock-herd", "WATCH_EVENT", 2),
        ("lock-predecessor", "WATCH_EVENT", 1),
        ("lock-watch-all", "WATCH_EVENT", 1),
        ("elect-naive", "WATCH_EVENT", 2),
        ("elect-latch", "WATCH_EVENT", 1),
        ("elect-worker", "WATCH_EVENT", 1),
        ("use-config", "WATCH_EVENT", 1),
        ("use-barrier", "WATCH_EVENT", 2),
    ];

    /// What a scenario's promise names is what its picture shows.
    #[test]
    fn pictures_show_what_scenarios_promise() {
        for &(id, name, least) in SHOWN {
            let there = on_the_way(id, &[name]);
            assert!(there >= least, "{id}: {there} {name}");
        }
    }

    #[test]
    fn a_search_finds_words_in_any_order_and_case_and_parts_of_chinese() {
        let text = "lock-herd The herd: each release wakes all N waiters 惊群：每次释放唤醒所有等待者";
        for question in ["", "herd", "HERD release", "waiters wakes", "惊群", "唤醒 herd", "  lock-  "] {
            assert!(finds(question, text), "{question}");
        }
        for question in ["herds", "herd queue", "羊群"] {
            assert!(!finds(question, text), "{question}");
        }
    }
}
