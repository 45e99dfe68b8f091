//! The side: one panel at a time, of this table.

use crate::i18n::page::Page;

pub mod charts;
pub mod console;
pub mod inspect;
pub mod lists;
pub mod logs;
pub mod properties;
pub mod search;
pub mod sessions;
pub mod side;
pub mod system_console;
pub mod znodes;

/// The panels in the order of their tabs, handed to a macro: name in the code, name in links and messages, the tab's word, a class of the
/// body (what is `full` scrolls inside), and what is shown, of what the side knows (`side::Known`).
macro_rules! panels {
    ($then:ident) => {
        $then! {
            Proposals, "proposals", words.tab_proposals, None, |side| html! { <lists::Proposals lang={side.lang} /> };
            Znodes, "znodes", words.tab_znodes, Some("full"), |side| html! { <znodes::Znodes lang={side.lang} picked={side.picked} query={&side.tree} /> };
            Sessions, "sessions", words.tab_sessions, None, |side| html! { <sessions::Sessions lang={side.lang} picked={side.picked} server={&side.server} /> };
            Console, "console", words.tab_console, Some("full"), |side| html! { <system_console::Consoles lang={side.lang} client={side.client} asked={side.console_asked} /> };
            Properties, "properties", words.tab_properties, None, |side| html! { <properties::Properties lang={side.lang} /> };
            Search, "search", words.tab_search, None, |side| html! { <search::SearchPanel lang={side.lang} /> };
            Logs, "logs", words.tab_logs, None, |side| html! { <logs::Logs lang={side.lang} /> };
            Inspect, "inspect", words.tab_inspect, Some("inspects"), |side| html! { <inspect::Inspect lang={side.lang} picked={side.picked} folds={&side.folds} /> };
            Chart, "chart", words.tab_chart, None, |side| html! { <charts::Charts lang={side.lang} wear={side.wear} /> };
        }
    };
}
use panels;

macro_rules! declare {
    ($($Panel:ident, $name:literal, $words:ident.$tab:ident, $class:expr, |$side:ident| $body:expr;)*) => {
        /// The panel beside the stage.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub(in crate::ui) enum Panel {
            #[default]
            $($Panel,)*
        }

        impl Panel {
            /// All of them, in the order of their tabs.
            pub const ALL: &[Panel] = &[$(Panel::$Panel),*];
            /// Their names in links and messages, in the same order.
            pub const NAMES: &[&str] = &[$($name),*];

            /// The word on its tab.
            fn tab(self, words: &Page) -> &'static str {
                match self {
                    $(Panel::$Panel => words.$tab,)*
                }
            }

            /// The class of its body.
            fn class(self) -> Option<&'static str> {
                match self {
                    $(Panel::$Panel => $class,)*
                }
            }
        }
    };
}

panels!(declare);

impl Panel {
    /// The panel of this name.
    pub fn named(name: &str) -> Option<Panel> {
        Panel::NAMES.iter().position(|known| *known == name).map(|at| Panel::ALL[at])
    }

    /// Whether it shows what only an ensemble has.
    fn is_of_ensemble(self) -> bool {
        matches!(self, Panel::Proposals | Panel::Znodes | Panel::Sessions | Panel::Logs)
    }

    /// Its name in links and messages.
    pub fn name(self) -> &'static str {
        Panel::NAMES[self as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_panel_is_found_by_a_name_of_its_own() {
        for &panel in Panel::ALL {
            assert_eq!(Panel::named(panel.name()), Some(panel));
        }
        assert_eq!(Panel::named("kitchen"), None);
    }
}
