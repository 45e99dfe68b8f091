//! A stage for recipes: an ensemble, clients, and what their programs told.

use std::rc::Rc;

use zabscope::base::{ClientId, SimTime, Zxid};
use zabscope::client::Fact as Inside;
use zabscope::recipes::{CuratorConfig, Fact as Told, Kind, Method, Recipe, Script, Step, ThreadId};
use zabscope::sim::{Action, Fact, Player, Record, Run, Setup, WorldFact};
use zabscope::wire::{Acl, CreateMode, Request};

/// A run that is played by hand.
pub struct Stage {
    pub player: Player,
    pub records: Vec<Rc<Record>>,
}

pub fn recipe(kind: Kind, path: &str) -> Recipe {
    Recipe { kind, path: path.into(), count: None, id: None, hold_ms: None, with: Vec::new() }
}

pub fn call(object: &str, method: &str) -> Step {
    Step::Call { object: object.into(), method: Method { method: method.into(), timeout_ms: None, data: None } }
}

pub fn call_for(object: &str, method: &str, timeout_ms: u64) -> Step {
    let method = Method { method: method.into(), timeout_ms: Some(timeout_ms), data: None };
    Step::Call { object: object.into(), method }
}

pub fn work(ms: u64) -> Step {
    Step::Work { ms, heedless: false }
}

impl Stage {
    /// Three servers that serve, and this many clients that are connected.
    pub fn new(clients: u16) -> Stage {
        Stage::of(clients, 1, Setup::default())
    }

    pub fn of(clients: u16, seed: u64, setup: Setup) -> Stage {
        let mut stage = Stage { player: Player::new(Run::new(seed, setup)).expect("a run"), records: Vec::new() };
        stage.pass(3_000);
        for client in 1..=clients {
            stage.open(client);
        }
        stage.pass(1_000);
        stage
    }

    pub fn open(&mut self, client: u16) {
        let client = ClientId(client);
        self.act(Action::OpenClient { client, servers: Vec::new(), timeout_ms: 4_000, chroot: None, raw: false });
    }

    /// Every client makes the same object.
    pub fn everybody_makes(&mut self, clients: u16, object: &str, recipe: &Recipe) {
        for client in 1..=clients {
            self.make(client, object, recipe.clone());
        }
    }

    pub fn make(&mut self, client: u16, object: &str, recipe: Recipe) {
        self.act(Action::MakeRecipe { client: ClientId(client), object: object.into(), recipe });
    }

    pub fn set_up(&mut self, client: u16, config: CuratorConfig) {
        self.act(Action::SetUpCurator { client: ClientId(client), config });
    }

    /// Runs steps on a client's first thread, and lets time pass until nothing moves.
    pub fn run(&mut self, client: u16, steps: &[Step]) {
        self.run_on(client, 1, steps);
    }

    pub fn run_on(&mut self, client: u16, thread: u32, steps: &[Step]) {
        let script = Script { steps: steps.to_vec(), times: 1, in_callback: false };
        self.act(Action::RunThread { client: ClientId(client), thread: ThreadId(thread), script });
        self.pass(500);
    }

    pub fn act(&mut self, action: Action) {
        let shown = format!("{action:?}");
        let records = &mut self.records;
        let from = records.len();
        self.player.act(action, |_, told| records.extend_from_slice(told)).expect("an action");
        let refused =
            self.records[from..].iter().find(|record| format!("{:?}", record.fact).contains("ActionRefused"));
        assert!(refused.is_none(), "{shown}: {refused:?}");
    }

    pub fn pass(&mut self, ms: u64) {
        let until = SimTime::from_ms(self.player.world().now.as_ms() + ms);
        let records = &mut self.records;
        self.player.run_until(until, |_, told| records.extend_from_slice(told));
    }

    /// What a client's program told, from a place in the records on.
    pub fn told(&self, client: u16) -> Vec<Told> {
        let of = |record: &Rc<Record>| match &record.fact {
            Fact::Program { client: who, fact } if *who == ClientId(client) => Some(fact.clone()),
            _ => None,
        };
        self.records.iter().filter_map(of).collect()
    }

    /// Who holds the path, as far as they know, in the order of acquiring.
    pub fn holders(&self, path: &str) -> Vec<(u16, u32)> {
        let mut holders = Vec::new();
        for record in &self.records {
            let Fact::Program { client, fact } = &record.fact else { continue };
            match fact {
                Told::Acquired { thread, path: held, .. } if **held == *path => holders.push((client.0, thread.0)),
                Told::Released { thread, path: held, .. } if **held == *path => {
                    holders.retain(|holder| *holder != (client.0, thread.0));
                }
                _ => {}
            }
        }
        holders
    }

    /// The children of a node, as the first server that serves has them.
    pub fn children(&self, path: &str) -> Vec<Rc<str>> {
        let world = self.player.world();
        let tree = world.processes.values().filter_map(|process| process.server()).map(|server| &server.tree);
        let newest = tree.max_by_key(|tree| tree.last).expect("a server");
        let prefix = format!("{path}/");
        newest.below(&prefix).map(|(path, _)| path.clone()).collect()
    }
}

