//! Chinese: what happens inside a server.

use crate::base::{ServerId, ServerSet, Zxid};
use crate::zab::{Fact, LeaveReason, Members, ServerState, StartFault, SyncKind};

use super::{list, quoted, terms};

/// A server's fact as a sentence.
pub(super) fn sentence(me: ServerId, fact: &Fact) -> String {
    match fact {
        Fact::Looking { round, last_zxid, current_epoch } => {
            format!(
                "{me} 寻找领导者，选举轮次为 {round}：最新 zxid 为 {last_zxid}，currentEpoch 为 {current_epoch}。"
            )
        }
        Fact::RoundJoined { round } => format!("{me} 得知有更新的选举轮次，进入第 {round} 轮。"),
        Fact::VoteChanged { vote, round } => {
            let (leader, zxid, epoch) = (vote.leader, vote.zxid, vote.peer_epoch);
            format!("{me} 在第 {round} 轮改投 {leader}（peerEpoch 为 {epoch}，zxid 为 {zxid}）。")
        }
        Fact::Finalizing { leader, votes } => {
            format!("{me} 统计到 {} 张相同的选票投给 {leader}（来自 {}）：已过半。", votes.len(), list(*votes))
        }
        Fact::FinalizingBroken { leader } => format!("{me} 暂不定案：收到了一张更优的选票，投给 {leader}。"),
        Fact::Elected { leader, role, round } => elected(me, *leader, *role, *round),
        Fact::EpochProposed { epoch, quorum } => {
            format!("{me} 提出新的 epoch {epoch}：已有过半的服务器连接（{}）。", list(*quorum))
        }
        Fact::EpochAccepted { epoch } => format!("{me} 接受 epoch {epoch}：不再服从 epoch 更小的领导者。"),
        Fact::Synchronizing { epoch, quorum } => {
            format!("{me} 已得到 {} 的承诺，达到过半：在 epoch {epoch} 中开始同步。", list(*quorum))
        }
        Fact::SyncChosen { learner, sync, learner_zxid, to, proposals, .. } => {
            sync_chosen(me, *learner, *sync, *learner_zxid, *to, *proposals)
        }
        Fact::NewLeaderAcked { epoch } => format!("{me} 对 epoch {epoch} 的 NEWLEADER {epoch}:0 作出确认。"),
        Fact::NewLeaderAckCounted { from, acks, need } => {
            format!("{me} 计入 {from} 对 NEWLEADER 的 ACK：{}。", progress(*acks, *need))
        }
        Fact::Established { epoch, quorum } => {
            format!("{me} 正式成为 epoch {epoch} 的领导者，支持者为 {}：广播阶段开始。", list(*quorum))
        }
        Fact::UpToDate { epoch } => format!("{me} 在 epoch {epoch} 中完成同步，开始为客户端服务。"),
        Fact::Proposed { zxid, payload, followers } => proposed(me, *zxid, &quoted(&payload.text), *followers),
        Fact::Queued { zxid } => format!("{me} 将 {zxid} 排入队列，等待写入事务日志。"),
        Fact::AckCounted { zxid, from, acks, need } => {
            let whose = if *from == me { "自己".to_string() } else { format!(" {from} ") };
            format!("{me} 计入{whose}对 {zxid} 的 ACK：{}。", progress(*acks, *need))
        }
        Fact::Committed { zxid, acks } if acks.len() == 1 && acks.contains(me) => {
            format!("{me} 提交 {zxid}：已写入自己的日志。")
        }
        Fact::Committed { zxid, acks } => format!("{me} 提交 {zxid}：已确认的服务器为 {}。", list(*acks)),
        Fact::AcksForgotten { learner, zxids } => {
            let zxids = zxids.iter().map(ToString::to_string).collect::<Vec<_>>().join("、");
            format!("{me} 不再计入 {learner} 对 {zxids} 的 ACK：它的日志即将被截断。")
        }
        Fact::LearnerDropped { learner, reason } => format!("{me} 移除学习者 {learner}：{}。", terms::drop(*reason)),
        Fact::Left { role, reason } => left(me, *role, *reason),
        Fact::FastForwarded { to } => format!("{me} 让内存追上自己的事务日志，直到 {to}。"),
        Fact::RefusedToStart { last_zxid, current_epoch } => {
            format!("{me} 拒绝启动：日志到 {last_zxid} 为止，而 currentEpoch 只有 {current_epoch}。")
        }
        Fact::CannotStart { fault } => cannot_start(me, *fault),
        Fact::ConfigSeen { config } => format!("{me} 已把下一份配置写入磁盘：{}。", members(config)),
        Fact::ConfigActivated { config } => format!("{me} 启用一份配置：{}。", members(config)),
        Fact::LeaderDesignated { leader } => {
            format!("{me} 在新配置中没有投票权：它不再提交任何事务，改由 {leader} 担任领导者。")
        }
        Fact::Standalone { last_zxid: Zxid::ZERO } => {
            format!("{me} 以单机方式启动，节点树为空（0:0）：配置文件中没有别的服务器。")
        }
        Fact::Standalone { last_zxid } => {
            format!("{me} 以单机方式启动，磁盘上的数据全部在内，直到 {last_zxid}：配置文件中没有别的服务器。")
        }
        Fact::Recovered { last_zxid, current_epoch, accepted_epoch } => format!(
            "{me} 恢复：最新 zxid 为 {last_zxid}，currentEpoch 为 {current_epoch}，acceptedEpoch 为 {accepted_epoch}。"
        ),
    }
}

