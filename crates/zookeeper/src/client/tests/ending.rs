//! Expired, closed, refused.

use super::*;

#[test]
fn an_expired_session_ends_the_client() {
    let mut play = Play::connected(config(1));
    play.done(watched(get("/a"), "w"), data());
    play.hang_up();
    play.call(Call::new(set("/a")));
    play.fire();
    play.open();
    play.said();
    play.packet(ToClient::Connected {
        timeout_ms: 0,
        session: SessionId::NONE,
        password: Password::default(),
        read_only: false,
    });
    play.says(&["close 11", "ended Expired", "default hears Expired", "w hears Expired", "answer 2: SessionExpired"]);
    assert!(play.timers.is_empty());
    play.call(Call::new(get("/a")));
    play.says(&["call 3: get /a", "answer 3: SessionExpired"]);
    play.client.close(play.now, &mut play.out);
    play.client.disconnect(play.now, &mut play.out);
    play.client.add_auth(play.now, "digest", "a:b", &mut play.out);
    play.move_to(to(1));
    play.says(&[]);
    assert_eq!((play.client.state, play.client.session), (State::Expired, SESSION));
}

#[test]
fn closing_waits_for_the_answer() {
    let mut play = Play::connected(config(1));
    play.done(watched(get("/a"), "w"), data());
    play.said();
    play.call(Call::new(set("/a")));
    play.client.close(play.now, &mut play.out);
    play.client.close(play.now, &mut play.out);
    play.call(Call::new(get("/b")));
    play.says(&[
        "call 2: set /a x",
        "> 2 set /a x",
        "> 3 closeSession",
        "call 3: get /b",
        "answer 3: ConnectionLoss",
    ]);
    play.reply(2, 6, Err(Code::NoNode));
    play.reply(3, 7, Ok(Answer::Done));
    play.says(&["answer 2 1:6: NoNode", "close 10", "ended Closed", "default hears Closed", "w hears Closed"]);
    assert!(play.timers.is_empty());
    play.call(Call::new(get("/b")));
    play.says(&["call 4: get /b", "answer 4: SessionExpired"]);
    assert_eq!((play.client.state, play.client.pending()), (State::Closed, 0));
}

#[test]
fn a_connection_lost_while_closing_closes_too() {
    let mut play = Play::connected(config(1));
    play.call(Call::new(set("/a")));
    play.client.close(play.now, &mut play.out);
    play.said();
    play.hang_up();
    play.says(&[
        "disconnected S1 ServerClosed",
        "answer 1: ConnectionLoss in doubt",
        "ended Closed",
        "default hears Closed",
    ]);
    assert!(play.timers.is_empty());
}

#[test]
fn while_it_cleans_up_after_a_loss_it_is_closed_at_once() {
    let mut play = Play::connected(config(1));
    play.hang_up();
    play.call(Call::new(get("/a")));
    play.said();
    play.client.close(play.now, &mut play.out);
    play.says(&["ended Closed", "default hears Closed", "answer 1: ConnectionLoss"]);
    assert!(play.timers.is_empty());
}

#[test]
fn a_planned_attempt_goes_on_and_carries_the_close() {
    let mut play = Play::connected(config(1));
    play.hang_up();
    play.said();
    play.pass(150);
    play.client.close(play.now, &mut play.out);
    play.call(Call::new(get("/a")));
    play.says(&["call 1: get /a", "answer 1: ConnectionLoss"]);
    assert_eq!(play.fire(), Timer::Retry);
    play.open();
    play.packet(ToClient::Connected { timeout_ms: 6_000, session: SESSION, password: PASSWORD, read_only: false });
    play.says(&[
        "connecting S1",
        "dial S1",
        "> CONNECT 0x51 pw 7 seen 0:0",
        "connected S1 0x51 6000 again",
        "default hears SyncConnected",
        "> 1 closeSession",
    ]);
    play.reply(1, 6, Ok(Answer::Done));
    play.says(&["close 11", "ended Closed", "default hears Closed"]);
}

#[test]
fn an_attempt_that_fails_while_closing_is_the_last() {
    let mut play = Play::new(config(1));
    play.said();
    play.client.close(play.now, &mut play.out);
    play.says(&[]);
    play.refuse();
    play.says(&["disconnected S1 Refused", "ended Closed", "default hears Closed"]);
    assert!(play.timers.is_empty());
}

#[test]
fn close_session_may_be_a_call() {
    let mut play = Play::connected(ClientConfig { raw: true, ..config(1) });
    play.done(Call::new(Request::CloseSession), Ok(Answer::Done));
    play.says(&[
        "call 1: closeSession",
        "> 1 closeSession",
        "answer 1 1:5: Done",
        "close 10",
        "ended Closed",
        "default hears Closed",
    ]);
}

#[test]
fn a_refused_identity_ends_the_client() {
    let mut play = Play::connected(config(1));
    play.client.add_auth(play.now, "no", "x", &mut play.out);
    play.call(Call::new(set("/a")));
    play.said();
    play.packet(ToClient::Auth { code: Code::AuthFailed });
    play.says(&["close 10", "ended AuthFailed", "default hears AuthFailed", "answer 1: AuthFailed in doubt"]);
    play.call(Call::new(get("/a")));
    play.says(&["call 2: get /a", "answer 2: AuthFailed"]);
    assert_eq!(play.client.state, State::AuthFailed);
}

/// It has no state for it: its connection is gone, and the session lives on.
#[test]
fn a_wire_client_survives_a_refused_identity() {
    let mut play = Play::connected(ClientConfig { raw: true, ..config(2) });
    play.client.add_auth(play.now, "no", "x", &mut play.out);
    play.packet(ToClient::Auth { code: Code::AuthFailed });
    play.said();
    play.call(Call::new(get("/a")));
    play.says(&["call 1: get /a", "answer 1: ConnectionLoss"]);
    play.move_to(to(2));
    play.open();
    play.says(&["connecting S2", "dial S2", "> CONNECT 0x51 pw 7 seen 0:0"]);
    play.packet(ToClient::Connected { timeout_ms: 4_000, session: SESSION, password: PASSWORD, read_only: false });
    play.says(&["connected S2 0x51 4000 again", "default hears SyncConnected"]);
}

#[test]
fn an_accepted_identity_is_no_news() {
    let mut play = Play::connected(config(1));
    play.client.add_auth(play.now, "digest", "a:b", &mut play.out);
    play.packet(ToClient::Auth { code: Code::Ok });
    play.says(&["> auth a:b"]);
}
