//! The stage: the canvas for what moves, buttons for what has a name.

mod asked;
mod believers;
pub(super) mod client_bar;
pub(super) mod client_chip;
pub(super) mod client_menu;
pub(super) mod eye;
pub(super) mod figure;
pub(super) mod gesture;
pub(super) mod headline;
pub(super) mod legend;
pub(super) mod menu;
pub(super) mod meters;
pub(super) mod naming;
pub(super) mod narration;
pub(super) mod offer;
pub(super) mod outline;
pub(super) mod packet_menu;
pub(super) mod partition;
pub(super) mod saying;
pub(super) mod server_card;
pub(super) mod tools;
pub(super) mod waits;

use std::cell::{Cell, RefCell};

use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::Closure;
use web_sys::{CanvasRenderingContext2d, Element, HtmlCanvasElement, HtmlElement};
use yew::prelude::*;

use crate::draw::room;
use crate::draw::stage::{Ground, Picture, Wording};
use crate::draw::surface::Svg;
use crate::draw::{Layout, Point};
use crate::i18n::Lang;
use crate::i18n::page::{fill, page};
use crate::view::{Card, ClientView, LinkView};

use super::engine::{Engine, Moment, Painter};
use crate::draw::Palette;
use crate::i18n::wording::LETTERS;
use crate::i18n::wording::link_words;
use crate::ui::engine::model::use_stage_model;
use crate::ui::kit::browser::{Listener, place, window};
use crate::ui::kit::canvas_surface::{CanvasSurface, Sprites};
use crate::ui::kit::palette::read_palette;
use crate::ui::kit::wear::Wear;
use crate::ui::page::press::use_long_press;
use crate::ui::page::state::{Overlay, Selection, UiAction, use_page_context};
use crate::ui::stage::believers::Believers;
use crate::ui::stage::client_chip::ClientChip;
use crate::ui::stage::eye::EyeGuide;
use crate::ui::stage::gesture::{DrawnLine, Gesture, spent, use_gesture};
use crate::ui::stage::menu::Menu;
use crate::ui::stage::meters::Meters;
use crate::ui::stage::naming::Naming;
use crate::ui::stage::offer::Offer;
use crate::ui::stage::outline::Outline;
use crate::ui::stage::partition::Split;
use crate::ui::stage::server_card::ServerCard;
use crate::ui::stage::waits::Waits;

/// What the page tells the stage.
#[derive(Clone, PartialEq, Properties)]
pub(super) struct Props {
    pub lang: Lang,
    pub wear: Wear,
    pub picked: Selection,
    pub over: Overlay,
    /// The letter of its run, where there are two.
    pub letter: &'static str,
}

/// What a stage is for those who listen, and its name: of two runs the second is beside what is the matter here.
pub(super) fn landmark(lang: Lang, letter: &str) -> (&'static str, String) {
    let label = page(lang).stage_label;
    match letter {
        "" => ("main", label.to_string()),
        letter => (if letter == LETTERS[0] { "main" } else { "region" }, format!("{letter}: {label}")),
    }
}

#[derive(PartialEq)]
struct Model {
    layout: Layout,
    cards: Vec<Card>,
    links: Vec<LinkView>,
    clients: Vec<ClientView>,
}

fn model(engine: &Engine, (): &()) -> Model {
    let scene = engine.scene();
    let clients = scene.clients.iter().map(ClientView::at_a_glance).collect();
    Model { layout: engine.layout(), cards: scene.cards.clone(), links: scene.links.clone(), clients }
}

/// The stage.
#[component]
pub(super) fn Stage(props: &Props) -> Html {
    let context = use_page_context();
    let model = use_stage_model(&context.engine, (), model);
    let stage = use_node_ref();
    use_size_watch(&stage, &context.engine);
    use_long_press(&stage, &context);
    let (gesture, drawn) = use_gesture(&stage, &context);
    let hear = |does: fn(&Gesture, &PointerEvent)| {
        let gesture = gesture.clone();
        Callback::from(move |event: PointerEvent| does(&gesture, &event))
    };
    let (pressed, moved, lifted) = (hear(Gesture::down), hear(Gesture::moved), hear(Gesture::up));
    let lost = hear(|gesture, _| gesture.end());
    let clicked = {
        let (gesture, choose) = (gesture.clone(), context.choose.clone());
        Callback::from(move |event: MouseEvent| gesture.clicked(&event, &choose))
    };
    let mark = use_stage_model(&context.engine, (), |engine, ()| engine.mark().get());
    let (role, label) = landmark(props.lang, props.letter);
    let menu = props.over == Overlay::Menu;
    let chosen = use_memo((props.picked, props.lang), |(picked, lang)| chosen(&context.engine, *picked, *lang));
    html! {
        // where the focus goes from a menu that a pointer opened
        <div class="stage" tabindex="-1" {role} ref={stage.clone()} data-mark={*mark} aria-label={label}
            onpointerdown={pressed} onclick={clicked} onpointermove={moved} onpointerup={lifted} onpointercancel={lost}>
            <Outline lang={props.lang} />
            <Meters lang={props.lang} />
            <StageCanvas wear={props.wear} lang={props.lang} />
            <div class="handles">
                { for model.links.iter().filter(|_| model.layout.plan.is_none()).map(|link| handle(link, &model.layout, props)) }
            </div>
            <div class="cards">
                { for model.cards.iter().map(|card| server(card, &model.layout, props)) }
            </div>
            { figure::nodes(&model.layout, props.lang) }
            <div class={classes!("clients", model.layout.has_named_dots().then_some("named"))}>
                { for model.clients.iter().filter_map(|view| client(view, &model.layout, props)) }
            </div>
            <Naming lang={props.lang} stage={stage.clone()} quiet={menu} />
            <Split lang={props.lang} />
            <Waits lang={props.lang} />
            <Believers lang={props.lang} />
            <EyeGuide {stage} lang={props.lang} wear={props.wear} {menu} />
            if let Some(drawn) = drawn {
                <DrawnLine ..drawn />
            }
            <p class="unseen" role="status">{ (*chosen).clone() }</p>
            <div class="menus">
                if menu {
                    <Menu lang={props.lang} picked={props.picked} />
                } else if matches!(props.picked, Selection::Server(_)) {
                    <Offer lang={props.lang} picked={props.picked} />
                }
            </div>
        </div>
    }
}

