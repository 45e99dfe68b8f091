//! Splitting the ensemble without a pointer, and what a split one says on the stage.

use yew::prelude::*;

use crate::base::{ClientId, Node, ServerId, ServerSet, SortedSet};
use crate::draw::{Layout, Point};
use crate::i18n::Lang;
use crate::i18n::page::{fill, page};
use crate::sim::Action;
use crate::view::{Face, Group};

use crate::ui::engine::Engine;
use crate::ui::engine::model::use_model;
use crate::ui::kit::browser::place;
use crate::ui::page::dialog::Dialog;
use crate::ui::page::state::{Selection, UiAction, use_page_context};

/// How far the sign stays from the stage's edge.
const EDGE: f64 = 10.0;

/// What the page tells the form.
#[derive(Clone, PartialEq, Properties)]
pub(in crate::ui) struct Props {
    pub lang: Lang,
    pub picked: Selection,
}

/// What cuts these servers off from the others, and these clients off from everybody but them.
fn split(engine: &Engine, side: ServerSet, clients: &SortedSet<ClientId>) -> Option<Action> {
    let rest: ServerSet = engine.servers().into_iter().filter(|id| !side.contains(*id)).collect();
    if side.is_empty() || rest.is_empty() {
        return None;
    }
    if clients.is_empty() {
        return Some(Action::Cut { from: side, to: rest, one_way: false });
    }
    let here = side.iter().map(Node::from).chain(clients.iter().map(|id| Node::from(*id)));
    let links = here.flat_map(|node| rest.iter().map(move |server| (node, server.into()))).collect();
    Some(Action::CutLinks { links })
}

/// The form: who stands on one side.
#[component]
pub(in crate::ui) fn Partition(props: &Props) -> Html {
    let context = use_page_context();
    let words = page(props.lang);
    let first = match props.picked {
        Selection::Server(id) => [id].into_iter().collect(),
        _ => ServerSet::EMPTY,
    };
    let side = use_state(|| first);
    let along = use_state(SortedSet::<ClientId>::new);
    let wrong = use_state_eq(|| false);
    let start = {
        let (context, side, along, say) = (context.clone(), side.clone(), along.clone(), wrong.setter());
        Callback::from(move |event: SubmitEvent| {
            event.prevent_default();
            match split(&context.engine, *side, &along) {
                Some(action) => {
                    context.engine.act(action);
                    context.choose.dispatch(UiAction::Close);
                }
                None => say.set(true),
            }
        })
    };
    let server = |id: ServerId| {
        let (side, ticked) = (side.clone(), side.contains(id));
        let toggle = Callback::from(move |_: Event| {
            side.set(side.iter().filter(|one| *one != id).chain((!ticked).then_some(id)).collect());
        });
        tick(id.to_string(), ticked, toggle)
    };
    let client = |id: ClientId| {
        let (along, ticked) = (along.clone(), along.contains(&id));
        let toggle = Callback::from(move |_: Event| {
            let mut next = (*along).clone();
            let _ = if ticked { next.remove(&id) } else { next.insert(id) };
            along.set(next);
        });
        tick(id.to_string(), ticked, toggle)
    };
    let clients: Vec<ClientId> = context.engine.scene().clients.iter().map(|client| client.id).collect();
    html! {
        <Dialog title={words.partition_title} lang={props.lang}>
            <form class="partition" onsubmit={start}>
                <p>{ words.partition_hint }</p>
                <fieldset>
                    <legend>{ words.partition_servers }</legend>
                    { for context.engine.servers().into_iter().map(server) }
                </fieldset>
                if !clients.is_empty() {
                    <fieldset>
                        <legend>{ words.partition_clients }</legend>
                        { for clients.into_iter().map(client) }
                    </fieldset>
                }
                <p class="wrong" role="alert">{ if *wrong { words.partition_nothing } else { "" } }</p>
                <button>{ words.partition_cut }</button>
            </form>
        </Dialog>
    }
}

fn tick(name: String, checked: bool, onchange: Callback<Event>) -> Html {
    html! { <label key={name.clone()}><input type="checkbox" {checked} {onchange} /><span>{ name }</span></label> }
}

/// What the stage tells the sign.
#[derive(Clone, PartialEq, Properties)]
pub(in crate::ui) struct SplitProps {
    pub lang: Lang,
}

/// Where a sign of so many lines has room: the first corner in which it hides nothing.
fn corner(layout: &Layout, lead: &[ServerId], lines: usize, longest: usize) -> Option<Point> {
    let (letter, line) = if layout.hall { (12.0, 34.0) } else { (8.0, 24.0) };
    layout.free_corner((40.0 + longest as f64 * letter, 12.0 + lines as f64 * line), EDGE, lead)
}

/// Which groups there are while the ensemble is split. Where the sign has no room it is only heard.
#[component]
pub(in crate::ui) fn Split(props: &SplitProps) -> Html {
    let context = use_page_context();
    let model = use_model(&context.engine, (), |engine, ()| {
        let scene = engine.scene();
        let lead = scene.cards.iter().filter(|card| card.face == Face::Leading).map(|card| card.id);
        (scene.groups(), engine.layout(), lead.collect::<Vec<_>>())
    });
    let (groups, layout, lead) = &*model;
    let said: Vec<String> = groups.iter().map(|group| member(group, props.lang)).collect();
    let width = |text: &String| text.chars().map(|letter| if letter.is_ascii() { 1 } else { 2 }).sum();
    let spot = corner(layout, lead, said.len(), said.iter().map(width).max().unwrap_or(0));
    let node = use_node_ref();
    use_effect_with((node.clone(), spot), |(node, spot)| {
        if let (Some(element), Some(spot)) = (node.cast::<web_sys::Element>(), spot) {
            place(&element, spot.x, spot.y, None, None);
        }
    });
    let counted = groups.iter().any(|group| group.counted);
    let title = if counted { page(props.lang).groups_title } else { page(props.lang).split_title };
    let class = classes!("split", groups.is_empty().then_some("none"), spot.is_none().then_some("unseen"));
    html! {
        <div {class} ref={node} role="status" aria-label={title}>
            { for groups.iter().zip(said).map(|(group, said)| html! {
                <p key={said.clone()} class={if group.majority { "majority" } else { "minority" }}>{ said }</p>
            }) }
        </div>
    }
}

fn member(group: &Group, lang: Lang) -> String {
    let names: Vec<String> = group.servers.iter().map(|id| id.to_string()).collect();
    let words = page(lang);
    let said = match (group.counted, group.majority) {
        (true, true) => words.group_won,
        (true, false) => words.group_lost,
        (false, true) => words.split_majority,
        (false, false) => words.split_minority,
    };
    fill(said, &[&names.join(" ")])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sign_hides_no_card() {
        for (count, width, height, room) in
            [(3, 900.0, 500.0, true), (5, 900.0, 494.0, true), (9, 390.0, 300.0, false)]
        {
            let servers: Vec<ServerId> = (1..=count).map(ServerId).collect();
            let layout = Layout::new(&servers, width, height);
            assert_eq!(corner(&layout, &[], 2, 20).is_some(), room, "{count} servers at {width} by {height}");
        }
    }
}
