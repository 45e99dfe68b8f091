//! The poster: the page's first frames as HTML, which `static/poster.js` shows before any WebAssembly has come. `scripts/poster` writes
//! them into `static/poster.html`, which is a part of `index.html`: building the page needs no native build.

use crate::draw::figure::Frame;
use crate::draw::layout::Density;
use crate::draw::stage::{Picture, shorter};
use crate::draw::surface::{Svg, number};
use crate::draw::{Palette, Point};
use crate::lessons::FIRST;

use super::*;

const FILE: &str = "static/poster.html";

/// The stage on which frames are made: its cards are those that static/poster.js changes for others.
const USUAL: (f64, f64) = (1_000.0, 560.0);

#[test]
fn the_poster_is_what_the_page_shows_first() {
    let (path, now) = (format!("{}/{FILE}", env!("CARGO_MANIFEST_DIR")), poster());
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(path, now).expect("a file of ours");
    } else if fs::read_to_string(path).ok() != Some(now) {
        panic!("{FILE} is not what the page shows first: run scripts/poster");
    }
}

/// Stages on which cards of each size stand, wide ones and narrow ones: width and height.
fn stages() -> impl Iterator<Item = (f64, f64)> {
    (30..160).rev().flat_map(|tenth| [10.0, 6.0].map(|wide| (f64::from(tenth) * wide, f64::from(tenth) * 6.5)))
}

#[test]
fn cards_of_all_sizes_are_the_poster_s_with_other_measures() {
    for (name, engine) in frames().into_iter().filter(|(_, engine)| engine.overview().is_none()) {
        let (kept, known) = (cards(&render_html(&engine, Choices::default())), engine.layout().density);
        let mut seen = vec![known];
        for (width, height) in stages() {
            lay_out(&engine, (width, height));
            let density = engine.layout().density;
            if !seen.contains(&density) && density.lines() > 0 {
                seen.push(density);
                let told = kept.replace(&measured(known), &measured(density));
                let told = told.replace(&format!(" {}", known.class()), &format!(" {}", density.class()));
                let told = if density == Density::Compact { shortened(&told) } else { told };
                assert_eq!(cards(&render_html(&engine, Choices::default())), told, "{name}, {density:?}");
            }
        }
        assert_eq!(seen.len(), sizes().count(), "{name}: {seen:?}");
    }
}

/// Cards with the short words of compact ones.
fn shortened(cards: &str) -> String {
    let begin = "class=\"second\"><span>";
    let short = |rest: &str| rest.split_once('<').map(|(said, rest)| format!("{}<{rest}", shorter(said)));
    let mut parts = cards.split(begin);
    let first = parts.next().unwrap_or_default().to_string();
    parts.fold(first, |cards, rest| cards + begin + &short(rest).expect("words end"))
}

