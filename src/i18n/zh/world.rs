//! Chinese: what happens outside the servers' protocol machines.

use crate::base::{Node, ServerId, Zxid};
use crate::i18n::text;
use crate::recipes::Refusal;
use crate::sim::{
    ActionRefusal, Death, DiskFault, EpochFile, PacketRef, Parcel, Port, RefusalReason, Silence, Status, Tongue,
    WorldFact,
};

use super::{clients, list, packets, quoted, terms};

/// A fact as a sentence.
pub(super) fn sentence(fact: &WorldFact) -> String {
    use WorldFact as W;
    match fact {
        W::Began { setup, .. } => {
            format!("运行开始：{} 台有投票权的服务器，{} 台观察者。", setup.voters, setup.observers)
        }
        W::Started { server, incarnation, observer } => started(*server, *incarnation, *observer),
        W::Crashed { server, how } => match how {
            Death::Crash => format!("{server} 崩溃。"),
            Death::Kill => format!("{server} 的进程被杀死。"),
            Death::PowerOff => format!("{server} 断电。"),
        },
        W::Exited { server } => format!("{server} 退出。"),
        W::Paused { server } => format!("{server} 被暂停。"),
        W::Resumed { server } => format!("{server} 恢复运行。"),
        W::ActionRefused { reason } => refused(*reason),
        W::Added { server, observer: false } => format!("{server} 启动，磁盘为空；在重新配置之前没有投票权。"),
        W::Added { server, observer: true } => format!("{server} 作为观察者加入集群，磁盘为空。"),
        W::ConfigEdited { server, voters, .. } => {
            format!("{server} 的配置文件被修改：再次启动之后，由 {} 投票。", list(*voters))
        }
        W::OracleSet { server, grants: true } => format!("{server} 的 oracle 给出 1：它可以独自继续。"),
        W::OracleSet { server, grants: false } => format!("{server} 的 oracle 给出 0：它不得独自继续。"),
        W::LinkCut { from, to } => format!("从 {from} 到 {to} 的链路被切断：任何数据包都无法通过。"),
        W::LinkHealed { from, to } => format!("从 {from} 到 {to} 的链路恢复。"),
        W::PacketHeld { from, to, name, zxid, behind, .. } => {
            let held = format!("从 {from} 到 {to} 的 {} 被手动扣住", packet(name, *zxid));
            match behind {
                0 => format!("{held}。"),
                behind => format!("{held}；它后面的 {behind} 个数据包也要等待。"),
            }
        }
        W::PacketReleased { from, to, name, zxid, .. } => {
            format!("从 {from} 到 {to} 的 {} 被放行。", packet(name, *zxid))
        }
        W::PacketDelayed { from, to, name, zxid, us, .. } => {
            format!("从 {from} 到 {to} 的 {} 延迟 {}。", packet(name, *zxid), text::duration(*us))
        }
        W::DiskDelayed { server, what, us } => {
            format!("{server} 的磁盘操作 {} 延迟 {}。", text::disk_op(*what), text::duration(*us))
        }
        W::ClockJumped { server, ms } => {
            let way = if *ms < 0 { "向后" } else { "向前" };
            format!("{server} 的时钟{way}跳变 {}。", text::duration(ms.unsigned_abs() * 1000))
        }
        W::FourLetterAnswered { server, word, answer, .. } => match text::four_letter(*word, answer) {
            (1, said) => format!("{server} 答复 {word}：{}。", quoted(said)),
            (lines, said) => format!("{server} 用 {lines} 行答复 {word}，其中有 {}。", quoted(said)),
        },
        W::FourLetterUnanswered { server, word, silence: Silence::Refused, .. } => {
            format!("{server} 上无人监听：{} 得不到答复。", quoted(word))
        }
        W::FourLetterUnanswered { server, word, silence: Silence::Closed, .. } => {
            format!("{server} 不答复 {}，直接关闭连接。", quoted(word))
        }
        W::ConnectionBroken { from, to, port, .. } => format!("从 {from} 到 {} 的连接断开。", end(*to, *port)),
        W::LatencySet { from, to, range } => {
            format!("从 {from} 到 {to} 的数据包现在需要 {}。", text::range(range, " 到 "))
        }
        W::DiskSpeedSet { server, sync } => {
            format!("{server} 的一次磁盘同步现在需要 {}。", text::range(sync, " 到 "))
        }
        W::DiskFaultSet { server, fault } => match fault {
            DiskFault::None => format!("{server} 的磁盘恢复正常。"),
            DiskFault::Full => format!("{server} 的磁盘已满。"),
            DiskFault::Error => format!("{server} 的磁盘损坏。"),
        },
        W::DiskFailed { server, what, fault } => {
            let why = if *fault == DiskFault::Full { "磁盘空间不足" } else { "输入/输出错误" };
            format!("{server} 的磁盘操作 {} 失败：{why}。", text::disk_op(*what))
        }
        W::Dialled { from, to, port, .. } => format!("{from} 正在连接{}。", end(*to, *port)),
        W::Connected { from, to, port, .. } => format!("{from} 已连接到{}。", end(*to, *port)),
        W::ConnectionRefused { from, to, .. } => format!("{from} 无法连接 {to}：对方没有在监听。"),
        W::ConnectionClosed { node: server, peer, .. } => format!("{server} 发现与 {peer} 的一条连接已关闭。"),
        W::Sent { from, to, message, .. } => sent(*from, *to, message),
        W::Delivered { from, to, name, zxid, .. } => format!("{to} 收到 {from} 发来的 {}。", packet(name, *zxid)),
        W::Lost { from, to, name, reason, .. } => {
            format!("{from} 发给 {to} 的 {name} 丢失：{}。", terms::loss(*reason))
        }
        W::Synced { server, first, last, count } => synced(*server, *first, *last, *count),
        W::UnsyncedLost { server, first, last, count } => unsynced_lost(*server, *first, *last, *count),
        W::EpochWritten { server, file, epoch } => {
            format!("{server} 已将 {} {epoch} 写入磁盘。", text::epoch_file(*file))
        }
        W::SnapshotWritten { server, zxid, installed: true, .. } => {
            format!("{server} 已将收到的截至 {zxid} 的状态写入磁盘，取代原有的日志。")
        }
        W::SnapshotWritten { server, zxid, installed: false, last_txn: Zxid::ZERO } => {
            format!("{server} 已将快照 {zxid}（空状态）写入磁盘。")
        }
        W::SnapshotWritten { server, zxid, installed: false, last_txn } if last_txn > zxid => {
            format!("{server} 已将快照 {zxid} 写入磁盘；写入期间应用的事务（截至 {last_txn}）也包含在内。")
        }
        W::SnapshotWritten { server, zxid, installed: false, .. } => {
            format!("{server} 已将截至 {zxid} 的快照写入磁盘。")
        }
        W::SnapshotLost { server, zxid } => format!("{server} 丢失快照 {zxid}：系统尚未将它写回磁盘。"),
        W::Purged { server, before, snapshots, logs } => {
            format!("{server} 清理早于快照 {before} 的文件：快照 {snapshots} 个，日志文件 {logs} 个。")
        }
        W::LogTruncated { server, to, removed, snapshots: _ } => truncated(*server, *to, removed),
        W::DiskWiped { server } => format!("{server} 的磁盘被清空：再次启动时没有任何数据。"),
        W::DiskBackedUp { server } => format!("{server} 的磁盘此刻的内容被备份。"),
        W::BackupRestored { server } => {
            format!("{server} 的磁盘恢复成备份时的样子：之后写入的内容都不在了。")
        }
        W::Restored { server, last_txn, .. } => format!("{server} 载入完整的状态，最后一个事务为 {last_txn}。"),
        W::Applied { server, zxid, payload, .. } => format!("{server} 执行 {zxid}：{}。", quoted(&payload.text)),
        W::Serving { server, on: true } => format!("{server} 开始为客户端服务。"),
        W::Serving { server, on: false } => format!("{server} 停止为客户端服务。"),
        W::ClientOpened { client, servers, .. } => {
            let servers: Vec<String> = servers.iter().map(ToString::to_string).collect();
            format!("{client} 启动；它的连接串为 {}。", servers.join("、"))
        }
        W::ClientKilled { client } => format!("{client} 的进程终止；它的会话暂时还在。"),
        W::ClientPaused { client } => format!("{client} 被暂停。"),
        W::ClientResumed { client } => format!("{client} 恢复运行。"),
        W::ResourceWritten { resource, client, token, .. } => {
            let token = token.map_or(String::new(), |token| format!("，令牌为 {token}"));
            format!("{client} 写入{}{token}。", quoted(resource))
        }
        W::ResourceRefused { resource, client, token, newest, .. } => {
            format!("{}拒绝 {client}：令牌 {token} 比 {newest} 旧。", quoted(resource))
        }
        W::WriteAsked { server, write, data } => {
            format!("{server} 的客户端发出写请求 {write}：{}。", quoted(data))
        }
        W::WriteAnswered { server, write, zxid } => {
            format!("{server} 答复客户端：写请求 {write} 已完成，zxid 为 {zxid}。")
        }
        W::WriteFailed { server, write, reason } => {
            format!("{server} 上的写请求 {write} 失败：{}。", terms::refusal(*reason))
        }
    }
}

