//! Chinese: what is wrong with the files of real servers, and why one does not start on them.

use crate::base::Zxid;
use crate::disks::load::Refusal;
use crate::disks::logs::say::Say;
use crate::disks::start::Unknown;
use crate::disks::trouble::{Wrong, hex};
use crate::i18n::text::raw;

/// `0x10000000c 的`, where it is known.
fn of(zxid: &Option<Zxid>) -> String {
    zxid.map_or(String::new(), |zxid| format!(" {} 的", hex(zxid)))
}

fn more(behind: u64) -> String {
    if behind == 0 { String::new() } else { format!("；其后还有 {behind} 条记录可读") }
}

pub(in crate::i18n) fn wrong(wrong: &Wrong) -> String {
    match wrong {
        Wrong::Archive(why) => format!("无法解包（{}）", raw(why)),
        Wrong::Nested => "压缩包层层嵌套，太深，不再解包".into(),
        Wrong::NoRoom => "太大，内存放不下".into(),
        Wrong::Magic => "开头不是这类文件应有的内容".into(),
        Wrong::Version(version) => format!("格式版本为 {version}，而只认识 2"),
        Wrong::Header => "文件头不完整".into(),
        Wrong::CutShort => "最后一条记录不完整；服务器读到这里为止".into(),
        Wrong::Partial { zxid, behind } => {
            format!("{}记录不以 0x42 结尾；服务器读到这里为止{}", of(zxid), more(*behind))
        }
        Wrong::Crc { zxid, said, found, behind } => {
            let of = of(zxid);
            format!("{of}校验和写作 0x{said:x}，按内容算是 0x{found:x}；服务器不会启动{}", more(*behind))
        }
        Wrong::Length(length) => format!("有一条记录长 {length} 字节；服务器不会启动"),
        Wrong::Record { zxid, kind: Some(kind) } => {
            format!("{}记录的类型 {kind} 无法识别；服务器不会启动", of(zxid))
        }
        Wrong::Record { zxid, kind: None } => format!("{}记录校验和正确，但不是事务", of(zxid)),
        Wrong::Padding => "日志末尾之后不全是零".into(),
        Wrong::Order { before, zxid } => format!("{} 排在 {} 之后", hex(*zxid), hex(*before)),
        Wrong::Name { first } => format!("文件名与它的第一个事务 {} 不符", hex(*first)),
        Wrong::Snapshot => "读不下去；服务器会改用更旧的快照".into(),
        Wrong::Orphan(path) => format!("{} 没有父节点；服务器会改用更旧的快照", raw(path)),
        Wrong::NoAcl(number) => format!("有 znode 引用了不存在的权限列表 {number}"),
        Wrong::Seal { number, said, found } => {
            format!("第 {number} 个封印写作 0x{said:x}，而之前内容的校验和是 0x{found:x}；服务器会改用更旧的快照")
        }
        Wrong::SealMark(number) => format!("第 {number} 个封印不以“/”结尾；服务器会改用更旧的快照"),
        Wrong::NoSeal => "没有封印；服务器会改用更旧的快照".into(),
        Wrong::Behind(bytes) => format!("最后一个封印之后还有 {bytes} 字节"),
        Wrong::TreeDigest { said, found } => format!("写明的摘要是 {said}，而它的树是 {found}"),
        Wrong::NoNumber(text) => format!("“{}”不是数字", raw(text)),
        Wrong::Line { number, text } => format!("第 {number} 行无法读取：{}", raw(text)),
        Wrong::Empty => "是空的".into(),
        Wrong::Twice => "在几处都有，内容却不同".into(),
        Wrong::Io(why) => raw(why),
    }
}

pub(in crate::i18n) fn refusal(refusal: &Refusal) -> String {
    let why = match refusal {
        Refusal::NoSnapshot => "没有快照，却有日志记录".into(),
        Refusal::NoValidSnapshot => "没有一个快照可以加载".into(),
        Refusal::Log { name } => format!("log.{:x} 无法读取", name.0),
        Refusal::CurrentEpoch { epoch, last } => {
            format!("currentEpoch 为 {epoch}，比最后的 zxid {} 旧", hex(*last))
        }
        Refusal::AcceptedEpoch { accepted, current } => {
            format!("acceptedEpoch 为 {accepted}，小于 currentEpoch {current}")
        }
        Refusal::Hole { before, behind } => {
            return format!("从 3.9 起不会启动：{} 之后紧接的不是 {}", hex(*before), hex(*behind));
        }
    };
    format!("不会启动：{why}")
}

pub(in crate::i18n) fn unknown(unknown: Unknown) -> &'static str {
    match unknown {
        Unknown::NoId => "要先知道每块磁盘是谁的，才能启动",
        Unknown::SameId => "两块磁盘用了同一个编号：请说明各是谁的",
        Unknown::TooMany => "服务器多于能模拟的数目：最多 12 台，其中 9 个投票者",
        Unknown::NoDisk => "没有磁盘",
    }
}

/// The pattern of what happened, its gaps in the order of the English one.
pub(in crate::i18n) fn moment(say: Say) -> &'static str {
    match say {
        Say::Starts => "{} 启动（ZooKeeper {}）。",
        Say::Looks => "{} 开始寻找领导者。",
        Say::Votes => "{} 投票给 {}，zxid 为 {}（第 {} 轮）。",
        Say::Leads => "{} 领导 epoch {}，支持者有 {}，从 {} 开始。",
        Say::NoMajority => "{} 当选，却没有得到多数派的支持。",
        Say::TwoLeaders => "两个领导者：{} 开始领导时，{} 仍自认为是领导者，持续 {}。",
        Say::Diff => "{} 从 {} 得到 DIFF，直到 {}。",
        Say::Trunc => "{} 被 {} 截断（TRUNC）到 {}。",
        Say::Snap => "{} 从 {} 得到快照（SNAP），直到 {}。",
        Say::Closed => "{} 失去领导者 {}：连接被关闭。",
        Say::Silent => "{} 失去领导者 {}：太久没有听到它的消息。",
        Say::LosesLeader => "{} 失去领导者 {}：{}。",
        Say::LosesLearner => "学习者 {}：{} 不再听到它们的消息。",
        Say::LostQuorum => "{} 放弃 epoch {}，因为失去了多数派：{}。",
        Say::StopsLeading => "{} 不再领导 epoch {}：{}。",
        Say::Ends => "{} 的日志突然结束：进程被杀，或日志不完整。",
        Say::SessionBorn => "会话 {} 在 {} 建立。",
        Say::SessionExpired => "会话 {} 在 {} 过期：{} 毫秒没有消息。",
        Say::SessionClosed => "会话 {} 在 {} 关闭。",
        Say::SessionMoved => "会话 {} 转移到 {}。",
        Say::SessionRefused => "会话 {} 被 {} 拒绝。",
    }
}
