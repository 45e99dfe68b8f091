//! Waiting that is seen: rings that drain at the cards of those who have waited for longer than usual, and what is being skipped.

use std::rc::Rc;

use yew::prelude::*;

use crate::base::{Micros, Node};
use crate::i18n::Lang;
use crate::i18n::page::{fill, page};
use crate::view::{Awaited, Waiting, waiting};

use crate::ui::engine::Engine;
use crate::ui::engine::model::use_stage_model;
use crate::ui::kit::browser::place;
use crate::ui::kit::shapes::control_icon;
use crate::ui::page::state::use_page_context;
use crate::ui::time::folds::{fold_words, tenths};

/// More rings than this would be a pattern, not news.
const MOST: usize = 12;

/// What the stage tells it.
#[derive(Clone, PartialEq, Properties)]
pub(in crate::ui) struct Props {
    pub lang: Lang,
}

/// A wait, and the upper right corner of a card or chip at which it stands, pixels.
type Placed = (Waiting, (i32, i32));

fn model(engine: &Engine, (): &()) -> Rc<[Placed]> {
    let session = engine.session();
    let layout = engine.layout();
    let corner = |who: Node| {
        let middle = match who {
            Node::Server(id) => layout.place(id),
            Node::Client(id) => layout.seat_of(id)?,
        };
        let (width, height) = layout.size(who);
        // whole on the stage, also at a card that stands at its upper edge: `.wait` has so much of it above this point
        let least = if layout.hall { 23.0 } else { 19.0 };
        Some(((middle.x + width / 2.0) as i32, (middle.y - height / 2.0).max(least) as i32))
    };
    let all = waiting(session.world()).into_iter();
    all.filter_map(|one| Some((one.clone(), corner(one.who)?))).take(MOST).collect()
}

/// The rings.
#[component]
pub(in crate::ui) fn Waits(props: &Props) -> Html {
    let context = use_page_context();
    let model = use_stage_model(&context.engine, (), model);
    html! {
        <div class="rings">
            { for model.iter().map(|(waiting, (x, y))| html! {
                <Ring key={waiting.who.to_string()} lang={props.lang} waiting={waiting.clone()} x={*x} y={*y} />
            }) }
        </div>
    }
}

/// How much is left: a wait for a better vote is over in a moment.
fn left(lang: Lang, us: Micros) -> String {
    match us {
        1_000_000.. => fill(page(lang).idle_short, &[&tenths(us)]),
        _ => fill(page(lang).took, &[&(us / 1_000)]),
    }
}

fn words(lang: Lang, waiting: &Waiting) -> String {
    let (words, left) = (page(lang), left(lang, waiting.left));
    let text = match waiting.awaited {
        Awaited::BetterVote => words.waits_vote,
        Awaited::Leader => words.waits_leader,
        Awaited::Quorum => words.waits_quorum,
        Awaited::Word(server) => return fill(words.waits_word, &[&waiting.who, &server, &left]),
        Awaited::Client => words.waits_client,
    };
    fill(text, &[&waiting.who, &left])
}

#[derive(Clone, PartialEq, Properties)]
struct RingProps {
    lang: Lang,
    waiting: Waiting,
    x: i32,
    y: i32,
}

/// A ring that drains clockwise from 12 o'clock, with what is left in seconds.
#[component]
fn Ring(props: &RingProps) -> Html {
    let node = use_node_ref();
    use_effect_with((node.clone(), props.x, props.y), |(node, x, y)| {
        if let Some(element) = node.cast::<web_sys::Element>() {
            place(&element, f64::from(*x), f64::from(*y), None, None);
        }
    });
    let waiting = &props.waiting;
    let share = waiting.share();
    let words = words(props.lang, waiting);
    html! {
        <span ref={node} class={classes!("wait", (share < 25).then_some("late"))} role="img" aria-label={words.clone()} title={words}>
            <svg viewBox="0 0 20 20" aria-hidden="true">
                <circle class="whole" cx="10" cy="10" r="7.5" />
                // what has passed is dashed away from 12 o'clock on
                <circle class="left" cx="10" cy="10" r="7.5" pathLength="100" transform="rotate(-90 10 10)"
                    stroke-dasharray={format!("0 {} {share} 0", 100 - share)} />
            </svg>
            { left(props.lang, waiting.left) }
        </span>
    }
}

/// What is being skipped at this moment.
#[component]
pub(in crate::ui) fn Skipping(props: &Props) -> Html {
    let context = use_page_context();
    let skipped = use_stage_model(&context.engine, (), |engine, ()| engine.session().skipping());
    let Some(idle) = *skipped else { return Html::default() };
    html! {
        <span class="skipping" aria-hidden="true">{ control_icon("skip") }{ fold_words(props.lang, &idle) }</span>
    }
}
