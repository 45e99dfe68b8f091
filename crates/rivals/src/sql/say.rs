//! Facts in words, and the rules that decide them.

use std::fmt::Display;

use crate::daemon::Tongue;

use super::engine::Engine;
use super::fact::{Blocker, Changed, EndReason, Fact, Why};
use super::reply::Reply;

/// Whom a statement waits for.
pub(super) fn blocker(blocker: &Blocker, tongue: Tongue) -> String {
    match (blocker, tongue) {
        (Blocker::Client { client, gone: false }, _) => client.to_string(),
        (Blocker::Client { client, gone: true }, Tongue::English) => format!("{client} (gone)"),
        (Blocker::Client { client, gone: true }, Tongue::Chinese) => format!("{client}（已离线）"),
        (Blocker::Prepared, Tongue::English) => "a prepared transaction".into(),
        (Blocker::Prepared, Tongue::Chinese) => "一个已准备的事务".into(),
    }
}

fn blockers(all: &[Blocker], tongue: Tongue) -> String {
    let between = if tongue == Tongue::English { ", " } else { "、" };
    all.iter().map(|one| blocker(one, tongue)).collect::<Vec<_>>().join(between)
}

fn list(all: &[impl Display], between: &str) -> String {
    all.iter().map(ToString::to_string).collect::<Vec<_>>().join(between)
}

/// A changed row, as `resource: val 100 → 101`.
fn changed(change: &Changed, tongue: Tongue) -> String {
    let cells = |shown: &super::fact::Shown| {
        shown.0.iter().map(|(name, value)| format!("{name} {value}")).collect::<Vec<_>>().join(", ")
    };
    match (&change.before, &change.after) {
        (Some(before), Some(after)) => {
            let differs = |(name, value): &&(String, super::value::Value)| before.get(name) != Some(value);
            let told = |(name, value): &(String, super::value::Value)| {
                format!("{name} {} → {value}", before.get(name).map_or(String::new(), ToString::to_string))
            };
            let cells: Vec<String> = after.0.iter().filter(differs).map(told).collect();
            format!("{}: {}", change.table, cells.join(", "))
        }
        (None, Some(row)) if tongue == Tongue::English => format!("a new row in {} ({})", change.table, cells(row)),
        (Some(row), None) if tongue == Tongue::English => {
            format!("a row of {} deleted ({})", change.table, cells(row))
        }
        (None, Some(row)) => format!("{} 新增一行（{}）", change.table, cells(row)),
        (Some(row), None) => format!("{} 删去一行（{}）", change.table, cells(row)),
        (None, None) => change.table.clone(),
    }
}

fn changes(all: &[Changed], tongue: Tongue) -> String {
    all.iter().map(|change| changed(change, tongue)).collect::<Vec<_>>().join("; ")
}

/// What a statement is answered. Words of the engine stay as they are.
pub(super) fn answer(reply: &Reply, tongue: Tongue) -> String {
    match (reply, tongue) {
        (Reply::Affected(rows), Tongue::Chinese) => format!("{rows} 行"),
        (Reply::Rows(rows), Tongue::Chinese) if rows.is_empty() => "0 行".into(),
        (Reply::TimedOut, Tongue::English) => "no answer in time; the connection is closed".into(),
        (Reply::TimedOut, Tongue::Chinese) => "未及时应答，连接已关闭".into(),
        _ => reply.to_string(),
    }
}

/// Why a statement is refused; kinds that need no words of their own stay as they are.
fn problem_words(kind: &'static str) -> [&'static str; 2] {
    match kind {
        "duplicateKey" => ["the value is there already", "该值已存在"],
        "lockWaitTimeout" => ["it has waited too long, or may not wait", "等待超时，或不允许等待"],
        "lockNotAvailable" => ["the lock is not to be had", "拿不到锁"],
        "deadlock" => ["it is the victim of a deadlock", "被选为死锁牺牲者"],
        "serializationFailure" => ["it fits into no order of transactions", "无法串行化"],
        "transactionFailed" => ["its transaction has failed before", "事务此前已失败"],
        "cancelled" => ["somebody has cancelled it", "语句被取消"],
        "readOnly" => ["a replica takes no changes", "副本不接受修改"],
        "unknownPrepared" => ["there is no such prepared branch", "没有这个已准备的分支"],
        other => [other, other],
    }
}