fn synced(server: ServerId, first: Zxid, last: Zxid, count: usize) -> String {
    match count {
        1 => format!("{last} 已写入 {server} 的磁盘。"),
        _ => format!("从 {first} 到 {last} 共 {count} 个事务已写入 {server} 的磁盘。"),
    }
}

fn unsynced_lost(server: ServerId, first: Zxid, last: Zxid, count: usize) -> String {
    match count {
        1 => format!("{server} 丢失了尚未落盘的 {last}。"),
        _ => format!("{server} 丢失了尚未落盘的 {count} 个事务，从 {first} 到 {last}。"),
    }
}

fn started(server: ServerId, incarnation: u32, observer: bool) -> String {
    let who = if observer { format!("观察者 {server} ") } else { format!("{server} ") };
    match incarnation {
        1 => format!("{who}启动。"),
        _ => format!("{who}重启（第 {incarnation} 次启动）。"),
    }
}

fn truncated(server: ServerId, to: Zxid, removed: &[Zxid]) -> String {
    match removed {
        [] => format!("{server} 的日志在 {to} 之后没有需要截掉的内容。"),
        [only] => format!("{server} 从日志中截掉 {only}，日志现在到 {to} 为止。"),
        [first, .., last] => format!("{server} 从日志中截掉 {first} 到 {last}，日志现在到 {to} 为止。"),
    }
}

