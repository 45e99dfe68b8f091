//! `zabscope picture`: a moment of a run as SVG, PNG or GIF. It shows what the page's Picture saves, so that a deck can be made by a
//! Makefile.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{ArgAction, Args};

use crate::base::SimTime;
use crate::draw::Palette;
use crate::draw::gallery::Still;
use crate::draw::stage::{Pane, Sheet};
use crate::draw::surface::{Surface, Svg};
use crate::i18n::Lang;
use crate::i18n::title::{latest, run_title};
use crate::i18n::wording::note_words;
use crate::scenarios::scenario;
use crate::timeline::Session;

#[cfg(feature = "picture")]
use super::film;
use super::options::{Word, language, ms};
use super::run::Which;
use super::{Failure, of_file};

/// How small and how large it may be: what a layout can do anything with, and what a PNG of it can be three times as large as.
const SIDES: std::ops::RangeInclusive<u32> = 240..=4_000;
/// What is written: without letters there is nothing to make pixels of.
const KINDS: &[&str] = if cfg!(feature = "picture") { &["svg", "png", "gif"] } else { &["svg"] };

/// How a picture looks.
#[derive(Debug)]
pub(super) struct Looks {
    pub palette: Palette,
    lang: Lang,
    /// The stage's size, CSS pixels.
    size: (f64, f64),
}

impl Looks {
    /// What a session shows where it stands, as an SVG file.
    pub(super) fn svg(&self, session: &Session) -> String {
        let still = Still::of(session, self.size);
        let title = run_title(session, self.lang);
        let (fact, note) = (latest(session, self.lang), note_words(&still, self.lang));
        let drawing = |surface: &mut dyn Surface| still.draw(surface, &self.palette, &self.lang);
        let pane = Pane { title, fact: &fact, note: &note, size: still.size(), drawing: &drawing };
        let time = format!("{} s", SimTime(session.cursor_us() as u64).seconds());
        let sheet = Sheet { palette: &self.palette, time: &time, panes: &[pane] };
        let (width, height) = sheet.size();
        let mut svg = Svg::new(width, height);
        sheet.draw(&mut svg);
        let name = if title.is_empty() { "ZabScope" } else { title };
        svg.finish(&format!("{name}, {time}"))
    }

    #[cfg(feature = "picture")]
    /// The size of the whole picture, with what stands above and below the stage, CSS pixels.
    pub(super) fn whole(&self, titled: bool) -> (u32, u32) {
        let (above, below) = Sheet::frame(titled, self.size.0);
        (self.size.0 as u32, (above + self.size.1 + below).ceil() as u32)
    }
}

/// What a picture and a film have in common.
#[derive(Debug, Args)]
pub(super) struct Drawing {
    #[command(flatten)]
    which: Which,
    /// The page's colours
    #[arg(long = "theme", value_name = "THEME", default_value = "light", value_parser = theme(), action = ArgAction::Set)]
    dark: bool,
    /// The language, as browsers write it
    #[arg(long, value_name = "TAG", default_value = "en", value_parser = language())]
    lang: Lang,
}

/// Draws the stage of a run at one moment, as the page's Picture does.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  zabscope picture lock-herd --at 4125 --out herd.svg
  zabscope picture rejoin-trunc --theme dark --size 1280x720 --out trunc.svg")]
pub(super) struct Picture {
    #[command(flatten)]
    drawing: Drawing,
    /// Writes this file; its name says what it is to be (PNG and GIF with the feature 'picture')
    #[arg(long, value_name = "FILE.svg|png|gif", value_parser = file(KINDS))]
    out: File,
    /// The moment; by default a scenario's telling one, or where a file ends
    #[arg(long, value_name = "MS", value_parser = ms)]
    at: Option<u64>,
    /// How large the stage is, CSS pixels
    #[arg(long, value_name = "WIDTHxHEIGHT", default_value = "960x540", value_parser = size)]
    size: (u32, u32),
    /// Pixels of a PNG for each of the stage
    #[cfg(feature = "picture")]
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = super::options::number(1..=3_u32))]
    scale: u32,
}

fn theme() -> Word<bool> {
    let is_dark = |name: &str| ["light", "dark"].iter().position(|known| *known == name).map(|place| place == 1);
    Word { known: vec!["light", "dark"], read: is_dark }
}

/// A file that is written, and the ending that says what it is to be.
#[derive(Clone, Debug)]
pub(super) struct File {
    path: PathBuf,
    kind: &'static str,
}

pub(super) fn file(kinds: &'static [&'static str]) -> impl Fn(&str) -> Result<File, String> + Clone + Send + Sync {
    move |text: &str| {
        let ending = text.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
        let kind = kinds.iter().find(|kind| ending.as_deref() == Some(**kind));
        let file = kind.map(|kind| File { path: text.into(), kind });
        file.ok_or_else(|| format!("its name ends with one of {}", kinds.join(", ")))
    }
}

fn size(text: &str) -> Result<(u32, u32), String> {
    let sides = text.split_once('x').and_then(|(width, height)| Some((width.parse().ok()?, height.parse().ok()?)));
    sides.filter(|(width, height)| SIDES.contains(width) && SIDES.contains(height)).ok_or_else(|| {
        let (least, most) = (SIDES.start(), SIDES.end());
        format!("width and height from {least} to {most}, as in 960x540")
    })
}

impl Drawing {
    /// The run, at its beginning, and where a scenario tells most, or a file ends, ms.
    pub(super) fn session(self) -> Result<(Session, u64), Failure> {
        let known = scenario(&self.which.what);
        let (run, until) = self.which.find()?;
        Ok((Session::new(run, known)?, known.map_or(until, |one| one.telling_ms)))
    }

    pub(super) fn looks(&self, (width, height): (f64, f64)) -> Looks {
        Looks { palette: Palette::of_page(self.dark), lang: self.lang, size: (width, height) }
    }
}

impl File {
    pub(super) fn write(&self, bytes: &[u8]) -> Result<ExitCode, Failure> {
        fs::write(&self.path, bytes).map_err(of_file(&self.path))?;
        Ok(ExitCode::SUCCESS)
    }
}

pub(super) fn picture(asked: Picture) -> Result<ExitCode, Failure> {
    let (width, height) = asked.size;
    let looks = asked.drawing.looks((f64::from(width), f64::from(height)));
    let (mut session, telling) = asked.drawing.session()?;
    session.seek(SimTime::from_ms(asked.at.unwrap_or(telling)))?;
    let svg = looks.svg(&session);
    match asked.out.kind {
        #[cfg(feature = "picture")]
        "png" => asked.out.write(&film::png(&svg, asked.scale)?),
        #[cfg(feature = "picture")]
        "gif" => asked.out.write(&film::still(&svg, &looks, looks.whole(session.scenario().is_some()))?),
        _ => asked.out.write(svg.as_bytes()),
    }
}
