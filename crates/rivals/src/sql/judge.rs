//! What must hold, read from what databases and programs state.

use std::collections::BTreeMap;

use crate::base::{Micros, ServerId, SimTime, SortedMap};
use crate::daemon::{Breach, Judge, Property};

use super::fact::{Changed, Fact, Shown, Why};
use super::value::Value;

/// Nobody gets anything for so long though somebody asks: that is no progress.
const NO_PROGRESS_US: Micros = 60_000_000;

/// What is known of a program.
#[derive(Clone, Debug, Default)]
struct Believer {
    /// It has stated that it holds a lock, and not that it does not any more.
    holding: bool,
    /// As whom.
    holder: String,
    /// What it has read in order to write the next number.
    read: Option<i64>,
    /// Who has written since it read.
    intruder: Option<ServerId>,
}

/// Judges databases and the locks that are built on them:
///
/// * `sql-mutual-exclusion`: whoever holds a lock writes nothing over what another has written since it read.
/// * `sql-no-lost-update`: each number that a program writes follows the one before.
/// * `sql-one-row`: at most one row a lock.
/// * `sql-own-release`: whoever gives a lock back deletes its own row.
/// * `sql-acknowledged`: a number that was acknowledged is never missing again.
/// * `sql-whole-transaction`: of a transfer both halves are committed, or none.
/// * `sql-live`: somebody gets on as long as somebody asks.
#[derive(Clone, Debug, Default)]
pub struct SqlJudge {
    believers: SortedMap<ServerId, Believer>,
    /// Names of the lock rows, by server and row.
    rows: BTreeMap<(ServerId, i64), String>,
    acknowledged: i64,
    /// When somebody got on last.
    progress: SimTime,
    breaches: Vec<Breach>,
}

fn number(shown: &Option<Shown>, column: &str) -> Option<i64> {
    shown.as_ref()?.get(column)?.int()
}

fn writer(shown: &Option<Shown>) -> Option<&Value> {
    shown.as_ref()?.get("writer")
}

impl SqlJudge {
    fn breach(&mut self, property: &'static str, at: SimTime, english: String, chinese: String) {
        self.breaches.push(Breach { property, at, said: [english, chinese] });
    }

    /// A program's row is there or gone. Who holds a lock deletes a row only to give it back.
    fn lock_row(&mut self, at: SimTime, machine: ServerId, client: Option<ServerId>, change: &Changed) {
        let of = |row: &Option<Shown>| row.as_ref().and_then(|row| row.get("holder_id").cloned());
        let own = client.and_then(|client| self.believers.get(&client)).filter(|own| own.holding);
        let other = of(&change.before).filter(|_| change.after.is_none());
        if let (Some(own), Some(client), Some(other)) = (own, client, other)
            && other != Value::text(&own.holder)
        {
            let english =
                format!("{client}, which held the lock as '{}', has deleted the row of {other}.", own.holder);
            let chinese = format!("{client} 以 '{}' 的身份持有锁，却删除了 {other} 的行。", own.holder);
            self.breach("sql-own-release", at, english, chinese);
        }
        let id = number(&change.before, "id").or(number(&change.after, "id")).unwrap_or(0);
        self.rows.remove(&(machine, id));
        let name = change.after.as_ref().and_then(|row| match row.get("unique_mutex") {
            Some(Value::Text(name)) => Some(name.to_string()),
            _ => None,
        });
        let Some(name) = name else { return };
        let twice = self.rows.iter().any(|((server, _), other)| *server == machine && *other == name);
        self.rows.insert((machine, id), name.clone());
        if twice {
            let english = format!("{machine} has two rows of the lock {name} at the same time.");
            self.breach("sql-one-row", at, english, format!("{machine} 上同时有两行锁 {name}。"));
        }
    }

    /// The number has been written.
    fn number(&mut self, at: SimTime, client: ServerId, before: i64, after: i64) {
        let acknowledged = self.acknowledged;
        if before < acknowledged {
            let english = format!("{acknowledged} was acknowledged, and {client} finds {before}.");
            let chinese = format!("{acknowledged} 已被确认，而 {client} 面对的是 {before}。");
            self.breach("sql-acknowledged", at, english, chinese);
            self.acknowledged = before;
        }
        if after != before.saturating_add(1) {
            let english = format!("{client} has written {after} over {before}: an update is lost.");
            let chinese = format!("{client} 用 {after} 覆盖了 {before}：丢失了更新。");
            self.breach("sql-no-lost-update", at, english, chinese);
        }
        let own = self.believers.get_or_default(client);
        if let Some(intruder) = own.intruder.take().filter(|_| own.holding) {
            let english = format!("{client} holds the lock and has written, and {intruder} has written meanwhile.");
            let chinese = format!("{client} 持有锁并写入，而在此期间 {intruder} 也写入了。");
            self.breach("sql-mutual-exclusion", at, english, chinese);
        }
        let own = self.believers.get_or_default(client);
        (own.read, own.intruder) = (None, None);
        for (_, other) in self.believers.iter_mut().filter(|(other, _)| **other != client) {
            if other.holding && other.read.is_some() {
                other.intruder = Some(client);
            }
        }
    }

