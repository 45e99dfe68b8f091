//! The quorum meters in the middle of the stage: one for everything that a leader waits for.

use yew::prelude::*;

use crate::i18n::Lang;
use crate::i18n::page::{fill, page};
use crate::view::{Counted, Meter, Point};

use super::browser::place;
use super::engine::Engine;
use super::model::use_model;
use super::server_card::segments;
use super::state::use_reach;
use crate::view::epoch_colour;

#[derive(Clone, PartialEq, Properties)]
pub(super) struct Props {
    pub lang: Lang,
}

/// The meters, where they stand, and how many of them have room; the panel shows all.
fn model(engine: &Engine, (): &()) -> (Vec<Meter>, Point, usize) {
    let layout = engine.layout();
    let rows = if layout.width < 700.0 { layout.density.rows().min(2) } else { layout.density.rows() };
    let Some(room) = layout.room() else { return (Vec::new(), layout.middle(), rows) };
    let mut meters = engine.scene().meters.clone();
    if meters.len() > rows {
        meters.retain(|meter| !meter.done); // what still waits comes first
    }
    (meters, room, rows)
}

/// What a meter counts, in words.
pub(super) fn counted_words(meter: &Meter, lang: Lang) -> String {
    let words = page(lang);
    match meter.counted {
        Counted::Connected => words.meter_connect.to_string(),
        Counted::Promises(epoch) => fill(words.meter_promise, &[&epoch]),
        Counted::Histories(epoch) => fill(words.meter_history, &[&format!("{epoch}:0")]),
        Counted::Acks(zxid) => fill(words.meter_ack, &[&zxid]),
    }
}

/// The colour class of what is counted.
pub(super) fn meter_colour(meter: &Meter) -> String {
    let epoch = match meter.counted {
        Counted::Connected => 0,
        Counted::Promises(epoch) | Counted::Histories(epoch) => epoch,
        Counted::Acks(zxid) => zxid.epoch(),
    };
    format!("e{}", epoch_colour(epoch))
}

/// One count; `whose` says by which leader, where there are several.
fn row(meter: &Meter, whose: bool, lang: Lang) -> Html {
    let (have, of) = (meter.have.len(), meter.of.len());
    let counted = counted_words(meter, lang);
    let class = classes!("meter", meter_colour(meter), meter.done.then_some("done"));
    html! {
        <li key={format!("{}{counted}", meter.leader)} {class}>
            <span class="z">
                { if whose { format!("{} · ", meter.leader) } else { String::new() } }{ counted }
            </span>
            { segments(have, of, meter.need) }
            <span class="count">{ format!("{have}/{}", meter.need) }</span>
        </li>
    }
}

/// The meters.
#[component]
pub(super) fn Meters(props: &Props) -> Html {
    let reach = use_reach();
    let model = use_model(&reach.engine, (), model);
    let (meters, centre, shown) = &*model;
    let node = use_node_ref();
    use_effect_with((node.clone(), *centre), |(node, centre)| {
        if let Some(element) = node.cast::<web_sys::Element>() {
            place(&element, centre.x, centre.y, None, None);
        }
    });
    let more = meters.len().saturating_sub(*shown);
    let several = meters.iter().any(|meter| meter.leader != meters[0].leader);
    html! {
        <div ref={node} class={classes!("meters", (*shown < 4).then_some("tight"), meters.is_empty().then_some("none"))}>
            <ul>{ for meters.iter().take(*shown).map(|meter| row(meter, several, props.lang)) }</ul>
            <p>{ if more > 0 { format!("+{more}") } else { String::new() } }</p>
        </div>
    }
}
