//! Dialling, greeting, signs of life, loss, pauses.

use super::*;

#[test]
fn a_session_begins() {
    let mut play = Play::new(config(1));
    play.says(&["connecting S1", "dial S1"]);
    assert_eq!(play.client.state, State::Connecting);
    play.open();
    play.says(&["> CONNECT 0x0 pw 0 seen 0:0"]);
    play.packet(ToClient::Connected { timeout_ms: 4_000, session: SESSION, password: PASSWORD, read_only: false });
    play.says(&["connected S1 0x51 4000", "default hears SyncConnected"]);
    assert_eq!((play.client.state, play.client.session, play.client.timeout_ms), (State::Connected, SESSION, 4_000));
    assert_eq!(play.client.server, Some(ServerId(1)));
}

#[test]
fn what_waited_goes_after_identities_and_watches() {
    let mut play = Play::connected(config(1));
    play.client.add_auth(play.now, "digest", "a:b", &mut play.out);
    play.done(watched(get("/a"), "w"), data());
    play.hang_up();
    play.client.add_auth(play.now, "digest", "c:d", &mut play.out);
    play.call(Call::new(get("/b")));
    play.said();
    play.fire();
    play.open();
    play.says(&["connecting S1", "dial S1", "> CONNECT 0x51 pw 7 seen 1:5"]);
    play.packet(ToClient::Connected { timeout_ms: 6_000, session: SESSION, password: PASSWORD, read_only: false });
    play.says(&[
        "connected S1 0x51 6000 again",
        "default hears SyncConnected",
        "w hears SyncConnected",
        "> auth a:b",
        "> auth c:d",
        "> 2 setWatches 1:5 /a||||",
        "> 3 get /b",
    ]);
}

#[test]
fn a_wire_client_waits_however_short_its_timeout() {
    for (timeout_ms, waits) in [(0, 1_000), (1, 1_000), (4_000, 4_000)] {
        let mut play = Play::new(ClientConfig { raw: true, timeout_ms, ..config(1) });
        play.open();
        let since = play.now;
        assert_eq!(play.fire(), Timer::ConnectTimeout);
        assert_eq!(play.now.since(since) / 1_000, waits);
    }
    let mut play = Play::new(ClientConfig { timeout_ms: 1, ..config(1) });
    let since = play.now;
    assert_eq!(play.fire(), Timer::ConnectTimeout);
    assert_eq!(play.now.since(since) / 1_000, 1, "the library does what it is told");
}

#[test]
fn servers_come_round_robin_and_a_round_ends_with_a_pause() {
    let mut play = Play::new(config(3));
    let mut pauses = Vec::new();
    let mut tried = Vec::new();
    for _ in 0..4 {
        tried.push(play.client.server.unwrap());
        play.refuse();
        assert_eq!((play.client.state, play.client.server), (State::Disconnected, None));
        let since = play.now;
        assert_eq!(play.fire(), Timer::Retry);
        pauses.push(play.now.since(since) / 1_000);
    }
    assert_eq!(pauses, [100, 100, 1_100, 100], "cleaning up, and a second when the list is through");
    assert_eq!(tried[0], tried[3]);
    tried.truncate(3);
    tried.sort();
    assert_eq!(tried, [1, 2, 3].map(ServerId));
    let first = tried_of(&play.said());
    assert_eq!(first, 5);
}

fn tried_of(lines: &[String]) -> usize {
    assert!(!lines.iter().any(|line| line.contains("hears")), "a first connect that fails is no event: {lines:?}");
    lines.iter().filter(|line| line.starts_with("connecting")).count()
}

#[test]
fn after_a_first_connection_attempts_are_spread_over_a_second() {
    let mut play = Play::connected(config(3));
    let mut pauses = Vec::new();
    for _ in 0..200 {
        play.hang_up();
        let since = play.now;
        play.fire();
        pauses.push(play.now.since(since) / 1_000);
        play.open();
    }
    let round = |pause: &&u64| **pause >= 1_100;
    assert!(pauses.iter().all(|pause| (100..2_100).contains(pause)));
    assert_eq!(pauses.iter().filter(round).count(), 200 / 3, "each time it comes back to the first");
    assert!(pauses.iter().any(|pause| *pause < 300) && pauses.iter().any(|pause| (900..1_100).contains(pause)));
}

#[test]
fn connecting_may_take_its_share_of_the_timeout() {
    let mut play = Play::new(config(3));
    play.pass(0);
    assert_eq!(play.fire(), Timer::ConnectTimeout);
    assert_eq!(play.now, SimTime::from_ms(2_000));
    let lines = play.said();
    assert_eq!(lines[2], "close 10");
    assert!(lines[3].ends_with("ConnectTimeout"), "{lines:?}");
    play.fire();
    let dialled = play.now;
    play.pass(1_500);
    play.open();
    assert_eq!(play.fire(), Timer::ConnectTimeout, "the time starts again when CONNECT is sent");
    assert_eq!(play.now.since(dialled), 3_500_000);
}

