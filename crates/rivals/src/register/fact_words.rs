//! Sentences for facts.

use crate::daemon::{Interest, Remark, Say, Tone, Tongue};
use crate::words::{names, pick};

use super::fact::Fact;

impl Say for Fact {
    fn name(&self) -> &'static str {
        match self {
            Fact::ClientStarted {} => "register_client_started",
            Fact::WriteBegan { .. } => "register_write_began",
            Fact::WriteStamped { .. } => "register_write_stamped",
            Fact::WriteDone { .. } => "register_write_done",
            Fact::ReadBegan { .. } => "register_read_began",
            Fact::Differ { .. } => "register_differ",
            Fact::WriteBack { .. } => "register_write_back",
            Fact::ReadDone { .. } => "register_read_done",
            Fact::Repairs { .. } => "register_repairs",
            Fact::Failed { .. } => "register_failed",
            Fact::StandsIn { .. } => "register_stands_in",
            Fact::Kept { .. } => "register_kept",
            Fact::Older { .. } => "register_older",
            Fact::HandedOver { .. } => "register_handed_over",
            Fact::NotTaken { .. } => "register_not_taken",
        }
    }

    fn text(&self, tongue: Tongue) -> String {
        match self {
            Fact::ClientStarted {} => pick(tongue, "@ starts.".into(), "@ 启动。".into()),
            Fact::WriteBegan { key, value, .. } => {
                pick(tongue, format!("@ begins to write {key} = {value}."), format!("@ 开始写入 {key} = {value}。"))
            }
            Fact::WriteStamped { key, value, stamp, .. } => pick(
                tongue,
                format!("@ sends {key} = {value} to all replicas with the timestamp {stamp}."),
                format!("@ 以时间戳 {stamp} 将 {key} = {value} 发给所有副本。"),
            ),
            Fact::WriteDone { key, value, acks, .. } => pick(
                tongue,
                format!("@ has written {key} = {value}: {acks} replicas have it."),
                format!("@ 写入 {key} = {value} 成功：{acks} 个副本已保存。"),
            ),
            Fact::ReadBegan { key, .. } => {
                pick(tongue, format!("@ begins to read {key}."), format!("@ 开始读取 {key}。"))
            }
            Fact::ReadDone { key, held, .. } => {
                pick(tongue, format!("@ reads {key} = {held}."), format!("@ 读到 {key} = {held}。"))
            }
            Fact::Failed { line, answers, wanted, may_take_effect, .. } => match may_take_effect {
                true => pick(
                    tongue,
                    format!("@ gives up “{line}” with {answers} of {wanted} answers; what was stored stays."),
                    format!("@ 放弃“{line}”：需要 {wanted} 个应答，只有 {answers} 个；已保存的不会撤销。"),
                ),
                false => pick(
                    tongue,
                    format!("@ gives up “{line}” with {answers} of {wanted} answers."),
                    format!("@ 放弃“{line}”：需要 {wanted} 个应答，只有 {answers} 个。"),
                ),
            },
            Fact::NotTaken { line, full: true } => pick(
                tongue,
                format!("@ does not take “{line}”: too many lines wait."),
                format!("@ 不接受“{line}”：排队的命令太多。"),
            ),
            Fact::NotTaken { line, .. } => pick(
                tongue,
                format!("@ does not understand “{line}”: it knows write, read and sleep."),
                format!("@ 不认识“{line}”：只有 write、read、sleep。"),
            ),
            Fact::Differ { key, newest, behind, .. } => pick(
                tongue,
                format!(
                    "@ has different answers for {key}: {newest} is the newest, {} have an older one.",
                    names(tongue, behind)
                ),
                format!("@ 得到的 {key} 不一致：最新的是 {newest}，{} 的较旧。", names(tongue, behind)),
            ),
            Fact::WriteBack { key, held, .. } => pick(
                tongue,
                format!("@ writes {key} = {held} back to all replicas: only then it returns it."),
                format!("@ 返回之前先将 {key} = {held} 写回所有副本。"),
            ),
            Fact::Repairs { key, held, to, .. } => pick(
                tongue,
                format!("@ sends {key} = {held} to {}, who were behind.", names(tongue, to)),
                format!("@ 将 {key} = {held} 发给落后的 {}。", names(tongue, to)),
            ),
            Fact::StandsIn { spare, owner, .. } => pick(
                tongue,
                format!("@ turns to {spare} in place of {owner}, who does not answer."),
                format!("@ 得不到 {owner} 的应答，改用 {spare} 代替。"),
            ),
            Fact::Kept { key, held, before, owner: None } => pick(
                tongue,
                format!("@ has {key} = {held} on disk, in place of {before}."),
                format!("@ 已将 {key} = {held} 落盘，取代 {before}。"),
            ),
            Fact::Kept { key, held, owner: Some(owner), .. } => pick(
                tongue,
                format!("@ has {key} = {held} on disk for {owner}."),
                format!("@ 替 {owner} 将 {key} = {held} 落盘。"),
            ),
            Fact::Older { key, held, sent } => pick(
                tongue,
                format!("@ keeps {key} = {held}: what was sent is older ({sent})."),
                format!("@ 保留 {key} = {held}：发来的更旧（{sent}）。"),
            ),
            Fact::HandedOver { key, held, owner } => pick(
                tongue,
                format!("@ has handed {key} = {held} over to {owner}."),
                format!("@ 已将 {key} = {held} 交还 {owner}。"),
            ),
        }
    }

    fn why(&self, tongue: Tongue) -> Option<String> {
        let (english, chinese) = match self {
            Fact::WriteStamped { .. } => {
                ("The greater timestamp wins wherever two values meet.", "两个值相遇时，时间戳大的留下。")
            }
            Fact::Differ { .. } => (
                "A write that is not done, or not everywhere yet, is seen by some quorums and not by others.",
                "未完成或尚未到达所有副本的写入，有的法定数量看得到，有的看不到。",
            ),
            Fact::WriteBack { .. } => (
                "Once a value is returned no later read may return an older one: a quorum must have it first (ABD).",
                "值一旦返回，之后的读不得返回更旧的值，所以要先让法定数量的副本持有它（ABD）。",
            ),
            Fact::Repairs { .. } => (
                "Read repair: whoever was behind among those that answered gets the newest.",
                "读修复：应答者中落后的副本得到最新值。",
            ),
            Fact::Failed { may_take_effect: true, .. } => (
                "A write that fails is not undone: replicas that have it keep it, and a later read may bring it to light.",
                "失败的写入不会撤销：已保存的副本会保留，之后的读可能读到它。",
            ),
            Fact::StandsIn { .. } => (
                "Sloppy quorum: the next node takes part with a hint, so quorums need not meet.",
                "宽松法定数量：由后面的节点带提示代为参与，因此两个法定数量未必相交。",
            ),
            _ => return None,
        };
        Some(pick(tongue, english.into(), chinese.into()))
    }

    fn interest(&self) -> Interest {
        match self {
            Fact::Differ { .. }
            | Fact::WriteBack { .. }
            | Fact::Failed { .. }
            | Fact::StandsIn { .. }
            | Fact::WriteDone { .. }
            | Fact::ReadDone { .. } => Interest::Step,
            Fact::ClientStarted {} => Interest::Noise,
            _ => Interest::Detail,
        }
    }

    fn remark(&self) -> Option<Remark> {
        Some(match self {
            Fact::ReadDone { key, held, .. } => {
                let read = format!("{key} = {}", held.text());
                Remark::new(Tone::Plain, format!("reads {read}"), format!("读到 {read}"))
            }
            Fact::Differ { key, newest, behind, .. } => Remark::new(
                Tone::Waiting,
                format!("{key} = {} not at {}", newest.text(), names(Tongue::English, behind)),
                format!("{} 没有 {key} = {}", names(Tongue::Chinese, behind), newest.text()),
            ),
            Fact::WriteBack { key, held, .. } => {
                let kept = format!("{key} = {}", held.text());
                Remark::new(Tone::Waiting, format!("{kept} to a majority first"), format!("先让多数副本持有 {kept}"))
            }
            Fact::WriteDone { key, value, acks, .. } => Remark::new(
                Tone::Held,
                format!("{key} = {value}: {acks} have it"),
                format!("{acks} 个副本有 {key} = {value}"),
            ),
            Fact::Failed { .. } => Remark::new(Tone::Bad, "gives up", "放弃"),
            Fact::Kept { key, held, owner: Some(owner), .. } => Remark::new(
                Tone::Waiting,
                format!("keeps {key} = {} for {owner}", held.text()),
                format!("替 {owner} 保管 {key} = {}", held.text()),
            ),
            Fact::Older { key, held, .. } => Remark::new(
                Tone::Bad,
                format!("keeps {key} = {}: larger stamp", held.text()),
                format!("保留时间戳更大的 {key} = {}", held.text()),
            ),
            _ => return None,
        })
    }

    /// A client's next operation ends what was said of the one before, a newer value what was said of an older one.
    fn ends(&self, earlier: &Self, here: bool) -> bool {
        let begins = matches!(self, Fact::WriteBegan { .. } | Fact::ReadBegan { .. } | Fact::ClientStarted {});
        let newer = matches!((self, earlier), (Fact::Kept { .. }, Fact::Older { .. }));
        here && (begins || newer)
    }
}
