//! What is on each disk, how the trees stand to each other, what is wrong with files; and the question whose a disk is.

use std::rc::Rc;

use web_sys::HtmlInputElement;
use yew::prelude::*;

use crate::disks::report::{Report, Server};
use crate::i18n::Lang;
use crate::i18n::disks::{refusal, tree, trouble};
use crate::i18n::page::{Page, fill, page};

use crate::ui::disks::Known;
use crate::ui::page::state::use_page_context;

/// So many troubles are listed: a broken archive has one for each of its files.
const LISTED: usize = 50;

/// Servers, trees, troubles.
pub(super) fn servers(report: &Report, lang: Lang) -> Html {
    let words = page(lang);
    let more = report.troubles.len().saturating_sub(LISTED);
    html! {
        <>
            if !report.troubles.is_empty() {
                <h3>{ words.disks_wrong }</h3>
                <ul class="disk-troubles">
                    { for report.troubles.iter().take(LISTED).map(|one| html! { <li>{ trouble(lang, one) }</li> }) }
                    if more > 0 { <li>{ fill(words.disks_more, &[&more]) }</li> }
                </ul>
            }
            if !report.trees.is_empty() {
                <h3>{ words.disks_trees }</h3>
                <ul>{ for report.trees.iter().map(|one| html! { <li>{ tree(lang, report, one) }</li> }) }</ul>
            }
            if !report.servers.is_empty() {
                <h3>{ words.disks_servers }</h3>
                { table(report, lang) }
            }
        </>
    }
}

fn table(report: &Report, lang: Lang) -> Html {
    let words = page(lang);
    let heads = [
        words.disks_server,
        words.disks_folder_of,
        words.disks_last,
        words.disks_epochs,
        words.disks_loads,
        words.disks_tree,
        words.disks_digests,
    ];
    let row = |server: &Server| {
        html! {
            <tr>
                <th scope="row">{ server.name.clone() }</th>
                <td>{ server.folder.clone() }</td>
                <td class="z">{ server.last_zxid.clone() }</td>
                <td>{ epochs(server, words) }</td>
                <td>
                    { loads(server, words) }
                    { for server.refusals.iter().map(|one| html! { <b class="bad">{ refusal(lang, one) }</b> }) }
                </td>
                <td>{ fill(words.disks_tree_of, &[&server.znodes, &server.sessions]) }</td>
                <td>{ digests(server, words) }</td>
            </tr>
        }
    };
    html! {
        <div class="disk-servers" tabindex="0" role="region" aria-label={words.disks_servers}>
            <table>
                <thead><tr>{ for heads.map(|head| html! { <th scope="col">{ head }</th> }) }</tr></thead>
                <tbody>{ for report.servers.iter().map(row) }</tbody>
            </table>
        </div>
    }
}

fn epochs(server: &Server, words: &Page) -> String {
    let said = |epoch: Option<u64>| epoch.map_or(words.disks_missing.to_string(), |epoch| epoch.to_string());
    fill(words.disks_epochs_of, &[&said(server.accepted_epoch), &said(server.current_epoch)])
}

fn loads(server: &Server, words: &Page) -> String {
    let from = server.loads.as_deref().unwrap_or(words.disks_nothing);
    let loads = fill(words.disks_loads_of, &[&from, &server.applies]);
    match server.covered {
        0 => loads,
        covered => [&loads, words.start_join, &fill(words.disks_covered, &[&covered])].concat(),
    }
}

fn digests(server: &Server, words: &Page) -> Html {
    match &server.first_difference {
        None => html! { { fill(words.disks_digests_right, &[&server.digests_compared]) } },
        Some(zxid) => {
            let said = fill(words.disks_digests_wrong, &[&server.digests_differ, &server.digests_compared, zxid]);
            html! { <b class="bad">{ said }</b> }
        }
    }
}

/// What the dialog tells the question.
#[derive(Clone, PartialEq, Properties)]
pub(super) struct Props {
    pub lang: Lang,
    pub known: Rc<Known>,
}

/// Asks for the ids of servers that nothing tells apart.
#[component]
pub(super) fn Ask(props: &Props) -> Html {
    let context = use_page_context();
    let words = page(props.lang);
    let form = use_node_ref();
    let report = props.known.report.as_ref();
    let unclear = |server: &&Server| {
        let twice = |id| report.is_some_and(|report| report.ambiguous.contains(&id));
        !server.is_copy && server.id.is_none_or(twice)
    };
    let asked: Vec<Server> =
        report.iter().flat_map(|report| report.servers.iter()).filter(unclear).cloned().collect();
    let say = {
        let (form, engine, zookeeper) = (form.clone(), context.engine.clone(), props.known.zookeeper.clone());
        let folders: Vec<String> = asked.iter().map(|server| server.folder.clone()).collect();
        Callback::from(move |event: SubmitEvent| {
            event.prevent_default();
            let fields = form.cast::<web_sys::Element>().and_then(|form| form.query_selector_all("input").ok());
            let typed = |at: usize| {
                let field = fields.as_ref()?.get(u32::try_from(at).ok()?)?;
                wasm_bindgen::JsCast::dyn_into::<HtmlInputElement>(field).ok()?.value().trim().parse::<u64>().ok()
            };
            let said = folders.iter().enumerate().filter_map(|(at, folder)| Some((folder.clone(), typed(at)?)));
            engine.say_of_disks(said.collect(), &zookeeper);
        })
    };
    html! {
        <form class="disk-ask" ref={form} onsubmit={say}>
            <h3>{ words.disks_ask }</h3>
            <p>{ words.disks_asked }</p>
            { for asked.iter().map(|server| html! {
                <label key={server.folder.clone()}>
                    { fill(words.disks_id, &[&server.folder]) }{ " " }
                    <input inputmode="numeric" maxlength="3" value={server.id.map_or(String::new(), |id| id.to_string())} />
                </label>
            }) }
            <button class="chip">{ words.disks_say }</button>
        </form>
    }
}
