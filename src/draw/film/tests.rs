//! Films are read again by the decoder of the crate that writes them.

use gif::{ColorOutput, DecodeOptions};

use crate::draw::film::*;
use crate::draw::palette::testing::palette;
use crate::scenarios::scenario;
use crate::timeline::Variation;

/// What a viewer sees after each frame, and how long, hundredths of a second.
struct Seen {
    frames: Vec<(Vec<u8>, u16)>,
    /// How many pixels were written.
    written: usize,
}

fn seen(file: &[u8]) -> Seen {
    let mut options = DecodeOptions::new();
    options.set_color_output(ColorOutput::RGBA);
    let mut decoder = options.read_info(file).expect("a GIF");
    let width = usize::from(decoder.width());
    let mut screen = vec![0; width * usize::from(decoder.height()) * 4];
    let mut all = Seen { frames: Vec::new(), written: 0 };
    while let Some(frame) = decoder.read_next_frame().expect("a frame") {
        for (index, pixel) in frame.buffer.chunks_exact(4).enumerate() {
            let (x, y) = (index % usize::from(frame.width), index / usize::from(frame.width));
            let at = ((y + usize::from(frame.top)) * width + x + usize::from(frame.left)) * 4;
            if pixel[3] > 0 {
                screen[at..at + 4].copy_from_slice(pixel);
                all.written += 1;
            }
        }
        all.frames.push((screen.clone(), frame.delay));
    }
    all
}

/// A ground of paper with squares of surface.
fn pixels((width, height): (u32, u32), squares: &[(u32, u32)]) -> Vec<u8> {
    let (paper, surface) = ([0xf7, 0xf6, 0xf2, 255], [0x1d, 0x23, 0x28, 255]);
    let all = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    all.flat_map(|(x, y)| {
        let inked = squares.iter().any(|&(left, top)| (left..left + 3).contains(&x) && (top..top + 3).contains(&y));
        if inked { surface } else { paper }
    })
    .collect()
}

fn film(size: (u32, u32), rate: u32, frames: &[Vec<u8>]) -> Vec<u8> {
    let mut film = Film::new(size, rate, Colours::of(&palette(false))).unwrap();
    for frame in frames {
        film.add(frame).unwrap();
    }
    film.finish().unwrap()
}

#[test]
fn a_film_is_seen_as_it_was_drawn() {
    let size = (40, 30);
    let places: [&[(u32, u32)]; 5] = [&[(0, 0)], &[(1, 1)], &[(37, 27)], &[], &[(0, 27), (37, 0)]];
    let frames: Vec<Vec<u8>> = places.iter().map(|squares| pixels(size, squares)).collect();
    let seen = seen(&film(size, 10, &frames));
    assert_eq!(seen.frames.len(), 5);
    for ((shown, _), drawn) in seen.frames.iter().zip(&frames) {
        assert!(shown == drawn);
    }
    let delays: Vec<u16> = seen.frames.iter().map(|(_, delay)| *delay).collect();
    assert_eq!(delays, [10, 10, 10, 10, 160]);
    // the first frame, and then what changes
    assert!(seen.written <= 40 * 30 + 2 * 9 * 2 + 9 + 18, "{}", seen.written);
}

#[test]
fn what_stands_still_is_one_frame_and_time_is_not_lost() {
    for (rate, frames) in [(8, 17), (10, 5), (12, 25), (15, 31)] {
        let still = pixels((9, 9), &[(2, 2)]);
        let mut all = vec![pixels((9, 9), &[]); 1];
        all.extend(vec![still; frames - 1]);
        let delays: Vec<u32> = seen(&film((9, 9), rate, &all)).frames.iter().map(|(_, d)| u32::from(*d)).collect();
        assert_eq!(delays.len(), 2);
        let expected = (frames as f64 * 100.0 / f64::from(rate)).round() as u32 + 150;
        assert!(delays.iter().sum::<u32>().abs_diff(expected) <= 1, "{delays:?} at {rate}");
    }
}

#[test]
fn a_changed_pixel_is_found_wherever_it_is() {
    let size = (5, 4);
    for at in 0..20 {
        let (before, mut after) = (pixels(size, &[]), pixels(size, &[]));
        after[at * 4..at * 4 + 3].copy_from_slice(&[0x1d, 0x23, 0x28]);
        let seen = seen(&film(size, 10, &[before, after.clone()]));
        assert!(seen.frames[1].0 == after, "{at}");
        assert_eq!(seen.written, 21);
    }
}

