//! In place of the stage, before there is anything to ask: who uses the tree, it, and who keeps it.

use yew::prelude::*;

use crate::i18n::Lang;
use crate::i18n::page::{Page, fill, page};
use crate::view::overview::{Kept, Overview as View, User};

use crate::ui::engine::Engine;
use crate::ui::engine::model::use_model;
use crate::ui::page::state::use_page_context;

#[derive(Clone, PartialEq, Properties)]
pub(in crate::ui) struct Props {
    pub lang: Lang,
}

/// The picture; nothing where the lesson does not ask for it.
#[component]
pub(in crate::ui) fn Overview(props: &Props) -> Html {
    let context = use_page_context();
    let view = use_model(&context.engine, (), |engine: &Engine, ()| engine.overview());
    let Some(view) = &*view else { return Html::default() };
    let words = page(props.lang);
    let (root, leaves) = view.nodes.split_at(view.nodes.len().min(1));
    html! {
        <section class="overview" aria-label={words.overview}>
            <div class="users">
                <h2>{ words.overview_users }</h2>
                { for view.users.iter().map(|one| user(one, words)) }
            </div>
            <div class="small-tree">
                <h2>{ words.overview_tree }</h2>
                { for root.iter().map(node) }
                <div>{ for leaves.iter().map(node) }</div>
            </div>
            <div class="keepers">
                <h2>{ words.overview_keepers }</h2>
                { keepers(view, words) }
            </div>
            <p>{ words.overview_about }</p>
        </section>
    }
}

fn user(user: &User, words: &Page) -> Html {
    let deed = user.deed.as_ref().map(|(writes, name)| {
        let (class, say) = if *writes { ("writes", words.overview_writes) } else { ("reads", words.overview_reads) };
        html! { <span class={class}>{ fill(say, &[name]) }</span> }
    });
    html! { <p class="user"><b>{ fill(words.overview_user, &[&user.client]) }</b>{ " " }{ for deed }</p> }
}

fn node(node: &Kept) -> Html {
    html! {
        <p class={classes!("kept", node.written.then_some("written"))}>
            <span>{ node.name.clone() }</span>{ " " }<b>{ node.data.clone() }</b>
        </p>
    }
}

/// Each server with its own copy of the tree.
fn keepers(view: &View, words: &Page) -> Html {
    let keeper = |(id, has): &(crate::base::ServerId, Option<Vec<Option<String>>>)| {
        let whole = has.as_ref().is_some_and(|has| has.iter().all(Option::is_some));
        let say = match has {
            None if view.survives() => words.overview_survives,
            None => words.overview_down,
            Some(_) if whole => words.overview_whole,
            Some(_) => "",
        };
        let copy = view.nodes.iter().enumerate().map(|(at, _)| {
            let data = has.as_ref().and_then(|has| has.get(at).cloned().flatten());
            html! { <i>{ data.unwrap_or_default() }</i> }
        });
        html! {
            <p class={classes!("keeper", has.is_none().then_some("down"))}>
                <b>{ id.to_string() }</b>{ " " }<span>{ say }</span>
                <span class="copy" aria-hidden="true">{ for copy }</span>
            </p>
        }
    };
    html! { <>{ for view.keepers.iter().map(keeper) }</> }
}
