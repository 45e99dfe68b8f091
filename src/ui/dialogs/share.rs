//! The dialog that shares: the moment as a link and as a QR code, as code for slides, the run as files, and files in.

use std::cell::RefCell;
use std::rc::Rc;

use gloo_timers::callback::Timeout;
use js_sys::Array;
use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

use crate::i18n::page::{Page, fill, page, trouble_words};
use crate::i18n::{Lang, deed_words, record_trouble};
use crate::lessons::record;
use crate::share::{Export, Look, Qr, Telling, encode};

use crate::ui::dialogs::home::{is_nowhere, reach};
use crate::ui::dialogs::slide::Slide;
use crate::ui::engine::Engine;
use crate::ui::kit::promise::copy;
use crate::ui::kit::tabs;
use crate::ui::kit::wear::Theme;
use crate::ui::page::dialog::Dialog;
use crate::ui::page::state::use_page_context;
use crate::ui::remote::exchange::{download, open_file};

/// Longer links are cut off by some programs, characters.
const SAFE_CHARS: usize = 2_000;
/// QR codes with more modules a side are hard to read from afar.
const EASY_MODULES: usize = 89;
/// How long a piece of an export works, ms, and how many steps it takes between two looks at the clock.
const PIECE_MS: f64 = 12.0;
const PIECE_STEPS: u64 = 200;
/// Rows of the table of counters may be this long, ms.
const ROWS_MS: [u64; 4] = [10, 100, 1_000, 10_000];

/// What the page tells the dialog.
#[derive(Clone, PartialEq, Properties)]
pub(in crate::ui) struct Props {
    pub lang: Lang,
    pub theme: Theme,
    pub look: Look,
    /// The page's address.
    pub home: String,
}

/// The dialog.
#[component]
pub(in crate::ui) fn Share(props: &Props) -> Html {
    let context = use_page_context();
    let lang = props.lang;
    let words = page(lang);
    // the moment at which the dialog was opened
    let link = use_memo((), |()| match context.engine.lesson_in_address() {
        Some((lesson, beat)) => {
            let link = format!("{}?lesson={lesson}&beat={beat}&lang={}", props.home, lang.code());
            Ok((link, words.share_lesson_hint))
        }
        None => {
            let link = encode(&context.engine.pair().moment(props.look.clone()));
            link.map(|link| (format!("{}#{link}", props.home), words.share_hint))
        }
    });
    let big = use_state_eq(|| false);
    let place = use_state_eq(|| 0);
    let tabs = [words.share_tab_link, words.share_tab_slide, words.share_files];
    let body = match (&*link, *place) {
        (_, 1) => html! { <Slide {lang} theme={props.theme} home={props.home.clone()} /> },
        (_, 2) => html! { <FilePart {lang} /> },
        (Ok((link, _)), _) if *big => code(link, lang, big.setter()),
        (Ok((link, about)), _) => {
            html! { <LinkPart {lang} link={link.clone()} about={*about} show={big.setter()} /> }
        }
        (Err(trouble), _) => html! { <p class="wrong" role="alert">{ trouble_words(lang, trouble) }</p> },
    };
    let tab = |(at, word): (usize, &'static str)| {
        let place = place.clone();
        tabs::tab(word, at == *place, "shared", Callback::from(move |_: MouseEvent| place.set(at)))
    };
    // files need no address
    let reach = reach(&props.home, words).filter(|_| *place != 2);
    html! {
        <Dialog title={words.share_title} {lang}>
            <div class="tabs" role="tablist" aria-label={words.share_title} onkeydown={tabs::walk_tabs()}>
                { for tabs.into_iter().enumerate().map(tab) }
            </div>
            <div class="share" id="shared" role="tabpanel" aria-label={tabs[*place]}>
                { body }
                if let Some(reach) = reach {
                    <p class="small">{ reach }</p>
                }
            </div>
        </Dialog>
    }
}

#[derive(Clone, PartialEq, Properties)]
struct LinkProps {
    lang: Lang,
    link: String,
    /// What it holds, in words.
    about: &'static str,
    show: UseStateSetter<bool>,
}

