//! The commands of zkCli 3.9: names, usage lines, options, and what their words are.

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
    /// Whether zkCli's list names it: what it dropped and what we add is not there.
    pub listed: bool,
}

use Takes::{Free, Path};

const fn spec(
    name: &'static str,
    arguments: &'static str,
    options: &'static [(char, bool)],
    takes: &'static [Takes],
) -> Spec {
    Spec { name, arguments, options, takes, listed: true }
}

const fn extra(name: &'static str, arguments: &'static str, takes: &'static [Takes]) -> Spec {
    Spec { name, arguments, options: &[], takes, listed: false }
}

const RECONFIG: &str = "[-s] [-v version] [[-file path] | [-members serverID=host:port1:port2;port3[,...]*]] | \
                        [-add serverId=host:port1:port2;port3[,...]]* [-remove serverId[,...]*]";
const ADD_WATCH: &str =
    "[-m mode] path # optional mode is one of [PERSISTENT, PERSISTENT_RECURSIVE] - default is PERSISTENT_RECURSIVE";

const ECHO: &str = "conf|cons|dump|isro|mntr|ruok|srvr|stat|wchc|wchp|wchs | nc server [2181]";

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
    spec("get", "[-s] [-w] [-b] [-x] path", &[('s', false), ('w', false), ('b', false), ('x', false)], &[Path]),
    spec("getAcl", "[-s] path", &[('s', false)], &[Path]),
    spec("getAllChildrenNumber", "path", &[], &[Path]),
    spec("getEphemerals", "path", &[], &[Path]),
    spec("history", "", &[], &[]),
    spec("listquota", "path", &[], &[Path]),
    spec("ls", "[-s] [-w] [-R] path", &[('s', false), ('w', false), ('R', false)], &[Path]),
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
    spec("set", "path data [-s] [-v version] [-b]", &[('s', false), ('v', true), ('b', false)], &[Path, Free]),
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
    extra("ls2", "path [watch]", &[Path]),
    extra("poweroff", "server", &[Takes::Server]),
    extra("rmr", "path", &[Path]),
    extra("zkServer.sh", "start server", &[Takes::Just("start"), Takes::Server]),
];

/// All commands: those of zkCli's list in its order, then the others.
pub fn commands() -> &'static [Spec] {
    COMMANDS
}

/// The command of a name.
pub(super) fn find(name: &str) -> Option<&'static Spec> {
    COMMANDS.iter().find(|spec| spec.name == name)
}

impl Spec {
    /// An option as it is typed: some have longer names than the letters by which they are known here.
    pub fn option(&self, letter: char) -> String {
        match (self.name, letter) {
            ("reconfig", 'F') => "-file".into(),
            ("reconfig", 'M') => "-members".into(),
            ("reconfig", 'A') => "-add".into(),
            ("reconfig", 'R') => "-remove".into(),
            _ => format!("-{letter}"),
        }
    }

    /// The usage line as the list shows it.
    pub fn usage_line(&self) -> String {
        format!("{} {}", self.name, self.arguments).trim_end().to_string()
    }

    /// The usage as the command complains: two of them explain their options below the line.
    pub fn usage(&self) -> Vec<String> {
        let options: &[&str] = match self.name {
            "get" => &[
                " -b   Output data in base64 format",
                " -s   Print znode stats additionally",
                " -w   Watch for changes on the znode",
                " -x   Output data in hexdump format",
            ],
            "set" => &[
                " -b         Supply data in base64 format",
                " -s         Print znode stats additionally",
                " -v <arg>   Set with an expected version",
            ],
            _ => &[],
        };
        std::iter::once(self.usage_line()).chain(options.iter().map(|line| (*line).to_string())).collect()
    }
}

/// What zkCli prints for `help`.
pub(super) fn list() -> Vec<String> {
    let head = "ZooKeeper -server host:port -client-configuration properties-file cmd args".to_string();
    let listed = COMMANDS.iter().filter(|spec| spec.listed);
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
        assert_eq!(list()[6], "\tcreate [-s] [-e] [-c] [-t ttl] path [data] [acl]");
        assert_eq!(find("close").unwrap().usage(), ["close"]);
        assert_eq!(find("foo"), None);
    }
}
