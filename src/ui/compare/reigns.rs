//! Who led when, in two bands over one time: the plot of two elections beside each other. It stands in the place of both stages, which come
//! back on a press.

use yew::prelude::*;

use super::growth::ticks;
use super::names::titles;
use crate::base::{Arrange, ClientId};
use crate::draw::stage::crown_icon;
use crate::i18n::page::{fill, page};
use crate::i18n::wording::LETTERS;
use crate::i18n::{Lang, action_words};
use crate::timeline::{Session, Side};
use crate::ui::engine::Engine;
use crate::ui::engine::model::use_model;
use crate::ui::page::state::use_page_context;
use crate::ui::time::action_marks::is_fault;
use crate::view::Crown;
use crate::view::comparison::{Counter, topic};
use crate::view::reigns::{Reigns, Span};

/// So many clients have a line of their own; of more, all reigns stand in one.
const LINES: usize = 8;
/// How much of the width a word needs, in thousandths: a crown or a name, a length of time, what was done.
const SIGN: u64 = 22;
/// Less has no room for a crown on a phone.
const NARROW: u64 = 60;
const TIME: u64 = 95;
const DEED: u64 = 190;

/// What the page tells it.
#[derive(Clone, PartialEq, Properties)]
pub(super) struct Props {
    pub lang: Lang,
}

#[derive(PartialEq)]
struct Model {
    sides: [Reigns; 2],
    /// Whoever takes part on either side.
    clients: Vec<ClientId>,
    titles: [String; 2],
    /// The stretch of time that is shown, µs.
    span: Span,
    /// What was done to somebody: when, µs, and in words.
    deeds: Vec<(u64, String)>,
}

/// Those of both runs, where the pair is about who leads.
pub(super) fn of_pair(engine: &Engine) -> Option<[Reigns; 2]> {
    let pair = engine.pair();
    (topic(&pair) == Some(Counter::Handovers))
        .then(|| [Side::Left, Side::Right].map(|side| Reigns::of(pair.session(side))))
}

fn model(engine: &Engine, lang: &Lang) -> Option<Model> {
    let sides = of_pair(engine)?;
    let pair = engine.pair();
    let left = pair.left();
    let lanes = || sides.iter().flat_map(|side| &side.lanes);
    let mut clients: Vec<ClientId> = lanes().map(|lane| lane.client).collect();
    clients.arrange();
    clients.dedup();
    let from = lanes().map(|lane| lane.born_us).min().unwrap_or(0);
    let span = (from, left.extent().0.max(from + 1));
    Some(Model { clients, titles: titles(&pair, *lang), span, deeds: deeds(left, from, *lang), sides })
}

/// The faults up to now.
fn deeds(session: &Session, from: u64, lang: Lang) -> Vec<(u64, String)> {
    let now = session.cursor_us() as u64;
    let faults = session.actions().iter().filter(|timed| is_fault(&timed.action));
    let seen = faults.map(|timed| (timed.at_us.0, &timed.action)).filter(|(at, _)| (from..=now).contains(at));
    seen.map(|(at, action)| (at, action_words(lang, action))).collect()
}

impl Model {
    /// How far a stretch of time reaches, in thousandths of the width.
    fn wide(&self, us: u64) -> u64 {
        us * 1_000 / (self.span.1 - self.span.0).max(1)
    }

    fn x(&self, at: u64) -> String {
        tenths(self.wide(at.saturating_sub(self.span.0)))
    }

    fn bar(&self, class: &'static str, (from, to): Span, (top, high): (u64, u64)) -> Html {
        let wide = self.wide(to - from).max(1);
        html! {
            <rect {class} x={self.x(from)} y={tenths(top)} width={tenths(wide)} height={tenths(high)} rx="4" />
        }
    }
}

/// Thousandths as percent.
fn tenths(thousandths: u64) -> String {
    format!("{}.{}%", thousandths / 10, thousandths % 10)
}

pub(super) fn seconds(us: u64) -> String {
    format!("{}.{}", us / 1_000_000, us / 100_000 % 10)
}

/// A picture around a moment of a line.
fn sign(class: &'static str, x: String, middle: u64, move_by: &'static str, d: String) -> Html {
    html! {
        <svg {x} y={tenths(middle)} overflow="visible" aria-hidden="true"><path {class} transform={move_by} {d} /></svg>
    }
}

