//! What leaders count, at their cards: a row for everything that one waits for.

use yew::prelude::*;

use crate::draw::layout::NAME;
use crate::draw::stage::{Board, FigureWord, Wording, inside, shown, voters};
use crate::draw::surface::number;
use crate::i18n::Lang;
use crate::view::{Counted, Meter};

use crate::draw::epoch_colour;
use crate::ui::engine::Engine;
use crate::ui::engine::model::use_stage_model;
use crate::ui::kit::browser::place;
use crate::ui::page::state::use_page_context;
use crate::ui::stage::server_card::segments;

#[derive(Clone, PartialEq, Properties)]
pub(in crate::ui) struct Props {
    pub lang: Lang,
}

/// The boards, each with its middle and its width.
fn model(engine: &Engine, (): &()) -> Vec<(Board, (f64, f64, f64))> {
    let layout = engine.layout();
    let placed = |board: Board| {
        let (width, height) = board.place.size(&layout);
        let at = (inside(board.place.centre.x, layout.width, width), board.held_at(height), width);
        (board, at)
    };
    shown(&layout, &engine.scene()).into_iter().map(placed).collect()
}

/// The colour class of what is counted.
pub(in crate::ui) fn meter_colour(meter: &Meter) -> String {
    let epoch = match meter.counted {
        Counted::Connected => 0,
        Counted::Promises(epoch) | Counted::Histories(epoch) => epoch,
        Counted::Acks(zxid) => zxid.epoch(),
    };
    format!("e{}", epoch_colour(epoch))
}

/// A box with the name of each voter, those first who are counted, and a line behind the one that completes the majority.
fn named(meter: &Meter) -> Html {
    let wide = number(meter.of.len() as f64 * NAME + 4.0);
    let one = |(index, (id, have)): (usize, (crate::base::ServerId, bool))| {
        let x = index as f64 * NAME;
        html! {
            <g class={if have { "have" } else { "lack" }}>
                <rect x={number(x + 2.0)} y="3" width={number(NAME - 4.0)} height="18" rx="4" />
                <text x={number(x + NAME / 2.0)} y="12">{ id.to_string() }</text>
            </g>
        }
    };
    html! {
        <svg class="named" viewBox={format!("0 0 {wide} 24")} width={wide.clone()} height="24" aria-hidden="true">
            { for voters(meter).enumerate().map(one) }
            <path class="mark" d={format!("M{} 0v24", number(meter.need as f64 * NAME))} />
        </svg>
    }
}

/// One count, as it is labelled.
fn row(board: &Board, meter: &Meter, lang: Lang) -> Html {
    let (have, of) = (meter.have.len(), meter.of.len());
    let label = board.label(lang.meter(meter));
    let class =
        classes!("meter", meter_colour(meter), meter.done.then_some("done"), (have >= meter.need).then_some("full"));
    html! {
        <li key={label.clone()} {class}>
            <span class="z">{ label }</span>
            { if board.place.named { named(meter) } else { segments(have, of, meter.need) } }
            <span class="count">{ lang.figure(FigureWord::Of(have, of)) }</span>
        </li>
    }
}

/// All boards.
#[component]
pub(in crate::ui) fn Meters(props: &Props) -> Html {
    let context = use_page_context();
    let model = use_stage_model(&context.engine, (), model);
    html! {
        <div class="meters">
            { for model.iter().map(|(board, at)| html! {
                <OneBoard key={board.leader.0} lang={props.lang} board={board.clone()} at={*at} />
            }) }
        </div>
    }
}

#[derive(Clone, PartialEq, Properties)]
struct BoardProps {
    lang: Lang,
    board: Board,
    at: (f64, f64, f64),
}

/// What one leader counts, and how long its queue is.
#[component]
fn OneBoard(props: &BoardProps) -> Html {
    let node = use_node_ref();
    use_effect_with((node.clone(), props.at), |(node, (x, y, width))| {
        if let Some(element) = node.cast::<web_sys::Element>() {
            place(&element, *x, *y, Some(*width), None);
        }
    });
    let (board, place) = (&props.board, props.board.place);
    let class = classes!(
        "board",
        place.tight.then_some("tight"),
        place.named.then_some("of-names"),
        (place.beside && place.named).then_some("beside"),
        place.beside.then_some(if board.above { "above" } else { "below" })
    );
    let below = match board.queue {
        Some(queue) => props.lang.figure(FigureWord::Queue(queue)),
        None if board.more > 0 => format!("+{}", board.more),
        None => String::new(),
    };
    html! {
        <div ref={node} {class}>
            <ul>{ for board.meters.iter().map(|meter| row(board, meter, props.lang)) }</ul>
            <p>{ below }</p>
        </div>
    }
}
