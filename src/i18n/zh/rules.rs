//! Chinese: rules that a run can break, and properties that must hold.

use crate::i18n::words::Entry;
use crate::server::FileRule;
use crate::sim::Rule;
use crate::zab::BrokenRule;

pub(super) fn rule(rule: Rule) -> Entry {
    match rule {
        Rule::Zab(rule) => zab(rule),
        Rule::Server(FileRule::Zookeeper4837) => (
            "TRUNC 留下更新的快照（ZOOKEEPER-4837）",
            "日志被截断了，但包含被截事务的快照仍然保留，又把它们带了回来。",
        ),
        Rule::Server(FileRule::CutOneTooMany) => (
            "TRUNC 截断过多（ZOOKEEPER-1156）",
            "领导者拥有的最后一个事务也被截掉；日志出现空洞，或者已提交的事务少了一份磁盘上的副本。",
        ),
    }
}

fn zab(rule: BrokenRule) -> Entry {
    match rule {
        BrokenRule::CommitAtMinority => {
            ("未过半就提交", "领导者收到第一个 ACK 就提交；一旦拥有该事务的少数服务器失效，事务就会丢失。")
        }
        BrokenRule::AckBeforeSync => {
            ("先确认，后落盘", "服务器在提案写入磁盘之前就发送 ACK；崩溃会带走它已经担保过的内容。")
        }
        BrokenRule::ElectionIgnoresZxid => {
            ("选举不看 zxid", "选举时不比较历史；缺少已提交事务的服务器也可能当选领导者。")
        }
        BrokenRule::LeaderKeepsEpoch => {
            ("epoch 不递增", "新领导者沿用旧的 epoch；两个领导者可能把同一个 zxid 分配给两个不同的事务。")
        }
        BrokenRule::FollowerObeysOlderEpoch => {
            ("跟随者忘记承诺", "服务器服从 epoch 小于自己承诺值的领导者；已被取代的旧领导者仍能提交事务。")
        }
        BrokenRule::RejoinWithoutTrunc => (
            "重新加入时不截断（ZOOKEEPER-1154）",
            "日志尾部有多余事务的服务器只收到普通的 DIFF，多余的尾部得以保留；各服务器的历史从此不同。",
        ),
        BrokenRule::ServeBeforeSyncQuorum => (
            "未等过半同步就开始服务",
            "过半的服务器还没有领导者的历史，它就开始服务；客户端看到的内容可能随它一起丢失。",
        ),
        BrokenRule::EpochBeforeLog => (
            "先写 currentEpoch，后写日志（ZOOKEEPER-4643）",
            "currentEpoch 在它所担保的事务之前写入；如果在两者之间崩溃，较短的日志反而会在选举中胜出。",
        ),
        BrokenRule::Zookeeper3911 => (
            "DIFF 尚未落盘（ZOOKEEPER-3911）",
            "DIFF 还只在内存中，就已确认 NEWLEADER；崩溃会带走已被计入过半的历史。",
        ),
        BrokenRule::Zookeeper2845 => (
            "内存落后于日志（ZOOKEEPER-2845）",
            "服务器离开角色时没有让内存追上自己的日志；已写入日志的事务暂时隐藏，以后又会重新出现。",
        ),
        BrokenRule::Zookeeper3642 => (
            "保留了一半的 SNAP（ZOOKEEPER-3642）",
            "只接管了一半的状态留在内存中；服务器用磁盘上并不存在的历史去投票。",
        ),
        BrokenRule::Zookeeper1653 => (
            "拒绝启动（ZOOKEEPER-1653）",
            "在写日志与写 currentEpoch 之间崩溃之后，服务器无法再启动；数据没有丢失，但它退出了集群。",
        ),
        BrokenRule::Zookeeper5094 => (
            "保留了一半的 TRUNC（ZOOKEEPER-5094）",
            "TRUNC 之后收到的内容留在内存中；服务器用磁盘上并不存在的历史去投票。",
        ),
        BrokenRule::Zookeeper4394 => (
            "COMMIT 找不到提案（ZOOKEEPER-4394）",
            "确认 NEWLEADER 之前已记录全部提案；UPTODATE 之前到达的 COMMIT 找不到对应的提案，跟随者因此失败。",
        ),
        BrokenRule::Zookeeper4685 => (
            "ACK 抢在 NEWLEADER 的确认之前（ZOOKEEPER-4685）",
            "提案先于 NEWLEADER 得到确认；领导者不计入这样的 ACK，只能白白等待。",
        ),
        BrokenRule::Zookeeper4712 => (
            "日志独自继续写入（ZOOKEEPER-4712）",
            "学习者失去领导者之后，不等排队的事务写入日志就去投票；它的内存落后于日志。",
        ),
        BrokenRule::PingsAnsweredEarly => {
            ("过早应答 PING", "学习者还在写入收到的内容时就应答 PING；领导者此时等待的是 ACK，因而断开与它的连接。")
        }
        BrokenRule::VotesNotTotal => (
            "投票没有全序（ZOOKEEPER-1419）",
            "zxid 相同时编号大的获胜，不论 epoch 大小；两张票可能互相胜过对方，选举永远不会结束。",
        ),
        BrokenRule::ElectionAnswersNone => {
            ("无人回答后来者", "已有领导者的服务器不把领导者告诉还在寻找的服务器；后来者始终无法加入。")
        }
        BrokenRule::EpochsForgotten => (
            "不保存 epoch（ZOOKEEPER-335）",
            "启动时只知道最后一个事务的 epoch；没有写入过数据的 epoch 会被再次使用。",
        ),
        BrokenRule::PromiseNotOnDisk => {
            ("承诺没有落盘", "服务器在写入 acceptedEpoch 之前就作出承诺；崩溃之后，它会服从更旧的 epoch。")
        }
        BrokenRule::LeaderNeverResigns => (
            "失去过半数的领导者不退位",
            "领导者收不到过半服务器的消息却继续任职；它的客户端读到旧数据，它也不再加入其他服务器。",
        ),
        BrokenRule::ZxidFromTheHeader => (
            "采用 DIFF 头部的 zxid（ZOOKEEPER-2355）",
            "DIFF 刚开始时学习者就声称已到达其末尾；如果连接此时断开，它的历史并不完整。",
        ),
        BrokenRule::CounterOverflows => {
            ("计数器溢出（ZOOKEEPER-1277）", "计数器用完时领导者不退位；下一个 zxid 属于不归它领导的 epoch。")
        }
        BrokenRule::EpochNotOnDisk => {
            ("currentEpoch 没有落盘", "服务器在写入 currentEpoch 之前就确认 NEWLEADER；崩溃会带走已经计入的确认。")
        }
        BrokenRule::VoteByLogAlone => {
            ("投票不看快照（ZOOKEEPER-582）", "只有快照的服务器投票时如同没有历史；较短的历史可能获胜。")
        }
        BrokenRule::LogNotReplayed => {
            ("不重放日志", "启动时只加载快照，不重放其后的日志；内存缺少磁盘上已有的事务。")
        }
        BrokenRule::HoleInMemory => (
            "已提交日志有缺口（ZOOKEEPER-4925）",
            "通过 DIFF 收到的事务不进入内存中的已提交日志；它当上领导者后发出的 DIFF 缺少这些事务。",
        ),
        BrokenRule::VotesSaidOnce => (
            "投票只说一次（ZOOKEEPER-481）",
            "收不到消息的服务器不重发自己的投票；只要丢失一条消息，选举就无法结束。",
        ),
        BrokenRule::NoHeartbeats => ("没有心跳", "领导者无事可发时保持沉默；跟随者以为它已失效，于是反复选举。"),
        BrokenRule::AcceptedEpochTrap => {
            ("被承诺困住", "向失败的领导者承诺过更大 epoch 的服务器，直到下次选举之前都无法加入。")
        }
    }
}

