//! What is under the pointer, has the focus or is touched on the stage says what it is: one small sheet of words beside it.

use std::cell::RefCell;
use std::rc::Rc;

use gloo_timers::callback::Timeout;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, KeyboardEvent};
use yew::prelude::*;

use crate::base::{ClientId, MsgId, Node, ServerId, Zxid};
use crate::draw::layout::Density;
use crate::draw::stage::Wording;
use crate::draw::{Label, PacketView, Point};
use crate::i18n::Lang;
use crate::i18n::page::{fill, page};
use crate::view::{Card, Square};

use crate::i18n::wording::link_words;
use crate::ui::engine::model::use_model;
use crate::ui::engine::{Engine, Roams};
use crate::ui::kit::browser::point_on;
use crate::ui::kit::browser::{Listener, place, window};
use crate::ui::kit::doing::{client_sentence, server_sentence};
use crate::ui::page::press::MOUSE;
use crate::ui::page::state::{Selection, UiAction, use_page_context};
use crate::ui::stage::client_chip::spoken as client_words;
use crate::ui::stage::legend::sign_of;

/// How long words stay when the pointer has left what they are about: it may be on its way to them (WCAG 2.2, 1.4.13), ms.
const STAYS_MS: u32 = 250;

/// What is named.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Target {
    Server(ServerId),
    Square(ServerId, Zxid),
    Link(ServerId, ServerId),
    Client(ClientId),
    Packet(MsgId),
}

/// The words, and where they stand: the middle of what they are about, and half its height.
#[derive(Clone, PartialEq)]
struct Said {
    title: String,
    lines: Vec<String>,
    at: Point,
    half: f64,
    /// The stage's width: words stay on it.
    width: f64,
}

/// What the stage tells it.
#[derive(Clone, PartialEq, Properties)]
pub(in crate::ui) struct Props {
    pub lang: Lang,
    pub stage: NodeRef,
    /// A menu is open: nothing is named.
    pub quiet: bool,
}

/// What an element of the stage stands for.
fn target_of(element: &Element) -> Option<Target> {
    let named = |selector: &str, name: &str| element.closest(selector).ok().flatten()?.get_attribute(name);
    let server = || ServerId::named(&named("[data-server]", "data-server")?);
    if let Some(zxid) = named("[data-zxid]", "data-zxid") {
        return Some(Target::Square(server()?, zxid.parse().ok()?));
    }
    if let Some(client) = named("[data-client]", "data-client") {
        return Some(Target::Client(ClientId(client.strip_prefix('C')?.parse().ok()?)));
    }
    if let Some(link) = named("[data-link]", "data-link") {
        let (a, b) = link.split_once('-')?;
        return Some(Target::Link(ServerId::named(a)?, ServerId::named(b)?));
    }
    server().map(Target::Server)
}

/// The ends of a link, or of a client's line.
fn ends_of(engine: &Engine, target: Target) -> Option<(Node, Node)> {
    match target {
        Target::Link(a, b) => Some((a.into(), b.into())),
        Target::Client(id) => {
            let scene = engine.scene();
            let (server, _) = scene.clients.iter().find(|client| client.id == id)?.line()?;
            Some((id.into(), server.into()))
        }
        _ => None,
    }
}

fn words(engine: &Engine, (target, lang): &(Option<Target>, Lang)) -> Option<Said> {
    let (target, lang, layout) = ((*target)?, *lang, engine.layout());
    let scene = engine.scene();
    let said = |title: String, lines: Vec<String>, at: Point, half: f64| {
        let lines = lines.into_iter().filter(|line| !line.is_empty()).collect();
        Some(Said { title, lines, at, half, width: layout.width })
    };
    let card = |id: ServerId| scene.cards.iter().find(|card| card.id == id);
    let half = layout.density.card().1 / 2.0;
    match target {
        Target::Server(id) => {
            let card = card(id)?;
            let mut lines = vec![server_sentence(engine.session().world(), card, &scene.meters, lang)];
            lines.extend(card_lines(card, lang));
            // over the free part of a panel, which is as high as the stage
            let low = layout.panel(id).map(|frame| (Point::new(frame.middle.x, frame.bottom()), -4.0));
            let (at, half) = low.unwrap_or((layout.place(id), half));
            said(format!("{id} · {}", lang.role(card)), lines, at, half)
        }
        Target::Square(id, zxid) => {
            let (card, density) = (card(id)?, layout.density);
            let square = card.strip.iter().find(|square| square.zxid == zxid)?;
            let at = Point::new(layout.place(id).x, layout.place(id).y);
            said(format!("{zxid} · {id}"), vec![square_word(square, lang).into()], at, strip_half(density, half))
        }
        Target::Link(a, b) => {
            let link = scene.links.iter().find(|link| (link.a, link.b) == (a, b))?;
            said(link_words(link, lang), vec![page(lang).named_link.into()], layout.handle(a, b), 10.0)
        }
        Target::Client(id) => {
            let client = scene.clients.iter().find(|client| client.id == id)?;
            let doing = client_sentence(engine.session().world(), client, lang);
            said(client_words(client, lang), vec![doing], layout.seat_of(id)?, layout.chip.size().1 / 2.0)
        }
        Target::Packet(msg) => {
            let packet = engine.packet(msg)?;
            let lines = vec![sign_of(&packet, lang), held(&packet, lang), page(lang).named_packet.into()];
            said(packet_words(&packet, lang), lines, packet.at, layout.density.packet())
        }
    }
}

