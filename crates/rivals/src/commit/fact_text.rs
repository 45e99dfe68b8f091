//! The sentences of the facts, and the rules behind them.

use crate::base::rows::names;
use crate::base::{ServerId, ServerSet};
use crate::daemon::Tongue;

use super::fact::{How, Refusal, What, Why};
use super::txn::{Decision, LineError, Txn, Vote};

use Decision::{Abort, Commit};

fn list(txns: &[Txn]) -> String {
    txns.iter().map(Txn::to_string).collect::<Vec<_>>().join(" ")
}

/// Names of machines as English lists them.
fn and(set: ServerSet) -> String {
    let names: Vec<String> = set.iter().map(|id| id.to_string()).collect();
    match names.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
        None => "nobody".into(),
    }
}

/// The same in Chinese.
fn and_zh(set: ServerSet) -> String {
    names(set).replace(' ', "、")
}

impl What {
    pub(super) fn english(&self, me: ServerId) -> String {
        match self {
            What::Began { txn, client, participants } => {
                format!("{me} begins {txn} for {client}, with {}.", and(*participants))
            }
            What::Forced { record, txn } => format!("{me} forces the record {record} of {txn} to its log."),
            What::Written { record, txn } => {
                format!("{me} writes the record {record} of {txn} and does not force it.")
            }
            What::LockWait { txn, item, holder } => {
                format!("{txn} waits at {me} for the lock on {item}: {holder} has it.")
            }
            What::ReadWait { client, item, holder } => {
                format!("{client} waits at {me} to read {item}: {holder} has it locked.")
            }
            What::Voted { txn, vote: Vote::Yes, .. } => format!("{me} votes yes on {txn}."),
            What::Voted { txn, vote: Vote::Read, .. } => format!("{me} has only read in {txn} and leaves it."),
            What::Voted { txn, vote: Vote::No, refusal } => {
                format!("{me} votes no on {txn}{}.", refusal.as_ref().map_or(String::new(), refusal_english))
            }
            What::VoteTimeout { txn, missing } => {
                format!("{me} has waited long enough for votes on {txn}: nothing from {}.", and(*missing))
            }
            What::LineLost { txn, peer } => format!("{me} loses its connection to {peer} in the middle of {txn}."),
            What::Decided { txn, decision, why } => {
                format!("{me} decides to {} {txn}{}.", verb(*decision), why_english(*why))
            }
            What::Concluded { txn, decision, how } => concluded_english(me, *txn, *decision, *how),
            What::InDoubt { txn, items } => {
                format!("{me} does not hear what was decided on {txn}, and keeps {} locked.", items.join(", "))
            }
            What::Blocked { txn, others } => {
                format!("{txn} is blocked at {me}: the others ({}) do not know the decision either.", and(*others))
            }
            What::Missing { txn } => {
                format!("{me} is told to commit {txn}, of which it has nothing: its part is lost.")
            }
            What::Presumed { txn, decision, participant } => {
                format!("{me} knows nothing of {txn} and tells {participant} to {} it.", verb(*decision))
            }
            What::ToldAgain { txn, participants } => {
                format!("{me} sends the decision on {txn} again: no acknowledgement from {}.", and(*participants))
            }
            What::Ended { txn } => format!("{me} forgets {txn}: it is over."),
            What::Recovered { open } if open.is_empty() => format!("{me} reads its log: nothing is open."),
            What::Recovered { open } => format!("{me} reads its log: {} not finished.", is_are(open)),
            What::Answered { txn, decision: Commit, .. } => format!("{me} hears that {txn} is committed."),
            What::Answered { txn, decision: Abort, .. } => format!("{me} hears that {txn} is aborted."),
            What::Unknown { request } => {
                format!("{me} does not know what became of its request {request}: no answer.")
            }
            What::Unreachable { request } => {
                format!("{me} reaches nobody with its request {request}: nothing is done.")
            }
            What::Value { participant, item, value: Some(value) } => {
                format!("{me} reads {item} = {value} at {participant}.")
            }
            What::Value { participant, item, value: None } => format!("{me} cannot read {item} at {participant}."),
            What::Locked { participant, item, holder } => {
                format!("{me} gives up reading {item} at {participant}: {holder} keeps it locked.")
            }
            What::BadLine { error } => format!("{me}: {}", line_english(error)),
        }
    }

