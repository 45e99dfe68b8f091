//! `zabscope picture` and `zabscope film`: a moment of a run as SVG, PNG or GIF, a stretch of one as a GIF. They show what the page's Picture
//! saves, so that a deck can be made by a Makefile.

use std::fs;
use std::process::ExitCode;

use crate::base::SimTime;
use crate::draw::Palette;
use crate::draw::film::{Plan, RATES, WIDTHS};
use crate::draw::gallery::Still;
use crate::draw::stage::{Pane, Sheet};
use crate::draw::surface::{Surface, Svg};
use crate::i18n::Lang;
use crate::i18n::title::{latest, run_title};
use crate::i18n::wording::note_words;
use crate::scenarios::scenario;
use crate::timeline::Session;
use crate::timeline::pace::{DEFAULT_SPEED, speed_named};

use super::grade::language;
use super::run::Which;
use super::{Failure, moment};

/// The stage's size where none is asked for, CSS pixels.
const SIZE: (u32, u32) = (960, 540);
/// How small and how large it may be: what a layout can do anything with, and what a PNG of it can be three times as large as.
const SIDES: std::ops::RangeInclusive<u32> = 240..=4_000;
/// The height of a film's stage over its width.
const SHAPE: f64 = 0.6;

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

    /// The size of the whole picture, with what stands above and below the stage, CSS pixels.
    fn whole(&self, titled: bool) -> (u32, u32) {
        let (above, below) = Sheet::frame(titled, self.size.0);
        (self.size.0 as u32, (above + self.size.1 + below).ceil() as u32)
    }
}

/// What is asked for, of both commands.
struct Asked {
    which: Which,
    out: Option<String>,
    at: Option<u64>,
    from: Option<u64>,
    to: Option<u64>,
    dark: bool,
    lang: Lang,
    size: (u32, u32),
    scale: u32,
    speed: usize,
    rate: u32,
    width: u32,
    skip_idle: bool,
}

fn asked(mut args: lexopt::Parser, film: bool) -> Result<Asked, Failure> {
    use lexopt::Arg::{Long, Value};
    use lexopt::ValueExt;
    let mut asked = Asked {
        which: Which::default(),
        out: None,
        at: None,
        from: None,
        to: None,
        dark: false,
        lang: Lang::En,
        size: SIZE,
        scale: 2,
        speed: DEFAULT_SPEED,
        rate: RATES[1],
        width: WIDTHS[2],
        skip_idle: false,
    };
    while let Some(arg) = args.next()? {
        match arg {
            Long("out") => asked.out = Some(args.value()?.string()?),
            Long("seed") => asked.which.seed = Some(args.value()?.parse()?),
            Long("set") => asked.which.settings.push(args.value()?.string()?),
            Long("theme") => asked.dark = is_dark(&args.value()?.string()?)?,
            Long("lang") => asked.lang = language(&args.value()?.string()?)?,
            Long("at") if !film => asked.at = Some(moment("--at", args.value()?.parse()?)?),
            Long("size") if !film => asked.size = size(&args.value()?.string()?)?,
            Long("scale") if !film => asked.scale = one_of("--scale", args.value()?.parse()?, &[1, 2, 3])?,
            Long("from") if film => asked.from = Some(moment("--from", args.value()?.parse()?)?),
            Long("to") if film => asked.to = Some(moment("--to", args.value()?.parse()?)?),
            Long("speed") if film => asked.speed = speed(&args.value()?.string()?)?,
            Long("rate") if film => asked.rate = one_of("--rate", args.value()?.parse()?, &RATES)?,
            Long("width") if film => asked.width = one_of("--width", args.value()?.parse()?, &WIDTHS)?,
            Long("skip-idle") if film => asked.skip_idle = true,
            Value(value) if asked.which.what.is_none() => asked.which.what = Some(value.string()?),
            other => return Err(other.unexpected().into()),
        }
    }
    Ok(asked)
}

fn is_dark(theme: &str) -> Result<bool, Failure> {
    match theme {
        "light" => Ok(false),
        "dark" => Ok(true),
        _ => Err(Failure::usage(format!("--theme {theme}: there are light and dark"))),
    }
}

fn one_of(option: &str, given: u32, known: &[u32]) -> Result<u32, Failure> {
    let all = || known.iter().map(u32::to_string).collect::<Vec<_>>().join(", ");
    known
        .contains(&given)
        .then_some(given)
        .ok_or_else(|| Failure::usage(format!("{option} {given}: there are {}", all())))
}