/// What was picked, for those who do not see it; empty for what opens a sheet of its own.
fn chosen(engine: &Engine, picked: Selection, lang: Lang) -> String {
    let scene = engine.scene();
    match picked {
        Selection::Server(id) => {
            let card = scene.cards.iter().find(|card| card.id == id);
            card.map_or_else(String::new, |card| fill(page(lang).chosen, &[&format!("{id} · {}", lang.role(card))]))
        }
        Selection::Client(id) => fill(page(lang).chosen, &[&id]),
        _ => String::new(),
    }
}

/// What a frame that is not displayed is laid out for, CSS pixels, until it is: the stage of a page as large as a slide. It may be printed.
const IN_A_SLIDE: (f64, f64) = (960.0, 424.0);

#[hook]
fn use_size_watch(stage: &NodeRef, engine: &Engine) {
    use_effect_with((stage.clone(), engine.clone()), |(stage, engine)| {
        let watched = engine.clone();
        let seen = Closure::<dyn FnMut(js_sys::Array)>::new(move |entries: js_sys::Array| {
            if let Some(entry) = entries.get(0).dyn_ref::<web_sys::ResizeObserverEntry>() {
                let area = entry.content_rect();
                // what a deck hides has none, and is laid out as it was: it may be printed
                if area.width() > 0.0 {
                    watched.resize(area.width(), area.height());
                }
            }
        });
        let observer = web_sys::ResizeObserver::new(seen.as_ref().unchecked_ref()).ok();
        if let (Some(observer), Some(stage)) = (&observer, stage.cast::<HtmlElement>()) {
            // the observer tells of sizes in a frame, and there may be none for a page that nobody sees
            let area = stage.get_bounding_client_rect();
            let (width, height) = if area.width() > 0.0 { (area.width(), area.height()) } else { IN_A_SLIDE };
            engine.resize(width, height);
            observer.observe(&stage);
        }
        let (printed, measured) = (engine.clone(), stage.clone());
        let printed = Listener::new(&window(), "beforeprint", move |_| {
            // a slide that a deck keeps from being drawn gets its size without a frame, in which the observer would tell of it
            let area = measured.cast::<HtmlElement>().map(|stage| stage.get_bounding_client_rect());
            if let Some(area) = area.filter(|area| area.width() > 0.0) {
                printed.resize(area.width(), area.height());
                printed.still();
            }
        });
        move || {
            if let Some(observer) = observer {
                observer.disconnect();
            }
            drop((seen, printed));
        }
    });
}

fn server(card: &Card, layout: &Layout, props: &Props) -> Html {
    let picked = props.picked == Selection::Server(card.id);
    html! {
        <ServerCard key={card.id.0} card={card.clone()} at={layout.place(card.id)} size={layout.size(card.id.into())}
            panel={layout.panel(card.id).is_some()} density={layout.density} {picked} lang={props.lang} />
    }
}

fn client(view: &ClientView, layout: &Layout, props: &Props) -> Option<Html> {
    let at = layout.seat_of(view.id)?;
    let picked = props.picked == Selection::Client(view.id);
    Some(html! {
        <ClientChip key={view.id.0} client={view.clone()} {at} chip={layout.chip} {picked} lang={props.lang} />
    })
}

fn handle(link: &LinkView, layout: &Layout, props: &Props) -> Html {
    let picked = props.picked == Selection::Link(link.a, link.b);
    let key = format!("{}-{}", link.a, link.b);
    html! { <Handle {key} link={*link} at={layout.handle(link.a, link.b)} {picked} lang={props.lang} /> }
}

#[derive(Clone, PartialEq, Properties)]
struct HandleProps {
    link: LinkView,
    at: Point,
    picked: bool,
    lang: Lang,
}

