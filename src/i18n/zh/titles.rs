//! Chinese: what decides and what causes, as short as a title.

use std::rc::Rc;

use crate::base::{ClientId, Node, SessionId};
use crate::client::{self, Failure};
use crate::i18n::text::{asked, brief, ended, raw};
use crate::i18n::title::{Cut, cut, events, hosts, learners, path as bare, zxids};
use crate::recipes::{self, ReleaseReason, Share};
use crate::server;
use crate::sim::{Death, DiskFault, Fact, Record, RefusalReason, WorldFact};
use crate::wire::{Answer, EventType, KeeperState, WatchedEvent};
use crate::zab::{self, LeaveReason, ServerState, SyncKind};

use super::clients::turned_away;
use super::programs::told;
use super::{shown, terms};

/// A title for facts of one kind; nothing where their sentence is short enough.
pub(super) fn title(records: &[Rc<Record>], owner: Option<ClientId>) -> Option<String> {
    let all = hosts(records);
    if let Some((asked, error)) = ended(records) {
        let (me, asked) = (who(&all), raw(&asked));
        return Some(match error {
            None => format!("{me}：“{asked}”已完成。"),
            Some(code) => format!("{me}：“{asked}”失败：{}。", code.name()),
        });
    }
    match &records.first()?.fact {
        Fact::Zab { fact, .. } => in_server(fact, &all, records),
        Fact::World(fact) => in_world(fact, &all, records),
        Fact::Client { fact, .. } => in_client(fact, &all),
        Fact::Server { server, fact } => in_service(&server.to_string(), fact, owner, records),
        Fact::Program { fact, .. } => in_program(fact, &all),
        Fact::Other { .. } => None,
    }
}

/// Why something happens of which neither the record nor its sentence says it.
pub(super) fn because(record: &Record) -> Option<String> {
    use client::Fact::Answered;
    let why = match &record.fact {
        Fact::Zab { fact: zab::Fact::LearnerDropped { learner, reason }, .. } => {
            return Some(format!("{learner}：{}。", terms::drop(*reason)));
        }
        Fact::Client { fact: Answered { outcome: Err(Failure::Code(code)), .. }, .. } => match code.name() {
            "BadVersion" => "节点的版本已经改变：没有读到的内容不会被改写。",
            "NewConfigNoQuorum" => "新配置中与领导者同步的服务器没有过半。",
            _ => return None,
        },
        Fact::World(WorldFact::ResourceWritten { token: None, .. }) => {
            "存储不知道谁持有锁：没有令牌，它接受所有写入。"
        }
        Fact::Program { fact: recipes::Fact::Released { reason: ReleaseReason::Released, .. }, .. } => {
            "它的节点被删除，监听它的客户端会得到通知。"
        }
        _ => return None,
    };
    Some(why.to_string())
}

/// `S1、S2 和 S3`; from four on only how many there are.
fn who(all: &[Node]) -> String {
    if all.len() > 3 {
        let what = if all.iter().all(|one| one.server().is_some()) { "台服务器" } else { "个客户端" };
        return format!("{} {what}", all.len());
    }
    join(all.iter().map(ToString::to_string))
}

fn join(names: impl Iterator<Item = String>) -> String {
    let names: Vec<String> = names.collect();
    match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} 和 {last}", rest.join("、")),
        _ => names.concat(),
    }
}

/// Zxids, or the first and the last of many.
fn range(records: &[Rc<Record>]) -> String {
    match zxids(records).as_slice() {
        [first, _, .., _, last] => format!("{first} 至 {last}"),
        few => join(few.iter().map(ToString::to_string)),
    }
}

/// A path, which belongs to no language.
fn path(of: &str) -> String {
    raw(&bare(of))
}

