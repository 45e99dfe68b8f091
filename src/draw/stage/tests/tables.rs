//! Databases' tables: what they say, and that all of it has room.

use super::*;
use crate::daemon::{Change, Claim, Grid, GridRow};
use crate::draw::surface::{Align, Lettering, Path, Stretch, Stroke};
use crate::scenarios::SCENARIOS;

/// Stages as pages have them: a page, a large one, an embedded one, a phone, two and three runs beside each other.
const STAGES: [(f64, f64); 7] = [
    (1_280.0, 445.0),
    (1_440.0, 620.0),
    (960.0, 300.0),
    (390.0, 440.0),
    (640.0, 380.0),
    (426.0, 380.0),
    (1_280.0, 330.0),
];

/// The database's tables at a moment.
fn grids(id: &str, ms: u64) -> Vec<Grid> {
    let session = at(id, ms);
    let scene = Scene::of(session.world(), session.run_summary());
    scene.cards.into_iter().find(|card| card.id == ServerId::nth("D", 1)).unwrap().badge.grids
}

/// Who has locked something, as `C1 X`, and who waits, as `C2 X …`.
fn said(queue: &[Claim]) -> Vec<String> {
    let one = |claim: &Claim| format!("{} {}{}", claim.who, claim.mode, if claim.held { "" } else { " …" });
    queue.iter().map(one).collect()
}

fn table<'a>(grids: &'a [Grid], name: &str) -> &'a Grid {
    grids.iter().find(|grid| grid.name == name).unwrap()
}

fn changes(row: &GridRow) -> Vec<&Change> {
    row.cells.iter().map(|cell| &cell.change).collect()
}

#[test]
fn a_row_says_who_has_it_and_who_waits_in_order() {
    let grids = grids("sql-for-update", 200);
    let row = &table(&grids, "resource").rows[0];
    assert_eq!(said(&row.queue), ["C1 X", "C2 X …", "C3 X …"]);
    let idle: Vec<&str> = grids.iter().filter(|grid| !grid.used).map(|grid| grid.name.as_str()).collect();
    assert!(idle.contains(&"account"), "{idle:?}");
}

#[test]
fn postgresql_queues_for_a_row_as_well() {
    let found = (0..60).map(|step| grids("sql-holder-vanishes", 50 * step)).find_map(|grids| {
        let queue = said(&grids.iter().find(|grid| grid.name == "resource")?.rows.first()?.queue);
        (queue.len() == 3).then_some(queue)
    });
    let found = found.unwrap();
    assert!(found[0] == "C1 X" && found[1..].iter().all(|claim| claim.ends_with('…')), "{found:?}");
}

#[test]
fn a_gap_that_two_have_locked_lets_neither_insert() {
    let queues = |ms| {
        let grids = grids("sql-gap", ms);
        let gaps = table(&grids, "resource").rows.iter().filter(|row| row.cells.is_empty());
        gaps.map(|row| said(&row.queue)).collect::<Vec<_>>()
    };
    let all: Vec<Vec<String>> = (0..800).step_by(4).flat_map(queues).collect();
    assert!(all.contains(&vec!["C1 X".into(), "C2 X".into()]), "{all:?}");
    let waits = |queue: &&Vec<String>| queue.iter().any(|claim| claim == "C1 INSERT …");
    assert!(all.iter().find(waits).is_some_and(|queue| queue.contains(&"C2 X".into())), "{all:?}");
}

#[test]
fn a_locked_name_is_a_table_without_rows() {
    let grids = grids("sql-advisory", 150);
    let name = grids.iter().find(|grid| grid.columns.is_empty()).unwrap();
    let queue = said(&name.queue);
    assert!(name.rows.is_empty() && queue.len() == 3 && queue[0].ends_with(" X"), "{queue:?}");
}

#[test]
fn what_is_not_committed_says_what_is_and_is_fresh_then() {
    let (mut open, mut fresh) = (0, 0);
    for ms in (0..1_200).step_by(5) {
        for row in grids("sql-deadlock", ms).iter().flat_map(|grid| &grid.rows) {
            let is_open = changes(row).iter().any(|change| matches!(change, Change::Open(Some(_))));
            open += usize::from(is_open);
            fresh += usize::from(changes(row).contains(&&Change::Fresh));
            assert!(!is_open || row.queue.iter().any(|claim| claim.held), "who changes a row has it: {row:?}");
        }
    }
    assert!(open > 0 && fresh > 0, "{open} open, {fresh} fresh");
}

/// What is drawn, as rectangles: words by a guess.
#[derive(Default)]
struct Boxes {
    words: Vec<(String, [f64; 4])>,
    outlines: Vec<[f64; 4]>,
}

