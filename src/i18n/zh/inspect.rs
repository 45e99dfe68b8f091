//! Chinese: headings of a state, what is waited for, and what a step took.

use crate::base::rows::Heading;
use crate::i18n::text;
use crate::i18n::words::Entry;
use crate::sim::Choice;
use crate::zab::{LeaderStage, LearnerStage};

pub(super) fn heading(heading: Heading) -> Entry {
    use Heading as H;
    match heading {
        H::Ensemble => ("集群", "谁有投票权，谁领导，多少台构成过半。"),
        H::Run => ("时间", "虚拟时间，以及至今的事件数。"),
        H::Counts => ("数量", "此刻的各项总数。"),
        H::Next => ("接下来", "接下来的事件，最早的在前；第一个就是下一步。"),
        H::Resources => ("外部资源", "程序在集群之外写入的资源，以及它见过的最新令牌。"),
        H::Process => ("进程", "操作系统的进程：崩溃会丢失内存，但磁盘还在。"),
        H::Role => ("角色", "服务器在做什么，处于协议的哪个阶段。"),
        H::Epochs => ("epoch 编号", "acceptedEpoch 是承诺，currentEpoch 表示拥有谁的历史。两者都在磁盘上。"),
        H::Log => ("日志", "内存中的事务；下面是日志的末尾，旧的在前。"),
        H::Leading => ("作为领导者", "领导者跟踪的内容。"),
        H::Learners => ("学习者", "与该领导者相连的跟随者和观察者。"),
        H::Proposals => ("进行中的提案", "尚未得到过半的 ACK。"),
        H::Memory => ("内存", "崩溃时会丢失的内容。"),
        H::Learning => ("作为学习者", "已从领导者收到、尚未处理的内容。"),
        H::DataTree => ("数据树", "该服务器所拥有的节点；摘要相同，树就相同。"),
        H::Timers => ("定时器", "已设定的定时器及其到期时间。"),
        H::Disk => ("磁盘", "崩溃后仍在的内容，以及正在写入的内容。"),
        H::Sessions => ("会话", "该服务器为客户端做的事；领导者记录会话何时过期。"),
        H::Connections => ("客户端连接", "每个连接的会话，以及等待中的请求。"),
        H::Watches => ("监听", "只保存在该服务器的内存中。"),
        H::Election => ("选举", "该服务器收到的投票。"),
        H::ElectionLinks => ("选举连接", "与每台其他服务器各一条；无法发送的消息会等待。"),
        H::Session => ("客户端库", "客户端库自己的看法：它对会话的判断可能是错的。"),
        H::Hosts => ("可用的服务器", "按尝试的顺序排列，只打乱一次。"),
        H::Requests => ("请求", "已发送未得到答复的，以及等待连接的。"),
        H::Watchers => ("Watcher", "在客户端库中注册；重新连接后会再次设置。"),
        H::Held => ("服务器端", "服务器为该客户端保存的内容。"),
        H::Framework => ("Curator", "客户端库之上的框架：它告诉监听器什么。"),
        H::Objects => ("配方", "程序的对象。"),
        H::Threads => ("线程", "每个线程是一个调用栈，最内层在最后。"),
        H::Standings => ("锁与队列", "谁持有，谁等待，排在哪个节点之后。"),
        H::There => ("去程", "链路的这个方向。"),
        H::Back => ("回程", "链路的另一个方向。"),
        H::LinkConnections => ("连接", "这两台服务器之间的连接。"),
        H::Packet => ("内容", "各字段使用真实名称。"),
        H::Way => ("传输", "同一连接上的数据包不会互相超越。"),
        H::Transaction => ("事务", "它在顺序中的位置，以及它做什么。"),
        H::Copies => ("所在位置", "在每台服务器上：内存、日志、磁盘。"),
    }
}

pub(super) fn leader_stage(stage: LeaderStage) -> &'static str {
    match stage {
        LeaderStage::WriteSnapshot => "等待快照写入自己的磁盘；连接过来的服务器也要等待。",
        LeaderStage::AwaitEpochQuorum => "等待过半的服务器连接，以选定新的 epoch。",
        LeaderStage::WriteAcceptedEpoch => "等待 acceptedEpoch 写入自己的磁盘。",
        LeaderStage::AwaitEpochAcks => "等待过半的服务器承诺新的 epoch（ACKEPOCH）。",
        LeaderStage::WriteCurrentEpoch => "等待 currentEpoch 写入自己的磁盘。",
        LeaderStage::AwaitNewLeaderAcks => "等待过半的服务器拥有它的历史（对 NEWLEADER 的 ACK）。",
        LeaderStage::Active => "已确立：发出提案，统计 ACK，提交。",
    }
}

pub(super) fn learner_stage(stage: LearnerStage) -> &'static str {
    match stage {
        LearnerStage::Connecting => "等待与领导者建立连接。",
        LearnerStage::AwaitLeaderInfo => "等待 LEADERINFO：新的 epoch。",
        LearnerStage::WriteAcceptedEpoch => "等待它的承诺 acceptedEpoch 落盘。",
        LearnerStage::AwaitSync => "等待 DIFF、TRUNC 或 SNAP。",
        LearnerStage::Truncating => "等待日志截断完成。",
        LearnerStage::Syncing => "接收所缺的内容，直到 NEWLEADER。",
        LearnerStage::WriteHistory => "等待收到的内容落盘。",
        LearnerStage::WriteCurrentEpoch => "等待 currentEpoch 落盘。",
        LearnerStage::AwaitUpToDate => "等待 UPTODATE：之后才可以服务。",
        LearnerStage::Serving => "服务中：记录提案并确认，执行已提交的事务。",
    }
}

pub(super) fn choice(choice: Choice) -> String {
    match choice {
        Choice::Deliver { .. } => "某条连接上有数据到达。".into(),
        Choice::Timer(server, timer) => format!("{server} 的定时器 {} 到期。", text::timer(timer)),
        Choice::ClientTimer(client, timer) => format!("{client} 客户端库的定时器 {timer:?} 到期。"),
        Choice::Program(client) => format!("{client} 的程序的定时器到期。"),
        Choice::Disk { server, background: false } => format!("{server} 的磁盘完成了一次操作。"),
        Choice::Disk { server, background: true } => format!("{server} 的磁盘完成了一个快照。"),
        Choice::Repeat(_) => "重复写入操作的下一次写入。".into(),
        Choice::Start(_) => "一台服务器启动。".into(),
        Choice::Script => "执行运行中的一个操作。".into(),
    }
}
