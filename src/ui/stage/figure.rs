//! The nodes of a figure as buttons: who presses one sees it in the panel of znodes.

use std::rc::Rc;

use yew::prelude::*;

use crate::draw::Layout;
use crate::draw::figure::{Frame, Plan};
use crate::i18n::Lang;
use crate::i18n::page::{fill, page};
use crate::view::figure::{Figure, Leaf, Ticket};

use crate::ui::kit::browser::place;
use crate::ui::page::panel::Panel;
use crate::ui::page::state::{UiAction, use_page_context};

/// A node and where it stands.
#[derive(Clone, PartialEq, Properties)]
pub(in crate::ui) struct Props {
    pub path: Rc<str>,
    pub label: String,
    pub frame: Frame,
}

fn ticket_words(ticket: &Ticket, lang: Lang) -> String {
    let words = page(lang);
    match ticket.client {
        Some(client) => fill(words.figure_ticket, &[&ticket.path, &client]),
        None => fill(words.figure_node, &[&ticket.path]),
    }
}

fn leaf_words(leaf: &Leaf, lang: Lang) -> String {
    fill(page(lang).figure_leaf, &[&leaf.path, &leaf.version, &leaf.data])
}

/// What a figure shows, in words: its tickets, and who watches what.
pub(in crate::ui) fn figure_words(figure: &Figure, most: usize, lang: Lang) -> Vec<String> {
    let words = page(lang);
    let ticket = |ticket: &Ticket| match ticket.there {
        true => ticket_words(ticket, lang),
        false => format!("{}: {}", ticket_words(ticket, lang), words.figure_gone),
    };
    let mut lines: Vec<String> = figure.tickets().take(most).map(ticket).collect();
    if let Some(store) = &figure.store {
        lines.extend(store.leaves.iter().take(most).map(|leaf| leaf_words(leaf, lang)));
        let tenths = |tenths: u64| format!("{}.{}", tenths / 10, tenths % 10);
        lines.extend(store.sessions.iter().take(most).filter_map(|session| {
            let (left, of) = session.left?;
            Some(fill(words.figure_session, &[&session.client, &tenths(left), &tenths(of)]))
        }));
    }
    lines.extend(figure.tethers.iter().take(most).map(|tether| {
        let words = if tether.fired.is_some() { words.figure_fired } else { words.figure_watch };
        fill(words, &[&tether.client, &tether.path, &tether.server])
    }));
    lines
}

/// All nodes of the figure that the stage shows; nothing where it shows none.
pub(in crate::ui) fn nodes(layout: &Layout, lang: Lang) -> Html {
    layout.plan.as_ref().map_or_else(Html::default, |plan| buttons(plan, lang))
}

fn buttons(plan: &Plan, lang: Lang) -> Html {
    let parents = plan.parents.iter().map(|(path, frame)| (path, *frame, fill(page(lang).figure_node, &[path])));
    let ticket = |ticket| {
        let ticket: &Ticket = ticket;
        plan.node(&ticket.path).map(|frame| (&ticket.path, frame, ticket_words(ticket, lang)))
    };
    let leaf = |leaf| {
        let leaf: &Leaf = leaf;
        plan.node(&leaf.path).map(|frame| (&leaf.path, frame, leaf_words(leaf, lang)))
    };
    let leaves = plan.figure.store.iter().flat_map(|store| store.leaves.iter().filter_map(leaf));
    let all = parents.chain(plan.figure.tickets().filter_map(ticket)).chain(leaves);
    html! {
        <div class="nodes">
            { for all.map(|(path, frame, label)| html! { <Node key={path.to_string()} path={path.clone()} {label} {frame} /> }) }
        </div>
    }
}

#[component]
fn Node(props: &Props) -> Html {
    let context = use_page_context();
    let node = use_node_ref();
    use_effect_with((node.clone(), props.frame), |(node, frame)| {
        if let Some(element) = node.cast::<web_sys::Element>() {
            let at = frame.corner();
            place(&element, at.x, at.y, Some(frame.width), Some(frame.height));
        }
    });
    let path = props.path.clone();
    let choose = Callback::from(move |event: MouseEvent| {
        event.stop_propagation();
        context.engine.ask_for_znode(path.clone());
        context.choose.dispatch(UiAction::Panel(Panel::Znodes));
    });
    html! { <button ref={node} class="node" onclick={choose} aria-label={props.label.clone()} data-path={props.path.to_string()} /> }
}
