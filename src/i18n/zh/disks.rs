//! Chinese: what is wrong with the files of real servers, and why one does not start on them.

use crate::base::Zxid;
use crate::disks::load::Refusal;
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