/// A fact in English.
pub(super) fn english(fact: &Fact) -> String {
    let who = |client: &Option<_>| client.map_or("A transaction".to_string(), |client| format!("{client}"));
    match fact {
        Fact::Waits { client, what, on, blocked_by, .. } => {
            let by = blockers(blocked_by, Tongue::English);
            format!("{client} waits for {by}: {on} is locked. {what}")
        }
        Fact::Refused { client, what, problem, after, .. } => {
            let after = match *after {
                "open" => "; its transaction goes on",
                "failed" => "; its transaction has failed",
                _ => "",
            };
            format!("{client} is refused: {}{after}. {what}", problem_words(problem)[0])
        }
        Fact::Deadlock { victim, circle, .. } => {
            format!("Deadlock of {}: {victim} is sacrificed.", list(circle, ", "))
        }
        Fact::Committed { client, changes: all } => {
            format!("{} has committed: {}.", who(client), changes(all, Tongue::English))
        }
        Fact::Prepared { id, .. } => format!("Branch {id} is prepared: it waits for a decision, with all its locks."),
        Fact::Decided { id, commit: true } => format!("Branch {id} is committed."),
        Fact::Decided { id, commit: false } => format!("Branch {id} is rolled back."),
        Fact::ConnectionEnded { client, reason: EndReason::Operator } => {
            format!("An operator ends the connection of {client}; what it has not committed is undone.")
        }
        Fact::ConnectionEnded { client, reason: EndReason::Idle } => {
            format!("{client} was idle for too long: its connection is ended.")
        }
        Fact::Forced { log, records } => format!("@ forces its {log} log to disk, up to record {records}."),
        Fact::Recovered { records, prepared, replica } => {
            let role = if *replica { "replica" } else { "primary" };
            format!("@ serves as {role} after {records} records of its log; {prepared} branches are prepared.")
        }
        Fact::Promoted { records } => format!("@ is the primary from now on, with {records} records."),
        Fact::Replicated { from, records } => format!("@ has {records} records of its source from number {from} on."),
        Fact::AwaitsReplica { client, visible, .. } => {
            let seen = if *visible { "others see it already" } else { "nobody sees it yet" };
            format!("The commit of {} waits until a replica has it; {seen}.", who(client))
        }
        Fact::WaitCancelled { client } => {
            format!("{} does not wait for the replica: committed here only.", who(client))
        }
        Fact::Degraded { after_ms } => {
            format!("No replica has answered for {after_ms} ms: commits do not wait any more.")
        }
        Fact::Restored => "A replica has everything: commits wait for it again.".into(),
        Fact::State { replica, .. } => format!("@ is a {}.", if *replica { "replica" } else { "primary" }),
        Fact::NotOperated { line } => format!("@ cannot do this: {line}"),
        Fact::Connected { server } => format!("@ is connected to {server}."),
        Fact::NotConnected { server } => format!("@ is refused a connection by {server}."),
        Fact::Asked { what, .. } => format!("@ asks: {what}"),
        Fact::Answered { what, reply, notices, .. } => {
            let notices = notices.iter().map(|notice| format!(" ({notice})")).collect::<String>();
            format!("@ is answered: {}{notices} ({what})", answer(reply, Tongue::English))
        }
        Fact::Acquired { lock, holder, token } => {
            let token = token.map_or(String::new(), |token| format!(", token {token}"));
            format!("@ holds {lock} as {holder}{token}.")
        }
        Fact::NotAcquired { lock, why, .. } => format!("@ does not get {lock}: {}.", reason(*why)[0]),
        Fact::Released { lock, .. } => format!("@ gives {lock} back."),
        Fact::LockLost { lock, why, .. } => format!("@ has lost {lock}: {}.", reason(*why)[0]),
        Fact::Counting { read } => format!("@ has read {read} and will write {}.", read.saturating_add(1)),
        Fact::Counted { wrote } => format!("@ has written {wrote}."),
    }
}

