//! The run's actions on the timeline: marks that can be dragged to another moment, opened and deleted, by pointer and by keys.

use std::rc::Rc;

use web_sys::Element;
use yew::prelude::*;

use crate::base::SimTime;
use crate::i18n::action_words;
use crate::i18n::page::{fill, page};
use crate::sim::{Action, DiskFault, Run};
use crate::timeline::{Session, TimeMap, WIDTH, percent};

use crate::ui::engine::Engine;
use crate::ui::engine::model::use_model;
use crate::ui::kit::browser::wrong_words;
use crate::ui::page::state::{Overlay, PageContext, UiAction, use_page_context};
use crate::ui::time::on_line::OnLine;

/// What an action is, as far as its sign tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// It takes something away.
    Fault,
    /// It gives something back.
    Repair,
    /// It asks for something.
    Request,
    /// Clients come, go, or begin something.
    Client,
    /// Anything else.
    Other,
}

impl Kind {
    fn of(action: &Action) -> Kind {
        use Action as A;
        match action {
            A::Crash { .. }
            | A::Kill { .. }
            | A::PowerOff { .. }
            | A::Pause { .. }
            | A::Cut { .. }
            | A::CutLinks { .. } => Kind::Fault,
            A::HoldPacket { .. } | A::DropPacket { .. } | A::KillClient { .. } => Kind::Fault,
            A::WipeDisk { .. } | A::RestoreBackup { .. } => Kind::Fault,
            A::PauseClient { .. } | A::DisconnectClient { .. } | A::ExpireClient { .. } => Kind::Fault,
            A::DiskFault { fault, .. } if *fault != DiskFault::None => Kind::Fault,
            A::Restart { .. } | A::Resume { .. } | A::Heal { .. } | A::HealAll | A::HealLinks { .. } => Kind::Repair,
            A::ReleasePacket { .. } | A::ResumeClient { .. } | A::DiskFault { .. } => Kind::Repair,
            A::Write { .. } | A::Ask { .. } => Kind::Request,
            A::OpenClient { .. } | A::CloseClient { .. } | A::MoveClient { .. } | A::RunThread { .. } => Kind::Client,
            _ => Kind::Other,
        }
    }

    /// Its class in the style sheet, and its sign around the middle.
    fn sign(self) -> (&'static str, &'static str) {
        match self {
            Kind::Fault => ("is-fault", "M-5-5 5 5M5-5-5 5"),
            Kind::Repair => ("is-repair", "M0-6 6 5H-6z"),
            Kind::Request => ("is-request", "M-5-5H5V5H-5z"),
            Kind::Client => ("is-client", "M0-5.5a5.5 5.5 0 1 0 .01 0z"),
            Kind::Other => ("is-other", "M0-6.5 6.5 0 0 6.5-6.5 0z"),
        }
    }
}

/// Whether an action takes something away.
pub(in crate::ui) fn is_fault(action: &Action) -> bool {
    Kind::of(action) == Kind::Fault
}

/// Actions so close to each other that they have one mark.
#[derive(Clone, PartialEq)]
struct Group {
    first: usize,
    count: usize,
    at: SimTime,
    own: bool,
    kind: Kind,
    /// For whoever points at it, or hears it.
    words: String,
    /// What stands beside it, and in which of the two rows.
    label: String,
    row: Option<usize>,
}

/// Marks closer than this are one, pixels: a pile is as wide.
const CLOSE: u64 = 19;
/// Half of the width of a pile, pixels.
const EDGE_PX: u64 = 10;
/// So many actions of one mark are named.
const NAMED: usize = 6;
/// A pointer that moves less, pixels, has clicked.
const CLICK: f64 = 4.0;
/// How far a key moves a mark, µs.
const KEY_US: i64 = 10_000;

/// The run: another one where its actions are others.
struct Basis(Rc<Run>);