/// One run: a line for each client, or one for all.
fn band(model: &Model, side: usize, lang: Lang) -> Html {
    let reigns = &model.sides[side];
    let one = model.clients.len() > LINES;
    let lines = if one { 1 } else { model.clients.len().max(1) as u64 };
    let line = |client| {
        let place = model.clients.iter().position(|one| *one == client).unwrap_or(0) as u64;
        let high = 1_000 / lines;
        if one { (250, 500) } else { (place * high + high / 8, high * 3 / 4) }
    };
    let lane = |lane: &crate::view::reigns::Lane| {
        let (top, high) = line(lane.client);
        let middle = top + high / 2;
        let reign = |&(from, to): &Span| {
            let wide = model.wide(to - from);
            let inside = (model.x(from), tenths(middle));
            html! {
                <>
                    { model.bar("hold", (from, to), (top, high)) }
                    if wide >= SIGN && one {
                        <text class="in" x={inside.0.clone()} y={inside.1.clone()} dx="5">{ lane.client.to_string() }</text>
                    } else if wide >= SIGN {
                        { sign(if wide < NARROW { "crown word" } else { "crown" }, inside.0.clone(), middle, "translate(6 -8) scale(.8)", crown_icon(Crown::Whole).data()) }
                    }
                    if wide >= TIME && !one {
                        <text class="in" x={inside.0} y={inside.1} dx="28">{ fill(page(lang).seconds, &[&seconds(to - from)]) }</text>
                    }
                </>
            }
        };
        let gone = lane.gone_us.filter(|_| !one);
        html! {
            <g key={lane.client.0}>
                { for lane.held.iter().map(reign) }
                { for gone.map(|at| sign("gone", model.x(at), middle, "translate(10 0)", "M-6-6 6 6M6-6-6 6".into())) }
            </g>
        }
    };
    let nobody = |&(from, to): &Span| {
        let middle = model.x(from + (to - from) / 2);
        html! {
            <>
                { model.bar("nobody", (from, to), (0, 1_000)) }
                if model.wide(to - from) >= TIME {
                    <text class="nobody word" x={middle.clone()} y="50%" dy="-4">{ page(lang).compare_nobody }</text>
                    <text class="nobody" x={middle} y="50%" dy="16">{ fill(page(lang).seconds, &[&seconds(to - from)]) }</text>
                }
            </>
        }
    };
    let deed = |(at, _): &(u64, String)| html! { <line class="fault" x1={model.x(*at)} x2={model.x(*at)} y1="0" y2="100%" /> };
    html! {
        <div class={classes!("band-of", LETTERS[side].to_lowercase())}>
            <ol aria-hidden="true">
                { for model.clients.iter().filter(|_| !one).map(|client| html! { <li>{ client.to_string() }</li> }) }
            </ol>
            <svg role="img" aria-label={in_words(model, side, lang)}>
                { for reigns.nobody.iter().map(nobody) }
                { for model.deeds.iter().map(deed) }
                { for reigns.lanes.iter().map(lane) }
            </svg>
        </div>
    }
}

/// The same for whoever does not see it.
fn in_words(model: &Model, side: usize, lang: Lang) -> String {
    let lanes = &model.sides[side].lanes;
    let mut all: Vec<_> = lanes.iter().flat_map(|lane| lane.held.iter().map(|span| (*span, lane.client))).collect();
    all.arrange();
    let told = all
        .iter()
        .map(|((from, to), client)| fill(page(lang).compare_led, &[client, &seconds(*from), &seconds(*to)]));
    format!("{} {}: {}", LETTERS[side], model.titles[side], told.collect::<Vec<_>>().join(" "))
}

/// What was done, above both bands, as far as there is room to say it before the button.
fn said(model: &Model) -> Html {
    let mut free = 0;
    let words = model.deeds.iter().filter_map(|(at, words)| {
        let x = model.wide(at - model.span.0);
        (x >= free && x + DEED <= 900).then(|| {
            free = x + DEED;
            html! { <text x={tenths(x)} y="14">{ words.clone() }</text> }
        })
    });
    html! { <svg class="said" aria-hidden="true">{ for words }</svg> }
}

fn axis(model: &Model, lang: Lang) -> Html {
    let (from, to) = model.span;
    let at = ticks(to / 1_000_000).map(|second| (second * 1_000_000, second)).filter(|(at, _)| *at >= from);
    html! {
        <svg class="axis" aria-hidden="true">
            { for at.map(|(at, second)| html! { <text x={model.x(at)} y="15">{ fill(page(lang).seconds, &[&second]) }</text> }) }
        </svg>
    }
}

/// The bands, or how they come back; nothing where the pair is about something else.
#[component]
pub(super) fn WhoLed(props: &Props) -> Html {
    let context = use_page_context();
    let model = use_model(&context.engine, props.lang, model);
    let open = use_state(|| true);
    let Some(model) = &*model else { return Html::default() };
    let words = page(props.lang);
    let turn = {
        let open = open.clone();
        Callback::from(move |_: MouseEvent| open.set(!*open))
    };
    html! {
        <figure class={classes!("led", open.then_some("open"))} aria-label={words.compare_led_when}>
            if *open {
                { said(model) }
                { band(model, 0, props.lang) }
                { band(model, 1, props.lang) }
                { axis(model, props.lang) }
            }
            <button class="chip" onclick={turn}>{ if *open { words.compare_stages } else { words.compare_led_when } }</button>
        </figure>
    }
}
