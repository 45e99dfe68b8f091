//! What only a leader does for clients: it makes transactions of requests, knows which server each session belongs to, and
//! ends sessions of which nothing is heard (`PrepRequestProcessor.java`, `LeaderSessionTracker.java`, `Leader.java`
//! `processSync`, `ContainerManager.java`).

pub(in crate::server) mod rows;

use std::rc::Rc;

use crate::base::{ConnId, ServerId, ServiceRule, SessionId, SimTime, SortedMap, SortedSet, Zxid};
use crate::store::{Body, Op, OverQuota, Owner, Prep, Submitted, Tree, Txn};
use crate::wire::{Code, Request};

use super::expiry::ExpiryQueue;
use super::fact::Fact;
use super::service::{Cx, Outbox, Output, Place};
use super::settings::Settings;

/// The leader's part.
#[derive(Clone, Debug, Hash)]
pub struct Leading {
    prep: Prep,
    owners: SortedMap<SessionId, ServerId>,
    closing: SortedSet<SessionId>,
    pub(super) expiry: ExpiryQueue<SessionId>,
    /// Answers to syncs that wait for the commit of what was proposed before them.
    syncs: SortedMap<Zxid, Vec<(ConnId, Rc<Submitted>)>>,
}

impl Leading {
    /// All sessions begin with their full timeout: no session can expire while there is no leader. Where rules are broken, only what
    /// is left of it `since` then, and only those sessions are tracked whose beginning was `heard`.
    pub(super) fn new(cx: Cx, since: SimTime, heard: &SortedSet<SessionId>) -> Leading {
        let Cx { tree, settings, now, .. } = cx;
        let mut expiry = ExpiryQueue::default();
        let some = settings.rules.breaks(ServiceRule::SessionsUnheard);
        for (session, timeout_ms) in tree.sessions().filter(|(session, _)| !some || heard.contains(session)) {
            let longest = u64::from(timeout_ms) * 1000;
            let since = since.max(SimTime(now.0.saturating_sub(longest)));
            expiry.track(session, timeout_ms, since, settings.tick_time);
        }
        Leading {
            prep: Prep::new(tree.clone(), settings.limits).breaking(settings.rules),
            owners: SortedMap::new(),
            closing: SortedSet::new(),
            expiry,
            syncs: SortedMap::new(),
        }
    }

    /// The server to which a session belongs, as far as this leader knows.
    pub fn owner(&self, session: SessionId) -> Option<ServerId> {
        self.owners.get(&session).copied()
    }

    /// When a session expires if nothing more is heard of it.
    pub fn due(&self, session: SessionId) -> Option<SimTime> {
        self.expiry.due(session)
    }

    /// The buckets of sessions whose time is to come.
    pub fn session_sets(&self, now: SimTime) -> impl Iterator<Item = (SimTime, &SortedSet<SessionId>)> {
        self.expiry.sets(now)
    }

    /// Whether a session is known and not being closed.
    pub fn is_alive(&self, session: SessionId) -> bool {
        self.prep.ahead().session(session).is_some() && !self.closing.contains(&session)
    }

    /// Makes a transaction of a request. Each takes a zxid, refused or not.
    pub(super) fn prepare(&mut self, asked: &Submitted, local: bool, at: Place, cx: Cx, out: &mut Outbox) -> Txn {
        let zxid = at.last_proposed.next();
        let allowed = self.check_session(asked, local, cx);
        if cx.settings.rules.breaks(ServiceRule::NoLookAhead) {
            self.prep.fall_back(cx.tree);
        }
        match &asked.body {
            Body::CreateSession { timeout_ms } => {
                self.owners.insert(asked.session, asked.from);
                self.expiry.track(asked.session, *timeout_ms, cx.now, cx.settings.tick_time);
            }
            Body::Client(Request::CloseSession) => self.close(asked.session),
            _ => {}
        }
        if let Some(next) = at.next {
            return self.prep.reconfigure(asked, allowed, next, zxid, cx.clock_ms);
        }
        if !cx.settings.enforce_quota {
            return self.prep.prepare(asked, allowed, zxid, cx.clock_ms);
        }
        let before = self.prep.ahead().clone();
        self.prep.judge_quotas(cx.tree);
        let txn = self.prep.prepare(asked, allowed, zxid, cx.clock_ms);
        tell_over_quota(asked, &txn, &before, cx.tree, out);
        txn
    }

