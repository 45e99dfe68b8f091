//! The form that puts another run beside the one on the stage: another scenario, the same with another seed or one setting
//! changed, a run from a file, a future that was left.

use wasm_bindgen::JsValue;
use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

use crate::base::limits::MAX_RUN_BYTES;
use crate::i18n::Lang;
use crate::i18n::page::{fill, page, scenario_title, trouble_words};
use crate::scenarios::{SCENARIOS, scenario};
use crate::share::{OpenError, open};
use crate::sim::{Rule, Run, RunError, Setup, ZkVersion};
use crate::timeline::Variation;
use crate::view::comparison::partner;

use super::rules::{RuleChoice, put as put_rule};
use crate::ui::engine::Engine;
use crate::ui::kit::browser::wrong_words;
use crate::ui::kit::promise::then;
use crate::ui::page::dialog::Dialog;
use crate::ui::page::state::{PageContext, UiAction, use_page_context};
use crate::ui::time::history::future_words;

/// What stands beside it, as far as the form goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Scenario,
    Seed,
    Latency,
    Disk,
    Tick,
    Rule,
    Version,
    File,
    /// A future that was left.
    Future,
}

/// What shows most comes first.
const KINDS: [Kind; 9] = [
    Kind::Scenario,
    Kind::Future,
    Kind::Disk,
    Kind::Latency,
    Kind::Rule,
    Kind::Version,
    Kind::Tick,
    Kind::Seed,
    Kind::File,
];

fn kind_words(kind: Kind, lang: Lang) -> &'static str {
    let words = page(lang);
    match kind {
        Kind::Scenario => words.compare_scenario,
        Kind::Seed => words.compare_seed,
        Kind::Latency => words.compare_packets,
        Kind::Disk => words.compare_disk,
        Kind::Tick => words.compare_tick,
        Kind::Rule => words.compare_rule,
        Kind::Version => words.compare_version,
        Kind::File => words.compare_file,
        Kind::Future => words.compare_future,
    }
}

/// What the page tells the form.
#[derive(Clone, PartialEq, Properties)]
pub(in crate::ui) struct Props {
    pub lang: Lang,
}

/// The form.
#[component]
pub(in crate::ui) fn CompareWith(props: &Props) -> Html {
    let context = use_page_context();
    let (lang, words) = (props.lang, page(props.lang));
    let kind = use_state(|| begins(&context.engine));
    let wrong = use_state(|| None::<String>);
    let fields = [use_node_ref(), use_node_ref()];
    let pick = {
        let (kind, wrong) = (kind.clone(), wrong.clone());
        Callback::from(move |event: Event| {
            let chosen = event.target_dyn_into::<HtmlSelectElement>().and_then(|select| select.value().parse().ok());
            wrong.set(None);
            kind.set(chosen.and_then(|place: usize| KINDS.get(place).copied()).unwrap_or(KINDS[0]));
        })
    };
    let start = {
        let (context, fields, kind, say) = (context.clone(), fields.clone(), *kind, wrong.setter());
        Callback::from(move |event: SubmitEvent| {
            event.prevent_default();
            let say = say.clone();
            let close = context.choose.clone();
            let done = move |result: Result<(), String>| match result {
                Ok(()) => close.dispatch(UiAction::Close),
                Err(trouble) => say.set(Some(trouble)),
            };
            put(&context, kind, &fields, lang, done);
        })
    };
    let has_futures = !context.engine.session().futures().is_empty();
    let setup = context.engine.session().player().run().setup.clone();
    html! {
        <Dialog title={words.compare_form} lang={lang}>
            <form class="new-run compare-with" onsubmit={start}>
                <label>
                    <span>{ words.compare_what }</span>
                    <select onchange={pick}>
                        { for KINDS.iter().enumerate().filter(|(_, one)| **one != Kind::Future || has_futures).map(|(place, one)| html! {
                            <option value={place.to_string()} selected={one == &*kind}>{ kind_words(*one, lang) }</option>
                        }) }
                    </select>
                </label>
                { inputs(*kind, &context.engine, &setup, &fields, lang) }
                <p class="wrong" role="alert">{ (*wrong).clone().unwrap_or_default() }</p>
                <button>{ words.compare_start }</button>
            </form>
        </Dialog>
    }
}

/// The fields of a kind, with what the run has now.
fn inputs(kind: Kind, engine: &Engine, setup: &Setup, fields: &[NodeRef; 2], lang: Lang) -> Html {
    let words = page(lang);
    let number = |field: usize, name: &'static str, value: u64| {
        html! {
            <label key={format!("{kind:?}{field}")}>
                <span>{ name }</span>
                <input ref={fields[field].clone()} inputmode="numeric" maxlength="20" value={value.to_string()} />
            </label>
        }
    };
    let choice = |name: &'static str, options: Vec<(String, String)>| {
        html! {
            <label key={format!("{kind:?}")}>
                <span>{ name }</span>
                <select ref={fields[0].clone()}>
                    // told, because the last one is put in first
                    { for options.into_iter().enumerate().map(|(place, (value, text))| html! {
                        <option {value} selected={place == 0}>{ text }</option>
                    }) }
                </select>
            </label>
        }
    };
    let ms = |us: u64| us / 1000;
    match kind {
        Kind::Seed => number(0, words.seed, engine.session().player().run().seed.wrapping_add(1)),
        Kind::Tick => number(0, words.compare_ms, setup.tick_time_ms * 2),
        Kind::Latency | Kind::Disk => {
            let range = if kind == Kind::Latency { setup.latency } else { setup.disk_sync };
            html! {
                <>
                    { number(0, words.compare_least, ms(range.min_us) * 3) }
                    { number(1, words.compare_most, ms(range.max_us) * 3) }
                </>
            }
        }
        Kind::Scenario => {
            // what belongs there comes first
            let first = belongs(engine);
            let others = SCENARIOS.iter().map(|one| one.id).filter(|id| Some(*id) != first);
            let all = first.into_iter().chain(others);
            choice(words.scenario, all.map(|id| (id.to_string(), scenario_title(lang, id).to_string())).collect())
        }
        Kind::Rule => html! { <RuleChoice {lang} rule={fields[0].clone()} harm={fields[1].clone()} /> },
        Kind::Version => {
            let others = ZkVersion::ALL.iter().filter(|version| **version != setup.zookeeper);
            choice(
                "ZooKeeper",
                others.map(|version| (version.name().to_string(), version.name().to_string())).collect(),
            )
        }
        Kind::Future => {
            let futures = engine.session().futures();
            choice(
                words.compare_which,
                futures.iter().map(|one| (one.version.to_string(), future_words(one, lang))).collect(),
            )
        }
        Kind::File => html! {
            <label key="file">
                <span>{ words.compare_which }</span>
                <input ref={fields[0].clone()} type="file" accept=".json,.txt,application/json,text/plain" />
            </label>
        },
    }
}

