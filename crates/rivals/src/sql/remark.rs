//! What stands large at a database or client while a fact is news: a circle of waits, a refusal, what is gone.

use crate::daemon::{Remark, Tone};

use super::fact::{Changed, Fact, Why};

impl Fact {
    pub(super) fn news(&self) -> Option<Remark> {
        use Tone::Bad;
        Some(match self {
            Fact::Deadlock { victim, circle, .. } => {
                let all: Vec<String> = circle.iter().chain(circle.first()).map(ToString::to_string).collect();
                let circle = all.join(" → ");
                Remark::new(Bad, format!("{circle}: {victim} is undone"), format!("{circle}：撤销 {victim}"))
            }
            Fact::ConnectionEnded { client, .. } => Remark::new(Bad, "connection ended", "连接被断开").at(*client),
            Fact::NotAcquired { why: Why::Changed, expected: Some(version), .. } => {
                Remark::new(Bad, format!("expected version {version}: 0 rows"), format!("期望版本 {version}：0 行"))
            }
            Fact::NotAcquired { why: Why::Lost, .. } | Fact::LockLost { why: Why::Lost, .. } => {
                Remark::new(Bad, "connection lost", "连接已断")
            }
            Fact::LockLost { why: Why::Robbed, .. } => Remark::new(Bad, "its row is gone", "它的行已不在"),
            Fact::Committed { client: Some(client), changes } => {
                let row = changes.iter().find_map(deleted)?;
                Remark::new(Tone::Plain, format!("{client} deletes {row}"), format!("{client} 删除 {row}"))
            }
            Fact::WaitCancelled { .. } => Remark::new(Bad, "committed here only", "只在本机提交"),
            _ => return None,
        })
    }

    /// A program that has the lock has neither lost it nor been refused, and what a commit did to rows is over with the next one.
    pub(super) fn ends_what_was(&self, earlier: &Fact, here: bool) -> bool {
        here && match (self, earlier) {
            (Fact::Committed { changes, .. }, Fact::Committed { .. }) => !changes.is_empty(),
            (Fact::Acquired { .. }, Fact::NotAcquired { .. } | Fact::LockLost { .. })
            | (
                Fact::Connected { .. },
                Fact::NotAcquired { why: Why::Lost, .. } | Fact::LockLost { why: Why::Lost, .. },
            ) => true,
            _ => false,
        }
    }
}

/// The values of a row that is gone, the first two of them.
fn deleted(change: &Changed) -> Option<String> {
    let row = change.before.as_ref().filter(|_| change.after.is_none())?;
    let values: Vec<String> = row.0.iter().take(2).map(|(_, value)| value.to_string()).collect();
    Some(values.join(", "))
}
