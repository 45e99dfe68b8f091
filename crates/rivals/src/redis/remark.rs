//! What stands large at a server or client while a fact is news: what is gone, and what is refused.

use crate::daemon::{Remark, Tone};

use super::fact::Fact;
use super::{Reply, moments};

/// With this begins what `@fencedWrite` answers to a token that is too old; behind it stand that one and the newest.
const STALE: &str = "STALE token ";

impl Fact {
    /// The token that a resource refuses, and the newest that it has seen: `1 < 2`.
    pub(super) fn stale_tokens(&self) -> Option<&str> {
        match self {
            Fact::Executed { reply: Some(reply), .. } => Some(reply.split_once(STALE)?.1.trim()),
            _ => None,
        }
    }

    pub(super) fn news(&self) -> Option<Remark> {
        use Tone::{Bad, Held, Plain, Waiting};
        Some(match self {
            Fact::Expired { key, .. } => {
                Remark::new(Bad, format!("{key}: its time is over"), format!("{key} 到期，已删除"))
            }
            // what a script refuses for its token (`@fencedWrite`)
            Fact::Executed { by, .. } if self.stale_tokens().is_some() => {
                let tokens = self.stale_tokens()?;
                Remark::new(Bad, format!("refuses {by}: token {tokens}"), format!("拒绝 {by}：令牌 {tokens}"))
            }
            Fact::Executed { line, reply: Some(old), by, .. } if line.starts_with("GETSET ") => {
                let (new, old) = (moments(line.rsplit(' ').next()?), moments(old.trim_matches('"')));
                Remark::new(Waiting, format!("{by} puts {new}, gets {old}"), format!("{by} 写入 {new}，换回 {old}"))
            }
            Fact::Acquired { token, .. } if moments(token) != *token => {
                let own = moments(token);
                Remark::new(Held, format!("holds; its own: {own}"), format!("持有锁，自己写的是 {own}"))
            }
            Fact::Deleted { key, by, .. } => {
                Remark::new(Plain, format!("{by} deletes {key}"), format!("{by} 删除 {key}"))
            }
            // `TTL` and `PTTL` of a key without a limit
            Fact::Operated { line, reply: Reply::Int(-1) } if line.to_ascii_uppercase().contains("TTL ") => {
                let key = line.rsplit(' ').next().unwrap_or_default();
                Remark::new(Bad, format!("{key} has no time limit"), format!("{key} 没有时限"))
            }
            // what it has set can be seen
            Fact::Operated { reply: Reply::Status(status), .. } if status == "OK" => return None,
            Fact::Operated { line, reply } => {
                Remark::new(Waiting, format!("{line}: {reply}"), format!("{line}：{reply}"))
            }
            Fact::NoMajority { granted, of, .. } => Remark::new(
                Bad,
                format!("{granted} of {of}: no majority"),
                format!("{of} 台中只有 {granted} 台：不够"),
            ),
            Fact::LostLock { lock, .. } => Remark::new(Bad, format!("{lock} is lost"), format!("失去 {lock}")),
            Fact::Released { lock, done: Some(false) } => {
                Remark::new(Bad, format!("{lock} was no longer its own"), format!("{lock} 已不是它的"))
            }
            Fact::Loaded { keys: 0, .. } => Remark::new(Bad, "starts with no key", "启动时没有任何键"),
            Fact::Linked { dropped, .. } if *dropped > 0 => {
                Remark::new(Bad, format!("throws away {dropped} of its keys"), format!("丢弃自己的 {dropped} 个键"))
            }
            _ => return None,
        })
    }

    /// That a lock is gone is no news once it is there again, and that somebody has lost it none once he has it again.
    pub(super) fn ends_what_was(&self, earlier: &Fact, here: bool) -> bool {
        match (self, earlier) {
            (Fact::Acquired { lock, .. }, Fact::Expired { key, .. } | Fact::Deleted { key, .. }) => lock == key,
            (Fact::Executed { line, write: true, .. }, Fact::Expired { key, .. } | Fact::Deleted { key, .. }) => {
                let mut words = line.split_whitespace();
                here && words.next().is_some_and(|word| word.eq_ignore_ascii_case("SET"))
                    && words.next() == Some(key.as_str())
            }
            (
                Fact::Acquired { lock, .. },
                Fact::LostLock { lock: before, .. }
                | Fact::Released { lock: before, .. }
                | Fact::NoMajority { lock: before, .. },
            ) => here && lock == before,
            _ => false,
        }
    }
}
