//! The kernel: what links, disks and processes do to a run, seen through facts and the world.

use std::collections::BTreeMap;
use std::rc::Rc;

use zabscope::base::{ClientId, Node, ServerId, ServerSet, SimTime, Zxid};
use zabscope::check::Checker;
use zabscope::sim::{
    Action, ActionRefusal, Choice, Fact, LatencyRange, Player, Record, Run, Setup, Status, World, WorldFact,
};
use zabscope::zab;

fn set(ids: &[u8]) -> ServerSet {
    ids.iter().copied().map(ServerId).collect()
}

fn play(run: Run, until_ms: u64) -> (Player, Vec<Rc<Record>>) {
    let mut player = Player::new(run).expect("a valid run");
    let mut all = Vec::new();
    player.run_until(SimTime::from_ms(until_ms), |_, records| all.extend(records.to_vec()));
    (player, all)
}

fn world_facts(records: &[Rc<Record>]) -> impl Iterator<Item = (SimTime, &WorldFact)> {
    records.iter().filter_map(|record| match &record.fact {
        Fact::World(fact) => Some((record.at_us, fact)),
        _ => None,
    })
}

fn refusals(records: &[Rc<Record>]) -> Vec<ActionRefusal> {
    let reason = |(_, fact): (SimTime, &WorldFact)| match fact {
        WorldFact::ActionRefused { reason } => Some(*reason),
        _ => None,
    };
    world_facts(records).filter_map(reason).collect()
}

fn with(setup: Setup, actions: Vec<(u64, Action)>) -> Run {
    let mut run = Run::new(5, setup);
    for (at, action) in actions {
        run.push(SimTime::from_ms(at), action);
    }
    run
}

fn writes(server: u8, count: u32) -> Action {
    Action::Write { server: ServerId(server), data: "x".into(), count, every_us: 7_000 }
}

#[test]
fn packets_never_overtake_and_keep_their_latency() {
    let setup = Setup { latency: LatencyRange::ms(1, 40), ..Setup::default() };
    let (_, records) = play(with(setup, vec![(1_500, writes(1, 50))]), 4_000);
    let mut sent = BTreeMap::new();
    let mut last: BTreeMap<(Node, Node, bool), u64> = BTreeMap::new();
    for (at, fact) in world_facts(&records) {
        match fact {
            WorldFact::Sent { msg, .. } => {
                sent.insert(*msg, at);
            }
            WorldFact::Delivered { msg, from, to, name, .. } => {
                assert!(at.since(sent[msg]) >= 1_000, "{name} was faster than its link");
                // one direction of one connection: packets of both kinds of connection may pass each other
                let before = last.insert((*from, *to, *name == "NOTIFICATION"), msg.0);
                assert!(before.is_none_or(|before| before < msg.0), "{name} overtook another packet");
            }
            _ => {}
        }
    }
    assert!(sent.len() > 300);
}

#[test]
fn a_cut_holds_packets_until_it_heals() {
    let cut = Action::Cut { from: set(&[3]), to: set(&[1]), one_way: true };
    let run = with(Setup::default(), vec![(1_000, cut), (1_400, Action::HealAll)]);
    let (_, records) = play(run, 2_000);
    let through = |low: u64, high: u64| {
        world_facts(&records).any(|(at, fact)| {
            let here = (low..high).contains(&at.as_ms());
            here && matches!(
                fact,
                WorldFact::Delivered { from: Node::Server(ServerId(3)), to: Node::Server(ServerId(1)), .. }
            )
        })
    };
    assert!(through(700, 1_000) && !through(1_000, 1_400) && through(1_400, 2_000));
    let back = world_facts(&records).any(|(at, fact)| {
        (1_030..1_400).contains(&at.as_ms())
            && matches!(fact, WorldFact::Sent { from: Node::Server(ServerId(3)), to: Node::Server(ServerId(1)), .. })
    });
    assert!(back, "the sender does not know of the cut and goes on sending");
    assert!(!world_facts(&records).any(|(_, fact)| matches!(fact, WorldFact::Lost { .. })));
}

