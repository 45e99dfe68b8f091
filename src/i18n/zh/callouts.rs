//! Chinese: the few words at the place where something happens.

use crate::base::Epoch;
use crate::base::rows::names;
use crate::i18n::text::{self, raw};
use crate::server::TurnedAway;
use crate::view::Said;
use crate::zab::{LeaveReason, SyncKind};

use super::programs;

/// What stands at a machine or client.
pub(super) fn callout(said: &Said) -> String {
    match said {
        Said::Remark([_, chinese]) => chinese.clone(),
        Said::Oracle(true) => "oracle：1，可独自继续".into(),
        Said::Oracle(false) => "oracle：0，不得独自继续".into(),
        Said::ReadsOnly => "只提供读服务".into(),
        Said::InProcess(count) => format!("{count} 个请求在处理：暂不再读"),
        Said::QuorumWait => "等待过半：initLimit".into(),
        Said::Sync(SyncKind::Trunc, to, _) => format!("{to} 之后的都要截掉"),
        Said::Sync(SyncKind::Snap, ..) => "得到全部状态".into(),
        Said::Sync(SyncKind::Diff, to, count) => format!("补上缺的 {count} 个事务，到 {to} 为止"),
        Said::QuorumWaitOver => "initLimit 已到：放弃".into(),
        Said::Silence => "收不到消息：syncLimit".into(),
        Said::LeftOffice(epoch, reason) => left_office(*epoch, *reason),
        Said::Dropped => "静默达到 syncLimit：被断开".into(),
        Said::ClockAhead(ms) => format!("时钟 {}", text::ahead(*ms)),
        Said::Counter(at, end) => format!("计数器 {at} / {end}：已用完"),
        Said::Votes(who, of) => format!("{of} 票中的 {} 票：{}", who.len(), names(*who)),
        Said::Majorities(zxid, (old, of), (new, of_new)) => {
            format!("{zxid}：旧 {old} / {of}，新 {new} / {of_new}")
        }
        Said::Session(true) => "本地会话".into(),
        Said::Session(false) => "全局会话".into(),
        Said::Upgraded => "本地会话 → 全局会话".into(),
        Said::CircuitOpen => "断路器打开：不再得知".into(),
        Said::Hides(what) => format!("不再给出：{}", raw(what)),
        Said::Line(word, line) => raw(&format!("{word} → {line}")),
        Said::TurnedAway(client, reason) => format!("{client}：{}", turned_away(*reason)),
        Said::Error(name) => (*name).into(),
        Said::Read(path, data) => format!("读到 {}", raw(&format!("{path} = {data}"))),
        Said::ReadTogether(all) => {
            let sum = all.iter().map(|(_, value)| value).sum::<i64>();
            format!("{}：合计 {sum}", raw(&text::values(all, "，")))
        }
        Said::Missed { read, newest, at } => {
            format!("读到 {}；{newest} 在 {}", raw(read), names(*at))
        }
        Said::KeepsWatch(client, path) => format!("替 {client} 监听 {}", raw(path)),
        Said::OneTransaction(steps) => format!("一个事务：{}", raw(&steps.join(" "))),
        Said::OfOne(true) => "加入：只算新的过半".into(),
        Said::OfOne(false) => "离开：只算旧的过半".into(),
        Said::Hears(state) => format!("得知 {}", state.name()),
        Said::Takes(item) => format!("取走 {}", raw(item)),
        Said::NoQuorum(there, of) => format!("{}：将来 {of} 台中的 {} 台", names(*there), there.len()),
        Said::Copy(all) => all.iter().map(|(what, name)| copied(what, name)).collect::<Vec<_>>().join("，"),
        Said::Told(what, about) => format!("{} {}", programs::told(what), raw(about)),
    }
}

/// What a program's copy has found.
fn copied(what: &str, name: &str) -> String {
    let found = match what {
        "cache_created" => "新增",
        "cache_deleted" => "已删",
        _ => "已变",
    };
    format!("{} {found}", raw(name))
}

/// Why a leader leads no more.
fn left_office(epoch: Epoch, reason: LeaveReason) -> String {
    let why = match reason {
        LeaveReason::NoQuorum | LeaveReason::OnlyObservers => "不到过半",
        LeaveReason::CounterUsedUp => "计数器已用完",
        LeaveReason::LaterEpochPromised | LeaveReason::OlderEpoch => "已承诺更新的 epoch",
        LeaveReason::DiskFailed | LeaveReason::SnapshotFailed => "磁盘出错",
        LeaveReason::Reconfigured => "已重新配置",
        _ => return format!("epoch {epoch} 结束"),
    };
    format!("{why}：epoch {epoch} 结束")
}

/// Why a client is not served.
fn turned_away(reason: TurnedAway) -> &'static str {
    match reason {
        TurnedAway::LeaderOnly => "不接待，只领导",
        TurnedAway::TooManyConnections => "连接太多",
        TurnedAway::NotReadOnlyClient => "不接待，只读",
        TurnedAway::NoLocalSessions => "不接待，没有领导者",
        TurnedAway::GlobalSession => "不接待，会话是全局的",
        TurnedAway::ServerBehind => "不接待，它见过更新的",
        TurnedAway::WrongPassword => "密码不对",
        TurnedAway::SessionGone => "这里没有该会话",
        TurnedAway::TooLong => "请求太长",
        TurnedAway::Unimplemented => "没有这种请求",
        TurnedAway::NotServing | TurnedAway::Moved | TurnedAway::Replaced => "不接待",
    }
}
