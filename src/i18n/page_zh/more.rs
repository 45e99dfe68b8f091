//! The words of the gallery, of charts and of empty panels in simplified Chinese.

use crate::i18n::page::More;

pub(in crate::i18n) const MORE: More = More {
    gallery: "场景：{}",
    gallery_title: "场景",
    gallery_search: "搜索场景",
    gallery_hint: "搜索：锁、监视、TRUNC……",
    gallery_found: "找到 {} 个场景，共 {} 个",
    gallery_nothing: "没有场景同时含有这些词：“{}”。搜索范围是各语言的名称、说明和主题。",
    gallery_all: "显示全部场景",
    gallery_now: "正在舞台上",
    group_ensemble: "集群与 ZAB",
    group_store: "znode 存储及其客户端",
    group_locks: "锁",
    group_recipes: "领导者选举与协调",
    gallery_pairs: "并排对比，共用一个时钟",
    gallery_both: "{} 与 {}",
    gallery_left: "回到您的运行",
    left_at: "{}，在 {} 秒处",
    left_changed: "从离开的地方继续，保留您的改动（{} 处）。",
    left_plain: "从离开的地方继续。",
    gallery_own: "您自己的运行",
    gallery_file: "从文件打开一次运行",
    gallery_paste: "链接或运行",
    gallery_paste_hint: "在此粘贴链接或运行（JSON）",
    gallery_paste_open: "打开粘贴的内容",
    gallery_new: "新建一次空的运行",
    pair_mutex: "同样的客户端，Curator 的锁与惊群：数一数每次释放引起的请求。",
    pair_lock: "一次释放唤醒所有等待者，还是只唤醒下一个：数一数通知。",
    pair_leader: "一个保持领导权直到失效，另一个轮流领导；两边发生同样的事。",
    pair_naive: "领导者离开时，所有等待者都被唤醒，还是只有下一个。",
};
