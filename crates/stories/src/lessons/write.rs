//! A task that is done by writing: a program is to be mended, or to be broken, and the search judges it. No text is compared with another.

use std::rc::Rc;

use crate::base::json::{Json, Read, ReadError, ValueError, within};
use crate::explore::own::{Law, fallen, plain_run, question};
use crate::explore::{Question, Search, Stage};
use crate::recipes::own::{Program, READY, Section};
use crate::sim::Run;

/// So many schedules are tried where the task does not say how many, and at most.
const SCHEDULES: u64 = 3_000;
const MOST_SCHEDULES: u64 = 10_000;
/// On so many servers.
const SERVERS: u8 = 1;
/// Steps between two looks.
const SLICE: u64 = 200_000;

/// A program to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Write {
    /// What stands in the editor at first.
    pub from: Source,
    /// What is wanted of it.
    pub wants: Wants,
    /// A herd is no fault.
    pub may_herd: bool,
    /// How many schedules are tried, at most 10,000.
    pub schedules: u64,
    /// A program that does it: shown to whoever asks for it, and judged by tests.
    pub answer: Source,
}

/// What is wanted of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wants {
    /// No run breaks it: it begins with one that falls by this law.
    Mended(Law),
    /// A run breaks it by this law.
    Broken(Law),
}

/// A program and its text: the name of one that is ready, or lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The text.
    pub text: Rc<str>,
    /// What it says.
    pub program: Program,
}

/// What comes of a program that was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judged {
    /// It is what was wanted.
    Done,
    /// It falls by this law, which it must not, or which is not the one that is wanted.
    Falls(Law),
    /// Nothing breaks it, and something should.
    Stands,
    /// It has no such section any more.
    Lacks(Section),
}

impl Write {
    /// The question whether a program breaks.
    pub fn question(&self, text: &str, program: &Program) -> Question {
        question(text, program, SERVERS, self.may_herd, self.schedules)
    }

    /// What comes of a program, by the laws that fell in the search, the gravest first.
    pub fn judge(&self, program: &Program, fell: &[Law]) -> Judged {
        let at_margin = self.from.program.lines().iter().filter(|line| line.depth == 0);
        let mut sections = at_margin.filter_map(|line| Section::named(&line.text));
        if let Some(section) = sections.find(|section| !program.has(*section)) {
            return Judged::Lacks(section);
        }
        match (self.wants, fell.first()) {
            (Wants::Broken(law), _) if fell.contains(&law) => Judged::Done,
            (Wants::Mended(_), None) => Judged::Done,
            (Wants::Broken(_), None) => Judged::Stands,
            (_, Some(law)) => Judged::Falls(*law),
        }
    }

    /// What is not so: what it begins with is what is wanted already, or does not fall by the law that it is about; its answer is not
    /// what is wanted.
    pub(super) fn flaws(&self) -> Vec<String> {
        let mut flaws = Vec::new();
        let fell = self.searched(&self.from);
        match self.wants {
            Wants::Mended(law) if !fell.contains(&law) => {
                flaws.push(format!("what it begins with does not fall by {}: {}", law.id(), listed(&fell)));
            }
            // where something is only to be found, both are one
            Wants::Broken(_) if self.answer != self.from && self.judge(&self.from.program, &fell) == Judged::Done => {
                flaws.push("what it begins with is what is wanted".into());
            }
            _ => {}
        }
        let fell = self.searched(&self.answer);
        match self.judge(&self.answer.program, &fell) {
            Judged::Done => {}
            Judged::Lacks(section) => flaws.push(format!("its answer has no section {}", section.name())),
            _ => flaws.push(format!("its answer is not what is wanted: {}", listed(&fell))),
        }
        flaws
    }

    fn searched(&self, source: &Source) -> Vec<Law> {
        let mut search = Search::new(self.question(&source.text, &source.program));
        while search.step(SLICE).stage != Stage::Done {}
        fallen(search.finds().iter().map(|find| &find.found))
    }
}

impl Source {
    /// A run in which nothing goes wrong: three clients use it.
    pub(super) fn plain_run(&self) -> Run {
        plain_run(&self.text, &self.program)
    }
}

fn listed(fell: &[Law]) -> String {
    match fell {
        [] => "nothing falls".into(),
        _ => fell.iter().map(|law| law.id()).collect::<Vec<_>>().join(", ") + " falls",
    }
}

impl Read for Source {
    fn read(json: Json) -> Result<Source, ReadError> {
        let text: Rc<str> = match json {
            Json::List(_) => (Vec::<Rc<str>>::read(json)?.join("\n") + "\n").into(),
            name => {
                let name = Rc::<str>::read(name)?;
                let ready = READY.iter().find(|ready| *ready.name == *name);
                let known = || READY.iter().map(|ready| ready.name).collect();
                ready.ok_or_else(|| ReadError::unknown_name(&name, known()))?.text.into()
            }
        };
        let program = Program::parse(&text).map_err(|error| ReadError::new(ValueError::Program(error)))?;
        Ok(Source { text, program })
    }
}

impl Read for Law {
    fn read(json: Json) -> Result<Law, ReadError> {
        let id = Rc::<str>::read(json)?;
        let known = || Law::ALL.iter().map(|law| law.id()).collect();
        Law::ALL.iter().copied().find(|law| law.id() == &*id).ok_or_else(|| ReadError::unknown_name(&id, known()))
    }
}

impl Read for Write {
    fn read(json: Json) -> Result<Write, ReadError> {
        let mut fields = json.fields()?;
        let from: Source = fields.need("from")?;
        let wants = match (fields.or("mend", None)?, fields.or("break", None)?) {
            (Some(law), None) => Wants::Mended(law),
            (None, Some(law)) => Wants::Broken(law),
            _ => return Err(ReadError::new(ValueError::OneOf { fields: &["mend", "break"] })),
        };
        let answer = match wants {
            Wants::Mended(_) => fields.need("answer")?,
            Wants::Broken(_) => fields.or("answer", from.clone())?,
        };
        let (may_herd, schedules) = (fields.or("may_herd", false)?, fields.or("schedules", SCHEDULES)?);
        within("schedules", schedules, 1, MOST_SCHEDULES)?;
        fields.end().map(|()| Write { from, wants, may_herd, schedules, answer })
    }
}
