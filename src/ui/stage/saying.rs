//! A sentence with its names as chips, which light what they name on the stage and are lit by it, and with its terms explained where they
//! stand.

use wasm_bindgen::JsCast;
use web_sys::Element;
use yew::prelude::*;

use crate::draw::epoch_colour;
use crate::i18n::parts::{Name, Part, of_machines};
use crate::ui::engine::Engine;
use crate::ui::kit::browser::{Listener, document, window};
use crate::ui::page::state::{Selection, UiAction, use_page_context};
use crate::view::{ClientFace, Face, Part as Role};

/// A part of a sentence, as it is drawn.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::ui) struct Drawn {
    part: Part,
    /// What is known of the thing: that it leads, is down, holds what is not its own.
    class: &'static str,
}

/// The parts with what is known of the things that they name.
pub(in crate::ui) fn drawn(engine: &Engine, mut parts: Vec<Part>) -> Vec<Drawn> {
    let scene = engine.scene();
    of_machines(&mut parts, |id| scene.cards.iter().any(|card| card.id == id));
    let class = |part: &Part| match part {
        Part::Name(Name::Server(id)) => {
            scene.cards.iter().find(|card| card.id == *id).map_or("", |card| match card.face {
                Face::Leading => "lead",
                Face::Other(_) if card.badge.crowned => "lead",
                Face::Crashed | Face::Off => "down",
                _ => "",
            })
        }
        Part::Name(Name::Client(id)) => {
            scene.clients.iter().find(|client| client.id == *id).map_or("down", |client| match &client.part {
                Some(Role::Holds { stale: true, .. }) => "stale",
                Some(Role::Holds { .. }) => "lead",
                _ if matches!(client.face, ClientFace::Expired | ClientFace::Closed) => "down",
                _ => "",
            })
        }
        _ => "",
    };
    parts.into_iter().map(|part| Drawn { class: class(&part), part }).collect()
}

impl Drawn {
    /// Whether it is a term with this meaning.
    pub(crate) fn explains(&self, meaning: &str) -> bool {
        matches!(&self.part, Part::Term(_, about) if *about == meaning)
    }
}

/// The class of a zxid's epoch.
fn epoch(name: &Name) -> Option<String> {
    let Name::Zxid(zxid) = name else { return None };
    Some(format!("e{}", epoch_colour(zxid.epoch())))
}

/// What is picked with a name; a path cannot be.
fn selection(name: &Name) -> Option<Selection> {
    match name {
        Name::Server(id) => Some(Selection::Server(*id)),
        Name::Client(id) => Some(Selection::Client(*id)),
        Name::Zxid(zxid) => Some(Selection::Transaction(*zxid)),
        Name::Path(_) => None,
    }
}

/// What the narration tells.
#[derive(Clone, PartialEq, Properties)]
pub(in crate::ui) struct Props {
    pub parts: Vec<Drawn>,
    /// The term whose meaning is shown, and how to show another one.
    pub open: Option<&'static str>,
    pub toggle: Callback<&'static str>,
}

/// The sentence.
#[component]
pub(in crate::ui) fn Saying(props: &Props) -> Html {
    let context = use_page_context();
    let pick = |selection: Selection| {
        let choose = context.choose.clone();
        Callback::from(move |_: MouseEvent| choose.dispatch(UiAction::Pick(selection)))
    };
    let one = |drawn: &Drawn| match &drawn.part {
        Part::Text(text) => html! { { text.clone() } },
        Part::Name(name) => {
            let (of, selection, epoch) = (name.to_string(), selection(name), epoch(name));
            let class =
                classes!("thing", drawn.class, matches!(name, Name::Zxid(_) | Name::Path(_)).then_some("z"), epoch);
            match selection {
                Some(selection) => html! {
                    <button {class} data-of={of.clone()} onclick={pick(selection)}>{ of }</button>
                },
                None => html! { <span {class} data-of={of.clone()}>{ of }</span> },
            }
        }
        Part::Term(term, about) => self::term(term, about, props.open, props.toggle.clone()),
    };
    html! { <>{ for props.parts.iter().map(one) }</> }
}

/// A term that explains itself when it is pressed; whether it does now is a matter of the meaning that is shown.
pub(in crate::ui) fn term(
    term: &str,
    about: &'static str,
    open: Option<&'static str>,
    toggle: Callback<&'static str>,
) -> Html {
    html! {
        <button class="term" aria-expanded={(open == Some(about)).to_string()}
            onclick={move |_: MouseEvent| toggle.emit(about)}>{ term.to_string() }</button>
    }
}

/// By what things on the stage are known, and names of them in sentences.
const KEYS: [&str; 5] = ["data-of", "data-server", "data-client", "data-zxid", "data-path"];

/// The elements that fit, one after the other.
fn all(selector: &str) -> impl Iterator<Item = Element> {
    let list = document().query_selector_all(selector).ok();
    let length = list.as_ref().map_or(0, web_sys::NodeList::length);
    (0..length).filter_map(move |at| list.as_ref()?.item(at)?.dyn_into().ok())
}

/// Lights everything that is of the same thing as what is pointed at, or has the focus.
fn light(event: &Event) {
    for element in all("[data-lit]") {
        let _ = element.remove_attribute("data-lit");
    }
    if matches!(event.type_().as_str(), "pointerout" | "focusout") {
        return;
    }
    let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    let known = KEYS.map(|key| format!("[{key}]")).join(",");
    let Some(thing) = target.and_then(|target| target.closest(&known).ok()?) else { return };
    let Some(name) = KEYS.iter().find_map(|key| thing.get_attribute(key)) else { return };
    let name = name.replace(['"', '\\'], "");
    for element in all(&KEYS.map(|key| format!("[{key}=\"{name}\"]")).join(",")) {
        let _ = element.set_attribute("data-lit", "");
    }
}

/// As long as the page lives, pointing at a thing or its name lights both.
#[hook]
pub(in crate::ui) fn use_light() {
    use_effect_with((), |()| {
        let events = ["pointerover", "pointerout", "focusin", "focusout"];
        let listeners = events.map(|name| Listener::new(&window(), name, |event| light(&event)));
        move || drop(listeners)
    });
}
