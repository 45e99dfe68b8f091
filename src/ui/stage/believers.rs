//! The number of a lock that was lost: for how long two believed to hold it.

use yew::prelude::*;

use crate::draw::figure::Frame;
use crate::i18n::Lang;
use crate::i18n::page::{fill, page};
use crate::timeline::spacetime::Overlap;

use crate::ui::engine::Engine;
use crate::ui::engine::model::use_stage_model;
use crate::ui::kit::browser::place;
use crate::ui::page::state::use_page_context;

/// What the stage tells it.
#[derive(Clone, PartialEq, Properties)]
pub(in crate::ui) struct Props {
    pub lang: Lang,
}

/// The last time up to now that two believed, and for how long, ms; whether they still do; where there is room to say it.
fn model(engine: &Engine, (): &()) -> Option<(Overlap, u64, bool, Frame)> {
    let session = engine.session();
    // where servers are the topic, the ring needs the room
    let frame = engine.layout().plan.as_ref()?.believers?;
    let now = session.cursor_us() as u64;
    let last = session.diagram().overlaps().take_while(|overlap| overlap.from_us <= now).last()?;
    let end = last.to_us.min(now);
    Some((last, (end - last.from_us) / 1_000, last.to_us > now, frame))
}

/// The number, counting as long as both believe.
#[component]
pub(in crate::ui) fn Believers(props: &Props) -> Html {
    let context = use_page_context();
    let model = use_stage_model(&context.engine, (), model);
    let node = use_node_ref();
    let frame = (*model).map(|(.., frame)| frame);
    use_effect_with((node.clone(), frame), |(node, frame)| {
        if let Some((element, frame)) = node.cast::<web_sys::Element>().zip(*frame) {
            place(&element, frame.corner().x, frame.top(), Some(frame.width), Some(frame.height));
        }
    });
    let Some((overlap, ms, lasts, frame)) = *model else { return Html::default() };
    let words = page(props.lang);
    let about = if lasts { words.believers_now } else { words.believers_past };
    html! {
        <p ref={node} class={classes!("believers", lasts.then_some("lasts"), (frame.width > 4.0 * frame.height).then_some("across"))}>
            <b>{ fill(words.took, &[&ms]) }</b><span>{ fill(about, &[&overlap.clients.0, &overlap.clients.1]) }</span>
        </p>
    }
}
