//! Two servers and an oracle (`QuorumOracleMaj.java`): a file on each machine says whether its server may go on alone.

use std::rc::Rc;

use zabscope::base::{ServerId, ServerSet, SimTime};
use zabscope::scenarios::scenario;
use zabscope::sim::{Action, ActionRefusal, Fact, Player, Record, Run, Setup, WorldFact};
use zabscope::zab::{self, Note};

use super::judged::{judged, properties};

fn set(ids: &[u8]) -> ServerSet {
    ids.iter().copied().map(ServerId).collect()
}

fn two(grants: &[u8], actions: Vec<(u64, Action)>) -> Run {
    of(2, Some(grants), actions)
}

fn of(voters: u8, grants: Option<&[u8]>, actions: Vec<(u64, Action)>) -> Run {
    let mut run = Run::new(1, Setup { voters, oracle: grants.map(set), ..Setup::default() });
    for (at, action) in actions {
        run.push(SimTime::from_ms(at), action);
    }
    run
}

fn crash(server: u8) -> Action {
    Action::Crash { server: ServerId(server) }
}

fn restart(server: u8) -> Action {
    Action::Restart { server: ServerId(server) }
}

fn write(server: u8) -> Action {
    Action::Write { server: ServerId(server), data: "x".into(), count: 1, every_us: 0 }
}

/// The end of a run, what happened, and which properties it violates.
fn play(run: Run, until_ms: u64) -> (Player, Vec<Rc<Record>>, Vec<&'static str>) {
    let (player, records, violations) = judged(run, SimTime::from_ms(until_ms));
    (player, records, properties(&violations))
}

/// When each leader was established, who it was, and why it had enough.
fn leaders(records: &[Rc<Record>]) -> Vec<(u8, Option<Note>)> {
    let established = |record: &Rc<Record>| match record.fact {
        Fact::Zab { server, fact: zab::Fact::Established { .. } } => Some((server.0, record.why)),
        _ => None,
    };
    records.iter().filter_map(established).collect()
}

fn answered(records: &[Rc<Record>]) -> usize {
    records.iter().filter(|record| matches!(record.fact, Fact::World(WorldFact::WriteAnswered { .. }))).count()
}

#[test]
fn one_of_two_goes_on_where_its_oracle_says_so() {
    let run = scenario("oracle").expect("it is there").run();
    let (player, records, violated) = play(run.clone(), 11_500);
    assert_eq!(violated, Vec::<&str>::new());
    let alone = Some(Note::OracleGrants);
    assert_eq!(leaders(&records), [(2, Some(Note::HistoryOnQuorum)), (1, alone), (2, alone)]);
    assert_eq!(player.leader(), Some(ServerId(2)));
    // all but the one that was asked while nobody led
    assert_eq!(answered(&records), 6);
    assert_eq!(play(run.clone(), 8_400).0.leader(), None, "the oracle of 2 says 0");
    let (player, records, _) = play(run, 6_400);
    assert_eq!(player.leader(), Some(ServerId(1)));
    let follows = |record: &&Rc<Record>| {
        let elected = &record.fact;
        matches!(elected, Fact::Zab { server: ServerId(2), fact: zab::Fact::Elected { leader: ServerId(1), .. } })
    };
    let why: Vec<_> = records.iter().filter(follows).map(|record| record.why).collect();
    assert_eq!(why, [Some(Note::OracleRefuses)]);
}

/// `overrideQuorumDecision`: it does not even leave its role, and what waited for the other's acknowledgement is committed.
#[test]
fn a_leader_left_alone_goes_on_and_commits_what_is_open() {
    let slow = zabscope::sim::LatencyRange::ms(400, 400);
    let disk = Action::Disk { server: ServerId(1), sync: slow };
    let run = |grants: &[u8]| {
        two(grants, vec![(1_200, disk.clone()), (1_500, write(2)), (1_600, crash(1)), (2_500, write(2))])
    };
    let (player, records, violated) = play(run(&[2]), 3_500);
    assert_eq!((player.leader(), leaders(&records).len(), answered(&records)), (Some(ServerId(2)), 1, 2));
    assert_eq!(violated, Vec::<&str>::new());
    let (player, records, _) = play(run(&[]), 3_500);
    assert_eq!((player.leader(), answered(&records)), (None, 0));
}

/// That a file says 1 on one machine only is for whoever writes it to see to.
#[test]
fn two_oracles_that_grant_make_two_leaders() {
    let cut = Action::Cut { from: set(&[1]), to: set(&[2]), one_way: false };
    let run = |grants: &[u8]| two(grants, vec![(1_500, cut.clone()), (5_000, write(1)), (5_000, write(2))]);
    let (_, records, violated) = play(run(&[1, 2]), 7_000);
    assert_eq!(answered(&records), 2, "both write");
    assert!(!violated.is_empty(), "and the checker says so");
    let (player, records, violated) = play(run(&[1]), 7_000);
    assert_eq!((player.leader(), answered(&records), violated), (Some(ServerId(1)), 1, vec![]));
}

#[test]
fn three_are_not_helped_by_an_oracle() {
    let actions = || vec![(1_500, crash(3)), (1_600, crash(2)), (4_000, write(1))];
    let (player, records, _) = play(of(3, Some(&[1]), actions()), 6_000);
    assert_eq!((player.leader(), answered(&records)), (None, 0));
    let (player, records, _) = play(of(2, None, vec![(1_500, crash(2)), (4_000, write(1))]), 6_000);
    assert_eq!((player.leader(), answered(&records)), (None, 0), "nor are two without one");
}

/// The other one's later epoch comes before the last wait is over; and what the oracle grants makes one vote for it enough.
#[test]
fn a_server_that_returns_follows_whatever_its_oracle_says() {
    for grants in [&[1][..], &[1, 2]] {
        let (player, records, violated) = play(two(grants, vec![(1_500, crash(2)), (4_000, restart(2))]), 7_000);
        assert_eq!(leaders(&records).iter().map(|(leader, _)| *leader).collect::<Vec<_>>(), [2, 1]);
        assert!(player.world().processes[&ServerId(2)].server().expect("it runs").peer.is_serving());
        assert_eq!(violated, Vec::<&str>::new());
    }
}

#[test]
fn a_run_without_an_oracle_has_none_to_change() {
    let oracle = Action::Oracle { server: ServerId(1), grants: true };
    let (_, records, _) = play(of(2, None, vec![(1_000, oracle)]), 1_100);
    let refused = Fact::World(WorldFact::ActionRefused { reason: ActionRefusal::NoOracle { server: ServerId(1) } });
    assert!(records.iter().any(|record| record.fact == refused));
}
