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
        }
    };
}

texts! {
    // the gallery
    gallery, gallery_title, gallery_search, gallery_hint, gallery_found, gallery_nothing, gallery_all, gallery_now,
    group_ensemble, group_store, group_locks, group_recipes, gallery_pairs, gallery_both, gallery_left, left_at,
    left_changed, left_plain, gallery_own, gallery_file, gallery_paste, gallery_paste_hint, gallery_paste_open,
    gallery_new, pair_mutex, pair_lock, pair_leader, pair_naive,
}
