//! Disconnecting and moving.

use super::*;

#[test]
fn a_cut_connection_is_replaced_by_the_next_server() {
    let mut play = Play::connected(config(1));
    play.call(Call::new(get("/a")));
    play.said();
    play.client.disconnect(play.now, &mut play.out);
    play.client.disconnect(play.now, &mut play.out);
    play.says(&["close 10", "disconnected S1 Asked", "answer 1: ConnectionLoss", "default hears Disconnected"]);
    assert_eq!(play.fire(), Timer::Retry);
    play.welcome();
    assert_eq!(play.client.state, State::Connected);
}

#[test]
fn a_move_takes_the_session_along_at_once() {
    let mut play = Play::connected(ClientConfig { raw: true, ..config(3) });
    play.done(Call::new(Request::Exists { path: "/a".into(), watch: true }), Err(Code::NoNode));
    play.said();
    play.move_to(to(3));
    play.open();
    play.says(&[
        "close 10",
        "disconnected S1 Asked",
        "default hears Disconnected",
        "connecting S3",
        "dial S3",
        "> CONNECT 0x51 pw 7 seen 1:5",
    ]);
    play.packet(ToClient::Connected { timeout_ms: 6_000, session: SESSION, password: PASSWORD, read_only: false });
    play.says(&["connected S3 0x51 6000 again", "default hears SyncConnected", "> 2 setWatches 1:5 |/a|||"]);
}

#[test]
fn the_library_goes_on_behind_the_server_it_was_moved_to() {
    let mut play = Play::connected(config(3));
    let list: Vec<_> = {
        let mut hosts = play.client.hosts.clone();
        (0..3).filter_map(|_| hosts.next()).map(|(server, _)| server).collect()
    };
    play.move_to(Move { to: list[1], ..to(1) });
    play.refuse();
    play.fire();
    assert_eq!(play.client.server, Some(list[2]));
}

#[test]
fn lies_are_told_once() {
    let mut play = Play::connected(ClientConfig { raw: true, ..config(1) });
    play.done(Call::new(get("/a")), data());
    play.move_to(Move { claim_ahead: true, ..to(1) });
    play.said();
    play.open();
    play.says(&["> CONNECT 0x51 pw 7 seen 2147483647:1"]);
    play.hang_up();
    play.says(&["disconnected S1 ServerClosed"]);
    play.move_to(Move { wrong_password: true, ..to(1) });
    play.open();
    assert!(play.said()[2].starts_with("> CONNECT 0x51 pw fffffff"));
    play.packet(ToClient::Connected {
        timeout_ms: 0,
        session: SessionId::NONE,
        password: Password::default(),
        read_only: false,
    });
    play.says(&["close 12", "ended Expired", "default hears Expired"]);
    play.call(Call::new(get("/a")));
    play.says(&["call 2: get /a", "answer 2: ConnectionLoss"]);
    play.move_to(to(1));
    play.welcome();
    play.says(&[
        "connecting S1",
        "dial S1",
        "> CONNECT 0x51 pw 7 seen 1:5",
        "connected S1 0x51 6000 again",
        "default hears SyncConnected",
    ]);
}

#[test]
fn an_old_connection_lives_beside_the_new_one() {
    let mut play = Play::connected(ClientConfig { raw: true, ..config(2) });
    let old = play.conn;
    play.call(Call::new(get("/a")));
    play.move_to(Move { keep_old: true, ..to(2) });
    play.welcome();
    play.says(&[
        "call 1: get /a",
        "> 1 get /a",
        "connecting S2",
        "dial S2",
        "> CONNECT 0x51 pw 7 seen 0:0",
        "connected S2 0x51 6000 again",
    ]);
    play.call(Call { on_old_connection: true, ..Call::new(set("/a")) });
    play.call(Call::new(set("/b")));
    assert_eq!(play.client.pending(), 3);
    let sent_on: Vec<ConnId> = play.out.items.iter().filter_map(sent_on).collect();
    assert_eq!(sent_on, [old, play.conn]);
    play.said();
    play.reply(3, 6, Err(Code::NoNode));
    play.input(Input::Packet(old, ToClient::Reply { xid: 1, zxid: zxid(4), outcome: data() }));
    play.says(&["answer 3 1:6: NoNode", "answer 1 1:4: data"]);
    assert_eq!(play.client.last_zxid, zxid(6), "an old reply takes nothing back");
    play.input(Input::Closed(old));
    play.says(&["answer 2: ConnectionLoss in doubt"]);
    play.call(Call { on_old_connection: true, ..Call::new(set("/a")) });
    play.says(&["call 4: set /a x", "answer 4: ConnectionLoss"]);
    assert_eq!(play.client.state, State::Connected);
}

fn sent_on(output: &Output) -> Option<ConnId> {
    match output {
        Output::Send(conn, _) => Some(*conn),
        _ => None,
    }
}

#[test]
fn an_old_connection_is_left_when_a_reply_does_not_fit_or_the_client_is_cut() {
    let play = || {
        let mut play = Play::connected(ClientConfig { raw: true, ..config(2) });
        play.move_to(Move { keep_old: true, ..to(2) });
        play.welcome();
        play.call(Call { on_old_connection: true, ..Call::new(set("/a")) });
        play.said();
        play
    };
    let mut wrong = play();
    wrong.input(Input::Packet(ConnId(10), ToClient::Reply { xid: 7, zxid: zxid(4), outcome: data() }));
    wrong.says(&["close 10", "answer 1: ConnectionLoss in doubt"]);
    let mut cut = play();
    cut.client.disconnect(cut.now, &mut cut.out);
    cut.says(&[
        "close 10",
        "answer 1: ConnectionLoss in doubt",
        "close 11",
        "disconnected S2 Asked",
        "default hears Disconnected",
    ]);
    let mut again = play();
    again.move_to(Move { keep_old: true, ..to(1) });
    again.says(&["close 10", "answer 1: ConnectionLoss in doubt", "connecting S1", "dial S1"]);
}

#[test]
fn a_client_that_moves_away_from_a_read_only_server_ends_its_search() {
    let mut play = Play::new(ClientConfig { read_only: true, ..config(2) });
    play.open();
    play.packet(ToClient::Connected { timeout_ms: 6_000, session: SESSION, password: PASSWORD, read_only: true });
    assert_eq!(play.fire(), Timer::Seek);
    play.said();
    play.move_to(Move { keep_old: true, ..to(2) });
    let said = play.said();
    assert!(said.contains(&"close 11".to_string()) && !said.contains(&"close 10".to_string()), "{said:?}");
    play.input(Input::Packet(ConnId(11), ToClient::Text { text: "rw".into() }));
    play.says(&[]);
    assert!(!play.client.read_only && play.client.state == State::Connecting);
}