/// A fact in Simplified Chinese.
pub(super) fn chinese(fact: &Fact) -> String {
    let who = |client: &Option<_>| client.map_or("某个事务".to_string(), |client| format!("{client} "));
    match fact {
        Fact::Waits { client, what, on, blocked_by, .. } => {
            format!("{client} 在等待 {}：{on} 已被锁住。{what}", blockers(blocked_by, Tongue::Chinese))
        }
        Fact::Refused { client, what, problem, after, .. } => {
            let after = match *after {
                "open" => "，事务继续",
                "failed" => "，事务已失败",
                _ => "",
            };
            format!("{client} 被拒绝：{}{after}。{what}", problem_words(problem)[1])
        }
        Fact::Deadlock { victim, circle, .. } => format!("{} 死锁：{victim} 被选为牺牲者。", list(circle, "、")),
        Fact::Committed { client, changes: all } => {
            format!("{}已提交：{}。", who(client), changes(all, Tongue::Chinese))
        }
        Fact::Prepared { id, .. } => format!("分支 {id} 已准备：带着全部锁等待裁决。"),
        Fact::Decided { id, commit: true } => format!("分支 {id} 已提交。"),
        Fact::Decided { id, commit: false } => format!("分支 {id} 已回滚。"),
        Fact::ConnectionEnded { client, reason: EndReason::Operator } => {
            format!("运维人员断开了 {client} 的连接，未提交的内容被撤销。")
        }
        Fact::ConnectionEnded { client, reason: EndReason::Idle } => {
            format!("{client} 空闲过久，连接被断开。")
        }
        Fact::Forced { log, records } => format!("@ 的 {log} 日志已强制落盘，直到第 {records} 条。"),
        Fact::Recovered { records, prepared, replica } => {
            let role = if *replica { "副本" } else { "主库" };
            format!("@ 重放 {records} 条日志后作为{role}提供服务，有 {prepared} 个已准备的分支。")
        }
        Fact::Promoted { records } => format!("@ 从现在起是主库，有 {records} 条日志。"),
        Fact::Replicated { from, records } => format!("@ 从第 {from} 条起收到源库的 {records} 条日志。"),
        Fact::AwaitsReplica { client, visible, .. } => {
            let seen = if *visible { "别人已能看到" } else { "别人还看不到" };
            format!("{}的提交在等待副本确认，{seen}。", who(client))
        }
        Fact::WaitCancelled { client } => format!("{}不再等待副本：只在本机提交。", who(client)),
        Fact::Degraded { after_ms } => format!("{after_ms} 毫秒内没有副本确认：提交不再等待副本。"),
        Fact::Restored => "有副本已追上：提交重新等待它。".into(),
        Fact::State { replica, .. } => format!("@ 是{}。", if *replica { "副本" } else { "主库" }),
        Fact::NotOperated { line } => format!("@ 无法执行：{line}"),
        Fact::Connected { server } => format!("@ 已连接到 {server}。"),
        Fact::NotConnected { server } => format!("@ 被 {server} 拒绝连接。"),
        Fact::Asked { what, .. } => format!("@ 请求：{what}"),
        Fact::Answered { what, reply, notices, .. } => {
            let notices = notices.iter().map(|notice| format!("（{notice}）")).collect::<String>();
            format!("@ 得到答复：{}{notices}（{what}）", answer(reply, Tongue::Chinese))
        }
        Fact::Acquired { lock, holder, token } => {
            let token = token.map_or(String::new(), |token| format!("，令牌 {token}"));
            format!("@ 以 {holder} 的身份持有 {lock}{token}。")
        }
        Fact::NotAcquired { lock, why, .. } => format!("@ 没有得到 {lock}：{}。", reason(*why)[1]),
        Fact::Released { lock, .. } => format!("@ 释放 {lock}。"),
        Fact::LockLost { lock, why, .. } => format!("@ 失去了 {lock}：{}。", reason(*why)[1]),
        Fact::Counting { read } => format!("@ 读到 {read}，将写入 {}。", read.saturating_add(1)),
        Fact::Counted { wrote } => format!("@ 已写入 {wrote}。"),
    }
}

fn reason(why: Why) -> [&'static str; 2] {
    match why {
        Why::Taken => ["another has it", "别人持有"],
        Why::Refused => ["the statement was refused", "语句被拒绝"],
        Why::Lost => ["the connection is gone, and what became of it is unknown", "连接已断，结果未知"],
        Why::Changed => ["its version has changed meanwhile", "它的版本期间已改变"],
        Why::Robbed => ["its row is not there any more", "它的行已不在"],
    }
}

