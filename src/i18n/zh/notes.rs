//! Chinese: the rules that notes name.

use crate::sim::Departure;
use crate::zab::Note;

/// A note as a sentence.
pub(super) fn sentence(note: Note) -> &'static str {
    match note {
        Note::LaterEpochWins => "currentEpoch 较大者胜出，无论 zxid 如何。",
        Note::LaterZxidWins => "epoch 相同时，zxid 较大者胜出：它的历史更完整。",
        Note::HigherIdWins => "双方历史相同，因此服务器编号较大者胜出。",
        Note::LaterRound => "较早选举轮次的选票不再有效。",
        Note::MajorityAgrees => "过半服务器的选票已一致；此后 200 毫秒再无通知到达，即告定案。",
        Note::NoBetterVote => "选票已过半，没有更优的选票，此后 200 毫秒内也再无通知到达。",
        Note::BetterVoteInTime => "安静的 200 毫秒过去之前若有更优的选票到达，选举就继续进行。",
        Note::JoinsExistingLeader => "过半的服务器已在跟随一个领导者，而且该领导者自己也这样声明。",
        Note::EpochAboveAllAccepted => {
            "新的 epoch 等于过半集合中最大的 acceptedEpoch 加一，因此一个 epoch 不会有两个领导者。"
        }
        Note::PromiseBeforeAnswer => "承诺必须先落盘再答复：崩溃不能使承诺失效。",
        Note::SameHistory => "学习者与领导者的历史完全相同，无需补发任何内容。",
        Note::WithinCommittedLog => "学习者缺少的事务都在领导者的已提交日志中。",
        Note::FromDiskLog => "领导者内存中的记录不够久远，但磁盘上的事务日志仍然包含所缺的部分。",
        Note::AheadOfLeader => "学习者超出了领导者已提交的全部历史：多出的尾部必须截掉。",
        Note::ForeignTail => "学习者有一个领导者历史中没有的事务：必须截掉。",
        Note::PartedInOtherEpoch => "两份历史在不同的 epoch 中分叉，仅靠截断无法修复。",
        Note::TooFarBehind => "学习者缺少的内容太早，领导者的日志已无法补齐。",
        Note::AskedForSnapshot => "学习者无法截断自己的日志，因此请求完整的状态。",
        Note::HistoryOnQuorum => "过半的服务器把领导者的全部历史写入磁盘之后，领导者才可以开始服务。",
        Note::MajorityLogged => "领导者只能提交过半服务器已写入日志的事务，而且在它之前的事务必须都已提交。",
        Note::OnDiskBeforeAck => "服务器只能确认崩溃之后仍然存在的内容。",
        Note::LoggedStaysInMemory => "写入日志的事务无论是否已提交，都会在下次选举中起作用，因此内存中也必须有它。",
        Note::PartialStateDropped => "只接收了一半的状态不能作为投票的依据。",
        Note::UnloggedDropped => "日志中没有的内容经不起崩溃，因此不能计入下一次选举。",
        Note::EpochAdoptedFromLog => "它在两次写入之间崩溃：日志的 epoch 大于 currentEpoch，因此采用日志的 epoch。",
        Note::SuggestedByReconfig => "重新配置已指定下一任领导者，因此无需再次选举。",
        Note::RoundOfJoiner => {
            "选举还需要提议的配置中过半的支持，而这台服务器的选举轮次更新：较早轮次的选票不再有效。"
        }
        Note::JoinsByConfigInForce => {
            "按生效中的配置，过半的服务器已在跟随一个领导者；它见到的新配置可能永远不会提交。"
        }
        Note::LaterConfigAlone => "它在一份配置之后提出，而这份配置现已生效，因此只需这份配置的过半确认。",
        Note::ConfigStillProposed => "随 NEWLEADER 而来的配置还只是提案，提交之后才会生效。",
        Note::OracleGrants => "两台中的一台并未过半，但它的 oracle 准许它独自继续。",
        Note::OracleRefuses => "另一台没有过半支持就在领导，而自己的 oracle 不准自己领导：于是它跟随对方。",
        Note::AlreadyAccepted => "它先前已接受过这个 epoch，因此这次答复不计入过半的统计。",
    }
}

/// What is said where a rule of ours decided.
pub(super) fn departure(departure: Departure) -> &'static str {
    match departure {
        Departure::ResignsForLaterEpoch => {
            "ZooKeeper 并非如此：在那里，学习者在 LEADERINFO 处反复失败，直到下次选举。"
        }
        Departure::AsksForSnapshot => "ZooKeeper 并非如此：在那里，学习者以退出码 13 结束，以后每次启动都会如此。",
        Departure::AcksForgotten => {
            "ZooKeeper 并非如此：在那里，旧的 ACK 仍然有效，未过半的服务器拥有的事务也可能被提交。"
        }
        Departure::EarlierClosed => "ZooKeeper 并非如此：在那里，旧连接不会关闭，经它到达的 ACK 仍然有效。",
        Departure::OldLogDropped => {
            "ZooKeeper 并非如此：在那里，旧日志保留下来，其中超出快照的部分会在下次启动时重新出现。"
        }
        Departure::NewerSnapshotsRemoved => {
            "ZooKeeper 并非如此：在那里，更新的快照保留下来，又把被截掉的事务带回来（ZOOKEEPER-4837）。"
        }
        Departure::UnloggedDropped => "ZooKeeper 并非如此：在那里，内存保留日志中没有的内容，日志可能留下缺口。",
        Departure::ObserversDoNotCount => {
            "ZooKeeper 并非如此：在那里，观察者也能使领导者留任，整个集群可能永远等待下去。"
        }
        Departure::ConfigAwaitsCommit => {
            "ZooKeeper 并非如此：在那里，该配置立即生效，以后服务器可能被自己的领导者拒之门外。"
        }
        Departure::LaterConfigAlone => "ZooKeeper 并非如此：在那里，它始终还需要旧配置的过半确认。",
        Departure::JoinsByConfigInForce => {
            "ZooKeeper 并非如此：在那里，还需要它见到的新配置中过半的服务器，它可能永远被留在外面。"
        }
        Departure::JoinersHeard => {
            "ZooKeeper 并非如此：在那里，不投给任何服务器的选票不会被读取，选举可能永远不会结束。"
        }
        Departure::EpochAdopted => "ZooKeeper 并非如此：在那里，服务器拒绝启动（ZOOKEEPER-1653）。",
    }
}
