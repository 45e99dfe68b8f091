//! What stands large at a server or client while a fact is news.

use crate::daemon::{Remark, Tone};

use super::fact::{Fact, Refusal};

impl Fact {
    pub(super) fn news(&self) -> Option<Remark> {
        use Tone::{Bad, Waiting};
        Some(match self {
            Fact::Refused { candidate, reason, own, .. } => match reason {
                Refusal::Voted => {
                    Remark::new(Bad, format!("no vote for {candidate}: given"), format!("不投 {candidate}：票已投出"))
                }
                Refusal::LogBehind => {
                    Remark::new(Bad, format!("no: {candidate} lacks {own}"), format!("不投：{candidate} 没有 {own}"))
                }
                Refusal::TermOver => Remark::new(Bad, "no: its term is over", "不投：任期已过"),
                Refusal::LeaderKnown => Remark::new(Bad, "no: there is a leader", "不投：已有领导者"),
                Refusal::LowerId => Remark::new(Bad, format!("no vote for {candidate}"), format!("不投 {candidate}")),
            },
            Fact::Ignored { leader, .. } => {
                Remark::new(Waiting, format!("does not listen: {leader} leads"), format!("不理会：{leader} 在领导"))
            }
            Fact::AppendRefused { prev, .. } => {
                Remark::new(Bad, format!("refused: {prev} is missing"), format!("拒绝：缺少 {prev}"))
            }
            Fact::NotCommitted { at, on, .. } => Remark::new(
                Waiting,
                format!("{at} is on {on}, not committed"),
                format!("{at} 在 {on} 台上，仍未提交"),
            ),
            Fact::SteppedDown { heard, servers, .. } => Remark::new(
                Bad,
                format!("hears {heard} of {servers} servers: steps down"),
                format!("{servers} 台中只听到 {heard} 台：退位"),
            ),
            Fact::TermSeen { old, term, led: true, .. } => {
                Remark::new(Bad, format!("term {term} > {old}: steps down"), format!("任期 {term} > {old}：退位"))
            }
            Fact::NoAnswer { .. } => Remark::new(Bad, "no answer", "没有应答"),
            _ => return None,
        })
    }

    /// Its term, where what is remarked of it is about one.
    fn term(&self) -> Option<u64> {
        match self {
            Fact::Started { term, .. }
            | Fact::Candidate { term, pre: false, .. }
            | Fact::Granted { term, pre: false, .. }
            | Fact::Refused { term, .. }
            | Fact::Ignored { term, .. }
            | Fact::TermSeen { term, .. }
            | Fact::Follows { term, .. }
            | Fact::LeaderHeard { term, .. }
            | Fact::Leads { term, .. }
            | Fact::SteppedDown { term, .. }
            | Fact::AppendRefused { term, .. }
            | Fact::NotCommitted { term, .. } => Some(*term),
            _ => None,
        }
    }

    /// What was remarked in a term is over with the next one: where that has come, and everywhere once somebody leads it.
    pub(super) fn ends_what_was(&self, earlier: &Fact, here: bool) -> bool {
        let later = self.term().zip(earlier.term()).is_some_and(|(new, old)| new > old);
        later && (here || matches!(self, Fact::Leads { .. }))
    }
}
