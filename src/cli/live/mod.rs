//! `zabscope live`: a simulated ensemble that programs outside connect to. Virtual time goes with the wall's; what comes from outside
//! becomes actions of the run, so that it can be played again without the programs.

mod clock;
mod door;
mod faults;
mod page;
mod program;
mod show;
mod stage;

use std::io::{self, BufRead};
use std::os::unix::fs::FileTypeExt;
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::mpsc;
use zabscope_live::{Guests, Hello};

use crate::base::SimTime;
use crate::base::json::{Json, Read};
use crate::base::limits::MAX_LINE_BYTES;
use crate::sim::{Action, LatencyRange, Run, Setup};

use self::clock::Clock;
use self::door::Doors;
use self::faults::Faults;
use self::page::Pages;
use self::stage::Stage;
use super::options::{Changes, MOST_SERVERS, ms, number};
use super::run::Which;
use super::{Failure, print, say};

/// Most lines of stdin that wait.
const LINES: usize = 64;
/// The longest sleep: doors and time are looked at so often.
const LOOK: Duration = Duration::from_millis(100);

/// Lets real clients connect to a simulated ensemble.
///
/// Serves the page on this machine and prints its address; the page plays the ensemble, and each server has a TCP port. With --headless
/// there is no page, for a test: virtual time goes with real time; what comes from outside becomes actions of the run. Each line of
/// standard input is an action, done at once; facts are printed as JSON, one a line, behind a line 'ports {...}', and a JSON summary at
/// the end. It ends with --until, with standard input where a program writes to it, or with SIGTERM. Exit code 1 if a property is
/// violated.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  zabscope live
  zabscope live --servers 5 --ports 0,0,0,0,0 --page-port 0
  zabscope live --headless --speed 10 --faults faults.jsonl --out run.json --quiet")]
pub(super) struct Live {
    /// The name of a scenario, or a file; by default an ensemble of its own
    #[arg(value_name = "RUN", conflicts_with = "servers")]
    what: Option<String>,
    /// How many servers an ensemble of its own has
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = number(1..=MOST_SERVERS))]
    servers: u8,
    /// The servers' TCP ports, by default 2181 and those that follow; 0 is any that is free
    #[arg(long, value_name = "P,P,...", value_delimiter = ',', value_parser = number(0..=u16::MAX))]
    ports: Vec<u16>,
    #[command(flatten)]
    changes: Changes,
    /// The page's TCP port; 0 is any that is free
    #[arg(long, alias = "page", value_name = "P", default_value_t = page::PORT, value_parser = number(0..=u16::MAX))]
    #[arg(conflicts_with = "headless")]
    page_port: u16,
    /// Where the page's files are, by default in 'dist'
    #[arg(long, value_name = "DIR", conflicts_with = "headless")]
    dist: Option<String>,
    /// Does without a page
    #[arg(long)]
    headless: bool,
    /// How many times as fast as real time virtual time goes
    #[arg(long, value_name = "X", default_value_t = 1.0, value_parser = number(0.01..=100.0), requires = "headless")]
    speed: f64,
    /// The moment of the run at which it ends
    #[arg(long, value_name = "MS", value_parser = ms, requires = "headless")]
    until: Option<u64>,
    /// Actions, each done at its time or when its fact happens, one JSON object a line
    #[arg(long, value_name = "FILE", requires = "headless")]
    faults: Option<String>,
    /// Writes the run, what came from outside included
    #[arg(long, alias = "write", value_name = "FILE", requires = "headless")]
    out: Option<String>,
    /// Prints no facts
    #[arg(long, requires = "headless")]
    quiet: bool,
}

pub(super) fn live(asked: Live) -> Result<ExitCode, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| Failure::usage(format!("no runtime: {error}")))?;
    let ended = runtime.block_on(async { if asked.headless { host(asked).await } else { with_page(asked).await } });
    // a thread may still wait for a line
    runtime.shutdown_background();
    ended
}

/// An ensemble with the settings of a real one, its servers near each other on good disks. They purge as one does who lets servers run
/// for long (`autopurge`), only more often, for their disks are this process's memory.
fn real(servers: u8) -> Setup {
    Setup {
        voters: servers,
        tick_time_ms: 2_000,
        latency: LatencyRange { min_us: 100, max_us: 300 },
        transmit_us: 10,
        disk_sync: LatencyRange { min_us: 500, max_us: 2_000 },
        snap_count: 1_000,
        snap_retain_count: 3,
        ..Setup::default()
    }
}

/// The run, and until when it is played before the doors open, ms.
fn run_of(servers: u8, what: Option<String>, changes: Changes) -> Result<(Run, u64), Failure> {
    if let Some(what) = what {
        return Which { what, changes }.find();
    }
    let mut run = Run::new(changes.seed.unwrap_or(0), real(servers));
    changes.set.iter().try_for_each(|setting| run.set(setting))?;
    Ok((run, 0))
}

