//! Fills a run with faults and writes: calm, a burst, calm, a burst, and at the end everything healed.
//!
//! The schedule is drawn beforehand, without looking at the run as it plays. It only keeps in mind what it did itself: who
//! is down or paused. Who leads it can only guess: the highest id that is up.

use crate::base::{Micros, Prng, ServerId, ServerSet, SimTime};
use crate::sim::{Action, LatencyRange, Run, Setup};

use crate::soak::swarm::{Kind, Swarm, pick};
use crate::soak::{FINAL_ROUNDS, FINAL_WRITE, ROUND_US};

const SLOW_DISKS: [LatencyRange; 3] =
    [LatencyRange::ms(30, 80), LatencyRange::ms(100, 400), LatencyRange::ms(500, 1_500)];
const SLOW_LINKS: [LatencyRange; 3] =
    [LatencyRange::ms(40, 90), LatencyRange::ms(100, 300), LatencyRange::ms(200, 900)];
/// Shortest gap between two faults of a burst.
const MIN_GAP_US: Micros = 5_000;
/// About as long as an election takes, and the first steps after it.
const ELECTION_US: (Micros, Micros) = (220_000, 650_000);
/// How many packets go one after the other until a server that has started is told what it missed.
const HANDSHAKE: (Micros, Micros) = (4, 10);

pub(super) struct Schedule<'a> {
    run: &'a mut Run,
    swarm: &'a Swarm,
    prng: &'a mut Prng,
    now: Micros,
    end: Micros,
    all: ServerSet,
    down: ServerSet,
    paused: ServerSet,
    writes: u32,
}

