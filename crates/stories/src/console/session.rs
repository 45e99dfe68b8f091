//! The console: lines go in, calls and printed lines come out.

use crate::base::Zxid;
use crate::client::{Call, CallOutcome, State};
use crate::sim::{ZkVersion, version_number};
use crate::wire::{AddWatchMode, Request, WatchedEvent};

use super::command::{Action, ConsoleError, Effect, Local, Operation};
use super::history::History;
use super::running::{Progress, Running};
use super::text::event_lines;
use super::{Line, Note, parse_as, spec, words};

/// A call to make, and the number under which its outcome is to be told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// The number; it never comes again.
    pub number: usize,
    /// The call.
    pub call: Call,
}

/// What a line or an answer leads to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Step {
    /// The calls to make, in order.
    pub calls: Vec<Asked>,
    /// What is printed.
    pub lines: Vec<Line>,
    /// What is to be done with the client or the screen.
    pub effect: Option<Effect>,
}

/// What becomes of a line without words where no line was before it.
const NO_WORDS: &str = "java.lang.NullPointerException: Cannot invoke \"java.util.List.toArray(Object[])\" because \
                        \"this.cmdArgs\" is null";

/// One zkCli. It runs one command at a time.
#[derive(Clone, Debug)]
pub struct Console {
    /// The lines typed.
    pub history: History,
    /// Which zkCli it is.
    pub version: ZkVersion,
    print_watches: bool,
    /// How `addWatch` watches without `-m`: as the last one with it did.
    watch_mode: AddWatchMode,
    /// The last line that had words: one without any repeats it.
    last: Option<String>,
    /// Whether `redo` closes the session, and looks for one when that is done.
    redoes_close: bool,
    running: Option<Running>,
    /// The number of the running command's first call.
    first: usize,
    /// The number that the next call gets.
    next: usize,
}

impl Default for Console {
    fn default() -> Console {
        Console {
            history: History::default(),
            version: ZkVersion::default(),
            print_watches: true,
            watch_mode: AddWatchMode::PersistentRecursive,
            last: None,
            redoes_close: false,
            running: None,
            first: 0,
            next: 0,
        }
    }
}

impl Console {
    /// The prompt, as in `[zk: S1(CONNECTED) 0] `.
    pub fn prompt(&self, host: &str, state: State) -> String {
        let state = match state {
            State::Connecting | State::Disconnected => "CONNECTING",
            State::Connected => "CONNECTED",
            State::Expired | State::Closed => "CLOSED",
            State::AuthFailed => "AUTH_FAILED",
        };
        format!("[zk: {host}({state}) {}] ", self.history.count())
    }

    /// Whether a command waits for an answer.
    pub fn is_busy(&self) -> bool {
        self.running.is_some()
    }

    /// Takes a line; `state` is the client's.
    pub fn enter(&mut self, line: &str, state: State) -> Step {
        if self.is_busy() {
            return printed(vec![Line::note(Note::Busy)]);
        }
        if line.is_empty() {
            return Step::default();
        }
        match parse_as(line, self.version) {
            Err(ConsoleError::Note(note @ Note::LineTooLong)) => printed(vec![Line::note(note)]),
            Err(ConsoleError::Empty) => {
                self.history.push(line);
                match self.last.clone() {
                    // the words of the line before are still there
                    Some(last) => self.process(&last, state),
                    None => printed(complaint(ConsoleError::Thrown(NO_WORDS.into()))),
                }
            }
            _ => {
                self.history.push(line);
                self.process(line, state)
            }
        }
    }

    /// A call is over.
    pub fn answered(&mut self, number: usize, outcome: &CallOutcome) -> Step {
        let Some(mut running) = self.running.take() else { return Step::default() };
        let Some(call) = number.checked_sub(self.first) else {
            self.running = Some(running); // an answer to a command given up
            return Step::default();
        };
        let Progress { more, lines, done } = running.answered(call, outcome);
        self.running = (!done).then_some(running);
        Step { calls: self.numbered(more), lines, effect: None }
    }

    /// A watcher is called.
    pub fn event(&self, event: &WatchedEvent, zxid: Option<Zxid>) -> Vec<Line> {
        if self.print_watches { event_lines(event, zxid, self.version) } else { Vec::new() }
    }

    /// The session is over. A `redo` that closed it finds none.
    pub(super) fn ended(&mut self) -> Vec<Line> {
        if std::mem::take(&mut self.redoes_close) { vec![not_connected()] } else { Vec::new() }
    }

    /// No longer waits for the running command. Its calls may still happen.
    pub fn give_up(&mut self) -> Step {
        self.first = self.next;
        self.redoes_close = false;
        printed(self.running.take().map(|_| Line::note(Note::GivenUp)).into_iter().collect())
    }

