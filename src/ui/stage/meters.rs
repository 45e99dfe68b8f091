//! The quorum meters in the middle of the stage: one for everything that a leader waits for.

use yew::prelude::*;

use crate::draw::stage::{Shown, Wording, inside, shown};
use crate::i18n::Lang;
use crate::view::{Counted, Meter};

use crate::draw::epoch_colour;
use crate::ui::app::state::use_page_context;
use crate::ui::engine::Engine;
use crate::ui::kit::browser::place;
use crate::ui::kit::model::use_stage_model;
use crate::ui::stage::server_card::segments;

#[derive(Clone, PartialEq, Properties)]
pub(in crate::ui) struct Props {
    pub lang: Lang,
}

fn model(engine: &Engine, (): &()) -> Shown {
    shown(&engine.layout(), &engine.scene())
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

/// About how wide the label of a tight count is, with the leader before it: measuring it would lay the page out anew, CSS pixels.
fn width_of(counted: &str) -> f64 {
    let letter = |letter: char| if letter.is_ascii() { 6.8 } else { 12.0 };
    counted.chars().map(letter).sum::<f64>() + 44.0
}

/// One count, and by which leader.
fn row(meter: &Meter, lang: Lang) -> Html {
    let (have, of) = (meter.have.len(), meter.of.len());
    let counted = lang.meter(meter);
    let class = classes!("meter", meter_colour(meter), meter.done.then_some("done"));
    html! {
        <li key={format!("{}{counted}", meter.leader)} {class}>
            <span class="z">{ format!("{} · {counted}", meter.leader) }</span>
            { segments(have, of, meter.need) }
            <span class="count">{ format!("{have}/{}", meter.need) }</span>
        </li>
    }
}

/// The meters.
#[component]
pub(in crate::ui) fn Meters(props: &Props) -> Html {
    let context = use_page_context();
    let model = use_stage_model(&context.engine, (), model);
    let node = use_node_ref();
    let meters = &model.meters;
    let longest = meters.iter().take(model.rows).map(|meter| width_of(&props.lang.meter(meter))).fold(0.0, f64::max);
    let (stage, wide) = (model.stage, if model.tight { longest } else { 0.0 });
    use_effect_with((node.clone(), model.centre, stage, wide), |(node, centre, stage, wide)| {
        if let Some(element) = node.cast::<web_sys::Element>() {
            place(&element, inside(centre.x, *stage, *wide), centre.y, None, None);
        }
    });
    let more = meters.len().saturating_sub(model.rows);
    let class = classes!("meters", model.tight.then_some("tight"), meters.is_empty().then_some("none"));
    html! {
        <div ref={node} {class}>
            <ul>{ for meters.iter().take(model.rows).map(|meter| row(meter, props.lang)) }</ul>
            <p>{ if more > 0 { format!("+{more}") } else { String::new() } }</p>
        </div>
    }
}