/// With a space before a server's name only: what follows the verb is Chinese or a name.
fn sent(from: Node, to: Node, message: &Parcel) -> String {
    let (title, says) = match message {
        Parcel::Zab(message) => (text::title(message), packets::predicate(message)),
        Parcel::ToServer(packet) => (packet.name().to_string(), clients::says_to_server(packet)),
        Parcel::ToClient(packet) => (packet.name().to_string(), clients::says_to_client(packet)),
        Parcel::Other(saying) => (saying.name.to_string(), saying.text(Tongue::Chinese)),
    };
    format!("{from} 向 {to} 发送 {title}：{says}。")
}

fn end(server: Node, port: Port) -> String {
    match port {
        Port::Election => format!(" {server} 的选举端口"),
        Port::Quorum => format!("领导者 {server}"),
        Port::Client => format!(" {server} 的客户端端口"),
        Port::Service => format!(" {server}"),
    }
}

fn packet(name: &str, zxid: Option<Zxid>) -> String {
    zxid.map_or(name.to_string(), |zxid| format!("{name} {zxid}"))
}

/// What a disk that has failed lets a server do.
fn fault_rule(fault: DiskFault) -> Option<&'static str> {
    match fault {
        DiskFault::None => None,
        DiskFault::Full => Some("服务器到下一次写入时才会发现。截断和删除文件仍然可以进行。"),
        DiskFault::Error => Some("服务器到下一次写入时才会发现。磁盘上已有的内容仍然可以读取。"),
    }
}