    /// Carries out a line that has words (`processCmd`).
    fn process(&mut self, line: &str, state: State) -> Step {
        self.last = Some(line.to_string());
        let words = words::words(line);
        let name = words.first().copied().unwrap_or("");
        if !is_alive(state) && needs_session(name, self.version) {
            return printed(vec![not_connected()]);
        }
        let command = match parse_as(line, self.version) {
            Ok(command) => command,
            Err(error) => return printed(complaint(error)),
        };
        let mut step = match command.action {
            Action::Local(Local::Redo(number)) => match self.redo(number, state) {
                Ok(step) => step,
                Err(why) => return printed(vec![Line::error(why)]),
            },
            Action::Local(local) => printed(self.local(&local)),
            Action::Effect(effect) => Step { effect: Some(effect), ..Step::default() },
            Action::Ask(mut operation) => {
                self.watch_as_before(&mut operation, &words);
                let (running, calls) = Running::start(&operation);
                self.running = Some(running);
                self.first = self.next;
                Step { calls: self.numbered(calls), ..Step::default() }
            }
        };
        // what it answers itself, it answers first, and looks for a session then
        if !is_alive(state) && matches!(name, "history" | "printwatches" | "redo") {
            step.lines.push(not_connected());
        }
        step.lines.splice(0..0, command.hints.into_iter().map(Line::error));
        step
    }

    /// The one object of `addWatch` keeps the mode that it was given last.
    fn watch_as_before(&mut self, operation: &mut Operation, words: &[&str]) {
        let Operation::One { call, .. } = operation else { return };
        if let Request::AddWatch { mode, .. } = &mut call.request {
            match words.iter().any(|word| word.starts_with("-m")) {
                true => self.watch_mode = *mode,
                false => *mode = self.watch_mode,
            }
        }
    }

    fn redo(&mut self, number: Option<i32>, state: State) -> Result<Step, &'static str> {
        let Some(number) = number else { return Ok(Step::default()) };
        let itself = self.history.count() - 1;
        let number = usize::try_from(number).ok().filter(|number| *number < itself);
        let line = number.and_then(|number| self.history.get(number)).map(String::from);
        let line = line.ok_or("Command index out of range")?;
        // a line without words leaves the words of this one
        if words::words(&line).first().is_none_or(|name| *name == "redo") {
            self.last = Some(line);
            return Err("No redoing redos");
        }
        self.history.replace_last(&line);
        let step = self.process(&line, state);
        self.redoes_close = step.effect == Some(Effect::Close);
        Ok(step)
    }

    fn local(&mut self, local: &Local) -> Vec<Line> {
        match local {
            Local::Help(None) => spec::list(self.version).into_iter().map(Line::output).collect(),
            Local::Help(Some(name)) => match spec::find(name, self.version) {
                Some(spec) => spec.usage().into_iter().map(Line::output).collect(),
                None => vec![Line::error(ConsoleError::NotFound(name.clone()).to_string())],
            },
            Local::History => self.history.listing().into_iter().map(Line::output).collect(),
            Local::PrintWatches(None) => {
                vec![Line::output(format!("printwatches is {}", if self.print_watches { "on" } else { "off" }))]
            }
            Local::PrintWatches(Some(on)) => {
                self.print_watches = *on;
                Vec::new()
            }
            Local::Version => {
                let number = version_number(self.version.number());
                vec![Line::output(format!("ZooKeeper CLI version: {number}"))]
            }
            Local::Redo(_) => Vec::new(), // carried out before
        }
    }

    fn numbered(&mut self, calls: Vec<Call>) -> Vec<Asked> {
        let numbers = self.next..;
        self.next += calls.len();
        numbers.zip(calls).map(|(number, call)| Asked { number, call }).collect()
    }
}

/// Whether there is still a session, or may be one.
pub(super) fn is_alive(state: State) -> bool {
    !matches!(state, State::Expired | State::Closed | State::AuthFailed)
}

/// Whether zkCli looks for a session before it looks at anything else of a command.
fn needs_session(name: &str, version: ZkVersion) -> bool {
    let its_own = matches!(name, "connect" | "history" | "printwatches" | "quit" | "redo");
    !its_own && spec::find(name, version).is_some_and(|spec| spec.listed)
}

fn not_connected() -> Line {
    Line::output("Not connected")
}

fn printed(lines: Vec<Line>) -> Step {
    Step { lines, ..Step::default() }
}

/// zkCli puts the whole list of commands before the complaint about one that it does not know; here that would push away what was
/// typed and answered before. `help` prints it.
fn complaint(error: ConsoleError) -> Vec<Line> {
    match error {
        ConsoleError::Empty => Vec::new(),
        ConsoleError::Note(note) => vec![Line::note(note)],
        ConsoleError::Usage(lines) => lines.into_iter().map(Line::error).collect(),
        ConsoleError::Thrown(_) => vec![Line::error(error.to_string()), Line::note(Note::Ends)],
        ConsoleError::Hinted(hints, error) => hints.into_iter().map(Line::error).chain(complaint(*error)).collect(),
        _ => vec![Line::error(error.to_string())],
    }
}