fn in_server(fact: &zab::Fact, all: &[Node], records: &[Rc<Record>]) -> Option<String> {
    use zab::Fact as F;
    let me = who(all);
    Some(match fact {
        F::Looking { .. } => format!("{me} 寻找领导者。"),
        F::VoteChanged { vote, .. } => format!("{me} 改投 {}。", vote.leader),
        F::Finalizing { leader, .. } => format!("{me} 看到 {leader} 的选票过半。"),
        F::Elected { leader, role: ServerState::Leading, .. } => format!("{leader} 当选。"),
        F::Elected { leader, role: ServerState::Observing, .. } => format!("{me} 观察 {leader}。"),
        F::Elected { leader, .. } => format!("{me} 跟随 {leader}。"),
        F::EpochProposed { epoch, .. } => format!("{me} 提出 epoch {epoch}。"),
        F::EpochAccepted { epoch } => format!("{me} 接受 epoch {epoch}。"),
        F::SyncChosen { sync, to, proposals, .. } => {
            let learners = who(&learners(records));
            match (sync, *proposals) {
                (SyncKind::Diff, 0) => format!("{me} 向 {learners} 发送空的 DIFF。"),
                (SyncKind::Diff, n) => format!("{me} 用 DIFF 补给 {learners} {n} 个事务。"),
                (SyncKind::Trunc, _) => format!("{me} 令 {learners} 截断日志：TRUNC {to}。"),
                (SyncKind::Snap, _) => format!("{me} 用 SNAP 把完整状态发给 {learners}。"),
            }
        }
        F::Established { epoch, .. } => format!("{me} 正式就任：epoch {epoch} 开始。"),
        F::Standalone { .. } => format!("{me} 单机服务。"),
        F::Proposed { followers, .. } if followers.is_empty() => format!("{me} 编号 {}。", range(records)),
        F::UpToDate { .. } => format!("{me} 完成同步。"),
        F::Proposed { .. } => format!("{me} 提出 {}。", range(records)),
        F::Committed { .. } => format!("{} 已提交。", range(records)),
        F::AcksForgotten { learner, .. } => format!("{me} 不再计入 {learner} 的 ACK。"),
        F::LearnerDropped { learner, .. } => format!("{me} 移除 {learner}。"),
        F::Left { role: ServerState::Leading, reason } => format!("{me} 不再领导{}。", leaves(*reason)),
        F::Left { reason: LeaveReason::LeaderGone | LeaveReason::LeaderSilent, .. } => {
            format!("{me} 认定领导者已失联。")
        }
        F::Left { role: ServerState::Following, .. } => format!("{me} 不再跟随。"),
        F::RefusedToStart { .. } => format!("{me} 拒绝启动。"),
        F::CannotStart { .. } => format!("{me} 无法启动。"),
        F::ConfigSeen { .. } => format!("{me} 已得知新的配置。"),
        F::ConfigActivated { .. } => format!("新配置在 {me} 上生效。"),
        F::LeaderDesignated { leader } => format!("{me} 把领导权交给 {leader}。"),
        _ => return None,
    })
}

/// Why a leader goes, where that is said in a few words.
fn leaves(reason: LeaveReason) -> &'static str {
    match reason {
        LeaveReason::NoQuorum => "：支持者不再过半",
        LeaveReason::IdTooLarge => "：它的编号太大",
        LeaveReason::OnlyObservers => "：未来的投票者只以观察者身份跟随",
        LeaveReason::QuorumWaitOver => "：过半服务器没有及时到来",
        LeaveReason::CounterUsedUp => "：计数器已用完",
        LeaveReason::LaterEpochPromised => "：有服务器承诺了更大的 epoch",
        LeaveReason::DiskFailed => "：磁盘写入失败",
        LeaveReason::Reconfigured => "：配置已变更",
        _ => "",
    }
}

