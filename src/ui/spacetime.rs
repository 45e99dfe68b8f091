//! The space-time view: the run over time in the stage's place, with the same selection and the same playhead.

pub(super) mod input;
pub(super) mod state;
pub(super) mod words;

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
use super::engine::Renderer;
use super::stage::landmark;
use crate::ui::engine::model::use_model;
use crate::ui::kit::browser::{Listener, place, window};
use crate::ui::kit::canvas_surface::CanvasSurface;
use crate::ui::kit::palette::read_palette;
use crate::ui::kit::shapes::control_icon;
use crate::ui::kit::wear::Wear;
use crate::ui::page::state::{Selection, use_page_context};
use crate::ui::panels::empty_state::{EmptyState, Step};
use crate::ui::spacetime::input::DiagramInput;
use crate::ui::spacetime::state::{DiagramView, Said};
use crate::ui::spacetime::words::event_words;

/// How many events the list for screen readers has.
const LISTED: usize = 30;

/// What the page tells the view.
#[derive(Clone, PartialEq, Properties)]
pub(super) struct Props {
    pub lang: Lang,
    pub wear: Wear,
    pub picked: Selection,
    /// The letter of its run, where there are two.
    pub letter: &'static str,
}

/// The space-time view.
#[component]
pub(super) fn SpaceTime(props: &Props) -> Html {
    let context = use_page_context();
    let update = use_force_update();
    let lang = props.lang;
    let input = use_memo((), move |()| {
        let tell: Rc<dyn Fn()> = Rc::new(move || update.force_update());
        DiagramInput { diagram_view: Rc::new(RefCell::new(DiagramView::new(lang))), context, tell }
    });
    let canvas = use_node_ref();
    use_weaver(&canvas, &input, props);
    use_gestures(&canvas, &input);
    let fresh = use_model(&input.context.engine, (), |engine, ()| engine.session().known_events() == 0);
    let words = page(lang);
    let (said, scale) = (input.diagram_view.borrow().said.clone(), input.diagram_view.borrow().area().1);
    let tip = said.tip.clone().map(|(at, lines)| (Point::new(at.x * scale, at.y * scale), lines));
    let (role, label) = landmark(lang, props.letter);
    html! {
        <div class="stage spacetime" {role} aria-label={label}>
            <div class="cloth">
                <canvas ref={canvas} role="application" tabindex="0" aria-label={words.weave_title}
                    aria-describedby="diagram-help" />
                <Tip {tip} />
                if *fresh {
                    <EmptyState {lang} why={words.none_woven} steps={vec![Step::Play]} />
                }
            </div>
            { bar(&input, &said, words) }
            <p id="diagram-help" class="unseen">{ words.weave_help }</p>
            <p class="unseen" role="status">{ said.spoken.clone() }</p>
            <Listing {lang} stretch={said.stretch} input={(*input).clone()} />
        </div>
    }
}

