//! The built-in lessons, in the order in which they are shown. To add one: its file, and a line here.

use std::rc::Rc;

use super::lesson::Lesson;

/// Names of lessons, each with the text of its file.
macro_rules! built_in {
    ($($id:literal),* $(,)?) => {
        &[$(($id, include_str!(concat!("built_in/", $id, ".json")))),*]
    };
}

/// The lesson with which a first visit begins.
pub const FIRST: &str = "first-minute";

/// Their names and their texts.
pub const LESSONS: &[(&str, &str)] = built_in![
    "first-minute",
    "zab-roles",
    "zab-zxid",
    "zab-broadcast",
    "zab-vs-2pc",
    "zab-election",
    "zab-recovery-keep",
    "zab-recovery-drop",
    "zab-old-leader",
    "zab-sync",
    "zab-partition",
    "zab-observer",
    "zab-heartbeat",
    "zk-tree",
    "zk-stat",
    "zk-version",
    "zk-watch",
    "zk-session",
    "zk-guarantees",
    "zk-cli",
    "lock-herd",
    "lock-predecessor",
    "lock-mutex",
    "lock-semaphore",
    "lock-readwrite",
    "lock-pause",
    "lock-database",
    "lock-redis",
    "lock-compare",
    "elect-naive",
    "elect-latch",
    "elect-selector",
    "elect-worker",
    "elect-generation",
    "quorum-not-enough",
    "use-master-worker",
    "use-config",
    "use-naming",
    "use-standby",
    "use-collectors",
    "use-queue",
    "use-barrier",
];

/// Whether there is a built-in lesson of this name.
pub fn is_built_in(id: &str) -> bool {
    LESSONS.iter().any(|(known, _)| *known == id)
}

/// The built-in lesson of this name.
pub fn lesson(id: &str) -> Option<Rc<Lesson>> {
    let (_, text) = LESSONS.iter().find(|(known, _)| *known == id)?;
    Lesson::from_json(text).ok().map(Rc::new)
}