    pub(super) fn chinese(&self, me: ServerId) -> String {
        match self {
            What::Began { txn, client, participants } => {
                format!("{me} 为 {client} 开始事务 {txn}，参与者为 {}。", and_zh(*participants))
            }
            What::Forced { record, txn } => format!("{me} 将 {txn} 的 {record} 记录强制写入日志。"),
            What::Written { record, txn } => format!("{me} 写入 {txn} 的 {record} 记录，但不强制落盘。"),
            What::LockWait { txn, item, holder } => {
                format!("{txn} 在 {me} 上等待 {item} 的锁，锁由 {holder} 持有。")
            }
            What::ReadWait { client, item, holder } => {
                format!("{client} 在 {me} 上等待读取 {item}，它被 {holder} 锁住。")
            }
            What::Voted { txn, vote: Vote::Yes, .. } => format!("{me} 对 {txn} 投赞成票。"),
            What::Voted { txn, vote: Vote::Read, .. } => format!("{me} 在 {txn} 中只有读操作，就此退出。"),
            What::Voted { txn, vote: Vote::No, refusal } => {
                format!("{me} 对 {txn} 投反对票{}。", refusal.as_ref().map_or(String::new(), refusal_chinese))
            }
            What::VoteTimeout { txn, missing } => {
                format!("{me} 未在期限内收到 {} 对 {txn} 的投票。", and_zh(*missing))
            }
            What::LineLost { txn, peer } => format!("{txn} 进行到一半，{me} 与 {peer} 的连接断开。"),
            What::Decided { txn, decision, why } => {
                format!("{me} 决定{} {txn}{}。", verb_zh(*decision), why_chinese(*why))
            }
            What::Concluded { txn, decision, how } => concluded_chinese(me, *txn, *decision, *how),
            What::InDoubt { txn, items } => {
                format!("{me} 一直没有得知 {txn} 的决定，{} 的锁不能释放。", items.join("、"))
            }
            What::Blocked { txn, others } => {
                format!("{txn} 在 {me} 上被阻塞：{} 也不知道决定是什么。", and_zh(*others))
            }
            What::Missing { txn } => format!("{me} 被通知提交 {txn}，却没有它的任何记录：这一部分丢失了。"),
            What::Presumed { txn, decision, participant } => {
                format!("{me} 对 {txn} 一无所知，于是通知 {participant} {}它。", verb_zh(*decision))
            }
            What::ToldAgain { txn, participants } => {
                format!("{me} 尚未收到 {} 对 {txn} 的确认，重新发送决定。", and_zh(*participants))
            }
            What::Ended { txn } => format!("{txn} 已经了结，{me} 不再记着它。"),
            What::Recovered { open } if open.is_empty() => format!("{me} 读取日志：没有未了结的事务。"),
            What::Recovered { open } => format!("{me} 读取日志：{} 尚未了结。", list(open)),
            What::Answered { txn, decision: Commit, .. } => format!("{me} 得知 {txn} 已提交。"),
            What::Answered { txn, decision: Abort, .. } => format!("{me} 得知 {txn} 已中止。"),
            What::Unknown { request } => format!("{me} 没有得到请求 {request} 的回答，不知道结果如何。"),
            What::Unreachable { request } => format!("{me} 的请求 {request} 无人接收，什么也没有发生。"),
            What::Value { participant, item, value: Some(value) } => {
                format!("{me} 在 {participant} 上读到 {item} = {value}。")
            }
            What::Value { participant, item, value: None } => format!("{me} 无法在 {participant} 上读取 {item}。"),
            What::Locked { participant, item, holder } => {
                format!("{me} 放弃读取 {participant} 上的 {item}：{holder} 一直锁着它。")
            }
            What::BadLine { error } => format!("{me}：{}", line_chinese(error)),
        }
    }

