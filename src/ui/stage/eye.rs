//! Leads eyes on the page: cards, clients and counts that the sentence is not about recede, and what moves is drawn above them. The canvas
//! and the ground do the same by themselves.

use gloo_timers::callback::Timeout;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};
use yew::prelude::*;

use crate::base::Node;
use crate::draw::Palette;
use crate::draw::stage::{Picture, shown};
use crate::draw::surface::Svg;
use crate::i18n::Lang;
use crate::ui::engine::model::{use_stage_model, use_voice_model};
use crate::ui::engine::{Engine, Painter, Roams};
use crate::ui::kit::palette::read_palette;
use crate::ui::kit::wear::Wear;
use crate::ui::page::state::use_page_context;

/// After so long a pause everything is in full ink, ms.
const REST_MS: u32 = 4_000;

/// What the stage tells it.
#[derive(Clone, PartialEq, Properties)]
pub(in crate::ui) struct Props {
    pub stage: NodeRef,
    pub lang: Lang,
    pub wear: Wear,
    /// A menu is open.
    pub menu: bool,
}

/// Who recedes.
#[derive(Clone, PartialEq)]
struct Model {
    nodes: Vec<(Node, bool)>,
    counts: bool,
}

fn model(engine: &Engine, (): &()) -> Model {
    let (focus, scene) = (engine.focus(), engine.scene());
    let servers = scene.cards.iter().map(|card| Node::Server(card.id));
    let nodes = servers.chain(scene.clients.iter().map(|client| Node::Client(client.id)));
    let recedes = |node: Node| focus.as_ref().is_some_and(|focus| !focus.has(node));
    let counts = focus.as_ref().is_some_and(|focus| {
        !shown(&engine.layout(), &scene).iter().flat_map(|board| &board.meters).any(|meter| focus.has_count(meter))
    });
    Model { nodes: nodes.map(|node| (node, recedes(node))).collect(), counts }
}

/// Gives what recedes paler inks of this palette. `dressed`: it is the one of which the others have theirs.
fn mark(stage: &NodeRef, model: &Model, palette: &Palette, dressed: bool) {
    let Some(stage) = stage.cast::<Element>() else { return };
    let set = |selector: &str, recedes: bool| {
        let found = stage.query_selector(selector).ok().flatten();
        let Some(element) = found.and_then(|found| found.dyn_into::<HtmlElement>().ok()) else { return };
        if element.has_attribute("data-dim") == recedes && (dressed || !recedes) {
            return;
        }
        let _ = element.toggle_attribute_with_force("data-dim", recedes);
        for (name, colour) in palette.dimming() {
            let _ = match recedes {
                true => element.style().set_property(name, colour),
                false => element.style().remove_property(name).map(|_| ()),
            };
        }
    };
    for (node, recedes) in &model.nodes {
        match node {
            Node::Server(id) => set(&format!(".card[data-server={id}]"), *recedes),
            Node::Client(id) => set(&format!(".client[data-client={id}]"), *recedes),
        }
    }
    set(".meters", model.counts);
}

/// Leads eyes. It draws nothing but what moves.
#[component]
pub(in crate::ui) fn EyeGuide(props: &Props) -> Html {
    let context = use_page_context();
    let engine = &context.engine;
    // a sentence is heard of at once, a new client with the rest of the stage
    let told = use_voice_model(engine, (), model);
    let stands = use_stage_model(engine, (), model);
    let playing = use_voice_model(engine, (), |engine, ()| engine.session().playing);
    // asked of the browser once for each theme: no frame may make it compute styles
    let worn = use_mut_ref(|| None::<(Wear, Palette)>);
    let heard = (props.stage.clone(), props.wear, (*told).clone(), (*stands).clone(), engine.clone());
    use_effect_with(heard, move |(stage, wear, _, _, engine)| {
        let mut worn = worn.borrow_mut();
        let dressed = worn.as_ref().is_some_and(|(known, _)| known == wear);
        if !dressed {
            *worn = None;
        }
        let (_, palette) = worn.get_or_insert_with(|| (*wear, read_palette()));
        mark(stage, &model(engine, &()), palette, dressed);
    });
    use_effect_with((props.menu, engine.clone()), |(menu, engine)| engine.roam(Roams::Menu, *menu));
    use_effect_with((*playing, engine.clone()), |(playing, engine)| {
        let rest = (!*playing).then(|| {
            let engine = engine.clone();
            Timeout::new(REST_MS, move || engine.roam(Roams::Rest, true))
        });
        let engine = engine.clone();
        move || {
            drop(rest);
            engine.roam(Roams::Rest, false);
        }
    });
    let above = use_node_ref();
    use_effect_with((above.clone(), props.lang, props.wear, engine.clone()), |(above, lang, _, engine)| {
        if let Some(above) = above.cast::<Element>() {
            engine.set_painter_above(Some(painter(above, *lang)));
        }
        let engine = engine.clone();
        move || engine.set_painter_above(None)
    });
    html! { <svg ref={above} class="ground above" aria-hidden="true" /> }
}

/// Paints what moves, and what stands at the place where something happens; nothing is touched while that stays the same.
fn painter(above: Element, lang: Lang) -> Painter {
    let palette = read_palette();
    let drawn = std::cell::RefCell::new(String::new());
    let moved = std::cell::Cell::new(false);
    Box::new(move |moment| {
        let moves = moment.eye.moving().is_some();
        if !(moved.replace(moves) || moves || moment.fresh) {
            return;
        }
        let picture = Picture {
            palette: &palette,
            words: &lang,
            layout: moment.layout,
            scene: moment.scene,
            packets: moment.packets,
            chosen: None,
            marked: None,
            eye: Some(moment.eye),
        };
        let mut surface = Svg::of_page(moment.layout.width, moment.layout.height);
        picture.above(&mut surface);
        let elements = surface.elements();
        if *drawn.borrow() != elements {
            above.set_inner_html(&elements);
            drawn.replace(elements);
        }
    })
}
