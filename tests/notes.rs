//! Every note, that is every decision of the protocol which the page can explain, comes up in some run.

use zabscope::base::RuleSet;
use zabscope::base::SimTime;
use zabscope::scenarios::SCENARIOS;
use zabscope::sim::{Action, DiskFault, Run, Setup, World};
use zabscope::soak::soak_run;
use zabscope::zab::Note;

/// All notes. The match makes the compiler ask for a line here when there is a new one.
fn all() -> Vec<Note> {
    use Note::*;
    let known = |note: Note| match note {
        LaterEpochWins | LaterZxidWins | HigherIdWins | LaterRound | MajorityAgrees | NoBetterVote => note,
        BetterVoteInTime | JoinsExistingLeader | EpochAboveAllAccepted | PromiseBeforeAnswer => note,
        SameHistory | WithinCommittedLog | FromDiskLog | AheadOfLeader | ForeignTail => note,
        PartedInOtherEpoch | TooFarBehind | AskedForSnapshot | HistoryOnQuorum | MajorityLogged => note,
        OnDiskBeforeAck | LoggedStaysInMemory | PartialStateDropped | UnloggedDropped | EpochAdoptedFromLog => note,
        AlreadyAccepted | SuggestedByReconfig => note,
        RoundOfJoiner | JoinsByConfigInForce | LaterConfigAlone | ConfigStillProposed => note,
        OracleGrants | OracleRefuses => note,
    };
    [
        LaterEpochWins,
        LaterZxidWins,
        HigherIdWins,
        LaterRound,
        MajorityAgrees,
        NoBetterVote,
        BetterVoteInTime,
        JoinsExistingLeader,
        EpochAboveAllAccepted,
        PromiseBeforeAnswer,
        SameHistory,
        WithinCommittedLog,
        FromDiskLog,
        AheadOfLeader,
        PartedInOtherEpoch,
        TooFarBehind,
        HistoryOnQuorum,
        MajorityLogged,
        OnDiskBeforeAck,
        LoggedStaysInMemory,
        PartialStateDropped,
        UnloggedDropped,
        EpochAdoptedFromLog,
        AlreadyAccepted,
        SuggestedByReconfig,
        LaterConfigAlone,
        ConfigStillProposed,
        OracleGrants,
        OracleRefuses,
    ]
    .map(known)
    .to_vec()
    // ForeignTail and AskedForSnapshot need a history that no run of whole servers makes; the tests of the
    // synchronisation plan make them. For JoinsByConfigInForce and RoundOfJoiner one of some hundred random runs does (`zab/tests/reconfig.rs`)
}

fn strike(missing: &mut Vec<Note>, run: &Run, until: SimTime) {
    let mut world = World::new(run.clone());
    while world.next_at().is_some_and(|at| at <= until) {
        world.step();
        for record in world.last_facts() {
            if let Some(why) = record.why {
                missing.retain(|note| *note != why);
            }
        }
    }
}

#[test]
fn every_note_occurs() {
    let mut missing = all();
    for scenario in SCENARIOS {
        strike(&mut missing, &scenario.run(), SimTime::from_ms(scenario.until_ms));
    }
    let disk_log = Setup { snapshot_size_factor: 0, commit_log_count: 2, ..Setup::default() };
    let mut behind = Run::new(1, disk_log);
    let one = zabscope::base::ServerId(1);
    let write =
        |count| Action::Write { server: zabscope::base::ServerId(2), data: "x".into(), count, every_us: 1000 };
    for (at, action) in [
        (1_000, write(2)),
        (1_200, Action::Crash { server: one }),
        (1_300, write(6)),
        (2_000, Action::Restart { server: one }),
        (3_000, Action::DiskFault { server: one, fault: DiskFault::Error }),
        (3_100, write(1)),
    ] {
        behind.push(SimTime::from_ms(at), action);
    }
    strike(&mut missing, &behind, SimTime::from_ms(4_000));
    for seed in 0..200 {
        if missing.is_empty() {
            break;
        }
        strike(&mut missing, &soak_run(3, seed, 1, RuleSet::default()), SimTime::from_ms(60_000));
    }
    assert_eq!(missing, [], "these notes never occurred");
}
