//! The words of the gallery, of charts and of empty panels in English.

use crate::i18n::page::More;

pub(in crate::i18n) const MORE: More = More {
    gallery: "Scenario: {}",
    gallery_title: "Scenarios",
    gallery_search: "Search scenarios",
    gallery_hint: "Search: lock, watch, TRUNC …",
    gallery_found: "{} of {} scenarios",
    gallery_nothing: "No scenario has all of these words: “{}”. Words are looked for in names, promises and topics, in every language.",
    gallery_all: "Show all scenarios",
    gallery_now: "on the stage",
    group_ensemble: "The ensemble and ZAB",
    group_store: "The znode store and its clients",
    group_locks: "Locks",
    group_recipes: "Leader election and coordination",
    gallery_pairs: "Side by side, with one clock",
    gallery_both: "{} beside {}",
    gallery_left: "Back to your runs",
    left_at: "{}, at {} s",
    left_changed: "Goes on where you left it, with your changes ({}).",
    left_plain: "Goes on where you left it.",
    gallery_own: "Your own run",
    gallery_file: "Open a run from a file",
    gallery_paste: "A link or a run",
    gallery_paste_hint: "Paste a link or a run (JSON) here",
    gallery_paste_open: "Open what is pasted",
    gallery_new: "Begin an empty run",
    pair_mutex: "Curator's lock and the herd with the same clients: count the requests of each release.",
    pair_lock: "A release wakes everybody who waits, or only the next: count the notifications.",
    pair_leader: "One keeps leadership until it dies, the other hands it round; the same things happen to both.",
    pair_naive: "When the leader goes, all who wait wake up, or only the next in line.",
};
