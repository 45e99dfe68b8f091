//! Configurations of the ensemble, and what a quorum is (`QuorumMaj.java`, `QuorumHierarchical.java`,
//! `SyncedLearnerTracker.java`, `QuorumPeerConfig.java` `parseDynamicConfig`).

use serde::{Deserialize, Serialize};
use std::fmt;

use crate::base::limits::MAX_SERVER_ID;
use crate::base::{Arrange, RuleSet, ServerId, ServerSet, Zxid};
use crate::wire::Code;

use super::rules::BrokenRule;

/// One for each id, and one more.
const PLACES: usize = MAX_SERVER_ID as usize + 1;

/// One configuration: who belongs to the ensemble, and which votes are a quorum (`QuorumVerifier.java`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Members {
    /// Servers that vote.
    pub voters: ServerSet,
    /// Servers that only follow.
    pub observers: ServerSet,
    /// The port for clients of each server whose address for clients it names, as a reconfiguration said it; 0: it names none.
    #[serde(skip)]
    pub client_ports: [u16; PLACES],
    /// How votes count; where it is left out more than half of the voters are a quorum.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub groups: Option<Groups>,
    /// The zxid of the reconfiguration that made it; 0:0 as it stands in the servers' files.
    pub version: Zxid,
}

/// A hierarchical quorum: more than half of the groups, and in each of those more than half of the weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Groups {
    /// The group of each server; 0: none.
    group: [u8; PLACES],
    /// The weight of each server's vote; a server without any never leads.
    weight: [u8; PLACES],
}

impl Groups {
    /// Each set is a group; weights are those of the servers 1, 2, …, and 1 where one is left out.
    pub fn new(groups: &[ServerSet], weights: &[u8]) -> Groups {
        let mut made = Groups { group: [0; PLACES], weight: [1; PLACES] };
        for (number, servers) in (1..).zip(groups) {
            servers.iter().for_each(|id| made.group[usize::from(id.0)] = number);
        }
        for (place, &weight) in made.weight.iter_mut().skip(1).zip(weights) {
            *place = weight;
        }
        made
    }

    fn of(&self, group: u8) -> ServerSet {
        (1..=MAX_SERVER_ID).map(ServerId).filter(|id| self.group[usize::from(id.0)] == group).collect()
    }

    fn weight(&self, servers: ServerSet) -> u32 {
        servers.iter().map(|id| u32::from(self.weight[usize::from(id.0)])).sum()
    }

    /// The voters of each group that has any weight.
    fn voting(&self, voters: ServerSet) -> impl Iterator<Item = ServerSet> {
        (1..=MAX_SERVER_ID).map(move |group| self.of(group).intersection(voters)).filter(|of| self.weight(*of) > 0)
    }

    fn is_quorum(&self, servers: ServerSet, voters: ServerSet) -> bool {
        let won = |of: &ServerSet| self.is_won(*of, servers);
        self.voting(voters).filter(won).count() * 2 > self.voting(voters).count()
    }

    fn is_won(&self, group: ServerSet, servers: ServerSet) -> bool {
        self.weight(group.intersection(servers)) * 2 > self.weight(group)
    }

    /// The fewest voters that are a quorum: the heaviest of the groups where the fewest are enough.
    fn least(&self, voters: ServerSet) -> usize {
        let mut each: Vec<usize> = self
            .voting(voters)
            .map(|of| {
                let mut weights: Vec<u32> = of.iter().map(|id| self.weight([id].into_iter().collect())).collect();
                weights.arrange_by(|a, b| b.cmp(a));
                let (mut have, all) = (0, self.weight(of));
                weights.iter().take_while(|&&weight| (have * 2 <= all, have += weight).0).count()
            })
            .collect();
        each.arrange();
        each.iter().take(each.len() / 2 + 1).sum()
    }
}

impl Members {
    /// A configuration in which more than half of the voters are a quorum, as it stands in the servers' files.
    pub fn new(voters: ServerSet, observers: ServerSet) -> Members {
        Members { voters, observers, client_ports: [0; PLACES], groups: None, version: Zxid::ZERO }
    }

    /// Whether these servers hold a quorum of the votes (`containsQuorum`).
    pub fn is_quorum(&self, servers: ServerSet) -> bool {
        match &self.groups {
            None => servers.intersection(self.voters).len() * 2 > self.voters.len(),
            Some(groups) => groups.is_quorum(servers, self.voters),
        }
    }

    /// The same for a server that may count wrongly. Rules of counting are about majorities: groups are counted rightly.
    pub(in crate::zab) fn is_quorum_by(&self, servers: ServerSet, rules: RuleSet) -> bool {
        let heard = if rules.breaks(BrokenRule::ObserversCount) { self.all() } else { self.voters };
        let (counted, all) = (servers.intersection(heard).len() * 2, self.voters.len());
        let wrongly = counted > all || (counted == all && rules.breaks(BrokenRule::HalfIsEnough));
        self.is_quorum(servers) || (wrongly && self.groups.is_none())
    }

