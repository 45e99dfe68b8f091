//! The legend on the page, beside the stage: shapes, letters and states. An entry that is pointed at, or has the focus, brings out its objects on the
//! stage and says what they mean and how many there are now.

use yew::prelude::*;

use crate::draw::{PacketView, is_marked, look};
use crate::i18n::Lang;
use crate::i18n::page::{fill, page};
use crate::sim::Status;
use crate::view::{Card, Face, Scene, Square};

use crate::i18n::wording::{face_name, sign_word};
use crate::ui::engine::Engine;
use crate::ui::engine::model::use_model;
use crate::ui::kit::shapes::role_icon;
use crate::ui::page::state::use_page_context;
use crate::ui::stage::server_card::{segments, square_sign};

/// States of servers by name. All other entries are those of the help.
const SERVERS: [(&str, Face); 5] = [
    ("leading", Face::Leading),
    ("following", Face::Following),
    ("looking", Face::Looking),
    ("crashed", Face::Crashed),
    ("paused", Face::Following),
];

/// A sign of the stage, drawn as there.
pub(in crate::ui) fn sign(name: &str) -> Html {
    if let Some(square) = Square::signs().iter().find(|one| one.sign() == name) {
        return square_sign(square);
    }
    if let Some((_, face)) = SERVERS.iter().find(|(known, _)| *known == name) {
        return role_icon(*face, name == "paused");
    }
    match name {
        "meter" => segments(2, 3, 2),
        "queue" => html! { <i class="queue">{ "▪▪▪" }</i> },
        packet => html! { <i class={classes!("packet", packet.to_ascii_lowercase())}>{ look(packet).letter }</i> },
    }
}

/// What a packet's sign means, in the words of the legend.
pub(in crate::ui) fn sign_of(packet: &PacketView, lang: Lang) -> String {
    let known = page(lang).legend.iter().find(|(name, _)| is_marked(name, packet));
    known.map_or(String::new(), |(_, words)| words.to_string())
}

/// The words of an entry: short ones, and the sentence.
fn entry_words(name: &'static str, lang: Lang) -> (String, &'static str) {
    let words = page(lang);
    let server = match name {
        "leading" => Some(words.sign_leading),
        "following" => Some(words.sign_following),
        "looking" => Some(words.sign_looking),
        "crashed" => Some(words.sign_crashed),
        "paused" => Some(words.sign_paused),
        _ => None,
    };
    if let Some(sentence) = server {
        let face = SERVERS.iter().find(|(known, _)| *known == name).map_or(Face::Off, |(_, face)| *face);
        let short = if name == "paused" { words.server_paused.to_string() } else { face_name(face, lang) };
        return (short, sentence);
    }
    let sentence = words.legend.iter().find(|(known, _)| *known == name).map_or("", |(_, sentence)| sentence);
    let short = match name {
        "queued" | "logged" | "applied" | "lost" | "open" | "knew" => sign_word(name, lang),
        "meter" => words.short_meter,
        "queue" => words.short_queue,
        "create" => words.short_write,
        "getData" => words.short_read,
        "NOTIFICATION" => words.short_vote,
        "WATCH_EVENT" => words.short_watch,
        "REPLY" => words.short_reply,
        "PING" => words.short_ping,
        other => other,
    };
    (short.to_string(), sentence)
}

/// How many of its objects there are on the stage.
fn count(engine: &Engine, name: &'static str) -> usize {
    let scene: &Scene = &engine.scene();
    let cards = |of: &dyn Fn(&Card) -> bool| scene.cards.iter().filter(|card| of(card)).count();
    match name {
        "paused" => cards(&|card| card.status == Status::Paused),
        "leading" | "following" | "looking" | "crashed" => cards(&|card| card.face.class() == name),
        "queued" | "logged" | "open" | "applied" | "knew" | "lost" => {
            scene.cards.iter().flat_map(|card| &card.strip).filter(|square| square.sign() == name).count()
        }
        "meter" => scene.meters.len(),
        "queue" => scene.queues.len(),
        packet => engine.marked_packets(packet),
    }
}

/// What the page tells it.
#[derive(Clone, PartialEq, Properties)]
pub(in crate::ui) struct Props {
    pub lang: Lang,
}

/// The legend.
#[component]
pub(in crate::ui) fn Legend(props: &Props) -> Html {
    let context = use_page_context();
    let words = page(props.lang);
    let on = use_state_eq(|| None::<&'static str>);
    use_effect_with((*on, context.engine.clone()), |(on, engine)| {
        engine.set_mark(*on);
        let engine = engine.clone();
        move || engine.set_mark(None)
    });
    let there = use_model(&context.engine, *on, |engine, on| on.map(|name| count(engine, name)));
    let names = SERVERS.iter().map(|(name, _)| *name).chain(words.legend.iter().map(|(name, _)| *name));
    let entry = |name: &'static str| {
        let enter = {
            let on = on.setter();
            move || on.set(Some(name))
        };
        let (over, focus) = (enter.clone(), enter.clone());
        let out = on.setter();
        let left = on.setter();
        let (short, sentence) = entry_words(name, props.lang);
        html! {
            <li key={name}>
                <button class={classes!((*on == Some(name)).then_some("on"))} aria-label={format!("{short}: {sentence}")}
                    onpointerenter={move |_: PointerEvent| over()} onpointerleave={move |_: PointerEvent| out.set(None)}
                    onfocus={move |_: FocusEvent| focus()} onblur={move |_: FocusEvent| left.set(None)}
                    onclick={move |_: MouseEvent| enter()}>
                    <span class="signs" aria-hidden="true">{ sign(name) }</span><span>{ short }</span>
                </button>
            </li>
        }
    };
    let said = match (*on, *there) {
        (Some(name), Some(count)) => {
            format!("{} · {}", entry_words(name, props.lang).1, fill(words.legend_now, &[&count]))
        }
        _ => words.legend_hint.to_string(),
    };
    html! {
        <section class="legend-side" aria-label={words.legend_label}>
            <p aria-live="polite">{ said }</p>
            <ul>{ for names.map(entry) }</ul>
        </section>
    }
}
