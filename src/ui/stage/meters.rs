//! The quorum meters in the middle of the stage: one for everything that a leader waits for.

use yew::prelude::*;

use crate::draw::stage::{Shown, Wording, inside, shown};
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

/// About how wide a count is: measuring it would lay the page out anew, CSS pixels.
fn width_of(label: &str, of: usize, tight: bool) -> f64 {
    let (latin, chinese, beside) = if tight { (6.8, 12.0, 0.0) } else { (8.2, 14.5, of as f64 * 16.0 + 84.0) };
    let letter = |letter: char| if letter.is_ascii() { latin } else { chinese };
    label.chars().map(letter).sum::<f64>() + beside
}

/// One count, as it is labelled.
fn row(meter: &Meter, label: String) -> Html {
    let (have, of) = (meter.have.len(), meter.of.len());
    let class = classes!("meter", meter_colour(meter), meter.done.then_some("done"));
    html! {
        <li key={format!("{}{label}", meter.leader)} {class}>
            <span class="z">{ label }</span>
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
    let label = |meter: &Meter| model.label(meter, props.lang.meter(meter));
    let width = |meter: &Meter| width_of(&label(meter), meter.of.len(), model.tight);
    let (stage, wide) = (model.stage, meters.iter().take(model.rows).map(width).fold(0.0, f64::max));
    use_effect_with((node.clone(), model.centre, stage, wide), |(node, centre, stage, wide)| {
        if let Some(element) = node.cast::<web_sys::Element>() {
            place(&element, inside(centre.x, *stage, *wide), centre.y, None, None);
        }
    });
    let more = meters.len().saturating_sub(model.rows);
    let class = classes!("meters", model.tight.then_some("tight"), meters.is_empty().then_some("none"));
    html! {
        <div ref={node} {class}>
            <ul>{ for meters.iter().take(model.rows).map(|meter| row(meter, label(meter))) }</ul>
            <p>{ if more > 0 { format!("+{more}") } else { String::new() } }</p>
        </div>
    }
}
