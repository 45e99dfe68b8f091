//! Chinese: the charts.

use crate::view::charts::{ChartWords, GapWords, LatencyWords, RateWords, ReleaseWords, SentWords};

pub(super) const CHARTS: ChartWords = ChartWords {
    x: "虚拟时间，秒",
    numbers: "显示数字",
    at: "时刻（秒）",
    from: "从（秒）",
    to: "到（秒）",
    latency: LatencyWords {
        title: "提交延迟",
        y: "毫秒",
        said: "共 {} 次提交，每次一个点，颜色表示 epoch。从提案到提交的中位数约 {} 毫秒；最慢 {} 毫秒（在 {} 秒），最近一次 {} 毫秒。",
        sampled: "每 {} 次提交显示一个点，另加最慢的一次。",
        none: "还没有提交任何事务。必须先选出领导者，写入还要到达过半服务器的磁盘。",
        took: "用时（毫秒）",
        epoch: "epoch",
    },
    rate: RateWords {
        title: "吞吐量",
        y: "每秒提交数",
        said: "共 {} 次提交，最快时每秒 {} 次，从 {} 秒到 {} 秒；每根柱子表示 {} 秒。",
        none: "还没有提交任何事务。每次提交都会使一根柱子变高。",
        commits: "提交数",
    },
    releases: ReleaseWords {
        title: "每次释放的通知数",
        y: "每次释放",
        said: "共有 {} 次释放由下一个持有者接手。每次释放平均引起 {} 条通知和 {} 个请求，通知最多一次 {} 条。",
        none: "已有持有者，但还没有一次释放由下一个持有者接手。",
        never: "至今没有人持有锁，也没有人通过配方成为领导者。锁和选举的运行会填充此图：每次释放增加两个点。",
        waited: "等待者",
        notifications: "通知数",
        requests: "请求数",
        handed: "交接（毫秒）",
    },
    gaps: GapWords {
        title: "没有领导者的时间",
        y: "秒",
        said: "没有已确立的领导者的时间共 {} 秒，总时长 {} 秒，分为 {} 段；最长 {} 秒，从 {} 秒开始。有底色处表示有领导者。",
        lasts: "现在没有领导者。",
        never: "始终有领导者，至今 {} 秒。",
        none: "时间还没有开始走。",
    },
    sent: SentWords {
        title: "各类型消息",
        x: "已发送消息数",
        said: "共发送 {} 条消息。最多的是：{}。",
        none: "还没有消息：现在是运行的开头。",
        others: "其他",
        comma: "、",
        kind: "类型",
    },
};
