//! What the user chose. One reducer; the run itself lives in the engine.

use std::rc::Rc;

use serde::{Deserialize, Serialize};
use yew::prelude::*;

use crate::base::{ClientId, MsgId, ServerId, Zxid};
use crate::i18n::Lang;
use crate::scenarios::Cast;
use crate::ui::kit::wear::Theme;
use crate::ui::page::controls::Controls;
use crate::ui::page::panel::Panel;

use crate::ui::engine::Engine;

/// What is picked on the stage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::ui) enum Selection {
    #[default]
    Nothing,
    Server(ServerId),
    Link(ServerId, ServerId),
    Packet(MsgId),
    Client(ClientId),
    Transaction(Zxid),
}

/// What stands in the middle of the page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(in crate::ui) enum View {
    #[default]
    Stage,
    SpaceTime,
}

/// What lies over the page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::ui) enum Overlay {
    #[default]
    Nothing,
    Menu,
    Help,
    NewRun,
    Compare,
    Share,
    /// So many of the run's actions, from one on, to be changed.
    Edit(usize, usize),
    Pictures,
    Gallery,
    /// Which servers stand on one side of a cut.
    Partition,
    /// Kinds of lock under the same faults.
    Locks,
    /// Disks of real servers.
    Disks,
}

/// Everything that the user chose.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::ui) struct Choices {
    pub lang: Lang,
    pub theme: Theme,
    pub picked: Selection,
    pub panel: Panel,
    pub view: View,
    /// How the stage is cast, where a hand chose it.
    pub cast: Option<Cast>,
    pub over: Overlay,
    pub log_open: bool,
    /// The client whose console is shown.
    pub client: Option<ClientId>,
    /// How often the console was asked for by a key: it takes the focus then.
    pub console_asked: u32,
    /// How much there is around the stage.
    pub controls: Controls,
    /// The panels stand beside the stage.
    pub side: bool,
    /// Keys that turn slides are handed to the page around this one.
    pub deck_keys: bool,
    /// Keys of one character mean nothing: who speaks to the page cannot set them off.
    pub no_letters: bool,
    /// Large type and high contrast, for a hall.
    pub lecture: bool,
    /// Nothing but the stage.
    pub only_stage: bool,
    /// The legend is open, beside the stage in the place of the panels.
    pub legend: bool,
    /// The screen is dark, so that a hall looks at its lecturer.
    pub dark: bool,
    /// On a narrow screen: what is seldom needed is open too.
    pub more: bool,
}

impl Choices {
    /// Whether there is only a part of the page, in somebody else's page.
    pub(crate) fn thin(&self) -> bool {
        self.controls != Controls::Full
    }

    /// The panels stand beside the stage, where there is room for one thing.
    fn open_side(&mut self) {
        (self.side, self.legend) = (true, false);
    }

    /// Whether Escape would close something.
    pub(crate) fn closable(&self) -> bool {
        let over = self.over != Overlay::Nothing || self.log_open || self.more || self.picked != Selection::Nothing;
        over || self.only_stage || self.dark
    }
}

/// A choice.
#[derive(Clone, Copy, Debug)]
pub(in crate::ui) enum UiAction {
    Lang(Lang),
    Theme(Theme),
    /// Picks something and opens its menu.
    Open(Selection),
    /// Picks something without a menu.
    Pick(Selection),
    Panel(Panel),
    /// The other one of the two views.
    OtherView,
    /// Casts the stage, or leaves it to the scenario.
    Cast(Option<Cast>),
    Overlay(Overlay),
    Log(bool),
    /// Chooses a client for the console.
    Client(ClientId),
    /// Shows the console, ready to be typed in.
    Console,
    /// Closes whatever lies over the page.
    Close,
    Controls(Controls),
    Side(bool),
    DeckKeys(bool),
    /// Whether keys of one character mean nothing.
    NoLetters(bool),
    /// Lecture-hall mode, or the other way round.
    Lecture,
    /// Nothing but the stage, or everything again.
    OnlyStage,
    /// Opens the legend, or closes it.
    Legend,
    /// A dark screen, or what was there.
    Dark,
    /// What is seldom needed on a narrow screen, or away with it.
    More,
    /// Shows what a link says.
    Shared(crate::ui::page::looks::Seen),
}

impl Reducible for Choices {
    type Action = UiAction;

