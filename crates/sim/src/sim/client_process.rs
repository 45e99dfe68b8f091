//! A client's process.

use crate::base::{ClientId, SimTime, SortedMap};
use crate::client::{Client, Timer};
use crate::recipes::{App, CuratorConfig};

/// One client's process.
#[derive(Clone, Debug)]
pub struct ClientProcess {
    /// The client's number.
    pub id: ClientId,
    /// Its library.
    pub client: Client,
    /// What runs on it, where it is more than calls by hand.
    pub app: Option<App>,
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
            curator: CuratorConfig::default(),
            paused: false,
            timers: SortedMap::new(),
        }
    }
}
