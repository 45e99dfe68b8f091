//! Programs with recipes beside the crowd: clients of their own, whose threads want the same few things again and again while
//! servers and clients fail. Drawn from a stream of their own, so that the crowd of a seed stays what it is.
//!
//! To let another kind take part: a line in [`PLAYS`].

use std::rc::Rc;

use crate::base::{ClientId, Micros, Prng, ServerId, SimTime, Stream};
use crate::recipes::{CuratorConfig, ErrorPolicy, Kind, Method, Recipe, RetryPolicy, Script, Step, ThreadId};
use crate::sim::{Action, MoveTo, Run};

use crate::soak::swarm::pick;

/// The highest number of a program's client: those of the crowd are low.
const LAST_CLIENT: u16 = 999;

/// How a kind is played: what it is called, made of, and what a thread does with it.
pub(super) struct Play {
    pub kind: Kind,
    count: Option<u32>,
    words: &'static [&'static str],
    script: fn(&mut Draw) -> Vec<Step>,
}

/// Who takes part. Not the locks written by hand, which break in ways that `tests/recipes` shows: with sequential
/// nodes, a create whose reply is lost leaves a node that nobody knows of, and everybody waits behind it; with one
/// name for all, a delete that comes late takes the successor's node.
const PLAYS: &[Play] = &[
    Play { kind: Kind::MUTEX, count: None, words: &[], script: lock },
    // without the word it lets a writer in beside a downgraded reader (CURATOR-621)
    Play { kind: Kind::READ_WRITE, count: None, words: &["keeps_place"], script: read_or_write },
    Play { kind: Kind::SEMAPHORE, count: Some(2), words: &[], script: lock },
    Play { kind: Kind::SEMAPHORE_MUTEX, count: None, words: &[], script: lock },
    Play { kind: Kind::LATCH, count: None, words: &[], script: term },
    Play { kind: Kind::SELECTOR, count: None, words: &["auto_requeue"], script: terms },
];

/// Draws scripts.
pub(super) struct Draw<'a> {
    prng: &'a mut Prng,
    object: &'a str,
    longest_ms: u64,
    heedless: bool,
}

impl Draw<'_> {
    /// A call that comes back when its time is over.
    fn timed(&mut self, method: &str) -> Step {
        let timeout_ms = Some(pick(self.prng, &[0, 50, 500, 3_000]));
        let method = Method { method: method.into(), timeout_ms, data: None };
        Step::Call { object: self.object.into(), method }
    }

    fn untimed(&mut self, method: &str) -> Step {
        Step::Call {
            object: self.object.into(),
            method: Method { method: method.into(), timeout_ms: None, data: None },
        }
    }

    fn call(&mut self, method: &str) -> Step {
        if self.prng.chance(1, 4) { self.timed(method) } else { self.untimed(method) }
    }

    /// Some work, and sometimes a write to something outside.
    fn work(&mut self) -> Vec<Step> {
        let ms = self.prng.between(0, self.longest_ms);
        let mut steps = vec![Step::Work { ms, heedless: self.heedless }];
        if self.heedless || self.prng.chance(1, 3) {
            let (object, resource, fenced) = (self.object.into(), "store".into(), self.prng.chance(1, 2));
            steps.push(Step::Use { object, resource, fenced });
        }
        steps
    }

    fn pause(&mut self) -> Step {
        Step::Work { ms: self.prng.between(0, 600), heedless: false }
    }
}

fn around(draw: &mut Draw, acquire: &str, release: &str) -> Vec<Step> {
    let mut steps = vec![draw.call(acquire)];
    steps.extend(draw.work());
    steps.extend([draw.untimed(release), draw.pause()]);
    steps
}

fn lock(draw: &mut Draw) -> Vec<Step> {
    around(draw, "acquire", "release")
}