/// The rule behind a kind of fact.
pub(super) fn rule(fact: &WorldFact) -> Option<&'static str> {
    use WorldFact as W;
    match fact {
        W::Crashed { how, .. } => Some(match how {
            Death::Crash => "内存中的内容全部消失；已同步到磁盘的内容保留下来。",
            Death::Kill => "机器仍在运行：进程已写出的内容无论是否落盘都保留下来，它的连接立即关闭。",
            Death::PowerOff => "未落盘的内容全部丢失，也没有任何通知：其他节点要等到超时才会发现。",
        }),
        W::Paused { .. } => Some("暂停的进程什么也不做：消息留在套接字中，定时器推迟触发。"),
        W::Resumed { .. } => Some("它先读取积压的消息，然后处理迟到的定时器。"),
        W::Added { .. } => Some("只有它自己的配置文件写有它：其他服务器不认识它，也就不计它的票。"),
        W::ConfigEdited { .. } => {
            Some("配置文件不同，服务器所统计的过半集合也就不同，而这样的两个过半集合未必有交集。")
        }
        W::OracleSet { .. } => Some("只要同一时刻只准许两台中的一台，就不会出错。"),
        W::LinkCut { .. } => Some("数据包只是被扣住而没有丢失：TCP 会不断重传，直到一端放弃。"),
        W::LinkHealed { .. } => Some("被扣住的数据包继续传输。"),
        W::PacketHeld { .. } => Some("连接是先进先出的：后面的数据包不会越过等待中的数据包。"),
        W::PacketReleased { .. } => Some("它从被扣住的位置继续传输。"),
        W::PacketDelayed { .. } => Some("连接是先进先出的：它后面的数据包也要等待。"),
        W::ClockJumped { server, .. } if server.is_valid() => {
            Some("只有事务中的时间随之改变：定时器按经过的时间运行。")
        }
        W::FourLetterUnanswered { silence: Silence::Refused, .. } => Some("进程没有运行，端口自然也没有打开。"),
        W::FourLetterUnanswered { silence: Silence::Closed, .. } => {
            Some("服务器不认识这个命令，或者连接数已达上限。")
        }
        W::FourLetterAnswered { .. } => Some("能连上客户端端口就可以询问，不需要会话；服务器只说自己知道的。"),
        W::DiskFaultSet { fault, .. } => fault_rule(*fault),
        W::ConnectionBroken { .. } => Some("TCP 不会越过缺口投递数据：永久丢失一个报文段会使连接断开。"),
        W::Synced { .. } => Some("只有已落盘的内容才可以确认。"),
        W::UnsyncedLost { .. } => Some("只有尚未同步到磁盘的内容才会丢失。"),
        W::EpochWritten { file: EpochFile::AcceptedEpoch, .. } => Some("承诺必须经得起崩溃。"),
        W::EpochWritten { file: EpochFile::CurrentEpoch, .. } => {
            Some("currentEpoch 为历史作担保，因此历史必须先写入磁盘。")
        }
        W::SnapshotLost { .. } => Some("快照不会立即同步：更早的快照加上更多的日志可以恢复同样的状态。"),
        W::Purged { .. } => Some("重启只需要一个快照和其后的日志；清理掉的部分不能再用于 DIFF 或 TRUNC。"),
        W::LogTruncated { .. } => Some("领导者的历史包含全部已提交的事务；其中没有的事务从未提交过。"),
        W::ResourceRefused { .. } => Some("令牌随持有者更替而增大：较小的令牌来自以前的持有者。"),
        W::WriteAnswered { .. } => Some("只有在本服务器上已提交并执行的写操作，才会答复客户端。"),
        W::WriteFailed { reason: RefusalReason::ConnectionLoss, .. } => {
            Some("客户端无从得知结果：这次写入可能仍会完成，也可能永远不会。")
        }
        W::WriteFailed { reason: RefusalReason::ServerDown | RefusalReason::NotServing, .. } => {
            Some("这次写入从未开始；客户端可以换一个服务器重试。")
        }
        W::Began { .. }
        | W::Started { .. }
        | W::Exited { .. }
        | W::ActionRefused { .. }
        | W::LatencySet { .. }
        | W::DiskSpeedSet { .. }
        | W::DiskFailed { .. }
        | W::Dialled { .. }
        | W::Connected { .. }
        | W::ConnectionRefused { .. }
        | W::ConnectionClosed { .. }
        | W::Sent { .. }
        | W::Delivered { .. }
        | W::Lost { .. }
        | W::SnapshotWritten { .. }
        | W::DiskWiped { .. }
        | W::DiskBackedUp { .. }
        | W::BackupRestored { .. }
        | W::DiskDelayed { .. }
        | W::Restored { .. }
        | W::Applied { .. }
        | W::Serving { .. }
        | W::ClientOpened { .. }
        | W::ClientKilled { .. }
        | W::ClientPaused { .. }
        | W::ClientResumed { .. }
        | W::ResourceWritten { .. }
        | W::WriteAsked { .. }
        | W::ClockJumped { .. } => None,
    }
}