fn in_world(fact: &WorldFact, all: &[Node], records: &[Rc<Record>]) -> Option<String> {
    use WorldFact as W;
    let me = who(all);
    Some(match fact {
        W::Started { incarnation: 1, .. } => format!("{me} 启动。"),
        W::Started { .. } => format!("{me} 重新启动。"),
        W::Crashed { how: Death::Crash, .. } => format!("{me} 崩溃。"),
        W::Crashed { how: Death::Kill, .. } => format!("{me} 的进程被杀死。"),
        W::Crashed { how: Death::PowerOff, .. } => format!("{me} 断电。"),
        W::Paused { .. } => format!("{me} 暂停。"),
        W::Resumed { .. } => format!("{me} 醒来。"),
        W::Added { .. } => format!("{me} 带着空磁盘加入。"),
        W::OracleSet { grants: true, .. } => format!("oracle 准许 {me} 独自继续。"),
        W::OracleSet { .. } => format!("oracle 不准 {me} 独自继续。"),
        W::ConfigEdited { .. } => format!("{me} 的配置被手工修改。"),
        W::LinkCut { .. } => match cut(records) {
            Cut::Link(a, b) => format!("{a} 与 {b} 之间的链路断开。"),
            Cut::OneWay(from, to) => format!("{} 听不到 {}。", who(&to), who(&from)),
            Cut::Off(nodes) => format!("{} 被隔开。", who(&nodes)),
        },
        W::LinkHealed { .. } => match cut(records) {
            Cut::Link(a, b) => format!("{a} 与 {b} 之间的链路恢复。"),
            Cut::OneWay(from, to) => format!("{} 又能收到 {} 的消息。", who(&to), who(&from)),
            Cut::Off(nodes) => format!("{} 不再被隔开。", who(&nodes)),
        },
        W::LatencySet { from, to, .. } => match records.len() {
            1 | 2 => format!("{from} 与 {to} 之间的链路变慢。"),
            _ => "链路的快慢变了。".to_string(),
        },
        W::DiskFaultSet { fault: DiskFault::None, .. } => format!("{me} 的磁盘恢复正常。"),
        W::DiskFaultSet { fault: DiskFault::Full, .. } => format!("{me} 的磁盘已满。"),
        W::DiskFaultSet { fault: DiskFault::Error, .. } => format!("{me} 的磁盘损坏。"),
        W::DiskFailed { .. } => format!("{me} 的磁盘无法写入。"),
        W::LogTruncated { removed, .. } => match removed.as_slice() {
            [] => return None,
            [only] => format!("{me} 从日志中截掉 {only}。"),
            [first, .., last] => format!("{me} 从日志中截掉 {first} 至 {last}。"),
        },
        W::UnsyncedLost { first, last, .. } if first == last => format!("{me} 丢失尚未落盘的 {first}。"),
        W::UnsyncedLost { first, last, .. } => format!("{me} 丢失尚未落盘的 {first} 至 {last}。"),
        W::WriteAsked { server, data, .. } if !server.is_valid() => format!("在 {me} 输入：“{}”。", brief(data)),
        W::WriteAsked { .. } => format!("客户端在 {me} 发起写入。"),
        W::WriteAnswered { zxid, .. } => format!("{me} 告知客户端：{zxid} 已完成。"),
        W::WriteFailed { reason: RefusalReason::ConnectionLoss, .. } => format!("{me} 的客户端没等到答复就断开了。"),
        W::WriteFailed { reason: RefusalReason::NotServing, .. } => format!("{me} 此时不提供服务：写入失败。"),
        W::WriteFailed { .. } => format!("{me} 没有运行：写入失败。"),
        W::FourLetterAnswered { word, answer, .. } if records.len() == 1 => {
            format!("{me} 答复 {word}：“{}”。", raw(&brief(word.telling(answer))))
        }
        W::FourLetterAnswered { .. } => format!("{me} 答复四字命令。"),
        W::FourLetterUnanswered { word, .. } => format!("{me} 不答复 {}。", raw(word)),
        W::ClientOpened { .. } => format!("{me} 启动。"),
        W::ClientKilled { .. } => format!("{me} 的进程终止。"),
        W::ClientPaused { .. } => format!("{me} 暂停。"),
        W::ClientResumed { .. } => format!("{me} 醒来。"),
        W::ResourceWritten { resource, token, .. } => match token {
            Some(token) => format!("{me} 用令牌 {token} 写入“{}”。", raw(resource)),
            None => format!("{me} 写入“{}”。", raw(resource)),
        },
        W::ResourceRefused { resource, token, .. } => format!("“{}”拒绝 {me}：令牌 {token} 已过时。", raw(resource)),
        _ => return None,
    })
}

fn in_client(fact: &client::Fact, all: &[Node]) -> Option<String> {
    use client::Fact as F;
    let me = who(all);
    Some(match fact {
        F::ClientConnected { server, again, .. } => {
            let verb = if *again { "重新连接" } else { "连接" };
            if all.len() == 1 { format!("{me} {verb}到 {server}。") } else { format!("{me} {verb}。") }
        }
        F::ClientDisconnected { server, .. } if all.len() == 1 => format!("{me} 与 {server} 断开。"),
        F::ClientDisconnected { .. } => format!("{me} 失去连接。"),
        F::ClientEnded { state: KeeperState::Closed, by_itself: true, .. } => format!("{me} 停止，会话留着。"),
        F::ClientEnded { session: SessionId::NONE, by_itself: true, .. } => format!("{me} 放弃连接。"),
        F::ClientEnded { by_itself: true, .. } => format!("{me} 放弃会话。"),
        F::ClientEnded { state: KeeperState::Expired, .. } => format!("{me} 得知会话已过期。"),
        F::ClientEnded { state: KeeperState::Closed, .. } => format!("{me} 关闭了会话。"),
        F::Answered { in_doubt: true, .. } => format!("{me} 无从得知写入是否生效。"),
        F::Called { request, .. } => format!("{me} 请求：“{}”。", raw(&brief(&asked(request)))),
        F::Answered { outcome: Ok(answer), .. } => match answer {
            Answer::Path(made) | Answer::Created { path: made, .. } => format!("{me} 得到答复：{}。", path(made)),
            Answer::Stat(stat) => format!("{me} 得到答复：版本 {}。", stat.version),
            Answer::Data { data: Some(data), stat } => format!("{me} 读到{}，版本 {}。", shown(data), stat.version),
            _ => return None,
        },
        F::Answered { outcome: Err(Failure::Code(code)), .. } => format!("{me} 收到错误 {}。", code.name()),
        F::Notified { event, .. } => format!("{me} 收到通知：{}。", happened(event)),
        _ => return None,
    })
}