    /// The groups of voters that have any weight, and whether these servers hold more than half of it; none where a majority of all
    /// voters is a quorum.
    pub fn groups(&self, servers: ServerSet) -> Vec<(ServerSet, bool)> {
        let Some(groups) = &self.groups else { return Vec::new() };
        let won = |of: ServerSet| groups.is_won(of, servers);
        groups.voting(self.voters).map(|of| (of, won(of))).collect()
    }

    /// The fewest voters that make a quorum.
    pub fn majority(&self) -> usize {
        match &self.groups {
            None => self.voters.len() / 2 + 1,
            Some(groups) => groups.least(self.voters),
        }
    }

    /// Whether the server votes.
    pub fn votes(&self, id: ServerId) -> bool {
        self.voters.contains(id)
    }

    /// Whether it names this server and no other.
    pub fn is_only(&self, id: ServerId) -> bool {
        self.all() == [id].into_iter().collect()
    }

    /// Everybody, with and without a vote.
    pub fn all(&self) -> ServerSet {
        self.voters.union(self.observers)
    }

    /// Whether a server's vote weighs anything: else it is never elected (`totalOrderPredicate`).
    pub fn may_lead(&self, id: ServerId) -> bool {
        self.groups.is_none_or(|groups| groups.weight.get(usize::from(id.0)).is_some_and(|&weight| weight > 0))
    }

    /// The configuration after servers have left and joined (`PrepRequestProcessor.java`, reconfig).
    ///
    /// # Errors
    /// BadArguments where that is not said as a configuration file says it, or where quorums are not majorities; MarshallingError
    /// where an id is no number at all, since nobody catches that exception.
    pub fn changed(&self, joining: Option<&str>, leaving: Option<&str>) -> Result<Members, Code> {
        let mut next = *self;
        if self.groups.is_some() {
            return Err(Code::BadArguments);
        }
        let number = |id: &str| id.parse::<i64>().map_err(|_| Code::MarshallingError);
        for id in leaving.into_iter().flat_map(words) {
            if let Ok(id) = u8::try_from(number(id)?) {
                next.forget(ServerId(id)); // a server that is not there is gone already
            }
        }
        for line in joining.into_iter().flat_map(words) {
            let (name, place) = line.split_once('=').ok_or(Code::BadArguments)?;
            let id = name.rsplit('.').next().unwrap_or(name);
            number(id)?;
            let id = next.put(id, place).ok_or(Code::BadArguments)?;
            if next.client_ports[usize::from(id.0)] == 0 {
                return Err(Code::BadArguments); // a joiner names three ports
            }
        }
        Ok(next)
    }

    /// The configuration that a text says, in the words of a configuration file (`parseDynamicConfig`).
    pub fn parse(text: &str) -> Option<Members> {
        let mut members = Members::new(ServerSet::EMPTY, ServerSet::EMPTY);
        let (mut groups, mut hierarchical) = (Groups::new(&[], &[]), false);
        for line in text.split(['\n', ',']).map(str::trim).filter(|line| !line.is_empty()) {
            let (key, value) = line.split_once('=')?;
            match key.split_once('.') {
                None if key == "version" => members.version = Zxid(u64::from_str_radix(value, 16).ok()?),
                Some(("server", id)) => {
                    members.put(id, value)?;
                }
                Some(("group", group)) => {
                    hierarchical = true;
                    let group = group.parse().ok().filter(|group| (1..=MAX_SERVER_ID).contains(group))?;
                    for id in value.split(':') {
                        *groups.group.get_mut(id.parse::<usize>().ok()?)? = group;
                    }
                }
                Some(("weight", id)) => {
                    hierarchical = true;
                    *groups.weight.get_mut(id.parse::<usize>().ok()?)? = value.parse().ok()?;
                }
                _ => return None,
            }
        }
        if hierarchical {
            let placed = |id: ServerId| groups.group[usize::from(id.0)] > 0;
            members.groups = members.voters.iter().all(placed).then_some(Some(groups))?;
        }
        Some(members)
    }

    fn forget(&mut self, id: ServerId) {
        if id.is_valid() {
            for set in [&mut self.voters, &mut self.observers] {
                set.remove(id);
            }
            self.client_ports[usize::from(id.0)] = 0;
        }
    }

