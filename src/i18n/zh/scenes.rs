//! Chinese: the scenes of the built-in scenarios, by id: their chapters, and what there is to try.

mod ensemble;
mod recipes;
mod rival_locks;
mod rival_protocols;
mod store;
mod uses;

use crate::i18n::words::{Entry, SceneWord};

fn row(id: &str) -> Option<&'static Row> {
    PARTS.into_iter().flatten().find(|row| row.0 == id)
}

/// A chapter of a scenario's scene, if it is known.
pub(super) fn chapter(id: &str, index: usize) -> Option<Entry> {
    row(id)?.1.get(index).copied()
}

/// What there is to try in it.
pub(super) fn try_this(id: &str) -> Option<&'static str> {
    row(id).map(|row| row.2)
}

/// Why its idea is so.
pub(super) fn because(id: &str) -> Option<&'static str> {
    row(id).map(|row| row.3)
}

/// What is said around scenes.
pub(super) fn word(word: SceneWord) -> &'static str {
    match word {
        SceneWord::StartUp => "启动",
        SceneWord::Chapters => "章节",
        SceneWord::Chapter => "第 {} 章，共 {} 章：{}",
        SceneWord::End => "本场景结束",
        SceneWord::Quiet => "没有后续事件了",
        SceneWord::QuietAbout => "只剩心跳，没有待处理的工作。可以做一个操作，或继续播放。",
        SceneWord::Full => "这次运行已到上限",
        SceneWord::FullAbout => "已有 {} 个事件，这是所能保存的上限。可以回到之前的时刻，或开始新的运行。",
        SceneWord::Saw => "看到了什么",
        SceneWord::TryThis => "试一试",
        SceneWord::Next => "下一个：{}",
        SceneWord::PlayOn => "继续播放",
        SceneWord::Again => "再看一次",
    }
}

/// Scenario, chapters with what they teach, what there is to try, why the idea is so where no fact says it.
pub(super) type Row = (&'static str, &'static [Entry], &'static str, &'static str);

const PARTS: [&[Row]; 6] =
    [ensemble::SCENES, store::SCENES, recipes::SCENES, uses::SCENES, rival_locks::SCENES, rival_protocols::SCENES];
