//! The command line: `zabscope run`, `scenarios`, `cli`, `live`, `check`, `link`, `open`, `picture`, `film`, `soak`, `find`, `prove`, `lesson`, `grade`,
//! `disks`, `conform`. Native only.

mod check;
#[cfg(feature = "conform")]
mod conform;
mod console;
mod disks;
mod find;
mod grade;
mod lesson;
#[cfg(all(feature = "live", unix))]
mod live;
mod picture;
mod prove;
#[cfg(feature = "picture")]
mod raster;
mod run;
mod seeds;
mod share;
mod soak;

use std::fmt::Display;
use std::io::{self, Write};
use std::process::ExitCode;

use crate::base::limits::MAX_TIME_MS;

const HELP: &str = "\
zabscope: a simulated ZooKeeper ensemble

  zabscope scenarios
      lists the built-in scenarios
  zabscope run FILE|SCENARIO [--seed N] [--set key=value]... [--until MS] [--facts]
               [--csv FILE [--every MS]] [--shiviz FILE] [--disks FILE.tar]
      plays a run without the page; --facts prints one JSON object per line;
      the last line is a JSON summary; --csv writes counters, one row per second
      or every MS; --shiviz writes a trace with vector clocks; --disks writes what
      is on the servers' disks then, as data directories that real servers start from
  zabscope check FILE|-
      judges the facts that --facts prints, or the page exports, on their own;
      exit code 1 if a property is violated
  zabscope cli FILE|SCENARIO [--client C1] [--at MS] [--seed N] [--set key=value]...
      attaches zkCli to a run at MS (default: when the run has been played);
      each line of stdin is a command of the client, and virtual time advances
      until it is answered; a client that the run lacks is opened; 'sleep 2' lets
      two seconds pass; '@C2 create /a' is typed at C2, '@C2' alone stays there
  zabscope live [FILE|SCENARIO] [--servers N] [--ports P,P,...] [--seed N] [--set key=value]...
                [--page PORT] [--dist FOLDER]        (with the feature 'live')
      serves the page on this machine and prints its address; it plays an ensemble that
      real clients connect to: a TCP port for each server, 2181 and those that follow,
      or those of --ports (0: any that is free); PORT is the page's (8080), FOLDER
      has its files (dist); ends with SIGTERM
  zabscope live --headless [FILE|SCENARIO] [--servers N] [--ports P,P,...] [--seed N]
                [--set key=value]... [--speed X] [--until MS] [--faults FILE] [--write FILE] [--quiet]
                                                     (with the feature 'live')
      the same without a page, for a test; virtual time goes with real time, or X times as fast. What comes from outside
      becomes actions of the run. Each line of stdin is an action, done at once, each of
      --faults one that is done at its time or when its fact happens; facts
      are printed as JSON, one a line (not with --quiet), behind a line 'ports {...}';
      ends with MS of virtual time, with stdin where a program writes to it, or with
      SIGTERM; then a JSON summary, and the run in the FILE of --write; exit code 1 if
      a property is violated
  zabscope link FILE|SCENARIO [--seed N] [--set key=value]... [--at MS] [--page URL]
      prints the run as a link to the page: the part after '#', or with --page
      the whole address; --at sets the time at which it opens
  zabscope open LINK|FILE
      prints the run in a link, or in text that contains one, as JSON
  zabscope picture FILE|SCENARIO --out FILE.svg|FILE.png|FILE.gif [--at MS] [--seed N] [--set key=value]...
                [--theme light|dark] [--lang TAG] [--size WIDTHxHEIGHT] [--scale N]
      draws the stage at MS (default: a scenario's telling moment, a file's end), as the page's Picture does; the size
      is that of the stage, 960x540 by default; --scale is for PNG (2)
  zabscope film FILE|SCENARIO --out FILE.gif --from MS --to MS [--speed 1/30] [--rate N] [--width N] [--skip-idle]
                [--seed N] [--set key=value]... [--theme light|dark] [--lang TAG]
      the same of a stretch of time: 8, 10, 12 or 15 frames a second, 480, 640, 800 or 960 pixels wide
      (PNG and GIF with the feature 'picture')
  zabscope soak --servers N --seeds A..B --minutes M [--break RULE]... [--break-recipes WORD]
                [--jobs N] [--first] [--shrink [--write DIR]]
      plays random faults, one run per seed, and checks the properties of ZAB,
      clients and recipes after every event; then heals everything and expects
      the ensemble to serve and every waiting client to get its lock;
      --break breaks a protocol rule on purpose (repeat it for several),
      --break-recipes a rule of client programs (watches_first,
      never_looks_again, unprotected, persistent, heedless),
      --first stops at the first violation, --jobs sets the number of threads,
      --shrink makes the run of each violation as small as it gets, prints what is
      left, and with --write writes it;
      ends with 'N runs, V violations'; exit code 1 if there were any
  zabscope soak --servers N --seeds A..B --minutes M [--break RULE]... --write DIR
      writes these runs as JSON files instead, and prints for each the command
      that plays it with all its facts
  zabscope find FILE|SCENARIO|--servers N [--goal GOAL] [--break RULE]... [--set key=value]...
                [--from MS] [--strategy ladder|dice|both] [--seed N|--seeds A..B] [--jobs N]
                [--budget RUNS] [--shrink] [--write DIR] [--json]
      looks for a run that reaches a goal: puts deeds (crashes, cuts, pauses, writes,
      late packets) at all turning points of the run, one, two, three at once (the
      ladder), and throws dice in between; prints the first run that it finds; with
      --shrink it looks for more, leaves out what it can, and prints the smallest.
      Goals: any (the default: any property that a fact shows),
      the name of a property (liveness and recipe-liveness heal everything first),
      commit-lost, two-leaders, two-established, two-holders, stale-read,
      stale-sync, epoch:N, standstill:SECONDS, fact:'KIND field=value...',
      fact:N:'KIND field=value...'; --from leaves the run alone before MS, --seed
      is that of the dice, --budget is the most runs that are tried (100000), --write
      writes what is found as DIR/SEED.json, --json prints a line of JSON;
      --seeds searches once for each seed, on as many threads as --jobs says, and prints
      a line of JSON for each as it ends; exit code 1 if the goal was reached
  zabscope find --merge FILE|-... [--write DIR] [--json]
      reads the lines of searches for one question, from many machines and in any order,
      sums them up and prints the smallest run; exit code 1 if the goal was reached
  zabscope prove [--servers N] [--writes N] [--crashes N] [--restarts N] [--ticks N]
                 [--break RULE]... [--states N]
      tries every order in which packets arrive and disks finish, in an established
      ensemble with so many writes, crashes, restarts and timers; says whether that
      is complete; exit code 1 if a property is violated
  zabscope lesson check FILE|LESSON|all [--seeds A..B]
      plays a lesson in the run of each seed and says what in it is not so: moments
      that do not come, sentences that do not hold, questions with no answer or two,
      other runs that do not show what they are said to show, tasks that cannot be
      done; ends with 'N runs, M flaws'; exit code 1 if there were any
  zabscope lesson show FILE|LESSON [--seed N]
      prints what the lesson says and asks, as it does in the run of this seed
  zabscope lesson record LINK|FILE
      prints a run, as the page shares it, as a lesson: what was done in it, each deed
      tied to a fact, and before each a sentence; questions are yours to add
  zabscope grade ASSIGNMENT LINKS [--out FILE] [--lang TAG]
      plays the runs that students hand in and judges each by an assignment's goals;
      a line of LINKS is a name and a link, or a file with a run; writes CSV, a row for
      each task: name, task, reached, deeds, at_ms, digest, remark (in the language
      of the TAG, as in a browser); exit code 1 if something that was handed in could
      not be read, 2 if the assignment could not
  zabscope disks PATH... [--json] [--server PATH=ID]... [--zookeeper VERSION]
      reads the data directories of real ZooKeeper servers (3.4 to 3.10): files,
      folders and archives (tar, tar.gz, zip); says which server has which
      transactions, what each would load, and where two trees part; checks every
      checksum, seal and tree digest, and names file and byte of what is wrong;
      starts every choice of these servers in the simulation and says who leads,
      what is lost, and in which order nothing is, by the rules of 3.9, or of VERSION;
      --server says whose a folder is where nothing else does; nothing is written;
      exit code 1 if something is wrong with a file, 2 if there is nothing to read
  zabscope conform FILE|FOLDER... [--seed N]         (with the feature 'conform')
      plays transcripts of real ensembles against a simulated one and compares
      everything clients received: results, errors, Stats, zxids, events; plays
      traces of real recipes and compares calls, callbacks, transactions,
      requests, notifications, watches; plays recordings of ensembles and
      compares elections, synchronisations, zxids; prints one line per file, with
      the first difference; ends with 'N files, M failed'; exit code 1 if one
      failed, 2 if one cannot be read (the others are still played)
