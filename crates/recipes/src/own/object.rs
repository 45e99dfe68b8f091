//! A recipe that a program of one's own describes: its methods are the program's sections.

use std::rc::Rc;

use crate::base::SortedMap;
use crate::base::rows::Rows;
use crate::wire::{CreateMode, EventType, WatchedEvent};

use crate::curator::{ConnectionState, Create};
use crate::locks::naive_lock::{is_news, not_owned};
use crate::runtime::context::{Boxed, Cx, Frame, Object};
use crate::runtime::fact::ReleaseReason;
use crate::runtime::io::Method;
use crate::runtime::recipe::Recipe;
use crate::runtime::thread::{Flow, Resume};
use crate::runtime::thread_id::ThreadId;
use crate::runtime::value::Exception;

use super::forms::{Section, Statement};
use super::program::Program;
use super::running::{Activity, Running, Shared};
use super::values::Kept;

pub(crate) use super::forms::METHODS;
/// One word, which is the program's text.
pub(crate) const WORDS: &[&str] = &[];

/// A recipe of one's own.
#[derive(Clone, Debug)]
pub(crate) struct Own {
    shared: Rc<Shared>,
    threads: SortedMap<ThreadId, Running>,
}

/// Where a thread stands in a program of one's own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct At {
    /// The thread.
    pub thread: ThreadId,
    /// The section that is under way.
    pub section: Option<Section>,
    /// The line that it is at, from 1; 0 where no section is under way.
    pub line: usize,
    /// What it does there.
    pub doing: Activity,
    /// Whether it has it: the lock, leadership.
    pub holds: bool,
    /// The values that it keeps, by name, each as a text.
    pub values: Vec<(Rc<str>, Rc<str>)>,
}

impl Own {
    /// The nodes below which it creates others are made at once, in the background, as a lock by hand does it.
    pub(crate) fn new(recipe: &Recipe, name: &Rc<str>, cx: &mut Cx<'_>) -> Own {
        // a recipe that was checked has a program; another one has no method
        let text = recipe.with.first().map_or("", |text| text);
        let (object, path, program) = (name.clone(), recipe.path.clone(), Program::parse(text).unwrap_or_default());
        for parent in program.parents() {
            let create = Create::plain(parent, CreateMode::Persistent, Some(""));
            cx.start(create.with_parents().in_background().boxed(), None);
        }
        Own { shared: Rc::new(Shared { object, path, program }), threads: SortedMap::new() }
    }

    /// Its program.
    pub(crate) fn program(&self) -> &Program {
        &self.shared.program
    }

    /// Where its threads stand.
    pub(crate) fn places(&self) -> impl Iterator<Item = At> {
        self.threads.iter().map(|(thread, running)| {
            let code = self.shared.program.code.get(running.at).filter(|_| running.section.is_some());
            let shown = |(name, value): (&Rc<str>, &Kept)| (name.clone(), value.to_string().into());
            At {
                thread: *thread,
                section: running.section,
                line: code.map_or(0, |code| code.line),
                doing: if running.section.is_some() { running.doing.clone() } else { Activity::Idle },
                holds: running.holds,
                values: running.values.iter().map(shown).collect(),
            }
        })
    }
}

impl Object for Own {
    fn call(&mut self, me: &Rc<str>, method: &Method, cx: &mut Cx<'_>) -> Result<Boxed, Exception> {
        let section = Section::named(&method.method).ok_or_else(|| method.unknown())?;
        let at = self.shared.program.place_of(&Statement::Section { section }).ok_or_else(|| method.unknown())?;
        let who = cx.thread;
        let running = self.threads.get_or_else(who, || Running::new(self.shared.clone(), who));
        if running.section.is_some() {
            return Err(Exception::state("A section is under way"));
        }
        if !running.holds && section.gives_back() {
            return Err(not_owned(&self.shared.path));
        }
        if running.holds && section.gets() {
            return Err(Exception::state("This lock is not re-entrant"));
        }
        running.begin(section, at);
        (running.item, running.limit) = (method.data.clone(), method.timeout_ms.map(|ms| cx.now.plus(ms * 1_000)));
        if section.gives_back() {
            running.lets_go(ReleaseReason::Released, cx);
        }
        Ok(Box::new(Turn { object: me.clone(), who }))
    }

    fn event(&mut self, me: &Rc<str>, event: &WatchedEvent, cx: &mut Cx<'_>) {
        if !is_news(event) {
            return;
        }
        for running in self.threads.values_mut() {
            running.news = true;
            if event.kind == EventType::None || event.path.as_ref() == Some(&running.watched) {
                running.hit = Some(event.kind);
            }
        }
        cx.notify(me);
    }

    fn connection(&mut self, me: &Rc<str>, state: ConnectionState, cx: &mut Cx<'_>) {
        if state != ConnectionState::Lost || self.shared.program.place_of(&Statement::OnLost {}).is_none() {
            return;
        }
        for (who, running) in self.threads.iter_mut() {
            if running.section.is_some() {
                cx.interrupt(running.by);
            } else if running.holds {
                // it is in no section, its thread does something else: when the clause is over, so is all
                running.begin(Section::Release, 0);
                running.by = cx.start(Box::new(Turn { object: me.clone(), who: *who }), None);
            }
            running.lost = running.section.is_some();
        }
    }

    fn rows(&self, rows: &mut Rows) {
        rows.put("path", &self.shared.path);
        for at in self.places() {
            let values: String = at.values.iter().map(|(name, value)| format!(" · {name} = {value}")).collect();
            let text = format!("{} {}{values}", at.section.map_or("", Section::name), at.line);
            rows.item(&at.thread, &at.thread, text, None);
        }
    }
}

/// A section under way, in its thread's stack.
#[derive(Clone, Debug)]
struct Turn {
    object: Rc<str>,
    who: ThreadId,
}

impl Frame for Turn {
    fn resume(&mut self, cx: &mut Cx<'_>, with: Resume) -> Flow {
        let object = self.object.clone();
        let resumed =
            cx.with(&object, |own: &mut Own, _, cx| own.threads.get_mut(&self.who).map(|of| of.resume(with, cx)));
        resumed.flatten().unwrap_or_else(|| Flow::Return(Err(Exception::gone())))
    }
}