/// Somebody wants it to end.
struct Signals {
    terminated: Signal,
    interrupted: Signal,
}

impl Signals {
    fn new() -> Result<Signals, Failure> {
        let signals = |kind| signal(kind).map_err(|error| Failure::usage(format!("signals: {error}")));
        Ok(Signals { terminated: signals(SignalKind::terminate())?, interrupted: signals(SignalKind::interrupt())? })
    }

    async fn next(&mut self) {
        tokio::select! {
            _ = self.terminated.recv() => {}
            _ = self.interrupted.recv() => {}
        }
    }
}

/// With a page, until somebody wants it to end.
async fn with_page(asked: Live) -> Result<ExitCode, Failure> {
    let (run, until) = run_of(asked.servers, asked.what, asked.changes)?;
    let mut stage = Stage::new(run, (false, true), Faults::default())?;
    let doors = Doors::new(stage.servers().len(), &asked.ports)?;
    let pages = Pages::serve(asked.page_port, asked.dist.as_deref()).await?;
    let signals = Signals::new()?;
    stage.get_ready(until)?;
    print(format_args!("page {}", pages.address()))?;
    let hello = Hello { run: stage.run().to_json(), at_ms: stage.now().as_ms() };
    show::show(hello, doors, pages, signals).await;
    Ok(ExitCode::SUCCESS)
}

async fn host(asked: Live) -> Result<ExitCode, Failure> {
    let (run, until) = run_of(asked.servers, asked.what, asked.changes)?;
    let faults = asked.faults.as_deref().map(Faults::read).transpose()?.unwrap_or_default();
    let mut stage = Stage::new(run, (!asked.quiet, asked.out.is_some()), faults)?;
    stage.get_ready(until)?;
    let mut doors = Doors::new(stage.servers().len(), &asked.ports)?;
    doors.look(&stage.servers()).await?;
    stage.announce(&doors.ports())?;
    let mut guests = Guests::default();
    let mut lines = read_lines();
    let clock = Clock::new(stage.now(), asked.speed);
    let end = asked.until.map(SimTime::from_ms);
    let mut signals = Signals::new()?;
    loop {
        stage.play_until(clock.now())?;
        guests.hear(&mut stage);
        for order in guests.take_orders() {
            doors.obey(order).await?;
        }
        doors.look(&stage.servers()).await?;
        if end.is_some_and(|end| stage.now() >= end) || stage.is_over() {
            break;
        }
        let pause = stage.next_at().map_or(LOOK, |next| clock.until(next)).min(LOOK);
        tokio::select! {
            biased;
            () = signals.next() => break,
            line = lines.recv() => match line {
                Some(line) => {
                    stage.play_until(clock.now())?;
                    obey(&line, &mut stage);
                }
                None => break,
            },
            event = doors.next() => {
                stage.play_until(clock.now())?;
                guests.take(event, &mut stage);
                for _ in 0..door::EVENTS {
                    let Some(event) = doors.next_now() else { break };
                    guests.take(event, &mut stage);
                }
            }
            () = tokio::time::sleep(pause) => {}
        }
    }
    stage.end(asked.out.as_deref())
}

/// A line of stdin is an action, done now.
fn obey(line: &str, stage: &mut Stage) {
    if line.trim().is_empty() {
        return;
    }
    let action = Json::parse(line).and_then(Action::read).map_err(|error| error.to_string());
    if let Err(why) = action.and_then(|action| stage.order(action)) {
        say(format_args!("zabscope: stdin: {why}\n"));
    }
}

/// The lines of stdin. Its end ends everything where a program writes to it; a terminal, or nothing at all, ends nothing.
fn read_lines() -> mpsc::Receiver<String> {
    let (lines, comes) = mpsc::channel(LINES);
    std::thread::spawn(move || {
        let mut stdin = io::stdin().lock();
        let mut line = Vec::new();
        loop {
            line.clear();
            let read = io::Read::take(&mut stdin, MAX_LINE_BYTES as u64 * 64).read_until(b'\n', &mut line);
            if !read.is_ok_and(|bytes| bytes > 0) {
                break;
            }
            if lines.blocking_send(String::from_utf8_lossy(&line).into_owned()).is_err() {
                return;
            }
        }
        if !is_written_by_a_program() {
            std::thread::park(); // keeps the channel open
        }
    });
    comes
}

fn is_written_by_a_program() -> bool {
    std::fs::metadata("/dev/stdin").is_ok_and(|of| of.file_type().is_fifo() || of.file_type().is_socket())
}