#[test]
fn a_crash_loses_the_unsynced_and_what_was_on_the_way_to_it() {
    let slow = Action::Disk { server: ServerId(1), sync: LatencyRange::ms(300, 300) };
    let run = with(
        Setup::default(),
        vec![(1_000, slow), (1_100, writes(2, 3)), (1_300, Action::Crash { server: ServerId(1) })],
    );
    let (player, records) = play(run, 1_400);
    let lost = world_facts(&records).find_map(|(_, fact)| match fact {
        WorldFact::UnsyncedLost { server: ServerId(1), first, count, .. } => Some((*first, *count)),
        _ => None,
    });
    assert_eq!(lost, Some((Zxid::new(1, 1), 3)));
    let process = &player.world().processes[&ServerId(1)];
    assert_eq!((process.status, process.files().unwrap().log.len()), (Status::Crashed, 0));
    assert!(process.server().is_none());
}

#[test]
fn a_crash_may_keep_a_part_of_the_write_under_way() {
    let mut kept = Vec::new();
    for seed in 0..30 {
        let setup = Setup { crash_keeps_prefix: true, disk_sync: LatencyRange::ms(100, 100), ..Setup::default() };
        let burst = Action::Write { server: ServerId(3), data: "x".into(), count: 8, every_us: 0 };
        let mut run = with(setup, vec![(2_000, burst), (2_150, Action::Crash { server: ServerId(3) })]);
        run.seed = seed;
        let (player, _) = play(run, 2_200);
        kept.push(player.world().processes[&ServerId(3)].files().unwrap().log.len());
    }
    kept.sort_unstable();
    kept.dedup();
    assert!(kept.len() > 3, "different seeds keep different parts: {kept:?}");
}

/// How many transactions of the log the death of a server leaves, and how many it takes; its first append is under way.
fn left_by(death: Action) -> (usize, Option<usize>) {
    let slow = Action::Disk { server: ServerId(1), sync: LatencyRange::ms(300, 300) };
    let run = with(Setup::default(), vec![(1_000, slow), (1_100, writes(2, 3)), (1_300, death)]);
    let (player, records) = play(run, 1_400);
    let lost = world_facts(&records).find_map(|(_, fact)| match fact {
        WorldFact::UnsyncedLost { server: ServerId(1), count, .. } => Some(*count),
        _ => None,
    });
    (player.world().processes[&ServerId(1)].files().unwrap().log.len(), lost)
}

#[test]
fn a_killed_process_loses_only_what_it_had_not_written() {
    let server = ServerId(1);
    assert_eq!(left_by(Action::Kill { server }), (1, Some(2)));
    assert_eq!(left_by(Action::PowerOff { server }), (0, Some(3)));
}

/// When each server left its role after 2 s, ms; and when its dials to S3 were refused.
fn noticed(death: Action) -> (Vec<u64>, Vec<u64>) {
    let run = with(Setup::default(), vec![(2_000, death), (9_000, Action::Restart { server: ServerId(3) })]);
    let (player, records) = play(run, 12_000);
    assert!(player.world().processes[&ServerId(3)].server().is_some_and(|server| server.peer.is_serving()));
    let at = |pick: &dyn Fn(&Fact) -> bool| -> Vec<u64> {
        let after = records.iter().filter(|record| record.at_us >= SimTime::from_ms(2_000) && pick(&record.fact));
        after.map(|record| record.at_us.as_ms()).collect()
    };
    let three = Node::from(ServerId(3));
    (
        at(&|fact| matches!(fact, Fact::Zab { fact: zab::Fact::Left { .. }, .. })),
        at(&|fact| matches!(fact, Fact::World(WorldFact::ConnectionRefused { to, .. }) if *to == three)),
    )
}

#[test]
fn a_power_failure_is_noticed_by_silence_alone() {
    let (left, refused) = noticed(Action::Kill { server: ServerId(3) });
    assert!(left.iter().all(|at| *at < 2_100) && left.len() == 2, "{left:?}");
    assert!(!refused.is_empty());
    // a follower reads nothing for syncLimit ticks; the last PING was no older than half a tick and a packet's way
    let (left, refused) = noticed(Action::PowerOff { server: ServerId(3) });
    assert!(left.iter().all(|at| (2_880..=3_020).contains(at)) && left.len() == 2, "{left:?}");
    assert!(refused.is_empty(), "nobody is there to refuse");
}

