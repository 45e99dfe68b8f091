//! Sentences for facts.

use crate::daemon::{Interest, Remark, Say, Tongue};

use super::fact::{Fact, Refusal};
use crate::words::{names, pick};

impl Say for Fact {
    fn name(&self) -> &'static str {
        match self {
            Fact::Started { .. } => "generation_started",
            Fact::Candidate { .. } => "generation_candidate",
            Fact::Granted { .. } => "generation_vote_granted",
            Fact::Refused { .. } => "generation_vote_refused",
            Fact::Ignored { .. } => "generation_vote_ignored",
            Fact::TermSeen { .. } => "generation_term_seen",
            Fact::Follows { .. } => "generation_follows",
            Fact::LeaderHeard { .. } => "generation_leader_heard",
            Fact::Leads { .. } => "generation_leads",
            Fact::SteppedDown { .. } => "generation_stepped_down",
            Fact::AppendRefused { .. } => "generation_append_refused",
            Fact::Conflict { .. } => "generation_conflict",
            Fact::Saved { .. } => "generation_saved",
            Fact::Committed { .. } => "generation_committed",
            Fact::NotCommitted { .. } => "generation_not_committed",
            Fact::Applied { .. } => "generation_applied",
            Fact::NoCommand { .. } => "generation_no_command",
            Fact::Asked { .. } => "generation_asked",
            Fact::Answered { .. } => "generation_answered",
            Fact::Redirected { .. } => "generation_redirected",
            Fact::NoAnswer { .. } => "generation_no_answer",
            Fact::Unknown { .. } => "generation_unknown",
            Fact::NotTaken { .. } => "generation_not_taken",
        }
    }

    fn text(&self, tongue: Tongue) -> String {
        match self {
            Fact::Candidate { term, pre: false, last, asked } => pick(
                tongue,
                format!(
                    "@ times out: begins term {term}, votes for itself and asks {}. Its last entry is {last}.",
                    names(tongue, asked)
                ),
                format!(
                    "@ 选举超时：进入任期 {term}，投票给自己，并向 {} 请求选票；最后一条日志是 {last}。",
                    names(tongue, asked)
                ),
            ),
            Fact::Candidate { term, asked, .. } => pick(
                tongue,
                format!("@ times out, and asks {} whether it would win term {term}.", names(tongue, asked)),
                format!("@ 选举超时：先询问 {} 自己能否赢得任期 {term}。", names(tongue, asked)),
            ),
            Fact::Granted { term, pre, candidate, own, its } => pick(
                tongue,
                format!(
                    "@ grants {candidate} its {} in term {term}: own last entry {own}, the candidate's {its}.",
                    vote(*pre).0
                ),
                format!("@ 把任期 {term} 的{}投给 {candidate}：自己最后一条日志 {own}，对方 {its}。", vote(*pre).1),
            ),
            Fact::Refused { term, pre, candidate, own, its, reason } => {
                let (english, chinese) = match reason {
                    Refusal::TermOver => ("that term is over".into(), "这个任期已经过去".into()),
                    Refusal::Voted => ("it has voted already".into(), "已经投过票".into()),
                    Refusal::LeaderKnown => ("the term has a leader".into(), "该任期已有领导者".into()),
                    Refusal::LogBehind => (
                        format!("own last entry {own}, the candidate's {its}"),
                        format!("自己最后一条日志 {own}，对方 {its}"),
                    ),
                    Refusal::LowerId => ("its id is lower".into(), "它的编号更小".into()),
                };
                pick(
                    tongue,
                    format!("@ refuses {candidate} its {} in term {term}: {english}.", vote(*pre).0),
                    format!("@ 在任期 {term} 拒绝给 {candidate} {}：{chinese}。", vote(*pre).1),
                )
            }
            Fact::Ignored { term, candidate, leader, .. } => pick(
                tongue,
                format!("@ ignores {candidate}, who asks for votes in term {term}: it has heard of {leader} lately."),
                format!("@ 忽略 {candidate} 在任期 {term} 的投票请求：刚刚还收到过领导者 {leader} 的消息。"),
            ),
            Fact::Leads { term, votes, .. } => pick(
                tongue,
                format!("@ leads term {term}, with the votes of {}.", names(tongue, votes)),
                format!("@ 成为任期 {term} 的领导者，得到 {} 的选票。", names(tongue, votes)),
            ),
            Fact::Started { term, last, .. } => pick(
                tongue,
                format!("@ starts as a follower: its disk holds term {term} and a log up to {last}."),
                format!("@ 以跟随者身份启动：磁盘上的任期是 {term}，日志到 {last}。"),
            ),
            Fact::TermSeen { from, old, term, .. } => pick(
                tongue,
                format!("@ sees a higher term at {from}: {old} becomes {term}."),
                format!("@ 从 {from} 的消息看到更高的任期：{old} 变为 {term}。"),
            ),
            Fact::Follows { term, leader: Some(leader) } => pick(
                tongue,
                format!("@ follows {leader} in term {term}."),
                format!("@ 在任期 {term} 中跟随 {leader}。"),
            ),
            Fact::Follows { term, leader: None } => pick(
                tongue,
                format!("@ is a follower in term {term}, and knows of no leader yet."),
                format!("@ 在任期 {term} 中成为跟随者，尚不知道领导者。"),
            ),
            Fact::LeaderHeard { term, leader } => pick(
                tongue,
                format!("@ hears that {leader} leads term {term}."),
                format!("@ 得知任期 {term} 的领导者是 {leader}。"),
            ),
            Fact::SteppedDown { term, heard, servers } => pick(
                tongue,
                format!("@ leads term {term} no more: it has heard of {heard} of {servers} servers."),
                format!("@ 不再是任期 {term} 的领导者：{servers} 台服务器中只听到 {heard} 台。"),
            ),
            Fact::NoCommand { line } => pick(
                tongue,
                format!("@ does not understand “{line}”: a server only knows “campaign”."),
                format!("@ 不认识“{line}”：服务器只接受“campaign”。"),
            ),
            Fact::AppendRefused { term, leader, prev, last } => pick(
                tongue,
                format!(
                    "@ refuses entries of {leader} in term {term}: they follow {prev}, its own log ends at {last}."
                ),
                format!("@ 在任期 {term} 拒绝 {leader} 的日志：它们应接在 {prev} 之后，而自己的日志到 {last}。"),
            ),
            Fact::Conflict { leader, from, deleted, .. } => pick(
                tongue,
                format!("@ deletes its log from index {from} on ({deleted}): {leader} has others there."),
                format!("@ 删除从索引 {from} 起的 {deleted} 条日志：领导者 {leader} 在那里的日志不同。"),
            ),
            Fact::Saved { term, vote, from, entries, forced } => {
                let vote = vote.map_or("–".to_string(), |vote| vote.to_string());
                let what = match entries.len() as u64 {
                    0 => pick(tongue, format!("term {term}, vote {vote}"), format!("任期 {term}、选票 {vote}")),
                    1 => pick(
                        tongue,
                        format!("term {term}, vote {vote}, entry {from}"),
                        format!("任期 {term}、选票 {vote}、日志 {from}"),
                    ),
                    n => pick(
                        tongue,
                        format!("term {term}, vote {vote}, entries {from} to {}", from + n - 1),
                        format!("任期 {term}、选票 {vote}、日志 {from} 至 {}", from + n - 1),
                    ),
                };
                match forced {
                    true => pick(tongue, format!("@ has on disk: {what}."), format!("@ 已落盘：{what}。")),
                    false => pick(
                        tongue,
                        format!("@ has written but not forced: {what}."),
                        format!("@ 已写入但未强制落盘：{what}。"),
                    ),
                }
            }
            Fact::Committed { term, at, on } => pick(
                tongue,
                format!("@ commits up to {at} in term {term}: {on} servers have it."),
                format!("@ 在任期 {term} 提交到 {at}：已有 {on} 台服务器持有。"),
            ),
            Fact::NotCommitted { term, at, on } => pick(
                tongue,
                format!("{on} servers have {at}, but term {term} cannot commit an entry of an earlier term by that."),
                format!("{on} 台服务器持有 {at}，但任期 {term} 不能仅凭数量提交更早任期的日志。"),
            ),
            Fact::Applied { index, entry, .. } => {
                pick(tongue, format!("@ applies entry {index}: {entry}."), format!("@ 应用日志 {index}：{entry}。"))
            }
            Fact::Asked { server, line, .. } => {
                pick(tongue, format!("@ asks {server}: {line}."), format!("@ 向 {server} 请求：{line}。"))
            }
            Fact::Answered { server, line, answer, .. } => pick(
                tongue,
                format!("@ hears from {server}: “{line}” – {}.", answer.text(tongue)),
                format!("@ 收到 {server} 对“{line}”的应答：{}。", answer.text(tongue)),
            ),
            Fact::Redirected { from, to: Some(to), .. } => {
                pick(tongue, format!("@ is sent from {from} to {to}."), format!("@ 被 {from} 转到 {to}。"))
            }
            Fact::Redirected { from, to: None, .. } => pick(
                tongue,
                format!("@ hears from {from} that no leader is known, and will ask again."),
                format!("@ {from} 表示不知道领导者，稍后重试。"),
            ),
            Fact::NoAnswer { server, line, after_ms, .. } => pick(
                tongue,
                format!("@ has no answer from {server}: “{line}” has waited for {after_ms} ms. It hangs up."),
                format!("@ {after_ms} ms 内没有收到 {server} 对“{line}”的应答，关闭连接。"),
            ),
            Fact::Unknown { server, line, .. } => pick(
                tongue,
                format!("@ loses its connection to {server} and does not know whether “{line}” was done."),
                format!("@ 与 {server} 的连接断开，“{line}”是否成功未知。"),
            ),
            Fact::NotTaken { line, full: true } => pick(
                tongue,
                format!("@ does not take “{line}”: too many lines wait."),
                format!("@ 不接受“{line}”：排队的命令太多。"),
            ),
            Fact::NotTaken { line, .. } => pick(
                tongue,
                format!("@ does not understand “{line}”: it knows put, get, endpoint and sleep."),
                format!("@ 不认识“{line}”：只有 put、get、endpoint、sleep。"),
            ),
        }
    }

    fn why(&self, tongue: Tongue) -> Option<String> {
        self.rule().map(|(english, chinese)| pick(tongue, english.into(), chinese.into()))
    }

    fn interest(&self) -> Interest {
        match self {
            Fact::Candidate { .. }
            | Fact::Leads { .. }
            | Fact::SteppedDown { .. }
            | Fact::Conflict { .. }
            | Fact::NotCommitted { .. }
            | Fact::NoAnswer { .. }
            | Fact::Unknown { .. }
            | Fact::Granted { .. }
            | Fact::Refused { reason: Refusal::LogBehind | Refusal::Voted, .. } => Interest::Step,
            Fact::Saved { entries, .. } if entries.is_empty() => Interest::Noise,
            Fact::AppendRefused { .. } | Fact::Applied { .. } | Fact::Redirected { .. } => Interest::Noise,
            _ => Interest::Detail,
        }
    }

    fn remark(&self) -> Option<Remark> {
        self.news()
    }

    fn ends(&self, earlier: &Self, here: bool) -> bool {
        self.ends_what_was(earlier, here)
    }
}

