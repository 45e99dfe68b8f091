//! Chinese: what is said of runs that students hand in.

use crate::i18n::Grading;

pub(crate) const GRADING: Grading = Grading {
    nothing: "未提交",
    other_seed: "此运行的种子是 {}，而任务的种子是 {}",
    other_settings: "此运行的设置与任务不同",
    other_run: "此运行缺少任务中本应自行发生的操作：它属于另一个场景，或已被改动",
    too_many_deeds: "目标已达成，但用了 {} 个操作；最多允许 {} 个",
    stopped: "到 {} 毫秒仍未达成，更长的运行不再播放",
    wrong: "此运行无法播放：{}",
    no_task: "链接多于 {} 个任务",
    too_long: "这一行太长",
    no_link: "这既不是 ZabScope 链接，也不是名单所在文件夹中含有运行的文件",
    damaged: "链接已损坏（被截断或改动）",
    newer: "这是由更新版本的 ZabScope 生成的，当前版本无法读取",
    older: "该运行使用格式 {}，已不再支持（支持格式 {} 至 {}）",
    older_played: "该运行由较早版本的 ZabScope 生成（格式 {}），按今天的播放结果（格式 {}）评判",
    beyond: "内容超出一个运行的上限",
    no_deeds: "此运行中没有人做过任何操作",
    many_deeds: "{} 个操作对一节课来说太多：最多 {} 个",
    too_late: "最后一个操作在第 {} 秒，而课程在第 {} 秒结束",
};