/// Who belongs to a configuration.
fn members(config: &Members) -> String {
    let observers = match config.observers.is_empty() {
        true => String::new(),
        false => format!("，{} 为观察者", list(config.observers)),
    };
    format!("版本为 {}，由 {} 投票{observers}", config.version, list(config.voters))
}

fn elected(me: ServerId, leader: ServerId, role: ServerState, round: u64) -> String {
    match role {
        ServerState::Leading => format!("{me} 在第 {round} 轮选举中当选，进入 LEADING 状态。"),
        ServerState::Following => format!("{me} 在第 {round} 轮选举中认定 {leader} 为领导者，进入 FOLLOWING 状态。"),
        ServerState::Observing => format!("{me} 得知 {leader} 是领导者，进入 OBSERVING 状态。"),
        ServerState::Looking => format!("{me} 在第 {round} 轮中仍处于 LOOKING 状态。"),
        ServerState::Standalone => format!("{me} 单机运行：{leader} 就是它自己。"),
    }
}

fn progress(acks: ServerSet, need: usize) -> String {
    let (have, who) = (acks.len(), list(acks));
    match have >= need {
        true => format!("现有 {have} 个（{who}），已过半"),
        false => format!("现有 {have} 个（{who}），共需要 {need} 个"),
    }
}

fn sync_chosen(me: ServerId, learner: ServerId, sync: SyncKind, at: Zxid, to: Zxid, proposals: usize) -> String {
    let then = match proposals {
        0 => String::new(),
        _ => format!("，再补发 {proposals} 个事务"),
    };
    match (sync, proposals) {
        (SyncKind::Diff, 0) => format!("{me} 向 {learner} 发送空的 DIFF：{learner} 位于 {at}。"),
        (SyncKind::Diff, _) => {
            format!("{me} 向 {learner} 发送 DIFF，补上 {proposals} 个事务，直到 {to}：{learner} 位于 {at}。")
        }
        (SyncKind::Trunc, _) => {
            format!("{me} 向位于 {at} 的 {learner} 发送 TRUNC {to}：截掉此后的全部日志{then}。")
        }
        (SyncKind::Snap, _) => format!("{me} 向位于 {at} 的 {learner} 发送 SNAP {to}：完整的状态{then}。"),
    }
}

fn proposed(me: ServerId, zxid: Zxid, data: &str, followers: ServerSet) -> String {
    match followers.is_empty() {
        true if zxid.epoch() == 0 => format!("{me} 为{data}分配 zxid {zxid}。"),
        true => format!("{me} 为{data}分配 zxid {zxid}；此刻没有跟随者。"),
        false => format!("{me} 为{data}分配 zxid {zxid}，并向 {} 发送 PROPOSAL {zxid}。", list(followers)),
    }
}

fn cannot_start(me: ServerId, fault: StartFault) -> String {
    match fault {
        StartFault::NoSnapshot { first } => {
            format!("{me} 无法启动：日志从 {first} 开始，却没有任何快照可以作为重放的起点。")
        }
        StartFault::Hole { before, next } => format!("{me} 无法启动：日志有缺口，{before} 之后紧接着就是 {next}。"),
        StartFault::NotInPeerList => format!("{me} 无法启动：它磁盘上的配置里没有它自己。"),
    }
}

fn left(me: ServerId, role: ServerState, reason: LeaveReason) -> String {
    let what = match role {
        ServerState::Leading => "不再担任领导者",
        ServerState::Following => "不再是跟随者",
        ServerState::Observing => "不再是观察者",
        ServerState::Looking => "停止寻找领导者",
        ServerState::Standalone => "停止服务",
    };
    format!("{me} {what}：{}。", terms::leave(reason))
}

/// What the leader remembers; it follows a note.
pub(super) fn window(min: Zxid, max: Zxid) -> String {
    match min == max {
        true => format!("领导者内存中的已提交日志最早只到 {min}。"),
        false => format!("领导者内存中的已提交日志从 {min} 到 {max}。"),
    }
}

