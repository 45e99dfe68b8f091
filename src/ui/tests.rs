//! The page's components, rendered without a browser: every panel, dialog and menu with a session in the middle of a real run, as the
//! outline that a screen reader has. What outlines mean is kept in files in `tests/snapshots`; those of all languages must have the
//! same shape, and there is no English in Chinese ones. `rules` hold for the whole page in every language, `tables` says what is there
//! of our own tables, `words` looks at the few words that say more. docs/development.md says how to renew the files.

mod chinese;
mod data;
mod disk_scenes;
mod html;
mod meaning;
mod outline;
mod poster;
mod recipe_scenes;
mod rules;
mod scenes;
mod tables;
mod words;

use std::collections::BTreeSet;
use std::fs;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use expect_test::expect_file;
use yew::prelude::*;

use crate::i18n::Lang;
use crate::i18n::page::page;

use super::app::frame;
use super::engine::Engine;
use super::engine::model::use_model;
use super::kit::wear::{Theme, Wear};
use super::page::state::{Choices, PageContext};
use super::stage::menu::{Entry, MenuItem, entries};
use data::LANGS;
use html::{Element, parse};
use meaning::meaning;
use outline::{Line, name, outline};

#[derive(Clone, PartialEq, Properties)]
struct Props {
    engine: Engine,
    choices: Choices,
}

/// The page as it is with these choices, apart from what it asks the browser.
#[component]
fn Rendered(props: &Props) -> Html {
    let first = props.choices.clone();
    let choices = use_reducer(move || first);
    let context = PageContext { engine: props.engine.clone(), choose: choices.dispatcher() };
    let wear = Wear { theme: choices.theme, lecture: choices.lecture, contrast: false };
    let alone = *use_model(&props.engine, (), |engine, ()| engine.pair().right().is_none());
    html! {
        <ContextProvider<PageContext> {context}>
            { frame(&choices, wear, alone, || "https://example.org/zabscope/".into()) }
        </ContextProvider<PageContext>>
    }
}

fn render(engine: &Engine, choices: Choices) -> Element {
    parse(&render_html(engine, choices))
}

/// What the native renderer makes of the page.
fn render_html(engine: &Engine, choices: Choices) -> String {
    let props = Props { engine: engine.clone(), choices };
    let renderer = yew::LocalServerRenderer::<Rendered>::with_props(props).hydratable(false);
    let mut rendering = pin!(renderer.render());
    // nothing in it waits for anything but for itself
    let mut context = Context::from_waker(Waker::noop());
    for _ in 0..1_000 {
        if let Poll::Ready(html) = rendering.as_mut().poll(&mut context) {
            return html;
        }
    }
    panic!("a component waits for something while it is rendered");
}

/// A moment of a run, what the viewer chose, and what is said of both in the snapshot.
struct Scene {
    title: &'static str,
    engine: Engine,
    choices: Choices,
}

impl Scene {
    /// A part of it, by its class, in a language, and what breaks a rule anywhere on the page.
    fn outline(&self, part: &str, lang: Lang, wrong: &mut Vec<String>) -> Vec<Line> {
        let page = render(&self.engine, Choices { lang, ..self.choices.clone() });
        wrong.extend(rules::check(&page).iter().map(|what| format!("{} in {}: {what}", self.title, lang.name())));
        let part =
            page.find(&|element| element.has_class(part)).unwrap_or_else(|| panic!("{}: no {part}", self.title));
        outline(part, &page)
    }
}

/// A part of the page in these scenes: it means what the file of this name says, and in Chinese the same in other words.
fn holds(name: &str, part: &str, scenes: Vec<Scene>) {
    holds_apart_from(name, part, scenes, |_| false);
}