";

/// Why a command ends early.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Exit code 2, and a sentence.
    Usage(String),
    /// Whoever read the output has had enough (`zabscope … | head`): nothing is wrong.
    NobodyReads,
}

impl Failure {
    /// The call's words are off, or a file cannot be used.
    pub(crate) fn usage(sentence: impl Into<String>) -> Failure {
        Failure::Usage(sentence.into())
    }
}

/// Of writing to stdout; errors of files are said with their names.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::NobodyReads,
            _ => Failure::usage(format!("cannot print: {error}")),
        }
    }
}

/// A moment that an option names, ms, where a run can have it.
fn moment(option: &str, ms: u64) -> Result<u64, Failure> {
    if ms > MAX_TIME_MS {
        return Err(Failure::usage(format!("{option} {ms} is above {MAX_TIME_MS} ms")));
    }
    Ok(ms)
}

/// Prints a line to stdout. `println!` would panic where nobody reads any more.
fn print(line: impl Display) -> Result<(), Failure> {
    Ok(writeln!(io::stdout(), "{line}")?)
}

/// Says something on stderr, where nobody may listen.
fn say(text: impl Display) {
    let _ = io::stderr().write_all(text.to_string().as_bytes());
}

impl From<lexopt::Error> for Failure {
    fn from(error: lexopt::Error) -> Failure {
        Failure::usage(error.to_string())
    }
}

