//! A client's process.

use std::rc::Rc;

use crate::base::{ClientId, SimTime, SortedMap};
use crate::client::{Client, Timer};
use crate::recipes::{App, CuratorConfig, Recognised, Standing, ThreadId};

/// One client's process.
#[derive(Clone, Debug)]
pub struct ClientProcess {
    /// The client's number.
    pub id: ClientId,
    /// Its library.
    pub client: Client,
    /// What runs on it, where it is more than calls by hand.
    pub app: Option<App>,
    /// What is known of its program, where that is outside of the simulation.
    pub outside: Option<Recognised>,
    /// How its framework is to be set up.
    pub(super) curator: CuratorConfig,
    /// Whether it stands still: packets wait in its socket, timers come late.
    pub paused: bool,
    /// Its armed timers; kept here while it is paused.
    pub(super) timers: SortedMap<Timer, SimTime>,
}

impl ClientProcess {
    pub(super) fn new(id: ClientId, client: Client) -> ClientProcess {
        ClientProcess {
            id,
            client,
            app: None,
            outside: None,
            curator: CuratorConfig::default(),
            paused: false,
            timers: SortedMap::new(),
        }
    }

    /// The client, and what its program is called where that is outside and has told: `C1 my_lock.py`.
    pub fn title(&self) -> String {
        let name = self.outside.as_ref().and_then(|program| program.name.as_ref());
        name.map_or(self.id.to_string(), |name| format!("{} {name}", self.id))
    }

    /// Whether its program follows a recipe: one of ours, or one of a program outside that is recognised.
    pub fn runs_recipes(&self) -> bool {
        self.app.is_some() || self.outside.as_ref().is_some_and(|program| program.queues().next().is_some())
    }

    /// Where its program's threads stand in recipes: by object and thread. Of a program outside, as far as it is recognised.
    pub fn standings(&self) -> impl Iterator<Item = (&Rc<str>, ThreadId, &Standing)> {
        let own = self.app.iter().flat_map(App::standings);
        own.chain(self.outside.iter().flat_map(Recognised::standings))
    }
}
