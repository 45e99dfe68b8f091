//! `zabscope prove`: every order of a tiny setup.

use std::process::ExitCode;
use std::time::Instant;

use clap::Args;
use serde_json::json;

use crate::explore::{Bounds, Exhaust, Goal, MAX_SERVERS, Move};
use crate::i18n::{Lang, action_words, choice_words};
use crate::sim::{Action, Setup};

use super::options::{Broken, number, whole};
use super::{Failure, print, say};

/// Steps between two lines of progress.
const SLICE: u64 = 100_000;

/// Tries every order in which packets arrive and disks finish, in an established ensemble.
///
/// So many writes, crashes, restarts and timers may happen in between. Says whether that is complete. Exit code 1 if a property is
/// violated.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  zabscope prove --writes 1 --crashes 2
  zabscope prove --break commit-at-minority --json")]
pub(super) struct Prove {
    /// How many servers the ensemble has
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = number(1..=MAX_SERVERS))]
    servers: u8,
    #[command(flatten)]
    broken: Broken,
    /// Writes, each through the server that leads at the beginning
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number(0..=u32::MAX))]
    writes: u32,
    /// Crashes, of any server
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = number(0..=u32::MAX))]
    crashes: u32,
    /// Restarts of who crashed
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = number(0..=u32::MAX))]
    restarts: u32,
    /// Timers that fire when nothing else can happen
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = number(0..=u32::MAX))]
    ticks: u32,
    /// Most situations that are kept
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = whole)]
    states: u64,
    /// Prints the answer as JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn prove(asked: &Prove) -> Result<ExitCode, Failure> {
    let &Prove { servers, writes, crashes, restarts, ticks, states, .. } = asked;
    let setup = Setup { voters: servers, rules: asked.broken.set(), ..Setup::default() };
    let begun = Instant::now();
    let bounds = Bounds { writes, crashes, restarts, ticks };
    let mut all = Exhaust::new(&setup, bounds, &Goal::Any, states);
    while all.step(SLICE) {
        let proof = all.proof();
        say(format_args!("{} situations, {} steps\n", proof.states, proof.transitions));
    }
    let (proof, seconds) = (all.proof(), begun.elapsed().as_secs_f64());
    let fall = all.fall();
    let code = ExitCode::from(u8::from(fall.is_some()));
    if asked.json {
        let mut told = json!(proof);
        told["seconds"] = json!(seconds);
        told["violation"] = json!(fall.as_ref().map(|(violation, _)| violation));
        told["moves"] = fall.iter().flat_map(|(_, moves)| moves.iter().copied().map(words)).collect();
        return print(told).map(|()| code);
    }
    let (states, transitions, depth, ends) = (proof.states, proof.transitions, proof.depth, proof.ends);
    let numbers = format!("{states} situations, {transitions} steps, {ends} ends, depth {depth}, {seconds:.1} s");
    if let Some((violation, moves)) = fall {
        for step in moves {
            print(format_args!("  {}", words(*step)))?;
        }
        print(violation)?;
        print(format_args!("found among {numbers}"))?;
    } else if proof.complete {
        print(format_args!("complete: nothing falls in {numbers}"))?;
    } else {
        print(format_args!("not complete, nothing falls so far: {numbers}"))?;
    }
    Ok(code)
}

fn words(step: Move) -> String {
    match step {
        Move::Choice(choice) => choice_words(Lang::En, choice),
        Move::Write(server) => format!("write to {server}"),
        Move::Crash(server) => action_words(Lang::En, &Action::Crash { server }),
        Move::Restart(server) => action_words(Lang::En, &Action::Restart { server }),
    }
}
