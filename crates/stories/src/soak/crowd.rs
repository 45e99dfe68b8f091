//! Clients beside the faults of servers: they come and go, ask for everything there is, and are paused, killed, cut off, moved
//! and expired. Drawn from a stream of its own, so that the servers' faults of a seed stay what they are.

use crate::base::{ClientId, Micros, Prng, ServerId, SimTime, Stream};
use crate::sim::{Action, MoveTo, Run};

use crate::soak::requests::request;
use crate::soak::swarm::pick;

/// What is done to a client, other than that it asks for something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Deed {
    Open,
    Pause,
    Resume,
    Kill,
    Disconnect,
    Move,
    Expire,
    Close,
    AddAuth,
}

const DEEDS: [Deed; 7] =
    [Deed::Pause, Deed::Kill, Deed::Disconnect, Deed::Move, Deed::Expire, Deed::Close, Deed::AddAuth];

/// The clients of one random run.
pub(super) struct Crowd {
    prng: Prng,
    clients: u16,
    servers: u32,
    /// What happens to clients, each as often as its weight says.
    deeds: Vec<Deed>,
    /// How many of 32 steps do something to a client.
    unrest: u32,
    /// The longest pause between two steps.
    gap_us: Micros,
    /// Most requests at once.
    batch: u32,
    timeouts_ms: [u32; 3],
}

impl Crowd {
    /// Draws the clients of a seed.
    pub(super) fn draw(run: &mut Run) -> Crowd {
        let mut prng = Prng::new(run.seed, Stream::Crowd);
        // a long pause between two looks at containers could end just where the run does, and not everywhere at once
        run.setup.container_check_ms = pick(&mut prng, &[700, 2_000]);
        run.setup.max_never_used_ms = pick(&mut prng, &[0, 0, 1_500]);
        let mut deeds = vec![Deed::Disconnect];
        for deed in DEEDS {
            let weight = prng.below(3) * (1 + prng.below(3));
            deeds.extend((0..weight).map(|_| deed));
        }
        let setup = &run.setup;
        Crowd {
            clients: 2 + prng.below(5) as u16,
            servers: u32::from(setup.voters) + u32::from(setup.observers),
            deeds,
            unrest: pick(&mut prng, &[1, 2, 4, 8]),
            gap_us: pick(&mut prng, &[40_000, 100_000, 300_000, 900_000]),
            batch: pick(&mut prng, &[1, 2, 4, 8]),
            timeouts_ms: pick(&mut prng, &[[800, 2_000, 4_000], [2_000, 4_000, 8_000], [1_000, 1_500, 3_000]]),
            prng,
        }
    }

    /// Fills a run until `end`; then every client goes on.
    pub(super) fn fill(mut self, run: &mut Run, end: Micros) {
        let mut now = 0;
        for client in 1..=self.clients {
            let opened = self.act(Deed::Open, ClientId(client));
            run.push(SimTime(self.prng.between(0, 2_000_000)), opened);
        }
        while now < end {
            let client = ClientId(1 + self.prng.below(u32::from(self.clients)) as u16);
            if self.prng.chance(1, 16) {
                // whose session has ended comes again; whoever is there stays, and the action is refused
                let opened = self.act(Deed::Open, client);
                run.push(SimTime(now), opened);
            }
            if self.prng.chance(self.unrest, 32) {
                self.trouble(run, now, client);
            } else {
                for _ in 0..=self.prng.below(self.batch) {
                    let request = request(&mut self.prng);
                    let (watcher, local, on_old_connection) = (None, false, self.prng.chance(1, 40));
                    run.push(SimTime(now), Action::Ask { client, request, watcher, local, on_old_connection });
                }
            }
            let longest = self.prng.between(1_000, self.gap_us);
            now += self.prng.between(1_000, longest);
        }
        for client in (1..=self.clients).map(ClientId) {
            run.push(SimTime(end), Action::ResumeClient { client });
        }
    }

    /// Something happens to a client. Whoever is paused goes on some time later, whoever is gone comes again.
    fn trouble(&mut self, run: &mut Run, now: Micros, client: ClientId) {
        let deed = pick(&mut self.prng, &self.deeds);
        let action = self.act(deed, client);
        run.push(SimTime(now), action);
        let later = match deed {
            Deed::Pause => Some(Deed::Resume),
            Deed::Kill | Deed::Close | Deed::Expire => Some(Deed::Open),
            _ => None,
        };
        if let Some(later) = later {
            // mostly soon; sometimes when the session has ended long since
            let longest = pick(&mut self.prng, &[200_000, 1_000_000, 3_000_000, 12_000_000]);
            let at = now + self.prng.between(50_000, longest);
            let action = self.act(later, client);
            run.push(SimTime(at), action);
        }
    }

    fn act(&mut self, deed: Deed, client: ClientId) -> Action {
        match deed {
            Deed::Open => {
                let servers = match self.prng.chance(1, 3) {
                    true => vec![self.server()],
                    false => Vec::new(),
                };
                let timeout_ms = pick(&mut self.prng, &self.timeouts_ms);
                let raw = servers.is_empty() && self.prng.chance(1, 8);
                Action::OpenClient { client, servers, timeout_ms, chroot: None, raw }
            }
            Deed::Pause => Action::PauseClient { client },
            Deed::Resume => Action::ResumeClient { client },
            Deed::Kill => Action::KillClient { client },
            Deed::Disconnect => Action::DisconnectClient { client },
            Deed::Move => {
                let (server, keep_old) = (self.server(), self.prng.chance(1, 8));
                let (wrong_password, claim_ahead) = (self.prng.chance(1, 20), self.prng.chance(1, 20));
                Action::MoveClient { client, to: MoveTo { server, wrong_password, claim_ahead, keep_old } }
            }
            Deed::Expire => Action::ExpireClient { client },
            Deed::Close => Action::CloseClient { client },
            Deed::AddAuth => {
                let auth = pick(&mut self.prng, &["super:man", "bob:secret"]);
                Action::AddAuth { client, scheme: "digest".into(), auth: Some(auth.into()) }
            }
        }
    }

    fn server(&mut self) -> ServerId {
        ServerId(1 + self.prng.below(self.servers) as u8)
    }
}
