//! The space-time view: the run over time in the stage's place, with the same selection and the same playhead.

pub mod input;
pub mod state;
pub mod words;

use std::cell::RefCell;
use std::rc::Rc;

use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::Closure;
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement, HtmlElement};
use yew::prelude::*;

use crate::draw::Point;
use crate::draw::spacetime::seconds;
use crate::i18n::Lang;
use crate::i18n::page::{Page, fill, page};
use crate::timeline::spacetime::{Event, What};

use super::engine::Engine;
use super::engine::Exhibit;
use crate::ui::app::state::{Picked, use_reach};
use crate::ui::kit::browser::{Listener, place, window};
use crate::ui::kit::canvas_surface::CanvasInk;
use crate::ui::kit::empty_state::{Nothing, Step};
use crate::ui::kit::model::use_model;
use crate::ui::kit::palette::read_palette;
use crate::ui::kit::shapes::control_icon;
use crate::ui::kit::wear::Wear;
use crate::ui::spacetime::input::Hands;
use crate::ui::spacetime::state::{Loom, Said};
use crate::ui::spacetime::words::event_words;

/// How many events the list for screen readers has.
const LISTED: usize = 30;

/// What the page tells the view.
#[derive(Clone, PartialEq, Properties)]
pub(super) struct Props {
    pub lang: Lang,
    pub wear: Wear,
    pub picked: Picked,
}

/// The space-time view.
#[component]
pub(super) fn SpaceTime(props: &Props) -> Html {
    let reach = use_reach();
    let update = use_force_update();
    let lang = props.lang;
    let hands = use_memo((), move |()| {
        let tell: Rc<dyn Fn()> = Rc::new(move || update.force_update());
        Hands { loom: Rc::new(RefCell::new(Loom::new(lang))), reach, tell }
    });
    let canvas = use_node_ref();
    use_weaver(&canvas, &hands, props);
    use_gestures(&canvas, &hands);
    let fresh = use_model(&hands.reach.engine, (), |engine, ()| engine.session().known_events() == 0);
    let words = page(lang);
    let said = hands.loom.borrow().said.clone();
    html! {
        <main class="stage spacetime" aria-label={words.stage_label}>
            <div class="cloth">
                <canvas ref={canvas} role="application" tabindex="0" aria-label={words.weave_title}
                    aria-describedby="weave-help" />
                <Tip tip={said.tip.clone()} />
                if *fresh {
                    <Nothing {lang} why={words.none_woven} steps={vec![Step::Play]} />
                }
            </div>
            { bar(&hands, &said, words) }
            <p id="weave-help" class="unseen">{ words.weave_help }</p>
            <p class="unseen" role="status">{ said.spoken.clone() }</p>
            <Listing {lang} stretch={said.stretch} hands={(*hands).clone()} />
        </main>
    }
}

/// Below the picture: what is done with it, and the answer about two events.
fn bar(hands: &Hands, said: &Said, words: &'static Page) -> Html {
    let act = |work: fn(&Hands)| {
        let hands = hands.clone();
        Callback::from(move |_: MouseEvent| work(&hands))
    };
    let hint = match (&said.order, said.comparing, said.first) {
        (Some(order), ..) => order.clone(),
        (None, true, false) => words.weave_first.to_string(),
        (None, true, true) => words.weave_second.to_string(),
        _ => String::new(),
    };
    let round = |name: &'static str, label: &'static str, work: fn(&Hands)| {
        html! { <button class="round" onclick={act(work)} aria-label={label} title={label}>{ control_icon(name) }</button> }
    };
    html! {
        <div class="bar-below">
            <button class="chip" onclick={act(Hands::compare)} aria-pressed={said.comparing.to_string()}>
                { words.weave_compare }
            </button>
            <p class="order" role="status">{ hint }</p>
            if !said.follows {
                <button class="chip active" onclick={act(Hands::go_along)}>{ words.weave_now }</button>
            }
            <button class="chip" onclick={act(Hands::fit)}>{ words.weave_fit }</button>
            { round("minus", words.weave_zoom_out, |hands| hands.zoom(1.6, None)) }
            { round("plus", words.weave_zoom_in, |hands| hands.zoom(1.0 / 1.6, None)) }
        </div>
    }
}

#[derive(Clone, PartialEq, Properties)]
struct TipProps {
    tip: Option<(Point, Vec<String>)>,
}