/// Below the picture: what is done with it, and the answer about two events.
fn bar(input: &DiagramInput, said: &Said, words: &'static Page) -> Html {
    let act = |work: fn(&DiagramInput)| {
        let input = input.clone();
        Callback::from(move |_: MouseEvent| work(&input))
    };
    let hint = match (&said.order, said.comparing, said.first) {
        (Some(order), ..) => order.clone(),
        (None, true, false) => words.weave_first.to_string(),
        (None, true, true) => words.weave_second.to_string(),
        _ => String::new(),
    };
    let round = |name: &'static str, label: &'static str, work: fn(&DiagramInput)| {
        html! { <button class="round" onclick={act(work)} aria-label={label} title={label}>{ control_icon(name) }</button> }
    };
    html! {
        <div class="bar-below">
            <button class="chip" onclick={act(DiagramInput::compare)} aria-pressed={said.comparing.to_string()}>
                { words.weave_compare }
            </button>
            <p class="order" role="status">{ hint }</p>
            if !said.follows {
                <button class="chip active" onclick={act(DiagramInput::go_along)}>{ words.weave_now }</button>
            }
            <button class="chip" onclick={act(DiagramInput::fit)}>{ words.weave_fit }</button>
            { round("minus", words.weave_zoom_out, |input| input.zoom(1.6, None)) }
            { round("plus", words.weave_zoom_in, |input| input.zoom(1.0 / 1.6, None)) }
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
    input: DiagramInput,
}

/// Whether the list for screen readers names an event.
fn is_listed(event: &Event) -> bool {
    use What::*;
    !matches!(event.what, Proposed | Synced | EpochWritten | Snapshot | Looking | Elected)
}

fn listing(_: &Engine, props: &ListingProps) -> (String, Vec<String>) {
    let session = props.input.context.engine.session();
    let diagram_view = props.input.diagram_view.borrow();
    let (window, next) = (diagram_view.window, session.next_seq());
    let (from, to) = (window.from_us.max(0.0) as u64, window.to_us.max(0.0) as u64);
    let words = page(props.lang);
    let (messages, lanes) = diagram_view.counts();
    let summary = fill(words.weave_summary, &[&seconds(from, 3), &seconds(to, 3), &messages, &lanes]);
    let inside = session.diagram().events_in(from, to).map(|(_, event)| event);
    let events: Vec<&Event> = inside.filter(|event| u64::from(event.seq) < next && is_listed(event)).collect();
    let last = &events[events.len().saturating_sub(LISTED)..];
    let line = |event: &&Event| fill(words.weave_at, &[&seconds(event.at_us, 3), &event_words(props.lang, event)]);
    (summary, last.iter().map(line).collect())
}

/// The picture in words, for those who do not see it.
#[component]
fn Listing(props: &ListingProps) -> Html {
    let model = use_model(&props.input.context.engine, props.clone(), listing);
    html! {
        <section class="unseen" aria-label={page(props.lang).weave_list}>
            <p>{ model.0.clone() }</p>
            <ol>{ for model.1.iter().map(|line| html! { <li>{ line.clone() }</li> }) }</ol>
        </section>
    }
}

/// Paints at every frame, and hears of the area's size.
#[hook]
fn use_weaver(canvas: &NodeRef, input: &Rc<DiagramInput>, props: &Props) {
    use_effect_with((canvas.clone(), input.clone(), props.clone()), |(canvas, input, props)| {
        let mut diagram_view = input.diagram_view.borrow_mut();
        diagram_view.lang = props.lang;
        diagram_view.pick(props.picked);
        diagram_view.dress(read_palette());
        diagram_view.enlarge(props.wear.lecture);
        drop(diagram_view);
        if let Some(canvas) = canvas.cast::<HtmlCanvasElement>() {
            input.context.engine.set_diagram_painter(diagram_painter(canvas, input.clone()));
            input.context.engine.set_renderer(Some(renderer(input.clone())));
        }
        input.context.engine.repaint();
    });
    let engine = input.context.engine.clone();
    use_effect_with((), move |()| {
        move || {
            engine.set_diagram_painter(None);
            engine.set_renderer(None);
        }
    });
    use_effect_with((canvas.clone(), input.clone()), |(canvas, input)| {
        let input = input.clone();
        let seen = Closure::<dyn FnMut(js_sys::Array)>::new(move |entries: js_sys::Array| {
            if let Some(entry) = entries.get(0).dyn_ref::<web_sys::ResizeObserverEntry>() {
                let area = entry.content_rect();
                input.diagram_view.borrow_mut().resize(area.width(), area.height());
                input.context.engine.repaint();
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
fn renderer(input: Rc<DiagramInput>) -> Renderer {
    Rc::new(move |session, surface, palette, size| {
        input.diagram_view.borrow().renderer(session, surface, palette, size)
    })
}

fn diagram_painter(canvas: HtmlCanvasElement, input: Rc<DiagramInput>) -> Option<super::engine::DiagramPainter> {
    let ctx = canvas.get_context("2d").ok().flatten()?.dyn_into::<CanvasRenderingContext2d>().ok()?;
    Some(Box::new(move |session| {
        let news = {
            let mut diagram_view = input.diagram_view.borrow_mut();
            let ((width, height), scale) = diagram_view.area();
            if width < 1.0 || height < 1.0 {
                return;
            }
            let ratio = window().device_pixel_ratio().clamp(1.0, 4.0);
            let (wide, high) = ((width * ratio).round() as u32, (height * ratio).round() as u32);
            if (canvas.width(), canvas.height()) != (wide, high) {
                canvas.set_width(wide);
                canvas.set_height(high);
            }
            let _ = ctx.set_transform(ratio * scale, 0.0, 0.0, ratio * scale, 0.0, 0.0);
            diagram_view.paint(session, &mut CanvasSurface::new(&ctx))
        };
        if news {
            (input.tell)();
        }
    }))
}

/// Where in the picture a pointer is.
fn point(canvas: &HtmlElement, input: &DiagramInput, event: &web_sys::MouseEvent) -> Point {
    let bounds = canvas.get_bounding_client_rect();
    let scale = input.diagram_view.borrow().area().1;
    let (x, y) = (f64::from(event.client_x()) - bounds.left(), f64::from(event.client_y()) - bounds.top());
    Point::new(x / scale, y / scale)
}

/// Hears pointers, the wheel and keys. The listeners are the canvas's own: the page's must not hear a key that meant
/// something here, and a wheel must not move the page.
#[hook]
fn use_gestures(canvas: &NodeRef, input: &Rc<DiagramInput>) {
    use_effect_with((canvas.clone(), input.clone()), |(canvas, input)| {
        let listeners = canvas.cast::<HtmlElement>().map(|canvas| {
            let mut all = pointers(&canvas, input);
            all.push(wheel(&canvas, input));
            all.push(keys(&canvas, input));
            all
        });
        move || drop(listeners)
    });
}

fn pointers(canvas: &HtmlElement, input: &Rc<DiagramInput>) -> Vec<Listener> {
    let listen = |kind: &'static str, heard: fn(&HtmlElement, &DiagramInput, &web_sys::PointerEvent)| {
        let (input, element) = (input.clone(), canvas.clone());
        Listener::new(canvas, kind, move |event| {
            if let Some(event) = event.dyn_ref::<web_sys::PointerEvent>() {
                heard(&element, &input, event);
            }
        })
    };
    vec![
        listen("pointerdown", |canvas, input, event| {
            if event.button() == 0 {
                let _ = canvas.set_pointer_capture(event.pointer_id());
                input.down(event.pointer_id(), point(canvas, input, event));
            }
        }),
        listen("pointermove", |canvas, input, event| {
            input.moved(event.pointer_id(), point(canvas, input, event), event.pointer_type() != "touch");
        }),
        listen("pointerup", |canvas, input, event| {
            let how = (event.pointer_type() != "touch", event.shift_key());
            input.up(event.pointer_id(), point(canvas, input, event), how);
        }),
        listen("pointercancel", |_, input, event| input.cancel(event.pointer_id())),
        listen("pointerleave", |_, input, _| input.leave()),
    ]
}

fn wheel(canvas: &HtmlElement, input: &Rc<DiagramInput>) -> Listener {
    let (input, element) = (input.clone(), canvas.clone());
    Listener::new(canvas, "wheel", move |event| {
        let Some(event) = event.dyn_ref::<web_sys::WheelEvent>() else { return };
        event.prevent_default();
        // lines and pages as pixels
        let scale = [1.0, 16.0, 400.0].get(event.delta_mode() as usize).copied().unwrap_or(1.0);
        let (mut dx, mut dy) = (event.delta_x() * scale, event.delta_y() * scale);
        if event.shift_key() && dx == 0.0 {
            (dx, dy) = (dy, 0.0);
        }
        input.wheel(point(&element, &input, event), (dx, dy), event.ctrl_key());
    })
}

fn keys(canvas: &HtmlElement, input: &Rc<DiagramInput>) -> Listener {
    let input = input.clone();
    Listener::new(canvas, "keydown", move |event| {
        let Some(event) = event.dyn_ref::<web_sys::KeyboardEvent>() else { return };
        let other = event.ctrl_key() || event.meta_key() || event.alt_key();
        if !other && input.key(&event.key(), event.shift_key()) {
            event.prevent_default();
            event.stop_propagation();
        }
    })
}
