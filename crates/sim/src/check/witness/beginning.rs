//! Where servers stand that begin with disks. Transactions in their logs and snapshots become histories, what several have the same one;
//! beginnings that no disk has any more are left out.
//!
//! Whether it can have come to this while each disk kept what it had synced (Zab, section 2) is asked of what holds at any moment then
//! (Zab, phases 1 to 3 and proof of correctness): a zxid is one transaction after one history; an epoch has a quorum that had promised it
//! before its leader takes it over, and one that has its first history before anything is proposed in it; a configuration is in force when
//! a quorum of the one before has it. Where that is not so, or not all of the histories is there, nobody
//! judges the run (`Witness::is_blind`).

use crate::base::limits::MAX_TIME_MS;
use crate::base::{Epoch, ServerId, ServerSet, SimTime, Zxid};
use crate::check::history::{Found, Histories, NodeId};
use crate::server::{Files, Snapshot};
use crate::sim::Setup;
use crate::store::Tree;
use crate::zab::{Members, Proposal};

use super::{ServerView, Witness};

/// One server's files, read from their beginning.
struct Reading {
    server: ServerId,
    files: Files,
    /// How many transactions of the log, and how many snapshots, have been read.
    logged: usize,
    snapshots: usize,
    at: NodeId,
    view: ServerView,
}

/// What comes next in a server's files, and when: all are read side by side, so that what one goes on from is known if any has it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Next {
    Logged,
    FirstLogged,
    Snapshot,
}

impl Reading {
    fn new(server: ServerId, files: Files) -> Reading {
        let view = ServerView {
            accepted: files.accepted_epoch,
            promised: files.accepted_epoch,
            current: files.current_epoch,
            quorums: files.config,
            file: files.config.map(|config| config.now),
            ..ServerView::default()
        };
        Reading { server, files, logged: 0, snapshots: 0, at: NodeId::ROOT, view }
    }

    fn next(&self) -> Option<(Zxid, Next)> {
        let snapshot = self.files.snapshots.get(self.snapshots).map(|snapshot| (snapshot.reaches(), Next::Snapshot));
        let next = if self.logged == 0 { Next::FirstLogged } else { Next::Logged };
        let logged = self.files.log.get(self.logged).map(|logged| (logged.zxid, next));
        match (snapshot, logged) {
            (Some(snapshot), Some(logged)) if snapshot.0 >= logged.0 => Some(logged),
            (snapshot, logged) => snapshot.or(logged),
        }
    }

    /// What a start loads, in the order in which it does.
    fn loaded(&self) -> Option<Tree> {
        let newest = self.files.newest()?;
        Some(replayed(newest, &self.files, Zxid(u64::MAX)))
    }
}

/// Whether a disk holds all from the first transaction on, and it was made in a run of ours. Snapshots of real servers are written while
/// transactions go on: by their states histories cannot be told apart.
fn is_whole(files: &Files) -> bool {
    let ours = |logged: &Proposal| u64::try_from(logged.payload.txn.time).is_ok_and(|ms| ms <= MAX_TIME_MS);
    let from_the_first = files.log_start == Zxid::ZERO
        && (!files.log.is_empty() || files.snapshots.iter().all(|snapshot| snapshot.reaches() == Zxid::ZERO));
    from_the_first && files.log.iter().all(ours)
}

/// A snapshot's state with what the log holds from its name on, up to a zxid.
fn replayed(Snapshot { zxid: name, state, .. }: &Snapshot, files: &Files, to: Zxid) -> Tree {
    let (mut state, first) = (state.clone(), files.log.partition_point(|logged| logged.zxid <= *name));
    for Proposal { zxid, payload } in files.log.from(first).take_while(|logged| logged.zxid <= to) {
        state.apply(*zxid, &payload.txn);
    }
    state
}

/// All that was read.
struct Read<'a> {
    histories: &'a mut Histories,
    /// What snapshots hold, by their histories.
    states: Vec<(NodeId, Tree)>,
    /// It is one history, with branches.
    fits: bool,
}