    /// The rule that decided.
    pub(super) fn reason(&self, tongue: Tongue) -> Option<&'static str> {
        let [english, chinese] = self.rule()?;
        Some(match tongue {
            Tongue::English => english,
            Tongue::Chinese => chinese,
        })
    }

    fn rule(&self) -> Option<[&'static str; 2]> {
        Some(match self {
            What::Voted { vote: Vote::Yes, .. } => [
                "Who votes yes gives up the right to decide: its record PREPARED must be on disk first.",
                "投赞成票就放弃了单方面决定的权利，因此 PREPARED 记录必须先落盘。",
            ],
            What::Voted { vote: Vote::No, .. } => [
                "Any participant may refuse, and one refusal aborts the transaction.",
                "任何参与者都可以拒绝，一票反对就使事务中止。",
            ],
            What::Voted { vote: Vote::Read, .. } => [
                "Who has changed nothing has nothing to commit and nothing to undo: it takes no part in the second phase.",
                "没有修改任何数据的参与者既无可提交也无可撤销，不参加第二阶段。",
            ],
            What::Decided { decision: Commit, .. } => [
                "All votes are yes: the transaction is committed once the coordinator's COMMIT record is on disk.",
                "全部投票均为赞成：协调者的 COMMIT 记录一落盘，事务即告提交。",
            ],
            What::Decided { decision: Abort, .. } => [
                "Without a yes from every participant the transaction is aborted.",
                "只要缺少任何一个参与者的赞成票，事务就中止。",
            ],
            What::Concluded { how: How::Alone, .. } => {
                ["Before it has voted yes, a participant may abort alone.", "投赞成票之前，参与者可以单方面中止。"]
            }
            What::Concluded { how: How::ToldBy { .. }, .. } => [
                "Cooperative termination: a participant that knows the decision, or has not voted yet, can tell it.",
                "协同终止协议：已知道决定或尚未投票的参与者可以把结果告诉其他参与者。",
            ],
            What::Concluded { how: How::Guessed, .. } => [
                "Broken on purpose: after its yes a participant must never decide alone.",
                "这是故意违反的规则：投赞成票之后，参与者绝不能单方面决定。",
            ],
            What::InDoubt { .. } | What::Blocked { .. } => [
                "After its yes a participant must wait: the coordinator may have decided either way.",
                "投赞成票之后参与者只能等待：协调者可能已作出任何一种决定。",
            ],
            What::LockWait { .. } | What::ReadWait { .. } | What::Locked { .. } => [
                "Two-phase locking: what a transaction has written stays locked until its decision is carried out.",
                "两阶段锁：事务写过的数据一直锁着，直到执行了它的决定。",
            ],
            What::Presumed { decision: Abort, .. } => [
                "No record: it was not committed, or everybody has acknowledged the commit.",
                "没有记录：事务未曾提交，或者所有参与者都已确认提交。",
            ],
            What::Presumed { decision: Commit, .. } => [
                "Presumed commit: what was aborted is remembered until everybody has acknowledged that.",
                "假定提交：已中止的事务会一直记着，直到所有参与者都确认。",
            ],
            What::ToldAgain { .. } => [
                "A decision is remembered until everybody who voted yes has acknowledged it.",
                "投过赞成票的参与者全部确认之前，决定必须一直记着。",
            ],
            _ => return None,
        })
    }
}

fn verb(decision: Decision) -> &'static str {
    match decision {
        Commit => "commit",
        Abort => "abort",
    }
}

fn verb_zh(decision: Decision) -> &'static str {
    match decision {
        Commit => "提交",
        Abort => "中止",
    }
}

fn is_are(open: &[Txn]) -> String {
    format!("{} {}", list(open), if open.len() == 1 { "is" } else { "are" })
}