/// The same, but for things of these roles and what is in them.
fn holds_apart_from(name: &str, part: &str, scenes: Vec<Scene>, is_left_out: fn(&str) -> bool) {
    let (mut snapshot, mut wrong) = (String::new(), Vec::new());
    for scene in scenes {
        let outlines = LANGS.map(|lang| scene.outline(part, lang, &mut wrong));
        let [english, others @ ..] = &outlines;
        for (lang, other) in LANGS[1..].iter().zip(others) {
            wrong.extend(chinese::check(english, other, *lang).iter().map(|what| format!("{}: {what}", scene.title)));
        }
        let kept = outlines.map(|lines| outline::without(lines, is_left_out));
        snapshot += &format!("# {}\n{}", scene.title, meaning(kept.each_ref().map(Vec::as_slice)));
    }
    expect_file![format!("tests/snapshots/{name}.txt")].assert_eq(&snapshot);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Each part with its class and the scenes in which it is looked at.
macro_rules! parts {
    ($($name:ident: $part:literal $scenes:expr;)*) => {
        $(#[test]
        fn $name() {
            holds(stringify!($name), $part, $scenes);
        })*

        #[test]
        fn each_snapshot_is_of_a_part() {
            let known = ["menu_actions", "gallery", $(stringify!($name)),*].map(|name| format!("{name}.txt"));
            let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/ui/tests/snapshots");
            for file in fs::read_dir(folder).expect("a folder") {
                let name = file.expect("a file").file_name();
                assert!(known.iter().any(|known| name == known.as_str()), "{name:?} is of nothing");
            }
        }
    };
}

/// What choosing the words of a menu does: the run's own words for it. No two words of a menu are the same.
#[test]
fn menu_actions() {
    let mut snapshot = String::new();
    for Scene { title, engine, choices } in scenes::menus() {
        for lang in LANGS {
            let (_, entries) = entries(&engine, choices.picked, lang);
            let words: BTreeSet<&str> = entries.iter().map(|entry| entry.word.as_str()).collect();
            assert_eq!(words.len(), entries.len(), "{title} in {}: {words:?}", lang.name());
        }
        let (_, entries) = entries(&engine, choices.picked, Lang::En);
        snapshot += &format!("# {title}\n");
        for Entry { does, .. } in entries {
            snapshot += &match does {
                MenuItem::Act(action) => format!("{}\n", serde_json::to_string(&action).expect("JSON")),
                other => format!("{other:?}\n"),
            };
        }
    }
    expect_file!["tests/snapshots/menu_actions.txt"].assert_eq(&snapshot);
}

/// The gallery without its cards, which `tables` looks at: it changes with no scenario and no lesson.
#[test]
fn gallery() {
    holds_apart_from("gallery", "gallery", scenes::gallery(), |role| ["list", "status"].contains(&role));
}

parts! {
    bar: "bar" scenes::bar();
    side: "side" scenes::side();
    stage: "stage" scenes::stage();
    space_time: "spacetime" scenes::space_time();
    narration: "narration" scenes::narration();
    legend: "legend-side" scenes::legend();
    transport: "transport" scenes::transport();
    scene_end: "end" scenes::scene_end();
    compare: "compare" scenes::compare();
    compare_heads: "heads" scenes::heads();
    compare_growth: "growth" scenes::growth();
    compare_reigns: "led" scenes::reigns();
    compare_telling: "telling" scenes::compare();
    panel_proposals: "body" scenes::proposals();
    panel_znodes: "body" scenes::znodes();
    panel_sessions: "body" scenes::sessions();
    panel_console: "body" scenes::console();
    panel_recipe: "body" recipe_scenes::recipe();
    panel_search: "body" scenes::search();
    panel_search_told: "sought" scenes::sought();
    panel_properties: "body" scenes::properties();
    panel_logs: "body" scenes::logs();
    panel_inspect: "body" scenes::inspect();
    panel_charts: "body" scenes::charts();
    menus: "menu" scenes::menus();
    dialogs: "dialog" scenes::dialogs();
    disks: "dialog" disk_scenes::disks();
    embedded: "page" scenes::embedded();
    hall: "dark-screen" scenes::hall();
    notice: "notice" scenes::notice();
}
