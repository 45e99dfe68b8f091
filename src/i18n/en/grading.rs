//! English: what is said of runs that students hand in.

use crate::base::texts::texts;

texts! {
    /// Remarks on runs that were handed in, or are to become lessons.
    pub struct Grading {
        nothing: "nothing was handed in",
        other_seed: "this run has the seed {}, and the task's has {}",
        other_settings: "this run has other settings than the task's",
        other_run: "this run lacks something that happens in the task's by itself: it is another scenario's, or changed",
        too_many_deeds: "the goal is met, but with {} deeds; {} are allowed",
        stopped: "not met up to {} ms, and runs are played no longer",
        wrong: "this run cannot be played: {}",
        no_task: "more links than the {} tasks",
        too_long: "this line is too long",
        no_link: "this is neither a ZabScope link nor a file with a run in the folder of the list",
        damaged: "this link is damaged (truncated or altered)",
        newer: "this was made by a newer ZabScope and cannot be read here",
        older: "this run uses format {}, which is no longer read: formats {} to {} are",
        older_played: "an older ZabScope made this run (format {}); it is judged as it plays today (format {})",
        beyond: "this exceeds the limits of a run",
        no_deeds: "nobody did anything in this run",
        many_deeds: "{} deeds are too many for a lesson: {} are allowed",
        too_late: "the last deed is at {} s, and a lesson ends at {} s",
    }
}
