//! The built-in lessons, in the order in which they are shown. To add one: its file, and a line here.

use std::rc::Rc;

use super::lesson::Lesson;
use crate::files;

/// Names of lessons, each with the text of its file. The first one's is in the page too, which begins with it.
macro_rules! built_in {
    ($first:literal, $($id:literal),* $(,)?) => {
        &[
            ($first, include_str!(concat!("built_in/", $first, ".json"))),
            $(($id, files::built_in!(concat!("built_in/", $id, ".json")))),*
        ]
    };
}

/// The lesson with which a first visit begins.
pub const FIRST: &str = "first-minute";

/// Their names and their texts; in the page [`lesson`] has the texts.
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
    "zab-restart",
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
    "workshop-naive",
    "workshop-queue",
    "workshop-lost",
    "workshop-pause",
];

/// Whether there is a built-in lesson of this name.
pub fn is_built_in(id: &str) -> bool {
    LESSONS.iter().any(|(known, _)| *known == id)
}

/// The built-in lesson of this name, once it is there.
pub fn lesson(id: &str) -> Option<Rc<Lesson>> {
    let (_, text) = LESSONS.iter().find(|(known, _)| *known == id)?;
    let text = files::text(text, &format!("lessons/built_in/{id}"))?;
    Lesson::from_json(text).ok().map(Rc::new)
}
