//! English: the bar, narration, time and changes, help, and what is told when something is wrong.

pub(crate) mod dialogs;
pub(crate) mod disks;
pub(crate) mod lesson;
pub(crate) mod panels;
pub(crate) mod recipe;
pub(crate) mod search;
pub(crate) mod stage;
pub(crate) mod views;

use crate::base::texts::{Keys, Pairs, texts};

use stage::Stage;

texts! {
    /// The words of the bar, narration, time and changes, help, and what is told when something is wrong.
    pub struct Page -> Stage {
        // the bar
        scenario: "Scenario",
        own_run: "Own run",
        new_run: "New run",
        new_run_title: "A new run",
        seed: "Seed",
        voters: "Voting servers",
        observers: "Observers",
        start: "Start",
        cancel: "Cancel",
        language: "Language",
        theme_light: "Light theme",
        theme_dark: "Dark theme",
        help: "Help: keys and signs",
        close: "Close",
        lecture: "Lecture-hall mode",
        lecture_title: "Lecture-hall mode: large type, high contrast (L)",
        only_stage_back: "Esc or F: leave stage-only view",
        dark_back: "B or Esc: show the stage again",
        // narration
        narration: "What just happened",
        show_log: "Show earlier events",
        hide_log: "Hide earlier events",
        log_title: "Events, newest first",
        nothing_yet: "Nothing has happened yet. Press play.",
        held_to_read: "held to read",
        in_turn: "{}, in turn.",
        held_for_hand: "PageDown or Space goes on",
        held_by_keys: "→ next event · Space plays",
        // transport
        transport: "Time",
        play: "Play",
        pause: "Pause",
        to_start: "Back to the start",
        step: "Next event",
        turn: "Next milestone",
        speed: "Speed",
        speed_of_real: "{}× slower",
        speed_times: "{}× real time",
        skip_idle: "Skip idle time",
        time: "Virtual time",
        timeline: "Timeline: choose a time",
        violated_here: "Violated property: {}",
        violated_because: "This breaks “{}”: {}",
        known_bugs: "{} Known of this version, as released: {}.",
        outside_model: "Outside the fault model since {}: disks lost what a majority had. No server is to blame for what follows.",
        reign: "epoch {} · {}",
        mark_crash: "crash {}",
        mark_kill: "kill {}",
        mark_power_off: "power off {}",
        mark_restart: "restart {}",
        mark_pause: "pause {}",
        mark_resume: "resume {}",
        mark_cut: "cut {}",
        mark_heal: "heal {}",
        mark_wipe: "wipe {}",
        mark_back_up: "back up {}",
        mark_restore: "restore {}",
        // changes
        step_back: "Previous event",
        turn_back: "Previous milestone",
        undo: "Undo",
        redo: "Redo",
        believers_now: "{} and {} both believe that they hold it",
        believers_past: "so long {} and {} both believed that they held it",
        waits_vote: "{} waits {} more for a better vote (finalizeWait).",
        waits_leader: "{} waits for its leader, and gives up in {} (initLimit).",
        waits_quorum: "{} waits for a majority to follow, and gives up in {} (initLimit).",
        waits_word: "{} hears nothing from {}, and gives up in {} (syncLimit).",
        waits_client: "The session of {} ends in {} unless something is heard of it.",
        idle_heartbeats: "{} s: heartbeats only",
        idle_silence: "{} s: a server waits in vain",
        idle_expiry: "{} s: a session runs out",
        idle_client: "{} s: a client waits in vain",
        idle_short: "{} s",
        idle_folds: "Folded: idle time",
        seconds: "{} s",
        look_closer: "Look closer at the timeline",
        look_wider: "Show more of the timeline",
        actions_named: "{}: {}",
        futures: "Other branches",
        future: "branches at {} s: {} (explored to {} s)",
        future_without: "without this action",
        until: "Run until …",
        until_election: "a leader is elected",
        until_commit: "a commit",
        until_violation: "a property is violated",
        until_leads: "{} leads",
        until_never: "That does not happen within the next minute of the run; the clock has not moved.",
        deed_moved: "move: {}",
        deed_edited: "change: {}",
        deed_deleted: "delete: {}",
        edit_title: "Edit action",
        edit_at: "Time (ms)",
        edit_json: "Action (JSON)",
        edit_apply: "Apply",
        edit_delete: "Delete",
        edit_hint: "The run is replayed from there. Undo restores everything.",
        edit_wrong_time: "Enter a time in milliseconds, e.g. 1250.5.",
        actions_done: "Actions of the run",
        action_at: "{} at {} s; drag to move, Enter to edit",
        actions_count: "{} actions",
        actions_many: "{} actions from {} s on",
        // help
        help_title: "Keys and signs",
        help_keys: "Keys",
        keys_few: "Turn off keys of one character, as for speech input",
        help_signs: "Signs on the stage",
        help_intro: "A whole ZooKeeper ensemble runs in this page, packet by packet. Click anything: servers, clients, links, packets.",
        help_sees: "What you see",
        about: "ZabScope {} is free software under the Apache License, version 2.0.",
        licences: "The licences of everything in it",
        // a part of somebody else's page
        open_whole: "Open the whole page in a new tab",
        // a page that stopped
        rescue_title: "ZabScope stopped",
        rescue_text: "A bug in ZabScope stopped the page {} s into the run. The run up to there is kept: save it for a bug report.",
        rescue_died_here: "When this was last opened, a bug in ZabScope stopped the page {} s into the run. It has not been restarted; the run up to there is kept.",
        rescue_save: "Save the run",
        rescue_new: "Start a new run",
        rescue_again: "Try again",
        on_the_way: "Playing up to {} s.",
        on_the_way_now: "Now at {} s.",
        stay_here: "Stop here",
        // programs outside
        live_title: "Live",
        live_nobody: "No program is connected.",
        live_clients: "Connected from outside: {}.",
        live_speed: "At speed {}, a session timeout of {} s takes {} s.",
        live_gives_up: "Time stands: {} gives up in {} s.",
        live_past: "You see the past, and programs wait. Acting here cuts them off.",
        live_back: "Back to now",
        live_go_on: "Go on in real time",
        live_cut: "Programs from outside were cut off: the run took another course.",
        live_ended: "There is no connection to zabscope live: it has ended, or another page has it.",
        // trouble
        wrong_parameter: "The address contains {}={}, which is not known here; it was ignored.",
        more_wrong_parameters: "{} more were ignored too.",
        stories_missing: "Lessons, rules and bugs did not load. Try again when there is a network; if that does not help, reload the page.",
        stories_coming: "Loading…",
    }
    /// Keys and what they do, in groups.
    keys: Keys = &[
        (
            "Time",
            &[
                ("Space", "play, pause"),
                ("→ ←", "one event forward, back"),
                ("Shift → ←", "one milestone forward, back"),
                ("Page ↓ ↑", "next, previous chapter (clicker); at the end the next scene"),
                ("Ctrl Z", "undo; Ctrl Shift Z: redo"),
            ],
        ),
        (
            "Actions",
            &[
                ("1 – 9", "select a server"),
                ("C", "crash or restart it; kill the selected client"),
                ("K", "kill its process: what it had written stays, its connections close at once"),
                ("O", "power it off: what was not synced is lost, and nobody is told"),
                ("P", "pause or resume it; hold or release the selected packet"),
                (
                    "X",
                    "isolate it; cut the selected link; disconnect the selected client; with nothing selected: partition",
                ),
                ("W", "write to it"),
                ("N", "new client, at the selected server if one is"),
                ("M", "next packet in flight; Shift M: previous one"),
                ("H", "heal all links"),
            ],
        ),
        (
            "In a lesson",
            &[
                ("Page ↓ Enter", "continue; at a question without an answer, twice"),
                ("Page ↑", "back"),
                ("1 – 9", "pick an option, a server or a client"),
                ("Space", "stop time, where that is the answer"),
                ("Backspace", "back to the lesson"),
                ("V", "the run in which your answer is true"),
                ("T", "in a hall, at a question: count votes; again: see them, vote once more, close"),
            ],
        ),
        (
            "View",
            &[
                ("S", "space-time view, and back"),
                ("T", "what the stage is about: servers, the tree, a queue"),
                ("G", "all scenarios"),
                ("/", "console"),
                ("L", "lecture-hall mode: large type, high contrast"),
                ("V", "presenter window: notes, next chapter, clock"),
                ("F", "stage and sentence only, and back"),
                ("B .", "dark screen, and back"),
                ("?", "this page"),
                ("Esc", "close"),
            ],
        ),
    ];
    /// The parts of the page, and what one sees there.
    sees: Pairs = &[
        (
            "Servers",
            "One card each: role, phase, epoch (1 → 2: of epoch 1, has promised 2), the last zxid, and the last transactions as squares in the colour of their epoch. Data on disk survives a crash.",
        ),
        (
            "Links and packets",
            "Packets move in virtual time, so pausing freezes them. Thick links belong to the leader; small squares at its end wait for that follower's ACK.",
        ),
        ("Counts", "One per waiting proposal: ACK by ACK, until it passes the majority line."),
        ("Clients", "One pill each, next to their server. A dashed line: still connecting."),
        ("Narration", "The newest fact as a sentence, and the rule behind it. The arrow opens earlier ones."),
        ("Timeline", "Reigns as bands, commits as ticks, folds for idle time. The signs below are actions you can drag: ✕ fault, △ repair, □ request, ○ client; ↳ leads to another branch."),
    ];
}