fn size(text: &str) -> Result<(u32, u32), Failure> {
    let sides = text.split_once('x').and_then(|(width, height)| Some((width.parse().ok()?, height.parse().ok()?)));
    sides.filter(|(width, height)| SIDES.contains(width) && SIDES.contains(height)).ok_or_else(|| {
        let (least, most) = (SIDES.start(), SIDES.end());
        Failure::usage(format!("--size {text}: width and height from {least} to {most}, as in 960x540"))
    })
}

fn speed(text: &str) -> Result<usize, Failure> {
    speed_named(text)
        .ok_or_else(|| Failure::usage(format!("--speed {text}: a speed of the page, as in 1/30, 1 or 20")))
}

impl Asked {
    /// The run, at its beginning, and where a scenario tells most, or a file ends, ms.
    fn session(&mut self) -> Result<(Session, u64), Failure> {
        let which = std::mem::take(&mut self.which);
        let known = which.what.as_deref().and_then(scenario);
        let (run, until) = which.find()?;
        let session = Session::new(run, known).map_err(|error| Failure::usage(error.to_string()))?;
        Ok((session, known.map_or(until, |one| one.telling_ms)))
    }

    /// The file that is asked for, and the ending that says what it is to be.
    fn out(&self, known: &[&'static str]) -> Result<(String, &'static str), Failure> {
        let path = self.out.clone().ok_or_else(|| Failure::usage("which file? Say --out and its name"))?;
        let ending = path.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
        let found = known.iter().find(|one| ending.as_deref() == Some(**one));
        let kinds = || known.join(", ");
        let kind =
            found.ok_or_else(|| Failure::usage(format!("--out {path}: its name ends with one of {}", kinds())))?;
        Ok((path, *kind))
    }

    fn looks(&self, (width, height): (f64, f64)) -> Looks {
        Looks { palette: Palette::of_page(self.dark), lang: self.lang, size: (width, height) }
    }
}

fn write(path: &str, bytes: &[u8]) -> Result<ExitCode, Failure> {
    fs::write(path, bytes).map_err(|error| Failure::usage(format!("{path}: {error}")))?;
    Ok(ExitCode::SUCCESS)
}

pub(super) fn picture(args: lexopt::Parser) -> Result<ExitCode, Failure> {
    let mut asked = asked(args, false)?;
    let (path, kind) = asked.out(&["svg", "png", "gif"])?;
    let (mut session, telling) = asked.session()?;
    let at = SimTime::from_ms(asked.at.unwrap_or(telling));
    session.seek(at).map_err(|error| Failure::usage(error.to_string()))?;
    let looks = asked.looks((f64::from(asked.size.0), f64::from(asked.size.1)));
    let svg = looks.svg(&session);
    match kind {
        "svg" => write(&path, svg.as_bytes()),
        "png" => write(&path, &raster::png(&svg, asked.scale)?),
        _ => write(&path, &raster::still(&svg, &looks, looks.whole(session.scenario().is_some()))?),
    }
}

pub(super) fn film(args: lexopt::Parser) -> Result<ExitCode, Failure> {
    let mut asked = asked(args, true)?;
    let (path, _) = asked.out(&["gif"])?;
    let (Some(from), Some(to)) = (asked.from, asked.to) else {
        return Err(Failure::usage("which stretch of time? Say --from and --to, ms"));
    };
    let (session, _) = asked.session()?;
    let width = f64::from(asked.width);
    let looks = asked.looks((width, (width * SHAPE).round()));
    let plan = Plan {
        from: SimTime::from_ms(from),
        to: SimTime::from_ms(to),
        speed: asked.speed,
        skip_idle: asked.skip_idle,
        rate: asked.rate,
        size: looks.whole(session.scenario().is_some()),
    };
    write(&path, &raster::film(session, plan, &looks)?)
}

#[cfg(feature = "picture")]
use super::raster;

/// Without letters there is nothing to make pixels of.
#[cfg(not(feature = "picture"))]
mod raster {
    use super::{Failure, Looks, Plan, Session};

    fn missing<T>() -> Result<T, Failure> {
        Err(Failure::usage("this zabscope writes SVG only: PNG and GIF need it built with the feature 'picture'"))
    }

    pub(super) fn png(_: &str, _: u32) -> Result<Vec<u8>, Failure> {
        missing()
    }

    pub(super) fn still(_: &str, _: &Looks, _: (u32, u32)) -> Result<Vec<u8>, Failure> {
        missing()
    }

    pub(super) fn film(_: Session, _: Plan, _: &Looks) -> Result<Vec<u8>, Failure> {
        missing()
    }
}
