//! `zabscope run` and `zabscope scenarios`.

use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use serde_json::{Value, json};

use crate::base::SimTime;
use crate::base::limits::{MAX_RUN_BYTES, MAX_TIME_MS};
use crate::check::{Checker, known};
use crate::i18n::Lang;
use crate::i18n::page::scenario_words;
use crate::scenarios::{Param, SCENARIOS, Scenario, scenario};
use crate::share::Telling;
use crate::sim::{Player, Run};

use super::check::as_released;
use super::options::{Changes, ms, number};
use super::{Failure, print, say};

/// Without `--until`, a run from a file is played this long after its last action, ms.
const AFTER_LAST_ACTION_MS: u64 = 5_000;

/// Lists the built-in scenarios, and what can be set in each
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  zabscope scenarios
  zabscope scenarios --json")]
pub(super) struct Scenarios {
    /// Prints them as JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn scenarios(asked: &Scenarios) -> Result<ExitCode, Failure> {
    if asked.json {
        return print(SCENARIOS.iter().map(told).collect::<Value>()).map(|()| ExitCode::SUCCESS);
    }
    let mut out = io::stdout().lock();
    for scenario in SCENARIOS {
        let about = scenario_words(Lang::En, scenario.id).map_or("", |(_, about)| about);
        writeln!(out, "{:26} {about}", scenario.id)?;
        for param in scenario.params() {
            let Param { name, about, default, least, most } = param;
            writeln!(out, "{:26}   --set {name}={default}: {about}, {least} to {most}", "")?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// A scenario as JSON.
fn told(scenario: &Scenario) -> Value {
    let (title, about) = scenario_words(Lang::En, scenario.id).unwrap_or_default();
    let params = scenario.params().iter().map(|param| {
        let Param { name, about, default, least, most } = param;
        json!({ "name": name, "about": about, "default": default, "least": least, "most": most })
    });
    json!({ "id": scenario.id, "title": title, "about": about, "params": params.collect::<Value>() })
}

/// Plays a run without the page.
///
/// The last line is a summary as JSON. What violates a property is told on standard error.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  zabscope run leader-crash-under-load --facts
  zabscope run lock-herd --set clients=50 --csv counters.csv --every 100 --shiviz trace.log
  zabscope run run.json --seed 7 --until 20000 --disks servers.tar")]
pub(super) struct Play {
    #[command(flatten)]
    which: Which,
    /// The moment until which it is played; by default a scenario's end, or 5 s after a file's last action
    #[arg(long, value_name = "MS", value_parser = ms)]
    until: Option<u64>,
    /// Prints facts, one JSON object a line
    #[arg(long)]
    facts: bool,
    /// Writes counters
    #[arg(long, value_name = "FILE.csv")]
    csv: Option<PathBuf>,
    /// How far apart the rows of --csv are
    #[arg(long, value_name = "MS", default_value_t = 1_000, value_parser = number(1..=MAX_TIME_MS))]
    every: u64,
    /// Writes a trace with vector clocks
    #[arg(long, value_name = "FILE")]
    shiviz: Option<PathBuf>,
    /// Writes what is on the servers' disks at the end, as data directories from which real servers start
    #[arg(long, value_name = "FILE.tar")]
    disks: Option<PathBuf>,
}

pub(super) fn run(asked: Play) -> Result<ExitCode, Failure> {
    let (run, default_until) = asked.which.find()?;
    let until = SimTime::from_ms(asked.until.unwrap_or(default_until));
    let counters = Telling::Counters { every_us: asked.every * 1_000 };
    for (file, telling) in [(asked.csv, counters), (asked.shiviz, Telling::Trace)] {
        if let Some(file) = file {
            super::share::write(&run, until, telling, &file)?;
        }
    }
    if let Some(file) = asked.disks {
        super::disks::export::write(&run, until, &file)?;
    }
    play(Player::new(run)?, until, asked.facts)
}

/// Which run is meant.
#[derive(Debug, Args)]
pub(super) struct Which {
    /// The name of a scenario, or a file
    #[arg(value_name = "RUN")]
    pub what: String,
    #[command(flatten)]
    pub changes: Changes,
}

impl Which {
    /// The run, and until when it is worth playing, ms.
    pub(super) fn find(self) -> Result<(Run, u64), Failure> {
        let Changes { seed, set } = self.changes;
        let params = scenario(&self.what).map_or(&[][..], |scenario| scenario.params());
        // a scenario's own parameters; the others are the ensemble's
        let names = |key: &str| params.iter().any(|param| param.name == key);
        let is_own = |setting: &String| setting.split_once('=').is_some_and(|(key, _)| names(key));
        let (own, others): (Vec<String>, Vec<String>) = set.into_iter().partition(is_own);
        let own = own.iter().filter_map(|one| one.split_once('=')).map(|(key, value)| (key.into(), value.into()));
        let (mut run, until) = find(&self.what, &own.collect::<Vec<(String, String)>>())?;
        run.seed = seed.unwrap_or(run.seed);
        others.iter().try_for_each(|setting| run.set(setting))?;
        Ok((run, until))
    }
}

/// A run by the name of a scenario or of a file, and until when it is worth playing, ms.
fn find(what: &str, settings: &[(String, String)]) -> Result<(Run, u64), Failure> {
    if let Some(scenario) = scenario(what) {
        return scenario.run_with(settings).map_err(|error| Failure::usage(error.to_string()));
    }
    let cannot = |error: io::Error| {
        Failure::usage(format!("'{what}' is no scenario (see 'zabscope scenarios'), and as a file: {error}"))
    };
    let size = fs::metadata(what).map_err(cannot)?.len();
    if size > MAX_RUN_BYTES as u64 {
        return Err(Failure::usage(format!("{what}: a run has at most {MAX_RUN_BYTES} bytes; this has {size}")));
    }
    let text = fs::read_to_string(what).map_err(cannot)?;
    let run = Run::from_json(&text).map_err(|error| Failure::usage(format!("{what}: {error}")))?;
    super::share::warn_if_older(&run);
    let last = run.actions.last().map_or(0, |timed| timed.at_us.as_ms());
    Ok((run, last + AFTER_LAST_ACTION_MS))
}

fn play(mut player: Player, until: SimTime, facts: bool) -> Result<ExitCode, Failure> {
    let mut out = BufWriter::new(io::stdout().lock());
    let version = player.run().setup.zookeeper;
    let mut checker = Checker::with_second_store(&player.run().setup);
    while player.world().next_at().is_some_and(|at| at <= until) {
        for record in player.step().into_iter().flatten() {
            for violation in checker.read(record) {
                let bugs = as_released(known(violation.property, version));
                say(format_args!("{violation}{bugs}\n"));
            }
            if facts {
                serde_json::to_writer(&mut out, record).map_err(io::Error::from)?;
                out.write_all(b"\n")?;
            }
        }
    }
    player.run_until(until, |_, _| {}); // nothing more happens: the time is said in the summary
    for double in checker.doubles() {
        say(format_args!("{double}\n"));
    }
    for stale in checker.stale_syncs() {
        say(format_args!("{stale}\n"));
    }
    if let Some(at) = checker.outside() {
        say(format_args!("outside the fault model since {at}: disks lost what a majority had kept\n"));
    }
    serde_json::to_writer(&mut out, &player.summary(checker.count())).map_err(io::Error::from)?;
    out.write_all(b"\n")?;
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}
