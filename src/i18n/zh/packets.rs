//! Chinese: what each packet is and what it carries.

use crate::base::{ServerId, Zxid};
use crate::i18n::text;
use crate::zab::{Message, Notification, Packet, ServerState};

use super::quoted;

/// A packet as a sentence: its name, then what it does.
pub(super) fn sentence(message: &Message) -> String {
    format!("{}：{}。", text::title(message), predicate(message))
}

/// What the packet does, to be put after its name and a colon.
pub(super) fn predicate(message: &Message) -> String {
    match message {
        Message::Notification(notification) => vote(notification),
        Message::Packet(packet) => of_packet(packet),
    }
}

fn vote(notification: &Notification) -> String {
    let Notification { vote, round, state, config: _ } = notification;
    let leader = vote.leader;
    match state {
        ServerState::Looking if leader == ServerId::NONE => "询问谁是领导者；观察者没有投票权".to_string(),
        ServerState::Looking => {
            format!("在第 {round} 轮选举中投票给 {leader}（peerEpoch 为 {}，zxid 为 {}）", vote.peer_epoch, vote.zxid)
        }
        ServerState::Following | ServerState::Leading | ServerState::Observing | ServerState::Standalone => {
            let state = text::state(*state);
            format!("答复说自己处于 {state} 状态，领导者是 {leader}，在第 {round} 轮选出")
        }
    }
}

fn of_packet(packet: &Packet) -> String {
    match packet {
        Packet::FollowerInfo { accepted_epoch, .. } => {
            format!("跟随者向领导者报到，发送方的 acceptedEpoch 为 {accepted_epoch}")
        }
        Packet::ObserverInfo { accepted_epoch, .. } => {
            format!("观察者向领导者报到（无投票权），发送方的 acceptedEpoch 为 {accepted_epoch}")
        }
        Packet::LeaderInfo { epoch } => format!("宣布 epoch {epoch}，要求承诺不再服从更小的 epoch"),
        Packet::AckEpoch { zxid, current_epoch, want_snap } => promise(*zxid, *current_epoch, *want_snap),
        Packet::Diff { zxid } => format!("宣布随后只补发缺少的事务，直到 {zxid}"),
        Packet::Trunc { zxid } => format!("要求学习者截掉 {zxid} 之后的全部日志"),
        Packet::Snap { zxid, .. } => format!("携带领导者截至 {zxid} 的完整状态"),
        Packet::Proposal(proposal) => {
            format!("请跟随者将{}写入日志并作出确认", quoted(&proposal.payload.text))
        }
        Packet::Commit { .. } => "通知跟随者该提案已提交，可以执行".to_string(),
        Packet::CommitAndActivate { leader, .. } => {
            format!("通知跟随者重新配置已提交并立即生效，今后由 {leader} 担任领导者")
        }
        Packet::InformAndActivate { leader, .. } => {
            format!("把已提交并立即生效的重新配置告知观察者，今后由 {leader} 担任领导者")
        }
        Packet::Inform(proposal) => format!("把已提交的事务{}告知观察者", quoted(&proposal.payload.text)),
        Packet::NewLeader { zxid, .. } => {
            format!("表示 epoch {} 的初始历史到此为止；学习者必须把它全部写入磁盘", zxid.epoch())
        }
        Packet::Ack { zxid } if zxid.is_new_epoch() => {
            format!("表示发送方已接管 epoch {} 的领导者的历史", zxid.epoch())
        }
        Packet::Ack { .. } => "表示发送方已将该提案写入磁盘".to_string(),
        Packet::UpToDate => "通知学习者可以开始为客户端服务".to_string(),
        Packet::Request { payload } => format!("把客户端的写请求{}转交给领导者", quoted(&payload.to_string())),
        Packet::Sync { payload } => format!("表示这次 sync 之前的一切都已在途中，{}", quoted(&payload.to_string())),
        Packet::Revalidate { payload } => format!("询问或答复客户端要恢复的会话，{}", quoted(&payload.to_string())),
        Packet::Ping { zxid, .. } => format!("心跳，领导者最近的提案为 {zxid}"),
    }
}

fn promise(zxid: Zxid, current_epoch: Option<u32>, want_snap: bool) -> String {
    let answer = match current_epoch {
        Some(epoch) => {
            format!("承诺不再服从更小的 epoch；发送方的历史到 {zxid} 为止，currentEpoch 为 {epoch}")
        }
        None => format!("仅作答复，不计入过半的统计，因为先前已接受过这个 epoch；发送方的历史到 {zxid} 为止"),
    };
    if want_snap { answer + "；并请求完整的状态（SNAP）" } else { answer }
}
