//! The keyspace while a command runs: lookups with expiry (`db.c`), and what the command leaves behind.

use crate::base::{ConnId, SortedMap, SortedSet};
use crate::redis::conf::Conf;
use crate::redis::message::Message;
use crate::redis::reply::Reply;

use super::{Dataset, Entry, Value};
use std::rc::Rc;

/// Who executes: that decides what an expired key is (`db.c` `expireIfNeeded`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Role {
    /// A master: an expired key is removed when it is looked up.
    #[default]
    Master,
    /// A replica for its own clients: an expired key is shown as missing and stays.
    Replica,
    /// A replica that applies its master's stream, or a server that reads its log: what is there is there.
    Follower,
}

/// A write as it goes to the append-only file and to replicas.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Effect {
    /// The command.
    pub args: Vec<String>,
    /// Whether it goes to the append-only file too; messages go to replicas only.
    pub logged: bool,
}

/// A key that was there and was removed by a command or by its limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Removed {
    /// The key.
    pub key: String,
    /// What it held.
    pub value: String,
    /// By how much its limit was over, ms; none where it was deleted.
    pub expired_ms: Option<i64>,
}

/// The keys, the moment, and what commands leave behind.
#[derive(Clone, Debug, Default)]
pub(crate) struct Keyspace {
    /// All keys.
    pub data: Dataset,
    /// The configuration.
    pub conf: Conf,
    /// Who executes.
    pub role: Role,
    /// What the wall clock showed when the command began: time stands still while it runs.
    pub now: i64,
    /// What goes to log and replicas.
    pub effects: Vec<Effect>,
    /// Keys that were changed, in order: watched ones count as touched.
    pub touched: Vec<String>,
    /// Lists that got something.
    pub pushed: Vec<String>,
    /// What was removed.
    pub removed: Vec<Removed>,
    /// Who is subscribed to which channel.
    pub channels: SortedMap<String, SortedSet<ConnId>>,
    /// Who is subscribed to which pattern.
    pub patterns: SortedMap<String, SortedSet<ConnId>>,
    /// Messages for subscribers.
    pub pushes: Vec<(ConnId, Message)>,
    /// How many keys were removed because their limit was over.
    pub expired: u64,
}

/// Whether a text fits a pattern with `*`, `?` and `\\` (`util.c` `stringmatchlen`; sets of letters are left out).
pub(super) fn fits(pattern: &str, text: &str) -> bool {
    // the places of the pattern that the text so far may have come to
    let pattern: Vec<char> = pattern.chars().collect();
    let mut escaped = false;
    let mut parts: Vec<(char, bool)> = Vec::new();
    for c in pattern {
        match c {
            '\\' if !escaped => escaped = true,
            c => {
                parts.push((c, escaped));
                escaped = false;
            }
        }
    }
    let is = |at: usize, sign: char| parts.get(at) == Some(&(sign, false));
    let mut places = SortedSet::from_iter([0usize]);
    let widen = |places: &mut SortedSet<usize>| {
        let mut at = 0;
        while at < parts.len() {
            if places.contains(&at) && is(at, '*') {
                places.insert(at + 1);
            }
            at += 1;
        }
    };
    widen(&mut places);
    for c in text.chars() {
        let step = |at: &usize| match parts.get(*at) {
            Some(('*', false)) => Some(*at),
            Some(('?', false)) => Some(at + 1),
            Some((letter, _)) if *letter == c => Some(at + 1),
            _ => None,
        };
        places = places.iter().filter_map(step).collect();
        widen(&mut places);
    }
    places.contains(&parts.len())
}

/// What is said of a value of another kind.
pub(super) fn wrong_type() -> Reply {
    Reply::error("WRONGTYPE Operation against a key holding the wrong kind of value")
}

impl Keyspace {
    /// Whether a key's limit is over; in its last millisecond it lives (`keyIsExpired`).
    pub(crate) fn is_expired(&self, key: &str) -> bool {
        self.data.get(key).and_then(|entry| entry.until).is_some_and(|until| self.now > until)
    }

    /// Whether a key is there for whoever asks; an expired one is removed on the way by a master.
    pub(crate) fn look(&mut self, key: &str) -> bool {
        if self.role != Role::Follower && self.is_expired(key) {
            if self.role == Role::Master {
                self.expire(key);
            }
            return false;
        }
        self.data.contains_key(key)
    }

    /// What a key holds, for whoever asks.
    pub(super) fn get(&mut self, key: &str) -> Option<&Value> {
        self.look(key).then(|| self.data.get(key).map(|entry| &entry.value)).flatten()
    }

