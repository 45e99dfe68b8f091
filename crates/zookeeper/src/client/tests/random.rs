//! Inputs in any order: nothing panics, and what must always hold holds.

use std::collections::BTreeSet;

use super::*;

fn request(prng: &mut Prng) -> Call {
    let path = ["/a", "/a/b", "/"][prng.below(3) as usize];
    let request = match prng.below(7) {
        0 => set(path),
        1 => Request::Exists { path: path.into(), watch: true },
        2 => Request::AddWatch { path: path.into(), mode: AddWatchMode::PersistentRecursive },
        3 => Request::RemoveWatches { path: path.into(), kind: WatcherType::Any },
        4 => Request::Sync { path: "bad".into() },
        _ => get(path),
    };
    let watcher = (prng.below(2) == 0).then(|| "w".into());
    Call { request, watcher, local: prng.chance(1, 3), on_old_connection: prng.chance(1, 8) }
}

fn packet(prng: &mut Prng) -> ToClient {
    let kinds = [EventType::NodeCreated, EventType::NodeDeleted, EventType::NodeChildrenChanged, EventType::None];
    match prng.below(12) {
        0 => {
            ToClient::Connected { timeout_ms: prng.below(2), session: SESSION, password: PASSWORD, read_only: false }
        }
        1..=4 => ToClient::Connected { timeout_ms: 6_000, session: SESSION, password: PASSWORD, read_only: false },
        5..=6 => {
            ToClient::Event { zxid: None, event: WatchedEvent::at(kinds[prng.below(4) as usize], "/a/b".into()) }
        }
        7 if prng.chance(1, 20) => ToClient::Auth { code: Code::AuthFailed },
        8 => ToClient::Pong,
        _ => ToClient::Reply { xid: prng.below(9) as i32, zxid: zxid(1), outcome: Ok(Answer::Done) },
    }
}

fn step(play: &mut Play, prng: &mut Prng) {
    let conn = ConnId(10 + u64::from(prng.below(12)));
    let conn = if prng.chance(2, 3) { play.conn } else { conn };
    let now = play.now;
    match prng.below(20) {
        0..=4 => {
            play.call(request(prng));
        }
        5..=7 => play.input(Input::Connected(conn)),
        8..=12 => play.input(Input::Packet(conn, packet(prng))),
        13 => play.input(Input::Closed(conn)),
        14 => play.input(Input::Refused(conn)),
        15 if prng.chance(1, 10) => play.client.close(now, &mut play.out),
        16 => play.client.disconnect(now, &mut play.out),
        17 => {
            let lies = Move { wrong_password: prng.chance(1, 4), claim_ahead: prng.chance(1, 4), ..to(2) };
            play.move_to(Move { keep_old: prng.chance(1, 2), ..lies });
        }
        18 => play.input(Input::Timer([Timer::Ping, Timer::Retry, Timer::ReadTimeout][prng.below(3) as usize])),
        _ if play.timers.is_empty() => {}
        _ => {
            play.fire();
        }
    }
    play.pass(u64::from(prng.below(500)));
}

/// What a whole life said: each call is answered once, states alternate, and nothing is sent on a closed connection.
fn check(said: &[Output]) {
    let (mut open, mut state) = (BTreeSet::new(), KeeperState::Disconnected);
    let mut connections = BTreeSet::new();
    for output in said {
        match output {
            Output::Fact(Fact::Called { call, .. }) => assert!(open.insert(*call)),
            Output::Fact(Fact::Answered { call, .. }) => assert!(open.remove(call), "{call:?} is answered twice"),
            Output::Fact(Fact::WatcherCalled { watcher, event }) => {
                if event.kind == EventType::None && event.path.is_none() && watcher.as_ref() == "default" {
                    assert_ne!(event.state, state);
                }
                state = event.state;
            }
            Output::Dial(conn, _) => assert!(connections.insert(*conn)),
            Output::Send(conn, _) => assert!(connections.contains(conn)),
            Output::Close(conn) => assert!(connections.remove(conn), "{conn:?} is closed twice"),
            _ => {}
        }
    }
    assert_eq!(open, BTreeSet::new(), "calls without an answer");
}

#[test]
fn any_order_of_inputs_is_survived() {
    for seed in 0..300 {
        let mut prng = Prng::new(seed, Stream::Faults);
        let mut play = Play::new(ClientConfig { raw: seed % 2 == 0, ..config(3) });
        let mut said = play.said_later();
        play.out.items.clear();
        for _ in 0..300 {
            step(&mut play, &mut prng);
            said.extend(play.said_later());
            play.out.items.clear();
        }
        play.client.disconnect(play.now, &mut play.out);
        play.client.close(play.now, &mut play.out);
        play.said_later();
        // an attempt that was planned goes on, and is the last
        while !play.timers.is_empty() {
            play.fire();
            play.said_later();
        }
        said.extend(play.said_later());
        told_twice(&said);
        check(&said);
        assert_eq!(play.client.pending(), 0);
        assert!(play.timers.is_empty() && !matches!(play.client.state, State::Connected));
    }
}
