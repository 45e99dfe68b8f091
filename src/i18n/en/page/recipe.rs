//! English: recipes that somebody writes in the page.

use crate::base::texts::{Pairs, texts};

texts! {
    /// The words around a recipe of one's own.
    pub struct Writing {
        tab_recipe: "Your recipe",
        recipe_write: "Write a recipe of your own",
        recipe_about: "Write a lock, an election, a barrier or a queue, see it run, and have the run found that breaks it.",
        recipe_start: "Start from",
        recipe_yours: "what stands here",
        recipe_program: "The recipe, one statement a line",
        recipe_find: "Find the run that breaks it",
        recipe_run: "Run",
        recipe_line: "Next line",
        recipe_may_herd: "A herd is no fault",
        recipe_form: "Form",
        recipe_text: "Text",
        recipe_blocks: "Blocks",
        recipe_keys: "Enter adds a block, Tab and Shift+Tab put it in and out, Alt+↑ and Alt+↓ move it. Esc, then Tab, leaves the field.",
        recipe_add: "Add below…",
        recipe_remove: "Remove, with what is in it",
        recipe_up: "Up",
        recipe_down: "Down",
        recipe_in: "Into the block above",
        recipe_out: "Out of its block",
        recipe_undo: "Undo in the recipe",
        recipe_redo: "Redo in the recipe",
        // the search
        recipe_tries: "{} schedules tried, of at most {}.",
        recipe_shrinks: "{} schedules tried. One breaks it, and is being made small.",
        recipe_stopped: "Stopped after {} schedules. That proves nothing.",
        recipe_tried: "{} schedules tried. The first of these runs is on the stage.",
        recipe_calls: "{} calls {}",
        recipe_unbroken: "Nothing broke in {} schedules. That is no proof.",
        recipe_broken: "“{}”: broken in {} steps",
        recipe_before: "Of the text before:",
        recipe_kept: "Not broken in these schedules",
        // on the stage
        recipe_other: "The run on the stage has another text.",
        recipe_beside: "Old and new beside each other",
        recipe_back: "Back to your recipe",
        recipe_take: "Back to that text",
        recipe_new: "the new text",
        recipe_lacks: "There is no section “{}” at the left margin yet: whoever gets it cannot give it back.",
        recipe_stands: "Where each client stands",
        recipe_at: "line {}",
        recipe_outside: "in no section",
        recipe_holds: "has it",
        recipe_asks: "waits for the answer",
        recipe_connects: "waits for a connection",
        recipe_waits: "waits for news of {}",
        recipe_waits_any: "waits for a watch",
        recipe_sleeps: "sleeps",
        // what was tried
        recipe_attempts: "Earlier texts: {}",
        recipe_fell: "“{}” broken in {} steps",
        recipe_stood: "not broken in {} schedules",
        recipe_untried: "not searched",
        recipe_forget: "Forget them",
        recipe_language: "The language by example",
    }

    /// What each ready program is.
    recipe_ready: Pairs = &[
        ("naive-lock", "Naive lock: everybody wants one node"),
        ("herd-lock", "Herd lock: a queue, all watch it"),
        ("predecessor-lock", "Predecessor lock: each watches the one before"),
        ("protected-lock", "Curator’s lock: names with a guid"),
        ("read-write-lock", "Read/write lock"),
        ("leader-election", "Leader election: the smallest leads"),
        ("barrier", "Barrier"),
        ("queue", "Queue"),
    ];
    /// What a block is about: the kinds in their order.
    recipe_kinds: &'static [&'static str] = &["request", "value", "control", "has it", "clause", "section", "comment", "not understood"];
    /// What each line of the example of the language means.
    recipe_forms: &'static [&'static str] = &[
        "Sections of a lock, at the left margin: what a client can call. Their lines stand two blanks further to the right.",
        "Sections of read/write locks, elections, barriers and queues.",
        "A request: a new node. Its path is kept under a name; nothing, where it is there already.",
        "Other requests. Where there is no such node, each keeps nothing.",
        "The nodes below, in the order of their numbers.",
        "Picked from a list; nothing, where there is none.",
        "A name that nobody else has, and a node that carries it: so it can be found again when the answer was lost.",
        "The first in the list whose name contains that: one’s own node, once more.",
        "A condition, and below it what depends on it; “else” stands behind.",
        "Whether what exists or get answered is an ephemeral node of one’s own session. A path out of a list does not tell.",
        "Goes round until something below ends it.",
        "Sets a watch, and waits until it is so.",
        "Sets a watch, and waits until it fires.",
        "Ends the section: the client has it, reads beside others, leads, or has failed.",
        "Below a request, or at the margin for all of them: its answer was lost, and nobody knows whether it was done. “again” asks the lost request once more, done or not.",
        "The client hears that its session is over. What it is not told to do it does not do: it may go on holding.",
    ];
}