fn why_english(why: Why) -> String {
    match why {
        Why::AllYes => ": all votes are yes".into(),
        Why::Majority => ": more than half of the votes are yes".into(),
        Why::VotedNo { participant } => format!(": {participant} voted no"),
        Why::TimedOut { missing } => format!(": no vote from {}", and(missing)),
        Why::LineLost { participant } => format!(": {participant} is gone, and had not voted"),
        Why::InLog => ", as its log says".into(),
        Why::NotInLog => ": its log has no decision".into(),
    }
}

fn why_chinese(why: Why) -> String {
    match why {
        Why::AllYes => "：全部赞成".into(),
        Why::Majority => "：赞成票超过半数".into(),
        Why::VotedNo { participant } => format!("：{participant} 投了反对票"),
        Why::TimedOut { missing } => format!("：没有收到 {} 的投票", and_zh(missing)),
        Why::LineLost { participant } => format!("：{participant} 尚未投票就失去了联系"),
        Why::InLog => "：日志中已有记录".into(),
        Why::NotInLog => "：日志中没有决定".into(),
    }
}

fn refusal_english(refusal: &Refusal) -> String {
    match refusal {
        Refusal::Negative { item } => format!(": {item} would become negative"),
        Refusal::LockTimeout { item } => format!(": it has waited too long for the lock on {item}"),
        Refusal::AbortedBefore => ": it has aborted it before".into(),
        Refusal::NoWork => ": its part of it is gone".into(),
    }
}

fn refusal_chinese(refusal: &Refusal) -> String {
    match refusal {
        Refusal::Negative { item } => format!("：{item} 会变成负数"),
        Refusal::LockTimeout { item } => format!("：等待 {item} 上的锁超时"),
        Refusal::AbortedBefore => "：此前已将其中止".into(),
        Refusal::NoWork => "：它所执行的部分已经丢失".into(),
    }
}

fn concluded_english(me: ServerId, txn: Txn, decision: Decision, how: How) -> String {
    let done = match decision {
        Commit => format!("{me} commits {txn}"),
        Abort => format!("{me} aborts {txn}"),
    };
    match how {
        How::Told => format!("{done}."),
        How::ToldBy { other } => format!("{done}: {other} could tell."),
        How::Alone => format!("{done}: it had not voted yes."),
        How::Guessed => format!("{done}: it has waited long enough and decides alone."),
    }
}

fn concluded_chinese(me: ServerId, txn: Txn, decision: Decision, how: How) -> String {
    let done = format!("{me} {} {txn}", verb_zh(decision));
    match how {
        How::Told => format!("{done}。"),
        How::ToldBy { other } => format!("{done}：{other} 知道结果。"),
        How::Alone => format!("{done}：它还没有投赞成票。"),
        How::Guessed => format!("{done}：它等得太久，自行作出决定。"),
    }
}

fn line_english(error: &LineError) -> String {
    match error {
        LineError::Empty => "The line is empty: write items such as P1:x=5, y+=1, z?.".into(),
        LineError::TooMany { most } => format!("A transaction may have {most} items at most."),
        LineError::NoParticipant { name } => format!("There is no participant {name}."),
        LineError::NoTime { most } => format!("A sleep takes a number of ms from 0 to {most}."),
        LineError::NoItem { word } => {
            format!("'{word}' is none of x=5, x+=1, x-=1, x?, with or without P1: before it.")
        }
    }
}

fn line_chinese(error: &LineError) -> String {
    match error {
        LineError::Empty => "这一行是空的：请写出数据项，例如 P1:x=5、y+=1、z?。".into(),
        LineError::TooMany { most } => format!("一个事务最多可以有 {most} 个数据项。"),
        LineError::NoParticipant { name } => format!("没有名为 {name} 的参与者。"),
        LineError::NoTime { most } => format!("sleep 之后应是 0 到 {most} 的毫秒数。"),
        LineError::NoItem { word } => format!("“{word}”不符合 x=5、x+=1、x-=1、x? 的写法（前面可加 P1:）。"),
    }
}
