//! Requests, answers, what is refused, what a lost connection does to them.

use super::*;

fn create(path: &str) -> Request {
    Request::Create {
        path: path.into(),
        data: None,
        acl: Acl::open(),
        mode: CreateMode::Persistent,
        ttl: 0,
        stat: false,
        flags: None,
    }
}

#[test]
fn answers_come_in_order_and_xids_count_on() {
    let mut play = Play::connected(config(1));
    play.call(Call::new(get("/a")));
    play.call(Call::new(set("/a")));
    assert_eq!(play.client.pending(), 2);
    play.reply(1, 4, Err(Code::NoNode));
    play.reply(2, 6, Ok(Answer::Stat(Stat::default())));
    let lines = play.said();
    assert_eq!(lines[4], "answer 1 1:4: NoNode");
    assert!(lines[5].starts_with("answer 2 1:6: Stat"));
    assert_eq!((play.client.last_zxid, play.client.pending()), (zxid(6), 0));
    play.hang_up();
    play.fire();
    play.welcome();
    play.said();
    play.call(Call::new(get("/a")));
    play.says(&["call 3: get /a", "> 3 get /a"]);
}

#[test]
fn notifications_and_pongs_do_not_advance_the_zxid() {
    let mut play = Play::connected(config(1));
    play.done(Call::new(get("/a")), data());
    play.event(EventType::NodeCreated, "/a");
    play.packet(ToClient::Pong);
    assert_eq!(play.client.last_zxid, zxid(5));
}

#[test]
fn what_fails_with_the_connection_is_in_doubt_only_if_it_was_sent_and_writes() {
    let mut play = Play::connected(config(1));
    play.call(Call::new(create("/a")));
    play.call(Call::new(get("/a")));
    play.said();
    play.hang_up();
    play.call(Call::new(set("/a")));
    play.fire();
    play.refuse();
    play.says(&[
        "disconnected S1 ServerClosed",
        "answer 1: ConnectionLoss in doubt",
        "answer 2: ConnectionLoss",
        "default hears Disconnected",
        "call 3: set /a x",
        "connecting S1",
        "dial S1",
        "disconnected S1 Refused",
        "answer 3: ConnectionLoss",
    ]);
}

#[test]
fn a_reply_that_does_not_fit_ends_the_connection() {
    let mut play = Play::connected(config(1));
    play.call(Call::new(get("/a")));
    play.call(Call::new(get("/b")));
    play.said();
    play.reply(2, 5, data());
    play.says(&[
        "answer 1: ConnectionLoss",
        "close 10",
        "disconnected S1 OutOfOrder",
        "answer 2: ConnectionLoss",
        "default hears Disconnected",
    ]);
    assert_eq!(play.client.last_zxid, Zxid::ZERO);
    let mut play = Play::connected(config(1));
    play.reply(1, 5, data());
    play.says(&["close 10", "disconnected S1 OutOfOrder", "default hears Disconnected"]);
}

#[test]
fn bad_paths_are_refused_here() {
    let mut play = Play::connected(config(1));
    play.call(Call::new(create("/x/")));
    play.call(Call::new(Request::Multi { ops: vec![create("/ok"), create("x")] }));
    play.says(&[
        "call 1: create /x/",
        "answer 1: Path must not end with / character",
        "call 2: multi [create /ok] [create x]",
        "answer 2: Path must start with / character",
    ]);
    let mut wire = Play::connected(ClientConfig { raw: true, ..config(1) });
    wire.call(Call::new(create("/x/")));
    wire.says(&["call 1: create /x/", "> 1 create /x/"]);
}

#[test]
fn a_chroot_is_put_on_and_taken_off() {
    let mut play = Play::connected(ClientConfig { chroot: Some("/app".into()), ..config(1) });
    play.call(Call::new(create("/a")));
    play.reply(1, 5, Ok(Answer::Path("/app/a".into())));
    play.says(&["call 1: create /a", "> 1 create /app/a", "answer 1 1:5: Path(\"/a\")"]);
    let ephemerals = Request::GetEphemerals { prefix: "/".into() };
    play.call(Call::new(ephemerals));
    play.reply(2, 5, Ok(Answer::Paths(vec!["/app/e".into(), "/other".into()])));
    play.says(&["call 2: getEphemerals /", "> 2 getEphemerals /", "answer 2 1:5: Paths([\"/app/e\", \"/other\"])"]);
    play.done(watched(get("/a"), "w"), data());
    play.hang_up();
    play.fire();
    play.welcome();
    let lines = play.said();
    assert_eq!(lines.last().map(String::as_str), Some("> 4 setWatches 1:5 /app/a||||"));
    play.event(EventType::NodeDeleted, "/app/a");
    play.says(&["notified NodeDeleted /app/a", "w hears NodeDeleted /a"]);
}

#[test]
fn a_multi_that_failed_is_an_answer() {
    let mut play = Play::connected(config(1));
    play.call(Call::new(Request::Multi { ops: vec![create("/a"), set("/no")] }));
    let answer = Answer::Multi(vec![Err(Code::Ok), Err(Code::NoNode)]);
    assert_eq!(answer.thrown(), Some(Code::NoNode));
    play.reply(1, 5, Ok(answer));
    assert_eq!(play.said()[2], "answer 1 1:5: Multi([Err(Ok), Err(NoNode)])");
}

#[test]
fn a_clone_goes_its_own_way() {
    let mut play = Play::connected(config(1));
    play.call(Call::new(get("/a")));
    let before = play.client.clone();
    play.hang_up();
    assert_eq!((before.pending(), play.client.pending()), (1, 0));
}
