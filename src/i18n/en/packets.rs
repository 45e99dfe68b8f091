//! English: what each packet is and what it carries.

use crate::base::{ServerId, Zxid};
use crate::i18n::text;
use crate::zab::{Message, Notification, Packet, ServerState};

/// A packet as a sentence: its name, then what it does.
pub(super) fn sentence(message: &Message) -> String {
    format!("{}: {}.", text::title(message), predicate(message))
}

/// What the packet does, to be put after "it" or its name.
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
        ServerState::Looking if leader == ServerId::NONE => "asks who leads; an observer has no vote".to_string(),
        ServerState::Looking => {
            format!("votes for {leader} in round {round} (peerEpoch {}, zxid {})", vote.peer_epoch, vote.zxid)
        }
        ServerState::Following | ServerState::Leading | ServerState::Observing | ServerState::Standalone => {
            let state = text::state(*state);
            format!("answers that the sender is {state} and {leader} leads, elected in round {round}")
        }
    }
}

fn of_packet(packet: &Packet) -> String {
    match packet {
        Packet::FollowerInfo { accepted_epoch, .. } => {
            format!("greets the leader; the sender's acceptedEpoch is {accepted_epoch}")
        }
        Packet::ObserverInfo { accepted_epoch, .. } => {
            format!("greets the leader without a vote; the sender's acceptedEpoch is {accepted_epoch}")
        }
        Packet::LeaderInfo { epoch } => {
            format!("announces epoch {epoch} and asks for the promise to obey no older one")
        }
        Packet::AckEpoch { zxid, current_epoch, want_snap } => promise(*zxid, *current_epoch, *want_snap),
        Packet::Diff { zxid } => format!("announces that only what is missing follows, up to {zxid}"),
        Packet::Trunc { zxid } => format!("orders the learner to cut everything after {zxid} from its log"),
        Packet::Snap { zxid, .. } => format!("carries the leader's whole state up to {zxid}"),
        Packet::Proposal(proposal) => {
            format!("asks the follower to log {} and to acknowledge it", text::written(&proposal.payload))
        }
        Packet::Commit { .. } => "tells the follower that it is committed and to be applied".to_string(),
        Packet::CommitAndActivate { leader, .. } => format!(
            "tells the follower that the reconfiguration is committed and in force, and that {leader} leads from now on"
        ),
        Packet::InformAndActivate { leader, .. } => {
            format!("hands the observer a committed reconfiguration, which is in force; {leader} leads from now on")
        }
        Packet::Inform(proposal) => {
            format!("hands the observer a committed transaction, {}", text::written(&proposal.payload))
        }
        Packet::NewLeader { zxid, .. } => {
            format!(
                "ends the history with which epoch {} begins; the learner must have all of it on disk",
                zxid.epoch()
            )
        }
        Packet::Ack { zxid } if zxid.is_new_epoch() => {
            format!("says that the sender has taken over the history of epoch {}'s leader", zxid.epoch())
        }
        Packet::Ack { .. } => "says that the sender has it on disk".to_string(),
        Packet::UpToDate => "tells the learner that it may serve clients now".to_string(),
        Packet::Request { payload } => {
            format!("passes a client's write on to the leader, {}", text::written(payload))
        }
        Packet::Sync { payload } => {
            format!("says that everything before this sync has been sent, {}", text::written(payload))
        }
        Packet::Revalidate { payload } => {
            format!("is about a session that a client resumes, {}", text::written(payload))
        }
        Packet::Ping { zxid, .. } => format!("is a heartbeat; the leader's last proposal is {zxid}"),
    }
}

fn promise(zxid: Zxid, current_epoch: Option<u32>, want_snap: bool) -> String {
    let answer = match current_epoch {
        Some(epoch) => {
            format!("promises to obey no older epoch; the sender's history ends at {zxid}, currentEpoch is {epoch}")
        }
        None => {
            format!("answers without counting, as the sender accepted this epoch before; its history ends at {zxid}")
        }
    };
    if want_snap { answer + "; it asks for a whole state (SNAP)" } else { answer }
}
