//! One search: who does the work, and how it stands.

use std::cell::RefCell;
use std::rc::Rc;

use gloo_timers::callback::Timeout;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::*;
use web_sys::{MessageEvent, Worker};

use crate::explore::own::Law;
use crate::explore::{Answer, Found, Question, Report, Search, Stage};
use crate::ui::kit::browser::Listener;

/// How long a slice keeps the page busy where there is no worker, and how long a break is, ms; how many steps are taken between
/// two looks at the clock.
const BUSY_MS: f64 = 8.0;
const BREAK_MS: u32 = 8;
const STEPS: u64 = 500;
/// So often at most the page hears how it goes, ms.
const TELL_MS: f64 = 250.0;

#[wasm_bindgen]
extern "C" {
    /// A worker with this code, compiled (static/start.js). It throws where there can be none.
    #[wasm_bindgen(catch)]
    fn searcher(page: JsValue) -> Result<Worker, JsValue>;
}

/// A worker with the page's own code; none where there can be none.
pub(in crate::ui) fn worker_with_this_code() -> Option<Worker> {
    searcher(wasm_bindgen::module()).ok()
}

/// How a search stands.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::ui) enum Standing {
    /// It goes on; nothing has been heard yet where there is no report.
    Going(Option<Report>),
    /// It is over, and these were found, the smallest first.
    Over(Report, Vec<Shown>),
    /// It was stopped; how far it had come.
    Stopped(Option<Report>),
    /// It broke down.
    Broken(String),
}

/// A run that was found, and what it shows.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::ui) struct Shown {
    /// The run.
    pub answer: Answer,
    /// What is to be seen in it.
    pub found: Option<Found>,
}

impl Shown {
    /// The law for recipes of one's own that falls in it.
    pub(crate) fn law(&self) -> Option<Law> {
        Law::of(self.found.as_ref()?.property?)
    }
}

/// Who does the work. Whoever is dropped does no more.
enum Work {
    Nobody,
    Elsewhere { worker: Worker, _hears: [Listener; 2] },
    Here { search: Box<Search>, told: f64, _next: Option<Timeout> },
}

impl Drop for Work {
    fn drop(&mut self) {
        if let Work::Elsewhere { worker, .. } = self {
            worker.terminate();
        }
    }
}

struct Inner {
    question: Question,
    work: RefCell<Work>,
    standing: RefCell<Standing>,
    /// Hears of every change.
    changed: Box<dyn Fn(&Standing)>,
}

/// A search. It is stopped when it is dropped.
pub(in crate::ui) struct Hunt(Rc<Inner>);

impl Hunt {
    /// Begins one; `changed` is called when something is known that was not before.
    pub(crate) fn begin(question: Question, changed: impl Fn(&Standing) + 'static) -> Hunt {
        let standing = RefCell::new(Standing::Going(None));
        let inner = Inner { question, work: RefCell::new(Work::Nobody), standing, changed: Box::new(changed) };
        let hunt = Hunt(Rc::new(inner));
        let work = hunt.elsewhere().unwrap_or_else(|| hunt.here());
        hunt.0.work.replace(work);
        hunt
    }

    /// One that has taken so many steps, where nobody goes on with it.
    #[cfg(test)]
    pub(crate) fn after(question: Question, steps: u64) -> Hunt {
        let mut search = Search::new(question.clone());
        search.step(steps);
        let standing = RefCell::new(Standing::Going(None));
        let inner = Inner { question, work: RefCell::new(Work::Nobody), standing, changed: Box::new(|_| ()) };
        let report = Report::of(&search);
        // as a worker tells it
        inner.heard(&report.to_json());
        Hunt(Rc::new(inner))
    }

    /// What is asked.
    pub(crate) fn question(&self) -> &Question {
        &self.0.question
    }

    /// How it stands.
    pub(crate) fn standing(&self) -> Standing {
        self.0.standing.borrow().clone()
    }

    /// Ends it; what is known stays.
    pub(crate) fn stop(&self) {
        if let Standing::Going(report) = self.standing() {
            self.0.end(Standing::Stopped(report));
        }
    }

    /// In a worker, if one can be had.
    fn elsewhere(&self) -> Option<Work> {
        let worker = worker_with_this_code()?;
        let hears = Rc::downgrade(&self.0);
        let message = Listener::new(&worker, "message", move |event| {
            let text = event.dyn_ref::<MessageEvent>().and_then(|event| event.data().as_string());
            if let (Some(inner), Some(text)) = (hears.upgrade(), text) {
                inner.heard(&text);
            }
        });
        let broken = Rc::downgrade(&self.0);
        let error = Listener::new(&worker, "error", move |event| {
            event.prevent_default();
            // one that cannot even begin, as where a page's policy forbids it: then the page searches by itself
            if let Some(inner) = broken.upgrade() {
                Hunt(inner).go_on_here();
            }
        });
        worker.post_message(&self.0.question.to_json().into()).ok()?;
        Some(Work::Elsewhere { worker, _hears: [message, error] })
    }

    fn here(&self) -> Work {
        let search = Box::new(Search::new(self.0.question.clone()));
        Work::Here { search, told: 0.0, _next: Some(self.later()) }
    }

    fn go_on_here(self) {
        // what hears is not to be dropped while it is called
        let hunt = Hunt(self.0.clone());
        Timeout::new(0, move || {
            if matches!(hunt.standing(), Standing::Going(_)) {
                drop(hunt.0.work.replace(hunt.here()));
            }
        })
        .forget();
    }

    fn later(&self) -> Timeout {
        let weak = Rc::downgrade(&self.0);
        Timeout::new(BREAK_MS, move || {
            if let Some(inner) = weak.upgrade() {
                Hunt(inner).slice();
            }
        })
    }

    /// Works for a few milliseconds.
    fn slice(&self) {
        let next = self.later();
        let until = js_sys::Date::now() + BUSY_MS;
        let report = {
            let mut work = self.0.work.borrow_mut();
            let Work::Here { search, told, _next } = &mut *work else { return };
            while search.step(STEPS).stage != Stage::Done && js_sys::Date::now() < until {}
            *_next = Some(next);
            let now = js_sys::Date::now();
            let tells = search.progress().stage == Stage::Done || now - *told >= TELL_MS;
            *told = if tells { now } else { *told };
            tells.then(|| Report::of(search))
        };
        if let Some(report) = report {
            self.0.learn(report);
        }
    }
}

impl Inner {
    /// A worker says something: a report, or what went wrong.
    fn heard(&self, text: &str) {
        // what was on its way when the search was stopped counts no more
        if !matches!(*self.standing.borrow(), Standing::Going(_)) {
            return;
        }
        match Report::from_json(text) {
            Ok(report) => self.learn(report),
            Err(_) => self.end(Standing::Broken(text.to_string())),
        }
    }

    fn learn(&self, report: Report) {
        if report.progress.stage != Stage::Done {
            return self.tell(Standing::Going(Some(report)));
        }
        let goal = &self.question.goal;
        let shown = |answer: &Answer| Shown { answer: answer.clone(), found: answer.replay(goal) };
        let finds = report.finds.iter().map(shown).collect();
        self.end(Standing::Over(report, finds));
    }

    fn tell(&self, standing: Standing) {
        self.standing.replace(standing.clone());
        (self.changed)(&standing);
    }

    fn end(&self, standing: Standing) {
        let work = self.work.replace(Work::Nobody);
        if !matches!(work, Work::Nobody) {
            // a worker's listeners are not to be dropped while one of them is called
            Timeout::new(0, move || drop(work)).forget();
        }
        self.tell(standing);
    }
}
