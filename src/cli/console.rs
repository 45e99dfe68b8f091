//! `zabscope cli`: zkCli at a run. Virtual time goes on until all has come of a line that one client can wait for, and while it is
//! told to (`sleep 2`). `@C2 ls /` is typed at another client, `@C2` alone stays there: as in a second terminal.

use std::collections::BTreeMap;
use std::io::{self, BufRead, IsTerminal, Write};
use std::process::ExitCode;

use clap::Args;

use crate::base::limits::MAX_TIME_MS;
use crate::base::{ClientId, SimTime};
use crate::client::State;
use crate::console::{Cli, ConsoleHost, Entry, prompt, state_of};
use crate::i18n::{Lang, describe};
use crate::scenarios::scenario;
use crate::sim::Action;
use crate::timeline::Session;

use super::options::ms;
use super::run::Which;
use super::{Failure, say};

/// How long a command may wait for its answer in virtual time, ms. zkCli waits for ever; here nobody can hurry the run.
const PATIENCE_MS: u64 = 60_000;
/// The session timeout that a client asks for which the run does not have, ms.
const TIMEOUT_MS: u32 = 4_000;

/// Attaches zkCli to a run.
///
/// Each line of standard input is a command of the client, and virtual time advances until it is answered. 'sleep 2' lets two seconds
/// pass; '@C2 create /a' is typed at C2, '@C2' alone stays there.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  zabscope cli cold-start-3
  zabscope cli lock-herd --at 4000 --client C2
  printf 'create /a x\\nls /\\n' | zabscope cli cold-start-3")]
pub(super) struct Console {
    #[command(flatten)]
    which: Which,
    /// Who types; a client that the run lacks is opened
    #[arg(long, value_name = "CLIENT", default_value = "C1", value_parser = client_of)]
    client: ClientId,
    /// When in the run, by default at its end
    #[arg(long, value_name = "MS", value_parser = ms)]
    at: Option<u64>,
}

pub(super) fn cli(asked: Console) -> Result<ExitCode, Failure> {
    let (from, client) = (scenario(&asked.which.what), asked.client);
    let (run, until) = asked.which.find()?;
    let mut session = Session::new(run, from)?;
    session.seek(SimTime::from_ms(asked.at.unwrap_or(until)))?;
    let mut table = Table { session, host: ConsoleHost::default(), client, printed: BTreeMap::new() };
    table.host.attend(&mut table.session);
    table.sit_down(client)?;
    table.read_lines()?;
    Ok(ExitCode::SUCCESS)
}

fn client_of(text: &str) -> Result<ClientId, &'static str> {
    client_named(text).ok_or("write its name, as in C1")
}

fn client_named(text: &str) -> Option<ClientId> {
    let number = text.strip_prefix(['C', 'c']).unwrap_or(text).parse().ok().filter(|number| *number > 0);
    number.map(ClientId)
}

/// How long `sleep 1.5` is, ms.
fn sleeps(line: &str) -> Option<Result<u64, String>> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let ["sleep", rest @ ..] = &words[..] else { return None };
    let seconds = rest.first().and_then(|word| word.parse::<f64>().ok()).filter(|_| rest.len() == 1);
    let seconds = seconds.filter(|seconds| (0.0..=MAX_TIME_MS as f64 / 1_000.0).contains(seconds));
    Some(seconds.map(|seconds| (seconds * 1_000.0).round() as u64).ok_or_else(|| "sleep seconds".to_string()))
}

/// The consoles of clients at a run.
struct Table {
    session: Session,
    host: ConsoleHost,
    /// The client that types.
    client: ClientId,
    /// The clients that have typed, and how many entries of each one's log have been printed or forgotten.
    printed: BTreeMap<ClientId, usize>,
}

impl Table {
    /// A client that types: one that the run does not have, or whose session is over, is opened and waited for.
    fn sit_down(&mut self, client: ClientId) -> Result<(), Failure> {
        // what a second client has heard before is in nobody's terminal
        let heard = self.host.consoles.get(&client).map_or(0, |cli| cli.forgotten + cli.log.len());
        self.printed.insert(client, if self.printed.is_empty() { 0 } else { heard });
        if matches!(state_of(&self.session, client), State::Closed | State::Expired | State::AuthFailed) {
            let timeout_ms = TIMEOUT_MS;
            let open = Action::OpenClient { client, servers: Vec::new(), timeout_ms, chroot: None, raw: false };
            self.session.act(open)?;
        }
        let waits =
            |table: &Table| matches!(state_of(&table.session, client), State::Connecting | State::Disconnected);
        if !self.wait_while(waits)? {
            say(format_args!("zabscope: {client} is not connected after {PATIENCE_MS} ms of the run\n"));
        }
        self.print_news()
    }

