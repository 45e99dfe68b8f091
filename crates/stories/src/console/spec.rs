//! The commands of zkCli 3.9: names, usage lines, options, and what their words are; and how those of 3.8 differ.

use crate::sim::ZkVersion;

/// What stands at a place of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// A path.
    Path,
    /// A server's name.
    Server,
    /// `on` or `off`.
    Switch,
    /// A command's name.
    Command,
    /// A scheme of `addauth`.
    Scheme,
    /// A four-letter word.
    Word,
    /// Just this.
    Just(&'static str),
    /// Something that nobody can guess.
    Free,
}

/// A command.
#[derive(Debug, PartialEq, Eq)]
pub struct Spec {
    /// Its name.
    pub name: &'static str,
    /// What stands behind its name in its usage line.
    pub arguments: &'static str,
    /// Its options, and whether they take a value.
    pub options: &'static [(char, bool)],
    /// What its words are.
    pub takes: &'static [Takes],
    /// What its usage explains below the line.
    pub explains: &'static [&'static str],
    /// Whether zkCli has it: what we add is not in its list.
    pub listed: bool,
}

use Takes::{Free, Path};

const fn spec(
    name: &'static str,
    arguments: &'static str,
    options: &'static [(char, bool)],
    takes: &'static [Takes],
) -> Spec {
    Spec { name, arguments, options, takes, explains: &[], listed: true }
}

const fn extra(name: &'static str, arguments: &'static str, takes: &'static [Takes]) -> Spec {
    Spec { name, arguments, options: &[], takes, explains: &[], listed: false }
}

const RECONFIG: &str = "[-s] [-v version] [[-file path] | [-members serverID=host:port1:port2;port3[,...]*]] | \
                        [-add serverId=host:port1:port2;port3[,...]]* [-remove serverId[,...]*]";
const ADD_WATCH: &str =
    "[-m mode] path # optional mode is one of [PERSISTENT, PERSISTENT_RECURSIVE] - default is PERSISTENT_RECURSIVE";

const ECHO: &str =
    "conf|cons|crst|dirs|dump|envi|gtmk|hash|isro|mntr|ruok|srst|srvr|stat|stmk|wchc|wchp|wchs | nc server [2181]";

/// In the order of zkCli's list, then those that are not in it.
static COMMANDS: &[Spec] = &[
    spec("addWatch", ADD_WATCH, &[('m', true)], &[Path]),
    spec("addauth", "scheme auth", &[], &[Takes::Scheme, Free]),
    spec("close", "", &[], &[]),
    spec("config", "[-c] [-w] [-s]", &[('c', false), ('w', false), ('s', false)], &[]),
    spec("connect", "host:port", &[], &[Takes::Server]),
    spec(
        "create",
        "[-s] [-e] [-c] [-t ttl] path [data] [acl]",
        &[('s', false), ('e', false), ('c', false), ('t', true)],
        &[Path, Free, Free],
    ),
    spec("delete", "[-v version] path", &[('v', true)], &[Path]),
    spec("deleteall", "path [-b batch size]", &[('b', true)], &[Path]),
    spec("delquota", "[-n|-b|-N|-B] path", &[('n', false), ('b', false), ('N', false), ('B', false)], &[Path]),
    Spec {
        explains: &[
            " -b   Output data in base64 format",
            " -s   Print znode stats additionally",
            " -w   Watch for changes on the znode",
            " -x   Output data in hexdump format",
            "",
        ],
        ..spec("get", "[-s] [-w] [-b] [-x] path", &[('s', false), ('w', false), ('b', false), ('x', false)], &[Path])
    },
    spec("getAcl", "[-s] path", &[('s', false)], &[Path]),
    spec("getAllChildrenNumber", "path", &[], &[Path]),
    spec("getEphemerals", "path", &[], &[Path]),
    spec("history", "", &[], &[]),
    spec("listquota", "path", &[], &[Path]),
    spec("ls", "[-s] [-w] [-R] path", &[('s', false), ('w', false), ('R', false), ('?', false)], &[Path]),
    spec("printwatches", "on|off", &[], &[Takes::Switch]),
    spec("quit", "", &[], &[]),
    spec("reconfig", RECONFIG, &[('s', false), ('v', true), ('F', true), ('M', true), ('A', true), ('R', true)], &[]),
    spec("redo", "cmdno", &[], &[Free]),
    spec(
        "removewatches",
        "path [-c|-d|-a] [-l]",
        &[('c', false), ('d', false), ('p', false), ('r', false), ('a', false), ('l', false)],
        &[Path],
    ),
    Spec {
        explains: &[
            " -b         Supply data in base64 format",
            " -s         Print znode stats additionally",
            " -v <arg>   Set with an expected version",
            "",
        ],
        ..spec("set", "path data [-s] [-v version] [-b]", &[('s', false), ('v', true), ('b', false)], &[Path, Free])
    },
    spec("setAcl", "[-s] [-v version] [-R] path acl", &[('s', false), ('v', true), ('R', false)], &[Path, Free]),
    spec("setquota", "-n|-b|-N|-B val path", &[('n', true), ('b', true), ('N', true), ('B', true)], &[Path]),
    spec("stat", "[-w] path", &[('w', false)], &[Path]),
    spec("sync", "path", &[], &[Path]),
    spec("version", "", &[], &[]),
    spec("whoami", "", &[], &[]),
    extra("clear", "", &[]),
    extra("echo", ECHO, &[Takes::Word, Takes::Just("|"), Takes::Just("nc"), Takes::Server]),
    extra("help", "[command]", &[Takes::Command]),
    extra("kill", "[-9|-STOP|-CONT] server", &[Takes::Server]),
    extra("poweroff", "server", &[Takes::Server]),
    extra("zkServer.sh", "start server", &[Takes::Just("start"), Takes::Server]),
];

