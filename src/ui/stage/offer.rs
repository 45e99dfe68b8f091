//! What a picked server's card offers without its menu: small buttons, each with its key.

use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};
use yew::prelude::*;

use crate::i18n::Lang;
use crate::i18n::page::{fill, page};

use crate::ui::engine::Engine;
use crate::ui::engine::model::{use_model, use_stage_model};
use crate::ui::kit::browser::place;
use crate::ui::page::state::{Selection, use_page_context};
use crate::ui::stage::menu::{Entry, MenuItem, Props, carry_out, entries};

/// What a picked server's card offers without its menu.
fn offered(engine: &Engine, picked: Selection, lang: Lang) -> Vec<Entry> {
    let is_offered = |entry: &Entry| matches!(entry.key, "C" | "P") || matches!(entry.does, MenuItem::Inspect);
    entries(engine, picked, lang).1.into_iter().filter(is_offered).collect()
}

/// From where to where counts stand on the stage of an element, between these edges.
fn counts(element: &Element, (left, right): (f64, f64)) -> Vec<(f64, f64)> {
    let Some(stage) = element.closest(".stage").ok().flatten() else { return Vec::new() };
    let (origin, found) = (stage.get_bounding_client_rect(), stage.query_selector_all(".meters > *"));
    let all = found.into_iter().flat_map(|found| (0..found.length()).filter_map(move |at| found.get(at)));
    all.filter_map(|count| {
        let at = count.dyn_into::<Element>().ok()?.get_bounding_client_rect();
        let crosses = at.left() - origin.left() < right && left < at.right() - origin.left();
        crosses.then(|| (at.top() - origin.top(), at.bottom() - origin.top()))
    })
    .collect()
}

/// Small buttons above the card of a server that is picked, or below where there is no room: what is done most, each with its key.
#[component]
pub(in crate::ui) fn Offer(props: &Props) -> Html {
    let context = use_page_context();
    let node = use_node_ref();
    let Props { lang, picked } = *props;
    let lines = use_model(&context.engine, (picked, lang), |engine, (picked, lang)| {
        offered(engine, *picked, *lang).into_iter().map(|line| (line.word, line.key)).collect::<Vec<_>>()
    });
    // the card's middle, half of its height, the stage's size, and how many counts there are
    let spot = use_stage_model(&context.engine, picked, |engine, picked| {
        let (layout, Selection::Server(id)) = (engine.layout(), *picked) else { return None };
        let counts = engine.scene().meters.len();
        Some((layout.place(id), layout.size(id.into()).1 / 2.0, (layout.width, layout.height), counts))
    });
    use_effect_with((node.clone(), spot, lines.clone()), move |(node, spot, _)| {
        if let (Some(element), Some((at, half, (width, height), _))) = (node.cast::<HtmlElement>(), **spot) {
            let (wide, high) = (f64::from(element.offset_width()), f64::from(element.offset_height()));
            let off = half + 6.0;
            let left = (at.x - wide / 2.0).min(width - wide - 4.0).max(4.0);
            let counts = counts(&element, (left, left + wide));
            let free = |top: &f64| *top >= 4.0 && counts.iter().all(|(from, to)| *top + high <= *from || *to <= *top);
            let over = counts.iter().map(|(from, _)| from - high - 4.0);
            let above = std::iter::once(at.y - off - high).chain(over).find(free);
            let top = above.unwrap_or((at.y + off).min(height - high));
            place(&element, left, top, None, None);
        }
    });
    let name = if let Selection::Server(id) = picked { id.to_string() } else { String::new() };
    let button = |(word, key): &(String, &'static str)| {
        let (context, wanted) = (context.clone(), word.clone());
        let act = Callback::from(move |event: MouseEvent| {
            event.stop_propagation();
            let lines = offered(&context.engine, picked, lang);
            if let Some(line) = lines.iter().find(|line| line.word == wanted) {
                carry_out(&context, &line.does);
            }
        });
        html! {
            <button key={word.clone()} class="chip" onclick={act} aria-label={format!("{word} {name}")}>
                { word.clone() }
                if !key.is_empty() { { " " }<kbd aria-hidden="true">{ *key }</kbd> }
            </button>
        }
    };
    html! {
        <div class="offer" ref={node} role="group"
            aria-label={fill(page(lang).menu_of, &[&name])}>{ for lines.iter().map(button) }</div>
    }
}
