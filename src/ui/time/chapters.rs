//! The chapters of the scene, above the timeline; choosing one goes where it begins. What is before the scene is start-up.

use yew::prelude::*;

use crate::i18n::Lang;
use crate::i18n::SceneWord;
use crate::i18n::page::{chapter_words, fill, scene_word};
use crate::scenarios::{Scenario, scenario};
use crate::timeline::ChapterMark;

use crate::ui::engine::Engine;
use crate::ui::engine::model::use_model;
use crate::ui::page::state::use_page_context;
use crate::ui::time::on_line::{OnLine, go};

/// The namespace of what stands in a foreign object: an element has the one of its parent, where nothing else is said.
pub(in crate::ui) const HTML: &str = "http://www.w3.org/1999/xhtml";

#[derive(PartialEq)]
struct Model {
    scenario: &'static str,
    chapters: Vec<ChapterMark>,
    current: Option<usize>,
    opens: u64,
    extent: u64,
}

fn model(engine: &Engine, (): &()) -> Model {
    let session = engine.session();
    Model {
        scenario: session.scenario().map_or("", |scenario| scenario.id),
        chapters: session.chapters().to_vec(),
        current: session.chapter(),
        opens: session.opens().0,
        extent: session.extent().0.max(1),
    }
}

/// How many chapters a scenario's scene has.
pub(in crate::ui) fn count(id: &str) -> usize {
    scenario(id).and_then(Scenario::scene).map_or(0, |scene| scene.chapters.len())
}

/// A chapter's name and its place among all in words.
pub(in crate::ui) fn in_words(lang: Lang, id: &str, mark: ChapterMark) -> (String, &'static str) {
    let name = chapter_words(lang, id, mark.index).unwrap_or_default();
    (fill(scene_word(lang, SceneWord::Chapter), &[&(mark.index + 1), &count(id), &name]), name)
}

/// The lane.
#[component]
pub(in crate::ui) fn Chapters(props: &OnLine) -> Html {
    let context = use_page_context();
    let model = use_model(&context.engine, (), model);
    let Model { ref chapters, opens, extent, .. } = *model;
    let map = &props.map;
    if chapters.is_empty() {
        return Html::default();
    }
    let band = |place: usize, mark: ChapterMark| {
        let to = chapters.get(place + 1).map_or(extent, |next| next.at.0);
        let engine = context.engine.clone();
        let (words, name) = in_words(props.lang, model.scenario, mark);
        let here = model.current == Some(place);
        html! {
            <foreignObject key={mark.index} x={map.percent(mark.at.0)} width={map.percent_wide(mark.at.0, to)}
                y="0" height="100%">
                <button xmlns={HTML} class="chapter" title={words}
                    aria-current={here.then_some("step")} onclick={move |_: MouseEvent| go(&engine, mark.at)}><b>{ mark.index + 1 }</b>{ " " }<span>{ name }</span></button>
            </foreignObject>
        }
    };
    html! {
        <svg class="chapters" width="100%" role="group" aria-label={scene_word(props.lang, SceneWord::Chapters)}>
            if opens > 0 {
                <foreignObject x={map.percent(0)} width={map.percent_wide(0, opens)} y="0" height="100%">
                    <div xmlns={HTML} class="curtain"><span>{ scene_word(props.lang, SceneWord::StartUp) }</span></div>
                </foreignObject>
            }
            { for chapters.iter().enumerate().map(|(place, mark)| band(place, *mark)) }
        </svg>
    }
}
