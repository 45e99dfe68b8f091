//! What every system is held to, whatever it does: how its setup is read, and how its facts speak.

use zabscope::daemon::{Say, Tongue};
use zabscope::scenarios::scenario;
use zabscope::sim::Run;

/// A run with this system alone, from its setup as it is written.
pub fn read(system: &str, setup: &str) -> Result<Run, String> {
    let text = format!(r#"{{"version":4,"setup":{{"voters":0,"systems":{{"{system}":{setup}}}}}}}"#);
    Run::from_json(&text).map_err(|why| why.to_string())
}

/// The setup is read, and the same when it has been written.
pub fn assert_comes_back(system: &str, setup: &str) {
    let run = read(system, setup).expect("a setup");
    assert_eq!(Run::from_json(&run.to_json()), Ok(run));
}

/// Each of these setups is refused with its complaint.
pub fn assert_refused(system: &str, complaints: &[(&str, &str)]) {
    for (setup, complaint) in complaints {
        let why = read(system, setup).expect_err(setup);
        assert!(why.contains(complaint), "{setup}: {why}");
    }
}

/// The fact is a sentence in both languages, with a reason in both or in none, and is called after its system.
pub fn assert_speaks(system: &str, fact: &impl Say) {
    let (english, chinese) = (fact.text(Tongue::English), fact.text(Tongue::Chinese));
    assert!(english.ends_with('.') && chinese.ends_with('。'), "{fact:?}: {english} / {chinese}");
    assert!(fact.name().starts_with(&format!("{system}_")));
    assert_eq!(fact.why(Tongue::English).is_some(), fact.why(Tongue::Chinese).is_some());
}

#[test]
fn two_machines_of_one_name_are_refused() {
    let systems = |id: &str| scenario(id).expect("a scenario").run().setup.systems;
    let mut run = scenario("redis-limit").expect("a scenario").run();
    assert_eq!(run.check(), Ok(()));
    run.setup.systems.sql = systems("sql-lock-row").sql;
    let error = run.check().expect_err("both have clients").to_string();
    assert_eq!(error, "setup.systems: two machines would be called C1: leave out one system's clients");
}