/// The rule that decided a fact, in English and Simplified Chinese.
pub(super) fn why(fact: &Fact) -> Option<[&'static str; 2]> {
    Some(match fact {
        Fact::Waits { engine: Engine::MariaDb, .. } => [
            "InnoDB locks index records and gaps; whoever conflicts stands in the queue behind all who came before.",
            "InnoDB 对索引记录和间隙加锁；冲突者排在所有先到者之后。",
        ],
        Fact::Waits { engine: Engine::Postgres, .. } => [
            "Who has changed or locked a row stands in the row; the first to wait waits for that transaction, others queue behind.",
            "行上记着谁修改或锁定了它；第一个等待者等那个事务结束，其余的排在后面。",
        ],
        Fact::Deadlock { by_work: true, .. } => [
            "InnoDB looks for a circle at each wait and rolls back the transaction that has done least; among equals, the one that closed it.",
            "InnoDB 在每次等待时检测环，回滚做得最少的事务；一样多时回滚闭合该环的那个。",
        ],
        Fact::Deadlock { engine: Engine::MariaDb, .. } => [
            "MariaDB looks for a circle of named and table locks at each wait; the request that closes it is refused.",
            "MariaDB 在每次等待命名锁或表锁时检测环，拒绝闭合该环的请求。",
        ],
        Fact::Deadlock { engine: Engine::Postgres, .. } => [
            "A waiter looks for a circle once, when deadlock_timeout is over; whoever looks first while it stands is the victim.",
            "等待者在 deadlock_timeout 到期时只检测一次；环存在时先检测到的那个就是牺牲者。",
        ],
        Fact::Refused { problem: "duplicateKey", .. } => {
            ["A unique index lets each value in once.", "唯一索引中每个值只能出现一次。"]
        }
        Fact::Refused { problem: "serializationFailure", .. } => [
            "A transaction that looks at an old state may not change what others have changed since.",
            "基于旧快照的事务不能修改别人此后已改过的行。",
        ],
        Fact::Refused { problem: "lockWaitTimeout", after: "open", .. } => [
            "At this limit InnoDB undoes the statement only: the transaction keeps its changes and its locks.",
            "超时后 InnoDB 只撤销该语句：事务保留它的修改和锁。",
        ],
        Fact::Refused { engine: Engine::Postgres, after: "failed", .. } => [
            "In PostgreSQL an error ends the work of the transaction: its locks are free at once, and only ROLLBACK is accepted.",
            "PostgreSQL 中出错即终止事务的工作：锁立即释放，此后只接受 ROLLBACK。",
        ],
        Fact::Prepared { .. } => [
            "A prepared branch survives its connection and the server; only COMMIT or ROLLBACK of it ends it.",
            "已准备的分支不随连接或服务器消失，只有对它的提交或回滚才会结束它。",
        ],
        Fact::ConnectionEnded { .. } => [
            "Row locks and uncommitted changes belong to the connection and end with it.",
            "行锁和未提交的修改属于连接，随连接结束。",
        ],
        Fact::Recovered { .. } => [
            "What is in the log is done again; uncommitted changes and row locks were in memory only.",
            "日志里的内容会被重做；未提交的修改和行锁只在内存里。",
        ],
        Fact::Promoted { .. } => [
            "A replica has what it was sent; what its source had answered and not sent is not there.",
            "副本只有收到的内容；源库已应答但没发出的内容不在这里。",
        ],
        Fact::AwaitsReplica { engine: Engine::Postgres, .. } => [
            "With a synchronous standby a commit is answered, and seen, only when the standby has it on disk.",
            "有同步备库时，备库落盘之后提交才被应答、才可见。",
        ],
        Fact::AwaitsReplica { .. } => [
            "Semi-synchronous replication answers a commit when one replica has received it, or when the limit is over.",
            "半同步复制在一个副本收到后、或等待超时后才应答提交。",
        ],
        Fact::WaitCancelled { .. } => [
            "The commit was on disk here before the wait began: it cannot be taken back.",
            "开始等待之前提交已在本机落盘，无法撤回。",
        ],
        Fact::Degraded { .. } => [
            "When the limit is over, semi-synchronous replication goes on asynchronously, without telling the clients.",
            "超时后半同步复制退化为异步复制，客户端并不知情。",
        ],
        _ => return None,
    })
}