/// What is seen first of all: by whom was here before, a run that begins; by whom was not, a lesson.
fn frames() -> [(&'static str, Engine); 2] {
    let (run, lesson) = (Engine::new(), Engine::new());
    for engine in [&run, &lesson] {
        lay_out(engine, USUAL);
        // the page's first frames look for them
        while engine.change_pair(|pair| pair.look_for_chapters(1_000)) {}
    }
    lesson.want_lesson(FIRST, None);
    lesson.change(|session| session.playing = false);
    lesson.open_wanted_lesson();
    [("run", run), ("lesson", lesson)]
}

fn lay_out(engine: &Engine, size: (f64, f64)) {
    engine.resize(size.0, size.1);
    // a new size is laid out in the next frame, or when something changes
    engine.change(|_| ());
}

/// Sizes of cards that can say what they are, the largest first.
fn sizes() -> impl Iterator<Item = Density> {
    Density::USUAL.into_iter().filter(|density| density.lines() > 0)
}

/// The measures of a card's strip of transactions, as its `svg` has them.
fn measured(density: Density) -> String {
    let (size, step) = density.strip();
    let (width, height) = (number(step * density.squares() as f64), number(size + 2.0));
    format!("viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\"")
}

fn cards(html: &str) -> String {
    let (_, rest) = html.split_once("<div class=\"cards\">").expect("cards");
    rest.split_once("</div>").expect("their end").0.to_string()
}

/// Each frame in each language, in a `template` of its own; before them what `static/poster.js` has to know of cards.
fn poster() -> String {
    let sizes = sizes().map(|density| {
        let ((width, height), (size, step)) = (density.card(), density.strip());
        let strip = (number(step * density.squares() as f64), number(size + 2.0));
        format!("{} {width} {height} {} {} {}", density.class(), density.shortest_link(), strip.0, strip.1)
    });
    let mut html =
        format!("<template id=\"poster\" data-cards=\"{}\"></template>\n", sizes.collect::<Vec<_>>().join(","));
    for (name, engine) in frames() {
        for lang in Lang::ALL {
            let frame = frame(&engine, lang);
            html += &format!("<template id=\"poster-{name}-{}\">{frame}</template>\n", lang.code());
        }
    }
    html
}

/// A frame, light; `data-dark` names what turns a dark page light.
fn frame(engine: &Engine, lang: Lang) -> String {
    lay_out(engine, USUAL);
    let of = |theme| render_html(engine, Choices { lang, theme, ..Choices::default() });
    let words = page(lang);
    let turn = |word| format!("aria-label=\"{word}\" title=\"{word}\"");
    let (light, dark) = (of(Theme::Light), of(Theme::Dark));
    assert_eq!(
        light.replace(&turn(words.theme_dark), &turn(words.theme_light)),
        dark,
        "no other word is the theme's"
    );
    let both = format!("{} data-dark=\"{}\"", turn(words.theme_dark), words.theme_light);
    // what stands in place of the stage leaves nothing of it to be seen
    if engine.overview().is_some() {
        return light.replace(&turn(words.theme_dark), &both);
    }
    let ground = "class=\"ground\">";
    light.replace(&turn(words.theme_dark), &both).replacen(ground, &format!("{ground}{}", drawn(engine, lang)), 1)
}

/// What is drawn below the cards: the logs, in the two sizes that they can have, from the top; then links and where they are taken hold
/// of, which poster.js leads from card to card.
fn drawn(engine: &Engine, lang: Lang) -> String {
    let mut all = String::new();
    let (scene, mut links) = (engine.scene().clone(), String::new());
    let open: Vec<String> =
        scene.links.iter().filter(|link| !link.is_quiet()).map(|link| format!("{}-{}", link.a, link.b)).collect();
    for size in [(4_096.0, 560.0), (4_096.0, 270.0)] {
        lay_out(engine, size);
        let mut layout = engine.layout();
        let frame = layout.logs.expect("room for logs");
        layout.logs = Some(Frame::around(Point::new(size.0 / 2.0, frame.height / 2.0), (frame.width, frame.height)));
        let ground = |scene| {
            let palette = Palette::read(|name| format!("var({name})"));
            let (packets, mut surface) = ([], Svg::of_page(size.0, size.1));
            let eye = None;
            Picture {
                palette: &palette,
                words: &lang,
                layout: &layout,
                scene,
                packets: &packets,
                chosen: None,
                marked: None,
                eye,
            }
            .ground(&mut surface);
            surface.elements()
        };
        let mut bare = scene.clone();
        // a link that nobody needs is not drawn
        bare.links.iter_mut().for_each(|link| (link.idle, link.dead) = (true, false));
        let logs = ground(&bare);
        links = ground(&scene).strip_prefix(&logs).expect("links lie above the logs").to_string();
        all += &format!("<g data-high=\"{}\">{logs}</g>", frame.height);
    }
    // two outlines: all lines, all rings
    let mut ends = links.split("<path d=\"").skip(1).map(|path| path.split_once('"').expect("an outline").1);
    let (lines, rings) = (ends.next().expect("lines"), ends.next().expect("rings"));
    assert_eq!(ends.next(), None, "all links look alike");
    all + &format!("<path data-links=\"{}\"{lines}<path{rings}", open.join(" "))
}
