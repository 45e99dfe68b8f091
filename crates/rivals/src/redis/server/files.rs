//! What is on a server's disk: the append-only file (`aof.c`), the snapshot that a full copy leaves (`rdb.c`), and the configuration
//! file as far as it was rewritten.

use std::rc::Rc;

use crate::base::rows::Rows;
use crate::base::{ServerId, SortedMap};
use crate::redis::conf::Conf;
use crate::redis::fact::Fact;
use crate::redis::line::{split, typed};
use crate::redis::message::bytes;
use crate::redis::store::Dataset;

/// What a server asks its disk to do.
#[derive(Clone, Debug, PartialEq)]
pub enum Job {
    /// Force the append-only file to disk, up to so many commands of so many files before.
    Sync {
        /// How often the file was begun anew.
        generation: u32,
        /// Up to which command.
        upto: usize,
        /// The thread of commands waits for it.
        inline: bool,
    },
}

/// A snapshot with the place in a history of which it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Snapshot {
    /// All keys.
    pub data: Rc<Dataset>,
    /// The history's name and the offset; none of a snapshot that a master made for itself.
    pub place: Option<(String, i64)>,
}

/// The append-only file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Aof {
    /// How often it was begun anew.
    pub generation: u32,
    /// What it begins with.
    pub base: Rc<Dataset>,
    /// The commands after that, as executed.
    pub commands: Vec<Vec<String>>,
    /// How many of them are on disk and not only in the system's cache.
    pub synced: usize,
    /// How many bytes are missing from the last one.
    pub torn: i64,
}

/// A server's disk.
#[derive(Clone, Debug, Default)]
pub struct Files {
    /// The append-only file, where one was ever begun.
    pub aof: Option<Aof>,
    /// `dump.rdb`.
    pub rdb: Option<Snapshot>,
    /// Lines of the configuration file that replace those of the setup.
    pub conf: SortedMap<String, String>,
}

/// What a line of a configuration file says of whom to follow.
pub(super) fn source_named(words: &[String]) -> Option<Option<ServerId>> {
    let first = words.first()?;
    if first.eq_ignore_ascii_case("no") {
        return Some(None);
    }
    ServerId::named(first).map(Some)
}

impl Files {
    /// The configuration, as the setup and the file have it.
    pub(super) fn conf(&self, setup: &Conf) -> Conf {
        let mut conf = setup.clone();
        for (name, value) in &self.conf {
            match name.as_str() {
                "replicaof" => conf.source = source_named(std::slice::from_ref(value)).flatten(),
                name => drop(conf.set(name, value)),
            }
        }
        conf
    }

    pub(super) fn sync(&mut self, job: &Job) -> Option<Fact> {
        let Job::Sync { generation, upto, .. } = job;
        let aof = self.aof.as_mut().filter(|aof| aof.generation == *generation)?;
        aof.synced = aof.synced.max(*upto).min(aof.commands.len());
        Some(Fact::Synced { commands: aof.synced })
    }

    pub(super) fn lose_power(&mut self) {
        if let Some(aof) = &mut self.aof {
            aof.commands.truncate(aof.synced);
        }
    }

    /// What an operator does on a machine whose server does not run: `truncate -s -3 appendonly.aof`, `replicaof R2 6379` for the
    /// configuration file, or any other parameter.
    pub(super) fn edit(&mut self, line: &str) -> bool {
        let words = split(line).unwrap_or_default();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        match words.as_slice() {
            ["truncate", "-s", by, "appendonly.aof"] => {
                let by = by.strip_prefix('-').and_then(|by| by.parse::<i64>().ok());
                by.is_some_and(|by| self.aof.as_mut().is_some_and(|aof| aof.cut(by)))
            }
            ["replicaof" | "slaveof", to, _] => {
                let known = to.eq_ignore_ascii_case("no") || ServerId::named(to).is_some();
                known && self.conf.insert("replicaof".into(), (*to).into()).is_none_or(|_| true)
            }
            [name, value] => {
                let fits = Conf::default().set(name, value).is_ok();
                fits && self.conf.insert(name.to_ascii_lowercase(), (*value).into()).is_none_or(|_| true)
            }
            _ => false,
        }
    }

    pub(super) fn tell(&self, rows: &mut Rows) {
        if let Some(aof) = &self.aof {
            rows.put("appendonly.aof", &aof.commands.len());
            rows.put("aofOnDisk", &aof.synced);
            rows.end_of("aofEnd", aof.commands.len(), |rows| {
                let skipped = aof.commands.len().saturating_sub(12);
                for (at, command) in aof.commands.iter().enumerate().skip(skipped) {
                    rows.item(&at, &at, typed(command), None);
                }
            });
        }
        rows.some("dump.rdb", self.rdb.as_ref().map(|rdb| rdb.data.len()).as_ref().map(|keys| keys as _));
    }
}

impl Aof {
    /// Takes bytes from the end; whether there were so many.
    fn cut(&mut self, mut by: i64) -> bool {
        while by > 0 {
            let Some(last) = self.commands.last() else { return false };
            let left = bytes(last) - self.torn;
            if by < left {
                self.torn += by;
                return true;
            }
            by -= left;
            self.commands.pop();
            self.torn = 0;
            self.synced = self.synced.min(self.commands.len());
        }
        true
    }

    /// The commands to replay, and how many at the end are not: a torn one, and a MULTI without its EXEC (`loadSingleAppendOnlyFile`).
    pub(super) fn whole(&self) -> (&[Vec<String>], usize) {
        let mut end = self.commands.len() - usize::from(self.torn > 0 && !self.commands.is_empty());
        let is =
            |command: &[String], word: &str| command.first().is_some_and(|first| first.eq_ignore_ascii_case(word));
        for at in (0..end).rev() {
            let Some(command) = self.commands.get(at) else { break };
            if is(command, "EXEC") {
                break;
            }
            if is(command, "MULTI") {
                end = at;
                break;
            }
        }
        (self.commands.get(..end).unwrap_or_default(), self.commands.len() - end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn aof(commands: &[&str]) -> Aof {
        let commands = commands.iter().map(|line| split(line).unwrap_or_default()).collect();
        Aof { commands, ..Aof::default() }
    }

    #[test]
    fn a_torn_command_and_an_open_multi_are_left_out() {
        let mut file = aof(&["SET a 1", "MULTI", "SET b 1", "EXEC"]);
        assert_eq!(file.whole().1, 0);
        assert!(file.cut(3));
        assert_eq!(file.whole().0.len(), 1, "the whole MULTI goes with its EXEC");
        let mut file = aof(&["SET a 1", "SET b 1"]);
        assert!(file.cut(bytes(&file.commands[1].clone()) + 1));
        assert_eq!((file.commands.len(), file.whole().1), (1, 1));
        assert!(!file.cut(1_000));
    }
}
