//! Reconfiguration: what a server does with a configuration that it hears of (`QuorumPeer.java` `setLastSeenQuorumVerifier`,
//! `setQuorumVerifier`, `processReconfig`), and what its leader makes of a request (`PrepRequestProcessor.java`).

use std::rc::Rc;

use crate::base::{ServerId, ServerSet, Zxid};
use crate::wire::{Code, Request};

use super::config::Config;
use super::fact::Fact;
use super::io::Output;
use super::leader::Leader;
use super::members::{Members, Quorums};
use super::message::Notification;
use super::peer::{Cx, Env, Peer};

/// The fewest voters that a reconfiguration may leave (`standaloneEnabled`).
const LEAST_VOTERS: usize = 2;

impl Cx<'_> {
    /// The configuration that goes with notifications and NEWLEADER; nothing where it is what stands in the files.
    pub(in crate::zab) fn told(&self, config: Members) -> Option<Rc<Members>> {
        (config.version > Zxid::ZERO).then(|| Rc::new(config))
    }

    /// A configuration was proposed: from now on a quorum of it is needed too. It is on disk before anything that comes after
    /// it.
    pub(in crate::zab) fn see_config(&mut self, next: &Members) {
        if !self.config.reconfig || next.version == self.members.last_seen().version {
            return;
        }
        let now = self.members.now;
        self.members.next = (next.version > now.version).then_some(*next);
        for id in next.all().iter().filter(|&id| id != self.me && !now.all().contains(id)) {
            self.links.connect(id, self.now, self.out);
        }
        self.storage.write_config(*self.members, self.out);
        self.out.fact(match self.members.next {
            Some(config) => Fact::ConfigSeen { config },
            // it had seen one that its leader has not: that is given up
            None => Fact::ConfigActivated { config: now },
        });
    }

    /// A configuration is in force. Says whether this server must leave its role: its kind changes, or its leader. It goes to the
    /// suggested leader then, without an election; where none is suggested it looks for one.
    pub(in crate::zab) fn activate_config(
        &mut self,
        config: &Members,
        suggested: Option<ServerId>,
        leader: ServerId,
    ) -> bool {
        if !self.config.reconfig {
            return false;
        }
        let before = self.members.now;
        if config.version > before.version {
            self.members.now = *config;
            self.members.next = self.members.next.filter(|next| next.version > config.version);
            self.storage.write_config(*self.members, self.out);
            self.out.fact(Fact::ConfigActivated { config: *config });
        }
        self.out.push(Output::Config(self.members.now));
        if before.version >= config.version || before.is_like(config) {
            return false;
        }
        self.links.restart(self.out);
        let kind_changes = before.observers.contains(self.me) != config.observers.contains(self.me);
        let leader_changes = match suggested {
            Some(suggested) => suggested != leader,
            None => !before.votes(leader) || !config.votes(leader),
        };
        *self.suggested = suggested.filter(|_| kind_changes || leader_changes);
        kind_changes || leader_changes
    }
}

impl Leader {
    /// The best leader of the next configuration: this one, if it votes there; else of those who have acknowledged the
    /// reconfiguration (`acks`) the one that has acknowledged most of what came after it.
    pub(super) fn designated(&self, next: &Members, acks: ServerSet, zxid: Zxid, me: ServerId) -> ServerId {
        if next.votes(me) {
            return me;
        }
        let mut candidates = acks.intersection(next.voters);
        let mut best = candidates.iter().next().unwrap_or(me);
        for waiting in self.outstanding.iter().filter(|(later, _)| **later > zxid).map(|(_, waiting)| waiting) {
            candidates = candidates.intersection(waiting.acks);
            match candidates.iter().next() {
                Some(candidate) => best = candidate,
                None => break,
            }
        }
        best
    }

    /// `isQuorumSynced`: whether enough voters of a configuration follow already, and in time.
    fn has_synced_quorum(&self, next: &Members, me: ServerId) -> bool {
        let synced = self.learners.values().filter(|handler| handler.is_forwarding() && !handler.observer);
        let synced = synced.filter(|handler| self.in_time(handler)).map(|handler| handler.learner);
        next.is_quorum(synced.chain([me]).collect())
    }
}

impl Peer {
    /// What a start finds of configurations: one that was being written when the server died may be lost.
    pub(super) fn tell_config(&self, env: &mut Env) {
        let Quorums { now, next } = self.members;
        if env.config.reconfig && now.version > Zxid::ZERO {
            env.out.fact(Fact::ConfigActivated { config: now });
        }
        if let Some(config) = next.filter(|_| env.config.reconfig) {
            env.out.fact(Fact::ConfigSeen { config });
        }
    }

    /// A later configuration is adopted from a notification; where it is another one the election starts over
    /// (`FastLeaderElection.java` `WorkerReceiver`).
    pub(super) fn adopts_config(&mut self, theirs: &Notification, env: &mut Env) -> bool {
        let before = self.members.now;
        let Some(config) = theirs.config.as_ref().filter(|config| config.version > before.version) else {
            return false;
        };
        let (mut cx, _, election) = self.split(env);
        cx.activate_config(config, None, theirs.vote.leader);
        election.restart(&before, &cx.members.now)
    }

    /// The configuration that a request asks an established leader for, or why not. Rights are checked elsewhere.
    ///
    /// # Errors
    /// The code for the client.
    pub fn reconfigured(&self, asked: &Request, zxid: Zxid, config: &Config) -> Result<Members, Code> {
        let Request::Reconfig { joining, leaving, members, version } = asked else {
            return Err(Code::Unimplemented);
        };
        if !config.reconfig {
            return Err(Code::ReconfigDisabled);
        }
        let leader = self.leading().ok_or(Code::Unimplemented)?;
        if self.members.next.is_some() {
            return Err(Code::ReconfigInProgress);
        }
        let now = self.members.now;
        if *version != -1 && *version != now.version.0 as i64 {
            return Err(Code::BadVersion);
        }
        let next = match members {
            Some(text) => Members::parse(text).ok_or(Code::BadArguments),
            None => now.changed(joining.as_deref(), leaving.as_deref()),
        };
        let next = next.map(|next| Members { version: zxid, ..next })?;
        if next.voters.len() < LEAST_VOTERS {
            return Err(Code::BadArguments);
        }
        if !leader.has_synced_quorum(&next, self.id) {
            return Err(Code::NewConfigNoQuorum);
        }
        Ok(next)
    }
}