    fn committed(&mut self, at: SimTime, machine: ServerId, client: Option<ServerId>, changes: &[Changed]) {
        let mut moved: i64 = 0;
        for change in changes {
            let values = (number(&change.before, "val"), number(&change.after, "val"));
            match (&*change.table, values, client) {
                ("distributed_lock", ..) => self.lock_row(at, machine, client, change),
                ("resource", (Some(before), Some(after)), Some(client))
                    if writer(&change.before) != writer(&change.after) && self.believers.contains_key(&client) =>
                {
                    self.number(at, client, before, after);
                    self.progress = at;
                }
                ("account", (Some(before), Some(after)), _) => {
                    moved = moved.saturating_add(after.saturating_sub(before));
                    self.progress = at;
                }
                _ => {}
            }
        }
        if moved != 0 {
            let who = client.map_or(machine, |client| client);
            let english = format!("{who} has committed half of a transfer: {moved} too much.");
            self.breach("sql-whole-transaction", at, english, format!("{who} 只提交了转账的一半：多出 {moved}。"));
        }
    }

    /// Somebody did not get what it wanted. An unknown outcome says nothing of the lock.
    fn waits(&mut self, at: SimTime, lock: &str, why: Why) {
        if why == Why::Lost {
            self.progress = self.progress.max(at);
        } else if at.since(self.progress) > NO_PROGRESS_US {
            self.progress = at;
            let seconds = NO_PROGRESS_US / 1_000_000;
            let english = format!("For {seconds} s nobody has got {lock}, though it is asked for.");
            self.breach("sql-live", at, english, format!("{seconds} 秒内有人请求，却没有人得到 {lock}。"));
        }
    }
}

impl Judge for SqlJudge {
    type Fact = Fact;

    const PROPERTIES: &'static [Property] = &[
        Property {
            id: "sql-mutual-exclusion",
            title: ["One holder writes", "同时只有一个持有者写入"],
            about: [
                "Whoever holds a lock writes nothing over what another has written since it read.",
                "持有锁的客户端不会覆盖别人在它读取之后写入的内容。",
            ],
        },
        Property {
            id: "sql-no-lost-update",
            title: ["No update is lost", "更新不丢失"],
            about: ["Each number that a program writes follows the one before.", "程序写入的每个数都紧接前一个数。"],
        },
        Property {
            id: "sql-one-row",
            title: ["One row a lock", "一把锁一行"],
            about: ["At most one row stands for a lock.", "每把锁至多对应一行。"],
        },
        Property {
            id: "sql-own-release",
            title: ["Everybody gives back their own", "只释放自己的锁"],
            about: ["Whoever gives a lock back deletes its own row.", "释放锁时只删除自己的那一行。"],
        },
        Property {
            id: "sql-acknowledged",
            title: ["What was acknowledged stays", "已确认的不会丢失"],
            about: ["A number that was acknowledged is never missing again.", "已确认写入的数不会再消失。"],
        },
        Property {
            id: "sql-whole-transaction",
            title: ["All or nothing", "全有或全无"],
            about: ["Of a transfer both halves are committed, or none.", "一次转账的两半要么都提交，要么都不提交。"],
        },
        Property {
            id: "sql-live",
            title: ["Somebody gets on", "总有进展"],
            about: ["As long as somebody asks, somebody gets on.", "只要有请求，就会有进展。"],
        },
    ];

    fn read(&mut self, at: SimTime, machine: ServerId, fact: &Fact) {
        match fact {
            Fact::Committed { client, changes } => self.committed(at, machine, *client, changes),
            Fact::Recovered { .. } => self.rows.retain(|(server, _), _| *server != machine),
            Fact::Acquired { holder, .. } => {
                let holder = holder.clone();
                self.believers.insert(machine, Believer { holding: true, holder, ..Believer::default() });
                self.progress = at;
            }
            Fact::Released { .. } | Fact::LockLost { .. } => {
                self.believers.insert(machine, Believer::default());
            }
            Fact::NotAcquired { lock, why, .. } => self.waits(at, lock, *why),
            Fact::Counting { read } => {
                let own = self.believers.get_or_default(machine);
                (own.read, own.intruder) = (Some(*read), None);
            }
            Fact::Counted { wrote } => self.acknowledged = self.acknowledged.max(*wrote),
            // a program that has started again holds nothing
            Fact::Connected { .. } => {
                if let Some(own) = self.believers.get_mut(&machine) {
                    *own = Believer::default();
                }
            }
            _ => {}
        }
    }

    fn breaches(&self) -> &[Breach] {
        &self.breaches
    }
}
