//! Chinese: what is done to a run, short as a label.

use crate::base::{ServerId, ServerSet};
use crate::i18n::text;
use crate::sim::{Action, DiskFault, PacketRef};

use super::{list, quoted};

pub(super) fn action(action: &Action) -> String {
    match action {
        Action::Crash { server } => format!("{server} 崩溃"),
        Action::Kill { server } => format!("杀死 {server} 的进程"),
        Action::PowerOff { server } => format!("{server} 断电"),
        Action::Restart { server } => format!("{server} 重启"),
        Action::Pause { server } => format!("暂停 {server}"),
        Action::Resume { server } => format!("恢复 {server}"),
        Action::Cut { from, to, one_way } => format!("断开 {}", between(*from, *to, *one_way)),
        Action::Heal { from, to, one_way } => format!("恢复 {}", between(*from, *to, *one_way)),
        Action::HealAll => "恢复所有链路".into(),
        Action::CutLinks { links } => format!("断开 {}", text::links(links)),
        Action::HealLinks { links } => format!("恢复 {}", text::links(links)),
        Action::HoldPacket { packet } => format!("扣住 {}", numbered(packet)),
        Action::ReleasePacket { packet } => format!("放行 {}", numbered(packet)),
        Action::DropPacket { packet } => format!("丢弃 {} 及其连接", numbered(packet)),
        Action::DelayPacket { packet, us } => format!("{} 延迟 {}", numbered(packet), text::duration(*us)),
        Action::DelayDisk { server, what, us } => format!("{server} 的磁盘操作 {what} 延迟 {}", text::duration(*us)),
        Action::ClockJump { server, ms } => format!("{server} 的时钟 {ms:+} 毫秒"),
        Action::FourLetter { server, word, client: None } => format!("向 {server} 发送 {word}"),
        Action::FourLetter { server, word, client: Some(client) } => format!("从 {client} 向 {server} 发送 {word}"),
        Action::Latency { from, to, range } => {
            format!("{} 延迟 {}", between(*from, *to, false), text::range(range, " 到 "))
        }
        Action::Disk { server, sync } => format!("{server} 的磁盘需 {}", text::range(sync, " 到 ")),
        Action::DiskFault { server, fault: DiskFault::None } => format!("修复 {server} 的磁盘"),
        Action::DiskFault { server, fault: DiskFault::Full } => format!("写满 {server} 的磁盘"),
        Action::DiskFault { server, fault: DiskFault::Error } => format!("损坏 {server} 的磁盘"),
        Action::WipeDisk { server } => format!("清空 {server} 的磁盘"),
        Action::BackUpDisk { server } => format!("备份 {server} 的磁盘"),
        Action::RestoreBackup { server } => format!("恢复 {server} 的备份"),
        Action::Write { server, data, count: 1, .. } => format!("向 {server} 写入 {}", quoted(data)),
        Action::Write { server, data, count, .. } => format!("向 {server} 写入 {}，{count} 次", quoted(data)),
        Action::Add { server, observer: false } => format!("加入 {server}"),
        Action::Add { server, observer: true } => format!("加入观察者 {server}"),
        Action::EditConfig { servers, voters, .. } => {
            format!("修改 {} 的配置文件：由 {} 投票", list(*servers), list(*voters))
        }
        Action::Oracle { server, grants } => format!("让 {server} 的 oracle 给出 {}", u8::from(*grants)),
        Action::OpenClient { client, servers, .. } => match servers.as_slice() {
            [] => format!("新客户端 {client}"),
            servers => format!("新客户端 {client}，位于 {}", names(servers)),
        },
        Action::Ask { client, request, .. } => format!("{client} 请求 {}", quoted(&text::asked(request))),
        Action::AddAuth { client, scheme, .. } => format!("{client} 添加身份（{}）", text::raw(scheme)),
        Action::CloseClient { client } => format!("关闭 {client} 的会话"),
        Action::KillClient { client } => format!("杀死 {client}"),
        Action::PauseClient { client } => format!("暂停 {client}"),
        Action::ResumeClient { client } => format!("恢复 {client}"),
        Action::DisconnectClient { client } => format!("断开 {client} 的连接"),
        Action::MoveClient { client, to } => format!("将 {client} 移到 {}", to.server),
        Action::ExpireClient { client } => format!("使 {client} 的会话过期"),
        Action::ConnectOutside { client, server, name, .. } => match name {
            Some(name) => format!("{client}（{name}）从外部连接 {server}"),
            None => format!("{client} 从外部连接 {server}"),
        },
        Action::Ping { client } => format!("{client} 发送心跳"),
        Action::SetUpCurator { client, .. } => format!("在 {client} 中设置 Curator"),
        Action::MakeRecipe { client, object, recipe } => {
            format!(
                "{client} 创建 {}，类型 {}，路径 {}",
                quoted(object),
                recipe.kind.name().replace('_', " "),
                quoted(&recipe.path)
            )
        }
        Action::RunThread { client, thread, .. } => format!("{client} 运行线程 {}", thread.0),
        Action::InterruptThread { client, thread } => format!("中断 {client} 的线程 {}", thread.0),
    }
}

fn numbered(packet: &PacketRef) -> String {
    format!("{} → {} 的数据包 {}", packet.from, packet.to, packet.which)
}

fn names(servers: &[ServerId]) -> String {
    list(servers.iter().copied().collect())
}

fn between(from: ServerSet, to: ServerSet, one_way: bool) -> String {
    let arrow = if one_way { "→" } else { "–" };
    format!("{} {arrow} {}", list(from), list(to))
}