    /// Types each line of stdin, and waits for what comes of it.
    fn read_lines(&mut self) -> Result<(), Failure> {
        let terminal = io::stdin().is_terminal();
        let mut lines = io::stdin().lock().lines();
        loop {
            if terminal {
                let mut out = io::stdout().lock();
                let prompt = prompt(&self.host, &self.session, self.client);
                write!(out, "{}{prompt}", self.whose(self.client))?;
                out.flush()?;
            }
            let Some(line) = lines.next() else { return Ok(()) };
            let line = line.map_err(|error| Failure::usage(format!("stdin: {error}")))?;
            if self.read(&line)? {
                return Ok(());
            }
        }
    }

    /// A line: of the client that types, of another one, or about time. Whether it ends all this.
    fn read(&mut self, line: &str) -> Result<bool, Failure> {
        let Some(rest) = line.strip_prefix('@') else { return self.type_at(self.client, line) };
        let (name, rest) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        let Some(client) = client_named(name) else {
            say(format_args!("zabscope: '@{name}' is no client. Example: @C2 ls /\n"));
            return Ok(false);
        };
        if !self.printed.contains_key(&client) {
            self.sit_down(client)?;
        }
        if rest.is_empty() {
            self.client = client;
            return Ok(false);
        }
        // the first client's `quit` ends all; another one only leaves
        Ok(self.type_at(client, rest)? && client == self.client)
    }

    fn type_at(&mut self, client: ClientId, line: &str) -> Result<bool, Failure> {
        match sleeps(line) {
            Some(Ok(ms)) => {
                self.sleep(ms)?;
                return Ok(false);
            }
            Some(Err(usage)) => {
                say(format_args!("{usage}\n"));
                return Ok(false);
            }
            None => {}
        }
        let quits = self.host.enter(&mut self.session, client, line);
        let cli = |table: &Table, holds: fn(&Cli) -> bool| table.host.consoles.get(&client).is_some_and(holds);
        if !self.wait_while(|table| cli(table, Cli::awaits_news))? {
            match cli(self, Cli::is_busy) {
                true => say(format_args!("zabscope: no answer within {PATIENCE_MS} ms of the run\n")),
                false => say(format_args!("zabscope: {client} is not connected after {PATIENCE_MS} ms of the run\n")),
            }
            self.host.give_up(client);
        }
        self.print_news()?;
        Ok(quits)
    }

    /// Lets virtual time go on, event by event, as long as something holds; whether it ended in time.
    fn wait_while(&mut self, holds: impl Fn(&Table) -> bool) -> Result<bool, Failure> {
        let end = self.session.world().now.plus(PATIENCE_MS * 1_000);
        while holds(self) {
            if self.session.world().next_at().is_none_or(|next| next > end) || self.session.step(1) == 0 {
                return Ok(false);
            }
            self.host.attend(&mut self.session);
            self.print_news()?;
        }
        Ok(true)
    }

    /// Lets so much virtual time pass.
    fn sleep(&mut self, ms: u64) -> Result<(), Failure> {
        let end = self.session.world().now.plus(ms * 1_000);
        if end > SimTime::from_ms(MAX_TIME_MS) {
            say(format_args!("zabscope: a run ends at {MAX_TIME_MS} ms\n"));
            return Ok(());
        }
        while self.session.world().next_at().is_some_and(|next| next <= end) && self.session.step(1) > 0 {
            self.host.attend(&mut self.session);
            self.print_news()?;
        }
        self.session.seek(end)?;
        self.host.attend(&mut self.session);
        self.print_news()
    }

    /// What stands before a line where several clients type.
    fn whose(&self, client: ClientId) -> String {
        if self.printed.len() > 1 { format!("{client}: ") } else { String::new() }
    }

    /// Prints what the consoles have said since the last time.
    fn print_news(&mut self) -> Result<(), Failure> {
        let mut out = io::stdout().lock();
        for (client, printed) in &self.printed {
            let Some(cli) = self.host.consoles.get(client) else { continue };
            for entry in cli.log.iter().skip(printed.saturating_sub(cli.forgotten)) {
                let text = match entry {
                    // whoever typed it has seen it
                    Entry::Typed(..) | Entry::Rewound => continue,
                    Entry::Printed(line) => line.text.clone(),
                    Entry::Refused(record) => describe(Lang::En, record).what,
                    Entry::Wrong(error) => error.to_string(),
                };
                writeln!(out, "{}{text}", self.whose(*client))?;
            }
        }
        for (client, printed) in &mut self.printed {
            if let Some(cli) = self.host.consoles.get(client) {
                *printed = cli.forgotten + cli.log.len();
            }
        }
        Ok(())
    }
}