    fn check_session(&mut self, asked: &Submitted, local: bool, cx: Cx) -> Result<(), Code> {
        if !matches!(asked.body, Body::Client(_)) {
            return Ok(());
        }
        self.check(asked.session, asked.from, local, cx)?;
        if !local || self.is_alive(asked.session) {
            self.owners.get_or(asked.session, asked.from);
        }
        Ok(())
    }

    /// `checkSession`: a session belongs to the server by which it came last; `from` is where a request of it comes from.
    /// `local`: if the ensemble does not know it, it may be one that only its server knows.
    pub(super) fn check(&self, session: SessionId, from: ServerId, local: bool, cx: Cx) -> Result<(), Code> {
        let rules = cx.settings.rules;
        // until closeSession is applied, its own tree still has the session
        let lingers = rules.breaks(ServiceRule::ClosingSessionMayCreate) && cx.tree.session(session).is_some();
        match self.owner(session) {
            None if local && self.prep.ahead().session(session).is_none() => Ok(()),
            _ if !self.is_alive(session) && !lingers => Err(Code::SessionExpired),
            Some(owner) if owner != from && !rules.breaks(ServiceRule::OwnerNotChecked) => Err(Code::SessionMoved),
            _ => Ok(()),
        }
    }

    /// A session is being closed: nothing more is taken from it.
    pub(super) fn close(&mut self, session: SessionId) {
        self.closing.insert(session);
        self.expiry.forget(session);
    }

    /// A closeSession was applied.
    pub(super) fn closed(&mut self, session: SessionId) {
        self.closing.remove(&session);
        self.owners.remove(&session);
        self.expiry.forget(session);
    }

    /// A client takes its session up with a server; `None` where the session is gone, else where it belonged before.
    pub(super) fn revalidate(
        &mut self,
        session: SessionId,
        at: ServerId,
        now: SimTime,
        settings: &Settings,
    ) -> Option<Option<ServerId>> {
        if !self.is_alive(session) {
            return None;
        }
        self.expiry.touch(session, now, settings.tick_time);
        Some(self.owners.insert(session, at))
    }

    /// A learner's sync: its answer waits for this proposal.
    pub(super) fn park_sync(&mut self, behind: Zxid, conn: ConnId, payload: Rc<Submitted>) {
        self.syncs.get_or_default(behind).push((conn, payload));
    }

    /// How many syncs wait.
    pub fn pending_syncs(&self) -> usize {
        self.syncs.values().map(Vec::len).sum()
    }

    /// A transaction is applied here.
    pub(super) fn committed(&mut self, zxid: Zxid) {
        self.prep.committed(zxid);
    }

    /// A transaction was committed: the syncs that waited for it.
    pub(super) fn syncs_after(&mut self, zxid: Zxid) -> Vec<(ConnId, Rc<Submitted>)> {
        self.syncs.remove(&zxid).unwrap_or_default()
    }

    /// Nodes whose time is over: containers without children that had some, or never had any for long; nodes with a time to
    /// live, without children and unchanged for that time. The real one spreads large numbers over a minute.
    pub(super) fn overdue(tree: &Tree, clock_ms: i64, settings: &Settings) -> Vec<Rc<str>> {
        let never_used = (settings.max_never_used / 1000) as i64;
        let is_over = |node: &crate::store::Znode| match node.owner {
            Owner::Container => node.cversion > 0 || never_used != 0 && clock_ms - node.mtime > never_used,
            Owner::Ttl(ttl) => clock_ms - node.mtime > ttl,
            Owner::None | Owner::Session(_) => false,
        };
        let over = tree.mortal().filter(|(_, node)| node.children.is_empty() && is_over(node));
        over.map(|(path, _)| path.clone()).collect()
    }
}

/// The quotas beyond which a request goes: those of what was done, and that for which it was refused.
fn tell_over_quota(asked: &Submitted, txn: &Txn, before: &Tree, applied: &Tree, out: &mut Outbox) {
    let Body::Client(request) = &asked.body else { return };
    let parts = match request {
        Request::Multi { ops } => &ops[..],
        one => std::slice::from_ref(one),
    };
    let passed = match &txn.op {
        Op::Error(Code::QuotaExceeded) => 1,
        Op::Error(_) => 0,
        Op::FailedMulti(codes) => {
            let done = codes.iter().take_while(|code| **code == Code::Ok).count();
            done + usize::from(codes.get(done) == Some(&Code::QuotaExceeded))
        }
        _ => parts.len(),
    };
    for OverQuota { path, of, would_be, limit, hard } in
        parts.iter().take(passed).flat_map(|part| applied.over_quota(part, before))
    {
        out.push(Output::Fact(Fact::OverQuota { path, of, would_be, limit, hard }));
    }
}
