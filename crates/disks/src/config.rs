//! Configurations: `zoo.cfg` and the dynamic ones beside it (`QuorumPeerConfig.java`, `QuorumPeer.java` `QuorumServer`).

use std::collections::BTreeMap;

use serde::Serialize;
use zabscope_ground::base::{Arrange, Zxid};

use crate::trouble::{Trouble, Wrong};

/// A server of an ensemble, as a configuration names it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Member {
    /// Its addresses: host, port of the quorum, port of elections. More than one where it has several.
    pub addresses: Vec<String>,
    /// Whether it votes.
    #[serde(rename = "votes")]
    pub is_voter: bool,
    /// Where clients connect, if the configuration says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub client: Option<String>,
}

/// A configuration.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Config {
    /// The lines that name no server, by their keys.
    pub keys: BTreeMap<String, String>,
    /// The servers.
    pub members: BTreeMap<u64, Member>,
    /// The groups of a hierarchical quorum: the servers of each.
    pub groups: BTreeMap<u64, Vec<u64>>,
    /// The weights of servers in it, where they are not 1.
    pub weights: BTreeMap<u64, u64>,
    /// Its version: in a znode that is a line, of a file it is in its name.
    pub version: Option<Zxid>,
}

impl Config {
    /// Reads a configuration, and says what could not be read in it.
    pub fn read(path: &str, text: &str) -> (Config, Vec<Trouble>) {
        let (mut config, mut troubles) = (Config::default(), Vec::new());
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.trim();
            if line.is_empty() || line.starts_with(['#', '!']) {
                continue;
            }
            if config.line(line).is_none() {
                let text = line.chars().take(80).collect();
                troubles.push(Trouble::of(path, Wrong::Line { number, text }));
            }
        }
        (config, troubles)
    }

    fn line(&mut self, line: &str) -> Option<()> {
        let (key, value) = line.split_once('=').or_else(|| line.split_once(':'))?;
        let (key, value) = (key.trim(), value.trim());
        match key.split_once('.') {
            Some(("server", id)) => {
                let role = self.keys.get("peerType").cloned();
                self.members.insert(id.trim().parse().ok()?, member(value, role.as_deref())?);
            }
            Some(("group", id)) => {
                let servers: Option<Vec<u64>> = value.split(':').map(|server| server.trim().parse().ok()).collect();
                self.groups.insert(id.trim().parse().ok()?, servers?);
            }
            Some(("weight", id)) => {
                self.weights.insert(id.trim().parse().ok()?, value.parse().ok()?);
            }
            _ if key == "version" => {
                self.version = Some(Zxid(u64::from_str_radix(value.trim_start_matches("0x"), 16).ok()?));
            }
            _ => {
                self.keys.insert(key.into(), value.into());
            }
        }
        Some(())
    }

    /// What a key says.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.keys.get(key).map(String::as_str)
    }

    /// Whether it is one: what has an end like one may be anything.
    pub fn says_something(&self) -> bool {
        !self.members.is_empty()
            || ["dataDir", "tickTime", "clientPort"].iter().any(|key| self.keys.contains_key(*key))
    }

    /// Which of its servers the configuration's own address for clients names.
    pub fn own_id(&self) -> Option<u64> {
        let port = self.get("clientPort")?;
        let address = self.get("clientPortAddress");
        let mut named = self.members.iter().filter(|(_, member)| {
            let quorum = member.addresses.iter().filter_map(|address| address.split(':').next());
            let by_address = address.is_some_and(|address| quorum.clone().any(|host| host == address));
            let by_port = member.client.as_ref().is_some_and(|client| client.rsplit(':').next() == Some(port));
            by_port || by_address && self.hosts_differ()
        });
        let found = named.next().map(|(id, _)| *id);
        found.filter(|_| named.next().is_none())
    }

    fn hosts_differ(&self) -> bool {
        let hosts = self.members.values().flat_map(|member| &member.addresses);
        let hosts: Vec<&str> = hosts.filter_map(|address| address.split(':').next()).collect();
        let mut unique = hosts.clone();
        unique.arrange();
        unique.dedup();
        unique.len() == hosts.len()
    }
}

