//! What the checker says of recipes, in runs that one can follow: a violation where the recipe is wrong, a note where nobody
//! could know better.

use std::rc::Rc;

use zabscope::check::Checker;
use zabscope::recipes::{Kind, Recipe, Step};
use zabscope::sim::{Record, Setup};

use super::support::{Stage, call, recipe};

fn judged(records: &[Rc<Record>]) -> Checker {
    let mut checker = Checker::new(&Setup::default());
    for record in records {
        checker.read(record);
    }
    checker
}

fn violated(stage: &Stage) -> Vec<&'static str> {
    judged(&stage.records).violations().iter().map(|violation| violation.property).collect()
}

/// The holder is paused past its session timeout.
#[test]
fn a_paused_holder_is_told_as_a_double_holder() {
    let mut stage = Stage::new(2);
    stage.everybody_makes(2, "lock", &recipe(Kind::MUTEX, "/lock"));
    let uses = Step::Use { object: "lock".into(), resource: "store".into(), fenced: false };
    stage.run(1, &[call("lock", "acquire")]);
    stage.run(2, &[call("lock", "acquire")]);
    stage.act(zabscope::sim::Action::PauseClient { client: zabscope::base::ClientId(1) });
    stage.pass(8_000);
    assert_eq!(stage.holders("/lock"), [(1, 1), (2, 1)]);
    let checker = judged(&stage.records);
    assert_eq!(checker.violations(), []);
    let told: Vec<String> = checker.doubles().iter().map(ToString::to_string).collect();
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].contains("C1 T1 still believes"), "{told:?}");
    // it goes on, hears that its session is lost, and acts all the same
    stage.act(zabscope::sim::Action::ResumeClient { client: zabscope::base::ClientId(1) });
    stage.pass(3_000);
    assert_eq!(violated(&stage), Vec::<&str>::new());
    stage.run(1, &[uses]);
    assert_eq!(violated(&stage), ["loss-is-heeded"]);
}

/// A writer becomes a reader while another writer waits.
fn downgraded(with: &[&str]) -> Stage {
    let with = with.iter().map(|&word| word.into()).collect();
    let lock = Recipe { with, ..recipe(Kind::READ_WRITE, "/rw") };
    let mut stage = Stage::new(2);
    stage.everybody_makes(2, "rw", &lock);
    stage.run(1, &[call("rw", "write.acquire")]);
    stage.run(2, &[call("rw", "write.acquire")]);
    stage.run(1, &[call("rw", "read.acquire"), call("rw", "write.release")]);
    stage
}

#[test]
fn a_writer_beside_a_downgraded_reader_is_seen() {
    assert_eq!(violated(&downgraded(&[])), ["readers-and-writers"], "CURATOR-621, as in 5.4.0");
    assert_eq!(violated(&downgraded(&["keeps_place"])), Vec::<&str>::new());
}