impl Read<'_> {
    fn read(&mut self, from: &mut Reading, next: Next) {
        from.at = match next {
            Next::Snapshot => self.snapshot(from),
            Next::Logged => {
                let at = from.at;
                self.logged(from, at)
            }
            Next::FirstLogged => {
                let at = self.beginning(from);
                self.logged(from, at)
            }
        };
    }

    /// It stands for what is logged below its name, be that something else: a released version keeps the log when it gets a SNAP.
    fn snapshot(&mut self, from: &mut Reading) -> NodeId {
        let snapshot = &from.files.snapshots[from.snapshots];
        let last = snapshot.state.last;
        let known = self.histories.prefix_at(last, from.at).or_else(|| self.histories.newest(last));
        let node = known.unwrap_or_else(|| self.unlogged(last));
        if node != NodeId::ROOT && self.states.iter().all(|(of, _)| *of != node) {
            self.states.push((node, replayed(snapshot, &from.files, last)));
        }
        from.snapshots += 1;
        from.view.partial |= node != from.at;
        from.view.snapshots.push((snapshot.zxid, node));
        node
    }

    /// A history of which no log has the end.
    fn unlogged(&mut self, last: Zxid) -> NodeId {
        // in an epoch there is one
        let before = self.histories.newest_before(last).unwrap_or_default();
        self.histories.finds(last, None, before)
    }

    /// What a log goes on from: an older snapshot of its own, what others have there, or what nobody has any more.
    fn beginning(&mut self, from: &mut Reading) -> NodeId {
        let Proposal { zxid, payload } = &from.files.log[0];
        let goes_on = zxid.follows(self.histories.zxid(from.at));
        if goes_on && from.at != NodeId::ROOT {
            return from.at;
        }
        // a real log does not say where it goes on from: at the beginning of an epoch what was before may be gone
        let oldest = from.files.snapshots.first().map_or(Zxid::ZERO, |oldest| oldest.state.last);
        let start = match from.files.log_start {
            Zxid::ZERO if oldest > Zxid::ZERO && zxid.epoch() > 1 => Zxid::new(zxid.epoch(), 0),
            start => start,
        };
        let node = match self.histories.proposed(*zxid, payload) {
            Some(known) => self.histories.parent(known),
            None if start <= self.histories.zxid(from.at) => from.at,
            None => self.histories.newest(start).unwrap_or_else(|| self.unlogged(start)),
        };
        from.view.partial |= node != NodeId::ROOT;
        // else it is replayed on a state of before
        let newest = from.files.newest().map_or(Zxid::ZERO, Snapshot::reaches);
        self.fits &= self.histories.zxid(node) <= newest;
        node
    }

    fn logged(&mut self, from: &mut Reading, at: NodeId) -> NodeId {
        let Proposal { zxid, payload } = &from.files.log[from.logged];
        let found = self.histories.find(*zxid, Some(payload), at);
        let node = match found {
            Found::Here(node) => node,
            _ => {
                self.fits &= found == Found::Nowhere && zxid.follows(self.histories.zxid(at));
                self.histories.finds(*zxid, Some(payload), at)
            }
        };
        from.logged += 1;
        from.view.log.push(node);
        node
    }
}

impl Witness {
    /// Servers begin with disks.
    pub(super) fn begin_with(&mut self, setup: &Setup) {
        let fresh = setup.fresh();
        self.members = setup.disks.members().unwrap_or(self.members);
        let of = |(server, files): (ServerId, &Files)| Reading::new(server, files.among(&fresh));
        let mut all: Vec<Reading> = setup.disks.all().map(of).collect();
        let mut read = Read { histories: &mut self.histories, states: Vec::new(), fits: true };
        while let Some((next, from)) =
            all.iter_mut().filter_map(|from| Some((from.next()?, from))).min_by_key(|one| one.0)
        {
            read.read(from, next.1);
        }
        let Read { states, mut fits, .. } = read;
        self.histories.model_found(&states);
        let same = |(at, state): &(NodeId, Tree)| self.histories.model(*at).is_some_and(|model| model == state);
        self.whole = all.iter().all(|from| is_whole(&from.files)) && states.iter().all(same);
        for from in &mut all {
            (from.view.durable, from.view.tail) = (from.at, from.at);
            fits &= self.loads_right(from);
            if let Some(state) = self.histories.model(from.at) {
                state.sessions().for_each(|(session, timeout_ms)| self.touches.knows(session, timeout_ms));
            }
        }
        for Reading { server, view, .. } in all {
            *self.server_mut(server) = view;
        }
        if !(fits && self.epochs_fit() && self.configurations_fit(setup)) {
            self.outside = Some(SimTime::ZERO);
        }
    }

    /// Whether a server comes to the state of its history. In between it need not be: a snapshot is written while transactions go on.
    fn loads_right(&self, from: &Reading) -> bool {
        let right = |at: NodeId, state: &Tree| self.histories.model(at).is_none_or(|model| model == state);
        let newest = from.files.newest().zip(from.view.snapshots.last());
        newest.is_none_or(|(snapshot, &(_, at))| right(at, &snapshot.state))
            || from.loaded().is_none_or(|state| right(from.at, &state))
    }

