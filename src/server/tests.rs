//! A server alone with a test: no world, only what goes in and what comes out.

use std::rc::Rc;

use crate::base::{ConnId, Prng, ServerId, ServerSet, SimTime, SortedSet, Stream, Zxid};
use crate::store::{Body, Limits, Op, Submitted, Tree, Txn};
use crate::wire::Request;
use crate::zab::{self, Members};

use super::*;

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
        let service = Settings {
            event_zxids: true,
            tick_time: 200_000,
            container_check: 60_000_000,
            max_never_used: 0,
            leader_serves: true,
            max_client_cnxns: 0,
            global_outstanding_limit: 1_000,
            local_sessions: false,
            local_upgrading: false,
            read_only_mode: false,
            enforce_quota: false,
            superuser: None,
            limits: Limits { extended_types: false },
            rules: crate::base::RuleSet::default(),
        };
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

#[test]
fn a_write_is_answered_when_it_is_on_disk_and_everything_between_stays_inside() {
    let mut bench = Bench::boot();
    while let Some(timer) = bench.timers.pop().filter(|_| !bench.server.peer.is_serving()) {
        bench.tell(Input::Timer(timer));
        bench.finish_disk();
    }
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
    let mut bench = Bench::boot();
    while let Some(timer) = bench.timers.pop().filter(|_| !bench.server.peer.is_serving()) {
        bench.tell(Input::Timer(timer));
        bench.finish_disk();
    }
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

/// One that serves (the two tests that are there could begin with it).
fn serving() -> Bench {
    let mut bench = Bench::boot();
    while let Some(timer) = bench.timers.pop().filter(|_| !bench.server.peer.is_serving()) {
        bench.tell(Input::Timer(timer));
        bench.finish_disk();
    }
    bench
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
fn a_session_that_is_being_closed_expires_no_more() {
    let mut bench = serving();
    let due = |bench: &Bench| bench.server.service.leading.as_ref().and_then(|leading| leading.due(SessionId(7)));
    prepare(&mut bench, 7, Body::CreateSession { timeout_ms: 4_000 });
    assert!(due(&bench).is_some());
    prepare(&mut bench, 7, Body::Client(Request::CloseSession));
    assert_eq!(due(&bench), None);
}

#[test]
fn a_new_leader_learns_whose_a_session_is_from_its_first_request() {
    let (bench, mut tree) = (Bench::boot(), Tree::new(""));
    let op = Op::CreateSession { timeout_ms: 4_000 };
    tree.apply(Zxid::new(1, 1), &Txn { session: SessionId(7), cxid: 0, time: 0, op });
    let (now, last_zxid, settings) = (bench.now, tree.last, &bench.config.service);
    let cx = service::Cx { now, clock_ms: 0, tree: &tree, last_zxid, settings };
    for (session, local, owner) in [(7, false, Some(ServerId(2))), (7, true, Some(ServerId(2))), (8, true, None)] {
        let mut leading = Leading::new(cx, now, &SortedSet::new());
        let at = service::Place { last_proposed: last_zxid, idle: true, next: None };
        let body = Body::Client(Request::Delete { path: "/x".into(), version: -1 });
        leading.prepare(&asked(session, body), local, at, cx, &mut Vec::new());
        assert_eq!(leading.owner(SessionId(session)), owner, "{session} {local}");
    }
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
fn a_plain_write_whose_name_is_no_child_of_the_root_goes_to_data() {
    for text in ["a/b=1", "=1", "..=1", "zookeeper=1", "1"] {
        let mut bench = serving();
        bench.tell(Input::Write(7, text.into()));
        bench.finish_disk();
        let data = bench.server.tree.get("/data").and_then(|node| node.data.clone());
        assert_eq!(data.as_deref(), Some(text));
    }
}