    /// A text.
    ///
    /// # Errors
    /// The key holds something else.
    pub(super) fn text(&mut self, key: &str) -> Result<Option<Rc<str>>, Reply> {
        match self.get(key) {
            None => Ok(None),
            Some(Value::Text(text)) => Ok(Some(text.clone())),
            Some(_) => Err(wrong_type()),
        }
    }

    /// Executes a command of a log or of a master's stream: what it leaves behind is known already.
    pub(crate) fn replay(&mut self, args: &[String]) {
        if let Some(super::Command::Keys(run)) =
            args.first().and_then(|name| super::find(name)).map(|entry| entry.run)
        {
            run(self, args);
        }
        self.effects.clear();
        self.removed.clear();
    }

    /// Removes a key whose limit is over, and says so (`deleteExpiredKeyAndPropagate`).
    pub(crate) fn expire(&mut self, key: &str) {
        let Some(entry) = self.data.remove(key) else { return };
        let late = entry.until.map(|until| self.now - until);
        self.removed.push(Removed { key: key.into(), value: entry.value.shown(), expired_ms: late });
        self.expired += 1;
        let word = if self.conf.lazy_expire { "UNLINK" } else { "DEL" };
        self.log(&[word, key]);
        self.touch(key);
        self.event('x', "expired", key);
    }

    /// Removes a key; whether it was there.
    pub(super) fn delete(&mut self, key: &str) -> bool {
        let Some(entry) = self.data.remove(key) else { return false };
        self.removed.push(Removed { key: key.into(), value: entry.value.shown(), expired_ms: None });
        self.touch(key);
        true
    }

    /// Puts a value under a key, without a limit unless `keep` keeps the old one.
    pub(super) fn put(&mut self, key: &str, value: Value, keep: bool) {
        let kept = self.data.get(key).filter(|_| keep).map(|entry| (entry.until, entry.span));
        let (until, span) = kept.unwrap_or_default();
        self.data.insert(key.into(), Entry { value, until, span });
        self.touch(key);
    }

    /// A key was changed.
    pub(super) fn touch(&mut self, key: &str) {
        self.touched.push(key.into());
    }

    /// A write, as it goes to log and replicas.
    pub(super) fn log(&mut self, args: &[&str]) {
        self.effects.push(Effect { args: args.iter().map(|arg| (*arg).into()).collect(), logged: true });
    }

    /// The same, as the client sent it.
    pub(super) fn log_as_sent(&mut self, args: &[String]) {
        self.effects.push(Effect { args: args.to_vec(), logged: true });
    }

    /// Sends a message to who is subscribed now; to how many.
    pub(crate) fn publish(&mut self, channel: &str, text: &str) -> i64 {
        let push = Reply::texts(["message", channel, text]);
        let there = self.channels.get(channel).into_iter().flatten();
        let before = self.pushes.len();
        self.pushes.extend(there.map(|conn| (*conn, Message::Push { push: push.clone() })));
        for (pattern, there) in self.patterns.iter().filter(|(pattern, _)| fits(pattern, channel)) {
            let push = Reply::texts(["pmessage", pattern, channel, text]);
            self.pushes.extend(there.iter().map(|conn| (*conn, Message::Push { push: push.clone() })));
        }
        (self.pushes.len() - before) as i64
    }

    /// Tells subscribers that something happened to a key, where the configuration wants it (`notify.c`).
    pub(super) fn event(&mut self, class: char, event: &str, key: &str) {
        let flags = &self.conf.events;
        let all = flags.contains('A') && class != 'm' && class != 'n';
        if !all && !flags.contains(class) {
            return;
        }
        let (by_key, by_event) = (flags.contains('K'), flags.contains('E'));
        if by_key {
            self.publish(&format!("__keyspace@0__:{key}"), event);
        }
        if by_event {
            self.publish(&format!("__keyevent@0__:{event}"), key);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::fits;

    #[test]
    fn patterns_fit_as_in_redis() {
        for (pattern, text, fit) in [
            ("*", "", true),
            ("a*c", "abbc", true),
            ("a*c", "abb", false),
            ("h?llo", "hello", true),
            ("h?llo", "hllo", false),
            ("a\\*", "a*", true),
            ("a\\*", "ab", false),
            ("__key*__:*", "__keyevent@0__:expired", true),
        ] {
            assert_eq!(fits(pattern, text), fit, "{pattern} {text}");
        }
    }
}
