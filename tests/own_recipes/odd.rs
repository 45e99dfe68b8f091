//! Programs that nobody would write: they end, and nothing else does.

use std::rc::Rc;

use zabscope::recipes::own::{Activity, READY, Section};
use zabscope::recipes::{Fact as Told, Kind, Recipe};
use zabscope::sim::{Action, Run, RunError};

use crate::recipes::support::{Stage, call, call_for, recipe};

fn own(text: &str) -> Recipe {
    Recipe { with: vec![Rc::from(text)], ..recipe(Kind::OWN, "/lock") }
}

/// What a call of `acquire` comes to after so many ms.
fn came_to(text: &str, ms: u64) -> String {
    let mut stage = Stage::new(1);
    stage.make(1, "own", own(text));
    stage.run(1, &[call("own", "acquire")]);
    stage.pass(ms);
    stage.last_returned(1)
}

#[test]
fn what_goes_round_and_round_ends() {
    for spins in ["x = \"a\"", "if me is nothing\n      stop", "wait until me is gone", "delete me"] {
        let text = format!("acquire\n  me = nothing\n  repeat\n    {spins}\n");
        let said = came_to(&text, 0);
        let stops = spins.contains("stop");
        assert!(said.contains(if stops { "without hold" } else { "round and round" }), "{spins}: {said}");
    }
    let slow = came_to("acquire\n  repeat\n    sleep 1 ms\n", 60_000);
    assert!(slow.contains("round and round"), "{slow}");
}

#[test]
fn values_do_not_grow_without_end() {
    let said = came_to("acquire\n  x = /aaaaaaaaaaaaaaaa\n  repeat\n    x = /{x}{x}\n", 0);
    assert!(said.contains("too long"), "{said}");
}

#[test]
fn a_path_that_is_none_is_refused_by_the_library() {
    let said = came_to("acquire\n  x = \"//\"\n  create x\n  hold\n", 500);
    assert!(said.contains("IllegalArgument"), "{said}");
    let said = came_to("acquire\n  me = create nothing\n  hold\n", 500);
    assert!(said.contains("NoNode"), "{said}");
}

#[test]
fn a_method_that_is_no_section_is_not_there() {
    let mut stage = Stage::new(1);
    stage.make(1, "own", own("acquire\n  hold\n"));
    for (method, said) in [
        ("take", "take NoSuchMethodException: take"),
        ("release", "release NoSuchMethodException: release"),
        ("acquire", "acquire ok"),
        ("acquire", "acquire IllegalStateException: This lock is not re-entrant"),
    ] {
        stage.run(1, &[call("own", method)]);
        assert_eq!(stage.last_returned(1), said);
    }
}

#[test]
fn who_has_nothing_gives_nothing_back() {
    let mut stage = Stage::new(1);
    stage.make(1, "own", own(READY[0].text));
    stage.run(1, &[call("own", "release")]);
    assert_eq!(stage.last_returned(1), "release IllegalMonitorStateException: You do not own the lock: /lock");
}

#[test]
fn a_call_ends_when_its_time_is_over() {
    let mut stage = Stage::new(2);
    stage.everybody_makes(2, "own", &own(READY[2].text));
    for client in [1, 2] {
        stage.run(client, &[call_for("own", "acquire", 400)]);
    }
    assert_eq!([1, 2].map(|client| stage.last_returned(client)), ["acquire true", "acquire false"]);
}

#[test]
fn an_interrupt_ends_a_section_wherever_it_is() {
    for after in [0, 20, 50, 90, 150, 3_000] {
        let mut stage = Stage::new(2);
        stage.everybody_makes(2, "own", &own(READY[2].text));
        stage.run(1, &[call("own", "acquire")]);
        stage.begin(2, 1, &[call("own", "acquire")]);
        stage.pass(after);
        stage.interrupt(2, 1);
        stage.pass(500);
        assert_eq!(stage.last_returned(2), "acquire InterruptedException", "after {after} ms");
    }
}

/// Where threads stand is there for a reader at any moment, and a world can be copied there.
#[test]
fn a_reader_sees_where_each_stands() {
    let mut stage = Stage::new(2);
    stage.everybody_makes(2, "own", &own(READY[2].text));
    stage.run(1, &[call("own", "acquire")]);
    stage.run(2, &[call("own", "acquire")]);
    let copy = stage.player.world().clone();
    let places = |client: u16| {
        let app = copy.clients[&zabscope::base::ClientId(client)].app.as_ref().expect("a program");
        let (_, program, places) = app.own_recipes().next().expect("a recipe of one's own");
        let at = places[0].clone();
        let line = at.line.checked_sub(1).and_then(|index| program.lines().get(index));
        (at, line.map(|line| line.to_string().trim().to_string()))
    };
    let (first, line) = places(1);
    assert!(first.holds && first.doing == Activity::Idle && line.is_none(), "{first:?}");
    let (second, line) = places(2);
    assert_eq!((second.section, line.as_deref()), (Some(Section::Acquire), Some("wait until before is gone")));
    let value = |name: &str| second.values.iter().find(|(own, _)| **own == *name).map(|(_, value)| value.clone());
    assert_eq!(second.doing, Activity::Waits(value("before").expect("it is kept")));
    let lines = stage.told(2).into_iter().filter(|told| matches!(told, Told::AtLine { .. })).count();
    let kept = stage.told(2).into_iter().filter(|told| matches!(told, Told::Keeps { .. })).count();
    assert!(lines >= 6 && kept >= 3, "{lines} lines, {kept} values");
}

#[test]
fn a_run_with_a_program_that_is_none_says_where_and_why() {
    let mut run = Run::new(1, zabscope::sim::Setup::default());
    let client = zabscope::base::ClientId(1);
    let make = |text: &str| Action::MakeRecipe { client, object: "own".into(), recipe: own(text) };
    run.push(zabscope::base::SimTime::ZERO, make("acquire\n  hold it\n"));
    let said = run.check().map_err(RunError::Value).expect_err("no program").to_string();
    assert!(said.contains("line 2, column 8") && said.contains("end of the line"), "{said}");
    for with in [Vec::new(), vec![Rc::from("acquire\n  hold\n"); 2]] {
        assert!(Recipe { with, ..recipe(Kind::OWN, "/lock") }.check().is_err());
    }
}
