//! Clocks that jump or are wrong: what follows the wall clock of which server (`Time.java` `currentWallTime`), and what runs by
//! elapsed time.

use zabscope::base::{ClientId, ServerId, SimTime};
use zabscope::client::State;
use zabscope::sim::{Run, World};

/// Servers 1 to 3, of which 3 leads; a client that makes a node at 1.8 s; then what is given.
fn play(create: &str, setup: &str, then: &str, until_ms: u64) -> World {
    let text = format!(
        r#"{{"version":4,"seed":5,"setup":{{"container_check_ms":200{setup}}},"actions":[
        {{"at_us":1000000,"do":"open_client","client":1,"servers":[1]}},
        {{"at_us":1800000,"do":"ask","client":1,"request":{{"op":"create","path":"/t",{create}}}}}{then}]}}"#
    );
    let mut world = World::new(Run::from_json(&text).unwrap_or_else(|error| panic!("{error}: {text}")));
    while world.next_at().is_some_and(|at| at <= SimTime::from_ms(until_ms)) {
        world.step();
    }
    let state = world.clients[&ClientId(1)].client.state;
    assert!(!matches!(state, State::Expired | State::Closed), "sessions expire by elapsed time");
    world
}

/// Whether the node is there, by when.
fn stands(create: &str, setup: &str, then: &str, until_ms: u64) -> bool {
    let world = play(create, setup, then, until_ms);
    world.processes[&ServerId(2)].server().expect("it runs").tree.get("/t").is_some()
}

fn jump(server: u8, ms: i64) -> String {
    format!(r#",{{"at_us":2500000,"do":"clock_jump","server":{server},"ms":{ms}}}"#)
}

/// `ContainerManager.java` compares the wall clock of the leader with the node's mtime, which another leader may have written.
#[test]
fn a_time_to_live_follows_the_leaders_wall_clock() {
    let ttl = r#""mode":"PERSISTENT_WITH_TTL","ttl":5000"#;
    assert!(stands(ttl, "", "", 6_500) && !stands(ttl, "", "", 7_300));
    assert!(!stands(ttl, "", &jump(3, 3_600_000), 3_000), "an hour ahead, it is old at once");
    assert!(stands(ttl, "", &jump(3, -5_000), 11_500) && !stands(ttl, "", &jump(3, -5_000), 12_300));
    assert!(stands(ttl, "", &jump(1, 3_600_000), 6_500), "the clock of a follower deletes nothing");
}

/// The time in a transaction is that of the leader that prepared it; a new leader with another clock judges by its own.
#[test]
fn a_new_leader_judges_an_old_time_by_its_own_clock() {
    let ttl = r#""mode":"PERSISTENT_WITH_TTL","ttl":5000"#;
    let crash = r#",{"at_us":2500000,"do":"crash","server":3}"#;
    assert!(stands(ttl, "", crash, 6_500));
    assert!(!stands(ttl, r#","clock_ahead_ms":[0,60000]"#, crash, 4_500), "S2 is a minute ahead, and leads");
    assert!(stands(ttl, r#","clock_ahead_ms":[0,0,60000]"#, crash, 30_000), "made a minute in the future");
}

/// A container goes by its cversion alone, whatever a clock shows; only one that was never used waits for a time.
#[test]
fn a_container_that_had_a_child_needs_no_clock() {
    let child = |op: &str, at: u64| {
        format!(r#",{{"at_us":{at},"do":"ask","client":1,"request":{{"op":"{op}","path":"/t/a"}}}}"#)
    };
    let used = child("create", 2_000_000) + &child("delete", 2_300_000) + &jump(3, -3_600_000);
    assert!(!stands(r#""mode":"CONTAINER""#, "", &used, 3_500));
    let unused = r#","max_never_used_ms":10000"#;
    assert!(stands(r#""mode":"CONTAINER""#, unused, "", 10_000));
    assert!(!stands(r#""mode":"CONTAINER""#, unused, &jump(3, 3_600_000), 3_000));
}

#[test]
fn stats_have_the_leaders_time() {
    for (setup, ahead) in [("", 0), (r#","clock_ahead_ms":[7000,9000,-60000]"#, -60_000)] {
        let world = play(r#""data":"x""#, setup, "", 3_000);
        let node = world.processes[&ServerId(1)].server().expect("it runs").tree.get("/t").expect("a node").clone();
        assert!((1_800..2_000).contains(&(node.mtime - ahead)) && node.ctime == node.mtime, "{node:?}");
    }
}
