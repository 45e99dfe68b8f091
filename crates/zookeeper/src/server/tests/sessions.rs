//! Sessions: taken up again, moved to another server, local to one.

use super::*;

#[test]
fn a_session_that_comes_again_has_one_connection() {
    let mut bench = serving();
    prepare(&mut bench, 7, Body::CreateSession { timeout_ms: 4_000 });
    for conn in [ConnId(8), ConnId(9)] {
        take_up(&mut bench, conn, SessionId(7));
        assert_eq!(connections(&bench), [(conn, true)]);
    }
}

#[test]
fn who_takes_a_session_up_is_not_taken_for_who_waits_for_a_new_one() {
    let mut bench = serving();
    prepare(&mut bench, 7, Body::CreateSession { timeout_ms: 4_000 });
    take_up(&mut bench, ConnId(8), SessionId::NONE);
    take_up(&mut bench, ConnId(9), SessionId(7));
    assert_eq!(connections(&bench), [(ConnId(8), false), (ConnId(9), true)]);
    bench.finish_disk();
    assert_eq!(connections(&bench), [(ConnId(8), true), (ConnId(9), true)]);
}

/// A leader with the old connection of a session that has moved to another server.
fn moved() -> Bench {
    let mut bench = serving();
    prepare(&mut bench, 7, Body::CreateSession { timeout_ms: 4_000 });
    take_up(&mut bench, ConnId(8), SessionId(7));
    bench.tell(Input::FromClient(ConnId(8), ToServer::Ping));
    assert_eq!(connections(&bench), [(ConnId(8), true)]);
    let (now, leading) = (bench.now, bench.server.service.leading.as_mut().expect("it leads"));
    leading.revalidate(SessionId(7), ServerId(2), now, &bench.config.service);
    bench
}

#[test]
fn whatever_comes_by_the_old_connection_of_a_session_that_has_moved_ends_it() {
    let bench = moved();
    let of = &bench.server.service.conns[&ConnId(8)].statistics;
    assert_eq!((of.last_op, of.last_cxid), ("PING", -1));
    let request = Request::Delete { path: "/no".into(), version: -1 };
    let several = Request::Multi { ops: vec![request.clone()] };
    let ask = |request| ToServer::Request { xid: 1, request };
    for packet in [ToServer::Ping, ask(request), ask(several)] {
        let mut bench = moved();
        bench.tell(Input::FromClient(ConnId(8), packet));
        bench.finish_disk();
        assert_eq!(connections(&bench), []);
    }
}

#[test]
fn a_leader_takes_requests_of_sessions_that_only_another_server_may_know_but_no_ephemerals() {
    let mut bench = serving();
    let mut op = |session, request, local_sessions| {
        bench.config.service.local_sessions = local_sessions;
        prepare(&mut bench, session, Body::Client(request)).map(|txn| txn.op)
    };
    let delete = || Request::Delete { path: "/no".into(), version: -1 };
    let (other, mine, refused) = (2 << 56 | 5, 1 << 56 | 5, Some(Op::Error(Code::SessionExpired)));
    assert_eq!(op(other, delete(), false), refused, "there are no local ones");
    assert_eq!(op(mine, delete(), true), refused, "this server knows its own");
    assert_eq!(op(other, delete(), true), Some(Op::Error(Code::NoNode)));
    let (path, data, acl, mode) = ("/e".into(), None, Acl::open(), CreateMode::Ephemeral);
    let create = Request::Create { path, data, acl, mode, ttl: 0, stat: false, flags: None };
    assert_eq!(op(other, create.clone(), true), refused);
    assert_eq!(
        op(other, Request::Multi { ops: vec![create] }, true),
        Some(Op::FailedMulti(vec![Code::SessionExpired]))
    );
}

#[test]
fn a_local_session_gets_no_ephemeral_unless_it_may_be_upgraded_once() {
    for upgrading in [false, true] {
        let mut bench = serving();
        (bench.config.service.local_sessions, bench.config.service.local_upgrading) = (true, upgrading);
        take_up(&mut bench, ConnId(8), SessionId::NONE);
        let mut upgraded = 0;
        for (xid, path) in [(1, "/e"), (2, "/f")] {
            let (path, data, acl, mode): (Rc<str>, _, _, _) = (path.into(), None, Acl::open(), CreateMode::Ephemeral);
            let right = if upgrading { Ok(Answer::Path(path.clone())) } else { Err(Code::EphemeralOnLocalSession) };
            let request = Request::Create { path, data, acl, mode, ttl: 0, stat: false, flags: None };
            let out = outputs(&mut bench, Input::FromClient(ConnId(8), ToServer::Request { xid, request }));
            let is_right = |out: &&Output| matches!(out, Output::ToClient(_, ToClient::Reply { outcome, .. }) if *outcome == right);
            assert_eq!(out.iter().filter(is_right).count(), 1, "{out:?}");
            let tells = |out: &&Output| matches!(out, Output::Fact(Fact::SessionUpgraded { .. }));
            upgraded += out.iter().filter(tells).count();
        }
        assert_eq!(upgraded, usize::from(upgrading));
    }
}

#[test]
fn a_local_session_ends_after_its_timeout() {
    let mut bench = serving();
    bench.config.service.local_sessions = true;
    take_up(&mut bench, ConnId(8), SessionId::NONE);
    assert_eq!((bench.server.service.local_sessions().count(), connections(&bench).len()), (1, 1));
    let timer = bench.timers.pop();
    assert_eq!(timer, Some(Timer::Service(service::Timer::LocalExpiry)));
    timer.into_iter().for_each(|timer| bench.tell(Input::Timer(timer)));
    assert_eq!((bench.server.service.local_sessions().count(), connections(&bench).len()), (0, 0));
}
