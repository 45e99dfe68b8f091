//! The names of the panels, which links, messages and choices know; what each shows is a table in `panels`.

macro_rules! panels {
    ($($Panel:ident $name:literal,)*) => {
        /// The panel beside the stage.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub(in crate::ui) enum Panel {
            #[default]
            $($Panel,)*
        }

        impl Panel {
            /// All of them, in the order of their tabs.
            pub(crate) const ALL: &[Panel] = &[$(Panel::$Panel),*];
            /// Their names in links and messages, in the same order.
            pub(crate) const NAMES: &[&str] = &[$($name),*];
        }
    };
}

panels! {
    // what the run holds
    Proposals "proposals",
    Logs "logs",
    Znodes "znodes",
    Sessions "sessions",
    Properties "properties",
    // what one does with it
    Inspect "inspect",
    Console "console",
    Chart "chart",
    Search "search",
    Recipe "recipe",
}

impl Panel {
    /// The panel of this name.
    pub(crate) fn named(name: &str) -> Option<Panel> {
        Panel::NAMES.iter().position(|known| *known == name).map(|at| Panel::ALL[at])
    }

    /// Its name in links and messages.
    pub(crate) fn name(self) -> &'static str {
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