fn refused(reason: ActionRefusal) -> String {
    match reason {
        ActionRefusal::NoSuchServer { server } => format!("该操作无法执行：没有服务器 {server}。"),
        ActionRefusal::WrongStatus { server, status } => match status {
            Status::Running => format!("该操作无法执行：{server} 正在运行。"),
            Status::Paused => format!("该操作无法执行：{server} 已暂停。"),
            Status::Crashed => format!("该操作无法执行：{server} 已停机。"),
        },
        ActionRefusal::AlreadyThere { server } => format!("该操作无法执行：{server} 已经存在。"),
        ActionRefusal::NoRoom { most } => format!("该操作无法执行：最多容纳 {most} 台服务器。"),
        ActionRefusal::NoSuchClient { client } => format!("该操作无法执行：没有客户端 {client}。"),
        ActionRefusal::ClientThere { client } => format!("该操作无法执行：{client} 已经存在。"),
        ActionRefusal::NoRoomForClients { most } => format!("该操作无法执行：最多容纳 {most} 个客户端。"),
        ActionRefusal::WrongClientStatus { client, paused: true } => format!("该操作无法执行：{client} 已暂停。"),
        ActionRefusal::WrongClientStatus { client, paused: false } => format!("该操作无法执行：{client} 没有暂停。"),
        ActionRefusal::NoSession { client } => format!("该操作无法执行：没有领导者知道 {client} 的会话。"),
        ActionRefusal::ClientOver { client } => format!("该操作无法执行：{client} 的会话已经结束。"),
        ActionRefusal::NoConnection { client } => format!("该操作无法执行：{client} 没有连接。"),
        ActionRefusal::NoBackup { server } => format!("该操作无法执行：{server} 的磁盘没有备份。"),
        ActionRefusal::DiskIsSo { server, fault } => match fault {
            DiskFault::None => format!("该操作无法执行：{server} 的磁盘没有故障。"),
            DiskFault::Full => format!("该操作无法执行：{server} 的磁盘已经满了。"),
            DiskFault::Error => format!("该操作无法执行：{server} 的磁盘已经损坏。"),
        },
        ActionRefusal::LinksAreSo { cut: true } => "该操作无法执行：这些链路已经全部断开。".into(),
        ActionRefusal::LinksAreSo { cut: false } => "该操作无法执行：这些链路没有断开。".into(),
        ActionRefusal::RawClient { client } => format!("该操作无法执行：{client} 是裸客户端，不能运行程序。"),
        ActionRefusal::ProgramRefuses { client, why } => {
            let why = match why {
                Refusal::FrameworkAtWork => "它的程序已经在运行",
                Refusal::NameTaken => "它的程序已有同名对象",
                Refusal::TooManyObjects => "它的程序已达到对象数上限",
                Refusal::ThreadBusy => "该线程正忙",
                Refusal::NoSuchThread => "该线程空闲",
            };
            format!("{client} 无法执行该操作：{why}。")
        }
        ActionRefusal::NoSuchPacket { packet: PacketRef { from, to, which } } => {
            format!("该操作无法执行：从 {from} 到 {to} 的数据包 {which} 不在途中。")
        }
        ActionRefusal::WrongPacketStatus { packet: PacketRef { from, to, which }, held: true } => {
            format!("该操作无法执行：从 {from} 到 {to} 的数据包 {which} 已被扣住。")
        }
        ActionRefusal::WrongPacketStatus { packet: PacketRef { from, to, which }, held: false } => {
            format!("该操作无法执行：从 {from} 到 {to} 的数据包 {which} 没有被扣住。")
        }
        ActionRefusal::PacketSent { packet: PacketRef { from, to, which } } => {
            format!("该操作无法执行：从 {from} 到 {to} 的数据包 {which} 已经发出。")
        }
        ActionRefusal::DiskOpBegun { server, what } => {
            format!("该操作无法执行：{server} 的磁盘操作 {what} 已经开始。")
        }
        ActionRefusal::TooManyPackets { most } => format!("该操作无法执行：在途的数据包已超过 {most} 个。"),
        ActionRefusal::NoOracle { server } => format!("该操作无法执行：{server} 没有 oracle。"),
        ActionRefusal::NoRoomForVoters { most } => format!("该操作无法执行：最多容纳 {most} 台有投票权的服务器。"),
    }
}
