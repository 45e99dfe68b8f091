//! Known moments as SVG.

use crate::base::{ServerId, ServerSet, SimTime};
use crate::draw::layout::seats;
use crate::draw::packets;
use crate::draw::palette::testing::{palette, token};
use crate::draw::stage::*;
use crate::draw::surface::Svg;
use crate::scenarios::scenario;
use crate::sim::Action;
use crate::timeline::Session;
use crate::view::Counted;

/// The names of things and nothing else.
struct Plain;

impl Wording for Plain {
    fn role(&self, card: &Card) -> String {
        card.face.word().to_string()
    }
    fn second(&self, card: &Card) -> String {
        card.phase_words()
    }
    fn epochs(&self, card: &Card) -> String {
        format!("epoch {}", card.current)
    }
    fn last(&self, card: &Card) -> String {
        format!("last {}", card.last)
    }
    fn client(&self, client: &ClientView) -> String {
        client.face.class().to_string()
    }
    fn meter(&self, meter: &Meter) -> String {
        match meter.counted {
            Counted::Acks(zxid) => format!("ACK {zxid}"),
            other => format!("{other:?}"),
        }
    }
    fn slow(&self) -> &'static str {
        "slow & \"late\""
    }
    fn callout(&self, _: &crate::view::Said) -> String {
        String::new()
    }

    fn figure(&self, word: FigureWord<'_>) -> String {
        format!("{word:?}")
    }
}

/// A scenario at a moment.
fn at(id: &str, ms: u64) -> Session {
    let mut session = Session::new(scenario(id).unwrap().run(), scenario(id)).unwrap();
    session.seek(SimTime::from_ms(ms)).unwrap();
    session
}

/// Where the servers of this moment stand in a ring on a stage of this size.
fn ring(session: &Session, (width, height): (f64, f64)) -> Layout {
    let world = session.world();
    let servers: Vec<ServerId> = world.processes.keys().copied().collect();
    Layout::with_clients(&servers, &seats(session.player().run(), world), width, height)
}

/// What stands on such a stage, and where.
fn stage(session: &Session, size: (f64, f64)) -> (Layout, Scene) {
    (ring(session, size), Scene::of(session.world(), session.run_summary()))
}

/// A scenario at a moment as a whole picture, its servers in a ring.
fn svg(id: &str, ms: u64, size: (f64, f64)) -> String {
    let session = at(id, ms);
    drawn(id, &session, ring(&session, size))
}

/// A moment as a whole picture, on a stage that is laid out.
fn drawn(id: &str, session: &Session, layout: Layout) -> String {
    let (width, height) = (layout.width, layout.height);
    let scene = Scene::of(session.world(), session.run_summary());
    let packets = packets(session.world(), session.run_summary(), &layout, session.cursor_us());
    let palette = palette(false);
    let picture = Picture {
        palette: &palette,
        words: &Plain,
        layout: &layout,
        scene: &scene,
        packets: &packets,
        chosen: None,
        marked: None,
        eye: None,
    };
    let drawing = |surface: &mut dyn Surface| picture.whole(surface);
    let pane = Pane { title: "", fact: "<what> & \"why\"", note: "a note", size: (width, height), drawing: &drawing };
    let sheet = Sheet { palette: &palette, time: "1.035 s", panes: &[pane] };
    let (width, height) = sheet.size();
    let mut svg = Svg::new(width, height);
    sheet.draw(&mut svg);
    svg.finish(id)
}

/// The names of a document's elements, all closed in order, and its text; what is wrong otherwise.
fn read(xml: &str) -> Result<(Vec<String>, Vec<String>), String> {
    let (mut names, mut texts, mut open) = (Vec::new(), Vec::new(), Vec::new());
    let mut rest = xml.trim_end();
    while let Some((text, tail)) = rest.split_once('<') {
        if !text.is_empty() {
            texts.push(text.to_string());
        }
        let (tag, tail) = tail.split_once('>').ok_or("a tag without its end")?;
        if let Some(name) = tag.strip_prefix('/') {
            let opened: Option<String> = open.pop();
            if opened.as_deref() != Some(name) {
                return Err(format!("</{name}> closes {opened:?}"));
            }
        } else {
            let name = tag.trim_end_matches('/').split(' ').next().unwrap_or("").to_string();
            attributes(tag.trim_end_matches('/'))?;
            if !tag.ends_with('/') {
                open.push(name.clone());
            }
            names.push(name);
        }
        rest = tail;
    }
    if !open.is_empty() || !rest.is_empty() {
        return Err(format!("left open: {open:?}, behind the end: {rest:?}"));
    }
    if let Some(bare) = texts.iter().find(|text| text.contains('&') && !text.contains(';')) {
        return Err(format!("not escaped: {bare}"));
    }
    Ok((names, texts))
}