/// What is voted on, in English and in Chinese.
fn vote(pre: bool) -> (&'static str, &'static str) {
    if pre { ("pre-vote", "预投票") } else { ("vote", "选票") }
}

impl Fact {
    /// The rule that decided it, in English and in Chinese.
    fn rule(&self) -> Option<(&'static str, &'static str)> {
        Some(match self {
            Fact::Candidate { pre: false, .. } => (
                "Nothing was heard of a leader for the election timeout, which is drawn from T to 2T so that seldom two ask at once.",
                "选举超时内没有收到领导者的消息；超时在 T 到 2T 之间随机抽取，以免多台同时发起选举。",
            ),
            Fact::Candidate { .. } => (
                "With pre-vote a term begins only if a majority would vote: a server that was cut off disturbs nobody.",
                "启用预投票时，多数派愿意投票才会进入新任期，被隔离的服务器回来时不会扰乱集群。",
            ),
            Fact::Granted { own, its, .. } if its < own => (
                "Broken on purpose: whoever compares the logs refuses this vote.",
                "这是故意违反的规则：只要比较日志，就不会投出这一票。",
            ),
            Fact::Granted { .. } => (
                "One vote a term, to a candidate whose last entry is no older: first the term counts, then the index.",
                "每个任期只投一票，且候选人的最后一条日志不得更旧：先比任期，再比索引。",
            ),
            Fact::Refused { reason, .. } => reason.rule(),
            Fact::Ignored { .. } => (
                "With check-quorum nobody deposes a leader of whom it has heard within the election timeout.",
                "启用 check-quorum 时，选举超时内听到过领导者的服务器不参与推翻它。",
            ),
            Fact::TermSeen { .. } => (
                "A higher term always wins: whoever sees it takes it over and is a follower.",
                "任期高者为准：看到更高任期的服务器立即采用它并成为跟随者。",
            ),
            Fact::Leads { .. } => (
                "A majority has voted for it, and nobody votes twice in a term: so a term has at most one leader.",
                "得到多数派的选票，而每台服务器一个任期只投一次，所以一个任期至多一个领导者。",
            ),
            Fact::SteppedDown { .. } => (
                "With check-quorum a leader that a majority does not answer within the election timeout steps down.",
                "启用 check-quorum 时，领导者在选举超时内得不到多数派应答就退位。",
            ),
            Fact::AppendRefused { .. } => (
                "Entries are taken only behind an entry of the same index and term: so logs that agree there agree in all before.",
                "只有前一条日志的索引和任期都一致才接受后续日志，因此此前的内容必然全部一致。",
            ),
            Fact::Conflict { .. } => (
                "The leader's log counts: a follower deletes what differs, a leader never deletes its own.",
                "以领导者的日志为准：跟随者删除不一致的部分，领导者从不删除自己的日志。",
            ),
            Fact::Committed { .. } => (
                "A majority has on disk an entry of the leader's own term; everything before it is committed with it.",
                "多数派已将领导者本任期的一条日志落盘，它之前的日志一并提交。",
            ),
            Fact::NotCommitted { .. } => (
                "An entry of an earlier term may still be overwritten although a majority has it (Raft §5.4.2).",
                "更早任期的日志即使被多数派持有，仍可能被覆盖（Raft §5.4.2）。",
            ),
            Fact::NoAnswer { .. } | Fact::Unknown { .. } => (
                "Without an answer a write may be done, or not, or be done later.",
                "没有应答时，写入可能已经成功、没有成功，或稍后才成功。",
            ),
            _ => return None,
        })
    }
}

