//! What a server lets its clients do at once, and what it says of who they are.

use zabscope::base::{ClientId, Epoch, ServerId, SessionId, SimTime};
use zabscope::client;
use zabscope::server::{self, TurnedAway};
use zabscope::sim::{Action, Fact, Player, Run, Setup};
use zabscope::store::Owner;
use zabscope::wire::{Acl, Answer, CreateMode, Request};
use zabscope::zab;

const CALM: SimTime = SimTime(2_000_000);
const ASKED: SimTime = SimTime(4_000_000);

/// An ensemble, and clients that connect to server 1.
fn with_clients(setup: Setup, clients: u16) -> Run {
    let mut run = Run::new(1, setup);
    for client in (1..=clients).map(ClientId) {
        let servers = vec![ServerId(1)];
        run.push(CALM, Action::OpenClient { client, servers, timeout_ms: 30_000, chroot: None, raw: false });
    }
    run
}

fn ask(run: &mut Run, client: u16, request: Request) {
    let client = ClientId(client);
    run.push(ASKED, Action::Ask { client, request, watcher: None, local: false, on_old_connection: false });
}

fn create(path: String) -> Request {
    let (data, acl, mode) = (None, Acl::open(), CreateMode::Persistent);
    Request::Create { path: path.into(), data, acl, mode, ttl: 0, stat: false, flags: None }
}

/// What `pick` takes of the facts of a run.
fn told<T>(run: Run, pick: impl Fn(&Fact) -> Option<T>) -> Vec<T> {
    let mut found = Vec::new();
    let mut player = Player::new(run).expect("a valid run");
    player.run_until(SimTime::from_ms(12_000), |_, records| {
        found.extend(records.iter().filter_map(|record| pick(&record.fact)));
    });
    found
}

fn throttled(fact: &Fact) -> Option<(ClientId, bool, usize)> {
    match *fact {
        Fact::Server { fact: server::Fact::Throttled { client, on, in_process }, .. } => {
            Some((client, on, in_process))
        }
        _ => None,
    }
}

fn answered(fact: &Fact) -> Option<client::CallOutcome> {
    match fact {
        Fact::Client { fact: client::Fact::Answered { outcome, .. }, .. } => Some(outcome.clone()),
        _ => None,
    }
}

/// `ZooKeeperServer.java` `shouldThrottle`: the request that is one too many is still taken, then nothing more is read of whoever
/// waits for an answer; nothing is lost, and the order is kept.
#[test]
fn with_too_much_in_process_a_client_that_waits_is_not_read() {
    // of three voters each server has half of the number
    for (voters, limit) in [(1, 3), (3, 6)] {
        let setup = Setup { voters, global_outstanding_limit: limit, ..Setup::default() };
        let mut run = with_clients(setup, 2);
        (0..20).for_each(|nth| ask(&mut run, 1, create(format!("/a{nth:02}"))));
        ask(&mut run, 2, create("/b".into()));
        let facts = told(run.clone(), throttled);
        assert!(facts.len() >= 2, "{facts:?}");
        assert!(facts.iter().all(|&(client, ..)| client == ClientId(1)), "who waits for nothing is read: {facts:?}");
        assert!(facts.chunks(2).all(|pair| pair.iter().map(|&(_, on, _)| on).eq([true, false])), "{facts:?}");
        assert_eq!(facts[0].2, 4, "one above the limit");
        assert!(facts.iter().all(|&(_, _, in_process)| in_process <= 5), "{facts:?}");
        let paths: Vec<String> = told(run.clone(), answered)
            .into_iter()
            .filter_map(|outcome| if let Ok(Answer::Path(path)) = outcome { Some(path.to_string()) } else { None })
            .filter(|path| path.starts_with("/a"))
            .collect();
        assert_eq!(paths, (0..20).map(|nth| format!("/a{nth:02}")).collect::<Vec<_>>());
        run.setup.global_outstanding_limit = Setup::default().global_outstanding_limit;
        assert_eq!(told(run, throttled), []);
    }
}

/// `NIOServerCnxnFactory.java`: a server counts the connections of an address; here all clients have one.
#[test]
fn a_connection_too_many_is_closed() {
    for (limit, clients) in [(60, 61), (2, 4), (0, 70)] {
        let run = with_clients(Setup { max_client_cnxns: limit, ..Setup::default() }, clients);
        let away = told(run.clone(), |fact| match fact {
            Fact::Server { server, fact: server::Fact::ClientTurnedAway { client, reason } } => {
                assert_eq!((*server, *reason), (ServerId(1), TurnedAway::TooManyConnections));
                Some(*client)
            }
            _ => None,
        });
        let inside = told(run, |fact| match fact {
            Fact::Client { client, fact: client::Fact::ClientConnected { .. } } => Some(*client),
            _ => None,
        });
        let most = if limit == 0 { clients } else { limit as u16 };
        assert_eq!(inside.len(), usize::from(most), "{limit}: {inside:?}");
        assert_eq!(away.is_empty(), most == clients, "{limit}: {away:?}");
        assert!(away.iter().all(|client| !inside.contains(client)), "{limit}: {away:?}");
    }
}

