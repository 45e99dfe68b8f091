//! LeaderLatch: races, in versions and policies side by side.

use zabscope::base::{ClientId, ServerId};
use zabscope::recipes::{CuratorConfig, ErrorPolicy, Kind};
use zabscope::sim::Action;

use super::election_support::{callbacks, heard, latches as started, leaders, most_leaders, open_at, outage, queue};
use super::support::{Stage, call, recipe};

/// The ensemble is down for longer than the sessions: clients come back with new sessions, and find the nodes of
/// their old ones. Who leads on such a ghost does not notice when it goes.
fn ghosts(words: &[&str]) -> Stage {
    let mut stage = started(2, words);
    outage(&mut stage, false);
    stage
}

#[test]
fn r10_ghosts_make_two_leaders_where_nobody_checks_the_owner() {
    let unchecked = ghosts(&[]);
    assert_eq!(most_leaders(&unchecked, "/latch"), 2, "{:#?}", callbacks(&unchecked));
    let checked = ghosts(&["checks_owner"]);
    assert_eq!(most_leaders(&checked, "/latch"), 1, "{:#?}", callbacks(&checked));
    assert_eq!(leaders(&checked, "/latch").len(), 1);
    assert_eq!(queue(&checked, "/latch").len(), 2);
}

/// The first of two is cut off silently: how many led at one time at most, and who leads in the end.
fn silently_cut_off(error_policy: ErrorPolicy, expiration_percent: u32) -> (usize, Vec<u16>, Vec<String>) {
    let mut stage = Stage::new(0);
    open_at(&mut stage, 1, 1);
    open_at(&mut stage, 2, 2);
    stage.set_up(1, CuratorConfig { error_policy, expiration_percent, ..CuratorConfig::default() });
    for client in 1..=2 {
        stage.make(client, "latch", recipe(Kind::LATCH, "/latch"));
        stage.run(client, &[call("latch", "start")]);
    }
    stage.act(Action::Pause { server: ServerId(1) });
    stage.pass(15_000);
    (most_leaders(&stage, "/latch"), leaders(&stage, "/latch"), heard(&stage, 1))
}

/// SUSPENDED versus LOST. Under the session policy a leader believes in itself until its own timer says LOST, long
/// after the ensemble has expired it; by default there is a gap without a leader instead.
#[test]
fn r11_the_default_policy_steps_down_before_another_leads() {
    let (most, leading, told) = silently_cut_off(ErrorPolicy::Standard, 100);
    assert_eq!((most, leading), (1, vec![2]), "{told:?}");
    let (most, leading, told) = silently_cut_off(ErrorPolicy::Session, 100);
    assert_eq!((most, leading), (2, vec![2]), "{told:?}");
    let (most, leading, told) = silently_cut_off(ErrorPolicy::Session, 33);
    assert_eq!((most, leading), (1, vec![2]), "{told:?}");
}

/// Before CURATOR-644/645 everybody made a new node after a short interruption; now all nodes stay.
#[test]
fn r12_numbers_climb_where_every_reconnect_resets() {
    let short_outage = |words: &[&str]| {
        let mut stage = started(3, words);
        for client in 1..=3 {
            stage.act(Action::DisconnectClient { client: ClientId(client) });
        }
        stage.pass(5_000);
        queue(&stage, "/latch").pop().expect("a node")
    };
    assert_eq!(short_outage(&[]), "latch-0000000002");
    assert!(*short_outage(&["resets_on_reconnect"]) >= *"latch-0000000005");
}

/// `testGetChildrenHitsNoNode` (CURATOR-724): the whole tree is gone.
#[test]
fn r30_an_ensemble_that_was_wiped() {
    let wiped = |words: &[&str]| {
        let mut stage = started(2, words);
        outage(&mut stage, true);
        assert!(most_leaders(&stage, "/latch") <= 1);
        (leaders(&stage, "/latch").len(), queue(&stage, "/latch").len())
    };
    assert_eq!(wiped(&[]), (0, 0), "5.4.0 only logs it");
    assert_eq!(wiped(&["survives_wipe"]), (1, 2));
}