/// Attributes are `name="value"`, each once, without a number that is none.
fn attributes(tag: &str) -> Result<(), String> {
    let mut seen: Vec<&str> = Vec::new();
    let mut rest = tag.split_once(' ').map_or("", |(_, rest)| rest);
    while !rest.trim().is_empty() {
        let (name, tail) = rest.trim_start().split_once("=\"").ok_or(format!("not an attribute: {rest}"))?;
        let (value, tail) = tail.split_once('"').ok_or(format!("no end: {rest}"))?;
        let plain = name.chars().all(|letter| letter.is_ascii_alphabetic() || "-:".contains(letter));
        if !plain || seen.contains(&name) || value.contains("NaN") || value.contains("inf") {
            return Err(format!("{name}={value}"));
        }
        seen.push(name);
        rest = tail;
    }
    Ok(())
}

#[test]
fn the_reader_of_these_tests_finds_what_it_looks_for() {
    assert!(read("<a><b x=\"1\"/>t</a>").is_ok());
    for broken in ["<a><b></a>", "<a", "<a x=1/>", "<a x=\"1\" x=\"2\"/>", "<a>&</a>", "<a/>t", "<a x=\"NaN\"/>"] {
        assert!(read(broken).is_err(), "{broken}");
    }
}

#[test]
fn a_known_moment_has_its_servers_roles_and_zxids() {
    let (_, texts) = read(&svg("leader-crash-under-load", 1_081, (1_000.0, 700.0))).unwrap();
    let count = |text: &str| texts.iter().filter(|one| *one == text).count();
    // on their cards, and in the boxes of each count
    let counted = texts.iter().filter(|text| text.starts_with("ACK ")).count();
    assert!(counted > 0, "{texts:?}");
    assert_eq!([count("S1"), count("S2"), count("S3")], [1 + counted; 3], "{texts:?}");
    assert_eq!((count("LEADING"), count("FOLLOWING"), count("BROADCAST")), (1, 2, 3));
    // two COMMITs and an ACK are on their way, with their letters and zxids, these above a halo; meters count
    assert_eq!((count("C"), count("1:11"), count("A"), count("1:12")), (2, 4, 1, 2), "{texts:?}");
    assert_eq!((count("ACK 1:12"), count("Of(1, 3)")), (1, 1), "{texts:?}");
    assert_eq!(count("a note"), 1);
    assert_eq!((count("1.035 s"), count("ZabScope"), count("&lt;what&gt; &amp; &quot;why&quot;")), (1, 1, 1));
}

/// What not every program draws, or what an optimiser takes away: all but elements and attributes of plain SVG, and colours of six digits.
fn foreign(picture: &str) -> Vec<&str> {
    let plain = |value: &str| value.strip_prefix('#').is_some_and(|digits| digits.len() == 6 || digits.len() == 3);
    let values = picture.split(['<', '>']).flat_map(|tag| tag.split(' ').filter_map(|one| one.split_once("=\"")));
    let wrong = |(name, value): &(&str, &str)| match *name {
        "fill" | "stroke" => {
            let colour = value.trim_end_matches(['"', '/']);
            colour != "none" && !plain(colour)
        }
        // who does not know it draws a halo over its letters; of weights resvg knows hundreds
        "paint-order" => true,
        "font-weight" => !value.ends_with("00\""),
        "style" | "class" | "href" | "xlink:href" | "filter" | "mask" => true,
        _ => false,
    };
    values.filter(wrong).map(|(_, value)| value).collect()
}

#[test]
fn every_scenario_makes_a_picture_that_can_be_read_at_any_size() {
    for scenario in crate::scenarios::SCENARIOS {
        for (ms, size) in [(0, (960.0, 600.0)), (1_000, (390.0, 390.0)), (2_600, (560.0, 300.0))] {
            let picture = svg(scenario.id, ms, size);
            let (names, _) = read(&picture).unwrap_or_else(|error| panic!("{} at {ms} ms: {error}", scenario.id));
            assert_eq!(names[..2], ["svg", "title"]);
            assert!(names.len() > 12, "{}: {}", scenario.id, names.len()); // of a single server there is least
            assert_eq!(foreign(&picture), [""; 0], "{}", scenario.id);
        }
    }
}

/// While a page is laid out its stage may be a pixel wide.
#[test]
fn every_cast_can_be_drawn_where_there_is_no_room() {
    for scenario in crate::scenarios::SCENARIOS {
        let session = at(scenario.id, scenario.telling_ms);
        let run = (session.player(), session.run_summary());
        for size in [(0.0, 0.0), (1.0, 1.0), (40.0, 700.0), (700.0, 40.0)] {
            for hall in [false, true] {
                let layout = crate::draw::figure::laid_out(run, scenario.cast(), size, hall);
                assert!(read(&drawn(scenario.id, &session, layout)).is_ok(), "{} on {size:?}", scenario.id);
            }
        }
    }
}

