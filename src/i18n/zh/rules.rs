//! Chinese: rules that a run can break, and properties that must hold.

use crate::base::ServiceRule;
use crate::explore::own::Law;
use crate::i18n::words::Entry;
use crate::recipes::RecipeRule;
use crate::server::FileRule;
use crate::sim::Rule;
use crate::zab::BrokenRule;

pub(super) fn rule(rule: Rule) -> Entry {
    match rule {
        Rule::Zab(rule) => zab(rule),
        Rule::Service(rule) => service(rule),
        Rule::Recipe(rule) => recipe(rule),
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

fn service(rule: ServiceRule) -> Entry {
    match rule {
        ServiceRule::NoLookAhead => {
            ("只按已执行的状态判断", "领导者看不到自己已提出、尚未提交的提案；两个给出同一版本号的写操作都会成功。")
        }
        ServiceRule::MultiHalfApplied => {
            ("multi 只做了一半", "multi 中有一项失败时，前面各项仍然生效；别的客户端会看到谁也不想要的状态。")
        }
        ServiceRule::MultiForgetsParent => (
            "multi 撤销得不彻底（ZOOKEEPER-1624）",
            "multi 失败后节点被撤销，父节点的计数却没有恢复；下一个编号多跳了一个。",
        ),
        ServiceRule::NumberByChildren => {
            ("按子节点个数编号", "顺序节点的编号取自现有子节点的个数；删除一个之后，同一编号会再次出现。")
        }
        ServiceRule::VersionNotCompared => {
            ("不比较版本号", "给出旧版本号的写操作也会成功；别的客户端在此期间写入的内容就这样被覆盖了。")
        }
        ServiceRule::EachItsOwnClock => {
            ("各用各的时钟", "服务器用自己的时钟记录修改时间，而不用事务中的时间；历史相同，状态却不同。")
        }
        ServiceRule::ReadPassesOwnWrite => (
            "读操作越过自己的写操作（ZOOKEEPER-1863）",
            "服务器不让读操作排在本会话的写操作之后；客户端读到的是自己写入之前的内容。",
        ),
        ServiceRule::ServerBehindMayServe => {
            ("落后的服务器照样服务", "服务器的状态比客户端见过的还旧，却仍然接受它；在客户端看来，时间倒流了。")
        }
        ServiceRule::SyncAsksNobody => {
            ("sync 不询问领导者", "服务器自己就答复了 sync，没有询问领导者；之后读到的内容可能和没有 sync 时一样旧。")
        }
        ServiceRule::OwnerNotChecked => {
            ("不检查会话的归属", "领导者接受从任何服务器转来的会话请求；迟到的旧写操作会排到新写操作之后。")
        }
        ServiceRule::ClosingSessionMayCreate => (
            "正在关闭的会话仍可写入（ZOOKEEPER-1208）",
            "会话正在关闭时还能创建节点；如果是临时节点，就永远不会有人删除它。",
        ),
        ServiceRule::EphemeralsStay => {
            ("临时节点没有随会话删除", "会话关闭了，它的临时节点却留了下来；客户端已经不在，它的锁却再也不会释放。")
        }
        ServiceRule::NoFreshTimeout => {
            ("超时不重新计算", "新领导者把没有领导者的那段时间也算作客户端的沉默；客户端明明正常，会话却过期了。")
        }
        ServiceRule::SessionsUnheard => (
            "无人追踪的会话（ZOOKEEPER-1367）",
            "领导者不追踪在开始服务之前得知的会话；客户端停止之后，这些会话永不过期。",
        ),
        ServiceRule::TouchStaysHere => {
            ("心跳没有上报领导者", "跟随者不把收到的客户端心跳告诉领导者；只发送心跳的客户端会失去会话。")
        }
        ServiceRule::SessionDiesWithConnection => {
            ("会话随连接结束", "连接一断，服务器就结束会话；网络只中断片刻，客户端的临时节点就全部消失。")
        }
        ServiceRule::FiresTwice => ("监听触发两次", "一次性监听触发之后没有移除；客户端会收到自己并未注册的通知。"),
        ServiceRule::AnswerBeforeEvent => {
            ("答复先于通知", "服务器先发出能看到变化的答复，后发出通知；客户端已见到新状态，却还没有得知变化。")
        }
        ServiceRule::ReconnectSaysCreated => (
            "重新连接后说成创建（ZOOKEEPER-1667）",
            "客户端断开期间节点被删除又重建；它对节点数据的监听得到的却是创建通知。",
        ),
        ServiceRule::ReadsCarryNoZxid => {
            ("读答复没有 zxid（ZOOKEEPER-1412）", "学习者的读答复不带 zxid；客户端不知道自己看到了哪里。")
        }
        ServiceRule::ReconnectForgets => {
            ("重新连接后忘记监听", "客户端库没有在下一台服务器上重新设置监听；等待通知的客户端会永远等下去。")
        }
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
        BrokenRule::HalfIsEnough => {
            ("半数就够", "四个投票者中两个就能决定；集群被分成相等的两半时，两边都有领导者，两边都提交事务。")
        }
        BrokenRule::ObserversCount => {
            ("观察者也计数（ZOOKEEPER-2959）", "领导者把观察者计入过半数；过半的投票者还没有它的历史，它就可能就任。")
        }
        BrokenRule::NoPromises => (
            "epoch 无人承诺",
            "领导者不等过半的服务器承诺它的 epoch 就开始同步；一旦它失效，下一个领导者会使用同一个 epoch。",
        ),
        BrokenRule::CommitOnlyWhatIsKnown => (
            "只保留已知提交的事务",
            "失去领导者的服务器截掉尚未得知已提交的事务；如果 COMMIT 还在途中，已提交的事务就会丢失。",
        ),
        BrokenRule::OldAcksCount => (
            "旧的 ACK 仍然有效",
            "跟随者重新同步之前发出的 ACK 仍被计入，尽管它的日志已被截断；已提交的事务少了一份磁盘上的副本。",
        ),
        BrokenRule::AckNamesNothing => (
            "ACK 不看是哪个提案",
            "无论 ACK 确认的是哪个提案，都计入最早的未提交提案；迟到的 ACK 会让发送方还没有的事务得到提交。",
        ),
        BrokenRule::AppliedBeforeCommit => {
            ("不等 COMMIT 就执行", "跟随者一收到提案就执行；它的客户端会读到可能永远不会提交的内容。")
        }
        BrokenRule::GapInForwarding => {
            ("不补发未提交的提案", "加入的服务器收不到此刻尚未提交的提案；它的日志出现空洞。")
        }
        BrokenRule::EndlessPatience => {
            ("领导者无限等待", "新领导者等不到跟随者时一直等下去；它永远不会加入其他服务器的领导者。")
        }
        BrokenRule::LearnerNeverLeaves => {
            ("从不放弃沉默的领导者", "跟随者收不到领导者的消息却一直等待；与它隔断之后，也不会选出另一个领导者。")
        }
        BrokenRule::LaterRoundsUnheard => (
            "不加入更新的轮次",
            "每个服务器停留在自己的选举轮次，只听取本轮的投票；轮次不同的两台服务器永远无法达成一致。",
        ),
        BrokenRule::NoLastWait => {
            ("不等更好的投票", "过半的投票一致就立即决定；更好的投票来得太晚，于是同时有两台服务器当选。")
        }
        BrokenRule::FollowTheDead => (
            "跟随已失效的领导者（ZOOKEEPER-480）",
            "服务器只凭其他跟随者的说法就加入领导者；它们一个接一个地回到早已失效的领导者那里。",
        ),
        BrokenRule::AcceptedEpochTrap => {
            ("被承诺困住", "向失败的领导者承诺过更大 epoch 的服务器，直到下次选举之前都无法加入。")
        }
    }
}

fn recipe(rule: RecipeRule) -> Entry {
    match rule {
        RecipeRule::NeverLooksAgain => (
            "被唤醒就当作得到锁",
            "等待者被唤醒后不再查看队列，直接当作得到了锁；如果是前面的等待者放弃了，就会有两个持有者。",
        ),
        RecipeRule::WatchesFirst => (
            "全都监听第一个节点",
            "等锁的客户端都监听持有者的节点，而不是自己的前一个节点；每次释放都唤醒全体，其中只有一个有用。",
        ),
        RecipeRule::Unprotected => (
            "没有保护的创建",
            "锁节点的名字里没有自己的标识；创建的答复没有到达线程时，谁也不会删除这个节点，大家都排在它后面等。",
        ),
        RecipeRule::Persistent => {
            ("锁比持有者活得更久", "锁节点不是临时节点；持有者崩溃之后节点仍在，再也没有人得到锁。")
        }
        RecipeRule::LeavesNode => {
            ("放弃之后仍占着队列", "等待者到了时限就放弃，节点却留在队列里；后来者等的是一个已经离开的客户端。")
        }
        RecipeRule::HeedlessWork => {
            ("会话丢失之后仍在工作（CURATOR-206）", "持有者得知会话已丢失，却继续工作；这时下一个客户端已经得到锁。")
        }
        RecipeRule::HeedlessHolder => (
            "迟来的释放",
            "持有者在会话丢失之后仍不放手，后来又删除节点，而那已是后继者的节点；第三个客户端也得到了锁。",
        ),
        RecipeRule::IgnoresOwner => {
            ("等待自己", "创建的答复丢失之后，客户端看到节点存在，却不检查它是不是自己的；它等待的正是自己。")
        }
        RecipeRule::SortsByName => {
            ("按会话排序（ZOOKEEPER-2931）", "节点名以会话编号开头，队列按名字而不是按序号排序；后来者可能排到最前。")
        }
        RecipeRule::LosesPlace => (
            "读者丢掉写者的位置（CURATOR-621）",
            "写者改为只读之后，排到下一个写者的后面；那个写者看不到它，在它读的同时写了起来。",
        ),
        RecipeRule::LeavesLease => {
            ("无人持有的租约（CURATOR-335）", "获取租约失败之后，节点仍留在租约之中；后来者等待的租约没有人会归还。")
        }
        RecipeRule::LeadsByGhost => (
            "凭幽灵节点当选（CURATOR-696）",
            "排在最前的是旧会话的节点，闩锁却凭它当选；节点随旧会话消失之后，下一个也当选。",
        ),
        RecipeRule::EndsWithWipe => (
            "数据清空后再无领导者（CURATOR-724）",
            "数据全部清空之后，闩锁找不到自己的路径，便一直等待；没有人重建路径，也就再没有领导者。",
        ),
        RecipeRule::ResetsOnReconnect => (
            "闩锁互相追赶（CURATOR-644）",
            "闩锁在重新连接时，或者前一个节点消失时，都会重新排队；两个闩锁可以这样无休止地循环下去。",
        ),
        RecipeRule::Deaf => {
            ("不理会中断的领导者", "会话丢失会中断领导者，它却不理会；新领导者已经产生，旧领导者仍在任职。")
        }
        RecipeRule::CancelsWaiting => (
            "排队中的一轮也被取消（CURATOR-518）",
            "中断领导权时，正在排队的一轮也被取消；参选者被告知已经排队，队列中却没有它。",
        ),
        RecipeRule::DeadThread => {
            ("取消之后不再排队", "连接断开使领导权被取消，参选者本应自动重新排队，却没有；从此没有领导者。")
        }
        RecipeRule::WatchesLate => {
            ("先计数，后监听", "成员先数人数，然后才设置监听；如果最后一个成员在两者之间到达，它就会永远等下去。")
        }
        RecipeRule::CountsOnce => {
            ("屏障只数一次（GH-1290）", "成员把任何唤醒都当成人已到齐；重新连接之后，它独自通过了屏障。")
        }
        RecipeRule::NeverGivesUp => (
            "离开屏障没有时限（CURATOR-536）",
            "带时限的离开操作不理会时限；只要还有一个成员不走，其他成员就走不了。",
        ),
        RecipeRule::AnySession => (
            "认领旧会话的节点（CURATOR-498）",
            "在新会话中重试创建时，把旧会话的节点当成自己的；节点随旧会话消失，别的客户端也得到了锁。",
        ),
        RecipeRule::NoCleanUp => (
            "放弃创建，留下节点（CURATOR-79）",
            "创建请求还没有答复，线程就放弃了；节点已经建好，却没有线程知道，大家都排在它后面等。",
        ),
        RecipeRule::NotGuaranteed => {
            ("删除只试一次", "连接断开使释放失败，之后没有人再试；会话不结束，节点就一直留着，大家都在等。")
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
        "sequence-numbers" => ("顺序编号", "同一父节点之下，每个新的顺序编号都大于前一个，直到 2147483647。"),
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
        id => return Law::of(id).map(law),
    })
}

/// What a recipe of one's own must keep.
fn law(law: Law) -> Entry {
    match law {
        Law::OneHolder => ("至多一个持有者", "双方的节点都还存在时，不会有两个客户端同时持有。"),
        Law::Believed => ("失去者知情", "节点已消失的客户端，一旦能够得知，就不再自以为持有。"),
        Law::Woken => ("等待者被唤醒", "不会有人等待一个永远不会触发的监听。"),
        Law::Progress => ("每次调用都会结束", "一切恢复之后，每次调用都会结束；没有故障时，总有人得到它。"),
        Law::NothingLeft => ("不留下任何节点", "所有人都用完之后，不再有这个配方的节点。"),
        Law::NoHerd => ("释放一次只唤醒一个", "释放不会让任何人白白醒来。"),
        Law::TakenOnce => ("每项只取一次", "没有哪一项被取走两次；没有故障时，也没有哪一项丢失。"),
        Law::Closed => ("关闭的屏障拦得住", "屏障关闭时，没有人能通过。"),
    }
}
