//! A server alone with a test: no world, only what goes in and what comes out.

use std::collections::VecDeque;
use std::rc::Rc;

use crate::base::{ClientId, ConnId, Prng, ServerId, ServerSet, SimTime, SortedSet, Stream, Zxid};
use crate::store::{Body, Change, Op, Owner, Submitted, Tree, Txn, WatchMode};
use crate::wire::{Acl, Answer, Code, CreateMode, EventType, Request, ToClient, ToServer};
use crate::zab::{self, Members};

use super::*;

mod sessions;

/// The only server of an ensemble, and the disk under it.
struct Bench {
    server: Server,
    config: Config,
    files: Files,
    now: SimTime,
    jobs: Vec<Job>,
    timers: Vec<Timer>,
    facts: Vec<StateFact>,
}

impl Bench {
    fn boot() -> Bench {
        let service = Settings { tick_time: 200_000, ..Settings::default() };
        let config = Config { zab: zab::tests::config(), service, fresh: Tree::new("") };
        let (files, now, mut out) = (Files::default(), SimTime::ZERO, Outbox::default());
        let members = Members::new(ServerSet::first(1), ServerSet::EMPTY);
        let env = Env { now, clock_ms: now.as_ms() as i64, config: &config, files: &files };
        let server = Server::boot(ServerId(1), members.into(), Prng::new(0, Stream::Server), env, &mut out);
        let (jobs, timers, facts) = (Vec::new(), Vec::new(), Vec::new());
        let mut bench = Bench { server, config, files, now, jobs, timers, facts };
        bench.take(out);
        bench
    }

    fn take(&mut self, out: Outbox) {
        for output in out.items {
            match output {
                Output::Persist(job) => self.jobs.push(job),
                Output::SetTimer(timer, at) => {
                    self.now = self.now.max(at);
                    self.timers.push(timer);
                }
                Output::State(fact) => self.facts.push(fact),
                _ => {}
            }
        }
    }

    fn tell(&mut self, input: Input) {
        let mut out = Outbox::default();
        let env = Env { now: self.now, clock_ms: self.now.as_ms() as i64, config: &self.config, files: &self.files };
        self.server.handle(input, env, &mut out);
        self.take(out);
    }

    fn finish_disk(&mut self) {
        while !self.jobs.is_empty() {
            let job = self.jobs.remove(0);
            let token = job.token;
            let bytes = self.files.finish(job, crate::base::RuleSet::default(), self.now).bytes;
            self.tell(Input::Persisted(token, bytes));
        }
    }
}

/// It becomes a leader that serves.
fn serve(mut bench: Bench) -> Bench {
    while let Some(timer) = bench.timers.pop().filter(|_| !bench.server.peer.is_serving()) {
        bench.tell(Input::Timer(timer));
        bench.finish_disk();
    }
    bench
}

fn serving() -> Bench {
    serve(Bench::boot())
}

fn asked(session: u64, body: Body) -> Submitted {
    Submitted { session: SessionId(session), cxid: 1, who: Rc::from([]), from: ServerId(2), body }
}

/// The leader makes a transaction of what a learner passes on; it is not proposed.
fn prepare(bench: &mut Bench, session: u64, body: Body) -> Option<Txn> {
    let Server { peer, tree, service, .. } = &mut bench.server;
    let leader = peer.leading().expect("it leads");
    let at = service::Place { last_proposed: leader.last_proposed, idle: leader.outstanding.is_empty(), next: None };
    let (last_zxid, settings) = (tree.last, &bench.config.service);
    let cx = service::Cx { now: bench.now, clock_ms: 0, tree, last_zxid, settings };
    service.prepare(Rc::new(asked(session, body)), Some(ConnId(9)), at, cx, &mut Vec::new())
}

/// A client of the leader takes a session up; none: it gets a new one.
fn take_up(bench: &mut Bench, conn: ConnId, session: SessionId) {
    let (password, last_zxid_seen) = (password_of(session), Zxid::ZERO);
    let packet = ToServer::Connect { last_zxid_seen, timeout_ms: 4_000, session, password, read_only: false };
    bench.tell(Input::ClientAccepted(conn, ClientId(1)));
    bench.tell(Input::FromClient(conn, packet));
}