/// The link, to be copied.
#[component]
fn LinkPart(props: &LinkProps) -> Html {
    let words = page(props.lang);
    let field = use_node_ref();
    let said = use_state_eq(String::new);
    let press = {
        let (field, said, link) = (field.clone(), said.setter(), props.link.clone());
        Callback::from(move |_: MouseEvent| {
            let said = said.clone();
            copy(&link, field.cast(), move |copied| {
                said.set(if copied { words.share_copied } else { words.share_by_hand }.to_string());
            });
        })
    };
    let show = props.show.clone();
    let length = props.link.chars().count();
    // nobody can open it with a telephone
    let nowhere = is_nowhere(&props.link);
    html! {
        <section aria-label={words.share_link}>
            <p>{ props.about }</p>
            <div class="link-line">
                <input ref={field} type="text" readonly=true aria-label={words.share_link} value={props.link.clone()}
                    onfocus={|event: FocusEvent| {
                        event.target_dyn_into::<HtmlInputElement>().inspect(HtmlInputElement::select);
                    }} />
                <button class="main" onclick={press}>{ words.share_copy }</button>
                if !nowhere {
                    <button onclick={move |_: MouseEvent| show.set(true)}>{ words.share_qr }</button>
                }
            </div>
            if length > SAFE_CHARS { <p class="small">{ fill(words.share_long, &[&length]) }</p> }
            <p class="small said" role="status">{ (*said).clone() }</p>
        </section>
    }
}

/// The QR code as large as the window allows.
fn code(link: &str, lang: Lang, show: UseStateSetter<bool>) -> Html {
    let words = page(lang);
    let picture = match Qr::new(link) {
        Ok(qr) => html! {
            <>
                <svg class="qr" role="img" aria-label={words.share_qr_of} viewBox={format!("0 0 {0} {0}", qr.side())}>
                    <rect width="100%" height="100%" fill="#fff" />
                    <path d={qr.path()} fill="#000" shape-rendering="crispEdges" />
                </svg>
                if qr.size > EASY_MODULES { <p class="small">{ fill(words.share_qr_dense, &[&qr.size]) }</p> }
            </>
        },
        Err(trouble) => html! { <p class="wrong" role="alert">{ trouble_words(lang, &trouble) }</p> },
    };
    html! {
        <>
            { picture }
            <button onclick={move |_: MouseEvent| show.set(false)}>{ words.share_back }</button>
        </>
    }
}

/// An export under way; it ends when nobody holds it any more.
type Job = Rc<RefCell<Option<Work>>>;

struct Work {
    export: Export,
    pieces: Array,
    name: String,
    next: Option<Timeout>,
}

/// How an export is going.
#[derive(Clone, PartialEq)]
enum Progress {
    Nothing,
    /// So many of a hundred.
    At(u64),
    Wrong(String),
}

/// Works for a moment, and then again until all is done.
fn go_on(job: &Job, lang: Lang, tell: UseStateSetter<Progress>) {
    let again = job.clone();
    let said = tell.clone();
    let timeout = Timeout::new(0, move || {
        let mut slot = again.borrow_mut();
        let Some(work) = slot.as_mut() else { return };
        let (began, mut text) = (js_sys::Date::now(), String::new());
        let more = loop {
            match work.export.advance(PIECE_STEPS, &mut text) {
                Ok(true) if js_sys::Date::now() - began < PIECE_MS => {}
                other => break other,
            }
        };
        work.pieces.push(&text.into());
        let (at, of) = work.export.progress();
        match more {
            Ok(true) => {
                drop(slot);
                said.set(Progress::At(at * 100 / of.max(1)));
                go_on(&again, lang, said);
            }
            Ok(false) => {
                let saved = download(&work.name, &work.pieces);
                *slot = None;
                said.set(saved.map_or(Progress::Wrong(page(lang).share_unsaved.into()), |()| Progress::Nothing));
            }
            Err(trouble) => {
                *slot = None;
                said.set(Progress::Wrong(trouble_words(lang, &trouble)));
            }
        }
    });
    match job.borrow_mut().as_mut() {
        Some(work) => work.next = Some(timeout),
        None => tell.set(Progress::Nothing),
    }
}

/// What files of the run on the stage are called.
fn file_name(engine: &Engine, end: &str) -> String {
    let session = engine.session();
    let from = session.scenario().map_or("run", |scenario| scenario.id);
    format!("zabscope-{from}-{}{end}", session.player().run().seed)
}

/// How often the table of counters has a row.
fn rows(ms: u64, words: &Page) -> String {
    match ms {
        1_000.. => fill(words.share_every_s, &[&(ms / 1_000)]),
        _ => fill(words.share_every_ms, &[&ms]),
    }
}

#[derive(Clone, PartialEq, Properties)]
struct FileProps {
    lang: Lang,
}