#[test]
fn a_machine_with_power_again_resets_who_speaks_on_an_old_connection() {
    let server = ServerId(1);
    let open =
        Action::OpenClient { client: ClientId(1), servers: vec![server], timeout_ms: 6_000, chroot: None, raw: true };
    let off = Action::PowerOff { server };
    let run = with(Setup::default(), vec![(1_500, open), (2_500, off), (2_600, Action::Restart { server })]);
    let (_, records) = play(run, 6_000);
    let closed: Vec<u64> = world_facts(&records)
        .filter(|(_, fact)| matches!(fact, WorldFact::ConnectionClosed { node: Node::Client(_), .. }))
        .map(|(at, _)| at.as_ms())
        .collect();
    // the connection is half open until the client's next ping, a third of its timeout after the last one
    assert!(matches!(closed[..], [at] if (2_900..3_100).contains(&at)), "{closed:?}");
}

#[test]
fn a_narrow_link_carries_one_packet_after_the_other_byte_by_byte() {
    let setup = Setup { bandwidth: 2, latency: LatencyRange::ms(10, 10), tick_time_ms: 1_000, ..Setup::default() };
    let data = "d=".to_string() + &"x".repeat(998);
    let write = Action::Write { server: ServerId(3), data, count: 2, every_us: 0 };
    let (_, records) = play(with(setup, vec![(5_000, write)]), 9_000);
    let arrived: Vec<u64> = world_facts(&records)
        .filter(|(_, fact)| {
            matches!(fact, WorldFact::Delivered { name: "PROPOSAL", to, .. } if *to == Node::from(ServerId(1)))
        })
        .map(|(at, _)| at.as_ms())
        .collect();
    // a proposal is a header of 100 bytes and its transaction, some more than 1000 bytes: 550 ms and a few at 2 bytes/ms
    let [first, second] = arrived[..] else { panic!("{arrived:?}") };
    assert!((5_560..5_640).contains(&first) && (550..640).contains(&(second - first)), "{arrived:?}");
}

#[test]
fn a_paused_process_does_nothing_and_then_reads_what_waited() {
    let run = with(
        Setup::default(),
        vec![
            (1_000, Action::Pause { server: ServerId(1) }),
            (1_050, writes(2, 2)),
            (1_500, Action::Resume { server: ServerId(1) }),
        ],
    );
    let (_, records) = play(run, 2_000);
    let at_one: Vec<u64> = records
        .iter()
        .filter(|record| matches!(record.fact, Fact::Zab { server: ServerId(1), .. }))
        .map(|record| record.at_us.as_ms())
        .filter(|at| *at >= 1_000)
        .collect();
    assert!(!at_one.is_empty() && at_one.iter().all(|at| *at >= 1_500), "{at_one:?}");
}

#[test]
fn slow_links_and_disks_are_slow() {
    let run = with(
        Setup::default(),
        vec![
            (1_000, Action::Latency { from: set(&[3]), to: set(&[1]), range: LatencyRange::ms(150, 150) }),
            (1_000, Action::Disk { server: ServerId(2), sync: LatencyRange::ms(200, 200) }),
            (1_100, writes(3, 1)),
        ],
    );
    let (_, records) = play(run, 2_000);
    let synced = |server| {
        world_facts(&records).find_map(|(at, fact)| match fact {
            WorldFact::Synced { server: here, .. } if *here == ServerId(server) => Some(at.as_ms()),
            _ => None,
        })
    };
    assert!(synced(1).unwrap() >= 1_250 && synced(2).unwrap() >= 1_300 && synced(3).unwrap() < 1_130);
}

#[test]
fn a_wiped_server_comes_back_empty_and_is_brought_up_to_date() {
    let one = ServerId(1);
    let run = with(
        Setup::default(),
        vec![
            (1_000, writes(2, 3)),
            (1_500, Action::Crash { server: one }),
            (1_600, Action::WipeDisk { server: one }),
            (1_700, Action::Restart { server: one }),
        ],
    );
    let (player, records) = play(run, 3_500);
    assert_eq!(refusals(&records), []);
    let tree = |id| &player.world().processes[&ServerId(id)].server().unwrap().tree;
    assert_eq!((tree(1).digest(), tree(1).count), (tree(3).digest(), 3));
}