impl Refusal {
    fn rule(self) -> (&'static str, &'static str) {
        match self {
            Refusal::TermOver => {
                ("Its term is lower than the voter's: it is over.", "它的任期低于投票者的任期，已经过期。")
            }
            Refusal::Voted => {
                ("The vote of this term is given, and never changed.", "本任期的选票已经投出，不再更改。")
            }
            Refusal::LeaderKnown => ("This term has a leader.", "本任期已有领导者。"),
            Refusal::LogBehind => (
                "Its last entry is older than the voter's: it may lack what is committed.",
                "它的最后一条日志比投票者的旧，可能缺少已提交的内容。",
            ),
            Refusal::LowerId => {
                ("The broken rule: only a higher id gets the vote.", "被改坏的规则：只投给编号更大的服务器。")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::ServerId;
    use crate::generation::Position;

    #[test]
    fn a_refused_vote_is_told_with_its_own_reason() {
        let at = Position { term: 1, index: 1 };
        let told = |reason, tongue| {
            let refused = Fact::Refused { term: 2, pre: false, candidate: ServerId(2), own: at, its: at, reason };
            refused.text(tongue)
        };
        let all = [Refusal::TermOver, Refusal::Voted, Refusal::LeaderKnown, Refusal::LogBehind, Refusal::LowerId];
        for tongue in [Tongue::English, Tongue::Chinese] {
            let mut texts: Vec<String> = all.iter().map(|reason| told(*reason, tongue)).collect();
            // only where logs decide are they told
            let logs = |text: &&String| text.contains("1:1");
            assert_eq!(texts.iter().filter(logs).collect::<Vec<_>>(), [&told(Refusal::LogBehind, tongue)]);
            texts.dedup();
            assert_eq!(texts.len(), all.len(), "{texts:?}");
        }
    }
}