/// What one most likely wants beside it: what belongs there, what would have been without the viewer's deed, or else the same with slower
/// disks, which shows in every number.
fn begins(engine: &Engine) -> Kind {
    if belongs(engine).is_some() {
        Kind::Scenario
    } else if !engine.session().futures().is_empty() {
        Kind::Future
    } else {
        Kind::Disk
    }
}

/// The scenario that is made to stand beside the one on the stage.
fn belongs(engine: &Engine) -> Option<&'static str> {
    Some(partner(engine.session().scenario()?.id)?.id)
}

fn text_of(field: &NodeRef) -> String {
    let input = field.cast::<HtmlInputElement>().map(|input| input.value());
    input.or_else(|| field.cast::<HtmlSelectElement>().map(|select| select.value())).unwrap_or_default()
}

/// A whole number in a field, or a sentence about it.
fn number(field: &NodeRef, lang: Lang) -> Result<u64, String> {
    let typed = text_of(field);
    typed.trim().parse().map_err(|_| fill(page(lang).compare_no_number, &[&typed]))
}

/// What the form asks for. `done` hears whether it could be done; with a file or a rule, later.
fn put(
    context: &PageContext,
    kind: Kind,
    fields: &[NodeRef; 2],
    lang: Lang,
    done: impl Fn(Result<(), String>) + Clone + 'static,
) {
    let engine = &context.engine;
    let [first, second] = fields;
    let pair = || Ok::<_, String>((number(first, lang)?, number(second, lang)?));
    let variation = match kind {
        Kind::Seed => number(first, lang).map(Variation::Seed),
        Kind::Tick => number(first, lang).map(Variation::Tick),
        Kind::Latency => pair().map(|(min, max)| Variation::Latency(min, max)),
        Kind::Disk => pair().map(|(min, max)| Variation::DiskSync(min, max)),
        Kind::Version => ZkVersion::named(&text_of(first)).map(Variation::Version).ok_or_else(String::new),
        Kind::Rule => {
            return match Rule::named(&text_of(first)) {
                Some(rule) => put_rule(engine, rule, second, lang, done),
                None => done(Ok(())),
            };
        }
        Kind::Scenario => return done(another(engine, &text_of(first)).map_err(|error| wrong_words(&error))),
        Kind::Future => return done(future(engine, first, lang)),
        Kind::File => return from_file(engine, first, lang, done),
    };
    done(variation.and_then(|variation| engine.vary(variation).map_err(|error| wrong_words(&error))));
}

/// Another scenario, with this run's seed and parameters.
pub(in crate::ui) fn another(engine: &Engine, id: &str) -> Result<(), RunError> {
    scenario(id).map_or(Ok(()), |other| engine.change_pair(|pair| pair.compare_with_scenario(other)))
}

/// A future that was left.
fn future(engine: &Engine, field: &NodeRef, lang: Lang) -> Result<(), String> {
    let version = number(field, lang).map_err(|_| page(lang).compare_no_future.to_string())? as usize;
    let (run, name) = {
        let session = engine.session();
        let name = session.futures().iter().find(|one| one.version == version).map(|one| future_words(one, lang));
        (session.run_of(version).cloned(), name.unwrap_or_default())
    };
    let Some(run) = run else { return Err(page(lang).compare_no_future.to_string()) };
    engine.compare_with(Run::clone(&run), name).map_err(|error| wrong_words(&error))
}

/// Puts a run beside the one on the stage that is written in a text: JSON, or a link of this page.
pub(in crate::ui) fn from_text(engine: &Engine, text: &str, name: String, lang: Lang) -> Result<(), String> {
    let moment = open(text).map_err(|trouble| trouble_words(lang, &trouble))?;
    engine.compare_with(moment.run, name).map_err(|error| wrong_words(&error))
}

/// A file's size is looked at before it is read.
fn from_file(engine: &Engine, field: &NodeRef, lang: Lang, done: impl Fn(Result<(), String>) + Clone + 'static) {
    let words = page(lang);
    let files = field.cast::<HtmlInputElement>().and_then(|input| input.files());
    let Some(file) = files.and_then(|files| files.get(0)) else {
        return done(Err(words.compare_no_file.to_string()));
    };
    if file.size() > MAX_RUN_BYTES as f64 {
        return done(Err(trouble_words(lang, &OpenError::TooLong)));
    }
    let (engine, name) = (engine.clone(), file.name());
    let bad = done.clone();
    let read = move |text: JsValue| done(from_text(&engine, &text.as_string().unwrap_or_default(), name, lang));
    then(&file.text(), read, move || bad(Err(words.share_unreadable.to_string())));
}
