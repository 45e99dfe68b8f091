//! Figures of scenarios: what stands in them follows from the tree, the watches and what clients believe.

use std::collections::{BTreeMap, BTreeSet};

use super::*;
use crate::base::{ClientId, ServerId, SimTime};
use crate::explore::own::plain_run;
use crate::recipes::own::{Program, READY};
use crate::scenarios::scenario;
use crate::sim::{Action, Run};
use crate::timeline::Session;

/// The figure of a scenario at a moment.
fn at(id: &str, ms: u64) -> Figure {
    let mut session = Session::new(scenario(id).unwrap().run(), scenario(id)).unwrap();
    session.seek(SimTime::from_ms(ms)).unwrap();
    Figure::of(session.world(), session.player().run(), session.run_summary())
}

fn claims(figure: &Figure) -> Vec<(Option<u16>, Claim)> {
    figure.tickets().map(|ticket| (ticket.client.map(|id| id.0), ticket.claim)).collect()
}

#[test]
fn a_queue_stands_in_the_order_of_its_numbers_and_each_watches_the_one_before() {
    let figure = at("lock-mutex", 3_500);
    assert!(!figure.star && figure.lanes.len() == 1, "{figure:?}");
    let tickets = &figure.lanes[0].tickets;
    assert_eq!(tickets.len(), 5);
    assert!(tickets.is_sorted_by_key(|ticket| ticket.name.clone()), "{tickets:?}");
    assert_eq!(tickets[0].claim, Claim::Holds(Share::Exclusive));
    for pair in tickets.windows(2) {
        let behind = figure.tethers.iter().find(|tether| Some(tether.client) == pair[1].client);
        assert_eq!(behind.map(|tether| &tether.path), Some(&pair[0].path));
    }
}

#[test]
fn behind_the_last_number_they_go_on_with_a_minus_and_stand_first() {
    let figure = at("lock-last-number", 3_645);
    let names: Vec<&str> = figure.tickets().map(|ticket| &*ticket.name).collect();
    assert_eq!(names, ["lock -2147483648", "lock 2147483646", "lock 2147483647"]);
}

#[test]
fn a_stat_is_there_where_somebody_minds_one() {
    let of = |id: &str, ms: u64| {
        let mut session = Session::new(scenario(id).unwrap().run(), scenario(id)).unwrap();
        session.seek(SimTime::from_ms(ms)).unwrap();
        let figure = Figure::of_store(session.world(), session.player().run(), session.run_summary());
        figure.store.map_or(0, |store| store.stat.len())
    };
    assert_eq!([of("zk-stat", 1_600), of("zk-version", 1_600)], [11, 11]);
    assert_eq!([of("quota", 2_640), of("throttling", 1_900)], [0, 0], "nobody asks for a Stat there");
}

#[test]
fn in_a_herd_all_watch_one_node_and_its_going_tells_all_of_them() {
    let before = at("lock-herd", 3_600);
    assert!(before.star);
    assert_eq!(claims(&before).len(), 1);
    assert_eq!(before.tethers.iter().filter(|tether| tether.fired.is_none()).count(), 4);
    let after = at("lock-herd", 4_125);
    let told = after.tethers.iter().filter(|tether| tether.fired.is_some() && &*tether.path == "/lock");
    assert!(told.count() >= 2, "{after:?}");
    assert_eq!(
        after.tickets().filter(|ticket| ticket.there).count(),
        0,
        "the node is gone, and still in the picture"
    );
}

#[test]
fn a_paused_holder_keeps_its_crown_without_its_node() {
    let figure = at("lock-pause", 8_790);
    let of = claims(&figure);
    assert!(
        of.contains(&(Some(1), Claim::Stale)) && of.contains(&(Some(2), Claim::Holds(Share::Exclusive))),
        "{of:?}"
    );
    assert!(figure.tickets().any(|ticket| !ticket.there && ticket.client == Some(ClientId(1))));
    let later = at("lock-pause", 8_900);
    let [store] = &later.resources[..] else { panic!("{:?}", later.resources) };
    assert_eq!((store.uses[0].client, store.uses[0].late), (ClientId(1), true), "it writes what it may not");
    assert!(store.uses[1..].iter().all(|used| !used.late));
}

#[test]
fn a_dead_client_leaves_its_ticket_until_its_session_is_over() {
    let figure = at("elect-latch", 7_000);
    let dead = figure.tickets().find(|ticket| !ticket.alive);
    assert_eq!(dead.and_then(|ticket| ticket.client), Some(ClientId(1)), "{figure:?}");
}