/// Files out and in.
#[component]
fn FilePart(props: &FileProps) -> Html {
    let context = use_page_context();
    let (lang, words) = (props.lang, page(props.lang));
    let progress = use_state_eq(|| Progress::Nothing);
    let job = use_memo((), |()| Job::default());
    use_effect_with((), {
        let job = job.clone();
        move |()| move || *job.borrow_mut() = None
    });
    let (every, file) = (use_node_ref(), use_node_ref());
    let tell = |telling: fn(u64) -> Telling, end: &'static str| {
        let (engine, job, progress, every) = (context.engine.clone(), job.clone(), progress.setter(), every.clone());
        Callback::from(move |_: MouseEvent| {
            let rows = every.cast::<HtmlSelectElement>().and_then(|select| select.value().parse::<u64>().ok());
            let telling = telling(rows.unwrap_or(1_000) * 1_000);
            let (run, until) = (engine.session().player().run().clone(), engine.session().furthest());
            match Export::new(&run, until, telling) {
                Ok(export) => {
                    let work = Work { export, pieces: Array::new(), name: file_name(&engine, end), next: None };
                    *job.borrow_mut() = Some(work);
                    progress.set(Progress::At(0));
                    go_on(&job, lang, progress.clone());
                }
                Err(trouble) => progress.set(Progress::Wrong(trouble_words(lang, &trouble))),
            }
        })
    };
    let save_run = {
        let (engine, progress) = (context.engine.clone(), progress.setter());
        Callback::from(move |_: MouseEvent| {
            let text = engine.session().player().run().to_json();
            let saved = download(&file_name(&engine, ".json"), &Array::of1(&text.into()));
            progress.set(saved.map_or(Progress::Wrong(words.share_unsaved.into()), |()| Progress::Nothing));
        })
    };
    let save_lesson = {
        let (engine, progress) = (context.engine.clone(), progress.setter());
        Callback::from(move |_: MouseEvent| {
            let look = engine.pair().moment(Look::default()).look;
            let from = look.scenario.as_deref().map(|scenario| (scenario, look.given.as_slice()));
            let run = engine.session().player().run().clone();
            let saved = match record(&run, from, deed_words) {
                Ok(text) => {
                    let saved = download(&file_name(&engine, "-lesson.json"), &Array::of1(&text.into()));
                    saved.map_err(|_| words.share_unsaved.to_string())
                }
                Err(error) => Err(record_trouble(lang, &error)),
            };
            progress.set(saved.map_or_else(Progress::Wrong, |()| Progress::Nothing));
        })
    };
    let cancel = {
        let (job, progress) = (job.clone(), progress.setter());
        Callback::from(move |_: MouseEvent| {
            *job.borrow_mut() = None;
            progress.set(Progress::Nothing);
        })
    };
    let ask = {
        let file = file.clone();
        Callback::from(move |_: MouseEvent| {
            file.cast::<HtmlInputElement>().inspect(|input| input.click());
        })
    };
    let chosen = {
        let context = context.clone();
        Callback::from(move |event: Event| {
            let Some(input) = event.target_dyn_into::<HtmlInputElement>() else { return };
            if let Some(file) = input.files().and_then(|files| files.get(0)) {
                open_file(&context, &file, lang);
            }
            input.set_value(""); // the same file may be chosen again
            context.choose.dispatch(crate::ui::page::state::UiAction::Close);
        })
    };
    html! {
        <section aria-label={words.share_files}>
            <div class="files">
                <button onclick={save_run}>{ words.share_run }</button>
                <button onclick={save_lesson}>{ words.share_lesson }</button>
                <button onclick={tell(|_| Telling::Facts, "-facts.jsonl")}>{ words.share_facts }</button>
                <button onclick={tell(|_| Telling::Trace, "-trace.log")}>{ words.share_trace }</button>
                <span class="rows">
                    <button onclick={tell(|every_us| Telling::Counters { every_us }, "-counters.csv")}>{ words.share_counters }</button>
                    <select ref={every} aria-label={words.share_rows}>
                        { for ROWS_MS.iter().map(|ms| html! {
                            <option key={*ms} value={ms.to_string()} selected={*ms == 1_000}>{ rows(*ms, words) }</option>
                        }) }
                    </select>
                </span>
                <button onclick={ask}>{ words.share_open }</button>
                <input ref={file} class="hidden" type="file" accept=".json,.txt,application/json,text/plain" tabindex="-1"
                    aria-label={words.share_open} onchange={chosen} />
            </div>
            <p class="small">{ words.share_until }</p>
            { match &*progress {
                Progress::Nothing => html! {},
                Progress::Wrong(why) => html! { <p class="wrong" role="alert">{ why.clone() }</p> },
                Progress::At(percent) => html! {
                    <p class="working">
                        <progress max="100" value={percent.to_string()} aria-label={words.share_working}></progress>
                        <button onclick={cancel}>{ words.cancel }</button>
                    </p>
                },
            } }
        </section>
    }
}