/// Does what the command line says.
pub fn main() -> ExitCode {
    match dispatch(lexopt::Parser::from_env()) {
        Ok(code) => code,
        Err(Failure::NobodyReads) => ExitCode::SUCCESS,
        Err(Failure::Usage(sentence)) => {
            say(format_args!("zabscope: {sentence}\n"));
            ExitCode::from(2)
        }
    }
}

fn dispatch(mut args: lexopt::Parser) -> Result<ExitCode, Failure> {
    use lexopt::Arg::{Long, Short, Value};
    match args.next()? {
        Some(Value(command)) => match command.to_string_lossy().as_ref() {
            "run" => run::run(args),
            "scenarios" => run::scenarios(),
            "check" => check::check(args),
            "lesson" => lesson::lesson(args),
            "grade" => grade::grade(args),
            "link" => share::link(args),
            "open" => share::open(args),
            "picture" => picture::picture(args),
            "film" => picture::film(args),
            "soak" => soak::soak(args),
            "find" => find::find(args),
            "prove" => prove::prove(args),
            "cli" => console::cli(args),
            "disks" => disks::disks(args),
            #[cfg(feature = "conform")]
            "conform" => conform::conform(args),
            #[cfg(all(feature = "live", unix))]
            "live" => live::live(args),
            #[cfg(not(all(feature = "live", unix)))]
            "live" => Err(Failure::usage("this zabscope was built without 'live': cargo build --features live")),
            #[cfg(not(feature = "conform"))]
            "conform" => {
                Err(Failure::usage("this zabscope was built without 'conform': cargo build --features conform"))
            }
            other => Err(Failure::usage(format!("there is no command '{other}'; 'zabscope --help' lists them"))),
        },
        Some(Short('h') | Long("help")) | None => {
            print(HELP.trim_end())?;
            Ok(ExitCode::SUCCESS)
        }
        Some(Short('V') | Long("version")) => {
            print(format_args!("zabscope {}", env!("CARGO_PKG_VERSION")))?;
            Ok(ExitCode::SUCCESS)
        }
        Some(other) => Err(other.unexpected().into()),
    }
}
