//! Dialling, greeting, signs of life, loss, pauses.

use super::*;

#[test]
fn a_session_begins() {
    let mut play = Play::new(config(1));
    play.says(&["connecting S1", "dial S1"]);
    assert_eq!(play.client.state, State::Connecting);
    play.open();
    play.says(&["> CONNECT 0x0 pw 0 seen 0:0"]);
    play.packet(ToClient::Connected { timeout_ms: 4_000, session: SESSION, password: PASSWORD });
    play.says(&["connected S1 0x51 4000", "default hears SyncConnected"]);
    assert_eq!((play.client.state, play.client.session, play.client.timeout_ms), (State::Connected, SESSION, 4_000));
}

#[test]
fn the_basics_work() {
    let mut play = Play::connected(config(1));
    play.call(watched(get("/a"), "w"));
    play.says(&["call 1: get /a", "> 1 get /a -w"]);
    play.reply(1, 5, data());
    play.says(&["answer 1 1:5: data"]);
    assert_eq!(play.fire(), Timer::Ping);
    play.says(&["> ping"]);
    play.event(EventType::NodeDataChanged, "/a");
    play.says(&["notified NodeDataChanged /a", "w hears NodeDataChanged /a"]);
    play.done(watched(get("/a"), "w"), data());
    play.said();
    play.call(Call::new(set("/a")));
    play.call(Call::new(get("/a")));
    play.hang_up();
    play.says(&[
        "call 3: set /a x",
        "> 3 set /a x",
        "call 4: get /a",
        "> 4 get /a",
        "disconnected S1 ServerClosed",
        "answer 3: ConnectionLoss in doubt",
        "answer 4: ConnectionLoss",
        "default hears Disconnected",
        "w hears Disconnected",
    ]);
    play.call(Call::new(get("/b")));
    assert_eq!((play.client.state, play.client.pending()), (State::Disconnected, 1));
    assert_eq!(play.fire(), Timer::Retry);
    play.open();
    play.says(&["call 5: get /b", "connecting S1", "dial S1", "> CONNECT 0x51 pw 7 seen 1:5"]);
    play.packet(ToClient::Connected { timeout_ms: 6_000, session: SESSION, password: PASSWORD });
    play.says(&[
        "connected S1 0x51 6000 again",
        "default hears SyncConnected",
        "w hears SyncConnected",
        "> 5 setWatches 1:5 /a||||",
        "> 6 get /b",
    ]);
    play.reply(5, 5, Ok(Answer::Done));
    play.reply(6, 6, Err(Code::NoNode));
    play.says(&["answer 5 1:6: NoNode"]);
    assert_eq!((play.client.last_zxid, play.client.pending()), (zxid(6), 0));
    play.hang_up();
    play.fire();
    play.open();
    play.packet(ToClient::Connected { timeout_ms: 0, session: SessionId::NONE, password: Password::default() });
    play.says(&[
        "disconnected S1 ServerClosed",
        "default hears Disconnected",
        "w hears Disconnected",
        "connecting S1",
        "dial S1",
        "> CONNECT 0x51 pw 7 seen 1:6",
        "close 12",
        "ended Expired",
        "default hears Expired",
        "w hears Expired",
    ]);
    play.call(Call::new(get("/b")));
    play.says(&["call 6: get /b", "answer 6: SessionExpired"]);
    assert_eq!(play.client.state, State::Expired);
    assert!(play.timers.is_empty());
}
