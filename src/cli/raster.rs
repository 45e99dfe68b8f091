//! Pixels of a picture, with the fonts that this machine has.

use resvg::render;
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

use crate::draw::film::{Colours, Count, Film, MOST_FRAMES, Plan, Refusal, Take};
use crate::i18n::Lang;
use crate::i18n::wording::film_words;
use crate::timeline::{Pair, Session};

use super::Failure;
use super::picture::Looks;

/// How often a picture that stands still is shown in a second: it has one frame.
const STILL_RATE: u32 = 10;

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
    let mut film = Film::new(size, STILL_RATE, Colours::of(&looks.palette)).map_err(refused)?;
    film.add(pixels(svg, &reader()?, 1)?.data()).map_err(refused)?;
    film.finish().map_err(refused)
}

/// A stretch of a run as a GIF.
pub(super) fn film(session: Session, plan: Plan, looks: &Looks) -> Result<Vec<u8>, Failure> {
    let mut take = Take::new(&Pair::alone(session), plan).map_err(refused)?;
    // a film that is too long is refused before any of it is drawn
    Count::new(&take).go_on(MOST_FRAMES).map_err(refused)?;
    let options = reader()?;
    let mut film = Film::new(plan.size, plan.rate, Colours::of(&looks.palette)).map_err(refused)?;
    loop {
        film.add(pixels(&looks.svg(take.pair().left()), &options, 1)?.data()).map_err(refused)?;
        if !take.forward() {
            return film.finish().map_err(refused);
        }
    }
}