/// What the pointer is at.
#[component]
fn Tip(props: &TipProps) -> Html {
    let node = use_node_ref();
    use_effect_with((node.clone(), props.tip.as_ref().map(|(at, _)| *at)), |(node, at)| {
        let (Some(at), Some(element)) = (at, node.cast::<HtmlElement>()) else { return };
        let room = element.parent_element().map_or(0.0, |parent| f64::from(parent.client_width()));
        let width = f64::from(element.offset_width());
        let height = f64::from(element.offset_height());
        let left = if at.x + 16.0 + width > room { (at.x - 12.0 - width).max(2.0) } else { at.x + 16.0 };
        let top = if at.y - height - 10.0 < 2.0 { at.y + 18.0 } else { at.y - height - 10.0 };
        place(&element, left, top, None, None);
    });
    let lines = props.tip.as_ref().map(|(_, lines)| lines.clone()).unwrap_or_default();
    html! {
        <div ref={node} class={classes!("tip", lines.is_empty().then_some("none"))} role="tooltip">
            { for lines.into_iter().map(|line| html! { <span>{ line }</span> }) }
        </div>
    }
}

#[derive(Clone, PartialEq, Properties)]
struct ListingProps {
    lang: Lang,
    /// The words are told anew when this changes.
    stretch: (i64, i64),
    hands: Hands,
}

/// Whether the list for screen readers names an event.
fn is_listed(event: &Event) -> bool {
    use What::*;
    !matches!(event.what, Proposed | Synced | EpochWritten | Snapshot | Looking | Elected)
}

fn listing(_: &Engine, props: &ListingProps) -> (String, Vec<String>) {
    let session = props.hands.reach.engine.session();
    let loom = props.hands.loom.borrow();
    let (window, next) = (loom.window, session.next_seq());
    let (from, to) = (window.from_us.max(0.0) as u64, window.to_us.max(0.0) as u64);
    let words = page(props.lang);
    let (messages, lanes) = loom.counts();
    let summary = fill(words.weave_summary, &[&seconds(from, 3), &seconds(to, 3), &messages, &lanes]);
    let inside = session.weave().events_in(from, to).map(|(_, event)| event);
    let events: Vec<&Event> = inside.filter(|event| u64::from(event.seq) < next && is_listed(event)).collect();
    let last = &events[events.len().saturating_sub(LISTED)..];
    let line = |event: &&Event| fill(words.weave_at, &[&seconds(event.at_us, 3), &event_words(props.lang, event)]);
    (summary, last.iter().map(line).collect())
}

/// The picture in words, for those who do not see it.
#[component]
fn Listing(props: &ListingProps) -> Html {
    let model = use_model(&props.hands.reach.engine, props.clone(), listing);
    html! {
        <section class="unseen" aria-label={page(props.lang).weave_list}>
            <p>{ model.0.clone() }</p>
            <ol>{ for model.1.iter().map(|line| html! { <li>{ line.clone() }</li> }) }</ol>
        </section>
    }
}

/// Paints at every frame, and hears of the area's size.
#[hook]
fn use_weaver(canvas: &NodeRef, hands: &Rc<Hands>, props: &Props) {
    use_effect_with((canvas.clone(), hands.clone(), props.clone()), |(canvas, hands, props)| {
        let mut loom = hands.loom.borrow_mut();
        loom.lang = props.lang;
        loom.pick(props.picked);
        loom.dress(read_palette());
        drop(loom);
        if let Some(canvas) = canvas.cast::<HtmlCanvasElement>() {
            hands.reach.engine.set_weaver(weaver(canvas, hands.clone()));
            hands.reach.engine.set_exhibit(Some(exhibit(hands.clone())));
        }
        hands.reach.engine.repaint();
    });
    let engine = hands.reach.engine.clone();
    use_effect_with((), move |()| {
        move || {
            engine.set_weaver(None);
            engine.set_exhibit(None);
        }
    });
    use_effect_with((canvas.clone(), hands.clone()), |(canvas, hands)| {
        let hands = hands.clone();
        let seen = Closure::<dyn FnMut(js_sys::Array)>::new(move |entries: js_sys::Array| {
            if let Some(entry) = entries.get(0).dyn_ref::<web_sys::ResizeObserverEntry>() {
                let area = entry.content_rect();
                hands.loom.borrow_mut().resize(area.width(), area.height());
                hands.reach.engine.repaint();
            }
        });
        let observer = web_sys::ResizeObserver::new(seen.as_ref().unchecked_ref()).ok();
        let cloth = canvas.cast::<HtmlElement>().and_then(|canvas| canvas.parent_element());
        if let (Some(observer), Some(cloth)) = (&observer, cloth) {
            observer.observe(&cloth);
        }
        move || {
            if let Some(observer) = observer {
                observer.disconnect();
            }
            drop(seen);
        }
    });
}

