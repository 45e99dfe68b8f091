//! Disks of real servers: what is on them, what happens when they are started, and the way to the stage.

mod happened;
mod matrix;
mod servers;
mod verdict;

use std::rc::Rc;

use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

use crate::i18n::Lang;
use crate::i18n::page::{fill, page};
use crate::sim::ZkVersion;

use crate::ui::disks::{Known, Stage, ZOOKEEPER, chosen};
use crate::ui::engine::model::use_model;
use crate::ui::page::dialog::Dialog;
use crate::ui::page::state::{PageContext, use_page_context};
use happened::happened;
use servers::{Ask, servers};
use verdict::Verdict;

/// What the page tells the dialog.
#[derive(Clone, PartialEq, Properties)]
pub(in crate::ui) struct Props {
    pub lang: Lang,
}

/// The dialog.
#[component]
pub(in crate::ui) fn Disks(props: &Props) -> Html {
    let context = use_page_context();
    let (lang, words) = (props.lang, page(props.lang));
    let known = use_model(&context.engine, (), |engine, ()| engine.disks());
    let body = match &*known {
        None => html! { <><p class="drop-here">{ words.disks_drop }</p><p>{ words.disks_gives }</p></> },
        Some(known) => told(&context, known, lang),
    };
    html! {
        <Dialog title={words.disks_title} {lang} wide=true>
            <div class="of-disks">
                { body }
                <Choose {lang} more={known.is_some()} />
                <p class="small">{ words.disks_promise }</p>
            </div>
        </Dialog>
    }
}

/// What is known: how far it has come, the case, what is on the disks.
fn told(context: &PageContext, known: &Rc<Known>, lang: Lang) -> Html {
    let words = page(lang);
    let report = known.report.as_ref();
    let asks = report.is_some_and(|report| {
        !report.ambiguous.is_empty() || report.servers.iter().any(|server| server.id.is_none())
    });
    let nothing = report.is_some_and(|report| report.servers.is_empty() && report.happened.is_none());
    let logs_alone = report.is_some_and(|report| report.servers.is_empty());
    html! {
        <>
            if !known.names.is_empty() { <p class="small">{ known.names.join(", ") }</p> }
            { progress(context, &known.stage, lang) }
            if nothing { <p class="wrong" role="alert">{ words.disks_none }</p> }
            if asks && !known.stage.goes_on() { <Ask {lang} known={known.clone()} /> }
            if let Some(mb) = known.too_large {
                <p class="wrong" role="alert">{ fill(words.disks_too_large, &[&mb, &(crate::base::limits::MAX_RUN_BYTES >> 20)]) }</p>
            }
            if let Some(why) = known.unknown.filter(|_| !logs_alone && !asks) {
                <p class="wrong">{ fill(words.disks_unknown, &[&crate::i18n::disks::unknown(lang, why)]) }</p>
            }
            if let Some(report) = report {
                <Verdict {lang} known={known.clone()} />
                if let Some(story) = &report.happened { { happened(story, lang) } }
                { servers(report, lang) }
            }
        </>
    }
}

/// How far it has come, and a way to stop it; why it goes no further.
fn progress(context: &PageContext, stage: &Stage, lang: Lang) -> Html {
    let words = page(lang);
    let mb = |bytes: u64| format!("{}.{}", bytes >> 20, ((bytes & 0xf_ffff) * 10) >> 20);
    let (said, at, of) = match stage {
        Stage::Reading(read, whole) => (fill(words.disks_reading, &[&mb(*read), &mb(*whole)]), *read, *whole),
        Stage::Loading => (words.disks_loading.into(), 0, 0),
        Stage::Judging(0, _) => (words.disks_loading.into(), 0, 0),
        Stage::Judging(done, all) => (fill(words.disks_judging, &[done, all]), u64::from(*done), u64::from(*all)),
        Stage::Over => return html! {},
        Stage::Stopped => return html! { <p role="status">{ words.disks_stopped }</p> },
        Stage::NoWorker => return html! { <p class="wrong" role="alert">{ words.disks_no_worker }</p> },
        Stage::Broken(why) => {
            return html! { <p class="wrong" role="alert">{ fill(words.disks_broken, &[why]) }</p> };
        }
    };
    let engine = context.engine.clone();
    let stop = move |_: MouseEvent| engine.stop_disks();
    let value = (of > 0).then(|| at.to_string());
    html! {
        <p class="working" role="status">
            <span>{ said.clone() }</span>
            <progress max={of.max(1).to_string()} {value} aria-label={said}></progress>
            <button class="chip" onclick={stop}>{ words.cancel }</button>
        </p>
    }
}

#[derive(Clone, PartialEq, Properties)]
struct ChooseProps {
    lang: Lang,
    /// There are some already.
    more: bool,
}

/// Files and folders are chosen, and by whose rules they start.
#[component]
fn Choose(props: &ChooseProps) -> Html {
    let context = use_page_context();
    let words = page(props.lang);
    let (files, folder) = (use_node_ref(), use_node_ref());
    let known = use_model(&context.engine, (), |engine, ()| {
        engine.disks().map(|known| (known.zookeeper.clone(), known.report.is_some() && !known.stage.goes_on()))
    });
    let zookeeper = (*known).as_ref().map_or(ZOOKEEPER, |(name, _)| name.as_str()).to_string();
    let take = {
        let (engine, zookeeper) = (context.engine.clone(), zookeeper.clone());
        Callback::from(move |event: Event| {
            let Some(input) = event.target_dyn_into::<HtmlInputElement>() else { return };
            let named = chosen(&input);
            input.set_value(""); // the same files may be chosen again
            if !named.is_empty() {
                engine.read_disks(named, &zookeeper);
            }
        })
    };
    let ask = |field: &NodeRef| {
        let field = field.clone();
        Callback::from(move |_: MouseEvent| {
            field.cast::<HtmlInputElement>().inspect(|input| input.click());
        })
    };
    let forget = {
        let engine = context.engine.clone();
        Callback::from(move |_: MouseEvent| engine.forget_disks())
    };
    let by = {
        let engine = context.engine.clone();
        Callback::from(move |event: Event| {
            if let Some(select) = event.target_dyn_into::<HtmlSelectElement>() {
                engine.say_of_disks(Vec::new(), &select.value());
            }
        })
    };
    let released = ZkVersion::ALL.iter().filter(|version| **version != ZkVersion::default());
    let (of_files, of_folder) = match props.more {
        true => (words.disks_add_files, words.disks_add_folder),
        false => (words.disks_files, words.disks_folder),
    };
    html! {
        <div class="files">
            <button class="chip" onclick={ask(&files)}>{ of_files }</button>
            <button class="chip" onclick={ask(&folder)}>{ of_folder }</button>
            if props.more { <button class="chip" onclick={forget}>{ words.disks_other }</button> }
            <input ref={files} class="hidden disk-files" type="file" multiple=true tabindex="-1" aria-label={words.disks_files}
                onchange={take.clone()} />
            <input ref={folder} class="hidden" type="file" webkitdirectory=true tabindex="-1" aria-label={words.disks_folder}
                onchange={take} />
            if (*known).as_ref().is_some_and(|(_, settled)| *settled) {
                <label>
                    { words.disks_by_rules }{ " " }
                    <select onchange={by}>
                        { for released.map(|version| html! {
                            <option key={version.name()} value={version.name()} selected={version.name() == zookeeper}>{ version.name() }</option>
                        }) }
                    </select>
                </label>
            }
        </div>
    }
}
