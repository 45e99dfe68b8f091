//! What an operator does beside the faults: servers are added, join, leave and change their roles, also while one of them dies or is
//! cut off; and how wide the links are. Drawn from a stream of its own, so that everything else of a seed stays what it is.

use crate::base::limits::{MAX_SERVERS, MAX_VOTERS};
use crate::base::{ClientId, Micros, Prng, ServerId, ServerSet, SimTime, Stream};
use crate::sim::{Action, Run};
use crate::wire::Request;

use crate::soak::swarm::pick;

/// The operator's client; the crowd's numbers are lower, those of programs higher.
const OPERATOR: ClientId = ClientId(500);
/// Whoever proves `super:test` may do everything.
const SUPER_DIGEST: &str = "super:D/InIHSb7yEEbrWz8b9l71RjZJU=";

/// The operator of one random run.
pub(super) struct Operator {
    prng: Prng,
    /// Servers that are added when the run begins; their ids follow.
    pub joining: ServerSet,
    /// Who has no vote when the run begins.
    voteless: ServerSet,
    servers: u32,
    reconfigures: bool,
    /// The longest pause between two steps.
    gap_us: Micros,
}

impl Operator {
    /// Draws what the operator of a seed does, and the width of the links.
    pub(super) fn draw(run: &mut Run) -> Operator {
        let mut prng = Prng::new(run.seed, Stream::Operator);
        let reconfigures = prng.chance(1, 3);
        let members = run.setup.members();
        let (last, voters) = (members.all().len(), members.voters.len());
        let joining = match reconfigures {
            true => prng.below(3) as usize,
            false => 0,
        };
        let joining = joining.min(MAX_SERVERS - last).min(MAX_VOTERS.saturating_sub(voters));
        let joining: ServerSet = (last + 1..=last + joining).map(|id| ServerId(id as u8)).collect();
        if reconfigures {
            run.setup.reconfig_enabled = true;
            run.setup.super_digest = Some(SUPER_DIGEST.into());
        }
        // kB/s; a narrower link would not carry the longest DIFF within initLimit
        run.setup.bandwidth = pick(&mut prng, &[0, 0, 0, 500, 4_000]);
        let servers = (last + joining.len()) as u32;
        let (voteless, gap_us) =
            (joining.union(members.observers), pick(&mut prng, &[400_000, 2_000_000, 6_000_000]));
        Operator { joining, voteless, servers, reconfigures, gap_us, prng }
    }

    /// Fills a run until `end`; then every server runs, for so long a quiet time at least.
    pub(super) fn fill(mut self, run: &mut Run, end: Micros, quiet: Micros) {
        for server in self.joining.iter() {
            run.push(SimTime::ZERO, Action::Add { server, observer: false });
        }
        let mut now = 500_000;
        self.log_in(run, now);
        while self.reconfigures && now < end {
            if self.prng.chance(1, 4) {
                self.log_in(run, now);
            }
            let request = self.request();
            let (watcher, local, on_old_connection) = (None, false, false);
            run.push(SimTime(now), Action::Ask { client: OPERATOR, request, watcher, local, on_old_connection });
            self.trouble(run, now, end);
            let longest = self.prng.between(100_000, self.gap_us);
            now += self.prng.between(50_000, longest);
        }
        if self.reconfigures {
            run.push(SimTime(end), Action::HealAll);
            for server in (1..=self.servers).map(|id| ServerId(id as u8)) {
                // whoever runs stays, and the action is refused
                run.push(SimTime(end), Action::Restart { server });
            }
        }
        // nobody tells a server without a vote who leads: it asks again after as long as it has asked in vain, and an election
        // may have taken some initLimit. An operator starts it once more.
        for server in self.voteless.iter() {
            run.push(SimTime(end + quiet / 2), Action::Kill { server });
            run.push(SimTime(end + quiet / 2), Action::Restart { server });
        }
    }

    /// The client is opened, unless it is there, and proves who it is.
    fn log_in(&mut self, run: &mut Run, now: Micros) {
        if self.reconfigures {
            let (servers, timeout_ms) = (Vec::new(), 4_000);
            run.push(
                SimTime(now),
                Action::OpenClient { client: OPERATOR, servers, timeout_ms, chroot: None, raw: false },
            );
            let (scheme, auth) = ("digest".into(), Some("super:test".into()));
            run.push(SimTime(now), Action::AddAuth { client: OPERATOR, scheme, auth });
        }
    }

    /// A server dies or is cut off while it happens, and comes back.
    fn trouble(&mut self, run: &mut Run, now: Micros, end: Micros) {
        let server = self.any();
        let rest = (1..=self.servers).map(|id| ServerId(id as u8)).filter(|other| *other != server).collect();
        let (from, one_way) = ([server].into_iter().collect(), self.prng.chance(1, 4));
        let (begin, back) = match self.prng.below(4) {
            0 => (Action::Kill { server }, Action::Restart { server }),
            1 => (Action::Cut { from, to: rest, one_way }, Action::Heal { from, to: rest, one_way }),
            _ => return,
        };
        let at = now + self.prng.between(0, 150_000);
        run.push(SimTime(at.min(end)), begin);
        let longest = pick(&mut self.prng, &[300_000, 1_000_000, 4_000_000]);
        run.push(SimTime((at + self.prng.between(50_000, longest)).min(end)), back);
    }

    fn request(&mut self) -> Request {
        let (joining, leaving) = (self.any(), self.any());
        let role = if self.prng.chance(1, 4) { "observer" } else { "participant" };
        let one = |spec: String| Some(spec.into());
        let (joining, leaving, members) = match self.prng.below(8) {
            0..=3 => (one(spec(joining, role)), None, None),
            4 | 5 => (None, one(leaving.0.to_string()), None),
            6 => (one(spec(joining, role)), one(leaving.0.to_string()), None),
            _ => (None, None, one(self.whole())),
        };
        let version = if self.prng.chance(1, 12) { 0 } else { -1 };
        Request::Reconfig { joining, leaving, members, version }
    }

    /// A configuration, by naming everybody in it.
    fn whole(&mut self) -> String {
        let mut lines = Vec::new();
        for id in 1..=self.servers {
            let role = if self.prng.chance(1, 4) { "observer" } else { "participant" };
            if self.prng.chance(3, 4) {
                lines.push(spec(ServerId(id as u8), role));
            }
        }
        lines.join(",")
    }

    fn any(&mut self) -> ServerId {
        ServerId(1 + self.prng.below(self.servers) as u8)
    }
}

/// A server as a configuration file names it; what its addresses are is not simulated.
fn spec(ServerId(id): ServerId, role: &str) -> String {
    format!("server.{id}=s{id}:2888:3888:{role};2181")
}
