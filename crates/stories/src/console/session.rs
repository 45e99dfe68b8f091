//! The console: lines go in, calls and printed lines come out.

use crate::base::Zxid;
use crate::client::{Call, CallOutcome, State};
use crate::sim::VERSION_NUMBER;
use crate::wire::WatchedEvent;

use super::command::{Action, Command, ConsoleError, Effect, Local};
use super::history::History;
use super::running::{Progress, Running};
use super::text::event_lines;
use super::{Line, Note, parse, spec, words};

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

/// One zkCli. It runs one command at a time.
#[derive(Clone, Debug)]
pub struct Console {
    /// The lines typed.
    pub history: History,
    print_watches: bool,
    running: Option<Running>,
    /// The number of the running command's first call.
    first: usize,
    /// The number that the next call gets.
    next: usize,
}

impl Default for Console {
    fn default() -> Console {
        Console { history: History::default(), print_watches: true, running: None, first: 0, next: 0 }
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
        let parsed = parse(line);
        match parsed {
            Err(ConsoleError::Empty) => return Step::default(),
            Err(ConsoleError::Note(note @ Note::LineTooLong)) => return printed(vec![Line::note(note)]),
            _ => self.history.push(line),
        }
        match parsed {
            Ok(Command { action: Action::Local(Local::Redo(number)), .. }) => self.redo(number, state),
            parsed => self.run(parsed, state),
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
        if self.print_watches { event_lines(event, zxid) } else { Vec::new() }
    }

    /// No longer waits for the running command. Its calls may still happen.
    pub fn give_up(&mut self) -> Step {
        self.first = self.next;
        printed(self.running.take().map(|_| Line::note(Note::GivenUp)).into_iter().collect())
    }

    fn redo(&mut self, number: i32, state: State) -> Step {
        let itself = self.history.count() - 1;
        let number = usize::try_from(number).ok().filter(|number| *number < itself);
        let Some(line) = number.and_then(|number| self.history.get(number)).map(String::from) else {
            return printed(vec![Line::error("Command index out of range")]);
        };
        if words::words(&line).first() == Some(&"redo") {
            return printed(vec![Line::error("No redoing redos")]);
        }
        self.history.replace_last(&line);
        self.run(parse(&line), state)
    }

    fn run(&mut self, parsed: Result<Command, ConsoleError>, state: State) -> Step {
        let command = match parsed {
            Ok(command) => command,
            Err(error) => return printed(complaint(error)),
        };
        let alive = !matches!(state, State::Expired | State::Closed | State::AuthFailed);
        let mut step = match &command.action {
            Action::Local(local) if alive || !matches!(local, Local::Version) => printed(self.local(local)),
            Action::Effect(effect) if alive || !matches!(effect, Effect::Close | Effect::AddAuth { .. }) => {
                Step { effect: Some(effect.clone()), ..Step::default() }
            }
            Action::Ask(operation) if alive => {
                let (running, calls) = Running::start(operation);
                self.running = Some(running);
                self.first = self.next;
                Step { calls: self.numbered(calls), ..Step::default() }
            }
            _ => return printed(vec![Line::output("Not connected")]),
        };
        step.lines.splice(0..0, command.hints.into_iter().map(Line::error));
        step
    }

    fn local(&mut self, local: &Local) -> Vec<Line> {
        match local {
            Local::Help(None) => spec::list().into_iter().map(Line::output).collect(),
            Local::Help(Some(name)) => match spec::find(name) {
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
            Local::Version => vec![Line::output(format!("ZooKeeper CLI version: {VERSION_NUMBER}"))],
            Local::Redo(_) => Vec::new(), // carried out before
        }
    }

    fn numbered(&mut self, calls: Vec<Call>) -> Vec<Asked> {
        let numbers = self.next..;
        self.next += calls.len();
        numbers.zip(calls).map(|(number, call)| Asked { number, call }).collect()
    }
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
        _ => vec![Line::error(error.to_string())],
    }
}
