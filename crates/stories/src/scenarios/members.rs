//! Runs about who belongs to an ensemble and what a quorum is: reconfiguration, files edited by hand, groups and weights.

use crate::base::{Arrange, ClientId, ServerId};
use crate::sim::{Action, Run, Setup};
use crate::wire::Request;

use super::{crash, cut, restart, run, set, writes};

const ADMIN: ClientId = ClientId(1);

/// A client that may reconfigure the ensemble of this setup, and what else happens.
fn with_admin(setup: Setup, mut actions: Vec<(u64, Action)>) -> Run {
    let super_digest = Some("super:D/InIHSb7yEEbrWz8b9l71RjZJU=".into());
    let servers = vec![ServerId(2)];
    let open = Action::OpenClient { client: ADMIN, servers, timeout_ms: 4_000, chroot: None, raw: false };
    let prove = Action::AddAuth { client: ADMIN, scheme: "digest".into(), auth: Some("super:test".into()) };
    actions.extend([(900, open), (1_000, prove)]);
    actions.arrange_by_key(|(at_ms, _)| *at_ms);
    run(Setup { reconfig_enabled: true, super_digest, ..setup }, actions)
}

fn reconfig(joining: Option<&str>, leaving: Option<&str>) -> Action {
    let (joining, leaving) = (joining.map(Into::into), leaving.map(Into::into));
    let request = Request::Reconfig { joining, leaving, members: None, version: -1 };
    Action::Ask { client: ADMIN, request, watcher: None, local: false, on_old_connection: false }
}

const FOUR_AND_FIVE: &str = "server.4=127.0.0.1:20004:30004;10004,server.5=127.0.0.1:20005:30005;10005";

fn add(server: u8) -> Action {
    Action::Add { server: ServerId(server), observer: false }
}

pub(super) fn reconfig_grow() -> Run {
    with_admin(
        Setup::default(),
        vec![
            (1_200, add(4)),
            (1_300, add(5)),
            (2_500, writes(1, "x=1", 2, 100)),
            (3_000, reconfig(Some(FOUR_AND_FIVE), None)),
            (3_020, writes(1, "x=2", 3, 20)),
            (4_000, crash(1)),
            (4_050, crash(2)),
            (4_300, writes(4, "x=3", 2, 100)),
        ],
    )
}

pub(super) fn reconfig_no_quorum() -> Run {
    with_admin(
        Setup::default(),
        vec![
            (1_500, crash(1)),
            (2_000, reconfig(Some(FOUR_AND_FIVE), None)),
            (2_300, add(4)),
            (2_400, add(5)),
            (4_000, reconfig(Some(FOUR_AND_FIVE), None)),
            (4_500, restart(1)),
        ],
    )
}

pub(super) fn reconfig_leader_leaves() -> Run {
    with_admin(
        Setup::default(),
        vec![
            (1_500, writes(1, "x=1", 2, 100)),
            (2_000, reconfig(None, Some("3"))),
            (3_200, writes(1, "x=2", 2, 100)),
            (4_000, crash(3)),
            (4_200, writes(2, "x=3", 1, 0)),
        ],
    )
}

/// The files of 4, 5 and 2 say five voters, those of 1 and 3 still three. Cut off from each other, each part has a majority.
pub(super) fn config_by_hand() -> Run {
    let edit = Action::EditConfig { servers: set(&[2, 4, 5]), voters: set(&[1, 2, 3, 4, 5]), observers: set(&[]) };
    run(
        Setup::default(),
        vec![
            (1_000, writes(1, "x=1", 2, 100)),
            (1_300, add(4)),
            (1_300, add(5)),
            (1_800, edit),
            (2_000, crash(4)),
            (2_000, crash(5)),
            (2_100, crash(2)),
            (2_200, cut(&[1, 3], &[2, 4, 5], false)),
            (2_300, restart(2)),
            (2_300, restart(4)),
            (2_300, restart(5)),
            (4_500, writes(1, "x=three", 1, 0)),
            (4_500, writes(2, "x=five", 1, 0)),
        ],
    )
}

/// Three groups of three, S9 without weight. What is left at first is {1, 2, 4, 5}: two of three in two of three groups. Then {1, 2, 3, 4,
/// 9}: one group, and one of three of another.
pub(super) fn quorum_groups() -> Run {
    let groups = vec![set(&[1, 2, 3]), set(&[4, 5, 6]), set(&[7, 8, 9])];
    run(
        Setup { voters: 9, groups, weights: vec![1, 1, 1, 1, 1, 1, 1, 1, 0], ..Setup::default() },
        vec![
            (1_500, writes(1, "x=1", 2, 100)),
            (2_000, crash(9)),
            (2_000, crash(8)),
            (2_000, crash(7)),
            (3_200, crash(6)),
            (3_200, crash(3)),
            (4_500, writes(1, "x=four", 2, 100)),
            (5_500, restart(3)),
            (5_500, restart(9)),
            (6_500, crash(5)),
            (7_500, writes(1, "x=five", 2, 100)),
            (8_500, restart(5)),
            (10_000, writes(1, "x=six", 1, 0)),
        ],
    )
}

/// Two servers with an oracle, which lets S1 go on alone and S2 not, until whoever watches over them says otherwise.
pub(super) fn oracle() -> Run {
    let grants = Action::Oracle { server: ServerId(2), grants: true };
    run(
        Setup { voters: 2, oracle: Some(set(&[1])), ..Setup::default() },
        vec![
            (1_200, writes(1, "x=1", 2, 100)),
            (2_000, crash(2)),
            (3_500, writes(1, "x=alone", 2, 100)),
            (4_500, restart(2)),
            (6_000, writes(2, "x=both", 1, 0)),
            (6_500, crash(1)),
            (7_500, writes(2, "x=nobody", 1, 0)),
            (8_500, grants),
            (10_500, writes(2, "x=two", 1, 0)),
        ],
    )
}