    fn reduce(self: Rc<Self>, choose: UiAction) -> Rc<Self> {
        let mut next = (*self).clone();
        match choose {
            UiAction::Lang(lang) => next.lang = lang,
            UiAction::Theme(theme) => next.theme = theme,
            UiAction::Open(picked) => {
                let again = self.picked == picked && self.over == Overlay::Menu;
                next.picked = picked;
                next.over = if again { Overlay::Nothing } else { Overlay::Menu };
                if let Selection::Packet(_) = picked {
                    next.panel = Panel::Inspect;
                }
            }
            UiAction::Pick(picked) => {
                next.picked = picked;
                next.over = Overlay::Nothing;
                if matches!(picked, Selection::Packet(_) | Selection::Transaction(_)) {
                    next.panel = Panel::Inspect;
                    next.open_side();
                }
            }
            UiAction::Panel(panel) => {
                next.panel = panel;
                next.open_side();
            }
            UiAction::OtherView => {
                next.view = if self.view == View::Stage { View::SpaceTime } else { View::Stage };
            }
            UiAction::Cast(cast) => (next.cast, next.view) = (cast, View::Stage),
            UiAction::Overlay(over) => next.over = over,
            UiAction::Log(open) => next.log_open = open,
            UiAction::Client(client) => next.client = Some(client),
            UiAction::Console => {
                // the keyboard goes there: nothing may lie over it
                next.over = Overlay::Nothing;
                next.panel = Panel::Console;
                next.open_side();
                next.console_asked += 1;
            }
            UiAction::Lecture => (next.lecture, next.side) = (!self.lecture, false),
            UiAction::OnlyStage => next.only_stage = !self.only_stage,
            UiAction::Legend => (next.legend, next.side) = (!self.legend, self.side && self.legend),
            UiAction::Dark => next.dark = !self.dark,
            UiAction::More => next.more = !self.more,
            UiAction::Close if self.dark => next.dark = false,
            UiAction::Close if self.over != Overlay::Nothing => next.over = Overlay::Nothing,
            UiAction::Close if self.log_open => next.log_open = false,
            UiAction::Close if self.more => next.more = false,
            UiAction::Close if self.picked != Selection::Nothing => next.picked = Selection::Nothing,
            UiAction::Close => next.only_stage = false,
            UiAction::Controls(controls) => next.controls = controls,
            UiAction::Side(true) => next.open_side(),
            UiAction::Side(false) => next.side = false,
            UiAction::DeckKeys(deck) => next.deck_keys = deck,
            UiAction::NoLetters(off) => next.no_letters = off,
            UiAction::Shared(seen) => next.show(seen),
        }
        if *self == next { self } else { Rc::new(next) }
    }
}

/// What every component may context: the engine, and where choices go. Never changes.
#[derive(Clone, PartialEq)]
pub(in crate::ui) struct PageContext {
    pub engine: Engine,
    pub choose: UseReducerDispatcher<Choices>,
}

/// The engine and the dispatcher, from the context.
#[hook]
pub(in crate::ui) fn use_page_context() -> PageContext {
    use_context::<PageContext>().expect("the page gives every part its context")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escape_closes_one_thing_after_the_other_and_a_no_op_keeps_the_state() {
        let mut state = Rc::new(Choices::default());
        for choose in [UiAction::Log(true), UiAction::Open(Selection::Server(ServerId(1)))] {
            state = state.reduce(choose);
        }
        assert_eq!(state.over, Overlay::Menu);
        state = state.reduce(UiAction::Close);
        assert_eq!((state.over, state.log_open), (Overlay::Nothing, true));
        state = state.reduce(UiAction::Close);
        assert!(!state.log_open);
        state = state.reduce(UiAction::Close);
        assert_eq!(state.picked, Selection::Nothing);
        let same = state.clone().reduce(UiAction::Close);
        assert!(Rc::ptr_eq(&state, &same));
    }

    #[test]
    fn the_console_is_not_asked_for_behind_something() {
        let state = Rc::new(Choices::default()).reduce(UiAction::Overlay(Overlay::Gallery)).reduce(UiAction::Console);
        assert_eq!((state.over, state.panel), (Overlay::Nothing, Panel::Console));
    }

    #[test]
    fn a_dark_screen_is_the_first_to_go_and_the_lone_stage_the_last() {
        let mut state = Rc::new(Choices::default());
        for choose in [UiAction::OnlyStage, UiAction::Pick(Selection::Server(ServerId(1))), UiAction::Dark] {
            state = state.reduce(choose);
        }
        state = state.reduce(UiAction::Close);
        assert!(!state.dark && state.only_stage && state.picked != Selection::Nothing);
        state = state.reduce(UiAction::Close);
        assert!(state.only_stage && state.picked == Selection::Nothing);
        state = state.reduce(UiAction::Close);
        assert!(!state.only_stage && !state.closable());
    }

    #[test]
    fn there_are_no_panels_until_they_are_asked_for() {
        let mut state = Rc::new(Choices::default());
        assert!(!state.side);
        state = state.reduce(UiAction::Panel(Panel::Logs));
        assert!(state.side);
        state = state.reduce(UiAction::Lecture);
        assert!(!state.side, "a hall sees the stage first");
    }

    #[test]
    fn beside_the_stage_stand_panels_or_the_legend() {
        let mut state = Rc::new(Choices::default()).reduce(UiAction::Panel(Panel::Logs));
        for (choose, side, legend) in
            [(UiAction::Legend, false, true), (UiAction::Side(true), true, false), (UiAction::Legend, false, true)]
        {
            state = state.reduce(choose);
            assert_eq!((state.side, state.legend), (side, legend));
        }
        state = state.reduce(UiAction::Console);
        assert!(state.side && !state.legend && !state.reduce(UiAction::Side(false)).side);
    }

    #[test]
    fn a_packet_is_inspected_at_once() {
        let state = Rc::new(Choices::default()).reduce(UiAction::Pick(Selection::Packet(MsgId(3))));
        assert_eq!(state.panel, Panel::Inspect);
    }
}
