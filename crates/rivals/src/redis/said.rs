//! The facts' names, sentences and reasons, in English and Simplified Chinese.

use crate::daemon::{Interest, Remark, Say, Tongue};

use super::fact::Fact;
use super::line::typed;

impl Say for Fact {
    fn name(&self) -> &'static str {
        match self {
            Fact::Executed { .. } => "redis_executed",
            Fact::Deleted { .. } => "redis_deleted",
            Fact::Expired { .. } => "redis_expired",
            Fact::Logged { .. } => "redis_logged",
            Fact::Synced { .. } => "redis_synced",
            Fact::Loaded { .. } => "redis_loaded",
            Fact::Attached { .. } => "redis_replica_attached",
            Fact::Linked { .. } => "redis_linked",
            Fact::LinkLost { .. } => "redis_link_lost",
            Fact::Applied { .. } => "redis_applied",
            Fact::Promoted { .. } => "redis_promoted",
            Fact::Demoted { .. } => "redis_demoted",
            Fact::Operated { .. } => "redis_operated",
            Fact::ScriptRuns { .. } => "redis_script_runs",
            Fact::Served { .. } => "redis_served",
            Fact::Disconnected { .. } => "redis_disconnected",
            Fact::Event { .. } => "redis_sentinel_event",
            Fact::Connected { .. } => "redis_client_connected",
            Fact::Refused { .. } => "redis_client_refused",
            Fact::Closed { .. } => "redis_client_closed",
            Fact::TimedOut { .. } => "redis_client_timed_out",
            Fact::NotSent { .. } => "redis_client_not_sent",
            Fact::Answered { .. } => "redis_client_answered",
            Fact::Heard { .. } => "redis_client_heard",
            Fact::Begins { .. } => "redis_program_begins",
            Fact::Acquired { .. } => "redis_lock_acquired",
            Fact::Denied { .. } => "redis_lock_denied",
            Fact::NoMajority { .. } => "redis_no_majority",
            Fact::Renewed { .. } => "redis_lock_renewed",
            Fact::LostLock { .. } => "redis_lock_lost",
            Fact::Released { .. } => "redis_lock_released",
            Fact::Acts { .. } => "redis_acts",
        }
    }

    fn text(&self, tongue: Tongue) -> String {
        match tongue {
            Tongue::English => english(self),
            Tongue::Chinese => chinese(self),
        }
    }

    fn why(&self, tongue: Tongue) -> Option<String> {
        let [english, chinese] = why(self)?;
        Some(if tongue == Tongue::English { english } else { chinese }.into())
    }

    fn interest(&self) -> Interest {
        match self {
            Fact::Acquired { .. }
            | Fact::LostLock { .. }
            | Fact::Released { .. }
            | Fact::Expired { .. }
            | Fact::Promoted { .. }
            | Fact::Demoted { .. }
            | Fact::ScriptRuns { .. }
            | Fact::NoMajority { .. }
            | Fact::TimedOut { .. } => Interest::Step,
            Fact::Linked { dropped, .. } if *dropped > 0 => Interest::Step,
            Fact::Event { event, .. } => match event.as_str() {
                "+sdown" | "+odown" | "+try-failover" | "+elected-leader" | "+promoted-slave" | "+switch-master"
                | "+convert-to-slave" => Interest::Step,
                _ => Interest::Detail,
            },
            // what a resource refuses is told
            Fact::Executed { .. } if self.stale_tokens().is_some() => Interest::Detail,
            Fact::Executed { write: false, .. }
            | Fact::Logged { .. }
            | Fact::Applied { .. }
            | Fact::Answered { .. } => Interest::Noise,
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

fn english(fact: &Fact) -> String {
    match fact {
        Fact::Executed { by, .. } if fact.stale_tokens().is_some() => {
            let tokens = fact.stale_tokens().unwrap_or_default();
            format!("@ refuses a write of {by}: token {tokens}.")
        }
        Fact::Executed { line, reply: Some(reply), by, .. } => format!("@ executes {line} of {by}: {reply}."),
        Fact::Executed { line, reply: None, by, .. } => format!("@ takes {line} of {by}; the answer comes later."),
        Fact::Deleted { key, value, by } => format!("{by} deletes {key}. It held {value}."),
        Fact::Expired { key, value, late_ms, lazily: true } => {
            format!("@ removes {key}: its time is over. It held {value}, and is looked up {late_ms} ms late.")
        }
        Fact::Expired { key, value, late_ms, lazily: false } => {
            format!("@ removes {key}: its time is over. It held {value}; the expire cycle comes {late_ms} ms late.")
        }
        Fact::Logged { command, .. } => format!("@ writes {} to the append-only file.", typed(command)),
        Fact::Synced { commands } => {
            format!("@ has its append-only file on disk, with {}.", count(*commands, "command"))
        }
        Fact::Loaded { keys, from: "aof", dropped: 0 } => {
            format!("@ has read {} from the append-only file.", count(*keys, "key"))
        }
        Fact::Loaded { keys, from: "aof", dropped } => {
            format!(
                "@ has read {} from the append-only file; {dropped} torn at its end are cut off.",
                count(*keys, "key")
            )
        }
        Fact::Loaded { keys, from: "rdb", .. } => format!("@ has read {} from its snapshot.", count(*keys, "key")),
        Fact::Loaded { .. } => "@ starts empty: nothing was kept on disk.".into(),
        Fact::Attached { replica, full: true, offset, .. } => {
            format!("@ sends {replica} a full copy, up to offset {offset}.")
        }
        Fact::Attached { replica, offset, .. } => {
            format!("@ lets {replica} go on from its backlog, up to offset {offset}.")
        }
        Fact::Linked { source, full: true, dropped } if *dropped > 0 => {
            format!("@ takes a full copy of {source}: {} that only it had is gone.", count(*dropped, "key"))
        }
        Fact::Linked { source, full: true, .. } => format!("@ takes a full copy of {source}."),
        Fact::Linked { source, .. } => format!("@ goes on where it was with {source}."),
        Fact::LinkLost { source } => format!("@ has lost its link to {source}."),
        Fact::Applied { commands, offset } => {
            format!("@ has applied {} of its source, up to offset {offset}.", count(*commands, "write"))
        }
        Fact::Promoted { offset } => format!("@ is a master now. It has the stream up to offset {offset}."),
        Fact::Demoted { source } => format!("@ is a replica of {source} now."),
        Fact::Operated { line, reply } => format!("@ is told by an operator: {line}. {reply}"),
        Fact::ScriptRuns { ms: Some(ms) } => format!("@ runs a script that keeps its thread for {ms} ms."),
        Fact::ScriptRuns { ms: None } => "@ runs a script that never ends: it keeps the thread.".into(),
        Fact::Served { client, key } => format!("@ gives an element of {key} to {client}, who waited."),
        Fact::Disconnected { clients } => format!("@ closes the connections of {}.", count(*clients, "client")),
        Fact::Event { event, about } => sentinel_says(event, about)[0].clone(),
        Fact::Connected { server } => format!("@ is connected to {server}."),
        Fact::Refused { server } => format!("@ cannot connect to {server}: nobody listens."),
        Fact::Closed { server } => format!("@ has lost its connection to {server}."),
        Fact::TimedOut { server, line } => {
            format!("@ has waited too long for {server} and hangs up. It asked: {line}")
        }
        Fact::NotSent { line, because } => format!("@ cannot send {line}: {because}."),
        Fact::Answered { server, line, reply } => format!("@ hears from {server}, to {line}: {reply}"),
        Fact::Heard { message } => format!("@ hears {}.", typed(message)),
        Fact::Begins { lock } => format!("@ begins its program: it will take {lock}."),
        Fact::Acquired { lock, number: Some(number), .. } => {
            format!("@ holds {lock}, with token {number}.")
        }
        Fact::Acquired { lock, .. } => format!("@ holds {lock}."),
        Fact::Denied { lock, tries: 1, .. } => format!("@ is refused {lock}."),
        Fact::Denied { lock, tries, .. } => format!("@ is refused {lock} again: try {tries}."),
        Fact::NoMajority { lock, granted, of } => {
            format!("@ does not get {lock}: {granted} of {of} servers grant it.")
        }
        Fact::Renewed { lock } => format!("@ has set the limit of {lock} anew."),
        Fact::LostLock { lock, by: "validity" } => {
            format!("@ stops believing that it holds {lock}: its time is over.")
        }
        Fact::LostLock { lock, by: "token" } => format!("@ learns that {lock} is another's: its token is stale."),
        Fact::LostLock { lock, .. } => {
            format!("@ learns that {lock} is not its own any more: the renewal found nothing.")
        }
        Fact::Released { lock, done: Some(true) } => format!("@ has let go of {lock}."),
        Fact::Released { lock, done: Some(false) } => {
            format!("@ lets go of {lock}, but it was not its own any more.")
        }
        Fact::Released { lock, done: None } => {
            format!("@ lets go of {lock} without an answer; the limit will free it.")
        }
        Fact::Acts { lock, number: Some(number) } => {
            format!("@ writes to what {lock} protects, with token {number}.")
        }
        Fact::Acts { lock, .. } => format!("@ writes to what {lock} protects."),
    }
}

/// So many of them.
fn count(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

fn chinese(fact: &Fact) -> String {
    match fact {
        Fact::Executed { by, .. } if fact.stale_tokens().is_some() => {
            let tokens = fact.stale_tokens().unwrap_or_default();
            format!("@ 拒绝 {by} 的写入：令牌 {tokens}。")
        }
        Fact::Executed { line, reply: Some(reply), by, .. } => format!("@ 执行 {by} 的命令 {line}：{reply}。"),
        Fact::Executed { line, reply: None, by, .. } => format!("@ 收下 {by} 的命令 {line}，稍后答复。"),
        Fact::Deleted { key, value, by } => format!("{by} 删除了键 {key}。其值为 {value}。"),
        Fact::Expired { key, value, late_ms, lazily: true } => {
            format!("@ 删除已过期的键 {key}。其值为 {value}，过期 {late_ms} 毫秒后才被访问（惰性删除）。")
        }
        Fact::Expired { key, value, late_ms, lazily: false } => {
            format!("@ 删除已过期的键 {key}。其值为 {value}；定期过期扫描晚了 {late_ms} 毫秒。")
        }
        Fact::Logged { command, .. } => format!("@ 将 {} 写入 AOF 文件。", typed(command)),
        Fact::Synced { commands } => format!("@ 的 AOF 文件已落盘，共 {commands} 条命令。"),
        Fact::Loaded { keys, from: "aof", dropped: 0 } => format!("@ 从 AOF 文件恢复了 {keys} 个键。"),
        Fact::Loaded { keys, from: "aof", dropped } => {
            format!("@ 从 AOF 文件恢复了 {keys} 个键；末尾 {dropped} 条不完整的命令被截去。")
        }
        Fact::Loaded { keys, from: "rdb", .. } => format!("@ 从快照恢复了 {keys} 个键。"),
        Fact::Loaded { .. } => "@ 以空库启动：磁盘上没有保存任何数据。".into(),
        Fact::Attached { replica, full: true, offset, .. } => {
            format!("@ 向 {replica} 发送全量副本，截至偏移量 {offset}。")
        }
        Fact::Attached { replica, offset, .. } => {
            format!("@ 让 {replica} 从复制积压缓冲区续传，截至偏移量 {offset}。")
        }
        Fact::Linked { source, full: true, dropped } if *dropped > 0 => {
            format!("@ 接受 {source} 的全量副本；仅本机持有的 {dropped} 个键就此丢失。")
        }
        Fact::Linked { source, full: true, .. } => format!("@ 接受 {source} 的全量副本。"),
        Fact::Linked { source, .. } => format!("@ 与 {source} 从断点续传。"),
        Fact::LinkLost { source } => format!("@ 与 {source} 的复制连接中断。"),
        Fact::Applied { commands, offset } => format!("@ 应用了主节点的 {commands} 条写命令，偏移量到达 {offset}。"),
        Fact::Promoted { offset } => format!("@ 升为主节点。复制流截至偏移量 {offset}。"),
        Fact::Demoted { source } => format!("@ 成为 {source} 的从节点。"),
        Fact::Operated { line, reply } => format!("@ 收到运维命令 {line}：{reply}"),
        Fact::ScriptRuns { ms: Some(ms) } => format!("@ 执行一个脚本，占用命令线程 {ms} 毫秒。"),
        Fact::ScriptRuns { ms: None } => "@ 执行一个死循环脚本，命令线程被占住。".into(),
        Fact::Served { client, key } => format!("@ 把列表 {key} 的一个元素交给等待中的 {client}。"),
        Fact::Disconnected { clients } => format!("@ 断开了 {clients} 个客户端的连接。"),
        Fact::Event { event, about } => sentinel_says(event, about)[1].clone(),
        Fact::Connected { server } => format!("@ 已连接到 {server}。"),
        Fact::Refused { server } => format!("@ 无法连接 {server}：无人监听。"),
        Fact::Closed { server } => format!("@ 与 {server} 的连接已断开。"),
        Fact::TimedOut { server, line } => format!("@ 等待 {server} 对 {line} 的答复超时，主动断开连接。"),
        Fact::NotSent { line, because } => format!("@ 无法发送 {line}：{because}。"),
        Fact::Answered { server, line, reply } => format!("@ 收到 {server} 对 {line} 的答复：{reply}"),
        Fact::Heard { message } => format!("@ 收到订阅消息 {}。", typed(message)),
        Fact::Begins { lock } => format!("@ 程序启动，将去获取锁 {lock}。"),
        Fact::Acquired { lock, number: Some(number), .. } => format!("@ 持有锁 {lock}，令牌为 {number}。"),
        Fact::Acquired { lock, .. } => format!("@ 持有锁 {lock}。"),
        Fact::Denied { lock, tries: 1, .. } => format!("@ 获取锁 {lock} 被拒绝。"),
        Fact::Denied { lock, tries, .. } => format!("@ 获取锁 {lock} 连续第 {tries} 次被拒绝。"),
        Fact::NoMajority { lock, granted, of } => format!("@ 没有得到锁 {lock}：{of} 台中只有 {granted} 台同意。"),
        Fact::Renewed { lock } => format!("@ 为锁 {lock} 续期成功。"),
        Fact::LostLock { lock, by: "validity" } => format!("@ 不再认为自己持有锁 {lock}：有效期已过。"),
        Fact::LostLock { lock, by: "token" } => format!("@ 得知锁 {lock} 已归他人：令牌已过时。"),
        Fact::LostLock { lock, .. } => format!("@ 得知锁 {lock} 已不属于自己：续期时没有找到它。"),
        Fact::Released { lock, done: Some(true) } => format!("@ 释放了锁 {lock}。"),
        Fact::Released { lock, done: Some(false) } => format!("@ 释放锁 {lock} 时，它已不属于自己。"),
        Fact::Released { lock, done: None } => format!("@ 释放锁 {lock} 未获答复，只能等它到期。"),
        Fact::Acts { lock, number: Some(number) } => format!("@ 携令牌 {number} 写入锁 {lock} 所保护的资源。"),
        Fact::Acts { lock, .. } => format!("@ 写入锁 {lock} 所保护的资源。"),
    }
}

/// The rule that decided it.
fn why(fact: &Fact) -> Option<[&'static str; 2]> {
    Some(match fact {
        Fact::Executed { line, .. } if line.starts_with("GETSET ") => [
            "GETSET answers with what stood there: whoever gets back the moment that is over has the lock, whoever gets a newer one has only overwritten it.",
            "GETSET 返回原来的值：得到已过期时刻的客户端持有锁，得到更新时刻的只是覆盖了它。",
        ],
        Fact::Expired { lazily: true, .. } => [
            "A key counts as missing once the server's wall clock is past its moment; a master removes it when it is looked up.",
            "服务器墙上时钟一旦越过到期时刻，键即视为不存在；主节点在访问时将其删除。",
        ],
        Fact::Expired { lazily: false, .. } => [
            "Ten times a second a master looks for keys whose moment is past by its wall clock.",
            "主节点每秒十次按墙上时钟查找已到期的键。",
        ],
        Fact::Logged { .. } => [
            "Commands are written as executed, time limits as moments, before they are answered; refused ones leave no trace.",
            "命令按执行结果写入，过期时间写成绝对时刻，且先写入后答复；被拒绝的命令不留痕迹。",
        ],
        Fact::Synced { .. } => [
            "What is written is safe from the death of the process; only what is synced is safe from a loss of power.",
            "已写入的数据不怕进程被杀；只有已落盘的数据才不怕断电。",
        ],
        Fact::Loaded { .. } => [
            "A server that starts knows what its disk kept, and time limits went on while it was down.",
            "服务器启动后只知道磁盘保存的内容，停机期间过期时间照常流逝。",
        ],
        Fact::Attached { because: Some("first"), .. } => {
            ["It has no history to go on from.", "它没有可供续传的历史。"]
        }
        Fact::Attached { because: Some("history"), .. } => [
            "What it has is not the beginning of this history: it has writes that this server never had.",
            "它的数据不是本节点历史的前缀：其中有本节点从未有过的写入。",
        ],
        Fact::Attached { because: Some(_), .. } => {
            ["The backlog no longer holds what it lacks.", "复制积压缓冲区中已没有它缺少的部分。"]
        }
        Fact::Attached { .. } => [
            "It follows the same history, and the backlog holds all that it lacks.",
            "它沿用同一段历史，且积压缓冲区保有它缺少的全部内容。",
        ],
        Fact::Linked { full: true, .. } => {
            ["A full copy replaces all that a replica has.", "全量副本会替换从节点的全部数据。"]
        }
        Fact::Promoted { .. } => [
            "A replica that is promoted keeps what it has; what was still on its way from its master is thrown away.",
            "从节点升主时保留已有数据，仍在途中的主节点数据被丢弃。",
        ],
        Fact::ScriptRuns { .. } => [
            "A script is one command: nothing else is executed, and time stands still for it.",
            "脚本是一条命令：期间不执行其他命令，对它而言时间静止。",
        ],
        Fact::Served { .. } => {
            ["Who waits for a list is served in the order of arrival.", "等待列表的客户端按到达顺序得到元素。"]
        }
        Fact::Disconnected { .. } => [
            "Who changes a server's role closes its clients' connections, so that they look for the master again.",
            "变更服务器角色时会断开其客户端，使它们重新寻找主节点。",
        ],
        Fact::Event { event, .. } => return sentinel_why(event),
        Fact::NoMajority { .. } => [
            "A lock is held with more than half of the servers, in time; otherwise what was granted is given back everywhere.",
            "须在有效期内得到半数以上服务器的同意才算持有，否则向所有服务器归还。",
        ],
        Fact::Acquired { .. } => [
            "A client knows what it was told, not what has happened since.",
            "客户端只知道当时得到的答复，不知道此后发生的事。",
        ],
        Fact::LostLock { by: "validity", .. } => [
            "The limit less the time since it was asked for is over by the client's own count.",
            "按客户端自己的计时，有效期减去获取所耗时间已经用完。",
        ],
        Fact::Released { done: Some(false), .. } => {
            ["Compared before it is deleted: another's lock stays.", "先比较后删除：他人的锁不受影响。"]
        }
        _ => return None,
    })
}

/// What a Sentinel publishes, in words where it matters.
fn sentinel_says(event: &str, about: &str) -> [String; 2] {
    let both = |english: &str, chinese: &str| {
        [format!("@ {english}. It publishes {event} {about}."), format!("@ {chinese}。它发布 {event} {about}。")]
    };
    match event {
        "+sdown" => both(&format!("thinks that {about} is down"), &format!("认为 {about} 已下线")),
        "+odown" => both("counts enough Sentinels that think the master down", "确认认为主节点下线的哨兵已够"),
        "+try-failover" => both("tries to replace the master", "开始尝试替换主节点"),
        "+elected-leader" => both("is elected to replace the master", "当选，负责替换主节点"),
        "+promoted-slave" => {
            both(&format!("sees that {about} is a master now"), &format!("看到 {about} 已升为主节点"))
        }
        "+switch-master" => both("names the new master", "宣布新的主节点"),
        "+convert-to-slave" => both("makes the old master a replica", "把旧主节点改为从节点"),
        _ => [format!("@ publishes {event} {about}."), format!("@ 发布事件 {event} {about}。")],
    }
}

fn sentinel_why(event: &str) -> Option<[&'static str; 2]> {
    Some(match event {
        "+sdown" => [
            "No valid answer for down-after-milliseconds: this Sentinel's own opinion.",
            "超过 down-after-milliseconds 没有有效答复：这只是该哨兵的主观判断。",
        ],
        "+odown" => {
            ["As many Sentinels as the quorum find the master down.", "认为主节点下线的哨兵数达到了法定数 quorum。"]
        }
        "+vote-for-leader" => [
            "The first who asks in an epoch gets the vote, and it is on disk before the answer.",
            "每个纪元中先请求者得票，且先落盘后答复。",
        ],
        "+elected-leader" => [
            "A majority of all known Sentinels has voted for it, and at least the quorum.",
            "它获得了已知哨兵中的多数票，且不少于 quorum。",
        ],
        "-failover-abort-not-elected" => [
            "The quorum only decides that the master is down; to act takes a majority of all Sentinels.",
            "quorum 只决定主节点是否下线；执行故障转移还需要全部哨兵的多数票。",
        ],
        "+selected-slave" => [
            "The lowest priority number comes first, then the highest offset, then the smallest run id.",
            "先比优先级数值（小者优先），再比复制偏移量（大者优先），最后比运行 ID（小者优先）。",
        ],
        "+convert-to-slave" => [
            "A former master that says for 8 s that it is one is told to follow; until then it has served as one.",
            "旧主节点自称主节点超过 8 秒后被改为从节点；在此之前它一直照常服务。",
        ],
        _ => return None,
    })
}
