//! Chinese: words for roles, phases, conditions and reasons.

use crate::sim::{EpochFile, LossReason, RefusalReason, Status};
use crate::zab::{DropReason, LeaveReason, Phase, ServerState, SyncKind};

pub(super) fn role(state: ServerState) -> &'static str {
    match state {
        ServerState::Looking => "选举中",
        ServerState::Following => "跟随者",
        ServerState::Leading => "领导者",
        ServerState::Observing => "观察者",
        ServerState::Standalone => "单机服务器",
    }
}

pub(super) fn phase(phase: Phase) -> &'static str {
    match phase {
        Phase::Election => "选举",
        Phase::Discovery => "发现",
        Phase::Synchronization => "同步",
        Phase::Broadcast => "广播",
        Phase::Standalone => "单机",
    }
}

/// Roles of other systems; what has no word in a textbook keeps its own.
pub(super) fn badge(role: &'static str) -> &'static str {
    match role {
        "CLIENT" | "Raft client" | "Register client" => "客户端",
        "PRIMARY" => "主库",
        "MASTER" => "主节点",
        "REPLICA" | "Replica" => "副本",
        "COORDINATOR" => "协调者",
        "PARTICIPANT" => "参与者",
        "SENTINEL" => "哨兵",
        "LEADER" => "领导者",
        "FOLLOWER" => "跟随者",
        "CANDIDATE" => "候选人",
        "PRE-CANDIDATE" => "预候选人",
        _ => role,
    }
}

pub(super) fn status(status: Status) -> &'static str {
    match status {
        Status::Running => "运行中",
        Status::Paused => "已暂停",
        Status::Crashed => "已崩溃",
    }
}

pub(super) fn sync(sync: SyncKind) -> &'static str {
    match sync {
        SyncKind::Diff => "只补发缺少的事务",
        SyncKind::Trunc => "先截断日志",
        SyncKind::Snap => "发送完整的状态",
    }
}

pub(super) fn epoch_file(file: EpochFile) -> &'static str {
    match file {
        EpochFile::AcceptedEpoch => "承诺过的最大 epoch",
        EpochFile::CurrentEpoch => "已接管其历史的领导者的 epoch",
    }
}

pub(super) fn leave(reason: LeaveReason) -> &'static str {
    match reason {
        LeaveReason::NoQuorum => "已经联系不到过半的服务器",
        LeaveReason::IdTooLarge => "编号 255 太大，不能与 TTL 节点并存",
        LeaveReason::OnlyObservers => "只有算上观察者，提议的配置才有过半的支持",
        LeaveReason::QuorumWaitOver => "在 initLimit 之内没有等到过半的服务器",
        LeaveReason::CounterUsedUp => "zxid 的计数器已用完",
        LeaveReason::LaterEpochPromised => "有学习者承诺过比它更大的 epoch",
        LeaveReason::LeaderGone => "与领导者的连接已断开",
        LeaveReason::LeaderSilent => "领导者沉默的时间过长",
        LeaveReason::LeaderUnreachable => "无法连接到领导者",
        LeaveReason::OlderEpoch => "领导者的 epoch 小于它承诺过的 epoch",
        LeaveReason::OutOfOrder => "领导者发来的内容与日志不衔接",
        LeaveReason::DiskFailed => "必须写入的内容无法写入磁盘",
        LeaveReason::SnapshotFailed => "它无法写入快照，进程随之结束",
        LeaveReason::UnmatchedCommit => "COMMIT 与它最早的提案不符，进程随之结束",
        LeaveReason::BadSyncPacket => "它无法执行领导者发来的同步内容，进程随之结束",
        LeaveReason::Reconfigured => "重新配置给了它另一个角色或另一个领导者",
        LeaveReason::CannotTruncate => "它的日志无法在领导者要求的位置截断",
    }
}

pub(super) fn drop(reason: DropReason) -> &'static str {
    match reason {
        DropReason::ConnectionLost => "连接已断开",
        DropReason::Silent => "超过 syncLimit 没有收到它的消息",
        DropReason::SlowAck => "它对某个提案的 ACK 超过 syncLimit 仍未到达",
        DropReason::NewerHistory => "它的历史比领导者更新；等 epoch 正式确立之后可以再来",
        DropReason::Replaced => "它已重新连接",
        DropReason::LaterConfig => "它的配置比领导者的更新",
        DropReason::BadPacket => "它发送了此时不应出现的内容",
    }
}

pub(super) fn loss(reason: LossReason) -> &'static str {
    match reason {
        LossReason::ReceiverCrashed => "接收方已崩溃",
        LossReason::SenderCrashed => "发送方在发出之前就崩溃了",
        LossReason::ConnectionClosed => "接收方已关闭连接",
        LossReason::ConnectionBroken => "连接已断裂",
    }
}

pub(super) fn refusal(reason: RefusalReason) -> &'static str {
    match reason {
        RefusalReason::ServerDown => "服务器没有运行",
        RefusalReason::NotServing => "服务器没有领导者，或尚未同步完毕，不提供服务",
        RefusalReason::ConnectionLoss => "服务器在答复之前停止了服务（ConnectionLoss）",
    }
}
