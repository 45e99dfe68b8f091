//! A server on the stage: a button that says what the server is doing.

use yew::prelude::*;

use crate::daemon::Tone;
use crate::draw::Point;
use crate::draw::layout::Density;
use crate::draw::stage::{Wording, shorter, shown_lines, stamped, time_left};
use crate::draw::surface::number;
use crate::i18n::Lang;
use crate::i18n::page::{fill, page};
use crate::sim::{Known, Status};
use crate::view::{Card, Square, Tally};

use crate::draw::epoch_colour;
use crate::i18n::wording::role_words;
use crate::ui::engine::OnStage;
use crate::ui::engine::model::use_stage_model;
use crate::ui::kit::browser::place;
use crate::ui::kit::shapes::{crown_icon, role_icon};
use crate::ui::page::press::is_long;
use crate::ui::page::state::{Selection, UiAction, use_page_context};
use crate::ui::stage::asked::{asked, asked_class};

/// A card and where it stands.
#[derive(Clone, PartialEq, Properties)]
pub(in crate::ui) struct Props {
    pub card: Card,
    pub at: Point,
    /// Width and height.
    pub size: (f64, f64),
    /// Whether all that is seen of it is drawn below: its tables.
    pub panel: bool,
    pub density: Density,
    pub picked: bool,
    pub lang: Lang,
}

/// A server.
#[component]
pub(in crate::ui) fn ServerCard(props: &Props) -> Html {
    let context = use_page_context();
    let node = use_node_ref();
    use_effect_with((node.clone(), props.at, props.size), |&(ref node, at, (width, height))| {
        if let Some(element) = node.cast::<web_sys::Element>() {
            place(&element, at.x - width / 2.0, at.y - height / 2.0, Some(width), Some(height));
        }
    });
    let card = &props.card;
    let id = card.id;
    let mark = use_stage_model(&context.engine, OnStage::Server(id), |engine, what| engine.lesson_mark(*what));
    let open = Callback::from(move |event: MouseEvent| {
        event.prevent_default();
        event.stop_propagation();
        if event.type_() == "click" && !is_long() && context.engine.pick_on_stage(OnStage::Server(id)) {
            return;
        }
        context.choose.dispatch(UiAction::Open(Selection::Server(id)));
    });
    let paused = card.status == Status::Paused;
    let crowned = card.is_of_other_system() && card.crown().is_some();
    let class = classes!(
        "card",
        card.face.class(),
        props.density.class(),
        card.established.then_some("established"),
        crowned.then_some("leading established"),
        card.overtaken.then_some("overtaken"),
        paused.then_some("paused"),
        props.panel.then_some("panel"),
        props.picked.then_some("picked"),
        asked_class(*mark),
    );
    html! {
        <button ref={node} {class} onclick={open.clone()} oncontextmenu={open} aria-haspopup="menu" data-server={id.to_string()}>
            // the name is content, as what is seen is more than a label
            { asked(*mark, props.lang) }
            <span class="unseen">{ spoken(card, props.lang) }</span>
            if !props.panel {
                <span class="top" aria-hidden="true">
                    <b>{ id.to_string() }</b>
                    { card.crown().filter(|_| !paused).map_or_else(|| role_icon(card.sign(), paused), crown_icon) }
                    { role(card, props) }
                </span>
                if card.is_of_other_system() {
                    { badge(card, props.density) }
                } else {
                    <span class="second" aria-hidden="true">{ second(card, props.density, props.lang) }</span>
                    { strip(&card.strip, props.density) }
                    <span class="foot" aria-hidden="true">
                        <span>{ props.lang.epochs(card) }</span>
                        <span class="z">{ props.lang.last(card) }</span>
                    </span>
                }
            }
        </button>
    }
}

/// Its role, or for whom it votes where there is no room for both.
fn role(card: &Card, props: &Props) -> Html {
    const LONG: usize = 11;
    let said = card.tally.filter(|_| props.density.is_tight()).map_or_else(|| props.lang.role(card), voted);
    html! { <span class={classes!("role", (said.chars().count() >= LONG).then_some("long"))}>{ said }</span> }
}

/// What a machine of another system says of itself, as many lines as there is room for.
fn badge(card: &Card, density: Density) -> Html {
    html! {
        <span class="badge" aria-hidden="true">
            { for shown_lines(card, density).map(|line| (line, stamped(&line.value))).map(|(line, (value, stamp))| html! {
                <span class={line.tone.class()}>
                    <span>{ &line.label }</span>
                    <span class={classes!("z", term_colour(line.tone), stamp.map(|_| "stamped"))}>
                        { value }
                        { for stamp.map(|stamp| html! { <small>{ format!(" {stamp}") }</small> }) }
                    </span>
                    if let Some((left, of)) = line.left {
                        <span class="left">
                            <progress value={left.to_string()} max={of.max(1).to_string()} />
                            <span class="z">{ time_left(left) }</span>
                        </span>
                    }
                </span>
            }) }
        </span>
    }
}

