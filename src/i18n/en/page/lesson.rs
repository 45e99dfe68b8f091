//! English: lessons.

use crate::base::texts::texts;

texts! {
    /// The words around lessons; what they say themselves is theirs.
    pub struct Lessons {
        lesson_section: "Lessons: {}",
        lesson_named: "Lesson: {}",
        lesson_minutes: "{} ({} min)",
        lesson_forget: "Forget my answers",
        lesson_leave: "Leave lesson",
        lesson_preparing: "Preparing the lesson …",
        lesson_back: "Back",
        lesson_on: "Continue",
        lesson_number: "{} of {}",
        lesson_way: "Through the lesson",
        lesson_sure: "Continue again to see it without an answer.",
        lesson_show: "Just show me",
        lesson_answer: "Answer",
        lesson_nobody: "Nobody",
        lesson_stop: "Stop",
        lesson_hint: "Hint",
        lesson_done: "Done.",
        lesson_task: "To do",
        lesson_shows: "See what it does.",
        lesson_expected: "You expected {}.",
        lesson_did: "It was {}.",
        lesson_as_expected: "It was as you expected.",
        lesson_would: "Show the run in which that is true",
        lesson_alone: "Back to one run",
        lesson_off: "The stage shows a run of your own.",
        lesson_return: "Back to the lesson",
        lesson_over: "That is all of it.",
        lesson_next: "Next: {}",
        lesson_free: "Try it freely",
        lesson_again: "Again",
        lesson_count: "A number",
        lesson_ms: "Milliseconds",
        lesson_zxid: "A zxid, e.g. 1:4",
        lesson_bad_count: "Enter a whole number, e.g. 4.",
        lesson_bad_ms: "Enter whole milliseconds, e.g. 250.",
        lesson_bad_zxid: "Enter epoch and counter, e.g. 1:4.",
    }
}
