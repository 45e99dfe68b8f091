//! `zabscope cli`: zkCli at a run. Virtual time goes on while a command waits for its answer, and only then.

use std::io::{self, BufRead, IsTerminal, Write};
use std::process::ExitCode;

use crate::base::limits::MAX_TIME_MS;
use crate::base::{ClientId, SimTime};
use crate::client::State;
use crate::console::{ConsoleHost, Entry, prompt, state_of};
use crate::i18n::{Lang, describe};
use crate::scenarios::scenario;
use crate::sim::{Action, RunError};
use crate::timeline::Session;

use super::run::Which;
use super::{Failure, say};

/// How long a command may wait for its answer in virtual time, ms. zkCli waits for ever; here nobody can hurry the run.
const PATIENCE_MS: u64 = 60_000;
/// The session timeout that a client asks for which the run does not have, ms.
const TIMEOUT_MS: u32 = 4_000;

pub(super) fn cli(mut args: lexopt::Parser) -> Result<ExitCode, Failure> {
    use lexopt::Arg::{Long, Value};
    use lexopt::ValueExt;
    let (mut which, mut client, mut at) = (Which::default(), ClientId(1), None);
    while let Some(arg) = args.next()? {
        match arg {
            Long("client") => client = client_of(&args.value()?.string()?)?,
            Long("at") => at = Some(args.value()?.parse::<u64>()?),
            Long("seed") => which.seed = Some(args.value()?.parse::<u64>()?),
            Long("set") => which.settings.push(args.value()?.string()?),
            Value(value) if which.what.is_none() => which.what = Some(value.string()?),
            other => return Err(other.unexpected().into()),
        }
    }
    let from = which.what.as_deref().and_then(scenario);
    let (run, until) = which.find()?;
    let at = at.unwrap_or(until);
    if at > MAX_TIME_MS {
        return Err(Failure::usage(format!("--at {at} is above {MAX_TIME_MS} ms")));
    }
    let mut session = Session::new(run, from)?;
    session.seek(SimTime::from_ms(at))?;
    let mut table = Table { session, host: ConsoleHost::default(), client, printed: 0 };
    table.sit_down()?;
    table.read_lines()?;
    Ok(ExitCode::SUCCESS)
}

fn client_of(text: &str) -> Result<ClientId, Failure> {
    let number = text.strip_prefix(['C', 'c']).unwrap_or(text).parse().ok().filter(|number| *number > 0);
    number.map(ClientId).ok_or_else(|| Failure::usage(format!("--client {text}: write its name, as in C1")))
}

impl From<RunError> for Failure {
    fn from(error: RunError) -> Failure {
        Failure::usage(error.to_string())
    }
}

/// A client's console at a run.
struct Table {
    session: Session,
    host: ConsoleHost,
    client: ClientId,
    /// How many entries of the console's log have been printed or forgotten.
    printed: usize,
}

impl Table {
    /// The client that types: one that the run does not have, or whose session is over, is opened and waited for.
    fn sit_down(&mut self) -> Result<(), Failure> {
        self.host.attend(&mut self.session);
        if matches!(self.state(), State::Closed | State::Expired | State::AuthFailed) {
            let (client, timeout_ms) = (self.client, TIMEOUT_MS);
            let open = Action::OpenClient { client, servers: Vec::new(), timeout_ms, chroot: None, raw: false };
            self.session.act(open)?;
        }
        let waits = |table: &Table| matches!(table.state(), State::Connecting | State::Disconnected);
        if !self.wait_while(waits) {
            say(format_args!("zabscope: {} is not connected after {PATIENCE_MS} ms of the run\n", self.client));
        }
        self.print_news()
    }

    fn state(&self) -> State {
        state_of(&self.session, self.client)
    }

    /// Types each line of stdin, and waits for what comes of it.
    fn read_lines(&mut self) -> Result<(), Failure> {
        let terminal = io::stdin().is_terminal();
        let mut lines = io::stdin().lock().lines();
        loop {
            if terminal {
                let mut out = io::stdout().lock();
                write!(out, "{}", prompt(&self.host, &self.session, self.client))?;
                out.flush()?;
            }
            let Some(line) = lines.next() else { return Ok(()) };
            let line = line.map_err(|error| Failure::usage(format!("stdin: {error}")))?;
            let quits = self.host.enter(&mut self.session, self.client, &line);
            let is_busy = |table: &Table| table.host.consoles.get(&table.client).is_some_and(|cli| cli.is_busy());
            if !self.wait_while(is_busy) {
                say(format_args!("zabscope: no answer within {PATIENCE_MS} ms of the run\n"));
                self.host.give_up(self.client);
            }
            self.print_news()?;
            if quits {
                return Ok(());
            }
        }
    }

    /// Lets virtual time go on, event by event, as long as something holds; whether it ended in time.
    fn wait_while(&mut self, holds: impl Fn(&Table) -> bool) -> bool {
        let end = self.session.world().now.plus(PATIENCE_MS * 1_000);
        while holds(self) {
            if self.session.world().next_at().is_none_or(|next| next > end) || self.session.step(1) == 0 {
                return false;
            }
            self.host.attend(&mut self.session);
        }
        true
    }

    /// Prints what the console has said since the last time.
    fn print_news(&mut self) -> Result<(), Failure> {
        let Some(cli) = self.host.consoles.get(&self.client) else { return Ok(()) };
        let mut out = io::stdout().lock();
        for entry in cli.log.iter().skip(self.printed.saturating_sub(cli.forgotten)) {
            match entry {
                // whoever typed it has seen it
                Entry::Typed(..) | Entry::Rewound => {}
                Entry::Printed(line) => writeln!(out, "{}", line.text)?,
                Entry::Refused(record) => writeln!(out, "{}", describe(Lang::En, record).what)?,
                Entry::Wrong(error) => writeln!(out, "{error}")?,
            }
        }
        self.printed = cli.forgotten + cli.log.len();
        Ok(())
    }
}
