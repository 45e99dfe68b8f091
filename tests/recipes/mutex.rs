//! InterProcessMutex.

use zabscope::recipes::Kind;

use super::support::{Stage, call, recipe};

#[test]
fn three_contenders_hold_it_one_after_the_other() {
    let mut stage = Stage::new(3);
    stage.everybody_makes(3, "lock", &recipe(Kind::Mutex, "/lock"));
    for client in 1..=3 {
        stage.run(client, &[call("lock", "acquire")]);
    }
    for client in 1..=3 {
        assert_eq!(stage.holders("/lock"), [(client, 1)], "{:#?}", stage.told(client));
        stage.run(client, &[call("lock", "release")]);
    }
    assert!(stage.holders("/lock").is_empty());
    assert!(stage.children("/lock").is_empty());
}
