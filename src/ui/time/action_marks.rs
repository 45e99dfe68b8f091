//! The run's actions on the timeline: marks that can be dragged to another moment, opened and deleted, by pointer and by keys.

use std::rc::Rc;

use web_sys::Element;
use yew::prelude::*;

use crate::base::SimTime;
use crate::i18n::page::{fill, page};
use crate::i18n::{Lang, action_words};
use crate::sim::Run;
use crate::timeline::Session;

use crate::ui::app::state::{Overlay, PageContext, UiAction, use_page_context};
use crate::ui::engine::Engine;
use crate::ui::kit::browser::wrong_words;
use crate::ui::kit::model::use_model;
use crate::ui::time::timeline::percent;

/// What the timeline tells it: the moment at its right end, µs.
#[derive(Clone, PartialEq, Properties)]
pub(in crate::ui) struct Props {
    pub lang: Lang,
    pub extent: u64,
}

/// Actions so close to each other that they have one mark.
#[derive(Clone, PartialEq)]
struct Group {
    first: usize,
    count: usize,
    at: SimTime,
    own: bool,
    words: String,
}

/// Marks closer than this are one, pixels of the stage's width: a mark with a number is as wide.
const CLOSE: f64 = 21.0;
/// A pointer that moves less, pixels, has clicked.
const CLICK: f64 = 4.0;
/// How far a key moves a mark, µs.
const KEY_US: i64 = 10_000;

/// The run, and how many marks there may be: another one where its actions are others.
struct Basis(Rc<Run>, u64);

impl PartialEq for Basis {
    fn eq(&self, other: &Basis) -> bool {
        Rc::ptr_eq(&self.0, &other.0) && self.1 == other.1
    }
}

fn basis(engine: &Engine, (): &()) -> Basis {
    let parts = (engine.layout().width / CLOSE).clamp(18.0, 80.0) as u64;
    Basis(engine.session().player().run().clone(), parts)
}

fn groups(engine: &Engine, parts: u64, lang: Lang, extent: u64) -> Vec<Group> {
    let session = engine.session();
    let own = session.own();
    let mut groups: Vec<Group> = Vec::new();
    for (index, timed) in session.actions().iter().enumerate().take_while(|(_, timed)| timed.at_us.0 <= extent) {
        match groups.last_mut().filter(|group| (timed.at_us.0 - group.at.0) * parts < extent) {
            Some(group) => {
                group.count += 1;
                group.own |= own[index];
                group.words = fill(page(lang).actions_many, &[&group.count, &group.at.seconds()]);
            }
            None => {
                let (at, own) = (timed.at_us, own[index]);
                let words = fill(page(lang).action_at, &[&action_words(lang, &timed.action), &at.seconds()]);
                groups.push(Group { first: index, count: 1, at, own, words });
            }
        }
    }
    groups
}

/// A mark that is being dragged.
#[derive(Clone, Copy, PartialEq)]
struct Drag {
    index: usize,
    from: f64,
    left: f64,
    width: f64,
    /// Where it would go, once it has left its place.
    to: Option<SimTime>,
}

impl Drag {
    fn moved(self, x: f64, extent: u64) -> Drag {
        let far = self.to.is_some() || (x - self.from).abs() >= CLICK;
        let share = ((x - self.left) / self.width.max(1.0)).clamp(0.0, 1.0);
        Drag { to: far.then_some(SimTime((share * extent as f64) as u64)), ..self }
    }
}

fn shift(context: &PageContext, index: usize, at: SimTime) {
    // what it leads to is shown at once; where it cannot go is told
    let moved = context.engine.edit(&|session: &mut Session| session.move_action(index, at), index);
    context.engine.note(moved.err().map(|error| wrong_words(&error)));
}