fn connections(bench: &Bench) -> Vec<(ConnId, bool)> {
    bench.server.service.conns.iter().map(|(&conn, of)| (conn, of.established)).collect()
}

#[test]
fn a_write_is_answered_when_it_is_on_disk_and_everything_between_stays_inside() {
    let mut bench = serving();
    assert!(bench.facts.contains(&StateFact::Serving(true)));
    bench.facts.clear();
    bench.tell(Input::Write(7, "x=1".into()));
    assert_eq!((bench.jobs.len(), bench.facts.len()), (1, 0), "one append, and nobody is told before it is done");
    bench.finish_disk();
    let zxid = Zxid::new(1, 1);
    assert!(matches!(bench.facts[0], StateFact::Applied { zxid: at, .. } if at == zxid));
    assert_eq!(bench.facts[1], StateFact::WriteAnswered(7, zxid));
    assert_eq!(bench.server.tree.last, zxid);
}

#[test]
fn a_crash_says_which_writes_nobody_will_answer_and_what_was_not_on_disk() {
    let mut bench = serving();
    bench.tell(Input::Write(7, "x=1".into()));
    let (mut out, zxid) = (Outbox::default(), Zxid::new(1, 1));
    bench.server.crash(None, bench.now, &bench.config, &mut bench.files, &mut out);
    let facts: Vec<&StateFact> = out
        .items
        .iter()
        .filter_map(|output| match output {
            Output::State(fact) => Some(fact),
            _ => None,
        })
        .collect();
    let failed = StateFact::WriteFailed(7, RefusalReason::ConnectionLoss);
    assert_eq!(facts, [&failed, &StateFact::UnsyncedLost { first: zxid, last: zxid, count: 1 }]);
}

/// What `java.util.Random` of a JDK makes of three ids.
#[test]
fn passwords_are_those_of_the_real_servers() {
    for (session, password) in [
        (1, 0x054c_c74a_3732_7db2_15e7_02e2_0c73_f005),
        (0x0100_0012_3456_0000, 0x28dc_a4e8_95de_729d_466f_3f4d_668d_25c0),
        (0x0010_0000_0000_000a, 0x64f1_a94a_57ac_d90a_e035_07bb_2e1f_5707),
    ] {
        assert_eq!(password_of(SessionId(session)), Password(password));
    }
}

#[test]
fn a_sync_of_a_learner_waits_for_what_was_proposed_before_it() {
    let mut bench = serving();
    bench.tell(Input::Write(7, "x=1".into()));
    assert_eq!(prepare(&mut bench, 1, Body::Client(Request::Sync { path: "/x".into() })), None);
    let waiting = |bench: &Bench| bench.server.service.leading.as_ref().map(|leading| leading.pending_syncs());
    assert_eq!(waiting(&bench), Some(1));
    bench.finish_disk();
    assert_eq!(waiting(&bench), Some(0));
}

#[test]
fn a_session_that_is_being_closed_expires_no_more_and_is_forgotten_then() {
    let mut bench = serving();
    let due = |bench: &Bench| bench.server.service.leading.as_ref().and_then(|leading| leading.due(SessionId(7)));
    prepare(&mut bench, 7, Body::CreateSession { timeout_ms: 4_000 });
    assert!(due(&bench).is_some());
    prepare(&mut bench, 7, Body::Client(Request::CloseSession));
    assert_eq!(due(&bench), None);
    let leading = bench.server.service.leading.as_mut().expect("it leads");
    assert_eq!(leading.owner(SessionId(7)), Some(ServerId(2)));
    leading.closed(SessionId(7));
    assert_eq!(leading.owner(SessionId(7)), None);
}