/// `host:port:port[:role][|host:port:port…][;[address:]port]`
fn member(text: &str, role: Option<&str>) -> Option<Member> {
    let (servers, client) = match text.split_once(';') {
        Some((servers, client)) => (servers, Some(client)),
        None => (text, None),
    };
    let is_role = |word: &str| ["participant", "observer"].iter().any(|role| word.eq_ignore_ascii_case(role));
    let (mut addresses, mut said) = (Vec::new(), role.map(str::to_string));
    for address in servers.split('|') {
        let (address, role) = match address.trim().rsplit_once(':') {
            Some((address, role)) if is_role(role) => (address, Some(role)),
            _ => (address.trim(), None),
        };
        said = role.map(str::to_string).or(said);
        // a host with its two ports; an IPv6 one has colons between its brackets
        let mut ports = address.rsplitn(3, ':');
        let are_ports = ports.by_ref().take(2).filter(|port| port.parse::<u16>().is_ok()).count() == 2;
        if !are_ports || ports.next().is_none_or(str::is_empty) {
            return None;
        }
        addresses.push(address.into());
    }
    let client = client.map(str::trim).filter(|client| !client.is_empty()).map(String::from);
    Some(Member { addresses, is_voter: !said.is_some_and(|role| role.eq_ignore_ascii_case("observer")), client })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_static_configuration_is_read() {
        let text = "# mine\ntickTime=2000\n dataDir = /srv/data \n\nserver.1=zk1:2888:3888\nserver.3=[::1]:2888:3888:observer;2181\n\
                    server.x=\nserver.2=zk2\nweight.1=0\ngroup.1=1:3\nword";
        let (config, troubles) = Config::read("zoo.cfg", text);
        assert_eq!(config.get("dataDir"), Some("/srv/data"));
        assert_eq!(config.members[&1], member("zk1:2888:3888:participant", None).unwrap());
        let third =
            Member { addresses: vec!["[::1]:2888:3888".into()], is_voter: false, client: Some("2181".into()) };
        assert_eq!(config.members[&3], third);
        assert_eq!((config.weights[&1], &config.groups[&1][..]), (0, &[1, 3][..]));
        let told: Vec<String> = troubles.iter().map(ToString::to_string).collect();
        assert_eq!(told[0], "zoo.cfg: line 7 cannot be read: server.x=");
        assert_eq!(told.len(), 3);
    }

    #[test]
    fn a_server_may_have_several_addresses() {
        let both = member("a:1:2|b:3:4:observer;127.0.0.1:5", None).unwrap();
        assert_eq!((both.addresses.len(), both.is_voter, both.client.as_deref()), (2, false, Some("127.0.0.1:5")));
        assert!(!member("a:1:2", Some("observer")).unwrap().is_voter);
    }

    #[test]
    fn a_configuration_may_tell_whose_it_is() {
        let of = |text: &str| Config::read("zoo.cfg", text).0.own_id();
        let two = "clientPort=2\nserver.1=h:1:1:participant;1\nserver.2=h:1:1:participant;127.0.0.1:2";
        assert_eq!(of(two), Some(2));
        let hosts = "clientPort=2181\nclientPortAddress=b\nserver.1=a:1:1\nserver.2=b:1:1";
        assert_eq!(of(hosts), Some(2));
        assert_eq!(of("clientPort=2181\nserver.1=a:1:1\nserver.2=b:1:1"), None);
        assert_eq!(of("clientPort=2181\nclientPortAddress=a\nserver.1=a:1:1\nserver.2=a:1:1"), None);
        assert_eq!(Config::read("", "version=100000004").0.version, Some(Zxid::new(1, 4)));
    }
}
