//! What a pointer does on the stage: presses a packet, draws a line across links, or just clicks the ground. What was pressed is
//! decided when the pointer goes down, by what the picture showed then: packets may run while it is down.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use web_sys::{Element, HtmlElement};
use yew::prelude::*;

use crate::base::MsgId;
use crate::draw::{Crossed, Point, crossed, cut};

use crate::ui::engine::Engine;
use crate::ui::kit::browser::point_on;
use crate::ui::page::press::{FINGER, MOUSE};
use crate::ui::page::state::{Choices, PageContext, Selection, UiAction};

/// How far a pointer must go before it draws a line, CSS pixels.
const DRAWS: f64 = 8.0;
/// On a link's handle only a packet that lies right below the pointer is meant.
const ON_HANDLE: f64 = 10.0;

/// What the pointer is about.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Doing {
    #[default]
    Nothing,
    Packet(i32, MsgId),
    /// It went down on the ground, there.
    Ground(i32, Point),
    /// It draws, from there.
    Line(i32, Point),
}

/// A line that is being drawn, and what it would cut.
#[derive(Clone, Debug, PartialEq, Properties)]
pub(in crate::ui) struct Drawn {
    pub from: Point,
    pub to: Point,
    pub crossed: Vec<Crossed>,
}

type Cancel = Rc<dyn Fn()>;

thread_local! {
    /// What ends the line that is being drawn, if one is.
    static CANCEL: RefCell<Option<Cancel>> = const { RefCell::new(None) };
    /// The pointer has done something already; the click that follows is none.
    static SPENT: Cell<bool> = const { Cell::new(false) };
}

/// Whether a click is only the end of something else. Asked once for each click.
pub(in crate::ui) fn spent() -> bool {
    SPENT.replace(false)
}

/// Ends the line that is being drawn without cutting anything; whether there was one.
pub(in crate::ui) fn cancel_line() -> bool {
    let cancel = CANCEL.with_borrow_mut(Option::take);
    if let Some(cancel) = &cancel {
        cancel();
    }
    cancel.is_some()
}

/// What hears pointers on the stage.
#[derive(Clone, PartialEq)]
pub(in crate::ui) struct Gesture {
    stage: NodeRef,
    reach: PageContext,
    doing: Rc<RefCell<Doing>>,
    drawn: UseStateSetter<Option<Drawn>>,
}

/// The gesture of a stage, and the line that is being drawn on it.
#[hook]
pub(in crate::ui) fn use_gesture(stage: &NodeRef, reach: &PageContext) -> (Gesture, Option<Drawn>) {
    let drawn = use_state_eq(|| None::<Drawn>);
    let doing = use_mut_ref(Doing::default);
    // a stage that goes takes its line along
    use_effect_with((), |()| || drop(CANCEL.take()));
    let gesture = Gesture { stage: stage.clone(), reach: reach.clone(), doing, drawn: drawn.setter() };
    (gesture, (*drawn).clone())
}

impl Gesture {
    fn engine(&self) -> &Engine {
        &self.reach.engine
    }

    fn point(&self, event: &MouseEvent) -> Point {
        point_on(&self.stage, event.client_x(), event.client_y())
    }

    /// From now on all of this pointer's events come here, wherever it is.
    fn capture(&self, pointer: i32) {
        if let Some(stage) = self.stage.cast::<Element>() {
            let _ = stage.set_pointer_capture(pointer);
        }
    }

    /// A pointer goes down.
    pub(crate) fn down(&self, event: &PointerEvent) {
        SPENT.set(false);
        if !event.is_primary() || event.button() != 0 {
            self.end();
            return;
        }
        let above = |what: &str| {
            let target = event.target_dyn_into::<Element>();
            target.is_some_and(|target| target.closest(what).ok().flatten().is_some())
        };
        let (at, pointer) = (self.point(event), event.pointer_id());
        let on_handle = above(".handle");
        let reach = if event.pointer_type() == "mouse" { MOUSE } else { FINGER };
        let pressed = match above(".card, .client, .menu, .offer, .split") {
            true => None,
            false => self.engine().press(at, if on_handle { ON_HANDLE } else { reach }),
        };
        let ground = !above("button, a, .menu, .split");
        *self.doing.borrow_mut() = match pressed {
            Some(packet) => {
                self.capture(pointer);
                // it would arrive while the finger is on it
                self.engine().stand_still();
                Doing::Packet(pointer, packet)
            }
            None if ground => Doing::Ground(pointer, at),
            None => Doing::Nothing,
        };
    }

