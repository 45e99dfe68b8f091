//! A toy: a number that is kept on disk and told to a twin with each ping. The larger number wins.

use serde::Serialize;

use zabscope::base::rows::Rows;
use zabscope::base::{ConnId, Node, Prng};
use zabscope::daemon::{Badge, BadgeLine, Cx, Daemon, Env, Interest, Say, Told, Tongue};

const PING_US: u64 = 100_000;

/// What two counters say to each other.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Ping {
    pub count: u64,
}

impl Say for Ping {
    fn name(&self) -> &'static str {
        "COUNTER_PING"
    }

    fn text(&self, tongue: Tongue) -> String {
        match tongue {
            Tongue::English => format!("says that the count is {}", self.count),
            Tongue::Chinese => format!("告知计数为 {}", self.count),
        }
    }

    fn interest(&self) -> Interest {
        Interest::Noise
    }

    fn label(&self) -> String {
        self.count.to_string()
    }
}

/// The count is on disk.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Counted {
    pub count: u64,
}

impl Say for Counted {
    fn name(&self) -> &'static str {
        "counter_counted"
    }

    fn text(&self, tongue: Tongue) -> String {
        match tongue {
            Tongue::English => format!("The count {} is on disk.", self.count),
            Tongue::Chinese => format!("计数 {} 已落盘。", self.count),
        }
    }

    fn why(&self, tongue: Tongue) -> Option<String> {
        let why = match tongue {
            Tongue::English => "A count is told only once it is on disk.",
            Tongue::Chinese => "计数落盘之后才会告知。",
        };
        Some(why.into())
    }
}

/// One of two counters.
#[derive(Clone, Debug)]
pub struct Counter {
    count: u64,
    twin: Option<ConnId>,
}

impl Daemon for Counter {
    const KIND: &'static str = "Counter";
    /// The twin, for the one of the two that dials.
    type Config = Option<Node>;
    type Message = Ping;
    type Timer = &'static str;
    type Job = u64;
    type Files = u64;
    type Fact = Counted;

    fn start(_: Prng, cx: &mut Cx<Self>) -> Counter {
        cx.listen(true);
        cx.set_timer("ping", cx.env.now.plus(PING_US));
        Counter { count: *cx.files, twin: None }
    }

    fn handle(&mut self, told: Told<Self>, cx: &mut Cx<Self>) {
        match told {
            Told::Timer(_) => {
                cx.set_timer("ping", cx.env.now.plus(PING_US));
                match (self.twin, cx.config) {
                    // what is only in memory is not told
                    (Some(twin), _) => cx.send(twin, Ping { count: *cx.files }),
                    (None, Some(twin)) => drop(cx.dial(*twin)),
                    (None, None) => {}
                }
            }
            Told::Accepted(conn, _) | Told::Connected(conn) => self.twin = Some(conn),
            Told::Closed(_) => self.twin = None,
            Told::Message(_, Ping { count }) if count > self.count => {
                self.count = count;
                cx.persist(count);
            }
            Told::Write(_, data) => {
                self.count += data.parse::<u64>().unwrap_or(1);
                cx.persist(self.count);
            }
            Told::Persisted(count) => cx.fact(Counted { count }),
            Told::Message(..) | Told::Refused(_) => {}
        }
    }

    fn write(files: &mut u64, job: &u64) -> Option<Counted> {
        *files = *job;
        None
    }

    fn badge(counter: Option<&Counter>, on_disk: &u64, _: &Env) -> Badge {
        let count = counter.map_or(*on_disk, |counter| counter.count);
        let line = BadgeLine { label: "count".into(), value: count.to_string(), ..BadgeLine::default() };
        Badge { role: "COUNTER", lines: vec![line], ..Badge::default() }
    }

    fn rows(&self, rows: &mut Rows) {
        rows.put("count", &self.count);
        rows.conn("twin", self.twin);
    }

    fn file_rows(files: &u64, rows: &mut Rows) {
        rows.put("countOnDisk", files);
    }
}
