//! Runs about what is built from recipes and plain operations.

use crate::base::ClientId;
use crate::recipes::{Kind, Recipe};
use crate::sim::action::Action;
use crate::sim::run::{Run, Setup};

use super::recipes::{BEGINS, call, call_with, make, opened, recipe, thread, work};
use super::{Make, Scenario, run};

/// These runs, in the order in which they are shown.
pub(super) const USES: [Scenario; 7] = [
    Scenario {
        id: "use-master-worker",
        about: "A master assigns tasks to workers; a worker dies, then the master, and the backup takes over.",
        until_ms: 20_000,
        make: Make::Plain(master_worker),
    },
    Scenario {
        id: "use-config",
        about: "Configuration: published once, every subscriber hears of it and reads the new value.",
        until_ms: 6_500,
        make: Make::Plain(config),
    },
    Scenario {
        id: "use-naming",
        about: "Services register their addresses; a balancer follows who comes and goes.",
        until_ms: 12_000,
        make: Make::Plain(naming),
    },
    Scenario {
        id: "use-standby",
        about: "Hot standby: the smallest runs, the others wait, and the next goes on from lastCommit.",
        until_ms: 13_000,
        make: Make::Plain(standby),
    },
    Scenario {
        id: "use-collectors",
        about: "Log collectors register, sources are shared out; one falls silent and its sources move.",
        until_ms: 15_000,
        make: Make::Plain(collectors),
    },
    Scenario {
        id: "use-queue",
        about: "A FIFO queue: two producers, two consumers that race for each item.",
        until_ms: 7_000,
        make: Make::Plain(queue),
    },
    Scenario {
        id: "use-barrier",
        about: "A double barrier: nobody begins before all have come, nobody leaves before all are done.",
        until_ms: 8_000,
        make: Make::Plain(barrier),
    },
];

const TIMEOUT: u64 = 4_000;

/// Clients with the same object, each with its own id.
fn members(clients: u16, object: &str, made: &Recipe) -> Vec<(u64, Action)> {
    let mut actions = opened(clients, TIMEOUT);
    for client in 1..=clients {
        let made = Recipe { id: Some(format!("c{client}").into()), ..made.clone() };
        actions.push((BEGINS, make(client, object, made)));
    }
    actions
}

/// One step of one client at a time, ms after the beginning.
fn does(after: u64, client: u16, object: &str, method: &str, data: Option<&str>) -> (u64, Action) {
    (BEGINS + after, thread(client, vec![call_with(object, method, data)], 1))
}

fn kills(after: u64, client: u16) -> (u64, Action) {
    (BEGINS + after, Action::KillClient { client: ClientId(client) })
}

fn master_worker() -> Run {
    let mut actions = members(5, "app", &recipe(Kind::MasterWorker, "/app"));
    actions.extend([
        does(50, 1, "app", "master", None),
        does(700, 2, "app", "master", None),
        does(900, 3, "app", "worker", Some("1500")),
        does(1_000, 4, "app", "worker", Some("1500")),
    ]);
    let submit = ["a", "b", "c", "d"].map(|task| call_with("app", "submit", Some(task)));
    actions.push((BEGINS + 2_000, thread(5, submit.to_vec(), 1)));
    actions.extend([kills(4_000, 3), kills(9_000, 1), does(15_000, 5, "app", "submit", Some("e"))]);
    run(Setup::default(), actions)
}

fn config() -> Run {
    let mut actions = members(4, "config", &recipe(Kind::Config, "/config"));
    actions.extend([
        does(50, 2, "config", "subscribe", None),
        does(100, 3, "config", "subscribe", None),
        does(800, 1, "config", "publish", Some("limit=10")),
        does(1_600, 4, "config", "subscribe", None),
        does(2_400, 1, "config", "publish", Some("limit=20")),
    ]);
    run(Setup::default(), actions)
}

fn naming() -> Run {
    let mut actions = members(4, "web", &recipe(Kind::Naming, "/services/web"));
    actions.push(does(50, 4, "web", "follow", None));
    actions.push(does(500, 1, "web", "register", Some("10.0.0.1:80")));
    actions.push(does(900, 2, "web", "register", Some("10.0.0.2:80")));
    actions.push(does(1_300, 3, "web", "register", Some("10.0.0.3:80")));
    let lookups = [1, 2, 3, 4].map(|_| call("web", "lookup"));
    actions.push((BEGINS + 2_200, thread(4, lookups.to_vec(), 1)));
    actions.extend([kills(3_000, 1), does(3_500, 2, "web", "unregister", None)]);
    actions.push(does(8_500, 4, "web", "lookup", None));
    run(Setup::default(), actions)
}

fn standby() -> Run {
    let mut actions = members(3, "task", &recipe(Kind::Standby, "/bus/copy"));
    actions.extend((1..=3).map(|client| does(u64::from(client) * 200, client, "task", "hot", None)));
    actions.push(kills(3_500, 1));
    run(Setup::default(), actions)
}

fn collectors() -> Run {
    let mut actions = members(4, "logs", &recipe(Kind::Collectors, "/logs"));
    actions.push(does(50, 1, "logs", "monitor", None));
    let sources = ["s1", "s2", "s3", "s4"].map(|source| call_with("logs", "source", Some(source)));
    actions.push((BEGINS + 700, thread(1, sources.to_vec(), 1)));
    actions.extend([does(900, 2, "logs", "collect", None), does(1_100, 3, "logs", "collect", None)]);
    actions.extend([kills(4_000, 2), does(10_000, 4, "logs", "collect", None)]);
    run(Setup::default(), actions)
}

fn queue() -> Run {
    let mut actions = members(4, "queue", &recipe(Kind::SimpleQueue, "/queue"));
    for client in [3, 4] {
        let takes = vec![call("queue", "take"), work(250)];
        actions.push((BEGINS + 50, thread(client, takes, 4)));
    }
    for client in [1, 2] {
        let offers = (1..=4).flat_map(|item| {
            let data = format!("{}{item}", if client == 1 { 'a' } else { 'b' });
            [call_with("queue", "offer", Some(&data)), work(200)]
        });
        actions.push((BEGINS + 600 + u64::from(client) * 50, thread(client, offers.collect(), 1)));
    }
    run(Setup::default(), actions)
}

fn barrier() -> Run {
    let made = Recipe { count: Some(4), ..recipe(Kind::DoubleBarrier, "/barrier") };
    let mut actions = members(4, "barrier", &made);
    for client in 1..=4u16 {
        let steps = vec![call("barrier", "enter"), work(500 + u64::from(client) * 250), call("barrier", "leave")];
        actions.push((BEGINS + u64::from(client) * 500, thread(client, steps, 1)));
    }
    run(Setup::default(), actions)
}
