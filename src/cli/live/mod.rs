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
use super::run::Which;
use super::{Failure, print, say};

/// Most lines of stdin that wait.
const LINES: usize = 64;
/// The longest sleep: doors and time are looked at so often.
const LOOK: Duration = Duration::from_millis(100);

/// What the command line says.
#[derive(Debug, Default)]
struct Asked {
    which: Which,
    servers: Option<u8>,
    ports: Vec<u16>,
    speed: Option<f64>,
    until_ms: Option<u64>,
    write: Option<String>,
    faults: Option<String>,
    quiet: bool,
    headless: bool,
    page: Option<u16>,
    dist: Option<String>,
}

impl Asked {
    /// The page has a clock and a keeper of runs of its own.
    fn check(&self) -> Result<(), Failure> {
        let headless = [
            ("--speed", self.speed.is_some()),
            ("--until", self.until_ms.is_some()),
            ("--write", self.write.is_some()),
            ("--faults", self.faults.is_some()),
            ("--quiet", self.quiet),
        ];
        let with_page = [("--page", self.page.is_some()), ("--dist", self.dist.is_some())];
        let given = |all: &[(&'static str, bool)]| all.iter().find(|(_, given)| *given).map(|(name, _)| *name);
        match (self.headless, given(&headless), given(&with_page)) {
            (false, Some(name), _) => {
                Err(Failure::usage(format!("{name} is for --headless: the page has that itself")))
            }
            (true, _, Some(name)) => Err(Failure::usage(format!("{name} is for the page, and --headless has none"))),
            _ => Ok(()),
        }
    }
}

pub(super) fn live(args: lexopt::Parser) -> Result<ExitCode, Failure> {
    let asked = read(args)?;
    asked.check()?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| Failure::usage(format!("no runtime: {error}")))?;
    let ended = runtime.block_on(async { if asked.headless { host(asked).await } else { with_page(asked).await } });
    // a thread may still wait for a line
    runtime.shutdown_background();
    ended
}

fn read(mut args: lexopt::Parser) -> Result<Asked, Failure> {
    use lexopt::Arg::{Long, Value};
    use lexopt::ValueExt;
    let mut asked = Asked::default();
    while let Some(arg) = args.next()? {
        match arg {
            Long("headless") => asked.headless = true,
            Long("quiet") => asked.quiet = true,
            Long("page") => asked.page = Some(args.value()?.parse()?),
            Long("dist") => asked.dist = Some(args.value()?.string()?),
            Long("servers") => asked.servers = Some(args.value()?.parse()?),
            Long("ports") => asked.ports = ports(&args.value()?.string()?)?,
            Long("speed") => asked.speed = Some(speed(&args.value()?.string()?)?),
            Long("until") => asked.until_ms = Some(args.value()?.parse()?),
            Long("faults") => asked.faults = Some(args.value()?.string()?),
            Long("write") => asked.write = Some(args.value()?.string()?),
            Long("seed") => asked.which.seed = Some(args.value()?.parse()?),
            Long("set") => asked.which.settings.push(args.value()?.string()?),
            Value(value) if asked.which.what.is_none() => asked.which.what = Some(value.string()?),
            other => return Err(other.unexpected().into()),
        }
    }
    Ok(asked)
}

fn ports(text: &str) -> Result<Vec<u16>, Failure> {
    let ports: Result<Vec<u16>, _> = text.split(',').map(|port| port.trim().parse()).collect();
    ports.map_err(|_| Failure::usage(format!("--ports {text}: write numbers between commas, as in 2181,2182,2183")))
}

fn speed(text: &str) -> Result<f64, Failure> {
    let speed = text.parse().ok().filter(|speed| (0.01..=100.0).contains(speed));
    speed.ok_or_else(|| Failure::usage(format!("--speed {text}: a number from 0.01 to 100; 1 is real time")))
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
fn run_of(asked: &mut Asked) -> Result<(Run, u64), Failure> {
    let which = std::mem::take(&mut asked.which);
    if which.what.is_some() {
        if asked.servers.is_some() {
            return Err(Failure::usage(
                "--servers is for an ensemble of its own: a scenario or a file brings its servers",
            ));
        }
        return which.find();
    }
    let mut run = Run::new(which.seed.unwrap_or(0), real(asked.servers.unwrap_or(3)));
    for setting in &which.settings {
        run.set(setting).map_err(|error| Failure::usage(error.to_string()))?;
    }
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
async fn with_page(mut asked: Asked) -> Result<ExitCode, Failure> {
    let (run, until) = run_of(&mut asked)?;
    let mut stage = Stage::new(run, (false, true), Faults::default())?;
    let doors = Doors::new(stage.servers().len(), &asked.ports)?;
    let pages = Pages::serve(asked.page.unwrap_or(page::PORT), asked.dist.as_deref()).await?;
    let signals = Signals::new()?;
    stage.get_ready(until)?;
    print(format_args!("page {}", pages.address()))?;
    let hello = Hello { run: stage.run().to_json(), at_ms: stage.now().as_ms() };
    show::show(hello, doors, pages, signals).await;
    Ok(ExitCode::SUCCESS)
}

async fn host(mut asked: Asked) -> Result<ExitCode, Failure> {
    let (run, until) = run_of(&mut asked)?;
    let faults = asked.faults.as_deref().map(Faults::read).transpose()?.unwrap_or_default();
    let mut stage = Stage::new(run, (!asked.quiet, asked.write.is_some()), faults)?;
    stage.get_ready(until)?;
    let mut doors = Doors::new(stage.servers().len(), &asked.ports)?;
    doors.look(&stage.servers()).await?;
    stage.announce(&doors.ports())?;
    let mut guests = Guests::default();
    let mut lines = read_lines();
    let clock = Clock::new(stage.now(), asked.speed.unwrap_or(1.0));
    let end = asked.until_ms.map(SimTime::from_ms);
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
    stage.end(asked.write.as_deref())
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