/// The rule behind a kind of fact, where no note says more.
pub(super) fn rule(fact: &Fact) -> Option<&'static str> {
    match fact {
        Fact::Looking { .. } => Some("历史最新者应当胜出：选票依次比较 currentEpoch、zxid 和服务器编号。"),
        Fact::EpochAccepted { .. } => Some("领导者与跟随者作出同样的承诺。"),
        Fact::Synchronizing { .. } => Some("过半的服务器不再服从更旧的 epoch 之后，旧领导者就无法再提交任何事务。"),
        Fact::NewLeaderAcked { .. } => Some("只有当领导者的历史和 currentEpoch 都已落盘，才可以确认 NEWLEADER。"),
        Fact::NewLeaderAckCounted { .. } => {
            Some("只有当过半的服务器把领导者的全部历史写入磁盘，领导者才可以开始服务。")
        }
        Fact::Standalone { .. } => Some("只有一台服务器时，不必选举，也不必问谁：写进自己的日志就算数。"),
        Fact::UpToDate { .. } => Some("领导者自己正式就任之后才会发送 UPTODATE。"),
        Fact::Proposed { followers, .. } if followers.is_empty() => {
            Some("所有写操作都由这一台服务器编号，因此只有一个执行顺序。")
        }
        Fact::Proposed { .. } => Some("同一 epoch 的所有写操作都由一个领导者编号，因此各服务器的执行顺序相同。"),
        Fact::AckCounted { acks, need, .. } => (acks.len() >= *need)
            .then_some("任意两个过半集合必有交集，因此过半服务器写入日志的事务不会被后来的领导者遗漏。"),
        Fact::Left { reason, .. } => Some(left_rule(*reason)),
        Fact::RefusedToStart { .. } => Some("在写日志与写 currentEpoch 之间崩溃，会使磁盘上的文件看起来互相矛盾。"),
        Fact::CannotStart { fault: StartFault::NotInPeerList } => Some("服务器只能加入配置里写有自己的集群。"),
        Fact::CannotStart { .. } => Some("服务器的状态等于最新的快照加上其后日志里的每一个事务，中间不能有缺口。"),
        Fact::ConfigSeen { .. } => {
            Some("从该提案开始，此后的每个提案都既要得到旧配置的法定人数，也要得到新配置的法定人数。")
        }
        Fact::ConfigActivated { .. } => Some("提交之后，只有新配置的法定人数才算数。"),
        Fact::LeaderDesignated { .. } => Some("在新配置的投票服务器中，确认最多的那一个成为下一任领导者。"),
        Fact::RoundJoined { .. }
        | Fact::VoteChanged { .. }
        | Fact::Finalizing { .. }
        | Fact::FinalizingBroken { .. }
        | Fact::Elected { .. }
        | Fact::EpochProposed { .. }
        | Fact::SyncChosen { .. }
        | Fact::Established { .. }
        | Fact::Queued { .. }
        | Fact::Committed { .. }
        | Fact::AcksForgotten { .. }
        | Fact::LearnerDropped { .. }
        | Fact::FastForwarded { .. }
        | Fact::Recovered { .. } => None,
    }
}

fn left_rule(reason: LeaveReason) -> &'static str {
    match reason {
        LeaveReason::NoQuorum => "得不到过半的支持，领导者就无法提交任何事务，也不应假装自己还能提交。",
        LeaveReason::IdTooLarge => {
            "编号为 255 的服务器给出的会话看起来就像带 TTL 的节点：它可以投票、跟随，但每次轮到它领导都会退下。"
        }
        LeaveReason::OnlyObservers => {
            "观察者收不到提案，因此它在提议的配置中的一票永远不会到来；新的领导者可以计入它。"
        }
        LeaveReason::QuorumWaitOver => "新领导者等待过半服务器的时间不超过 initLimit 个 tick。",
        LeaveReason::CounterUsedUp => "同一个 zxid 不能出现两次：进入新的 epoch 后计数器重新开始。",
        LeaveReason::LaterEpochPromised => "下一个 epoch 必须大于任何服务器承诺过的 epoch。",
        LeaveReason::LeaderGone | LeaveReason::LeaderUnreachable => "失去领导者的服务器会寻找新的领导者。",
        LeaveReason::LeaderSilent => {
            "缓慢的领导者与失效的领导者无法区分：沉默超过 syncLimit 个 tick（同步完成之前为 initLimit）就放弃它。"
        }
        LeaveReason::OlderEpoch => "服务器不服从 epoch 小于自己承诺值的领导者。",
        LeaveReason::OutOfOrder => "所有服务器必须以相同的顺序记录并执行相同的事务。",
        LeaveReason::DiskFailed => "结束的只是角色：进程继续运行并寻找领导者；磁盘未恢复时，它会再次失败。",
        LeaveReason::SnapshotFailed => "无法写入快照的服务器会结束进程：退出码 10。",
        LeaveReason::UnmatchedCommit => "若执行的事务会与领导者不同，就必须停止：退出码 12。",
        LeaveReason::BadSyncPacket => "它的进程以退出码 13 结束，以后每次启动都会如此。",
        LeaveReason::Reconfigured => "服务器改变角色时，先退出原有角色，再重新连接领导者。",
        LeaveReason::CannotTruncate => "它将重新连接，并改为请求完整的状态。",
    }
}