/// What pictures to take away show while the run over time is in the stage's place.
fn exhibit(hands: Rc<Hands>) -> Exhibit {
    Rc::new(move |session, ink, palette, size| hands.loom.borrow().exhibit(session, ink, palette, size))
}

fn weaver(canvas: HtmlCanvasElement, hands: Rc<Hands>) -> Option<super::engine::Weaver> {
    let ctx = canvas.get_context("2d").ok().flatten()?.dyn_into::<CanvasRenderingContext2d>().ok()?;
    Some(Box::new(move |session| {
        let news = {
            let mut loom = hands.loom.borrow_mut();
            let (width, height) = loom.size();
            if width < 1.0 || height < 1.0 {
                return;
            }
            let ratio = window().device_pixel_ratio().clamp(1.0, 4.0);
            let (wide, high) = ((width * ratio).round() as u32, (height * ratio).round() as u32);
            if (canvas.width(), canvas.height()) != (wide, high) {
                canvas.set_width(wide);
                canvas.set_height(high);
            }
            let _ = ctx.set_transform(ratio, 0.0, 0.0, ratio, 0.0, 0.0);
            loom.paint(session, &mut CanvasInk::new(&ctx))
        };
        if news {
            (hands.tell)();
        }
    }))
}

/// Where in the picture a pointer is.
fn point(canvas: &HtmlElement, event: &web_sys::MouseEvent) -> Point {
    let bounds = canvas.get_bounding_client_rect();
    Point::new(f64::from(event.client_x()) - bounds.left(), f64::from(event.client_y()) - bounds.top())
}

/// Hears pointers, the wheel and keys. The listeners are the canvas's own: the page's must not hear a key that meant
/// something here, and a wheel must not move the page.
#[hook]
fn use_gestures(canvas: &NodeRef, hands: &Rc<Hands>) {
    use_effect_with((canvas.clone(), hands.clone()), |(canvas, hands)| {
        let listeners = canvas.cast::<HtmlElement>().map(|canvas| {
            let mut all = pointers(&canvas, hands);
            all.push(wheel(&canvas, hands));
            all.push(keys(&canvas, hands));
            all
        });
        move || drop(listeners)
    });
}

fn pointers(canvas: &HtmlElement, hands: &Rc<Hands>) -> Vec<Listener> {
    let listen = |kind: &'static str, heard: fn(&HtmlElement, &Hands, &web_sys::PointerEvent)| {
        let (hands, element) = (hands.clone(), canvas.clone());
        Listener::new(canvas, kind, move |event| {
            if let Some(event) = event.dyn_ref::<web_sys::PointerEvent>() {
                heard(&element, &hands, event);
            }
        })
    };
    vec![
        listen("pointerdown", |canvas, hands, event| {
            if event.button() == 0 {
                let _ = canvas.set_pointer_capture(event.pointer_id());
                hands.down(event.pointer_id(), point(canvas, event));
            }
        }),
        listen("pointermove", |canvas, hands, event| {
            hands.moved(event.pointer_id(), point(canvas, event), event.pointer_type() != "touch");
        }),
        listen("pointerup", |canvas, hands, event| {
            let how = (event.pointer_type() != "touch", event.shift_key());
            hands.up(event.pointer_id(), point(canvas, event), how);
        }),
        listen("pointercancel", |_, hands, event| hands.cancel(event.pointer_id())),
        listen("pointerleave", |_, hands, _| hands.leave()),
    ]
}

fn wheel(canvas: &HtmlElement, hands: &Rc<Hands>) -> Listener {
    let (hands, element) = (hands.clone(), canvas.clone());
    Listener::new(canvas, "wheel", move |event| {
        let Some(event) = event.dyn_ref::<web_sys::WheelEvent>() else { return };
        event.prevent_default();
        // lines and pages as pixels
        let scale = [1.0, 16.0, 400.0].get(event.delta_mode() as usize).copied().unwrap_or(1.0);
        let (mut dx, mut dy) = (event.delta_x() * scale, event.delta_y() * scale);
        if event.shift_key() && dx == 0.0 {
            (dx, dy) = (dy, 0.0);
        }
        hands.wheel(point(&element, event), (dx, dy), event.ctrl_key());
    })
}

fn keys(canvas: &HtmlElement, hands: &Rc<Hands>) -> Listener {
    let hands = hands.clone();
    Listener::new(canvas, "keydown", move |event| {
        let Some(event) = event.dyn_ref::<web_sys::KeyboardEvent>() else { return };
        let other = event.ctrl_key() || event.meta_key() || event.alt_key();
        if !other && hands.key(&event.key(), event.shift_key()) {
            event.prevent_default();
            event.stop_propagation();
        }
    })
}