fn store(id: &str, ms: u64) -> Store {
    let mut session = crate::timeline::Session::new(scenario(id).unwrap().run(), scenario(id)).unwrap();
    session.seek(SimTime::from_ms(ms)).unwrap();
    Figure::of_store(session.world(), session.player().run(), session.run_summary()).store.unwrap()
}

#[test]
fn the_tree_says_what_each_node_hangs_on_and_zookeepers_own_part_is_left_out() {
    let store = store("zk-tree", 2_710);
    let of = |path: &str| store.leaves.iter().find(|leaf| &*leaf.path == path).map(|leaf| leaf.life);
    assert_eq!(of("/app"), Some(Life::Persistent));
    assert_eq!(of("/app/live"), Some(Life::Session(Some(ClientId(1)))));
    assert_eq!((of("/box"), of("/brief")), (Some(Life::Passing), Some(Life::Passing)));
    assert_eq!(of("/zookeeper"), None);
    assert!(store.leaves.iter().any(|leaf| leaf.numbered && leaf.name == "task 000"));
}

#[test]
fn a_stat_marks_the_fields_that_the_last_transaction_moved() {
    let moved = |ms| {
        let store = store("zk-stat", ms);
        let fields = store.stat.iter().filter(|field| field.moved).map(|field| field.name);
        (store.subject.as_deref().map(str::to_string), fields.collect::<Vec<_>>())
    };
    let node = Some("/node".to_string());
    assert_eq!(moved(1_600), (node.clone(), vec!["mzxid", "mtime", "version", "dataLength"]));
    assert_eq!(moved(1_800), (node, vec!["pzxid", "cversion", "numChildren"]), "a child came");
    assert_eq!(moved(2_050).0.as_deref(), Some("/node/child"), "and was written");
    assert_eq!(moved(1_395), (Some("/node".into()), vec![]), "it was made, and has not changed");
    let acl = (1_800..6_000).step_by(20).map(moved).find(|(_, fields)| fields.contains(&"aversion"));
    assert_eq!(acl, Some((Some("/node".into()), vec!["aversion"])), "its permissions were set, and nothing else");
}

#[test]
fn each_server_has_its_own_value_and_each_session_its_own_time() {
    let stale = store("zk-stale-read", 2_255);
    let value = |index: usize| stale.values[index].1.clone().flatten().map(|(data, _)| data);
    assert_eq!([value(0), value(1)], [Some("\"old\"".into()), Some("\"new\"".into())]);
    let left = |store: &Store| store.sessions[0].left.map(|(left, _)| left);
    let (early, late) = (store("zk-session", 3_100), store("zk-session", 3_900));
    assert!(left(&late) < left(&early), "{:?} {:?}", left(&early), left(&late));
    assert!(!late.sessions[0].over && store("zk-session", 4_905).sessions[0].over, "C1 sleeps, and does not know");
}

#[test]
fn a_task_is_given_to_its_worker_also_when_that_one_is_gone() {
    let given = |ms| {
        let figure = at("use-master-worker", ms);
        let tasks = figure.lanes[0].tickets.iter().filter_map(|task| task.given.as_deref().map(str::to_string));
        (tasks.collect::<Vec<_>>(), figure)
    };
    let (before, figure) = given(9_092);
    assert!(before.iter().any(|worker| worker == "/app/workers/c3"), "{before:?}");
    assert!(figure.columns && figure.lanes[1].tickets[0].claim == Claim::Holds(Share::Leader));
    let dead = figure.lanes[2].tickets.iter().find(|worker| &*worker.path == "/app/workers/c3").unwrap();
    assert_eq!((dead.client, dead.alive), (Some(ClientId(3)), false));
    let collectors = at("use-collectors", 6_500);
    assert!(collectors.lanes[0].tickets.iter().all(|source| source.given.is_some()), "{:?}", collectors.lanes[0]);
}

/// The figures of a scenario from one moment to another, every 10 ms.
fn between(id: &str, from: u64, to: u64, look: &mut dyn FnMut(&Session, Figure)) {
    let mut session = Session::new(scenario(id).unwrap().run(), scenario(id)).unwrap();
    for ms in (from..to).step_by(10) {
        session.seek(SimTime::from_ms(ms)).unwrap();
        let figure = Figure::of(session.world(), session.player().run(), session.run_summary());
        look(&session, figure);
    }
}