/// What a watch tells.
fn happened(event: &WatchedEvent) -> String {
    let path = event.path.as_deref().map_or(String::new(), path);
    match event.kind {
        EventType::NodeCreated => format!("{path} 已创建"),
        EventType::NodeDeleted => format!("{path} 已删除"),
        EventType::NodeDataChanged => format!("{path} 已更新"),
        EventType::NodeChildrenChanged => format!("{path} 的子节点有变化"),
        _ => "监听已结束".into(),
    }
}

fn in_service(me: &str, fact: &server::Fact, owner: Option<ClientId>, records: &[Rc<Record>]) -> Option<String> {
    use server::Fact as F;
    let whose = owner.map_or("一个会话".to_string(), |client| format!("{client} 的会话"));
    Some(match fact {
        F::SessionExpired { .. } => format!("{whose}过期。"),
        F::SessionClosed { ephemerals, .. } => match ephemerals.as_slice() {
            [] => format!("{whose}关闭。"),
            [only] => format!("{whose}结束，{} 随之消失。", path(only)),
            more => format!("{whose}结束，{} 个临时节点随之消失。", more.len()),
        },
        F::SessionResumed { client, .. } => format!("{me} 接管 {client} 的会话。"),
        F::SessionMoved { from, to, .. } => format!("{whose}从 {from} 移到 {to}。"),
        F::SessionUpgraded { client, .. } => format!("{client} 的本地会话升级为全局会话。"),
        F::ClientTurnedAway { client, reason } => {
            format!("{me} 拒绝 {client}：{}。", turned_away(*reason))
        }
        F::OverQuota { path: below, hard: true, .. } => format!("{} 的硬配额拒绝了写入。", path(below)),
        F::OverQuota { path: below, .. } => format!("写入超出 {} 的软配额。", path(below)),
        F::ReadOnly { on: true } => format!("{me} 没有领导者，只提供读服务。"),
        F::WatchFired { event, .. } => format!("{} 的监听触发：{}。", who(&events(records)), happened(event)),
        _ => return None,
    })
}

fn in_program(fact: &recipes::Fact, all: &[Node]) -> Option<String> {
    use recipes::Fact as F;
    let me = who(all);
    Some(match fact {
        F::Acquired { share, .. } => match share {
            Share::Exclusive => format!("{me} 获得锁。"),
            Share::Read => format!("{me} 获得读锁。"),
            Share::Lease { .. } => format!("{me} 获得租约。"),
            Share::Leader => format!("{me} 成为领导者。"),
        },
        F::Released { path: held, reason, .. } => {
            let held = path(held);
            match reason {
                ReleaseReason::Released => format!("{me} 释放 {held}。"),
                ReleaseReason::Suspended => format!("{me} 没有连接，放弃 {held}。"),
                ReleaseReason::Lost => format!("{me} 会话失效，放弃 {held}。"),
                ReleaseReason::Closed => format!("{me} 关闭并放弃 {held}。"),
                ReleaseReason::Displaced => format!("{me} 在 {held} 不再排第一。"),
            }
        }
        F::WaitsBehind { watched, .. } if all.len() == 1 => format!("{me} 等待并监听 {}。", path(watched)),
        F::WaitsBehind { .. } => format!("{me} 等待。"),
        F::WaitsFor { watched, .. } => format!("{me} 等待 {} 出现。", path(watched)),
        F::Told { what, about, .. } => format!("{me} {} {}。", told(what), path(about)),
        F::Consumed { data, .. } => format!("{me} 取出{}。", shown(data)),
        F::Requeued { .. } => format!("{me} 重新排队。"),
        _ => return None,
    })
}