#[test]
fn a_frame_of_another_size_is_refused() {
    let mut film = Film::new((10, 10), 10, Colours::of(&palette(false))).unwrap();
    assert_eq!(film.add(&[0; 8]), Err(Refusal::Large));
    assert!(Film::new((70_000, 10), 10, Colours::of(&palette(false))).is_err());
    assert!(Film::new((0, 10), 10, Colours::of(&palette(false))).is_err());
}

fn session() -> Session {
    let mut session =
        Session::new(scenario("leader-crash-under-load").unwrap().run(), scenario("leader-crash-under-load"))
            .unwrap();
    session.seek(SimTime::from_ms(2_000)).unwrap();
    session
}

const PLAN: Plan =
    Plan { from: SimTime(1_000_000), to: SimTime(1_100_000), speed: 3, skip_idle: true, rate: 10, size: (640, 480) };

fn count(take: &Take) -> Result<usize, Refusal> {
    let mut count = Count::new(take);
    loop {
        if let Some(frames) = count.go_on(7)? {
            return Ok(frames);
        }
    }
}

#[test]
fn a_take_shows_the_stretch_and_leaves_the_session_alone() {
    let mut pair = Pair::alone(session());
    pair.vary(Variation::Seed(2)).unwrap();
    let state = |pair: &Pair| -> Vec<_> { pair.sessions().map(|one| (one.place(), one.player().digest())).collect() };
    let before = state(&pair);
    let mut take = Take::new(&pair, PLAN).unwrap();
    let expected = count(&take).unwrap();
    let mut moments = vec![take.pair().left().cursor_us()];
    while take.forward() {
        moments.push(take.pair().left().cursor_us());
        assert_eq!(take.pair().right().map(Session::cursor_us), moments.last().copied());
    }
    // 100 ms at a thirtieth are 3 s
    assert_eq!((moments.len(), expected), (31, 31));
    assert!(moments.is_sorted() && take.share() == 1.0);
    assert_eq!((moments[0], moments[30]), (1_000_000.0, 1_100_000.0));
    assert_eq!(state(&pair), before);
    pair.only_left();
    let mut again = Take::new(&pair, PLAN).unwrap();
    while again.forward() {}
    assert_eq!(again.pair().left().player().digest(), take.pair().left().player().digest());
}

#[test]
fn idle_times_are_short_where_they_are_skipped() {
    let pair = Pair::alone(session());
    let frames = |skip_idle, rate| {
        let plan = Plan { from: SimTime::from_ms(3_500), to: SimTime::from_ms(4_200), skip_idle, rate, ..PLAN };
        count(&Take::new(&pair, plan).unwrap()).unwrap()
    };
    assert_eq!((frames(false, 8), frames(false, 15)), (169, 316));
    assert!(frames(true, 10) < 211 * 3 / 4, "{}", frames(true, 10));
}

#[test]
fn too_much_is_refused_before_work() {
    let pair = Pair::alone(session());
    let refused = |plan: Plan| Take::new(&pair, plan).and_then(|take| count(&take)).unwrap_err();
    assert_eq!(refused(Plan { to: PLAN.from, ..PLAN }), Refusal::Backwards);
    assert_eq!(refused(Plan { size: (960, 2_000), ..PLAN }), Refusal::Large);
    assert_eq!(refused(Plan { size: (4_000, 10), ..PLAN }), Refusal::Large);
    assert_eq!(refused(Plan { size: (640, u32::MAX), ..PLAN }), Refusal::Large);
    assert_eq!(refused(Plan { speed: 0, to: SimTime::from_ms(3_000), ..PLAN }), Refusal::Long);
}

#[test]
fn what_happened_is_a_stretch_without_pauses() {
    let mut session = Session::new(scenario("cold-start-3").unwrap().run(), scenario("cold-start-3")).unwrap();
    assert!(happened(&session).is_none_or(|(from, to)| from.0 == 0 && to.0 <= 30_000));
    session.seek(SimTime::from_ms(900)).unwrap();
    let (from, to) = happened(&session).unwrap();
    // the election, and all that follows it
    assert!(from.0 < 200_000 && (300_000..930_000).contains(&to.0), "{from:?} {to:?}");
    session.seek(SimTime::from_ms(4_000)).unwrap();
    let (from, to) = happened(&session).unwrap();
    assert!(from < to && to.0 - from.0 <= LONGEST_US + 2 * AROUND_US);
}