fn keyed(context: &PageContext, group: &Group, event: &KeyboardEvent) -> bool {
    let by = if event.shift_key() { KEY_US * 10 } else { KEY_US };
    let step = match event.key().as_str() {
        "ArrowLeft" => -by,
        "ArrowRight" => by,
        "Enter" | " " => {
            context.choose.dispatch(UiAction::Overlay(Overlay::Edit(group.first, group.count)));
            return true;
        }
        "Delete" | "Backspace" if group.count == 1 => {
            let index = group.first;
            let deleted = context.engine.edit(&|session: &mut Session| session.delete_action(index), index);
            context.engine.note(deleted.err().map(|error| wrong_words(&error)));
            return true;
        }
        _ => return false,
    };
    if group.count == 1 {
        shift(context, group.first, SimTime(group.at.0.saturating_add_signed(step)));
    }
    true
}

/// The marks.
#[component]
pub(in crate::ui) fn Deeds(props: &Props) -> Html {
    let context = use_page_context();
    let basis = use_model(&context.engine, (), basis);
    let model = use_memo((basis, props.lang, props.extent), |(basis, lang, extent)| {
        groups(&context.engine, basis.1, *lang, *extent)
    });
    let drag = use_state_eq(|| None::<Drag>);
    let row = use_node_ref();
    html! {
        <svg class="deeds" ref={row.clone()} height="54" width="100%" role="group" aria-label={page(props.lang).actions_done}>
            { for model.iter().map(|group| mark(&context, group, &drag, &row, props.extent)) }
        </svg>
    }
}

fn mark(
    context: &PageContext,
    group: &Group,
    drag: &UseStateHandle<Option<Drag>>,
    row: &NodeRef,
    extent: u64,
) -> Html {
    let held = drag.filter(|drag| drag.index == group.first);
    let at = held.and_then(|drag| drag.to).unwrap_or(group.at);
    let group = Rc::new(group.clone());
    let down = {
        let (drag, row, group) = (drag.clone(), row.clone(), group.clone());
        move |event: PointerEvent| {
            let (Some(row), Some(target)) = (row.cast::<Element>(), event.target_dyn_into::<Element>()) else {
                return;
            };
            let _ = target.set_pointer_capture(event.pointer_id());
            let (from, area) = (f64::from(event.client_x()), row.get_bounding_client_rect());
            drag.set(Some(Drag { index: group.first, from, left: area.left(), width: area.width(), to: None }));
        }
    };
    let moved = {
        let (drag, one) = (drag.clone(), group.count == 1);
        move |event: PointerEvent| {
            if let Some(held) = held.filter(|_| one) {
                drag.set(Some(held.moved(f64::from(event.client_x()), extent)));
            }
        }
    };
    let up = {
        let (drag, context, group) = (drag.clone(), context.clone(), group.clone());
        move |_: PointerEvent| {
            let Some(held) = held else { return };
            drag.set(None);
            match held.to {
                Some(to) => shift(&context, group.first, to),
                None => context.choose.dispatch(UiAction::Overlay(Overlay::Edit(group.first, group.count))),
            }
        }
    };
    let cancel = {
        let drag = drag.clone();
        move |_: PointerEvent| drag.set(None)
    };
    let key = {
        let (context, group) = (context.clone(), group.clone());
        move |event: KeyboardEvent| {
            if keyed(&context, &group, &event) {
                event.prevent_default();
                event.stop_propagation();
            }
        }
    };
    let class = classes!("deed", group.own.then_some("own"), held.map(|_| "held"));
    html! {
        <svg key={group.first} x={percent(at.0, extent)} y="34" overflow="visible">
            <g {class} role="button" tabindex="0" aria-label={group.words.clone()} onpointerdown={down} onpointermove={moved}
                onpointerup={up} onpointercancel={cancel} onkeydown={key}>
                <title>{ group.words.clone() }</title>
                <circle class="reach" r="11" />
                <path d={if group.count > 1 { "M0-10 10 0 0 10-10 0z" } else { "M0-6.5 6.5 0 0 6.5-6.5 0z" }} />
                if group.count > 1 { <text y="4">{ group.count.min(99) }</text> }
            </g>
        </svg>
    }
}