pub(super) fn property(id: &str) -> Option<Entry> {
    Some(match id {
        "epoch-uniqueness" => ("epoch 的唯一性", "每个 epoch 至多有一个领导者开始同步。"),
        "integrity" => ("完整性", "服务器执行的每个事务，都由其 epoch 的领导者提出。"),
        "agreement" => ("一致性", "所有服务器以相同的顺序执行相同的已提交事务。"),
        "local-primary-order" => ("局部主序", "同一领导者的事务按照提出的先后顺序执行。"),
        "global-primary-order" => ("全局主序", "较早 epoch 的事务先于较晚 epoch 的事务执行。"),
        "primary-integrity" => {
            ("主完整性", "领导者只有在执行完较早 epoch 中所有终将执行的事务之后，才提出新的提案。")
        }
        "durability" => ("持久性", "已提交的事务存在于此后每个领导者的历史中。"),
        "quorum-durable" => {
            ("提交即落盘", "已提交的事务在过半服务器的磁盘上；领导者就任时，它的历史和 epoch 也是如此。")
        }
        "client-promise" => ("对客户端的承诺", "凡是告知客户端已完成的写操作，都已提交。"),
        "ack-honesty" => ("ACK 的诚实性", "只有发送方已写入磁盘的内容，其 ACK 才有效。"),
        "log-shape" => ("日志连续有序", "磁盘上的日志没有缺口，epoch 所担保的不超过日志实际拥有的内容。"),
        "memory-is-disk" => ("内存与磁盘一致", "服务器投票所依据的历史，与重启后从磁盘恢复的历史相同。"),
        "state-machine" => ("状态相同", "执行相同的事务之后，所有服务器的状态相同。"),
        "epoch-promise" => ("epoch 的承诺", "服务器不接受也不确认小于自己已接受 epoch 的任何内容。"),
        "fitting-packets" => ("数据包都合适", "服务器收到的提案、提交、TRUNC 和答复，都与它当时的状态相符。"),
        "session-fifo" => ("会话内的顺序", "客户端按调用的先后得到答复，后面的答复不会比前面的更旧。"),
        "request-order" => ("请求的顺序", "一个会话的请求按客户端发出的顺序进入已提交的历史。"),
        "fresh-sync" => ("sync 之后是新的", "sync 完成时，服务器已有领导者收到它时已提交的一切。"),
        "second-store" => {
            ("另一个存储也这样认为", "每个写操作的结果和每次读到的内容，都与另一个独立编写的存储相同。")
        }
        "read-your-writes" => {
            ("读到自己的写", "读操作能看到本会话已被告知完成的所有写操作，也不会看到从未存在过的内容。")
        }
        "write-linearizability" => {
            ("写操作逐个生效", "每个写操作的结果，都与所有写操作按 zxid 顺序逐个执行时的结果相同。")
        }
        "session-life" => {
            ("会话生命周期", "会话沉默超过超时时间才会结束；结束之后，它的操作不再生效，它的临时节点不再存在。")
        }
        "timely-expiry" => {
            ("到期就结束", "运行中的领导者在会话超时后很快将其结束，也会删除到期的容器节点和 TTL 节点。")
        }
        "true-refusals" => {
            ("拒绝属实", "会话还存在就不会以过期为由拒绝；没有其他服务器接管过，就不会以已迁移为由拒绝。")
        }
        "watch-rules" => ("监听的规则", "监听只触发一次，先于服务器告知的任何更新内容；重新连接后补告错过的变化。"),
        "lasting-watches" => ("持久的监听", "只要连接还在，持久监听就按顺序报告每次变化，每次恰好一回。"),
        "sequence-numbers" => ("顺序编号", "同一父节点之下，每个新的顺序编号都大于前一个。"),
        "mutual-exclusion" => {
            ("互斥", "节点都还存在的两个线程不会同时持有同一把锁；节点已消失的，只是自以为仍然持有。")
        }
        "readers-and-writers" => {
            ("读者与写者", "双方的节点都还存在时，不会有人在他人写的同时读；写者自己可以同时读。")
        }
        "semaphore-bound" => ("信号量的上限", "按仍然存在的节点计，被持有的租约不超过租约总数。"),
        "one-leader" => ("只有一个领导者", "双方的节点都还存在时，同一路径上不会有两个领导者。"),
        "lock-fairness" => ("排队公平性", "队列中还有更早的节点时，不会有人得到锁；读者只受更早的写者阻挡。"),
        "no-lost-wake-up" => ("不丢失唤醒", "所等待的节点消失之后，等待者很快会得到锁、改等另一个节点，或者放弃。"),
        "loss-is-heeded" => ("遵从 LOST", "被告知会话已丢失之后，不再使用此前所持有的东西。"),
        "recipe-liveness" => ("配方的活性", "一切恢复之后，凡是等待无人持有之物的，终会得到。"),
        "liveness" => ("活性", "只要过半的服务器在运行并能互相通信，就会重新产生领导者，全部跟上，写操作得以完成。"),
        _ => return None,
    })
}
