//! Fast Leader Election, step by step.

use super::*;

fn vote(leader: u8, epoch: Epoch, last: &str) -> Vote {
    Vote { leader: ServerId(leader), zxid: zxid(last), peer_epoch: epoch }
}

#[test]
fn a_better_vote_is_taken_over_and_a_worse_one_is_not() {
    let mut bench = Bench::boot(2, disk(1, "1:1"), config());
    let out = bench.hear(1, vote(1, 1, "1:0"), 1, ServerState::Looking);
    assert_eq!(facts(&out), [], "a shorter history changes nothing");
    let out = bench.hear(3, vote(3, 1, "1:1"), 1, ServerState::Looking);
    assert_eq!(facts(&out)[0], Fact::VoteChanged { vote: vote(3, 1, "1:1"), round: 1 });
    assert!(matches!(facts(&out)[1], Fact::Finalizing { leader: ServerId(3), .. }));
}

#[test]
fn a_majority_waits_200_ms_and_then_stands() {
    let mut bench = Bench::boot(2, disk(0, ""), config());
    let out = bench.hear(3, vote(3, 0, "0:0"), 1, ServerState::Looking);
    assert!(out.contains(&Output::SetTimer(Timer::Finalize, SimTime(200_000))));
    let out = bench.tell(Input::Timer(Timer::Finalize));
    let elected = Fact::Elected { leader: ServerId(3), role: ServerState::Following, round: 1 };
    assert!(out.contains(&Output::Fact(elected, Some(Note::NoBetterVote))));
    assert!(matches!(out.last(), Some(Output::Dial { to: ServerId(3), port: Port::Quorum, .. })));
}

#[test]
fn a_better_vote_in_time_breaks_the_wait() {
    let mut bench = Bench::boot(1, disk(0, ""), config());
    bench.hear(2, vote(2, 0, "0:0"), 1, ServerState::Looking);
    let out = bench.hear(3, vote(3, 0, "0:0"), 1, ServerState::Looking);
    assert_eq!(facts(&out)[0], Fact::FinalizingBroken { leader: ServerId(3) });
    assert_eq!(bench.peer.election.proposal.leader, ServerId(3));
}

#[test]
fn a_later_round_voids_all_votes_so_far() {
    let mut bench = Bench::boot(2, disk(0, ""), config());
    let out = bench.hear(1, vote(1, 0, "0:0"), 7, ServerState::Looking);
    assert_eq!(facts(&out)[0], Fact::RoundJoined { round: 7 });
    assert_eq!(bench.peer.election.proposal.leader, ServerId(2), "its own vote is better than that of 1");
    let out = bench.hear(3, vote(3, 0, "0:0"), 6, ServerState::Looking);
    assert_eq!(facts(&out), [], "an older round is only answered");
    assert!(out.iter().any(|output| matches!(output, Output::Send(_, Message::Notification(n)) if n.round == 7)));
}

#[test]
fn who_comes_late_joins_a_leader_that_a_majority_follows_and_that_is_alive() {
    let mut bench = Bench::boot(1, disk(0, ""), config());
    let settled = vote(3, 4, "3:9");
    let out = bench.hear(2, settled, 9, ServerState::Following);
    assert_eq!(facts(&out), [], "one is not a majority");
    let out = bench.hear(3, settled, 9, ServerState::Leading);
    let elected = Fact::Elected { leader: ServerId(3), role: ServerState::Following, round: 9 };
    assert!(out.contains(&Output::Fact(elected, Some(Note::JoinsExistingLeader))));
}

#[test]
fn a_dead_leader_that_a_majority_still_reports_is_not_followed() {
    let mut bench = Bench::boot(3, disk(0, ""), config());
    // 1 and 2 still say that they follow each other's dead leader 2: nobody says LEADING
    bench.hear(1, vote(2, 1, "1:1"), 9, ServerState::Following);
    let out = bench.hear(2, vote(2, 1, "1:1"), 9, ServerState::Following);
    assert!(!facts(&out).iter().any(|fact| matches!(fact, Fact::Elected { .. })));
}

#[test]
fn silence_doubles_the_wait_up_to_a_minute() {
    let mut bench = Bench::boot(1, disk(0, ""), config());
    let mut waits = Vec::new();
    for _ in 0..10 {
        let out = bench.tell(Input::Timer(Timer::ElectionPoll));
        waits.extend(out.iter().filter_map(|output| match output {
            Output::SetTimer(Timer::ElectionPoll, at) => Some(at.as_ms()),
            _ => None,
        }));
    }
    assert_eq!(waits, [400, 800, 1600, 3200, 6400, 12_800, 25_600, 51_200, 60_000, 60_000]);
}

#[test]
fn who_has_led_before_a_restart_does_not_lead_by_the_word_of_its_followers() {
    let mut bench = Bench::boot(3, disk(1, "1:1"), config());
    for from in [1, 2] {
        let out = bench.hear(from, vote(3, 1, "1:1"), 9, ServerState::Following);
        assert!(!facts(&out).iter().any(|fact| matches!(fact, Fact::Elected { .. })));
    }
}