    /// A pointer moves. Without a button it only looks for packets.
    pub(crate) fn moved(&self, event: &PointerEvent) {
        let at = self.point(event);
        let doing = *self.doing.borrow();
        match doing {
            Doing::Ground(pointer, from) if pointer == event.pointer_id() && from.distance(at) >= DRAWS => {
                self.capture(pointer);
                *self.doing.borrow_mut() = Doing::Line(pointer, from);
                let gesture = self.clone();
                CANCEL.set(Some(Rc::new(move || gesture.end())));
                self.draw(from, at);
            }
            Doing::Line(pointer, from) if pointer == event.pointer_id() => self.draw(from, at),
            Doing::Nothing if event.buttons() == 0 => {
                let over = self.engine().packet_at(at, MOUSE).is_some() || self.engine().link_at(at).is_some();
                if let Some(stage) = self.stage.cast::<HtmlElement>() {
                    let _ = stage.class_list().toggle_with_force("over-packet", over);
                }
            }
            _ => {}
        }
    }

    fn crossed(&self, from: Point, to: Point) -> Vec<Crossed> {
        crossed(&self.engine().layout(), &self.engine().scene(), from, to)
    }

    fn draw(&self, from: Point, to: Point) {
        self.drawn.set(Some(Drawn { from, to, crossed: self.crossed(from, to) }));
    }

    /// A pointer goes up: what it was about is done.
    pub(crate) fn up(&self, event: &PointerEvent) {
        let doing = *self.doing.borrow();
        match doing {
            Doing::Packet(pointer, packet) if pointer == event.pointer_id() => {
                SPENT.set(true);
                *self.doing.borrow_mut() = Doing::Nothing;
                open_packet(&self.reach, packet);
            }
            Doing::Line(pointer, from) if pointer == event.pointer_id() => {
                SPENT.set(true);
                let to = self.point(event);
                let action = cut(&self.engine().layout(), &self.crossed(from, to), from, to);
                if let Some(action) = action {
                    self.engine().act(action);
                }
            }
            _ => {}
        }
        self.end();
    }

    /// Nothing is pressed or drawn any more.
    pub(crate) fn end(&self) {
        CANCEL.set(None);
        let doing = self.doing.replace(Doing::Nothing);
        match doing {
            Doing::Line(..) => SPENT.set(true),
            Doing::Packet(..) => self.engine().go_on(),
            _ => {}
        }
        self.drawn.set(None);
    }

    /// A click on the ground, unless it ended something else: on a link's line it is for that link.
    pub(crate) fn clicked(&self, event: &MouseEvent, choose: &UseReducerDispatcher<Choices>) {
        if !spent() {
            let link = self.engine().link_at(self.point(event));
            choose.dispatch(match link {
                Some((a, b)) => UiAction::Open(Selection::Link(a, b)),
                None => UiAction::Pick(Selection::Nothing),
            });
        }
    }
}

/// Opens a packet's menu.
pub(in crate::ui) fn open_packet(reach: &PageContext, packet: MsgId) {
    reach.engine.change(|session| session.packet = Some(packet));
    reach.choose.dispatch(UiAction::Open(Selection::Packet(packet)));
}

/// The line, with a mark at each link that it would cut.
#[component]
pub(in crate::ui) fn DrawnLine(props: &Drawn) -> Html {
    let text = |value: f64| format!("{value:.1}");
    html! {
        <svg class="strike" aria-hidden="true" width="100%" height="100%">
            <line x1={text(props.from.x)} y1={text(props.from.y)} x2={text(props.to.x)} y2={text(props.to.y)} />
            { for props.crossed.iter().enumerate().map(|(index, crossed)| html! {
                <g key={index} transform={format!("translate({:.1} {:.1})", crossed.at.x, crossed.at.y)}>
                    <circle r="11" /><path d="M-5-5 5 5M5-5-5 5" />
                </g>
            }) }
        </svg>
    }
}
