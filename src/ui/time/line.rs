//! The line of time: its chapters, what happened, what was done, other branches, and how closely one looks. All lie by one map.

use web_sys::Element;
use yew::prelude::*;

use crate::i18n::page::page;
use crate::i18n::{Lang, action_words};
use crate::timeline::{CLOSEST, Future, TimeMap, WIDTH, percent};

use crate::ui::engine::Engine;
use crate::ui::engine::model::use_model;
use crate::ui::kit::shapes::control_icon;
use crate::ui::page::state::use_page_context;
use crate::ui::time::action_marks::Deeds;
use crate::ui::time::chapters::{Chapters, HTML};
use crate::ui::time::history::future_words;
use crate::ui::time::on_line::OnLine;
use crate::ui::time::timeline::Timeline;

/// How wide the line is taken to be before it has been measured, pixels.
const USUAL_PX: u64 = 720;
/// Most branches that have a flag, and its width, pixels.
const MOST_BRANCHES: usize = 5;
const FLAG_PX: u64 = 116;

/// What the transport tells it.
#[derive(Clone, PartialEq, Properties)]
pub(in crate::ui) struct Props {
    pub lang: Lang,
}

fn map(engine: &Engine, zoom: &u32) -> TimeMap {
    let session = engine.session();
    let mut map = session.time_map();
    map.look_close(*zoom, session.cursor_us() as u64);
    map
}

/// The line.
#[component]
pub(in crate::ui) fn Line(props: &Props) -> Html {
    let context = use_page_context();
    let lang = props.lang;
    let zoom = use_state_eq(|| 0_u32);
    let map = use_model(&context.engine, *zoom, map);
    let (row, wide) = (use_node_ref(), use_state_eq(|| USUAL_PX));
    use_effect_with(context.engine.layout().width as u64, {
        let (row, wide) = (row.clone(), wide.setter());
        move |_| {
            let measured = row.cast::<Element>().map(|row| row.client_width().unsigned_abs().into());
            wide.set(measured.filter(|px: &u64| *px > 0).unwrap_or(USUAL_PX));
        }
    });
    let look = |name: &'static str, words: &'static str, to: Option<u32>| {
        let zoom = zoom.setter();
        html! {
            <button class="round" aria-label={words} title={words} disabled={to.is_none()}
                onclick={move |_: MouseEvent| zoom.set(to.unwrap_or_default())}>{ control_icon(name) }</button>
        }
    };
    let closer = (*zoom < CLOSEST).then_some(*zoom + 1);
    let letter = if context.engine.layout().hall { 11 } else { 7 };
    let on_line = OnLine { lang, map: map.clone(), wide: *wide, letter };
    html! {
        <>
            <div class="run-line" ref={row}>
                <Chapters ..on_line.clone() />
                <Timeline ..on_line.clone() />
                <Deeds ..on_line.clone() />
                <Branches ..on_line />
            </div>
            <div class="look-close">
                { look("plus", page(lang).look_closer, closer) }
                { look("minus", page(lang).look_wider, zoom.checked_sub(1)) }
            </div>
        </>
    }
}

fn futures(engine: &Engine, (): &()) -> Vec<Future> {
    let mut futures = engine.session().futures();
    futures.truncate(MOST_BRANCHES);
    futures
}

/// The branches that were left: a flag for each with its first deed, where it parts or right of the one before; a press goes there.
#[component]
fn Branches(props: &OnLine) -> Html {
    let context = use_page_context();
    let futures = use_model(&context.engine, (), futures);
    let (lang, map) = (props.lang, &props.map);
    let width = (FLAG_PX * WIDTH / props.wide.max(1)) as i64;
    let mut free = 0;
    let flag = |future: &Future| {
        let x = map.place(future.parts_at.0).clamp(0, (WIDTH as i64 - width).max(0)).max(free);
        if x + width > WIDTH as i64 {
            return None;
        }
        free = x + width;
        let engine = context.engine.clone();
        let (words, version) = (future_words(future, lang), future.version);
        let what =
            future.first.as_ref().map_or(page(lang).future_without.into(), |action| action_words(lang, action));
        Some(html! {
            <foreignObject key={version} x={percent(x)} width={percent(width)} y="0" height="100%">
                <button xmlns={HTML} class="branch" aria-label={words.clone()} title={words}
                    onclick={move |_: MouseEvent| { engine.return_to(version); }}>{ "↳ " }{ what }</button>
            </foreignObject>
        })
    };
    if futures.is_empty() {
        return Html::default();
    }
    html! {
        <svg class="branches" width="100%" role="group" aria-label={page(lang).futures}>
            { for futures.iter().rev().filter_map(flag) }
        </svg>
    }
}