#[test]
fn what_is_taken_out_of_a_queue_stays_for_a_moment_and_says_who_took_it() {
    let (mut seen, mut longest) = (BTreeSet::new(), BTreeMap::new());
    between("use-queue", 3_000, 5_000, &mut |session, figure| {
        let tree = newest(session.world()).unwrap();
        for ticket in figure.tickets() {
            assert_eq!(ticket.there, tree.get(&ticket.path).is_some());
            if !ticket.there {
                seen.extend(ticket.by);
                *longest.entry(ticket.path.clone()).or_insert(0) += 10;
            }
        }
    });
    let takers = [ClientId(3), ClientId(4)];
    assert!(!seen.is_empty() && seen.iter().all(|client| takers.contains(client)), "{seen:?}");
    assert!(longest.values().all(|ms| (100..=800).contains(ms)), "{longest:?}");
}

#[test]
fn a_node_that_went_with_its_session_is_seen_to_have_gone() {
    let mut session = Session::new(scenario("zk-session").unwrap().run(), scenario("zk-session")).unwrap();
    let mut gone = 0;
    for ms in (4_000..9_000).step_by(20) {
        session.seek(SimTime::from_ms(ms)).unwrap();
        let figure = Figure::of_store(session.world(), session.player().run(), session.run_summary());
        let live = figure.store.unwrap().leaves.into_iter().find(|leaf| &*leaf.path == "/live");
        gone += usize::from(live.is_some_and(|leaf| !leaf.there));
    }
    // its client lives, and may make it again; nothing else happens from then on
    assert!((20..250).contains(&gone), "for a while: {gone}");
}

#[test]
fn the_dead_keep_their_places_and_nothing_is_left_of_them_once_their_sessions_are_over() {
    let of = |ms| {
        let mut session = Session::new(scenario("use-discovery").unwrap().run(), scenario("use-discovery")).unwrap();
        session.seek(SimTime::from_ms(ms)).unwrap();
        Figure::of_store(session.world(), session.player().run(), session.run_summary())
    };
    let session = |figure: &Figure| {
        let sessions = &figure.store.as_ref().unwrap().sessions;
        sessions.iter().find(|session| session.client == ClientId(1)).cloned()
    };
    let (early, late) = (of(6_500), of(12_000));
    assert!(early.dead.contains(&ClientId(1)) && late.dead.contains(&ClientId(1)));
    let drains = session(&early).unwrap();
    assert!(early.left.contains(&ClientId(1)) && drains.left.is_some() && !drains.over, "{drains:?}");
    assert!(!late.left.contains(&ClientId(1)));
}

/// Time may stand still for long in what is idle: that is no reason to show for so long who is not there.
#[test]
fn nothing_of_a_dead_client_stands_a_second_after_its_session_is_over() {
    for id in ["elect-naive", "elect-latch", "elect-worker", "use-discovery"] {
        let scenario = scenario(id).unwrap();
        let mut session = Session::new(scenario.run(), Some(scenario)).unwrap();
        let (mut over_since, mut seen) = (None, 0);
        for ms in (0..scenario.until_ms).step_by(100) {
            session.seek(SimTime::from_ms(ms)).unwrap();
            let (world, run, summary) = (session.world(), session.player().run(), session.run_summary());
            let figure = Figure::of(world, run, summary);
            let known = |client: ClientId| {
                let tree = crate::view::standing::newest(world);
                tree.is_some_and(|tree| tree.sessions().any(|(one, _)| summary.session_of(one) == Some(client)))
            };
            let all_over = !figure.dead.is_empty() && figure.dead.iter().all(|client| !known(*client));
            over_since = if all_over { over_since.or(Some(ms)) } else { None };
            if over_since.is_some_and(|since| ms > since + 1_200) {
                let of_dead = |client: &ClientId| figure.dead.contains(client);
                let mut gone = figure.tickets().filter(|ticket| !ticket.there && ticket.client.iter().any(of_dead));
                assert!(figure.left.is_empty() && gone.next().is_none(), "{id} at {ms}: {:?}", figure.lanes);
                seen += 1;
            }
        }
        assert!(seen > 0, "{id}: nobody is dead for so long");
    }
}

#[test]
fn of_a_quota_the_limits_that_are_set_stand_there() {
    let leaves = store("quota", 1_900).leaves;
    let limits = leaves.iter().find(|leaf| leaf.path.ends_with("zookeeper_limits")).map(|leaf| &*leaf.data);
    assert_eq!(limits, Some("bytes=3 countHardLimit=4"));
}

