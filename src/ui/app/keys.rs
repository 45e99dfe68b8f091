//! The keyboard.

use std::cell::RefCell;

use yew::prelude::*;

use wasm_bindgen::JsCast;

use crate::base::{ClientId, ServerId};
use crate::i18n::Lang;
use crate::sim::Action;
use crate::timeline::Session;

use crate::ui::kit::browser::{Listener, window};
use crate::ui::kit::focus::{is_character, keep};
use crate::ui::lesson::keys as lesson_keys;
use crate::ui::page::state::{Choices, Overlay, PageContext, Selection, UiAction};
use crate::ui::remote::presenter;
use crate::ui::remote::talk::hand_over;
use crate::ui::stage::client_bar::open_client;
use crate::ui::stage::client_menu::{disconnect, kill, toggle_client};
use crate::ui::stage::gesture::cancel_line;
use crate::ui::stage::menu::{isolate, toggle_crash, toggle_pause, write_at};
use crate::ui::stage::packet_menu::toggle_packet;
use crate::ui::stage::tools::next_cast;
use crate::ui::time::scene::turn_page;

/// The keys that menus offer.
const DEEDS: [&str; 7] = ["c", "k", "o", "p", "w", "x", "n"];

/// Hears keys as long as the page lives.
#[hook]
pub(in crate::ui) fn use_keys(context: &PageContext, now: &Choices) {
    let deck = now.deck_keys.then(|| now.closable());
    let deps = (context.clone(), (now.picked, now.over == Overlay::Menu), now.lang, deck, now.no_letters);
    use_effect_with(deps, |(context, of, lang, deck, no_letters)| {
        let (context, (picked, menu), lang, deck, no_letters) = (context.clone(), *of, *lang, *deck, *no_letters);
        let listener = Listener::new(&window(), "keydown", move |event| {
            if let Some(event) = event.dyn_ref::<web_sys::KeyboardEvent>()
                && !(no_letters && is_character(event))
                && (deck.is_some_and(|closable| to_deck(&context, event, closable && !context.engine.is_away()))
                    || (!context.engine.is_away() && press(&context, picked, lang, event)))
            {
                event.prevent_default();
                // what a menu offers has been done
                if menu && DEEDS.contains(&event.key().to_lowercase().as_str()) {
                    context.choose.dispatch(UiAction::Close);
                }
            }
        });
        // before all others, which may take away what was pressed
        let pressed = Listener::first(&window(), "pointerdown", |event| POINTED.set(button_of(&event)));
        let kept = ["keydown", "click"].map(|kind| Listener::first(&window(), kind, |_| keep()));
        move || drop((listener, pressed, kept))
    });
}

/// Hands a key to the deck around this page, unless the lesson still turns its own pages with it; whether that was done.
fn to_deck(context: &PageContext, event: &web_sys::KeyboardEvent, closable: bool) -> bool {
    !lesson_keys::turns(&context.engine, &event.key()) && hand_over(event, closable)
}

thread_local! {
    /// The button that a pointer pressed last, until the Tab key is used.
    static POINTED: RefCell<Option<web_sys::Element>> = const { RefCell::new(None) };
}

fn button_of(event: &web_sys::Event) -> Option<web_sys::Element> {
    let element = event.target().and_then(|target| target.dyn_into::<web_sys::Element>().ok());
    element.and_then(|element| element.closest("button, a, summary").ok().flatten())
}

/// Whether a button has the focus only because a pointer pressed it. It loses it then: whoever clicks "Write" and presses Space
/// wants time to stand still, not to write again.
fn leave_pointed(event: &web_sys::KeyboardEvent) -> bool {
    let focused = button_of(event);
    let pointed = focused.is_some() && POINTED.with_borrow(|pointed| *pointed == focused);
    if pointed && let Some(element) = focused.and_then(|element| element.dyn_into::<web_sys::HtmlElement>().ok()) {
        let _ = element.blur();
    }
    pointed
}

/// What kind of element has the focus.
fn focus_of(event: &web_sys::KeyboardEvent) -> String {
    let element = event.target().and_then(|target| target.dyn_into::<web_sys::Element>().ok());
    element.map(|element| element.tag_name().to_ascii_lowercase()).unwrap_or_default()
}

/// Whether the focus is where a page key scrolls.
fn in_pages(event: &web_sys::KeyboardEvent) -> bool {
    let element = event.target().and_then(|target| target.dyn_into::<web_sys::Element>().ok());
    let scrolls = |element: web_sys::Element| {
        element.closest(".body, .log, .dialog, .cloth, [role=tree], [role=menu]").ok().flatten()
    };
    element.and_then(scrolls).is_some()
}

