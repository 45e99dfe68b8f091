//! Runs about recipes. What is fixed is who comes when; who wins comes out.

use crate::base::{ClientId, ServerId};
use crate::recipes::{Kind, Method, Recipe, Script, Step, ThreadId};
use crate::sim::action::Action;
use crate::sim::run::{Run, Setup};

use super::{Args, Make, Param, Scenario, run};

/// These runs, in the order in which they are shown.
pub(super) const RECIPES: [Scenario; 2] = [
    Scenario {
        id: "lock-mutex",
        about: "Curator's InterProcessMutex: sequential nodes, each waiter watches the one before it.",
        until_ms: 6_000,
        make: Make::With(CONTEST, |args| contest(args, Kind::Mutex)),
    },
    Scenario {
        id: "lock-pause",
        about: "The holder is paused past its session timeout, another acquires, the first writes on: two holders.",
        until_ms: 14_000,
        make: Make::With(PAUSE, pause),
    },
];

const CLIENTS: Param = Param { name: "clients", about: "how many contend", default: 5, least: 2, most: 200 };
const HOLD: Param =
    Param { name: "hold_ms", about: "how long each holds it, ms", default: 300, least: 0, most: 60_000 };
const ROUNDS: Param = Param { name: "rounds", about: "how often each wants it", default: 1, least: 1, most: 1_000 };
const TIMEOUT: Param = Param {
    name: "timeout_ms",
    about: "the session timeout asked for, ms",
    default: 4_000,
    least: 400,
    most: 40_000,
};
const WORK: Param = Param {
    name: "hold_ms",
    about: "how long each works with the lock, ms",
    default: 2_000,
    least: 1_500,
    most: 60_000,
};
const FENCING: Param = Param {
    name: "fencing",
    about: "whether the resource refuses old tokens, 0 or 1",
    default: 0,
    least: 0,
    most: 1,
};

const CONTEST: &[Param] = &[CLIENTS, HOLD, ROUNDS, TIMEOUT];
const PAUSE: &[Param] = &[WORK, TIMEOUT, FENCING];

/// When the ensemble serves for certain, ms.
const SERVES: u64 = 1_500;
/// When programs begin, ms.
const BEGINS: u64 = 2_500;

/// Three servers, and clients that are connected to one after another.
fn opened(clients: u16, timeout_ms: u64) -> Vec<(u64, Action)> {
    let open = |number: u16| {
        let servers = vec![ServerId(1 + (number % 3) as u8)];
        let (client, timeout_ms) = (ClientId(number), timeout_ms as u32);
        let at = SERVES + u64::from(number) * 400 / u64::from(clients);
        (at, Action::OpenClient { client, servers, timeout_ms, chroot: None, raw: false })
    };
    (1..=clients).map(open).collect()
}

fn make(client: u16, object: &str, kind: Kind, path: &str) -> Action {
    let recipe = Recipe { kind, path: path.into(), count: None, id: None, hold_ms: None, with: Vec::new() };
    Action::MakeRecipe { client: ClientId(client), object: object.into(), recipe }
}

fn call(object: &str, method: &str) -> Step {
    Step::Call { object: object.into(), method: Method { method: method.into(), timeout_ms: None, data: None } }
}

fn thread(client: u16, steps: Vec<Step>, times: u64) -> Action {
    let script = Script { steps, times: times as u32 };
    Action::RunThread { client: ClientId(client), thread: ThreadId::MAIN, script }
}

/// All come shortly after one another, and each holds it for a while.
fn contest(args: &Args, kind: Kind) -> (Run, u64) {
    let (clients, hold, rounds) = (args.get("clients") as u16, args.get("hold_ms"), args.get("rounds"));
    let mut actions = opened(clients, args.get("timeout_ms"));
    for client in 1..=clients {
        let at = BEGINS + u64::from(client) * 40;
        let steps = vec![call("lock", "acquire"), Step::Work { ms: hold, heedless: false }, call("lock", "release")];
        actions.push((at, make(client, "lock", kind, "/lock")));
        actions.push((at, thread(client, steps, rounds)));
    }
    let clients = u64::from(clients);
    (run(Setup::default(), actions), BEGINS + clients * 40 + rounds * clients * (hold + 250) + 1_000)
}

/// One client holds the lock and writes to a store outside of the ensemble; in the middle of it, its process stops.
fn pause(args: &Args) -> (Run, u64) {
    let (hold, timeout) = (args.get("hold_ms"), args.get("timeout_ms"));
    let fenced = args.get("fencing") == 1;
    let mut actions = opened(2, timeout);
    for client in 1..=2 {
        let at = BEGINS + u64::from(client) * 600;
        let used = || Step::Use { object: "lock".into(), resource: "store".into(), fenced };
        let steps = vec![
            call("lock", "acquire"),
            used(),
            Step::Work { ms: hold, heedless: true },
            used(),
            call("lock", "release"),
        ];
        actions.push((at, make(client, "lock", Kind::Mutex, "/lock")));
        actions.push((at, thread(client, steps, 1)));
    }
    let stops = BEGINS + 600 + 900;
    actions.push((stops, Action::PauseClient { client: ClientId(1) }));
    actions.push((stops + timeout + timeout / 2, Action::ResumeClient { client: ClientId(1) }));
    (run(Setup::default(), actions), stops + timeout * 2 + 1_000)
}
