//! The side: one panel at a time, of this table.

use crate::i18n::page::Page;
use crate::ui::page::panel::Panel;

pub(super) mod charts;
pub(super) mod console;
pub(super) mod empty_state;
pub(super) mod inspect;
pub(super) mod lists;
pub(super) mod logs;
pub(super) mod properties;
pub(super) mod recipe;
pub(super) mod search;
pub(super) mod sessions;
pub(super) mod side;
pub(super) mod system_console;
pub(super) mod znodes;

/// The panels in the order of their tabs, handed to a macro: name in the code, the tab's word, a class of the
/// body (what is `full` scrolls inside), and what is shown, of what the side knows (`side::Known`).
macro_rules! panels {
    ($then:ident) => {
        $then! {
            Proposals, words.tab_proposals, None, |side| html! { <lists::Proposals lang={side.lang} /> };
            Logs, words.tab_logs, None, |side| html! { <logs::Logs lang={side.lang} /> };
            Znodes, words.tab_znodes, Some("full"), |side| html! { <znodes::Znodes lang={side.lang} picked={side.picked} query={&side.tree} /> };
            Sessions, words.tab_sessions, None, |side| html! { <sessions::Sessions lang={side.lang} picked={side.picked} server={&side.server} /> };
            Properties, words.tab_properties, None, |side| html! { <properties::Properties lang={side.lang} /> };
            Inspect, words.tab_inspect, Some("inspects"), |side| html! {
                <inspect::Inspect lang={side.lang} picked={side.picked} folds={&side.folds} />
            };
            Console, words.tab_console, Some("full"), |side| html! {
                <system_console::Consoles lang={side.lang} client={side.client} asked={side.console_asked} />
            };
            Chart, words.tab_chart, None, |side| html! { <charts::Charts lang={side.lang} wear={side.wear} /> };
            Search, words.tab_search, None, |side| html! { <search::SearchPanel lang={side.lang} /> };
            Recipe, words.tab_recipe, None, |side| html! { <recipe::RecipePanel lang={side.lang} /> };
        }
    };
}
use panels;

macro_rules! declare {
    ($($Panel:ident, $words:ident.$tab:ident, $class:expr, |$side:ident| $body:expr;)*) => {
        impl Panel {
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
    /// Whether it shows what only an ensemble has.
    fn is_of_ensemble(self) -> bool {
        matches!(self, Panel::Proposals | Panel::Znodes | Panel::Sessions | Panel::Logs)
    }
}
