//! Clients from outside: all that they do is an action, and the run plays the same without their programs.

use std::rc::Rc;

use zabscope::base::{ClientId, Node, ServerId, SessionId, SimTime, Zxid};
use zabscope::check::Checker;
use zabscope::client;
use zabscope::sim::{Action, Fact, Parcel, Player, Record, Run, Setup, WorldFact};
use zabscope::wire::{Acl, CreateMode, EventType, KeeperState, Request, SetWatches, ToServer};

const GUEST: ClientId = ClientId(7);

fn connect(server: u8, session: SessionId) -> Action {
    let (client, server, last_zxid) = (GUEST, ServerId(server), Zxid::ZERO);
    let (wrong_password, read_only) = (false, false);
    let name = Some("lock.py".into());
    Action::ConnectOutside { client, server, timeout_ms: 2_000, session, last_zxid, wrong_password, read_only, name }
}

fn ask(request: Request) -> Action {
    Action::Ask { client: GUEST, request, watcher: None, local: false, on_old_connection: false }
}

fn create(path: &str, mode: CreateMode) -> Action {
    ask(Request::Create { path: path.into(), data: None, acl: Acl::open(), mode, ttl: 0, stat: false, flags: None })
}

/// Plays actions, each at its time in ms; all facts, of which none violates a property, and the run.
fn play(actions: &[(u64, Action)], until_ms: u64) -> (Vec<Rc<Record>>, Player) {
    let mut player = Player::new(Run::new(50, Setup::default())).expect("a valid run");
    let mut checker = Checker::with_second_store(&player.run().setup);
    let mut facts: Vec<Rc<Record>> = Vec::new();
    let mut tell = |records: &[Rc<Record>]| {
        records.iter().for_each(|record| assert!(checker.read(record).is_empty(), "{record:?}"));
        facts.extend(records.to_vec());
    };
    for (at, action) in actions {
        player.run_until(SimTime::from_ms(*at), |_, records| tell(records));
        player.act(action.clone(), |_, records| tell(records)).expect("an action that may be done");
    }
    player.run_until(SimTime::from_ms(until_ms), |_, records| tell(records));
    (facts, player)
}

fn of_guest(facts: &[Rc<Record>]) -> impl Iterator<Item = (u64, &client::Fact)> {
    facts.iter().filter_map(|record| match &record.fact {
        Fact::Client { client: GUEST, fact } => Some((record.at_us.as_ms(), fact)),
        _ => None,
    })
}

/// The packets that it sends.
fn sent(facts: &[Rc<Record>]) -> Vec<&ToServer> {
    let of = |record: &'_ Rc<Record>| {
        let Fact::World(WorldFact::Sent { from, message, .. }) = &record.fact else { return false };
        matches!((from, message), (Node::Client(GUEST), Parcel::ToServer(_)))
    };
    let kept = facts.iter().filter(|record| of(record));
    kept.filter_map(|record| match &record.fact {
        Fact::World(WorldFact::Sent { message: Parcel::ToServer(packet), .. }) => Some(packet),
        _ => None,
    })
    .collect()
}

fn session(facts: &[Rc<Record>]) -> SessionId {
    let connected = of_guest(facts).find_map(|(_, fact)| match fact {
        client::Fact::ClientConnected { session, .. } => Some(*session),
        _ => None,
    });
    connected.expect("it connects")
}

fn expired(facts: &[Rc<Record>]) -> bool {
    facts.iter().any(|record| serde_json::to_string(record).is_ok_and(|text| text.contains("\"session_expired\"")))
}

#[test]
fn it_sends_nothing_by_itself() {
    let opened = [(3_000, connect(1, SessionId::NONE)), (3_200, create("/a", CreateMode::Ephemeral))];
    let (facts, _) = play(&opened, 9_000);
    let names: Vec<_> = sent(&facts).iter().map(|packet| packet.name()).collect();
    assert_eq!(names, ["CONNECT", "create"]);
    assert!(expired(&facts), "nobody has pinged");
    let told = of_guest(&facts).any(|(_, fact)| matches!(fact, client::Fact::WatcherCalled { .. }));
    assert!(!told, "its Watchers are nobody's here");

    let pings = (1..12).map(|n| (3_200 + n * 500, Action::Ping { client: GUEST }));
    let (facts, _) = play(&opened.into_iter().chain(pings).collect::<Vec<_>>(), 9_000);
    assert!(!expired(&facts));
    assert_eq!(sent(&facts).len(), 2 + 11);
}