#[test]
fn a_server_given_its_copy_back_has_that_and_is_brought_up_to_date() {
    let one = ServerId(1);
    let run = with(
        Setup::default(),
        vec![
            (1_000, writes(2, 3)),
            (1_500, Action::BackUpDisk { server: one }),
            (1_600, writes(2, 2)),
            (2_000, Action::Crash { server: one }),
            (2_100, Action::RestoreBackup { server: one }),
            (2_200, Action::Restart { server: one }),
        ],
    );
    let last = |ms| {
        let (player, _) = play(run.clone(), ms);
        player.world().processes[&one].files().unwrap().log.last().map(|last| last.zxid)
    };
    assert_eq!([2_050, 2_150].map(last), [Some(Zxid::new(1, 5)), Some(Zxid::new(1, 3))]);
    let (player, records) = play(run, 4_000);
    assert_eq!(refusals(&records), []);
    let tree = |id| &player.world().processes[&ServerId(id)].server().unwrap().tree;
    assert_eq!((tree(1).digest(), tree(1).count), (tree(3).digest(), 5));
}

/// Two of three disks are older than what a majority had: what follows is no fault of the protocol's.
#[test]
fn old_copies_of_a_majority_are_outside_the_fault_model_and_one_is_not() {
    let outside = |copies: &[u8]| {
        let all = [1, 2, 3].map(ServerId);
        let mut actions = vec![(1_000, writes(2, 2))];
        actions.extend(all.map(|server| (1_500, Action::BackUpDisk { server })));
        actions.push((1_600, writes(2, 2)));
        actions.extend(all.map(|server| (2_200, Action::Crash { server })));
        actions.extend(copies.iter().map(|&id| (2_300, Action::RestoreBackup { server: ServerId(id) })));
        actions.extend(all.map(|server| (2_400, Action::Restart { server })));
        let mut checker = Checker::new(&Setup::default());
        let (_, records) = play(with(Setup::default(), actions), 5_000);
        for record in &records {
            checker.read(record);
        }
        assert_eq!(checker.count(), 0, "{:?}", checker.violations());
        checker.outside().is_some()
    };
    assert_eq!([outside(&[1]), outside(&[1, 2])], [false, true]);
}

#[test]
fn servers_and_observers_can_join_without_a_vote() {
    let run = with(
        Setup::default(),
        vec![
            (1_000, Action::Add { server: ServerId(4), observer: false }),
            (2_500, Action::Add { server: ServerId(5), observer: true }),
            (4_000, writes(5, 2)),
            (4_500, Action::Crash { server: ServerId(1) }),
            (4_600, Action::Crash { server: ServerId(2) }),
            (4_700, writes(3, 1)),
        ],
    );
    let (player, records) = play(run, 8_000);
    let answered = world_facts(&records).filter(|(_, fact)| matches!(fact, WorldFact::WriteAnswered { .. })).count();
    assert_eq!(answered, 2, "of 3 voters 1 is no majority, whatever those without a vote do");
    assert_eq!(player.world().members.majority(), 2);
    assert_eq!(player.leader(), None);
}

#[test]
fn what_cannot_be_done_is_refused_with_a_reason_and_changes_nothing() {
    let run = with(
        Setup::default(),
        vec![
            (1_000, Action::Restart { server: ServerId(1) }),
            (1_000, Action::Resume { server: ServerId(2) }),
            (1_000, Action::Crash { server: ServerId(9) }),
            (1_000, Action::WipeDisk { server: ServerId(1) }),
            (1_000, Action::Cut { from: set(&[1]), to: set(&[8]), one_way: false }),
            (1_000, Action::Add { server: ServerId(3), observer: true }),
        ],
    );
    let (_, records) = play(run, 1_500);
    let server = ServerId;
    let running = |id| ActionRefusal::WrongStatus { server: server(id), status: Status::Running };
    let expected = [
        running(1),
        running(2),
        ActionRefusal::NoSuchServer { server: server(9) },
        running(1),
        ActionRefusal::NoSuchServer { server: server(8) },
        ActionRefusal::AlreadyThere { server: server(3) },
    ];
    assert_eq!(refusals(&records), expected);
}