impl PartialEq for Basis {
    fn eq(&self, other: &Basis) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

fn basis(engine: &Engine, (): &()) -> Basis {
    Basis(engine.session().player().run().clone())
}

fn groups(engine: &Engine, line: &OnLine) -> Vec<Group> {
    let lang = line.lang;
    let session = engine.session();
    let (own, extent) = (session.own(), session.extent());
    let mut groups: Vec<Group> = Vec::new();
    for (index, timed) in session.actions().iter().enumerate().take_while(|(_, timed)| timed.at_us <= extent) {
        let (at, kind, words) = (timed.at_us, Kind::of(&timed.action), action_words(lang, &timed.action));
        match groups.last_mut().filter(|group| line.px(at) - line.px(group.at) < CLOSE as i64) {
            Some(group) => {
                group.count += 1;
                group.own |= own[index];
                group.words =
                    if group.count <= NAMED { format!("{}, {words}", group.words) } else { group.words.clone() };
                // a fault is what somebody looks for; of two the first
                if kind == Kind::Fault && group.kind != Kind::Fault {
                    (group.kind, group.label) = (kind, words);
                } else if group.kind != Kind::Fault {
                    group.label.clear();
                }
            }
            None => {
                let own = own[index];
                groups.push(Group { first: index, count: 1, at, own, kind, label: words.clone(), words, row: None });
            }
        }
    }
    for group in &mut groups {
        group.words = match group.count {
            1 => fill(page(lang).action_at, &[&group.words, &group.at.seconds()]),
            count => {
                group.label = match group.label.as_str() {
                    "" => fill(page(lang).actions_count, &[&count]),
                    fault => format!("{fault} +{}", count - 1),
                };
                let many = fill(page(lang).actions_many, &[&count, &group.at.seconds()]);
                fill(page(lang).actions_named, &[&many, &group.words])
            }
        };
    }
    set_labels(&mut groups, line);
    groups
}

/// Labels stand at the right of their marks where the next mark is far enough, or a row below, at the left of the line's end. Faults and repairs
/// have the first choice.
fn set_labels(groups: &mut [Group], line: &OnLine) {
    let wide = line.wide as i64;
    let places: Vec<i64> = groups.iter().map(|group| line.px(group.at)).collect();
    let mut below: Vec<(i64, i64)> = Vec::new();
    for faults in [true, false] {
        for index in 0..groups.len() {
            let group = &groups[index];
            if (matches!(group.kind, Kind::Fault | Kind::Repair)) != faults || group.label.is_empty() {
                continue;
            }
            let (x, width) = (places[index], line.long(&group.label));
            let next = places.get(index + 1).copied().unwrap_or(wide);
            let fits = x + width + 12 < next.min(wide);
            let (from, to) = (x - 6, x + width);
            let free = to < wide && below.iter().all(|&(left, right)| to + 8 < left || right + 8 < from);
            groups[index].row = match (fits, free) {
                (true, _) => Some(0),
                (false, true) => {
                    below.push((from, to));
                    Some(1)
                }
                (false, false) => None,
            };
        }
    }
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
    fn moved(self, x: f64, map: &TimeMap) -> Drag {
        let far = self.to.is_some() || (x - self.from).abs() >= CLICK;
        let share = ((x - self.left) / self.width.max(1.0)).clamp(0.0, 1.0);
        Drag { to: far.then(|| map.at((share * WIDTH as f64) as u64)), ..self }
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
pub(in crate::ui) fn Deeds(props: &OnLine) -> Html {
    let context = use_page_context();
    let basis = use_model(&context.engine, (), basis);
    let model = use_memo((basis, props.clone()), |(_, props)| groups(&context.engine, props));
    let drag = use_state_eq(|| None::<Drag>);
    let row = use_node_ref();
    html! {
        <svg class="deeds" ref={row.clone()} width="100%" role="group" aria-label={page(props.lang).actions_done}>
            { for model.iter().map(|group| mark(&context, group, &drag, &row, props)) }
        </svg>
    }
}

fn mark(
    context: &PageContext,
    group: &Group,
    drag: &UseStateHandle<Option<Drag>>,
    row: &NodeRef,
    line: &OnLine,
) -> Html {
    let map = &line.map;
    // none is cut by the edge
    let inset = (EDGE_PX * WIDTH / line.wide.max(1)) as i64;
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
        let (drag, one, map) = (drag.clone(), group.count == 1, map.clone());
        move |event: PointerEvent| {
            if let Some(held) = held.filter(|_| one) {
                drag.set(Some(held.moved(f64::from(event.client_x()), &map)));
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
    let class = classes!("deed", group.kind.sign().0, group.own.then_some("own"), held.map(|_| "held"));
    html! {
        <svg key={group.first} x={percent(map.place(at.0).max(inset))} y="9" overflow="visible">
            <g {class} role="button" tabindex="0" aria-label={group.words.clone()} onpointerdown={down} onpointermove={moved}
                onpointerup={up} onpointercancel={cancel} onkeydown={key}>
                { picture(&group) }
            </g>
            { label(&group) }
        </svg>
    }
}

/// What stands beside a mark, or a row below. It is no part of the button, whose name says more.
fn label(group: &Group) -> Html {
    let class =
        |below: Option<&'static str>| classes!("deed-label", group.kind.sign().0, group.own.then_some("own"), below);
    match group.row {
        Some(0) => html! {
            <text class={class(None)} x={if group.count > 1 { "13" } else { "11" }} y="4" aria-hidden="true">{ group.label.clone() }</text>
        },
        Some(_) => {
            html! { <text class={class(Some("below"))} x="-6" y="22" aria-hidden="true">{ group.label.clone() }</text> }
        }
        None => Html::default(),
    }
}

/// A mark around the middle: its sign, on another one where it stands for several.
fn picture(group: &Group) -> Html {
    let sign = group.kind.sign().1;
    html! {
        <>
            <title>{ group.words.clone() }</title>
            <circle class="reach" r="11" />
            if group.count > 1 { <g transform="translate(4 -3)"><path d={sign} /></g> }
            <path d={sign} />
        </>
    }
}