#[test]
fn it_takes_up_its_session_and_is_the_same_client() {
    let (facts, _) = play(&[(3_000, connect(1, SessionId::NONE))], 3_500);
    let session = session(&facts);
    let again = SetWatches { relative_zxid: Zxid::new(1, 1), data: vec!["/a".into()], ..SetWatches::default() };
    let actions = [
        (3_000, connect(1, SessionId::NONE)),
        (3_200, create("/a", CreateMode::Ephemeral)),
        (3_400, Action::DisconnectClient { client: GUEST }),
        (3_500, connect(2, session)),
        (3_700, ask(Request::SetWatches(again))),
        (3_800, ask(Request::SetData { path: "/a".into(), data: None, version: 0 })),
        (4_000, connect(3, session)),
        (4_200, ask(Request::CloseSession)),
    ];
    let (facts, player) = play(&actions, 5_000);
    let connected = of_guest(&facts).filter_map(|(_, fact)| match fact {
        client::Fact::ClientConnected { server, again, .. } => Some((server.0, *again)),
        _ => None,
    });
    assert_eq!(connected.collect::<Vec<_>>(), [(1, false), (2, true), (3, true)]);
    let xids = sent(&facts).into_iter().filter_map(|packet| match packet {
        ToServer::Request { xid, .. } => Some(*xid),
        _ => None,
    });
    assert_eq!(xids.collect::<Vec<_>>(), [1, 2, 3, 4], "no number comes twice in a session");
    let events = of_guest(&facts).filter_map(|(_, fact)| match fact {
        client::Fact::Notified { event, .. } => Some(event.kind),
        _ => None,
    });
    assert_eq!(events.collect::<Vec<_>>(), [EventType::NodeDataChanged]);
    let ended = of_guest(&facts).find_map(|(_, fact)| match fact {
        client::Fact::ClientEnded { state, .. } => Some(*state),
        _ => None,
    });
    assert_eq!(ended, Some(KeeperState::Closed));

    let mut again = Player::new(player.run().clone()).expect("a valid run");
    again.run_until(SimTime::from_ms(5_000), |_, _| {});
    assert_eq!(again.digest(), player.digest(), "what was done live is played again");
    let read = Run::from_json(&player.run().to_json()).expect("a run");
    assert_eq!(read, **player.run());
}

#[test]
fn a_false_password_ends_it_and_a_taken_number_is_refused() {
    let (facts, _) = play(&[(3_000, connect(1, SessionId::NONE))], 3_500);
    let false_one = match connect(2, session(&facts)) {
        Action::ConnectOutside { client, server, timeout_ms, session, last_zxid, read_only, name, .. } => {
            let wrong_password = true;
            Action::ConnectOutside { client, server, timeout_ms, session, last_zxid, read_only, wrong_password, name }
        }
        other => other,
    };
    let actions = [(3_000, connect(1, SessionId::NONE)), (3_300, false_one), (3_600, connect(1, SessionId::NONE))];
    let (facts, _) = play(&actions, 4_000);
    let states: Vec<_> = of_guest(&facts)
        .filter_map(|(_, fact)| match fact {
            client::Fact::ClientConnected { .. } => Some("connected"),
            client::Fact::ClientEnded { state: KeeperState::Expired, .. } => Some("expired"),
            _ => None,
        })
        .collect();
    assert_eq!(states, ["connected", "expired", "connected"]);

    let twice = [(3_000, connect(1, SessionId::NONE)), (3_300, connect(1, SessionId::NONE))];
    let (facts, _) = play(&twice, 3_600);
    let refused = |record: &Rc<Record>| matches!(record.fact, Fact::World(WorldFact::ActionRefused { .. }));
    assert_eq!(facts.iter().filter(|record| refused(record)).count(), 1, "another program has the number");
}

/// The facts of its program, which nobody states but the names of its nodes.
fn believed(facts: &[Rc<Record>]) -> Vec<String> {
    let told = facts.iter().filter_map(|record| match &record.fact {
        Fact::Program { client: GUEST, fact } => serde_json::to_value(fact).ok(),
        _ => None,
    });
    told.map(|fact| fact["kind"].as_str().unwrap_or_default().to_string()).collect()
}

#[test]
fn a_lock_of_a_well_known_library_is_recognised_by_the_names_of_its_nodes() {
    let node = |digit: char| format!("/lock/{}__lock__", String::from(digit).repeat(32));
    let list = || ask(Request::GetChildren { path: "/lock".into(), watch: false, stat: false });
    let delete = |path: String| ask(Request::Delete { path: path.into(), version: -1 });
    let actions = [
        (3_000, connect(1, SessionId::NONE)),
        (3_200, create("/lock", CreateMode::Persistent)),
        (3_400, create(&node('a'), CreateMode::EphemeralSequential)),
        (3_600, create(&node('b'), CreateMode::EphemeralSequential)),
        (3_800, list()),
        (4_000, delete(node('a') + "0000000000")),
        (4_200, list()),
        (4_400, ask(Request::CloseSession)),
    ];
    let (facts, player) = play(&actions[..5], 3_950);
    assert_eq!(believed(&facts), ["told", "acquired", "waits_behind"]);
    let standings = player.world().clients[&GUEST].standings().count();
    assert_eq!(standings, 2, "where it stands can be seen");
    let (facts, player) = play(&actions, 5_000);
    let kinds = believed(&facts);
    assert_eq!(kinds[3..], ["released", "acquired", "released"]);
    let mut again = Player::new(player.run().clone()).expect("a valid run");
    again.run_until(SimTime::from_ms(5_000), |_, _| {});
    assert_eq!(again.digest(), player.digest());
}