impl<'a> Schedule<'a> {
    /// `joining` are added to the ensemble of the setup.
    pub(super) fn new(run: &'a mut Run, swarm: &'a Swarm, joining: ServerSet, prng: &'a mut Prng) -> Schedule<'a> {
        let members = run.setup.members();
        Schedule {
            run,
            swarm,
            prng,
            now: 0,
            end: 0,
            all: members.all().union(joining),
            down: ServerSet::EMPTY,
            paused: ServerSet::EMPTY,
            writes: 0,
        }
    }

    /// Faults until `end`, then everything healed, and after the quiet time the last writes.
    pub(super) fn fill(mut self, end: Micros, quiet: Micros) {
        self.end = end;
        while self.now < self.end {
            self.calm();
            for _ in 0..self.prng.between(2, 14) {
                if self.now == self.end {
                    break;
                }
                self.fault();
                self.some_writes();
                self.gap();
            }
        }
        self.recover();
        self.now += quiet;
        for _ in 0..FINAL_ROUNDS {
            for server in self.all.iter() {
                self.act(Action::Write { server, data: FINAL_WRITE.into(), count: 1, every_us: 0 });
            }
            self.now += ROUND_US;
        }
    }

    /// Mostly everything is mended first, so that an epoch is established and writes are committed.
    fn calm(&mut self) {
        if self.prng.chance(4, 5) {
            self.mend();
        }
        let until = self.now + self.prng.between(200_000, self.swarm.calm_us);
        while self.now < until.min(self.end) {
            self.some_writes();
            self.wait(20_000, 700_000);
        }
    }

    fn fault(&mut self) {
        let kind = pick(self.prng, &self.swarm.kinds);
        let server = self.any();
        match kind {
            Kind::Crash if self.down.contains(server) => self.restart(server),
            Kind::Crash => self.crash(server),
            Kind::Pause if self.paused.contains(server) => self.resume(server),
            Kind::Pause => self.pause(server),
            Kind::CutPair | Kind::CutOneWay => self.cut(server, kind == Kind::CutOneWay),
            Kind::CutGroup => {
                let group = self.some();
                self.cut_off(group);
            }
            Kind::Heal => self.act(Action::HealAll),
            Kind::SlowDisk => self.disk(server),
            Kind::SlowLink => self.link(server),
            Kind::CrashLeaders => self.crash_leaders(),
            Kind::Flap => self.flap(server),
            Kind::IsolateLeader => self.isolate_leader(),
            Kind::CrashAll => self.crash_all(),
            Kind::Rejoin => self.rejoin(),
            Kind::LonelyEpochs => self.lonely_epochs(),
        }
    }

    /// The probable leader dies, and the next one when it has just been elected.
    fn crash_leaders(&mut self) {
        for _ in 0..self.prng.between(1, 4) {
            let leader = self.likely_leader();
            self.some_writes();
            self.crash(leader);
            self.election();
            if self.prng.chance(2, 3) {
                self.restart(leader);
            }
            if self.prng.chance(1, 3) {
                self.election();
            }
        }
    }

    /// A server restarts before it is through with what it began.
    fn flap(&mut self, server: ServerId) {
        for _ in 0..self.prng.between(1, 5) {
            self.crash(server);
            self.wait(MIN_GAP_US, 60_000);
            self.restart(server);
            self.election();
        }
    }

    /// The probable leader writes where nobody hears it, then dies or is heard again.
    fn isolate_leader(&mut self) {
        let leader = self.likely_leader();
        let alone: ServerSet = [leader].into_iter().collect();
        self.cut_off(alone);
        self.write_to(leader);
        self.wait(5_000, 1_500_000);
        if self.prng.chance(1, 2) {
            self.crash(leader);
            self.gap();
        }
        if self.prng.chance(1, 2) {
            // the others go on without it, and what it has alone is cut away when it comes back
            self.election();
            self.some_writes();
            self.gap();
        }
        if self.prng.chance(2, 3) {
            self.act(Action::HealAll);
            self.restart(leader);
            if self.prng.chance(1, 2) {
                self.break_off(leader);
            }
        }
        self.election();
    }

    fn crash_all(&mut self) {
        for server in self.all.iter() {
            self.crash(server);
        }
        self.gap();
        let first = self.some();
        for server in first.iter() {
            self.restart(server);
        }
        self.wait(200_000, 1_500_000);
        if self.prng.chance(1, 2) {
            let server = self.any();
            self.crash(server);
        }
        self.mend();
    }

    /// One server stays away from some writes, comes back, and something happens while it is brought up to date.
    fn rejoin(&mut self) {
        let server = self.any();
        self.crash(server);
        self.election();
        self.some_writes();
        self.wait(50_000, 1_000_000);
        self.restart(server);
        if self.prng.chance(1, 2) {
            self.break_off(server);
        } else {
            self.wait(100_000, 500_000);
            let dies = if self.prng.chance(1, 2) { server } else { self.likely_leader() };
            self.crash(dies);
        }
        self.election();
        if self.prng.chance(1, 2) {
            self.mend();
        }
    }

    /// What brings a server up to date comes packet by packet, and some of it so late that the server has given up before
    /// (ZOOKEEPER-3642). When that begins is a guess: about when a server that has started has found its leader.
    fn break_off(&mut self, server: ServerId) {
        let Setup { latency, init_limit, tick_time_ms, .. } = self.swarm.setup;
        let way = (latency.min_us + latency.max_us) / 2;
        self.wait(HANDSHAKE.0 * way, HANDSHAKE.1 * way);
        let (to, patience) = ([server].into_iter().collect(), init_limit * tick_time_ms * 1_000);
        let range = LatencyRange { min_us: 0, max_us: 3 * patience };
        self.act(Action::Latency { from: self.all, to, range });
        self.wait(patience, 2 * patience);
        self.act(Action::Latency { from: self.all, to, range: latency });
    }

    /// The probable leader writes acceptedEpoch, and is cut off before it can tell: twice, so that it is two epochs ahead.
    /// Then the others go on without it, and it comes back.
    fn lonely_epochs(&mut self) {
        self.mend();
        let leader = self.likely_leader();
        let alone: ServerSet = [leader].into_iter().collect();
        self.act(Action::Disk { server: leader, sync: LatencyRange::ms(150, 400) });
        for _ in 0..2 {
            self.crash_and_restart_all();
            self.wait(300_000, 480_000);
            self.act(Action::Cut { from: alone, to: self.all, one_way: true });
            self.wait(400_000, 800_000);
        }
        self.crash_and_restart_all();
        self.crash(leader);
        self.act(Action::Disk { server: leader, sync: self.swarm.setup.disk_sync });
        self.wait(500_000, 1_500_000);
        self.restart(leader);
        self.election();
    }

    /// What is held on cut links is lost with the processes.
    fn crash_and_restart_all(&mut self) {
        for server in self.all.iter() {
            self.crash(server);
        }
        self.mend();
    }

    fn mend(&mut self) {
        self.act(Action::HealAll);
        for server in self.all.iter() {
            self.resume(server);
            self.restart(server);
        }
    }

    /// Everything as it should be.
    fn recover(&mut self) {
        self.mend();
        let normal = Setup::default();
        self.act(Action::Latency { from: self.all, to: self.all, range: normal.latency });
        for server in self.all.iter() {
            self.act(Action::Disk { server, sync: normal.disk_sync });
        }
    }

    fn crash(&mut self, server: ServerId) {
        if self.down.insert(server) {
            self.paused.remove(server);
            let death = match self.prng.below(3) {
                0 => Action::Crash { server },
                1 => Action::Kill { server },
                _ => Action::PowerOff { server },
            };
            self.act(death);
        }
    }

    fn restart(&mut self, server: ServerId) {
        if self.down.remove(server) {
            self.act(Action::Restart { server });
        }
    }

    fn pause(&mut self, server: ServerId) {
        if !self.down.contains(server) && self.paused.insert(server) {
            self.act(Action::Pause { server });
        }
    }

    fn resume(&mut self, server: ServerId) {
        if self.paused.remove(server) {
            self.act(Action::Resume { server });
        }
    }

    fn cut(&mut self, server: ServerId, one_way: bool) {
        let (from, to) = ([server].into_iter().collect(), [self.any()].into_iter().collect());
        match self.prng.chance(2, 3) {
            true => self.act(Action::Cut { from, to, one_way }),
            false => self.act(Action::Heal { from, to, one_way }),
        }
    }

    fn cut_off(&mut self, group: ServerSet) {
        let rest = self.all.iter().filter(|&server| !group.contains(server)).collect();
        let one_way = self.prng.chance(1, 5);
        let (from, to) = if self.prng.chance(1, 2) { (group, rest) } else { (rest, group) };
        self.act(Action::Cut { from, to, one_way });
    }

    fn disk(&mut self, server: ServerId) {
        let slow = self.prng.chance(2, 3);
        let sync = if slow { pick(self.prng, &SLOW_DISKS) } else { self.swarm.setup.disk_sync };
        self.act(Action::Disk { server, sync });
    }

    fn link(&mut self, server: ServerId) {
        let (from, to) = ([server].into_iter().collect(), [self.any()].into_iter().collect());
        let slow = self.prng.chance(2, 3);
        let range = if slow { pick(self.prng, &SLOW_LINKS) } else { self.swarm.setup.latency };
        self.act(Action::Latency { from, to, range });
    }

    fn some_writes(&mut self) {
        if self.prng.chance(self.swarm.writes, 10) {
            let server = if self.prng.chance(1, 2) { self.any() } else { self.likely_leader() };
            self.write_to(server);
        }
    }

    fn write_to(&mut self, server: ServerId) {
        self.writes += 1;
        let count = 1 + self.prng.below(self.swarm.batch);
        let every_us = pick(self.prng, &[0, 500, 5_000, 40_000]);
        self.act(Action::Write { server, data: format!("w{}", self.writes), count, every_us });
    }

    /// The highest id among the voters that are up; 1 when none is.
    fn likely_leader(&self) -> ServerId {
        let voters = ServerSet::first(self.swarm.setup.voters);
        let up = |&server: &ServerId| !self.down.contains(server) && !self.paused.contains(server);
        voters.iter().rev().find(up).unwrap_or(ServerId(1))
    }

    fn any(&mut self) -> ServerId {
        ServerId(1 + self.prng.below(self.all.len() as u32) as u8)
    }

    fn some(&mut self) -> ServerSet {
        let set: ServerSet = self.all.iter().filter(|_| self.prng.chance(1, 2)).collect();
        if set.is_empty() { [self.any()].into_iter().collect() } else { set }
    }

    fn act(&mut self, action: Action) {
        self.run.push(SimTime(self.now), action);
    }

    fn gap(&mut self) {
        // short gaps are as likely as long ones
        let longest = self.prng.between(MIN_GAP_US, self.swarm.gap_us);
        self.wait(MIN_GAP_US, longest);
    }

    fn election(&mut self) {
        self.wait(ELECTION_US.0, ELECTION_US.1);
    }

    /// Time passes, but not beyond the end of the faults.
    fn wait(&mut self, low: Micros, high: Micros) {
        self.now = (self.now + self.prng.between(low, high)).min(self.end);
    }
}