/// The colour class of a reign's number.
fn term_colour(tone: Tone) -> Option<String> {
    if let Tone::Term(term) = tone { Some(format!("e{}", epoch_colour(term as u32))) } else { None }
}

/// The line below the role, with the count of a vote.
fn second(card: &Card, density: Density, lang: Lang) -> Html {
    /// So many boxes leave room for all words, in Chinese too.
    const FEW: usize = 3;
    let tally = card.tally.as_ref();
    let said = lang.second(card);
    let short = density == Density::Compact || tally.is_some_and(|tally| tally.of > FEW);
    html! {
        <>
            <span>{ if short { shorter(&said) } else { said.as_str() } }</span>
            { for tally.map(|tally| segments(tally.votes.len(), tally.of, tally.need)) }
        </>
    }
}

/// For whom a server votes, in the place of its role: the lens beside it says that it looks.
fn voted(tally: Tally) -> String {
    format!("→ {}", tally.leader)
}

/// A card in words.
pub(super) fn spoken(card: &Card, lang: Lang) -> String {
    if card.is_of_other_system() {
        let said = card.badge.lines.iter().map(|line| format!("{} {}", line.label, line.value));
        let said = std::iter::once(role_words(card, lang)).chain(said).collect::<Vec<_>>();
        return format!("{}, {}", card.id, said.join(", "));
    }
    if card.alone {
        return fill(page(lang).server_label_alone, &[&card.id, &role_words(card, lang), &card.last]);
    }
    fill(page(lang).server_label, &[&card.id, &role_words(card, lang), &card.current, &card.last])
}

/// A count as segments with a line behind the one that completes the majority.
pub(in crate::ui) fn segments(have: usize, of: usize, need: usize) -> Html {
    const STEP: usize = 14;
    let width = (of * STEP + 2).to_string();
    // boxes of one kind are one outline: there are many counts, and they change often
    let boxes = |from: usize, to: usize| {
        (from..to).map(|index| {
            format!("M{} 3h7a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2h-7a2 2 0 0 1-2-2v-8a2 2 0 0 1 2-2z", index * STEP + 3)
        })
    };
    html! {
        <svg class={classes!("segments", (have >= need).then_some("full"))} viewBox={format!("0 0 {width} 18")}
            width={width.clone()} height="18" aria-hidden="true">
            <path class="have" d={boxes(0, have).collect::<String>()} />
            <path class="lack" d={boxes(have, of).collect::<String>()} />
            <path class="mark" d={format!("M{} 0v18", need * STEP)} />
        </svg>
    }
}

/// The last transactions. A place keeps its element: when they move on by one, most places look as before.
pub(in crate::ui) fn strip(squares: &[Square], density: Density) -> Html {
    let (size, step) = density.strip();
    let shown = &squares[squares.len().saturating_sub(density.squares())..];
    let (width, height) = (number(step * density.squares() as f64), number(size + 2.0));
    html! {
        <svg class="strip" viewBox={format!("0 0 {width} {height}")} {width} {height} aria-hidden="true">
            <g>
                { for shown.iter().enumerate().map(|(index, square)| {
                    one(square, 1.0 + index as f64 * step, size - 1.0)
                }) }
            </g>
        </svg>
    }
}

/// One transaction alone, as a sign.
pub(in crate::ui) fn square_sign(square: &Square) -> Html {
    html! {
        <svg class="strip" viewBox="-1 -1 20 20" width="20" height="20" aria-hidden="true">{ one(square, 1.0, 15.0) }</svg>
    }
}

fn one(square: &Square, x: f64, size: f64) -> Html {
    let class = classes!(
        "sq",
        format!("e{}", epoch_colour(square.zxid.epoch())),
        square.sign(),
        (square.known == Known::Committed).then_some("full"),
    );
    html! {
        <g {class} data-zxid={square.zxid.to_string()}>
            <rect x={number(x)} y="1.5" width={number(size)} height={number(size)} rx={number(size / 5.0)} />
            if square.sign() == "open" {
                <rect class="half" x={number(x)} y={number(1.5 + size / 2.0)} width={number(size)} height={number(size / 2.0)} />
            }
            if square.lost {
                <path d={format!("M{} {}L{} 0", number(x - 1.0), number(size + 2.0), number(x + size + 1.0))} />
            }
        </g>
    }
}