#[test]
fn an_item_that_waits_says_when_it_is_due() {
    let name = queue::short_name("/mail/queue-|0000157C|0000000001");
    assert_eq!(name, "5.5 s 001");
    assert_eq!(queue::short_name("/q/queue-|ann|0000000001"), "ann 001");
    assert_eq!(queue::short_name("/lock/lock-2147483647"), "lock 2147483647");
    // one past the largest number: it sorts first, and is seen to be negative
    assert_eq!(queue::short_name("/lock/lock--2147483648"), "lock -2147483648");
    assert!(queue::number("/lock/lock--2147483648") < queue::number("/lock/lock-0000000001"));
}

/// What a program outside does with a lock stands there as of a recipe of ours: its ticket, not its calls, and what is gone not for long.
#[test]
fn a_program_outside_that_is_recognised_has_tickets() {
    use crate::base::{SessionId, Zxid};
    use crate::wire::{Acl, CreateMode, Request};
    let (client, at) = (ClientId(1), SimTime::from_ms);
    let ask = |request| Action::Ask { client, request, watcher: None, local: false, on_old_connection: false };
    let create = |path: &str, mode| {
        let (path, data, acl) = (path.into(), None, Acl::open());
        ask(Request::Create { path, data, acl, mode, ttl: 0, stat: false, flags: None })
    };
    let ping = |ms| (ms, Action::Ping { client });
    let connect = Action::ConnectOutside {
        client,
        server: ServerId(1),
        timeout_ms: 4_000,
        session: SessionId::NONE,
        last_zxid: Zxid::ZERO,
        wrong_password: false,
        read_only: false,
        name: Some("my_lock.py".into()),
    };
    let mut run = Run::new(1, crate::sim::Setup::default());
    for (ms, action) in [
        (3_000, connect),
        (3_200, create("/l", CreateMode::Persistent)),
        (3_300, create("/l/lock-", CreateMode::EphemeralSequential)),
        (3_400, create("/l/lock-", CreateMode::EphemeralSequential)),
        (3_500, ask(Request::GetChildren { path: "/l".into(), watch: false, stat: false })),
        (3_600, ask(Request::GetData { path: "/l/lock-0000000000".into(), watch: true })),
        (4_000, ask(Request::Delete { path: "/l/lock-0000000000".into(), version: -1 })),
        ping(5_000),
        ping(6_000),
        ping(7_000),
    ] {
        run.push(at(ms), action);
    }
    let mut session = Session::new(run, None).unwrap();
    let mut seen = |ms| {
        session.seek(at(ms)).unwrap();
        let figure = Figure::of(session.world(), session.player().run(), session.run_summary());
        let said = crate::view::Scene::of_session(&session).callouts.len();
        let there = figure.tickets().map(|ticket| (ticket.there, ticket.claim)).collect::<Vec<_>>();
        (there, said)
    };
    let (holds, waits) = ((true, Claim::Holds(Share::Exclusive)), (true, Claim::None));
    assert_eq!(seen(3_700), (vec![holds, waits], 0));
    assert_eq!(seen(4_100), (vec![(false, Claim::None), waits], 0));
    assert_eq!(seen(7_100), (vec![waits], 0));
}

#[test]
fn only_where_clients_stand_in_a_queue_are_they_said_to_have_no_ticket() {
    for (id, ms) in [("lock-mutex", 2_000), ("lock-herd", 2_000), ("elect-latch", 8_450), ("use-standby", 6_000)] {
        assert!(at(id, ms).ticketed, "{id}");
    }
    for (id, ms) in
        [("use-master-worker", 2_000), ("use-collectors", 9_700), ("use-queue", 3_400), ("use-config", 4_100)]
    {
        assert!(!at(id, ms).ticketed, "{id}");
    }
    let own = |name: &str| {
        let ready = READY.iter().find(|ready| ready.name == name).unwrap();
        let mut session = Session::new(plain_run(ready.text, &Program::parse(ready.text).unwrap()), None).unwrap();
        session.seek(SimTime::from_ms(1_600)).unwrap();
        Figure::of(session.world(), session.player().run(), session.run_summary()).ticketed
    };
    assert_eq!(["naive-lock", "leader-election", "barrier", "queue"].map(own), [true, true, false, false]);
}
