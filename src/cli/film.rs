//! `zabscope film`, and pixels of a picture: in the fonts that this machine has.

use std::process::ExitCode;

use clap::Args;
use resvg::render;
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

use crate::base::SimTime;
use crate::draw::film::{Colours, Count, Film as Frames, MOST_FRAMES, Plan, RATES, Refusal, Take, WIDTHS};
use crate::i18n::Lang;
use crate::i18n::wording::film_words;
use crate::timeline::Pair;
use crate::timeline::pace::speed_named;

use super::Failure;
use super::options::ms;
use super::picture::{Drawing, File, Looks, file};

/// How often a picture that stands still is shown in a second: it has one frame.
const STILL_RATE: u32 = 10;
/// The height of a film's stage over its width.
const SHAPE: f64 = 0.6;

/// Draws the stage over a stretch of a run, as the page's Picture does.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  zabscope film leader-crash-under-load --from 2000 --until 2600 --speed 1/10 --out crash.gif
  zabscope film lock-herd --from 4000 --until 9000 --skip-idle --width 480 --out herd.gif")]
pub(super) struct Film {
    #[command(flatten)]
    drawing: Drawing,
    /// Writes this file
    #[arg(long, value_name = "FILE.gif", value_parser = file(&["gif"]))]
    out: File,
    /// The moment with which it begins
    #[arg(long, value_name = "MS", value_parser = ms)]
    from: u64,
    /// The moment with which it ends
    #[arg(long, alias = "to", value_name = "MS", value_parser = ms)]
    until: u64,
    /// How fast virtual time runs: a speed of the page
    #[arg(long, value_name = "X", default_value = "1/30", value_parser = speed)]
    speed: usize,
    /// Frames a second: 8, 10, 12 or 15
    #[arg(long, value_name = "N", default_value_t = RATES[1], value_parser = one_of(&RATES))]
    rate: u32,
    /// How wide it is, pixels: 480, 640, 800 or 960
    #[arg(long, value_name = "N", default_value_t = WIDTHS[2], value_parser = one_of(&WIDTHS))]
    width: u32,
    /// Leaves out stretches in which nothing happens
    #[arg(long)]
    skip_idle: bool,
}

fn one_of(known: &'static [u32]) -> impl Fn(&str) -> Result<u32, String> + Clone + Send + Sync {
    move |text: &str| {
        let all = || known.iter().map(u32::to_string).collect::<Vec<_>>().join(", ");
        known.iter().find(|one| one.to_string() == text).copied().ok_or_else(|| format!("there are {}", all()))
    }
}

fn speed(text: &str) -> Result<usize, &'static str> {
    speed_named(text).ok_or("a speed of the page, as in 1/30, 1 or 20")
}

pub(super) fn film(asked: Film) -> Result<ExitCode, Failure> {
    let Film { drawing, out, from, until, speed, rate, width, skip_idle } = asked;
    let (from, to, width) = (SimTime::from_ms(from), SimTime::from_ms(until), f64::from(width));
    let looks = drawing.looks((width, (width * SHAPE).round()));
    let (session, _) = drawing.session()?;
    let plan = Plan { from, to, speed, skip_idle, rate, size: looks.whole(session.scenario().is_some()) };
    let mut take = Take::new(&Pair::alone(session), plan).map_err(refused)?;
    // a film that is too long is refused before any of it is drawn
    Count::new(&take).go_on(MOST_FRAMES).map_err(refused)?;
    let options = reader()?;
    let mut frames = Frames::new(plan.size, plan.rate, Colours::of(&looks.palette)).map_err(refused)?;
    loop {
        frames.add(pixels(&looks.svg(take.pair().left()), &options, 1)?.data()).map_err(refused)?;
        if !take.forward() {
            return out.write(&frames.finish().map_err(refused)?);
        }
    }
}

fn refused(refusal: Refusal) -> Failure {
    Failure::usage(film_words(&refusal, Lang::En))
}

/// What reads a picture, with all fonts of the system: without any its words would be left out.
fn reader() -> Result<Options<'static>, Failure> {
    let mut options = Options::default();
    options.fontdb_mut().load_system_fonts();
    if options.fontdb.is_empty() {
        return Err(Failure::usage("this machine has no fonts, and a picture needs some: install fonts-dejavu, say"));
    }
    Ok(options)
}

/// A picture in pixels, so many for each of its own.
fn pixels(svg: &str, options: &Options<'_>, scale: u32) -> Result<Pixmap, Failure> {
    let tree = Tree::from_str(svg, options)
        .map_err(|error| Failure::usage(format!("the picture cannot be read: {error}")))?;
    let size = tree.size().to_int_size();
    let pixmap = Pixmap::new(size.width() * scale, size.height() * scale);
    let mut pixmap =
        pixmap.ok_or_else(|| Failure::usage("the picture is too large: choose a smaller --size or --scale"))?;
    render(&tree, Transform::from_scale(scale as f32, scale as f32), &mut pixmap.as_mut());
    Ok(pixmap)
}

/// A picture as PNG.
pub(super) fn png(svg: &str, scale: u32) -> Result<Vec<u8>, Failure> {
    let encoded = pixels(svg, &reader()?, scale)?.encode_png();
    encoded.map_err(|error| Failure::usage(format!("the PNG could not be made: {error}")))
}

/// A picture as a GIF of one frame.
pub(super) fn still(svg: &str, looks: &Looks, size: (u32, u32)) -> Result<Vec<u8>, Failure> {
    let mut film = Frames::new(size, STILL_RATE, Colours::of(&looks.palette)).map_err(refused)?;
    film.add(pixels(svg, &reader()?, 1)?.data()).map_err(refused)?;
    film.finish().map_err(refused)
}
