//! Chinese: the built-in scenarios.

use crate::i18n::words::Entry;

pub(super) fn scenario(id: &str) -> Option<Entry> {
    Some(match id {
        "cold-start-3" => ("三台冷启动", "三台服务器同时启动并选出领导者，随后有客户端写入。"),
        "cold-start-5" => ("五台冷启动", "五台服务器依次启动，第三台凑成过半。"),
        "leader-crash-under-load" => ("负载下领导者崩溃", "客户端写入时领导者崩溃，新领导者接任。"),
        "uncommitted-kept" => ("最后的提交得以保留", "领导者提交后崩溃，COMMIT 未到达任何服务器。"),
        "rejoin-diff" => ("以 DIFF 重新加入", "跟随者只缺少几个事务，只补这些。"),
        "rejoin-snap" => ("以 SNAP 重新加入", "跟随者缺得太多，直接得到整个状态。"),
        "rejoin-trunc" => ("以 TRUNC 重新加入", "旧领导者必须截断别人都没有的事务。"),
        "minority-partition" => ("少数派分区", "领导者与少数派被隔开，只能退位。"),
        "old-leader-returns" => ("旧领导者归来", "领导者暂停太久，恢复后无人听从。"),
        "observer" => ("观察者", "观察者跟随领导者但不投票，并转发写请求。"),
        "counter-rollover" => ("计数器用尽", "zxid 计数器用尽，领导者退位以开启新 epoch。"),
        "leader-power-off" => ("领导者断电", "没有人得知：跟随者要等到 syncLimit 用尽才发现。"),
        "zab-heartbeat" => ("心跳与时限", "跟随者最多沉默 syncLimit，加入者最多沉默 initLimit，都以 tick 计。"),
        "disk-full" => ("领导者的磁盘已满", "下一次写入失败：领导者放弃领导，磁盘腾出空间之前也无法跟随新的领导者。"),
        "snap-too-slow" => ("SNAP 超过 initLimit", "状态来不及传完：每次尝试都在传完之前结束。"),
        "reconfig-grow" => ("扩容到五台", "两台服务器通过重新配置加入；其间每个提案都需要新旧两份配置的法定人数。"),
        "reconfig-no-quorum" => {
            ("被拒绝的重新配置", "新配置中跟随领导者的服务器不足法定人数，因此先被拒绝，新服务器运行之后才成功。")
        }
        "reconfig-leader-leaves" => ("移除领导者", "领导者提交对自己的移除，不经选举就把职位交给一个跟随者。"),
        "config-by-hand" => {
            ("手工修改配置文件", "改文件后逐台重启：两个过半集合没有共同的服务器，于是出现两个领导者。")
        }
        "quorum-groups" => ("分组与权重", "三组各三台：其中四台可以继续，其他五台不能；S9 没有权重，从不领导。"),
        "oracle" => ("两台服务器与 oracle", "两台之中哪一台都不算过半：各自机器上的一个文件说明谁可以独自继续。"),
        "zk-tree" => ("znode 树", "各类节点与各种操作；每类节点有各自的生命周期。"),
        "zk-stat" => ("Stat 字段", "每种操作只改变 Stat 中属于自己的字段。"),
        "zk-version" => ("版本号", "两个客户端都按版本 0 写同一节点，后到者得到 BadVersion。"),
        "zk-watch" => ("监听", "监听只触发一次，不带数据；重新设置之前的变化不会通知。"),
        "zk-session" => ("会话", "临时节点不随连接断开而消失，只随会话结束而消失。"),
        "zk-guarantees" => ("一致性保证", "顺序、原子性、单一系统映像、持久性，逐一验证。"),
        "leader-serves-no" => {
            ("领导者不接待客户端", "设为 leaderServes=no 时，领导者会拒绝客户端；新的领导者也一样。")
        }
        "read-only-mode" => {
            ("只读模式", "与其他服务器隔开的一台，为允许的客户端提供陈旧读，直到客户端找到更好的服务器。")
        }
        "local-sessions" => ("本地会话", "只有一台服务器知道的会话不需要事务，不能转移，第一次建临时节点时会升级。"),
        "quota" => ("配额", "软配额只警告，硬配额会拒绝；已经提议的写入会越过限制。"),
        "zk-stale-read" => ("陈旧读", "慢链路后的跟随者返回旧数据，先 sync 再读即可得到新数据。"),
        "zk-cli" => {
            ("zkCli 控制台", "控制台中的一行就是一次或几次调用：create、ls、get、set、stat、delete、deleteall。")
        }
        "lock-herd" => ("惊群效应", "所有客户端监听同一个节点：每次释放唤醒全部等待者，只有一个成功。"),
        "lock-predecessor" => ("监听前驱", "每个等待者只监听前一个节点：每次释放只唤醒一个。"),
        "lock-mutex" => ("InterProcessMutex", "Curator 的锁：顺序节点，每个等待者只监听前一个。"),
        "lock-semaphore" => ("信号量", "同时最多两份租约；只有队首监听租约目录。"),
        "lock-watch-all" => ("读写锁（全部监听）", "等待者监听全部子节点：每次变化唤醒所有人。"),
        "lock-readwrite" => ("读写锁", "读者之间互不阻塞，写者等待之前的所有人。"),
        "lock-downgrade" => ("写者接着读", "写者再取得读锁，然后放开写锁：下一个写者会等它读完吗？"),
        "lock-pause" => {
            ("暂停的持有者", "持有者暂停（如长时间 GC）超过会话超时后继续写入：出现两个持有者，除非检查令牌。")
        }
        "elect-naive" => ("朴素选主", "大家争着创建 /leader，失败者监听它，领导者离开时全部被唤醒。"),
        "elect-latch" => ("LeaderLatch", "领导权保持到关闭或失效，由下一个接任。"),
        "elect-selector" => ("LeaderSelector", "takeLeadership 返回即放弃领导权，随后重新排队。"),
        "elect-worker" => ("工作者组", "每个工作者监听前一个；有成员失效时只有后一个得知。"),
        "use-master-worker" => ("Master–Worker 任务分配", "分配任务；工作者失效，主节点失效，备份接任。"),
        "use-config" => ("配置发布订阅", "发布一次，每个订阅者得知并读取新值。"),
        "use-naming" => ("命名与负载均衡", "服务注册地址，均衡器跟随其增减。"),
        "use-standby" => ("热备", "序号最小者运行，其余待命；接任者从 lastCommit 继续。"),
        "use-collectors" => ("日志收集", "日志源分给各收集器；失联者的日志源被转移。"),
        "use-queue" => ("队列", "先进先出：消费者争抢每一项。"),
        "use-barrier" => ("双重屏障", "全体到齐才开始，全体完成才离开。"),
        "use-persistent-node" => ("PersistentNode", "会话过期：普通临时节点消失，PersistentNode 则被重新创建。"),
        "use-cache" => ("CuratorCache", "断线期间的变化不会触发监听：重新连接后，缓存把所有节点重读一遍。"),
        "use-discovery" => ("服务发现", "实例失效后仍会被选中，直到两次错误将其排除，或其会话过期。"),
        "throttling" => ("限流", "连接太多时服务器会拒绝；处理中的请求太多时，它暂停读取客户端的请求。"),
        "clock-skew" => {
            ("走错的时钟", "领导者的时钟突然超前：TTL 提早到期，Stat 中出现未来的时间；会话与顺序不受影响。")
        }
        "ask-the-servers" => ("询问服务器", "四字命令、whoami 与配置：服务器怎样描述自己、客户端和集群。"),
        "lock-kazoo" => ("kazoo 的锁", "Python 客户端的锁：会话已经结束的持有者继续工作，直到自己释放。"),
        "elect-circuit-breaker" => ("断路器", "两个领导者都断线两次；其中一个通过断路器获知连接状态，只退位一次。"),
        "use-group-member" => ("GroupMember", "每个成员都知道还有谁在；失效者要到会话结束才从列表中消失。"),
        "use-delay-queue" => ("延迟队列", "每一项的名称写明何时到期：消费者等待最先到期的一项。"),
        "use-id-queue" => ("带标识的队列", "每一项的名称写明属于谁：放入之后，在交给消费者之前可以收回。"),
        _ => return super::rivals::scenario(id),
    })
}