/// A square is named above the whole card, so that its neighbours stay in sight.
fn strip_half(density: Density, half: f64) -> f64 {
    if density.is_tight() { half } else { half - 2.0 }
}

/// A packet in a few words.
pub(in crate::ui) fn packet_words(packet: &PacketView, lang: Lang) -> String {
    let label = if packet.label == Label::None { String::new() } else { format!(" {}", packet.label) };
    fill(page(lang).packet_label, &[&format!("{}{label}", packet.name), &packet.from, &packet.to])
}

fn held(packet: &PacketView, lang: Lang) -> String {
    if packet.held { page(lang).named_held.into() } else { String::new() }
}

fn square_word(square: &Square, lang: Lang) -> &'static str {
    let words = page(lang);
    match square.sign() {
        "lost" => words.lost,
        "knew" => words.knew,
        "queued" => words.queued,
        "applied" => words.applied,
        "open" => words.open,
        _ => words.on_disk,
    }
}

/// What a card shows, in words.
fn card_lines(card: &Card, lang: Lang) -> Vec<String> {
    let line = |sign: &str| {
        let newest = card.strip.iter().filter(|square| square.sign() == sign).max_by_key(|square| square.zxid);
        newest.map_or(String::new(), |square| fill("{} · {}", &[&square.zxid, &square_word(square, lang)]))
    };
    vec![
        format!("{} · {}", lang.epochs(card), lang.last(card)),
        lang.second(card),
        line("applied"),
        line("knew"),
        line("logged"),
        line("open"),
        line("queued"),
    ]
}

/// The sheet of words.
#[component]
pub(in crate::ui) fn Naming(props: &Props) -> Html {
    let context = use_page_context();
    let target = use_state_eq(|| None::<Target>);
    use_pointing(&props.stage, &context.engine, &target);
    use_effect_with((*target, context.engine.clone()), |(target, engine)| {
        engine.point(target.and_then(|target| ends_of(engine, target)));
        engine.roam(Roams::Pointer, target.is_some());
    });
    let shown = target.filter(|_| !props.quiet);
    let said = use_model(&context.engine, (shown, props.lang), words);
    let node = use_node_ref();
    use_effect_with((node.clone(), said.clone()), |(node, said)| {
        if let (Some(element), Some(said)) = (node.cast::<HtmlElement>(), said.as_ref()) {
            let (wide, high) = (f64::from(element.offset_width()), f64::from(element.offset_height()));
            let left = (said.at.x - wide / 2.0).min(said.width - wide - 4.0).max(4.0);
            let above = said.at.y - said.half - high - 8.0;
            let top = if above >= 4.0 { above } else { said.at.y + said.half + 8.0 };
            place(&element, left, top, None, None);
        }
    });
    html! {
        <>
            <Walker lang={props.lang} target={target} />
            <div ref={node} class={classes!("tip", "naming", said.is_none().then_some("none"))} role="tooltip">
                if let Some(said) = said.as_ref() {
                    <span>{ said.title.clone() }</span>
                    { for said.lines.iter().map(|line| html! { <span>{ line.clone() }</span> }) }
                }
            </div>
        </>
    }
}

/// What a pointer is at, whose event fell on this element.
fn pointed(
    stage: &NodeRef,
    engine: &Engine,
    event: &web_sys::PointerEvent,
    under: Option<&Element>,
) -> Option<Target> {
    let at = point_on(stage, event.client_x(), event.client_y());
    let packet = || engine.packet_at(at, MOUSE).map(Target::Packet);
    let line = || engine.link_at(at).map(|(a, b)| Target::Link(a, b));
    // cards lie above packets
    match under.and_then(target_of) {
        found @ Some(Target::Link(..)) => packet().or(found),
        None => packet().or_else(line),
        found => found,
    }
}