    /// Puts a server in: `host:port:port[:role][;[host:]port]` (`QuorumServer`). Of its addresses only the port for clients is kept:
    /// nobody here dials the others, they are made up.
    fn put(&mut self, id: &str, place: &str) -> Option<ServerId> {
        let id = id.parse().ok().map(ServerId).filter(|id| id.is_valid())?;
        let (peer, client) = place.split_once(';').map_or((place, None), |(peer, client)| (peer, Some(client)));
        let port = |text: &str| text.parse::<u16>().ok().filter(|&port| port > 0);
        let mut parts = peer.trim().split(':');
        parts.next().filter(|host| !host.is_empty())?;
        for _ in 0..2 {
            parts.next().and_then(port)?;
        }
        let observes = match parts.next() {
            None | Some("participant") => false,
            Some("observer") => true,
            Some(_) => return None,
        };
        if parts.next().is_some() {
            return None;
        }
        let client = match client {
            Some(client) => client.rsplit(':').next().and_then(port)?,
            None => 0,
        };
        self.forget(id);
        if observes { &mut self.observers } else { &mut self.voters }.insert(id);
        self.client_ports[usize::from(id.0)] = client;
        Some(id)
    }

    /// Whether another configuration is the same but for its version (`equals`).
    pub fn is_like(&self, other: &Members) -> bool {
        Members { version: other.version, ..*self } == *other
    }
}

/// Servers as a list names them.
fn words(list: &str) -> impl Iterator<Item = &str> {
    list.split(',').map(str::trim).filter(|word| !word.is_empty())
}

/// The text of `/zookeeper/config`, with addresses made up from the servers' ids, but for ports for clients.
impl fmt::Display for Members {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for ServerId(id) in self.all().iter() {
            let role = if self.votes(ServerId(id)) { "participant" } else { "observer" };
            write!(f, "server.{id}=127.0.0.1:{}:{}:{role}", 20_000 + u32::from(id), 30_000 + u32::from(id))?;
            if let Some(&port @ 1..) = self.client_ports.get(usize::from(id)) {
                write!(f, ";0.0.0.0:{port}")?;
            }
            writeln!(f)?;
        }
        if let Some(groups) = &self.groups {
            for group in (1..=MAX_SERVER_ID).filter(|&group| !groups.of(group).is_empty()) {
                let servers: Vec<String> = groups.of(group).iter().map(|id| id.0.to_string()).collect();
                writeln!(f, "group.{group}={}", servers.join(":"))?;
            }
            for ServerId(id) in self.voters.iter() {
                writeln!(f, "weight.{id}={}", groups.weight[usize::from(id)])?;
            }
        }
        write!(f, "version={:x}", self.version.0)
    }
}

/// The configurations of which a quorum each is needed: the one in force, and the next while a reconfiguration is under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Quorums {
    /// The configuration in force (`quorumVerifier`).
    pub now: Members,
    /// A later one that was proposed and is not in force yet (`lastSeenQuorumVerifier`).
    pub next: Option<Members>,
}

impl From<Members> for Quorums {
    fn from(now: Members) -> Quorums {
        Quorums { now, next: None }
    }
}

impl Quorums {
    /// Whether these servers hold a quorum of each (`hasAllQuorums`).
    pub fn is_quorum(&self, servers: ServerSet) -> bool {
        self.now.is_quorum(servers) && self.next.is_none_or(|next| next.is_quorum(servers))
    }

    /// The same for a server that may count wrongly.
    pub(in crate::zab) fn is_quorum_by(&self, servers: ServerSet, rules: RuleSet) -> bool {
        let counts = |members: &Members| members.is_quorum_by(servers, rules);
        counts(&self.now) && self.next.as_ref().is_none_or(counts)
    }

    /// Whether a server votes in either (`validVoter`).
    pub fn votes(&self, id: ServerId) -> bool {
        self.voters().contains(id)
    }

    /// Who votes in either (`getCurrentAndNextConfigVoters`).
    pub fn voters(&self) -> ServerSet {
        self.next.map_or(self.now.voters, |next| next.voters.union(self.now.voters))
    }

    /// The last configuration seen, in force or not.
    pub fn last_seen(&self) -> &Members {
        self.next.as_ref().unwrap_or(&self.now)
    }

