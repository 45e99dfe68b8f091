//! What goes between the page and the rest of the reader's machine: the address, the clipboard, files in and out. Nothing goes
//! any further.

use std::cell::Cell;
use std::rc::Rc;

use js_sys::Array;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::*;
use web_sys::{Blob, DragEvent, Element, Event, File, HtmlAnchorElement, Url};
use yew::prelude::*;

use crate::base::limits::MAX_RUN_BYTES;
use crate::i18n::page::{fill, older_words, page, trouble_words};
use crate::i18n::{Lang, error_words};
use crate::lessons::Lesson;
use crate::share::{Moment, OpenError, decode, open};

use crate::ui::disks;
use crate::ui::engine::Engine;
use crate::ui::kit::browser::{Listener, document, window};
use crate::ui::kit::promise::then;
use crate::ui::page::looks::{Seen, seen};
use crate::ui::page::state::{Overlay, PageContext, UiAction, use_page_context};

/// How long the browser may take to begin a download before its text is forgotten, ms.
const DOWNLOAD_BEGINS_MS: u32 = 60_000;

/// Puts a moment on the stage; what stands against it is said on the page, and then nothing has changed.
fn show(engine: &Engine, moment: Result<Moment, OpenError>, lang: Lang) -> Option<Seen> {
    let shown = moment.and_then(|moment| put(engine, &moment, lang));
    shown.inspect_err(|trouble| engine.note(Some(trouble_words(lang, trouble)))).ok()
}

/// Puts a moment on the stage; the run that was there is kept. Whatever was said before is over.
fn put(engine: &Engine, moment: &Moment, lang: Lang) -> Result<Seen, OpenError> {
    engine.leaving(|pair| pair.open(moment)).map_err(OpenError::Run)?;
    engine.note(older_words(lang, &moment.run));
    Ok(seen(&moment.look))
}

/// The lesson in a text; none where it does not want to be one.
///
/// # Errors
/// What is wrong with it, and where.
fn lesson_in(text: &str, lang: Lang) -> Result<Option<Rc<Lesson>>, String> {
    let text = text.trim_start_matches('\u{feff}').trim();
    if text.len() > MAX_RUN_BYTES || !text.starts_with('{') || !Lesson::is_meant(text) {
        return Ok(None);
    }
    let read = Lesson::from_json(text);
    read.map(|lesson| Some(Rc::new(lesson)))
        .map_err(|error| fill(page(lang).lesson_wrong, &[&error_words(lang, &error)]))
}

/// Opens a lesson that came with a file, in front of whatever lies over the page.
fn teach(context: &PageContext, lesson: Rc<Lesson>) {
    context.engine.note(None);
    context.choose.dispatch(UiAction::Overlay(Overlay::Nothing));
    context.engine.open_own_lesson(lesson, None);
}

/// Puts on the stage what a text says, a link, a run or a lesson, or tells what is wrong with it.
pub(in crate::ui) fn try_open(context: &PageContext, text: &str, lang: Lang) -> Result<(), String> {
    if let Some(lesson) = lesson_in(text, lang)? {
        teach(context, lesson);
        return Ok(());
    }
    let opened = open(text).and_then(|moment| put(&context.engine, &moment, lang));
    shown(context, Some(opened.map_err(|trouble| trouble_words(lang, &trouble))?));
    Ok(())
}

/// Opens what the address says behind `#`, if it says something.
pub(in crate::ui) fn open_fragment(engine: &Engine, lang: Lang) -> Option<Seen> {
    let fragment = window().location().hash().unwrap_or_default();
    let link = fragment.trim_start_matches('#');
    if link.is_empty() { None } else { show(engine, decode(link), lang) }
}

fn open_text(context: &PageContext, text: &str, lang: Lang) {
    if let Err(trouble) = try_open(context, text, lang) {
        context.engine.note(Some(trouble));
    }
}

/// What was opened by hand changes the page, too.
fn shown(context: &PageContext, seen: Option<Seen>) {
    if let Some(seen) = seen {
        context.choose.dispatch(UiAction::Shared(seen));
    }
}

/// Opens a file; its size is looked at before it is read.
pub(in crate::ui) fn open_file(context: &PageContext, file: &File, lang: Lang) {
    if file.size() > MAX_RUN_BYTES as f64 {
        return context.engine.note(Some(trouble_words(lang, &OpenError::TooLong)));
    }
    let (good, bad) = (context.clone(), context.clone());
    then(
        &file.text(),
        move |text| open_text(&good, &text.as_string().unwrap_or_default(), lang),
        move || bad.engine.note(Some(page(lang).share_unreadable.into())),
    );
}

/// Hands pieces of text to the reader as a file.
pub(in crate::ui) fn download(name: &str, pieces: &Array) -> Result<(), JsValue> {
    let blob = Blob::new_with_str_sequence(pieces)?;
    let url = Url::create_object_url_with_blob(&blob)?;
    let link = document().create_element("a")?.unchecked_into::<HtmlAnchorElement>();
    link.set_href(&url);
    link.set_download(name);
    link.click();
    let forget = move || drop(Url::revoke_object_url(&url));
    gloo_timers::callback::Timeout::new(DOWNLOAD_BEGINS_MS, forget).forget();
    Ok(())
}

