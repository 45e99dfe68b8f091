//! Disks that are read, in a worker, and what is known of them so far.

use std::cell::RefCell;
use std::rc::Rc;

use gloo_timers::callback::Timeout;
use js_sys::{Array, Object, Reflect, Uint8Array};
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::*;
use web_sys::{File, MessageEvent, Worker};

use crate::disks::report::{Report, Start, Started};
use crate::disks::start::Unknown;
use crate::ui::kit::browser::Listener;
use crate::ui::search::worker_with_this_code;

use super::messages::{Ask, News};

/// Files with the paths that tell whose they are.
pub(in crate::ui) type Named = Vec<(String, File)>;

/// How far it has come.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::ui) enum Stage {
    /// So many bytes have come in, of so many.
    Reading(u64, u64),
    /// All has come in.
    #[default]
    Loading,
    /// So many choices of servers are judged, of so many.
    Judging(u32, u32),
    /// All is known.
    Over,
    /// Somebody stopped it.
    Stopped,
    /// The browser has no worker for it.
    NoWorker,
    /// It broke down.
    Broken(String),
}

impl Stage {
    /// Whether there is more to come.
    pub(crate) fn goes_on(&self) -> bool {
        matches!(self, Stage::Reading(..) | Stage::Loading | Stage::Judging(..))
    }
}

/// What is known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::ui) struct Known {
    /// The names of the files and folders that were given.
    pub(crate) names: Vec<String>,
    /// How far it has come.
    pub(crate) stage: Stage,
    /// What is on the disks.
    pub(crate) report: Option<Rc<Report>>,
    /// What happens when they are started; at first of all servers only.
    pub(crate) start: Option<Rc<Start>>,
    /// Why that is not known.
    pub(crate) unknown: Option<Unknown>,
    /// By whose rules they are started.
    pub(crate) zookeeper: String,
    /// A start was too large for the stage: about so many MB.
    pub(crate) too_large: Option<u64>,
}

struct Work {
    worker: Worker,
    _hears: [Listener; 2],
}

impl Drop for Work {
    fn drop(&mut self) {
        self.worker.terminate();
    }
}

type Ran = Box<dyn FnOnce(String, Vec<u64>)>;

struct Inner {
    files: Named,
    known: RefCell<Rc<Known>>,
    work: RefCell<Option<Work>>,
    ran: RefCell<Option<Ran>>,
    /// Hears of every change.
    changed: Box<dyn Fn()>,
}

/// Disks, and who reads them. The reading ends when this is dropped.
#[derive(Clone)]
pub(in crate::ui) struct Reading(Rc<Inner>);

impl Reading {
    /// Begins to read files.
    pub(crate) fn begin(files: Named, zookeeper: &str, changed: impl Fn() + 'static) -> Reading {
        let mut names: Vec<String> =
            files.iter().map(|(path, _)| path.split('/').next().unwrap_or_default().to_string()).collect();
        names.dedup();
        let whole = files.iter().map(|(_, file)| file.size() as u64).sum();
        let known = Known { names, stage: Stage::Reading(0, whole), zookeeper: zookeeper.into(), ..Known::default() };
        let reading = Reading::of(files, known, changed);
        let work = reading.worker();
        match work {
            Some(work) => {
                reading.0.work.replace(Some(work));
                reading.ask(Ask::Examine { said: Vec::new(), zookeeper: zookeeper.into() });
            }
            None => reading.0.learn(|known| known.stage = Stage::NoWorker),
        }
        reading
    }

    /// One of which this is known, and which nobody goes on with.
    pub(crate) fn of(files: Named, known: Known, changed: impl Fn() + 'static) -> Reading {
        Reading(Rc::new(Inner {
            files,
            known: RefCell::new(Rc::new(known)),
            work: RefCell::default(),
            ran: RefCell::default(),
            changed: Box::new(changed),
        }))
    }

    /// The files.
    pub(crate) fn files(&self) -> Named {
        self.0.files.clone()
    }

    /// What is known.
    pub(crate) fn known(&self) -> Rc<Known> {
        self.0.known.borrow().clone()
    }

    /// Ends it; what is known stays.
    pub(crate) fn stop(&self) {
        if self.known().stage.goes_on() {
            self.0.end(Stage::Stopped);
        }
    }