#[test]
fn a_new_leader_learns_whose_a_session_is_from_its_first_request() {
    let (bench, mut tree) = (Bench::boot(), Tree::new(""));
    let op = Op::CreateSession { timeout_ms: 4_000 };
    tree.apply(Zxid::new(1, 1), &Txn { session: SessionId(7), cxid: 0, time: 0, op });
    let (now, last_zxid, settings) = (bench.now, tree.last, &bench.config.service);
    let cx = service::Cx { now, clock_ms: 0, tree: &tree, last_zxid, settings };
    for (session, local) in [(7, false), (7, true), (8, true), (8, false)] {
        let mut leading = Leading::new(cx, now, &SortedSet::new());
        let at = service::Place { last_proposed: last_zxid, idle: true, next: None };
        let body = Body::Client(Request::Delete { path: "/x".into(), version: -1 });
        let txn = leading.prepare(&asked(session, body), local, at, cx, &mut Vec::new());
        assert_eq!(leading.owner(SessionId(session)), (session == 7).then_some(ServerId(2)), "{session} {local}");
        let code = if session == 7 || local { Code::NoNode } else { Code::SessionExpired };
        assert_eq!(txn.op, Op::Error(code), "{session} {local}");
    }
}

#[test]
fn nodes_go_when_their_time_is_over() {
    let (mut settings, mut tree) = (Bench::boot().config.service, Tree::new(""));
    for (counter, path, owner) in
        [(1, "/ttl", Owner::Ttl(500)), (2, "/never", Owner::Container), (3, "/x", Owner::None)]
    {
        let (path, acl, parent_cversion) = (path.into(), Acl::open().into(), counter as i32);
        let op = Op::Create { path, data: None, acl, owner, parent_cversion, with_stat: false };
        tree.apply(Zxid::new(1, counter), &Txn { session: SessionId::NONE, cxid: 0, time: 1_000, op });
    }
    for (clock_ms, max_never_used, over) in [
        (1_500, 0, &[] as &[&str]),
        (9_000, 0, &["/ttl"]),
        (3_000, 2_000_000, &["/ttl"]),
        (3_001, 2_000_000, &["/never", "/ttl"]),
    ] {
        settings.max_never_used = max_never_used;
        let paths = Leading::overdue(&tree, clock_ms, &settings);
        assert_eq!(paths.iter().map(|path| &**path).collect::<Vec<_>>(), over, "{clock_ms}");
    }
}

#[test]
fn who_is_turned_away_by_a_server_without_a_leader() {
    let (mut bench, mut tree) = (Bench::boot(), Tree::new(""));
    bench.server.service.read_only = true;
    let op = Op::CreateSession { timeout_ms: 4_000 };
    tree.apply(Zxid::new(1, 1), &Txn { session: SessionId(7), cxid: 0, time: 0, op });
    for (local_sessions, session, read_only, reason) in [
        (true, 0, false, Some(TurnedAway::NotReadOnlyClient)),
        (false, 0, true, Some(TurnedAway::NoLocalSessions)),
        (true, 7, true, Some(TurnedAway::GlobalSession)),
        (true, 0, true, None),
    ] {
        bench.config.service.local_sessions = local_sessions;
        let (now, last_zxid, settings) = (bench.now, tree.last, &bench.config.service);
        let cx = service::Cx { now, clock_ms: 0, tree: &tree, last_zxid, settings };
        let (session, password, last_zxid_seen) = (SessionId(session), Password::default(), Zxid::ZERO);
        let mut out = Vec::new();
        bench.server.service.accepted(ConnId(9), ClientId(1), cx, &mut out);
        let packet = ToServer::Connect { last_zxid_seen, timeout_ms: 4_000, session, password, read_only };
        bench.server.service.packet(ConnId(9), packet, cx, &mut out);
        let away = out.iter().find_map(|output| match output {
            service::Output::Fact(Fact::ClientTurnedAway { reason, .. }) => Some(*reason),
            _ => None,
        });
        assert_eq!(away, reason);
    }
}