/// Whether what is dragged may be for us: a file, or a text that is not on its way into a field.
fn is_for_us(event: &DragEvent) -> bool {
    let Some(data) = event.data_transfer() else { return false };
    let types = data.types();
    let field = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    let typing = field.is_some_and(|field| matches!(field.tag_name().as_str(), "INPUT" | "TEXTAREA"));
    types.includes(&"Files".into(), 0) || (!typing && types.includes(&"text/plain".into(), 0))
}

fn dropped(context: &PageContext, event: &DragEvent, lang: Lang) {
    let Some(data) = event.data_transfer() else { return };
    let files = data.files().filter(|files| files.length() > 0);
    let Some(file) = files.as_ref().and_then(|files| files.get(0)) else {
        return open_text(context, &data.get_data("text/plain").unwrap_or_default(), lang);
    };
    let is_run = [".json", ".txt"].iter().any(|end| file.name().ends_with(end));
    if is_run && files.is_some_and(|files| files.length() == 1) {
        return open_file(context, &file, lang);
    }
    let context = context.clone();
    disks::dropped(&data, move |files| {
        let zookeeper = context.engine.disks().map(|known| known.zookeeper.clone());
        context.engine.read_disks(files, zookeeper.as_deref().unwrap_or(disks::ZOOKEEPER));
        context.choose.dispatch(UiAction::Overlay(Overlay::Disks));
    });
}

/// What the page tells the exchange.
#[derive(Clone, PartialEq, Properties)]
pub(in crate::ui) struct Props {
    pub lang: Lang,
}

/// Hears of new addresses and of what is dropped on the page.
#[component]
pub(in crate::ui) fn Exchange(props: &Props) -> Html {
    let context = use_page_context();
    let above = use_state_eq(|| false);
    use_effect_with((context, props.lang), {
        let above = above.setter();
        move |(context, lang)| {
            let listeners = listen(context, *lang, above);
            move || drop(listeners)
        }
    });
    html! {
        <div class={classes!("drop", above.then_some("on"))} aria-hidden="true">
            <p>{ page(props.lang).share_drop }</p>
        </div>
    }
}

fn listen(context: &PageContext, lang: Lang, above: UseStateSetter<bool>) -> Vec<Listener> {
    // what is dragged from the page to the page is not meant for us
    let own = Rc::new(Cell::new(false));
    let note_own = |kind, is: bool| {
        let own = own.clone();
        Listener::new(&window(), kind, move |_| own.set(is))
    };
    let drag = |kind, heard: Box<dyn Fn(&DragEvent)>| {
        let own = own.clone();
        Listener::new(&window(), kind, move |event: Event| {
            if let Some(event) = event.dyn_ref::<DragEvent>().filter(|event| !own.get() && is_for_us(event)) {
                heard(event);
            }
        })
    };
    let (over, off) = (above.clone(), above.clone());
    let (to, from) = (context.clone(), context.clone());
    let hover = move |event: &DragEvent| {
        event.prevent_default();
        over.set(true);
    };
    let leave = move |event: &DragEvent| {
        // between two elements of the page it is still above the page
        if event.related_target().is_none() {
            off.set(false);
        }
    };
    let drop = move |event: &DragEvent| {
        event.prevent_default();
        above.set(false);
        dropped(&to, event, lang);
    };
    let address = move |_| shown(&from, open_fragment(&from.engine, lang));
    vec![
        note_own("dragstart", true),
        note_own("dragend", false),
        drag("dragover", Box::new(hover)),
        drag("dragleave", Box::new(leave)),
        drag("drop", Box::new(drop)),
        Listener::new(&window(), "hashchange", address),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lessons::{LESSONS, MAX_LESSON_BYTES};

    #[test]
    fn a_lesson_is_told_from_a_run_and_what_is_wrong_with_it_is_said_with_its_place() {
        let (id, text) = LESSONS[0];
        let read = lesson_in(&format!("\u{feff}  {text}"), Lang::En);
        assert_eq!(read.unwrap().map(|lesson| lesson.id.to_string()).as_deref(), Some(id));
        for other in ["", "[]", "{", "b4.abc", "{\"version\":4}"] {
            assert_eq!(lesson_in(other, Lang::En), Ok(None), "{other}");
        }
        let long = format!("{{\"lesson\":1,\"id\":\"{}\"}}", "x".repeat(MAX_LESSON_BYTES));
        for (text, place) in
            [("{\"lesson\":2}", "lesson"), ("{\"lesson\":1,\"id\":7}", "id"), (long.as_str(), "lesson")]
        {
            let why = lesson_in(text, Lang::En).expect_err(place);
            assert!(why.starts_with("This lesson cannot be opened") && why.contains(place), "{why}");
        }
        let more = text.replacen("\"say\"", "\"sae\"", 1);
        let why = lesson_in(&more, Lang::Zh).expect_err("a field that is not known");
        assert!(why.contains("beats[0]"), "{why}");
    }
}