/// Reads, writes, or writes and then only reads.
fn read_or_write(draw: &mut Draw) -> Vec<Step> {
    match draw.prng.below(5) {
        0 | 1 => around(draw, "read.acquire", "read.release"),
        2 | 3 => around(draw, "write.acquire", "write.release"),
        _ => {
            let mut steps = vec![draw.untimed("write.acquire"), draw.untimed("read.acquire")];
            steps.push(draw.untimed("write.release"));
            // it uses nothing: the session may have been lost while it gave the write lock back, and no step looks at that
            steps.push(Step::Work { ms: draw.prng.between(0, draw.longest_ms), heedless: false });
            steps.extend([draw.untimed("read.release"), draw.pause()]);
            steps
        }
    }
}

/// Stands for election for a time, once.
fn term(draw: &mut Draw) -> Vec<Step> {
    vec![
        draw.untimed("start"),
        Step::Work { ms: draw.prng.between(500, 20_000), heedless: false },
        draw.untimed("close"),
    ]
}

/// Stands for election, and gives leadership up now and then.
fn terms(draw: &mut Draw) -> Vec<Step> {
    let mut steps = vec![draw.untimed("start")];
    for _ in 0..8 {
        steps.extend([draw.pause(), draw.pause(), draw.untimed("relinquish")]);
    }
    steps.push(draw.untimed("close"));
    steps
}

/// A rule of programs that can be broken on purpose: a word of recipes, or of work.
pub type BrokenWord = &'static str;

/// Work that goes on whatever becomes of the connection.
const HEEDLESS: BrokenWord = "heedless";

/// Those that there are.
pub const BROKEN_WORDS: &[BrokenWord] =
    &["watches_first", "never_looks_again", "unprotected", "persistent", HEEDLESS];

/// The programs of one random run.
pub(super) struct Programs {
    prng: Prng,
    broken: Option<BrokenWord>,
    first: u16,
    clients: u16,
    servers: u32,
    threads: u32,
    plays: Vec<&'static Play>,
    /// How long threads work at most, ms.
    longest_ms: u64,
    /// The longest pause between two deeds.
    gap_us: Micros,
    deeds: Vec<Deed>,
    timeouts_ms: [u32; 3],
    config: CuratorConfig,
}

/// What is done to a client with a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Deed {
    Pause,
    Kill,
    Disconnect,
    Move,
    Expire,
    Interrupt,
}

const DEEDS: [Deed; 6] = [Deed::Pause, Deed::Kill, Deed::Disconnect, Deed::Move, Deed::Expire, Deed::Interrupt];

impl Programs {
    /// Draws the programs of a seed.
    pub(super) fn draw(run: &Run, broken: Option<BrokenWord>) -> Programs {
        let mut prng = Prng::new(run.seed, Stream::Programs);
        let mut deeds = vec![Deed::Disconnect];
        for deed in DEEDS {
            let weight = prng.below(3) * (1 + prng.below(3));
            deeds.extend((0..weight).map(|_| deed));
        }
        let mut plays: Vec<&Play> = PLAYS.iter().filter(|_| prng.chance(1, 2)).collect();
        plays.extend(plays.is_empty().then(|| &PLAYS[prng.below(PLAYS.len() as u32) as usize]));
        let clients = 2 + prng.below(4) as u16;
        Programs {
            broken,
            first: LAST_CLIENT - clients,
            clients,
            servers: u32::from(run.setup.voters) + u32::from(run.setup.observers),
            threads: 1 + prng.below(3),
            plays,
            longest_ms: pick(&mut prng, &[20, 100, 300]),
            gap_us: pick(&mut prng, &[300_000, 1_000_000, 3_000_000]),
            deeds,
            timeouts_ms: pick(&mut prng, &[[800, 2_000, 4_000], [2_000, 4_000, 8_000], [1_000, 1_500, 3_000]]),
            config: CuratorConfig {
                connection_timeout_ms: pick(&mut prng, &[500, 3_000, 15_000]),
                retry: RetryPolicy::Exponential,
                max_sleep_ms: 60_000,
                base_sleep_ms: pick(&mut prng, &[20, 100]),
                max_retries: pick(&mut prng, &[1, 3, 3]),
                expiration_percent: pick(&mut prng, &[33, 100, 100]),
                error_policy: pick(&mut prng, &[ErrorPolicy::Standard, ErrorPolicy::Session]),
                ..CuratorConfig::default()
            },
            prng,
        }
    }