#[test]
fn a_server_that_finds_a_leader_is_read_only_no_longer() {
    let mut bench = Bench::boot();
    bench.server.service.read_only = true;
    assert!(!serve(bench).server.service.read_only);
}

/// All that it wants done, and what its disk brings.
fn outputs(bench: &mut Bench, input: Input) -> Vec<Output> {
    let (mut all, mut inputs) = (Vec::new(), VecDeque::from([input]));
    while let Some(input) = inputs.pop_front() {
        let mut out = Outbox::default();
        let env = Env { now: bench.now, clock_ms: 0, config: &bench.config, files: &bench.files };
        bench.server.handle(input, env, &mut out);
        for output in out.items {
            let Output::Persist(job) = output else {
                all.push(output);
                continue;
            };
            let (token, rules) = (job.token, crate::base::RuleSet::default());
            inputs.push_back(Input::Persisted(token, bench.files.finish(job, rules, bench.now).bytes));
        }
    }
    all
}

#[test]
fn a_parents_list_decides_who_hears_of_its_children() {
    let mut bench = serving();
    prepare(&mut bench, 7, Body::CreateSession { timeout_ms: 4_000 });
    take_up(&mut bench, ConnId(8), SessionId(7));
    let (open, closed): (Rc<[Acl]>, Rc<[Acl]>) = (Acl::open().into(), Rc::from([]));
    for (acl, parent_acl, heard) in [(closed.clone(), open.clone(), 1), (open, closed, 0)] {
        let (change, mut out) = (
            Change { kind: EventType::NodeCreated, path: "/x".into(), acl, parent_acl: Some(parent_acl) },
            Vec::new(),
        );
        let Server { tree, service, .. } = &mut bench.server;
        let (last_zxid, settings) = (tree.last, &bench.config.service);
        let cx = service::Cx { now: bench.now, clock_ms: 0, tree, last_zxid, settings };
        service.watches.add(&Rc::from("/"), ConnId(8), WatchMode::Child);
        service.fire(&change, last_zxid, cx, &mut out);
        assert_eq!(out.iter().filter(|output| matches!(output, service::Output::Send(..))).count(), heard);
    }
}

#[test]
fn quotas_are_told_of_what_is_done_or_refused_for_them() {
    let (mut settings, mut tree, mut counter) = (Bench::boot().config.service, Tree::new(""), 0);
    settings.enforce_quota = true;
    let mut apply = |op| {
        counter += 1;
        tree.apply(Zxid::new(1, counter), &Txn { session: SessionId(7), cxid: 0, time: 0, op });
    };
    apply(Op::CreateSession { timeout_ms: 4_000 });
    for (name, most) in
        [("soft", "count=1,bytes=-1"), ("hard", "count=-1,bytes=-1=;byteHardLimit=-1;countHardLimit=1")]
    {
        let at = format!("/zookeeper/quota/{name}");
        let (limits, stats) = (format!("{at}/zookeeper_limits"), format!("{at}/zookeeper_stats"));
        for (path, data) in [(format!("/{name}"), ""), (at, ""), (limits, most), (stats, "")] {
            let (path, data, acl) = (path.into(), Some(data.into()), Acl::open().into());
            apply(Op::Create { path, data, acl, owner: Owner::None, parent_cversion: 1, with_stat: false });
        }
    }
    let create = |path: &str| {
        let (path, data, acl, mode) = (path.into(), Some("x".into()), Acl::open(), CreateMode::Persistent);
        Request::Create { path, data, acl, mode, ttl: 0, stat: false, flags: None }
    };
    let fails = || Request::Delete { path: "/no".into(), version: -1 };
    for (request, told) in [
        (create("/soft"), 0), // it is there
        (create("/soft/x"), 1),
        (create("/hard/x"), 1),
        (Request::Multi { ops: vec![fails(), create("/soft/x")] }, 0),
        (Request::Multi { ops: vec![create("/soft/x"), fails(), create("/soft/y")] }, 1),
        (Request::Multi { ops: vec![create("/soft/x"), create("/hard/x"), create("/soft/y")] }, 2),
    ] {
        let cx =
            service::Cx { now: SimTime::ZERO, clock_ms: 0, tree: &tree, last_zxid: tree.last, settings: &settings };
        let (mut leading, mut out) = (Leading::new(cx, cx.now, &SortedSet::new()), Vec::new());
        let at = service::Place { last_proposed: tree.last, idle: true, next: None };
        leading.prepare(&asked(7, Body::Client(request)), false, at, cx, &mut out);
        assert_eq!(out.len(), told, "{out:?}");
    }
}

