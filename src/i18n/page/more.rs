//! The words of the gallery of scenarios, of charts, and of panels in which there is nothing.

macro_rules! texts {
    ($($name:ident),* $(,)?) => {
        /// Every text of the gallery, of charts and of empty panels.
        #[derive(Clone, Copy, Debug)]
        #[allow(missing_docs)]
        pub struct More {
            $(pub $name: &'static str,)*
        }

        impl More {
            /// Every text with its name.
            pub fn texts(&self) -> Vec<(&'static str, &'static str)> {
                vec![$((stringify!($name), self.$name),)*]
            }

            /// The same with each text changed.
            pub(super) fn turned(&self, change: fn(&'static str) -> &'static str) -> More {
                More { $($name: change(self.$name),)* }
            }
        }
    };
}

texts! {
    // the gallery
    gallery, gallery_title, gallery_search, gallery_hint, gallery_found, gallery_nothing, gallery_all, gallery_now,
    group_ensemble, group_store, group_locks, group_recipes, gallery_pairs, gallery_both, gallery_left, left_at,
    left_changed, left_plain, gallery_own, gallery_file, gallery_paste, gallery_paste_hint, gallery_paste_open,
    gallery_new, pair_mutex, pair_lock, pair_leader, pair_naive,
    // charts
    chart_latency, chart_latency_said, chart_sampled, chart_latency_none, chart_rate, chart_rate_y, chart_rate_said,
    chart_rate_none, chart_sent, chart_sent_x, chart_sent_said, chart_sent_none, chart_others, chart_comma, chart_release,
    chart_release_y, chart_release_said, chart_release_none, chart_release_never, chart_gap, chart_gap_y, chart_gap_said,
    chart_gap_lasts, chart_gap_never, chart_gap_none, chart_numbers, head_at, head_took, head_epoch, head_from, head_to,
    head_commits, head_type, head_waited, head_handed,
    // where there is nothing
    next_write, next_gallery, next_restart, next_ensemble, none_proposed, none_committed, none_leads, none_in_log,
    none_judged, none_client, none_session, none_connection, none_watch, none_in_tree, none_typed, none_picked,
    none_woven, none_told, none_started,
    // pictures that move
    film_from, film_to, film_next, film_happened, film_rate, film_width, film_make, film_counting, film_count, film_under_way,
    film_progress, film_cancelled, film_times, film_backwards, film_long, film_large, film_heavy, film_far, film_broken,
}