/// Follows pointer, fingers and focus on the stage.
#[hook]
fn use_pointing(stage: &NodeRef, engine: &Engine, target: &UseStateHandle<Option<Target>>) {
    use_effect_with((stage.clone(), engine.clone()), {
        let set = target.setter();
        move |(stage, engine)| {
            let Some(element) = stage.cast::<Element>() else { return Box::new(|| ()) as Box<dyn FnOnce()> };
            let (pointer, going) = (set.clone(), Rc::new(RefCell::new(None::<Timeout>)));
            let (stage, engine) = (stage.clone(), engine.clone());
            let point = move |event: web_sys::Event| {
                let Some(event) = event.dyn_ref::<web_sys::PointerEvent>() else { return };
                let moves = event.type_() == "pointermove";
                let under = event.target().and_then(|target| target.dyn_into::<Element>().ok());
                if moves && under.as_ref().is_some_and(|it| it.matches(".naming, .naming *").unwrap_or(false)) {
                    going.take();
                    return;
                }
                let found = pointed(&stage, &engine, event, under.as_ref());
                if found.is_none() && moves {
                    let set = pointer.clone();
                    going.borrow_mut().get_or_insert_with(|| Timeout::new(STAYS_MS, move || set.set(None)));
                } else {
                    going.take();
                    pointer.set(found);
                }
            };
            let escape = {
                let set = set.clone();
                move |event: web_sys::Event| {
                    if event.dyn_ref::<KeyboardEvent>().is_some_and(|event| event.key() == "Escape") {
                        set.set(None);
                    }
                }
            };
            let focus = {
                let set = set.clone();
                move |event: web_sys::Event| {
                    let under = event.target().and_then(|target| target.dyn_into::<Element>().ok());
                    // a click focuses too; what the pointer shows stays then
                    let by_keys = under.as_ref().is_some_and(|it| it.matches(":focus-visible").unwrap_or(false));
                    if let Some(found) = under.as_ref().and_then(target_of).filter(|_| by_keys) {
                        set.set(Some(found));
                    }
                }
            };
            let away = {
                let set = set.clone();
                move |_: web_sys::Event| set.set(None)
            };
            let listeners = [
                Listener::new(&element, "pointermove", point.clone()),
                Listener::new(&element, "pointerdown", point),
                Listener::new(&element, "pointerleave", away.clone()),
                Listener::new(&element, "focusin", focus),
                Listener::new(&element, "focusout", away),
                Listener::new(&window(), "keydown", escape),
            ];
            Box::new(move || drop(listeners)) as Box<dyn FnOnce()>
        }
    });
}

#[derive(Clone, PartialEq, Properties)]
struct WalkerProps {
    lang: Lang,
    target: UseStateHandle<Option<Target>>,
}

/// Packets for the keyboard: one stop of the Tab key, arrows go from packet to packet, Enter opens one.
#[component]
fn Walker(props: &WalkerProps) -> Html {
    let context = use_page_context();
    let at = use_state_eq(|| None::<MsgId>);
    let count = use_model(&context.engine, (), |engine, ()| engine.flying().len());
    let go = {
        let (engine, at, target) = (context.engine.clone(), at.clone(), props.target.clone());
        move |forward: bool| {
            let found = engine.packet_beside(*at, forward);
            at.set(found);
            target.set(found.map(Target::Packet));
        }
    };
    let focused = {
        let go = go.clone();
        Callback::from(move |event: FocusEvent| {
            event.stop_propagation();
            go(true);
        })
    };
    let (reach_in, current) = (context.clone(), *at);
    let keyed = Callback::from(move |event: KeyboardEvent| match event.key().as_str() {
        "ArrowDown" | "ArrowUp" => {
            event.prevent_default();
            event.stop_propagation();
            go(event.key() == "ArrowDown");
        }
        _ => {}
    });
    let open = Callback::from(move |event: MouseEvent| {
        event.stop_propagation();
        if let Some(msg) = current {
            reach_in.engine.change(|session| session.packet = Some(msg));
            reach_in.choose.dispatch(UiAction::Open(Selection::Packet(msg)));
        }
    });
    let named = at.and_then(|msg| context.engine.packet(msg)).map(|packet| packet_words(&packet, props.lang));
    let label = named.unwrap_or_else(|| fill(page(props.lang).packets_label, &[&*count]));
    html! {
        <button class="walker" aria-label={label} onfocus={focused} onkeydown={keyed} onclick={open}>
            { page(props.lang).packets_hint }
        </button>
    }
}
