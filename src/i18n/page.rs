//! The page's own words. One struct, one value a language: a missing string does not compile.
//!
//! `{}` in a text is a place that [`fill`] fills.

use std::sync::OnceLock;

use crate::base::limits::{MAX_EXPORT_BYTES, MAX_ROWS};
use crate::share::OpenError;
use crate::sim::FORMAT_VERSION;

use super::{Lang, error_words};

mod more;

pub use more::More;

/// Puts values into the places of a text, in order.
pub fn fill(text: &str, values: &[&dyn std::fmt::Display]) -> String {
    let mut parts = text.split("{}");
    let mut filled = parts.next().unwrap_or("").to_string();
    for (index, part) in parts.enumerate() {
        if let Some(value) = values.get(index) {
            filled.push_str(&value.to_string());
        }
        filled.push_str(part);
    }
    filled
}

/// The page's words in this language.
pub fn page(lang: Lang) -> &'static Page {
    static TRADITIONAL: OnceLock<Page> = OnceLock::new();
    match lang {
        Lang::En => &super::page_en::PAGE,
        Lang::Zh => zh(),
        Lang::ZhHant => TRADITIONAL.get_or_init(|| zh().turned(super::hant::fixed)),
    }
}

/// What consists of texts: the same with each of them changed. Names that the page knows are ASCII, which nothing changes.
trait Turned: Copy {
    fn turned(self, change: fn(&'static str) -> &'static str) -> Self;
}

impl Turned for &'static str {
    fn turned(self, change: fn(&'static str) -> &'static str) -> Self {
        change(self)
    }
}

impl<A: Turned, B: Turned> Turned for (A, B) {
    fn turned(self, change: fn(&'static str) -> &'static str) -> Self {
        (self.0.turned(change), self.1.turned(change))
    }
}

impl<A: Turned, B: Turned, C: Turned> Turned for (A, B, C) {
    fn turned(self, change: fn(&'static str) -> &'static str) -> Self {
        (self.0.turned(change), self.1.turned(change), self.2.turned(change))
    }
}

impl<T: Turned> Turned for &'static [T] {
    fn turned(self, change: fn(&'static str) -> &'static str) -> Self {
        self.iter().map(|one| one.turned(change)).collect::<Vec<T>>().leak()
    }
}

/// By itself, and not to be seen through, so that a page in another language need not have loaded these words.
#[inline(never)]
fn zh() -> &'static Page {
    std::hint::black_box(&super::page_zh::PAGE)
}

/// What a built-in scenario is called and what it shows.
pub fn scenario_words(lang: Lang, id: &str) -> Option<(&'static str, &'static str)> {
    let table = page(lang).scenarios;
    table.iter().find(|(name, ..)| *name == id).map(|(_, title, about)| (*title, *about))
}

/// What a scenario's parameter is called; its own name where it is not known here.
pub fn param_words(lang: Lang, name: &'static str) -> &'static str {
    page(lang).params.iter().find(|(known, _)| *known == name).map_or(name, |(_, words)| words)
}

/// Why something was not opened or shared, in one sentence.
pub fn trouble_words(lang: Lang, trouble: &OpenError) -> String {
    let words = page(lang);
    match trouble {
        OpenError::NoLink => words.no_link.into(),
        OpenError::Damaged => words.link_damaged.into(),
        OpenError::Newer => words.link_newer.into(),
        OpenError::Older { format } => fill(words.link_older, &[format, &FORMAT_VERSION]),
        OpenError::TooLong => words.link_too_long.into(),
        OpenError::NoFile => words.no_file.into(),
        OpenError::Run(error) => fill(words.run_wrong, &[&error_words(lang, error)]),
        OpenError::NoQr { chars } => fill(words.no_qr, &[chars]),
        OpenError::TooManyRows => fill(words.too_many_rows, &[&MAX_ROWS]),
        OpenError::TextTooLong => fill(words.text_too_long, &[&(MAX_EXPORT_BYTES >> 20)]),
    }
}

macro_rules! page {
    ($($name:ident),* $(,)?) => {
        /// Every text of the page's controls, labels and hints.
        #[derive(Clone, Copy, Debug)]
        #[allow(missing_docs)]
        pub struct Page {
            $(pub $name: &'static str,)*
            /// The words of the gallery, of charts and of empty panels: they have files of their own, and are asked for as the
            /// others are.
            pub more: More,
            /// Scenarios: name, title, what they show.
            pub scenarios: &'static [(&'static str, &'static str, &'static str)],
            /// Parameters of scenarios: name, and what they are called.
            pub params: &'static [(&'static str, &'static str)],
            /// What happens on the lanes of the space-time view: a name that the page knows, and a clause with places for
            /// the server or client and for what it is about.
            pub moments: &'static [(&'static str, &'static str)],
            /// Keys and what they do, in groups.
            pub keys: &'static [(&'static str, &'static [(&'static str, &'static str)])],
            /// The parts of the page, and what one sees there.
            pub sees: &'static [(&'static str, &'static str)],
            /// The hints of a first visit: title and text.
            pub welcome: [(&'static str, &'static str); 3],
            /// Signs on the stage and what they mean: a name that the page knows, and the words.
            pub legend: &'static [(&'static str, &'static str)],
        }

        impl std::ops::Deref for Page {
            type Target = More;

            fn deref(&self) -> &More {
                &self.more
            }
        }

        impl Page {
            /// Every text with its name.
            pub fn texts(&self) -> Vec<(&'static str, &'static str)> {
                let own = vec![$((stringify!($name), self.$name),)*];
                own.into_iter().chain(self.more.texts()).collect()
            }

            /// The same page with each text changed.
            fn turned(&self, change: fn(&'static str) -> &'static str) -> Page {
                Page {
                    $($name: self.$name.turned(change),)*
                    scenarios: self.scenarios.turned(change),
                    params: self.params.turned(change),
                    moments: self.moments.turned(change),
                    more: self.more.turned(change),
                    keys: self.keys.turned(change),
                    sees: self.sees.turned(change),
                    welcome: self.welcome.map(|hint| hint.turned(change)),
                    legend: self.legend.turned(change),
                }
            }
        }
    };
}

page! {
    // the bar
    scenario, own_run, new_run, new_run_title, seed, voters, observers, start, cancel, language, theme_light,
    theme_dark, help, close, lecture, lecture_title, only_stage_back, dark_back,
    // the stage
    stage_label, server_label, server_paused, not_started, link_label, link_open, link_cut, link_one_way, link_slow,
    epoch, epochs_moving, last, votes_for, meter_connect, meter_promise, meter_history, meter_ack, no_vote,
    // the stage in words
    outline, outline_server, outline_down, outline_open, outline_packets, outline_held, outline_quiet,
    // what can be done
    act_crash, act_restart, act_pause, act_resume, act_write, act_isolate, act_rejoin, act_slow_disk, act_usual_disk,
    act_wipe, act_inspect, act_cut, act_cut_one, act_heal, act_slow, act_usual, heal_all, menu_of,
    // clients on the stage
    client_label, client_label_at, client_label_trying, client_connecting, client_connected,
    client_disconnected, client_expired, client_closed, client_refused, client_paused, client_count, client_unseen,
    new_client, new_client_here, client_open_again, act_disconnect, act_move, act_close, act_expire, act_kill,
    client_server, client_raw,
    part_busy, part_waits, part_waits_behind, part_holds, part_reads, part_lease, part_leads, part_stale,
    // naming and the legend
    packet_label, queued, on_disk, applied, lost, named_link, named_held, packets_label, packets_hint, legend_label, legend_hint, legend_now, sign_leading, sign_following,
    sign_looking, sign_crashed, sign_paused, short_queued, short_logged, short_applied, short_lost, short_meter, short_queue,
    short_write, short_read,
    // writing
    write_to, write_text, write_hint, write, write_default,
    // narration
    narration, show_log, hide_log, log_title, nothing_yet,
    // transport
    transport, play, pause, to_start, step, turn, speed, speed_of_real, speed_times, skip_idle, time, timeline, violated_here,
    reign, mark_crash, mark_restart, mark_pause, mark_resume, mark_cut, mark_heal, mark_wipe,
    // changes
    step_back, turn_back, undo, redo, futures, future, future_without, until, until_election, until_commit, until_violation,
    until_leads, until_never, deed_moved, deed_edited, deed_deleted, edit_title, edit_at, edit_json, edit_apply, edit_delete,
    edit_hint, edit_wrong_time, actions_done, action_at, actions_many,
    // panels
    panels, tab_proposals, tab_properties, tab_logs, tab_inspect, tab_chart,
    waiting_for, committed_title, took, acks_of,
    properties_hint, doubles_title, doubles_hint, holds, violated_at, logs_hint, empty_log,
    inspect_hint, lost_at, on_its_way,
    chart_title, chart_x, chart_y,
    // the state of what is picked
    inspect_ensemble, inspect_link, inspect_packet, inspect_transaction, inspect_last, inspect_first,
    inspect_playing, inspect_count, inspect_none_changed, inspect_only, inspect_step, inspect_turn, inspect_turn_none,
    inspect_was, inspect_changed, inspect_new, inspect_new_short, inspect_removed, inspect_removed_short, inspect_arrived,
    // znodes
    tab_znodes, tab_sessions, tab_console, tree_of, leader_mark, compare_with, compare_none, tree_last, tree_same,
    tree_behind, tree_apart, server_down, tree_label, kind_persistent, kind_ephemeral, kind_container, kind_ttl,
    kind_sequential, znode_version, null_data, only_here, differs, differs_below, watches_here, more_rows,
    more_at_least, znode_title, znode_data, znode_acl, znode_there, close_sheet, someone,
    // sessions
    sessions_at, session_timeout, session_owner, session_left, session_uncounted, session_ephemerals,
    session_held, session_unheld, session_of, no_session, clients_title, connections_title,
    watches_title, requests_wait, watch_kept, client_gone,
    // the console
    console, console_log, console_hint, console_keys, client,
    client_actions, open_console, console_waiting,
    stop_waiting, time_stands, rewound, candidates, note_in_doubt, note_not_simulated, note_list, note_line_long,
    note_no_server, note_base64, note_busy, note_given_up,
    // help
    help_title, help_keys, help_signs, help_intro,
    help_sees, welcome_label, welcome_next, welcome_done, welcome_close,
    // two runs beside each other
    compare, compare_alone, compare_title, compare_traffic, compare_requests, compare_notifications, compare_handovers,
    compare_requests_each, compare_notifications_each, compare_latency, compare_latency_short, compare_holders,
    compare_waiting,
    compare_commits, compare_commit_time, compare_messages, compare_syncs, compare_elections, compare_no_leader,
    compare_differs, compare_begins, compare_same, compare_looking, compare_part, compare_nothing, compare_go_there,
    compare_only_left, compare_only_right, compare_form, compare_what, compare_which, compare_start, compare_scenario,
    compare_seed, compare_packets, compare_disk, compare_tick, compare_rule, compare_file, compare_future, compare_ms,
    compare_least, compare_most, compare_no_number, compare_no_file, compare_no_future,
    compare_is_latency, compare_is_disk, compare_is_tick, compare_is_rule,
    // the space-time view
    weave_title, weave_toggle, weave_help, weave_zoom_in, weave_zoom_out, weave_fit, weave_now, weave_compare, weave_first,
    weave_second, weave_summary, weave_list, weave_nothing, weave_sends, weave_receives, weave_fin, weave_sent, weave_arrived,
    weave_lost, weave_at, weave_before, weave_way, weave_same_lane, weave_same, weave_concurrent, weave_down, weave_holds,
    // a part of somebody else's page
    open_whole,
    // sharing
    share, share_title, share_hint, share_link, share_copy, share_copied, share_by_hand, share_length, share_long, share_qr,
    share_qr_of, share_qr_dense, share_back, share_files, share_run, share_facts, share_counters, share_every, share_trace,
    share_open, share_until, share_working, share_drop, share_unreadable, share_unsaved, no_link, link_damaged, link_newer,
    link_older, link_too_long, no_file, run_wrong, no_qr, too_many_rows, text_too_long,
    // pictures
    picture, picture_title, picture_still, picture_film, picture_preview, picture_colours, picture_as_page,
    picture_light, picture_scale, picture_svg, picture_png, picture_saved, picture_failed, picture_large,
    // hands: packets, partitions, a run that is saved from a page that stopped
    packet_title, packet_entry, packet_note, act_hold, act_release, act_lose, packet_gone, act_partition, client_cut,
    client_heal, partition_title, partition_hint, partition_servers, partition_clients, partition_cut, partition_nothing,
    split_title, split_majority, split_minority, rescue_title, rescue_text, rescue_died_here, rescue_save, rescue_new,
    rescue_again,
    // trouble
    wrong_parameter,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_is_empty_and_places_are_the_same_in_every_language() {
        let (en, zh) = (page(Lang::En).texts(), page(Lang::Zh).texts());
        for ((name, english), (_, chinese)) in en.into_iter().zip(zh) {
            assert!(!english.is_empty() && !chinese.is_empty(), "{name}");
            assert_eq!(english.matches("{}").count(), chinese.matches("{}").count(), "{name}");
        }
        let groups = |lang| page(lang).keys.iter().map(|(_, keys)| keys.len()).collect::<Vec<_>>();
        assert_eq!(groups(Lang::En), groups(Lang::Zh));
        assert_eq!(page(Lang::En).sees.len(), page(Lang::Zh).sees.len());
        let signs = |lang| page(lang).legend.iter().map(|(sign, _)| *sign).collect::<Vec<_>>();
        assert_eq!(signs(Lang::En), signs(Lang::Zh));
    }

    #[test]
    fn every_scenario_has_a_title_in_every_language() {
        for scenario in crate::scenarios::SCENARIOS {
            for lang in Lang::ALL {
                assert!(scenario_words(lang, scenario.id).is_some(), "{}", scenario.id);
            }
        }
    }

    #[test]
    fn every_parameter_has_a_name_in_every_language() {
        for param in crate::scenarios::SCENARIOS.iter().flat_map(|scenario| scenario.params()) {
            for lang in Lang::ALL {
                assert!(page(lang).params.iter().any(|(name, _)| *name == param.name), "{}", param.name);
            }
        }
    }

    #[test]
    fn places_are_filled_in_order() {
        assert_eq!(fill("{} of {}", &[&2, &"three"]), "2 of three");
        assert_eq!(fill("{} {}", &[&1]), "1 ");
    }
}