#[test]
fn silence_is_pinged_and_then_given_up() {
    let mut play = Play::connected(config(1));
    assert_eq!(play.fire(), Timer::Ping);
    assert_eq!(play.now, SimTime::from_ms(2_000), "half of two thirds of 6 s");
    play.says(&["> ping"]);
    play.pass(10);
    play.packet(ToClient::Pong);
    assert_eq!(play.fire(), Timer::Ping);
    assert_eq!(play.now, SimTime::from_ms(4_000));
    assert_eq!(play.timers[&Timer::ReadTimeout], SimTime::from_ms(6_010));
    play.call(Call::new(get("/a")));
    assert_eq!(play.fire(), Timer::Ping);
    assert_eq!(play.fire(), Timer::ReadTimeout);
    play.says(&[
        "> ping",
        "call 1: get /a",
        "> 1 get /a",
        "> ping",
        "close 10",
        "disconnected S1 ReadTimeout",
        "answer 1: ConnectionLoss",
        "default hears Disconnected",
    ]);
    assert_eq!(play.client.last_zxid, Zxid::ZERO, "pings and sessions tell no zxid");
}

#[test]
fn what_is_heard_early_moves_the_ping_forward() {
    let mut play = Play::connected(config(1));
    play.pass(1_200);
    play.event(EventType::NodeCreated, "/x");
    play.says(&["notified NodeCreated /x", "> ping"]);
}

#[test]
fn a_late_timer_after_a_packet_that_waited_is_no_timeout() {
    let mut play = Play::connected(config(1));
    play.pass(60_000);
    play.packet(ToClient::Pong);
    play.says(&["> ping"]);
    play.timers.insert(Timer::ReadTimeout, SimTime::ZERO);
    assert_eq!(play.fire(), Timer::ReadTimeout);
    play.says(&[]);
    assert_eq!(play.client.state, State::Connected);
    assert_eq!(play.timers[&Timer::ReadTimeout], SimTime::from_ms(64_000));
    play.pass(5_000);
    play.fire();
    assert_eq!(play.client.state, State::Disconnected, "nothing waited this time");
}

/// ZOOKEEPER-4508: after 4/3 of the timeout without a byte the library ends the session by itself, since 3.9.3.
#[test]
fn a_silence_of_more_than_the_timeout_ends_the_session_in_later_versions() {
    for (expires, state) in [(true, State::Expired), (false, State::Disconnected)] {
        let mut play = Play::connected(ClientConfig { expires, ..config(1) });
        play.pass(60_000);
        play.timers.insert(Timer::ReadTimeout, SimTime::ZERO);
        play.fire();
        assert_eq!(play.client.state, state);
    }
}

#[test]
fn what_is_not_its_own_is_ignored() {
    let mut play = Play::connected(config(1));
    let stranger = ConnId(999);
    for input in [
        Input::Connected(stranger),
        Input::Refused(stranger),
        Input::Closed(stranger),
        Input::Packet(stranger, ToClient::Reply { xid: 1, zxid: zxid(1), outcome: data() }),
        Input::Timer(Timer::Retry),
        Input::Timer(Timer::ConnectTimeout),
        Input::Connected(play.conn),
    ] {
        play.input(input);
    }
    play.says(&[]);
    play.packet(ToClient::Connected { timeout_ms: 0, session: SESSION, password: PASSWORD, read_only: false });
    play.says(&[]);
}

#[test]
fn a_client_without_servers_waits_for_ever() {
    let mut play = Play::new(config(0));
    play.says(&[]);
    assert_eq!(play.client.state, State::Disconnected);
    play.call(Call::new(get("/a")));
    assert_eq!(play.client.pending(), 1);
}

#[test]
fn a_wire_client_stays_where_it_is_until_it_is_moved() {
    let mut play = Play::new(ClientConfig { raw: true, ..config(3) });
    play.says(&["connecting S1", "dial S1"]);
    play.call(Call::new(get("/a")));
    play.says(&["call 1: get /a"]);
    play.refuse();
    play.says(&["disconnected S1 Refused", "answer 1: ConnectionLoss"]);
    assert!(play.timers.is_empty());
    play.call(Call::new(get("/a")));
    play.says(&["call 2: get /a", "answer 2: ConnectionLoss"]);
    play.move_to(to(2));
    play.says(&["connecting S2", "dial S2"]);
    play.welcome();
    assert_eq!(play.client.state, State::Connected);
}