    /// How many voters make a quorum; of two configurations, of the one that asks for more.
    pub fn need(&self) -> usize {
        self.next.map_or(0, |next| next.majority()).max(self.now.majority())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set<const N: usize>(ids: [u8; N]) -> ServerSet {
        ids.map(ServerId).into_iter().collect()
    }

    #[test]
    fn four_tolerate_no_more_than_three() {
        let members = |n| Members::new(ServerSet::first(n), ServerSet::EMPTY);
        assert_eq!([3, 4, 5].map(|n| members(n).majority()), [2, 3, 3]);
        assert!(!members(4).is_quorum(ServerSet::first(2)));
        assert!(members(3).is_quorum(ServerSet::first(2)));
    }

    #[test]
    fn observers_never_count() {
        let members = Members::new(ServerSet::first(3), set([4, 5]));
        assert!(!members.is_quorum(set([1, 4, 5])));
    }

    #[test]
    fn groups_win_by_weight_and_more_than_half_of_them_must() {
        let groups = Groups::new(&[set([1, 2, 3]), set([4, 5, 6]), set([7, 8, 9])], &[]);
        let members = Members { groups: Some(groups), ..Members::new(ServerSet::first(9), ServerSet::EMPTY) };
        assert_eq!(members.majority(), 4);
        assert!(members.is_quorum(set([1, 2, 4, 5])), "four of nine, two of each of two groups");
        assert!(!members.is_quorum(set([1, 2, 3, 4, 7])), "five of nine, but only one group");
        let heavy = Groups::new(&[set([1, 2, 3])], &[3, 1, 1]);
        let members = Members { groups: Some(heavy), ..Members::new(ServerSet::first(3), ServerSet::EMPTY) };
        assert!(members.is_quorum(set([1])) && !members.is_quorum(set([2, 3])));
        assert_eq!(members.majority(), 1);
    }

    #[test]
    fn a_group_without_weight_counts_for_nothing() {
        let groups = Groups::new(&[set([1, 2, 3]), set([4, 5])], &[1, 1, 1, 0, 0]);
        let members = Members { groups: Some(groups), ..Members::new(ServerSet::first(5), ServerSet::EMPTY) };
        assert!(members.is_quorum(set([1, 2])) && !members.is_quorum(set([1, 4, 5])));
        assert!(members.may_lead(ServerId(3)) && !members.may_lead(ServerId(4)));
        assert!(!members.is_quorum(ServerSet::EMPTY));
    }

    #[test]
    fn a_configuration_is_what_its_text_says() {
        let three = Members::new(ServerSet::first(3), set([4]));
        assert_eq!(Members::parse(&three.to_string()), Some(three));
        let heavy = Members { groups: Some(Groups::new(&[set([1, 2, 3])], &[2])), version: Zxid::new(1, 7), ..three };
        assert_eq!(Members::parse(&heavy.to_string()).map(|read| read.to_string()), Some(heavy.to_string()));
        let next = three.changed(Some("server.5=h:1:2;3, 4=h:1:2:participant;h:3"), Some("1,9")).unwrap();
        assert_eq!((next.voters, next.observers), (set([2, 3, 4, 5]), ServerSet::EMPTY));
        assert!(next.to_string().contains("server.5=127.0.0.1:20005:30005:participant;0.0.0.0:3\n"), "{next}");
        assert!(next.changed(None, Some("5")).is_ok_and(|next| !next.to_string().contains(";0.0.0.0:3\nserver.5")));
        for bad in ["5", "5=h:1", "5=h:1:2", "5=h:1:2:leader;3", "99=h:1:2;3", "5=h:1:2;x", "5=:1:2;3"] {
            assert_eq!(three.changed(Some(bad), None), Err(Code::BadArguments), "{bad}");
        }
        assert_eq!(heavy.changed(None, Some("3")), Err(Code::BadArguments), "no majorities");
        assert_eq!(three.changed(None, Some("999,-1")), Ok(three), "nobody is called so");
        for (joining, leaving) in [(None, Some("x")), (Some("server.x=h:1:2;3"), None), (Some("=h:1:2;3"), None)] {
            assert_eq!(
                three.changed(joining, leaving),
                Err(Code::MarshallingError),
                "an exception that nobody catches"
            );
        }
        for bad in ["x", "server.1=h:1:2\ngroup.1=2", "port=5", "server.77=h:1:2"] {
            assert_eq!(Members::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn two_configurations_need_a_quorum_of_each() {
        let now = Members::new(ServerSet::first(3), ServerSet::EMPTY);
        let next = Members::new(ServerSet::first(5), ServerSet::EMPTY);
        let both = Quorums { now, next: Some(next) };
        assert!(!both.is_quorum(set([1, 2])), "two of five");
        assert!(!both.is_quorum(set([1, 4, 5])), "one of three");
        assert!(both.is_quorum(set([1, 2, 4])));
        assert_eq!((both.need(), both.voters().len()), (3, 5));
    }

    #[test]
    fn no_port_is_zero() {
        let three = Members::new(ServerSet::first(3), ServerSet::EMPTY);
        for bad in ["5=h:0:2;3", "5=h:1:0;3", "5=h:1:2;0", "5=h:1:2;h:0"] {
            assert_eq!(three.changed(Some(bad), None), Err(Code::BadArguments), "{bad}");
        }
    }

    #[test]
    fn of_two_groups_both_are_needed() {
        let groups = Some(Groups::new(&[set([1, 2, 3]), set([4, 5, 6])], &[]));
        let members = Members { groups, ..Members::new(ServerSet::first(6), ServerSet::EMPTY) };
        assert!(!members.is_quorum(set([1, 2, 3, 4])) && members.is_quorum(set([1, 2, 4, 5])));
        assert_eq!(members.majority(), 4);
    }
}