/// One key; whether it meant something.
fn press(context: &PageContext, picked: Selection, lang: Lang, event: &web_sys::KeyboardEvent) -> bool {
    let key = event.key();
    let (engine, choose) = (&context.engine, &context.choose);
    if key == "Escape" {
        if !cancel_line() {
            choose.dispatch(UiAction::Close);
        }
        return true;
    }
    if key == "Tab" {
        POINTED.set(None);
    }
    let focus = focus_of(event);
    let typing = matches!(focus.as_str(), "input" | "select" | "textarea");
    let undo = (event.ctrl_key() || event.meta_key()) && !event.alt_key() && !typing;
    match key.as_str() {
        "z" if undo => {
            engine.undo();
            return true;
        }
        "Z" | "y" if undo => {
            engine.redo();
            return true;
        }
        _ => {}
    }
    if typing || event.ctrl_key() || event.meta_key() || event.alt_key() {
        return false;
    }
    if key == " " && matches!(focus.as_str(), "button" | "a" | "summary") && !leave_pointed(event) {
        return false;
    }
    // a panel or a dialog that has the focus is turned over instead
    let clicks = !in_pages(event);
    if engine.has_lesson() && lesson_keys::press(engine, &key, &focus, clicks) {
        return true;
    }
    let server = match picked {
        Selection::Server(id) => Some(id),
        _ => None,
    };
    let client: Option<ClientId> = match picked {
        Selection::Client(id) => Some(id),
        _ => None,
    };
    let act = |action: Option<Action>| {
        if let Some(action) = action {
            engine.act(action);
        }
    };
    match key.as_str() {
        // in a hall: what decides stands until the clicker
        " " | "PageDown" if clicks && engine.carry_on() => {}
        " " => engine.change(|session| session.playing = !session.playing),
        "PageDown" if clicks => turn_page(engine),
        "PageUp" if clicks => engine.change(Session::last_chapter),
        "b" | "B" | "." => choose.dispatch(UiAction::Dark),
        "l" | "L" => choose.dispatch(UiAction::Lecture),
        "v" | "V" => presenter::open(engine, lang),
        "f" | "F" => choose.dispatch(UiAction::OnlyStage),
        "ArrowRight" if event.shift_key() => engine.change(|session| {
            session.playing = false;
            session.step_to_turn();
        }),
        "ArrowRight" => engine.change(|session| {
            session.playing = false;
            session.step(1);
        }),
        "ArrowLeft" if event.shift_key() => engine.change(|session| {
            session.playing = false;
            session.step_back_to_turn();
        }),
        "ArrowLeft" => engine.change(|session| {
            session.playing = false;
            session.step_back(1);
        }),
        "t" | "T" => choose.dispatch(UiAction::Cast(next_cast(engine))),
        "s" | "S" => choose.dispatch(UiAction::OtherView),
        "?" => choose.dispatch(UiAction::Overlay(Overlay::Help)),
        "g" | "G" => choose.dispatch(UiAction::Overlay(Overlay::Gallery)),
        "c" | "C" if client.is_some() => act(client.and_then(|id| kill(engine, id))),
        "p" | "P" if matches!(picked, Selection::Packet(_)) => act(toggle_packet(engine, picked)),
        "p" | "P" if client.is_some() => act(client.and_then(|id| toggle_client(engine, id))),
        "c" | "C" => act(server.and_then(|id| toggle_crash(engine, id))),
        "k" | "K" => act(server.map(|server| Action::Kill { server })),
        "o" | "O" => act(server.map(|server| Action::PowerOff { server })),
        "p" | "P" => act(server.and_then(|id| toggle_pause(engine, id))),
        "w" | "W" => act(server.map(|id| write_at(engine, id, "", lang))),
        "x" | "X" if picked == Selection::Nothing => choose.dispatch(UiAction::Overlay(Overlay::Partition)),
        "x" | "X" => act(cut(context, picked)),
        "h" | "H" => engine.act(Action::HealAll),
        "n" | "N" => {
            if let Some(client) = open_client(engine, server.into_iter().collect()) {
                choose.dispatch(UiAction::Client(client));
            }
        }
        "/" => choose.dispatch(UiAction::Console),
        "m" | "M" => {
            let before = engine.session().packet;
            if let Some(msg) = engine.packet_beside(before, !event.shift_key()) {
                engine.change(|session| session.packet = Some(msg));
                choose.dispatch(UiAction::Pick(Selection::Packet(msg)));
            }
        }
        digit => match digit.parse::<u8>() {
            Ok(id @ 1..=9) if engine.servers().contains(&ServerId(id)) => {
                choose.dispatch(UiAction::Pick(Selection::Server(ServerId(id))));
            }
            _ => return false,
        },
    }
    true
}

/// X: isolates a server or ends that; cuts a link or heals it.
fn cut(context: &PageContext, picked: Selection) -> Option<Action> {
    match picked {
        Selection::Server(id) => Some(isolate(&context.engine, id)),
        Selection::Client(id) => disconnect(&context.engine, id),
        Selection::Link(a, b) => {
            let open = context.engine.scene().links.iter().any(|link| (link.a, link.b) == (a, b) && link.is_open());
            let (from, to) = ([a].into_iter().collect(), [b].into_iter().collect());
            Some(match open {
                true => Action::Cut { from, to, one_way: false },
                false => Action::Heal { from, to, one_way: false },
            })
        }
        _ => None,
    }
}