/// `FinalRequestProcessor.java`, whoAmI: every identity of the connection, without what proves it.
#[test]
fn who_asks_is_told_all_its_identities_and_no_password() {
    let mut run = with_clients(Setup::default(), 1);
    ask(&mut run, 1, Request::WhoAmI);
    let known = |run: Run| -> Vec<String> {
        let last = told(run, answered).pop();
        let Some(Ok(Answer::Identities(who))) = last else { panic!("no identities: {last:?}") };
        let mut texts: Vec<String> = who.iter().map(ToString::to_string).collect();
        texts.sort();
        texts
    };
    assert_eq!(known(run.clone()), ["ip:127.0.0.1"]);
    for auth in ["bob:secret", "amy:word", "bob:secret"] {
        let (client, scheme) = (ClientId(1), "digest".into());
        run.push(SimTime::from_ms(5_000), Action::AddAuth { client, scheme, auth: Some(auth.into()) });
    }
    let (client, request) = (ClientId(1), Request::WhoAmI);
    let asked = Action::Ask { client, request, watcher: None, local: false, on_old_connection: false };
    run.push(SimTime::from_ms(6_000), asked);
    assert_eq!(known(run), ["digest:amy", "digest:bob", "ip:127.0.0.1"]);
}

/// `SessionTrackerImpl.java`, `EphemeralType.validateServerId`: a leader with the id 255 cannot give out sessions beside nodes with a time
/// to live. It is elected again, having the highest id, and each round takes an epoch.
#[test]
fn a_leader_whose_id_is_255_falls_in_every_epoch() {
    for (extended, falls) in [(true, true), (false, false)] {
        let setup = Setup { highest_id_is_255: true, extended_types: extended, ..Setup::default() };
        let mut player = Player::new(Run::new(1, setup)).expect("a valid run");
        let (mut accepted, mut fallen, mut established) = (Vec::new(), 0, 0);
        player.run_until(SimTime::from_ms(10_000), |_, records| {
            for record in records {
                let Fact::Zab { server: ServerId(3), fact, .. } = &record.fact else { continue };
                match fact {
                    zab::Fact::EpochProposed { epoch, .. } => accepted.push(*epoch),
                    zab::Fact::Left { reason: zab::LeaveReason::IdTooLarge, .. } => fallen += 1,
                    zab::Fact::Established { .. } => established += 1,
                    _ => {}
                }
            }
        });
        assert!(accepted.iter().copied().eq(1..=accepted.len() as Epoch), "{accepted:?}");
        assert_eq!((fallen > 3, established), (falls, usize::from(!falls)), "{fallen} times");
        assert!(!falls || accepted.len() >= fallen);
    }
}

/// `SessionTrackerImpl.java` `initializeNextSessionId`, `EphemeralType.java` `get`: the sessions that a follower with the id 255 gives out
/// begin with 0xff. Beside nodes with a time to live their ephemerals are such nodes: nobody owns them, and they outlive their sessions.
#[test]
fn ephemerals_of_a_follower_whose_id_is_255_outlive_their_sessions() {
    for (extended, outlives) in [(true, true), (false, false)] {
        let start_us = vec![0, 0, 1_000_000]; // so that another leads
        let setup = Setup { highest_id_is_255: true, extended_types: extended, start_us, ..Setup::default() };
        let mut run = Run::new(1, setup);
        let (client, servers) = (ClientId(1), vec![ServerId(3)]);
        run.push(CALM, Action::OpenClient { client, servers, timeout_ms: 4_000, chroot: None, raw: false });
        let (data, acl, mode) = (None, Acl::open(), CreateMode::Ephemeral);
        ask(&mut run, 1, Request::Create { path: "/e".into(), data, acl, mode, ttl: 0, stat: false, flags: None });
        let mut player = Player::new(run).expect("a valid run");
        let mut begun = None;
        player.run_until(SimTime::from_ms(4_500), |_, records| {
            begun = begun.or(records.iter().find_map(|record| match &record.fact {
                Fact::Client { fact: client::Fact::ClientConnected { session, .. }, .. } => Some(*session),
                _ => None,
            }));
        });
        let session = begun.expect("a session");
        assert_eq!(session.0 >> 56, 0xff);
        let node = |player: &Player| {
            let tree = &player.world().processes[&ServerId(1)].server().expect("it runs").tree;
            tree.get("/e").map(|node| (node.owner, node.stat().ephemeral_owner))
        };
        let ttl = (session.0 & 0xff_ffff_ffff) as i64;
        let owned = if outlives { (Owner::Ttl(ttl), SessionId::NONE) } else { (Owner::Session(session), session) };
        assert_eq!(node(&player), Some(owned), "{extended}");
        player.act(Action::CloseClient { client }, |_, _| {}).expect("it is open");
        player.run_until(SimTime::from_ms(6_000), |_, _| {});
        assert_eq!(node(&player).is_some(), outlives, "{extended}");
    }
}