/// `echo srvr | nc localhost 2181`: who runs answers, who is down or paused says nothing, and all else is as if nobody had asked.
#[test]
fn a_four_letter_word_is_answered_by_who_runs_and_changes_nothing() {
    let say = |server, word: &str| Action::FourLetter { server: ServerId(server), word: word.into(), client: None };
    let (crash, pause) = (Action::Crash { server: ServerId(1) }, Action::Pause { server: ServerId(2) });
    let asked = with(
        Setup::default(),
        vec![
            (1_400, writes(1, 3)),
            (1_500, say(3, "srvr")),
            (1_500, say(1, "isro")),
            (2_000, crash.clone()),
            (2_000, pause.clone()),
            (2_100, say(1, "ruok")),
            (2_100, say(2, "ruok")),
            (2_100, say(9, "ruok")),
        ],
    );
    let (_, told) = play(asked, 2_500);
    let answer = |(_, fact): (SimTime, &WorldFact)| match fact {
        WorldFact::FourLetterAnswered { server, answer, .. } => Some((server.0, answer.join("\n"))),
        _ => None,
    };
    let answers: Vec<(u8, String)> = world_facts(&told).filter_map(answer).collect();
    assert!(answers[0].0 == 3 && answers[0].1.contains("\nMode: leader\n"), "{answers:?}");
    assert_eq!(answers[1..], [(1, "rw".to_string())]);
    let down = |server, status| ActionRefusal::WrongStatus { server: ServerId(server), status };
    let nobody = ActionRefusal::NoSuchServer { server: ServerId(9) };
    assert_eq!(refusals(&told), [down(1, Status::Crashed), down(2, Status::Paused), nobody]);
    let unasked = with(Setup::default(), vec![(1_400, writes(1, 3)), (2_000, crash), (2_000, pause)]);
    let ours =
        |fact: &WorldFact| matches!(fact, WorldFact::FourLetterAnswered { .. } | WorldFact::ActionRefused { .. });
    let silent = play(unasked, 2_500).1;
    assert!(
        world_facts(&told).filter(|(_, fact)| !ours(fact)).eq(world_facts(&silent)),
        "asked on their own machines"
    );
}

#[test]
fn a_dead_servers_packets_that_had_left_still_arrive() {
    let setup = Setup { latency: LatencyRange::ms(50, 50), transmit_us: 0, ..Setup::default() };
    let run = with(setup, vec![(2_000, writes(3, 1)), (2_010, Action::Crash { server: ServerId(3) })]);
    let (_, records) = play(run, 2_100);
    let arrived = world_facts(&records).any(|(at, fact)| {
        at.as_ms() > 2_010
            && matches!(fact, WorldFact::Delivered { name: "PROPOSAL", to: Node::Server(ServerId(1)), .. })
    });
    assert!(arrived);
    let lost = world_facts(&records)
        .filter(|(_, fact)| matches!(fact, WorldFact::Lost { from: Node::Server(ServerId(3)), .. }))
        .count();
    assert_eq!(lost, 0);
}

#[test]
fn a_click_and_its_recorded_action_do_the_same() {
    let mut live = Player::new(Run::new(9, Setup::default())).unwrap();
    for (at, action) in [
        (700, writes(1, 5)),
        (720, writes(2, 5)),
        (900, Action::Crash { server: ServerId(3) }),
        (2_100, Action::Restart { server: ServerId(3) }),
    ] {
        live.run_until(SimTime::from_ms(at), |_, _| {});
        live.act(action, |_, _| {}).unwrap();
    }
    live.run_until(SimTime::from_ms(4_000), |_, _| {});
    let (again, _) = play(Run::clone(live.run()), 4_000);
    assert_eq!(live.summary(0), again.summary(0));
}

#[test]
fn steps_out_of_time_are_possible_and_never_break_the_world() {
    // an explorer's walk: always the last choice instead of the first
    let mut world = World::new(Run::new(2, Setup::default()));
    for step in 0..3_000 {
        let choices: Vec<Choice> = world.choices().map(|(_, choice)| choice).collect();
        let Some(&choice) = choices.get(choices.len().saturating_sub(1 + step % 3)) else { break };
        world.apply(choice).expect("a listed choice is possible");
    }
    assert!(world.events > 1_000);
}