    /// It is said whose disks these are, and by whose rules they are started.
    pub(crate) fn say(&self, said: Vec<(String, u64)>, zookeeper: &str) {
        self.0.learn(|known| {
            (known.stage, known.start, known.unknown) = (Stage::Loading, None, None);
            known.zookeeper = zookeeper.into();
        });
        self.ask(Ask::Examine { said, zookeeper: zookeeper.into() });
    }

    /// Makes a start a run; `ran` hears of it.
    pub(crate) fn run(&self, started: Started, ran: impl FnOnce(String, Vec<u64>) + 'static) {
        self.0.ran.replace(Some(Box::new(ran)));
        self.ask(Ask::Run { started, zookeeper: self.known().zookeeper.clone() });
    }

    fn ask(&self, ask: Ask) {
        let bytes = postcard::to_allocvec(&ask).unwrap_or_default();
        if let Some(work) = &*self.0.work.borrow() {
            let _ = work.worker.post_message(&Uint8Array::from(&bytes[..]));
        }
    }

    /// A worker to which the files were handed over.
    fn worker(&self) -> Option<Work> {
        let worker = worker_with_this_code()?;
        let (hears, breaks) = (Rc::downgrade(&self.0), Rc::downgrade(&self.0));
        let message = Listener::new(&worker, "message", move |event| {
            if let (Some(inner), Some(event)) = (hears.upgrade(), event.dyn_ref::<MessageEvent>()) {
                inner.heard(&event.data());
            }
        });
        let error = Listener::new(&worker, "error", move |event| {
            event.prevent_default();
            if let Some(inner) = breaks.upgrade() {
                inner.end(Stage::NoWorker);
            }
        });
        let all = Array::new();
        for (path, file) in &self.0.files {
            let one = Object::new();
            Reflect::set(&one, &"path".into(), &path.into()).ok()?;
            Reflect::set(&one, &"file".into(), file).ok()?;
            all.push(&one);
        }
        worker.post_message(&all).ok()?;
        Some(Work { worker, _hears: [message, error] })
    }
}

impl Inner {
    /// The worker says how much it has read, gives news, or says what broke.
    fn heard(&self, data: &JsValue) {
        if let Some(bytes) = data.dyn_ref::<Uint8Array>() {
            match postcard::from_bytes::<News>(&bytes.to_vec()) {
                Ok(news) => self.news(news),
                Err(error) => self.end(Stage::Broken(error.to_string())),
            }
        } else if let Some(read) = data.as_f64() {
            self.learn(|known| {
                if let Stage::Reading(_, whole) = known.stage {
                    let read = read as u64;
                    known.stage = if read < whole { Stage::Reading(read, whole) } else { Stage::Loading };
                }
            });
        } else if let Some(why) = data.as_string() {
            self.end(Stage::Broken(why));
        }
    }

    fn news(&self, news: News) {
        match news {
            News::Run(text, ids) => {
                let ran = self.ran.take();
                if let Some(ran) = ran {
                    ran(text, ids);
                }
            }
            news => self.learn(|known| match news {
                News::Report(report) => (known.report, known.stage) = (Some(Rc::from(report)), Stage::Judging(0, 0)),
                News::Judged(done, all, start) => {
                    known.stage = Stage::Judging(done, all);
                    known.start = start.map(Rc::from).or(known.start.take());
                }
                News::Start(start) => (known.start, known.stage) = (Some(Rc::from(start)), Stage::Over),
                News::Unknown(unknown) => (known.unknown, known.stage) = (Some(unknown), Stage::Over),
                News::TooLarge(mb) => known.too_large = Some(mb),
                News::Run(..) => {}
            }),
        }
    }

    fn learn(&self, change: impl FnOnce(&mut Known)) {
        let mut known = Known::clone(&self.known.borrow());
        change(&mut known);
        self.known.replace(Rc::new(known));
        (self.changed)();
    }

    fn end(&self, stage: Stage) {
        let work = self.work.take();
        // a worker's listeners are not to be dropped while one of them is called
        Timeout::new(0, move || drop(work)).forget();
        self.learn(|known| known.stage = stage);
    }
}
