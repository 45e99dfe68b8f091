//! What is asked of a recipe of one's own: the stage on which it is tried, and the question about it.

use std::rc::Rc;

use crate::base::{ClientId, Prng, ServerId, SimTime, Stream};
use crate::recipes::own::Program;
use crate::recipes::{Kind, Recipe, ThreadId};
use crate::sim::{Action, LatencyRange, Run, Setup};

use super::super::goal::Goal;
use super::super::search::Question;
use super::schedules::script;
use super::{CLIENTS, OBJECT};

/// The session timeout that clients ask for, ms: short, so that what hangs on a session's end comes soon, but longer than it takes to
/// connect again.
const TIMEOUT_MS: u32 = 2_000;
/// So many clients show what a program does; one begins so long after the other, µs, and holds what it got for so long, ms.
const SHOWN: u16 = 3;
const APART_US: u64 = 60_000;
const SHOWN_MS: u64 = 400;

/// The question whether a program breaks, in so many schedules: on so many servers, 1 to 9, with clients that have the recipe. Three
/// servers take longer and let reads be old; with one all that is wrong with most recipes shows, too.
pub fn question(text: &str, program: &Program, servers: u8, may_herd: bool, schedules: u64) -> Question {
    let setup = Setup {
        voters: servers,
        latency: LatencyRange { min_us: 1_000, max_us: 20_000 },
        disk_sync: LatencyRange::ms(2, 8),
        ..Setup::default()
    };
    let mut stage = Run::new(1, setup);
    let up = SimTime::from_ms(if servers > 1 { 2_500 } else { 300 });
    for client in (1..=CLIENTS).map(ClientId) {
        // a library pauses for longer than a session lives when it has tried all: so one server is named twice
        let servers = if servers == 1 { vec![ServerId(1); 2] } else { Vec::new() };
        stage.push(up, Action::OpenClient { client, servers, timeout_ms: TIMEOUT_MS, chroot: None, raw: false });
        let (path, with) = (program.home(), vec![Rc::from(text)]);
        let recipe = Recipe { kind: Kind::OWN, path, count: None, id: None, hold_ms: None, with };
        stage.push(up.plus(300_000), Action::MakeRecipe { client, object: OBJECT.into(), recipe });
    }
    Question::new(stage, Goal::OwnRecipe { may_herd }, schedules)
}

/// A run of a program in which nothing goes wrong: three clients use it.
pub fn plain_run(text: &str, program: &Program) -> Run {
    let mut run = question(text, program, 1, true, 1).run;
    run.actions.retain(|timed| match &timed.action {
        Action::OpenClient { client, .. } | Action::MakeRecipe { client, .. } => client.0 <= SHOWN,
        _ => true,
    });
    let begins = run.actions.last().map_or(SimTime::ZERO, |timed| timed.at_us).plus(500_000);
    let mut prng = Prng::new(run.seed, Stream::Faults);
    for client in 1..=SHOWN {
        let script = script(program, client, SHOWN_MS, &mut prng);
        let (at, client, thread) = (begins.plus(u64::from(client) * APART_US), ClientId(client), ThreadId::MAIN);
        run.push(at, Action::RunThread { client, thread, script });
    }
    run
}

/// The same calls and faults with another program.
pub fn rewritten(run: &Run, text: &str, program: &Program) -> Run {
    let mut run = run.clone();
    for timed in &mut run.actions {
        if let Action::MakeRecipe { recipe, .. } = &mut timed.action
            && recipe.kind == Kind::OWN
        {
            (recipe.path, recipe.with) = (program.home(), vec![Rc::from(text)]);
        }
    }
    run
}