    fn epochs_fit(&mut self) -> bool {
        let last = |view: &ServerView| self.histories.epoch(view.durable);
        let views = || self.servers.values();
        let newest = views().max_by_key(|view| last(view)).map_or(NodeId::ROOT, |view| view.durable);
        let (proposed, taken) = (self.histories.epoch(newest), views().map(|view| view.current).max().unwrap_or(0));
        let first = self.histories.before_epoch(newest, proposed);
        let established = |view: &ServerView| {
            view.current.max(last(view)) >= proposed && self.histories.is_prefix(first, view.durable)
        };
        let fits = views().all(|view| view.accepted >= view.current.max(last(view)))
            && self.have(established)
            && self.have(|view| view.accepted >= taken);
        self.begun = Epoch::max(proposed, taken);
        fits
    }

    /// Whether enough voters have something.
    fn have(&self, what: impl Fn(&ServerView) -> bool) -> bool {
        let voters = self.members.voters;
        let those: ServerSet = voters.iter().filter(|&id| what(self.server(id))).collect();
        let alone = self.oracle && voters.len() <= 2 && !those.is_empty();
        alone || self.members.is_quorum(those)
    }

    /// Whether no two configurations can both come to a quorum: a quorum of the one before knows of a later one, and of files that an
    /// operator wrote only one has a quorum of servers that go by it (a server that is to join has one of its own).
    fn configurations_fit(&self, setup: &Setup) -> bool {
        let configs: Vec<(ServerId, Members)> =
            setup.disks.all().filter_map(|(server, files)| Some((server, files.config?.now))).collect();
        let quorum = |config: &Members, goes_by: &dyn Fn(ServerId, &Members) -> bool| {
            let those = configs.iter().filter(|(server, own)| goes_by(*server, own));
            config.is_quorum(those.map(|(server, _)| *server).collect())
        };
        configs.iter().all(|(_, config)| {
            let later = configs.iter().map(|(_, other)| other.version).filter(|version| *version > config.version);
            match later.min() {
                Some(next) => !quorum(config, &|server, own| {
                    own.version <= config.version && self.zxid(self.server(server).durable) < next
                }),
                None => {
                    let another = |(_, other): &(ServerId, Members)| {
                        other.version == config.version && other != config && quorum(other, &|_, own| own == other)
                    };
                    !configs.iter().any(another) || !quorum(config, &|_, own| own == config)
                }
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::Disks;
    use crate::store::{Op, Owner, Txn};
    use crate::wire::Acl;

    fn logged(zxid: Zxid, path: &str) -> Proposal {
        let (path, acl, owner) = (path.into(), Acl::open().into(), Owner::None);
        let op = Op::Create { path, data: None, acl, owner, parent_cversion: 1, with_stat: false };
        Proposal { zxid, payload: Txn { session: crate::base::SessionId::NONE, cxid: 0, time: 0, op }.into() }
    }

    /// A server with these transactions (`2:1` is one of epoch 2), which has promised and taken over the epochs.
    fn disk(epochs: (Epoch, Epoch), zxids: &[&str]) -> Files {
        let log = zxids.iter().map(|zxid| logged(zxid.parse().expect("a zxid"), &format!("/{zxid}"))).collect();
        let first = Snapshot { zxid: Zxid::ZERO, state: Setup::default().fresh(), written: None };
        let (accepted_epoch, current_epoch) = epochs;
        Files { accepted_epoch, current_epoch, snapshots: vec![first], log, ..Files::default() }
    }

    /// With a snapshot at its end, and only so much of the log kept.
    fn purged(mut files: Files, kept: usize) -> Files {
        let (at, mut state) = (files.log.last().expect("a log").zxid, files.snapshots[0].state.clone());
        for Proposal { zxid, payload } in files.log.iter() {
            state.apply(*zxid, &payload.txn);
        }
        for _ in kept..files.log.len() {
            files.log_start = files.log[0].zxid;
            files.log.drop_first();
        }
        files.snapshots = vec![Snapshot { zxid: at, state, written: None }];
        files
    }

    fn setup(disks: [Files; 3]) -> Setup {
        let disks = (1..).map(ServerId).zip(disks).collect();
        Setup { disks: Disks::of(disks), ..Setup::default() }
    }

    fn is_outside(disks: [Files; 3]) -> bool {
        Witness::new(&setup(disks)).outside.is_some()
    }

    #[test]
    fn what_servers_leave_behind_fits() {
        let (all, some) = (["1:1", "1:2", "1:3", "2:1"], ["1:1", "1:2"]);
        let old = || disk((1, 1), &["1:1", "1:2", "1:3", "1:4"]);
        assert!(!is_outside([Files::default(), Files::default(), Files::default()]));
        assert!(!is_outside([disk((2, 2), &all), disk((2, 2), &all[..3]), old()]));
        assert!(!is_outside([disk((1, 1), &some), disk((5, 1), &all[..3]), Files::default()]));
        for kept in 0..4 {
            let disks = [purged(disk((2, 2), &all), kept), disk((2, 2), &all[..3]), old()];
            assert!(!is_outside(disks), "{kept}");
        }
        // who got a SNAP keeps the log, as released versions do
        let ghosts = || {
            let mut files = purged(disk((2, 2), &all), 0);
            (files.log, files.log_start) = (old().log, Zxid::ZERO);
            files.log.push(logged(Zxid::new(2, 2), "/2:2"));
            files
        };
        assert!(!is_outside([ghosts(), disk((2, 2), &all), disk((2, 2), &all)]));
        let mut awake = ghosts();
        awake.snapshots = disk((0, 0), &[]).snapshots;
        assert!(is_outside([awake, disk((2, 2), &all), disk((2, 2), &all)]), "its log has a hole");
    }

    #[test]
    fn what_they_cannot_leave_behind_does_not() {
        let right = || disk((2, 2), &["1:1", "1:2", "2:1"]);
        let with = |files| is_outside([right(), right(), files]);
        assert!(!with(right()));
        assert!(with(disk((2, 2), &["1:1", "2:1"])), "another past");
        assert!(with(disk((2, 2), &["1:1", "1:3"])), "a hole");
        assert!(with(disk((1, 1), &["1:1", "1:2", "2:1"])), "an epoch that it had not promised");
        assert!(with(disk((2, 4), &["1:1"])), "it took over more than it had promised");
        assert!(with(disk((4, 4), &["1:1"])), "an epoch that no majority had promised");
        let mut other = right();
        other.log = [("1:1", "/1:1"), ("1:2", "/other")]
            .map(|(zxid, path)| logged(zxid.parse().unwrap(), path))
            .into_iter()
            .collect();
        assert!(with(other), "another transaction");
        let mut other = purged(right(), 3);
        other.snapshots[0].state.apply(Zxid::ZERO, &logged(Zxid::ZERO, "/more").payload.txn);
        assert!(with(other), "another state");
        let old = || disk((1, 1), &["1:1", "1:2"]);
        assert!(is_outside([old(), old(), right()]), "an epoch that one server has seen");
        assert!(is_outside([right(), disk((2, 2), &["1:1"]), disk((2, 2), &["1:1"])]), "without its first history");
    }

    #[test]
    fn a_configuration_that_a_majority_of_the_one_before_does_not_know_does_not_fit() {
        let set = |ids: &[u8]| ids.iter().copied().map(ServerId).collect::<ServerSet>();
        let of = |version, voters: &[u8]| Members { version, ..Members::new(set(voters), ServerSet::EMPTY) };
        let before = of(Zxid::ZERO, &[1, 2, 3]);
        let with = |files: Files, config: Members| Files { config: Some(config.into()), ..files };
        let (log, now) = (["1:1", "1:2"], of(Zxid::new(1, 2), &[1]));
        let knows = || with(disk((1, 1), &log), now);
        let not_yet = || with(disk((1, 1), &log[..1]), before);
        assert!(!is_outside([knows(), with(disk((1, 1), &log), before), not_yet()]));
        assert!(is_outside([knows(), not_yet(), not_yet()]));
        assert!(is_outside([with(disk((1, 1), &log), of(Zxid::ZERO, &[1])), not_yet(), not_yet()]));
    }

    #[test]
    fn servers_stand_where_their_disks_do() {
        let all = ["1:1", "1:2", "1:3"];
        let witness =
            Witness::new(&setup([disk((1, 1), &all), purged(disk((2, 1), &all[..2]), 1), disk((1, 1), &all[..1])]));
        let [one, two, three] = [1, 2, 3].map(|id| witness.server(ServerId(id)));
        assert!(witness.histories.is_prefix(three.durable, two.durable) && two.durable != three.durable);
        assert_eq!(witness.histories.parent(one.durable), two.durable);
        assert_eq!((two.tail, two.promised, two.partial, one.partial), (two.durable, 2, true, false));
        assert!([one, two, three].iter().all(|view| witness.histories.model(view.durable).is_some()));
        let known = witness.histories.model(one.durable).expect("a model");
        assert!(known.get("/1:3").is_some() && witness.histories.tip() == NodeId::ROOT && witness.begun == 1);
    }
}