impl Surface for Boxes {
    fn path(&mut self, path: &Path, _: Option<&str>, _: Option<Stroke<'_>>, _: f64) {
        let mut area = [f64::MAX, f64::MAX, f64::MIN, f64::MIN];
        for stretch in &path.0 {
            if let Stretch::Move(at) | Stretch::Line(at) = stretch {
                area = [area[0].min(at.x), area[1].min(at.y), area[2].max(at.x), area[3].max(at.y)];
            }
        }
        self.outlines.push(area);
    }

    fn text(&mut self, text: &str, at: Point, style: &Lettering<'_>) {
        let wide = self.width(text, style);
        let left = match style.align {
            Align::Left => at.x,
            Align::Middle => at.x - wide / 2.0,
            Align::Right => at.x - wide,
        };
        self.words.push((text.to_string(), [left, at.y - style.size * 0.72, left + wide, at.y + style.size * 0.1]));
    }
}

#[test]
fn tables_stay_on_their_panels_and_no_words_cover_others() {
    let all = SCENARIOS.iter().filter(|scenario| scenario.id.starts_with("sql-"));
    let mut seen = 0;
    for scenario in all {
        let mut session = Session::new(scenario.run(), Some(scenario)).unwrap();
        for ms in (0..scenario.until_ms).step_by(40) {
            session.seek(SimTime::from_ms(ms)).unwrap();
            let scene = Scene::of(session.world(), session.run_summary());
            let servers: Vec<ServerId> = session.world().processes.keys().copied().collect();
            for (size, hall) in STAGES.into_iter().map(|size| (size, false)).chain([((1_280.0, 400.0), true)]) {
                let layout = match hall {
                    true => Layout::in_hall(&servers, &[], size.0, size.1),
                    false => Layout::new(&servers, size.0, size.1),
                };
                let what = format!("{} at {ms} on {size:?}", scenario.id);
                assert!(!layout.panels.is_empty(), "{what}");
                apart(&layout, &what);
                seen += panels_hold(&layout, &scene, &what);
            }
        }
    }
    assert!(seen > 1_000, "{seen} panels with rows");
}

/// Cards and panels stand on the stage, and none on another.
fn apart(layout: &Layout, what: &str) {
    let area = |id: ServerId| {
        let (at, (width, height)) = (layout.place(id), layout.size(id.into()));
        [at.x - width / 2.0, at.y - height / 2.0, at.x + width / 2.0, at.y + height / 2.0]
    };
    for (index, (id, _)) in layout.places.iter().enumerate() {
        let own = area(*id);
        assert!(own[0] >= 0.0 && own[1] >= 0.0 && own[2] <= layout.width && own[3] <= layout.height, "{what}: {id}");
        assert!(layout.places[..index].iter().all(|(other, _)| !meet(&own, &area(*other), 8.0)), "{what}: {id}");
    }
}

fn meet(a: &[f64; 4], b: &[f64; 4], clear: f64) -> bool {
    a[0] < b[2] + clear && b[0] < a[2] + clear && a[1] < b[3] + clear && b[1] < a[3] + clear
}

/// Whatever is drawn on a panel stays there; how many panels show a row.
fn panels_hold(layout: &Layout, scene: &Scene, what: &str) -> usize {
    let palette = palette(false);
    let words = &Plain;
    let picture =
        Picture { palette: &palette, words, layout, scene, packets: &[], chosen: None, marked: None, eye: None };
    let mut rows = 0;
    for card in scene.cards.iter().filter(|card| layout.panel(card.id).is_some()) {
        let frame = layout.panel(card.id).unwrap();
        let mut boxes = Boxes::default();
        super::super::tables::draw(&mut Brush::new(&mut boxes, &palette), &picture, card, frame);
        let (at, end) = (frame.corner(), (frame.corner().x + frame.width, frame.bottom()));
        let inside = |area: &[f64; 4]| {
            area[0] >= at.x - 0.5 && area[1] >= at.y - 0.5 && area[2] <= end.0 + 0.5 && area[3] <= end.1 + 0.5
        };
        for (text, area) in &boxes.words {
            assert!(inside(area), "{what}: {text:?} at {area:?} leaves {frame:?}");
        }
        assert!(boxes.outlines.iter().all(inside), "{what}: an outline leaves {frame:?}");
        for (index, (text, area)) in boxes.words.iter().enumerate() {
            let other = boxes.words[..index].iter().find(|(_, other)| meet(area, other, -0.5));
            assert!(other.is_none(), "{what}: {text:?} covers {other:?}");
        }
        let up = !matches!(card.face, crate::view::Face::Crashed | crate::view::Face::Off);
        let has_row = |grid: &Grid| grid.rows.iter().any(|row| !row.cells.is_empty());
        let first = card.badge.grids.iter().find(|grid| grid.used && has_row(grid));
        if let Some(first) = first.filter(|_| up) {
            assert!(boxes.words.iter().any(|(text, _)| *text == first.name), "{what}: {} is not shown", first.name);
            rows += 1;
        }
    }
    rows
}