/// Where a link is taken hold of.
#[component]
fn Handle(props: &HandleProps) -> Html {
    let context = use_page_context();
    let node = use_node_ref();
    use_effect_with((node.clone(), props.at), |(node, at)| {
        if let Some(element) = node.cast::<web_sys::Element>() {
            place(&element, at.x, at.y, None, None);
        }
    });
    let LinkView { a, b, .. } = props.link;
    let open = Callback::from(move |event: MouseEvent| {
        event.stop_propagation();
        if event.detail() == 0 || !spent() {
            context.choose.dispatch(UiAction::Open(Selection::Link(a, b)));
        }
    });
    let class = classes!("handle", props.picked.then_some("picked"), (!props.link.is_open()).then_some("cut"));
    let label = link_words(&props.link, props.lang);
    html! { <button ref={node} {class} aria-label={label} aria-haspopup="menu" onclick={open} data-link={format!("{a}-{b}")} /> }
}

#[derive(Clone, PartialEq, Properties)]
struct CanvasProps {
    wear: Wear,
    lang: Lang,
}

/// What hardly ever changes, as elements, which cost nothing from frame to frame; and the canvas above it with what moves. The structure
/// of both never changes, so that the canvas's context stays good.
#[component]
fn StageCanvas(props: &CanvasProps) -> Html {
    let context = use_page_context();
    let (ground, moving) = (use_node_ref(), use_node_ref());
    use_effect_with((ground.clone(), moving.clone(), props.clone()), move |(ground, moving, props)| {
        if let (Some(ground), Some(moving)) = (ground.cast::<Element>(), Sheet::of(moving)) {
            let painter = painter(ground, moving, read_palette(), props.lang, context.engine.mark());
            context.engine.set_painter(Some(painter));
        }
    });
    html! {
        <>
            <svg ref={ground} class="ground" aria-hidden="true" />
            <canvas ref={moving} class="paper" aria-hidden="true" />
        </>
    }
}

/// The canvas for what moves: as large as packets need it, because a browser copies all of it in each frame.
struct Sheet {
    canvas: HtmlCanvasElement,
    ctx: CanvasRenderingContext2d,
    /// The part of the stage and the pixels that it was made for.
    made: Cell<Option<((Point, Point), f64)>>,
}

impl Sheet {
    fn of(node: &NodeRef) -> Option<Sheet> {
        let canvas = node.cast::<HtmlCanvasElement>()?;
        let ctx = canvas.get_context("2d").ok()??.dyn_into::<CanvasRenderingContext2d>().ok()?;
        Some(Sheet { canvas, ctx, made: Cell::default() })
    }

    /// Makes it this part of the stage, to be drawn on in CSS pixels of the stage; whether it was another part before.
    fn lay(&self, part: (Point, Point), ratio: f64) -> bool {
        let now = Some((part, ratio));
        let (low, high) = part;
        let (width, height) = (high.x - low.x, high.y - low.y);
        let pixels = |value: f64| (value * ratio).round();
        let other = self.made.replace(now) != now;
        if other {
            self.canvas.set_width(pixels(width) as u32);
            self.canvas.set_height(pixels(height) as u32);
            place(&self.canvas, low.x, low.y, Some(width), Some(height));
            let _ = self.ctx.set_transform(ratio, 0.0, 0.0, ratio, -pixels(low.x), -pixels(low.y));
        }
        other
    }

    fn clear(&self) {
        if let Some(((low, high), _)) = self.made.get() {
            // a little more than all of it: parts of a pixel at its edges
            self.ctx.clear_rect(low.x - 1.0, low.y - 1.0, high.x - low.x + 2.0, high.y - low.y + 2.0);
        }
    }
}

fn painter(ground: Element, moving: Sheet, palette: Palette, lang: Lang, marked: super::engine::Mark) -> Painter {
    let stamps = Sprites::default();
    let lies = RefCell::new(None::<Ground>);
    let empty = Cell::new(false);
    Box::new(move |moment| {
        let Moment { layout, scene, packets, chosen, eye, ratio, fresh } = *moment;
        let (marked, eye) = (marked.get(), Some(eye));
        let picture = Picture { palette: &palette, words: &lang, layout, scene, packets, chosen, marked, eye };
        let mut lies = lies.borrow_mut();
        if !lies.as_ref().is_some_and(|lies| !fresh || lies.is_of(layout, scene, eye)) {
            *lies = Some(Ground::of(layout, scene, eye));
            let mut surface = Svg::of_page(layout.width, layout.height);
            picture.ground(&mut surface);
            ground.set_inner_html(&surface.elements());
        }
        // a browser copies a canvas that was touched, even if nothing is on it
        let pointed = moment.eye.pointed.is_some();
        let nothing = packets.is_empty() && !pointed && (scene.queues.is_empty() || layout.plan.is_some());
        let room = if pointed { layout.moving } else { room(layout, scene, packets) };
        let other = moving.lay(room, ratio);
        if other {
            stamps.forget_font();
        }
        if !other && empty.replace(nothing) && nothing {
            return;
        }
        moving.clear();
        picture.moving(&mut CanvasSurface::with_stamps(&moving.ctx, &stamps, ratio), room);
    })
}