#[test]
fn the_same_moment_gives_the_same_picture() {
    let once = |ms| svg("lock-mutex", ms, (900.0, 600.0));
    assert_eq!(once(3_500), once(3_500));
    assert_ne!(once(3_500), once(3_540));
}

#[test]
fn a_cut_a_slow_link_and_a_pause_are_seen() {
    let cut = svg("minority-partition", 2_600, (900.0, 600.0));
    assert!(cut.contains(&palette(false).bad), "crosses");
    let paused = svg("old-leader-returns", 2_400, (900.0, 600.0));
    assert!(paused.contains(palette(false).still.as_str()), "its edge");
    let slow = svg("zk-stale-read", 2_000, (900.0, 600.0));
    assert!(slow.contains("slow &amp; &quot;late&quot;"));
}

#[test]
fn type_sizes_are_those_of_the_style_sheet() {
    for (index, size) in TYPE.iter().enumerate() {
        assert_eq!(token(false, &format!("--t{}", index + 1)), format!("{size}px"));
    }
}

#[test]
fn stripes_stay_within_their_rectangle() {
    let mut path = Path::default();
    let (at, size) = (Point::new(10.0, 20.0), (196.0, 112.0));
    stripes(&mut path, at, size, 10.0);
    let corners = path.0.iter().filter_map(|stretch| match stretch {
        crate::draw::surface::Stretch::Move(at) | crate::draw::surface::Stretch::Line(at) => Some(*at),
        _ => None,
    });
    let corners: Vec<Point> = corners.collect();
    assert!(corners.len() > 40);
    for corner in corners {
        assert!((9.99..=206.01).contains(&corner.x) && (19.99..=132.01).contains(&corner.y), "{corner:?}");
        // the rectangle's own corners are round
        assert!(corner.distance(at) > 3.0);
    }
}

#[test]
fn the_ground_changes_with_links_and_not_with_answers() {
    let mut session = at("lock-herd", 2_600);
    let moment = |session: &Session| stage(session, (900.0, 500.0));
    let glance = |scene: &Scene| scene.clients.iter().map(ClientView::at_a_glance).collect::<Vec<_>>();
    let (mut layout, mut scene) = moment(&session);
    let (mut answers, mut lines) = (0, 0);
    for _ in 0..3_000 {
        let ground = Ground::of(&layout, &scene, None);
        session.step(1);
        let now = moment(&session);
        let same = glance(&now.1) == glance(&scene) && now.1.links == scene.links;
        assert_eq!(ground.is_of(&now.0, &now.1, None), same);
        answers += usize::from(same && now.1.clients != scene.clients);
        lines += usize::from(!same);
        (layout, scene) = now;
    }
    assert!(answers > 0 && lines > 0, "{answers} answers, {lines} times another line");
    let ground = Ground::of(&layout, &scene, None);
    let side = |id: u8| [ServerId(id)].into_iter().collect::<ServerSet>();
    session.act(Action::Cut { from: side(1), to: side(2), one_way: false }).unwrap();
    let (layout, scene) = moment(&session);
    assert!(!ground.is_of(&layout, &scene, None), "a link was cut");
}

/// How many rings there are where links are taken hold of.
fn rings_of(layout: &Layout, scene: &Scene) -> usize {
    let palette = palette(false);
    let words = &Plain;
    let picture =
        Picture { palette: &palette, words, layout, scene, packets: &[], chosen: None, marked: None, eye: None };
    let mut svg = Svg::new(layout.width, layout.height);
    picture.ground(&mut svg);
    let is_ring = |path: &&str| path.contains(&format!("fill=\"{}\"", palette.paper)) && path.contains("stroke=");
    // one outline with a beginning for each ring
    let ground = svg.elements();
    ground.split("<path").filter(is_ring).map(|path| path.matches('M').count()).sum()
}

#[test]
fn a_page_shows_where_each_link_that_is_drawn_is_taken_hold_of() {
    let (layout, mut scene) = stage(&at("minority-partition", 3_000), (900.0, 500.0));
    let open = scene.links.iter().filter(|link| link.is_open() && !link.is_quiet()).count();
    assert_eq!((scene.links.len(), open, rings_of(&layout, &scene)), (10, 3, 3));
    scene.cards.extend(scene.cards.clone());
    assert_eq!(rings_of(&layout, &scene), 0, "among many servers they would hide the links");
}

#[test]
fn how_old_a_value_is_stands_apart_from_it() {
    assert_eq!(stamped("1 @ 7000001·C1"), ("1", Some("@ 7000001·C1")));
    assert_eq!(stamped("@ home"), ("@ home", None));
    assert_eq!(stamped("2.0 s"), ("2.0 s", None));
}

mod eye;
mod tables;
