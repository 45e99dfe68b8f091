//! Runs as people make them in the page: by clicks and typed commands, at irregular milliseconds, with pauses to look.

use std::rc::Rc;

use zabscope::base::{ClientId, Prng, ServerId, ServerSet, SimTime, Stream};
use zabscope::recipes::{CuratorConfig, Kind, Method, Recipe, Script, Step, ThreadId};
use zabscope::sim::{Action, LatencyRange, MoveTo, Run, Setup};
use zabscope::wire::{Acl, CreateMode, Request};

/// An ensemble of five.
pub fn lesson_setup() -> Setup {
    Setup { voters: 5, ..Setup::default() }
}

const PATHS: [&str; 9] =
    ["/app", "/app/config", "/app/members", "/tasks", "/tasks/a", "/x", "/locks", "/leader", "/app/members/one"];
const DATA: [&str; 5] = ["hello", "1", "on", "blue", "primary"];

struct Hand {
    prng: Prng,
    run: Run,
    now: u64,
    clients: Vec<ClientId>,
    programs: u32,
    last: ServerId,
}

/// A run of so many clicks; `servers` of ten are about servers.
pub fn clicks(seed: u64, count: usize, servers: u32, setup: Setup) -> Run {
    let run = Run::new(seed * 7919, setup);
    let prng = Prng::new(seed, Stream::Faults);
    let mut hand = Hand { prng, run, now: 900, clients: Vec::new(), programs: 0, last: ServerId(1) };
    while hand.run.actions.len() < count {
        // virtual time runs at a thirtieth mostly: a second of thinking is 33 ms; sometimes faster
        let longest = [60, 300, 2_500][hand.prng.below(3) as usize];
        hand.now += hand.prng.between(4, longest);
        if hand.prng.chance(servers, 10) { hand.server() } else { hand.client() }
    }
    hand.run.actions.truncate(count);
    hand.run
}

impl Hand {
    fn act(&mut self, action: Action) {
        self.run.push(SimTime::from_ms(self.now), action);
    }

    fn pick(&mut self) -> ServerId {
        // one mostly stays with what one has just looked at
        if self.prng.chance(2, 3) {
            self.last = ServerId(1 + self.prng.below(self.run.setup.voters.into()) as u8);
        }
        self.last
    }

    fn server(&mut self) {
        let server = self.pick();
        let one = |id: ServerId| -> ServerSet { [id].into_iter().collect() };
        let others: ServerSet = (1..=self.run.setup.voters).map(ServerId).filter(|id| *id != server).collect();
        let action = match self.prng.below(16) {
            0..=2 => Action::Crash { server },
            3..=5 => Action::Restart { server },
            6 => Action::Pause { server },
            7 => Action::Resume { server },
            8 => Action::Cut { from: one(server), to: others, one_way: false },
            9 => Action::Heal { from: one(server), to: others, one_way: false },
            10 => {
                let to = self.pick();
                Action::Cut { from: one(server), to: one(to), one_way: self.prng.chance(1, 3) }
            }
            11 => Action::HealAll,
            12 => Action::Disk { server, sync: LatencyRange::ms(60, 120) },
            _ => {
                let data = format!("x={}", self.run.actions.len() + 1);
                Action::Write { server, data, count: 1, every_us: 0 }
            }
        };
        self.act(action);
    }

    fn client(&mut self) {
        if self.clients.is_empty() || (self.clients.len() < 8 && self.prng.chance(1, 8)) {
            let client = ClientId(self.clients.len() as u16 + 1);
            self.clients.push(client);
            let servers = vec![self.pick()];
            return self.act(Action::OpenClient { client, servers, timeout_ms: 4_000, chroot: None, raw: false });
        }
        let client = self.clients[self.prng.below(self.clients.len() as u32) as usize];
        match self.prng.below(20) {
            0 => self.act(Action::PauseClient { client }),
            1 => self.act(Action::ResumeClient { client }),
            2 => self.act(Action::KillClient { client }),
            3 => {
                let server = self.pick();
                let to = MoveTo { server, wrong_password: false, claim_ahead: false, keep_old: false };
                self.act(Action::MoveClient { client, to });
            }
            4 => self.act(Action::DisconnectClient { client }),
            5 => self.act(Action::ExpireClient { client }),
            6 => self.program(client),
            _ => {
                let request = self.request();
                let (watcher, local, on_old_connection) = (None, false, false);
                self.act(Action::Ask { client, request, watcher, local, on_old_connection });
            }
        }
    }

    fn request(&mut self) -> Request {
        let path: Rc<str> = PATHS[self.prng.below(PATHS.len() as u32) as usize].into();
        let watch = self.prng.chance(1, 4);
        let data = Some(DATA[self.prng.below(DATA.len() as u32) as usize].into());
        match self.prng.below(10) {
            0..=3 => {
                let modes = [
                    CreateMode::Persistent,
                    CreateMode::Persistent,
                    CreateMode::Ephemeral,
                    CreateMode::EphemeralSequential,
                ];
                let mode = modes[self.prng.below(4) as usize];
                Request::Create { path, data, acl: Acl::open(), mode, ttl: 0, stat: false, flags: None }
            }
            4..=5 => Request::GetData { path, watch },
            6 => Request::GetChildren { path, watch, stat: false },
            7 => Request::Exists { path, watch },
            8 => Request::SetData { path, data, version: -1 },
            _ => Request::Delete { path, version: -1 },
        }
    }

    fn program(&mut self, client: ClientId) {
        self.programs += 1;
        let kind = [Kind::MUTEX, Kind::LATCH, Kind::SEMAPHORE][self.prng.below(3) as usize];
        let recipe =
            Recipe { kind, path: "/locks/one".into(), count: None, id: None, hold_ms: None, with: Vec::new() };
        let object: Rc<str> = "lock".into();
        let call = |method: &str| Step::Call {
            object: "lock".into(),
            method: Method { method: method.into(), timeout_ms: None, data: None },
        };
        let work = Step::Work { ms: 100 * u64::from(1 + self.prng.below(5)), heedless: false };
        let script = Script { steps: vec![call("acquire"), work, call("release")], times: 10, in_callback: false };
        self.act(Action::SetUpCurator { client, config: CuratorConfig::default() });
        self.act(Action::MakeRecipe { client, object, recipe });
        self.act(Action::RunThread { client, thread: ThreadId::MAIN, script });
    }
}
