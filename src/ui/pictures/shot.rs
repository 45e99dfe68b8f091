//! What is shown at one moment, kept to be drawn: one run or two beside each other, as stages or as whatever stands in
//! their place.

use crate::base::SimTime;
use crate::draw::figure::{laid_out, lay_out};
use crate::draw::gallery::Still;
use crate::draw::stage::{Pane, Sheet};
use crate::draw::surface::Surface;
use crate::draw::{Layout, Palette};
use crate::i18n::Lang;
use crate::i18n::title::{latest, run_title};
use crate::scenarios::Cast;
use crate::timeline::{Pair, Session};

use super::super::engine::{Engine, Renderer};
use crate::i18n::wording::note_words;
use crate::ui::compare::names::marked_titles;

/// A run's part of the picture.
#[derive(Clone)]
struct Side {
    layout: Layout,
    cast: Cast,
    renderer: Option<Renderer>,
}

/// A moment, kept.
#[derive(Clone)]
pub(super) struct Shot {
    sides: Vec<Side>,
    /// The runs that are shown.
    pub pair: Pair,
}

/// The height of a part of a film over its width, at least and at most.
const FLATTEST: f64 = 0.45;
const TALLEST: f64 = 1.1;

impl Shot {
    /// What is shown now.
    pub(super) fn of(engine: &Engine) -> Shot {
        let side =
            |engine: Engine| Side { layout: engine.layout(), cast: engine.cast().0, renderer: engine.renderer() };
        Shot { sides: engine.sides().map(side).collect(), pair: engine.pair().clone() }
    }

    /// The same with room in a film so wide, and the film's size.
    pub(super) fn resized(&self, width: u32) -> (Shot, (u32, u32)) {
        let mut shot = self.clone();
        let count = self.sides.len().max(1) as f64;
        let wide = (f64::from(width) / count).floor();
        let shape = |side: &Side| (side.layout.height / side.layout.width.max(1.0)).clamp(FLATTEST, TALLEST);
        let high = (wide * self.sides.iter().map(shape).fold(FLATTEST, f64::max)).round();
        let titled = self.pair.sessions().any(|session| session.scenario().is_some());
        let (above, below) = Sheet::frame(titled, wide);
        // encoders of videos want even sides
        let high = high + (above + high + below).ceil() % 2.0;
        for (side, session) in shot.sides.iter_mut().zip(self.pair.sessions()) {
            let run = (session.player(), session.run_summary());
            side.layout = laid_out(run, side.cast, (wide, high), false);
        }
        (shot, ((wide * count) as u32, (above + high + below).ceil() as u32))
    }

    /// Hands the picture to whoever draws it; `pair` are these runs, at this moment or another.
    pub(super) fn show<T>(
        &self,
        pair: &Pair,
        (palette, lang): (&Palette, Lang),
        draw: impl FnOnce(&Sheet<'_>) -> T,
    ) -> T {
        let parts = self.sides.iter().zip(pair.sessions());
        let moments: Vec<Moment<'_>> = parts.map(|(side, session)| Moment::of(side, session, lang)).collect();
        let drawing = |moment| move |surface: &mut dyn Surface| Moment::draw(moment, surface, palette, lang);
        let drawings: Vec<_> = moments.iter().map(drawing).collect();
        let titles = match moments.as_slice() {
            [_, _, ..] => marked_titles(pair, lang).to_vec(),
            _ => pair.sessions().map(|session| run_title(session, lang).to_string()).collect(),
        };
        let panes = moments.iter().zip(&drawings).zip(&titles).map(|((moment, drawing), title)| Pane {
            title,
            fact: &moment.fact,
            note: &moment.note,
            size: moment.still.size(),
            drawing,
        });
        let time = format!("{} s", SimTime(pair.left().cursor_us() as u64).seconds());
        draw(&Sheet { palette, time: &time, panes: &panes.collect::<Vec<_>>() })
    }

    /// A name for files of it, without an ending.
    pub(super) fn name(&self) -> String {
        let left = self.pair.left();
        let id = left.scenario().map_or("run", |scenario| scenario.id);
        format!("zabscope-{id}-{}ms", left.cursor_us() as u64 / 1_000)
    }

    /// What it shows, in words.
    pub(super) fn title(&self, lang: Lang) -> String {
        let names = match self.pair.right() {
            Some(_) => marked_titles(&self.pair, lang).to_vec(),
            None => Some(run_title(self.pair.left(), lang).to_string())
                .filter(|name| !name.is_empty())
                .into_iter()
                .collect(),
        };
        let at = self.pair.left().cursor_us() as u64;
        format!(
            "{}, {} s",
            if names.is_empty() { "ZabScope".into() } else { names.join(" · ") },
            SimTime(at).seconds()
        )
    }
}

/// A side at one moment.
struct Moment<'a> {
    side: &'a Side,
    session: &'a Session,
    still: Still,
    fact: String,
    note: String,
}

impl<'a> Moment<'a> {
    fn of(side: &'a Side, session: &'a Session, lang: Lang) -> Moment<'a> {
        // who comes later gets a place when he comes
        let Layout { width, height, hall, .. } = side.layout;
        let run = (session.player(), session.run_summary());
        let mut layout = side.layout.clone();
        lay_out(&mut layout, run, side.cast, (width, height), hall);
        let (still, fact) = (Still::placed(session, layout), latest(session, lang));
        let note = if side.renderer.is_none() { note_words(&still, lang) } else { String::new() };
        Moment { side, session, still, fact, note }
    }

    fn draw(&self, surface: &mut dyn Surface, palette: &Palette, lang: Lang) {
        if let Some(renderer) = &self.side.renderer {
            return renderer(self.session, surface, palette, self.still.size());
        }
        self.still.draw(surface, palette, &lang);
    }
}
