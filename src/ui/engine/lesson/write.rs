//! A task of the open lesson that is done by writing: its program comes onto the stage, and with it into the editor; the search judges what
//! is written there.

use std::rc::Rc;

use crate::explore::own::fallen;
use crate::lessons::{Judged, Source, Task, Write};
use crate::recipes::own::Program;
use crate::ui::engine::Engine;
use crate::ui::kit::browser::wrong_words;
use crate::ui::search::Shown;

use super::state::{Open, Trying};

impl Engine {
    /// What the open lesson wants to be written here; none beside its path.
    pub(crate) fn written_here(&self) -> Option<Write> {
        if self.is_beside_lesson() {
            return None;
        }
        self.with_open(|open| open.written().cloned()).flatten()
    }

    /// A run on the stage belongs to what is written here.
    pub(in crate::ui::engine) fn own_written(&self) {
        let task = self.with_open(|open| open.guide.task().map(|task| task.id.clone()));
        if let Some(task) = task.flatten() {
            self.own_stage(Some(Trying { task, tried: None, shown: false, looked: 0.0, seen: None }));
        }
    }

    /// A task's program comes onto the stage and into the editor; where somebody has begun to write there, what they have.
    pub(super) fn put_writing(&self, task: &Task, from: &Source) {
        let began = self.with_open(|open| open.writing.take()).flatten().filter(|(of, _)| *of == task.id);
        let text = began.map_or_else(|| from.text.clone(), |(_, text)| text);
        let shown = match Program::parse(&text) {
            Ok(program) => self.watch_plain(&text, &program),
            // what is unfinished stands in the editor alone
            Err(_) => self.watch_plain(&from.text, &from.program),
        };
        self.own_written();
        self.put_recipe(&text);
        self.note(shown.err().map(|error| wrong_words(&error)));
    }

    /// A program that does it comes onto the stage and into the editor.
    pub(super) fn show_written(&self, answer: &Source) {
        let shown = self.watch_plain(&answer.text, &answer.program);
        self.own_written();
        self.put_recipe(&answer.text);
        self.note(shown.err().map(|error| wrong_words(&error)));
    }

    /// The search for what breaks a text is over: what comes of it is told where it is still wanted.
    pub(in crate::ui::engine) fn judge_written(&self, write: &Write, program: &Program, finds: &[Shown]) {
        let fell = fallen(finds.iter().filter_map(|shown| shown.found.as_ref()));
        let judged = self.with_open(|open| {
            let wanted = open.written() == Some(write);
            let judged = wanted.then(|| write.judge(program, &fell))?;
            open.judged = Some(judged);
            if judged == Judged::Done {
                open.guide.has_done();
            }
            Some(())
        });
        if judged.flatten().is_some() {
            self.set_stage();
        }
    }

    /// The text in the editor is another one: what came of the one before is told no more.
    pub(in crate::ui::engine) fn forget_judged(&self, text: Option<Rc<str>>) {
        self.with_open(|open| {
            open.judged = None;
            let task = open.guide.task().filter(|task| task.write().is_some()).map(|task| task.id.clone());
            open.writing = task.zip(text).or(open.writing.take());
        });
    }
}

impl Open {
    /// What is to be written.
    pub(super) fn written(&self) -> Option<&Write> {
        self.guide.task().and_then(Task::write)
    }
}
