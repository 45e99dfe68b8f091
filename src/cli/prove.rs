//! `zabscope prove`: every order of a tiny setup.

use std::process::ExitCode;
use std::time::Instant;

use crate::base::RuleSet;
use crate::explore::{Bounds, Exhaust, Goal, MAX_SERVERS, Move};
use crate::i18n::{Lang, action_words, choice_words};
use crate::sim::{Action, Setup};

use super::soak::parse_rule;
use super::{Failure, print, say};

/// Steps between two lines of progress.
const SLICE: u64 = 100_000;

pub(super) fn prove(args: lexopt::Parser) -> Result<ExitCode, Failure> {
    let (setup, bounds, most) = parse(args)?;
    let begun = Instant::now();
    let mut all = Exhaust::new(&setup, bounds, &Goal::Any, most);
    while all.step(SLICE) {
        let proof = all.proof();
        say(format_args!("{} situations, {} steps\n", proof.states, proof.transitions));
    }
    let (proof, seconds) = (all.proof(), begun.elapsed().as_secs_f64());
    let (states, transitions, depth, ends) = (proof.states, proof.transitions, proof.depth, proof.ends);
    let numbers = format!("{states} situations, {transitions} steps, {ends} ends, depth {depth}, {seconds:.1} s");
    if let Some((violation, moves)) = all.fall() {
        for step in moves {
            print(format_args!("  {}", words(*step)))?;
        }
        print(violation)?;
        print(format_args!("found among {numbers}"))?;
        return Ok(ExitCode::from(1));
    }
    match proof.complete {
        true => print(format_args!("complete: nothing falls in {numbers}"))?,
        false => print(format_args!("not complete, nothing falls so far: {numbers}"))?,
    }
    Ok(ExitCode::SUCCESS)
}

fn parse(mut args: lexopt::Parser) -> Result<(Setup, Bounds, u64), Failure> {
    use lexopt::Arg::Long;
    use lexopt::ValueExt;
    let (mut servers, mut rules) = (3_u8, RuleSet::default());
    let (mut bounds, mut most) = (Bounds { writes: 1, ..Bounds::default() }, 1_000_000);
    while let Some(arg) = args.next()? {
        match arg {
            Long("servers") => servers = args.value()?.parse()?,
            Long("break") => rules = rules.breaking(parse_rule(&args.value()?.string()?)?),
            Long("writes") => bounds.writes = args.value()?.parse()?,
            Long("crashes") => bounds.crashes = args.value()?.parse()?,
            Long("restarts") => bounds.restarts = args.value()?.parse()?,
            Long("ticks") => bounds.ticks = args.value()?.parse()?,
            Long("states") => most = args.value()?.parse()?,
            other => return Err(other.unexpected().into()),
        }
    }
    if !(1..=MAX_SERVERS).contains(&servers) {
        return Err(Failure::usage(format!("--servers {servers} is not between 1 and {MAX_SERVERS}")));
    }
    Ok((Setup { voters: servers, rules, ..Setup::default() }, bounds, most))
}

fn words(step: Move) -> String {
    match step {
        Move::Choice(choice) => choice_words(Lang::En, choice),
        Move::Write(server) => format!("write to {server}"),
        Move::Crash(server) => action_words(Lang::En, &Action::Crash { server }),
        Move::Restart(server) => action_words(Lang::En, &Action::Restart { server }),
    }
}