#[test]
fn a_throttled_connection_is_read_again_when_nothing_of_it_is_in_process() {
    let mut bench = serving();
    bench.config.service.global_outstanding_limit = 1;
    for number in 8..=10 {
        prepare(&mut bench, number, Body::CreateSession { timeout_ms: 4_000 });
        take_up(&mut bench, ConnId(number), SessionId(number));
    }
    for (conn, xid) in [(9, 1), (9, 2), (8, 1), (10, 1)] {
        let request = Request::Delete { path: "/no".into(), version: -1 };
        bench.tell(Input::FromClient(ConnId(conn), ToServer::Request { xid, request }));
    }
    let state = |bench: &Bench, conn| {
        let of = &bench.server.service.conns[&ConnId(conn)];
        (bench.server.service.waiting(ConnId(conn)), of.throttled)
    };
    assert_eq!([8, 9, 10].map(|conn| state(&bench, conn)), [(1, true), (2, true), (1, true)]);
    bench.finish_disk();
    assert_eq!([8, 9, 10].map(|conn| state(&bench, conn)), [(0, false); 3]);
}

#[test]
fn what_waits_is_counted_by_connection() {
    use super::pending::{Pending, Turn, Waiting};
    let mut pending = Pending::default();
    for _ in 0..2 {
        pending.push(SessionId(1), Waiting::Here { conn: ConnId(5), turn: Turn::Ping });
    }
    for conn in [Some(ConnId(5)), Some(ConnId(6)), None] {
        pending.push(SessionId(2), Waiting::Remote { conn, xid: 1, request: Request::CloseSession });
    }
    assert_eq!([5, 6, 7].map(|conn| pending.of(ConnId(conn))), [3, 1, 0]);
}

#[test]
fn only_what_stands_first_comes_back() {
    use super::pending::{Pending, Waiting};
    let (mut pending, session, conn) = (Pending::default(), SessionId(1), Some(ConnId(5)));
    let request = Request::Delete { path: "/x".into(), version: -1 };
    pending.push(session, Waiting::Remote { conn, xid: 3, request });
    assert_eq!(pending.take_remote(session, 2, true), None);
    assert_eq!(pending.take_remote(session, 3, false), None, "no sync");
    assert_eq!(pending.take_remote(session, 3, true), Some(conn));
}

#[test]
fn a_request_may_be_as_long_as_jute_allows() {
    let set = |length| Request::SetData { path: "/x".into(), data: Some("x".repeat(length).into()), version: -1 };
    let most = crate::base::limits::JUTE_MAX_BUFFER - set(0).bytes();
    for (length, stays) in [(most, true), (most + 1, false)] {
        let mut bench = serving();
        prepare(&mut bench, 7, Body::CreateSession { timeout_ms: 4_000 });
        take_up(&mut bench, ConnId(8), SessionId(7));
        bench.tell(Input::FromClient(ConnId(8), ToServer::Request { xid: 1, request: set(length) }));
        assert_eq!(connections(&bench).len(), usize::from(stays));
    }
}

#[test]
fn a_plain_write_whose_name_is_no_child_of_the_root_goes_to_data() {
    for text in ["a/b=1", "=1", "..=1", "zookeeper=1", "1"] {
        let mut bench = serving();
        bench.tell(Input::Write(7, text.into()));
        bench.finish_disk();
        let data = bench.server.tree.get("/data").and_then(|node| node.data.clone());
        assert_eq!(data, Some(text.into()));
    }
}