pub fn call_with(object: &str, method: &str, data: &str) -> Step {
    let method = Method { method: method.into(), timeout_ms: None, data: Some(data.into()) };
    Step::Call { object: object.into(), method }
}

pub fn create(path: &str, data: &str, mode: CreateMode) -> Request {
    let (path, data, acl) = (path.into(), Some(data.into()), Acl::open());
    Request::Create { path, data, acl, mode, ttl: 0, stat: false, flags: None }
}

pub fn set(path: &str, data: &str) -> Request {
    Request::SetData { path: path.into(), data: Some(data.into()), version: -1 }
}

pub fn delete(path: &str) -> Request {
    Request::Delete { path: path.into(), version: -1 }
}

/// What the program of a client is, for tests that watch it from outside.
impl Stage {
    pub fn disconnect(&mut self, client: u16) {
        self.act(Action::DisconnectClient { client: ClientId(client) });
    }

    pub fn expire(&mut self, client: u16) {
        self.act(Action::ExpireClient { client: ClientId(client) });
    }

    /// Sends a request that no program asks for, and lets no time pass.
    pub fn ask(&mut self, client: u16, request: Request) {
        let client = ClientId(client);
        self.act(Action::Ask { client, request, watcher: None, local: false, on_old_connection: false });
    }

    pub fn interrupt(&mut self, client: u16, thread: u32) {
        self.act(Action::InterruptThread { client: ClientId(client), thread: ThreadId(thread) });
    }

    /// Lets steps begin, and no time pass.
    pub fn begin(&mut self, client: u16, thread: u32, steps: &[Step]) {
        let script = Script { steps: steps.to_vec(), times: 1, in_callback: false };
        self.act(Action::RunThread { client: ClientId(client), thread: ThreadId(thread), script });
    }

    /// Lets time pass in small steps until something has happened.
    pub fn until(&mut self, what: &str, happened: impl Fn(&Stage) -> bool) {
        let last = SimTime::from_ms(self.player.world().now.as_ms() + 60_000);
        while !happened(self) {
            let until = self.player.world().now.plus(50);
            assert!(until < last, "never: {what}");
            let records = &mut self.records;
            self.player.run_until(until, |_, told| records.extend_from_slice(told));
        }
    }

    /// A client's requests as text, from the last `mark` on.
    pub fn asked(&self, client: u16, from: usize) -> Vec<String> {
        let of = |record: &Rc<Record>| match &record.fact {
            Fact::Client { client: who, fact: Inside::Called { request, .. } } if *who == ClientId(client) => {
                Some(format!("{} {}", request.name(), request.path()))
            }
            _ => None,
        };
        self.records[from..].iter().filter_map(of).collect()
    }

    /// What its methods came to, in order.
    pub fn returned(&self, client: u16) -> Vec<String> {
        let of = |told: Told| match told {
            Told::MethodReturned { method, outcome: Ok(value), .. } => Some(format!("{method} {value}")),
            Told::MethodReturned { method, outcome: Err(exception), .. } => Some(format!("{method} {exception}")),
            _ => None,
        };
        self.told(client).into_iter().filter_map(of).collect()
    }

    /// What the last of them came to; nothing before there is one.
    pub fn last_returned(&self, client: u16) -> String {
        self.returned(client).pop().unwrap_or_default()
    }

    /// The tokens that were shown to resources.
    pub fn tokens(&self) -> Vec<Option<Zxid>> {
        let of = |record: &Rc<Record>| match &record.fact {
            Fact::World(WorldFact::ResourceWritten { token, .. }) => Some(*token),
            _ => None,
        };
        self.records.iter().filter_map(of).collect()
    }

    /// What a picture of the client shows of its copy: where it is of, whether of what is below, what it has.
    pub fn believed(&self, client: u16) -> Option<(String, bool, String)> {
        let copy = self.player.world().clients[&ClientId(client)].app.as_ref()?.copy()?;
        Some((copy.path.to_string(), copy.below, copy.values.join(" ")))
    }

    /// What it said with a word.
    pub fn said(&self, client: u16, word: &str) -> Vec<Rc<str>> {
        let of = |told: Told| match told {
            Told::Told { what, about, .. } if what == word => Some(about),
            Told::Consumed { data, .. } if word == "consumed" => Some(data.shown().into()),
            _ => None,
        };
        self.told(client).into_iter().filter_map(of).collect()
    }

    /// A node's data as they are shown, of the server that is furthest.
    pub fn data(&self, path: &str) -> Option<Rc<str>> {
        let world = self.player.world();
        let tree = world.processes.values().filter_map(|process| process.server()).map(|server| &server.tree);
        tree.max_by_key(|tree| tree.last)
            .and_then(|tree| tree.get(path))
            .and_then(|node| Some(node.data.as_ref()?.shown().into()))
    }
}