/// What 3.8 has otherwise: it has no data that is no text, and no types for lasting watches. (3.8.5 took the former from 3.9.)
static OLDER: &[Spec] = &[
    spec("get", "[-s] [-w] path", &[('s', false), ('w', false)], &[Path]),
    spec("removewatches", "path [-c|-d|-a] [-l]", &[('c', false), ('d', false), ('a', false), ('l', false)], &[Path]),
    spec("set", "[-s] [-v version] path data", &[('s', false), ('v', true)], &[Path, Free]),
];

/// All commands: those of zkCli's list in its order, then the others.
pub fn commands(version: ZkVersion) -> impl Iterator<Item = &'static Spec> {
    COMMANDS.iter().map(move |spec| {
        let older = OLDER.iter().find(|older| version == ZkVersion::V38 && older.name == spec.name);
        older.unwrap_or(spec)
    })
}

/// The command of a name.
pub(super) fn find(name: &str, version: ZkVersion) -> Option<&'static Spec> {
    commands(version).find(|spec| spec.name == name)
}

impl Spec {
    /// An option as it is typed: some have longer names than the letters by which they are known here.
    pub fn option(&self, letter: char) -> String {
        let named = self.names().iter().find(|(_, known)| *known == letter);
        named.map_or_else(|| format!("-{letter}"), |(name, _)| format!("-{name}"))
    }

    /// The options that have names, and the letters by which they are known here, which nobody can type.
    pub(super) fn names(&self) -> &'static [(&'static str, char)] {
        if self.name == "reconfig" { &[("file", 'F'), ("members", 'M'), ("add", 'A'), ("remove", 'R')] } else { &[] }
    }

    /// The usage line as the list shows it.
    pub fn usage_line(&self) -> String {
        format!("{} {}", self.name, self.arguments).trim_end().to_string()
    }

    /// The usage as the command complains: two of them explain their options below the line.
    pub fn usage(&self) -> Vec<String> {
        std::iter::once(self.usage_line()).chain(self.explains.iter().map(|line| (*line).to_string())).collect()
    }
}

/// What zkCli prints for `help`.
pub(super) fn list(version: ZkVersion) -> Vec<String> {
    let head = "ZooKeeper -server host:port -client-configuration properties-file cmd args".to_string();
    let listed = commands(version).filter(|spec| spec.listed);
    std::iter::once(head).chain(listed.map(|spec| format!("\t{}", spec.usage_line()))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_sorted_as_java_sorts() {
        let names: Vec<&str> = COMMANDS.iter().filter(|spec| spec.listed).map(|spec| spec.name).collect();
        assert!(names.is_sorted(), "{names:?}");
        assert_eq!(names.len(), 28);
        assert_eq!(list(ZkVersion::V39)[6], "\tcreate [-s] [-e] [-c] [-t ttl] path [data] [acl]");
        assert_eq!(find("close", ZkVersion::V39).unwrap().usage(), ["close"]);
        for gone in ["foo", "ls2", "rmr"] {
            assert_eq!(find(gone, ZkVersion::V39), None, "{gone}");
        }
    }

    #[test]
    fn three_commands_of_3_8_are_others() {
        let (old, new) = (list(ZkVersion::V38), list(ZkVersion::AsRepaired));
        let differ: Vec<&String> = old.iter().filter(|line| !new.contains(line)).collect();
        assert_eq!(differ, ["\tget [-s] [-w] path", "\tset [-s] [-v version] path data"]);
        assert_eq!(find("get", ZkVersion::V38).unwrap().usage(), ["get [-s] [-w] path"]);
        let removes = |version| find("removewatches", version).unwrap().options.len();
        assert_eq!((removes(ZkVersion::V38), removes(ZkVersion::V39)), (4, 6));
    }
}
