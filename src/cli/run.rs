//! `zabscope run` and `zabscope scenarios`.

use std::fs;
use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use crate::base::SimTime;
use crate::base::limits::{MAX_RUN_BYTES, MAX_TIME_MS};
use crate::check::{Checker, known};
use crate::i18n::Lang;
use crate::i18n::page::scenario_words;
use crate::scenarios::{Param, SCENARIOS, scenario};
use crate::share::Telling;
use crate::sim::{Player, Run};

use super::check::as_released;
use super::{Failure, moment, say};

/// Without `--until`, a run from a file is played this long after its last action, ms.
const AFTER_LAST_ACTION_MS: u64 = 5_000;

pub(super) fn scenarios() -> Result<ExitCode, Failure> {
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

pub(super) fn run(mut args: lexopt::Parser) -> Result<ExitCode, Failure> {
    use lexopt::Arg::{Long, Value};
    use lexopt::ValueExt;
    let (mut which, mut facts, mut until, mut every_ms) = (Which::default(), false, None, 1_000);
    let (mut csv, mut shiviz, mut disks) = (None, None, None);
    while let Some(arg) = args.next()? {
        match arg {
            Long("facts") => facts = true,
            Long("until") => until = Some(args.value()?.parse::<u64>()?),
            Long("csv") => csv = Some(args.value()?.string()?),
            Long("shiviz") => shiviz = Some(args.value()?.string()?),
            Long("disks") => disks = Some(args.value()?.string()?),
            Long("every") => every_ms = args.value()?.parse::<u64>()?,
            Long("seed") => which.seed = Some(args.value()?.parse::<u64>()?),
            Long("set") => which.settings.push(args.value()?.string()?),
            Value(value) if which.what.is_none() => which.what = Some(value.string()?),
            other => return Err(other.unexpected().into()),
        }
    }
    let (run, default_until) = which.find()?;
    let until = moment("--until", until.unwrap_or(default_until))?;
    if every_ms == 0 || every_ms > MAX_TIME_MS {
        return Err(Failure::usage(format!("--every {every_ms} is not between 1 and {MAX_TIME_MS} ms")));
    }
    let counters = Telling::Counters { every_us: every_ms * 1_000 };
    for (file, telling) in [(csv, counters), (shiviz, Telling::Trace)] {
        if let Some(file) = file {
            super::share::write(&run, SimTime::from_ms(until), telling, &file)?;
        }
    }
    if let Some(file) = disks {
        super::disks::export::write(&run, SimTime::from_ms(until), &file)?;
    }
    let player = Player::new(run).map_err(|error| Failure::usage(error.to_string()))?;
    play(player, SimTime::from_ms(until), facts)
}

/// Which run is meant.
#[derive(Debug, Default)]
pub(super) struct Which {
    pub what: Option<String>,
    pub seed: Option<u64>,
    pub settings: Vec<String>,
}

impl Which {
    /// The run, and until when it is worth playing, ms.
    pub(super) fn find(self) -> Result<(Run, u64), Failure> {
        let what = self.what.ok_or_else(|| Failure::usage("which run? Name a scenario or a file"))?;
        let (own, settings) = own_settings(&what, self.settings);
        let (mut run, until) = find(&what, &own)?;
        run.seed = self.seed.unwrap_or(run.seed);
        for setting in &settings {
            run.set(setting).map_err(|error| Failure::usage(error.to_string()))?;
        }
        Ok((run, until))
    }
}

/// Settings that are a scenario's own parameters, and those that are the ensemble's.
fn own_settings(what: &str, settings: Vec<String>) -> (Vec<(String, String)>, Vec<String>) {
    let params = scenario(what).map_or(&[][..], |scenario| scenario.params());
    let (mut own, mut others) = (Vec::new(), Vec::new());
    for setting in settings {
        match setting.split_once('=').filter(|(key, _)| params.iter().any(|param| param.name == *key)) {
            Some((key, value)) => own.push((key.into(), value.into())),
            None => others.push(setting),
        }
    }
    (own, others)
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
