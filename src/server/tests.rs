//! A server alone with a test: no world, only what goes in and what comes out.

use crate::base::{Prng, ServerId, ServerSet, SimTime, Stream, Zxid};
use crate::store::{Limits, Tree};
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