    /// Fills a run: programs begin, until `end` things happen to them, and at `close` they are over.
    pub(super) fn fill(mut self, run: &mut Run, end: Micros, close: Micros) {
        // programs never rest: with few transactions an epoch, no epoch would last until the last writes are done
        let close = if run.setup.counter_limit < u32::MAX { end } else { close };
        let clients: Vec<ClientId> = (self.first..self.first + self.clients).map(ClientId).collect();
        for &client in &clients {
            let at = self.prng.between(300_000, 3_000_000);
            self.begin(run, at, client);
        }
        let mut now = 3_000_000;
        while now < end {
            let client = pick(&mut self.prng, &clients);
            self.trouble(run, now, end, client);
            now += self.prng.between(10_000, self.gap_us);
        }
        for client in clients {
            run.push(SimTime(end), Action::ResumeClient { client });
            // whoever died late comes back too; whoever is there stays, and the actions are refused
            self.begin(run, end + 1_000, client);
            run.push(SimTime(close + 1), Action::CloseClient { client });
            run.push(SimTime(close + 1_000_000), Action::KillClient { client });
        }
    }

    /// A client comes with its program.
    fn begin(&mut self, run: &mut Run, now: Micros, client: ClientId) {
        let timeout_ms = pick(&mut self.prng, &self.timeouts_ms);
        let mut act = |action| run.push(SimTime(now), action);
        act(Action::OpenClient { client, servers: Vec::new(), timeout_ms, chroot: None, raw: false });
        act(Action::SetUpCurator { client, config: self.config });
        for play in &self.plays {
            let (kind, object) = (play.kind, play.kind.name().into());
            let path: Rc<str> = format!("/recipes/{object}").into();
            let broken = self.broken.filter(|word| kind.words().contains(word));
            let with = play.words.iter().copied().chain(broken).map(Rc::from).collect();
            act(Action::MakeRecipe {
                client,
                object,
                recipe: Recipe { kind, path, count: play.count, id: None, hold_ms: None, with },
            });
        }
        for thread in (1..=self.threads).map(ThreadId) {
            let play = pick(&mut self.prng, &self.plays);
            let heedless = self.broken == Some(HEEDLESS);
            let longest_ms = if heedless { 20_000 } else { self.longest_ms };
            let mut draw = Draw { prng: &mut self.prng, object: play.kind.name(), longest_ms, heedless };
            let steps = (play.script)(&mut draw);
            act(Action::RunThread { client, thread, script: Script { steps, times: 1_000_000, in_callback: false } });
        }
    }

    /// Something happens to a client. Whoever is paused goes on some time later, whoever is gone comes again.
    fn trouble(&mut self, run: &mut Run, now: Micros, end: Micros, client: ClientId) {
        let deed = pick(&mut self.prng, &self.deeds);
        let action = self.act(deed, client);
        run.push(SimTime(now), action);
        let longest = pick(&mut self.prng, &[200_000, 1_000_000, 3_000_000, 12_000_000]);
        let later = (now + self.prng.between(50_000, longest)).min(end);
        match deed {
            Deed::Pause => run.push(SimTime(later), Action::ResumeClient { client }),
            Deed::Kill => self.begin(run, later, client),
            _ => {}
        }
    }

    fn act(&mut self, deed: Deed, client: ClientId) -> Action {
        match deed {
            Deed::Pause => Action::PauseClient { client },
            Deed::Kill => Action::KillClient { client },
            Deed::Disconnect => Action::DisconnectClient { client },
            Deed::Expire => Action::ExpireClient { client },
            Deed::Interrupt => {
                Action::InterruptThread { client, thread: ThreadId(1 + self.prng.below(self.threads)) }
            }
            Deed::Move => {
                let server = ServerId(1 + self.prng.below(self.servers) as u8);
                let to = MoveTo { server, wrong_password: false, claim_ahead: false, keep_old: false };
                Action::MoveClient { client, to }
            }
        }
    }
}
