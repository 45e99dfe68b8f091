//! A client's process.

use crate::base::{ClientId, SimTime, SortedMap};
use crate::client::{Client, Timer};

/// One client's process.
#[derive(Clone, Debug)]
pub struct ClientProcess {
    /// The client's number.
    pub id: ClientId,
    /// Its library.
    pub client: Client,
    /// Whether it stands still: packets wait in its socket, timers come late.
    pub paused: bool,
    /// Its armed timers; kept here while it is paused.
    pub(super) timers: SortedMap<Timer, SimTime>,
}

impl ClientProcess {
    pub(super) fn new(id: ClientId, client: Client) -> ClientProcess {
        ClientProcess { id, client, paused: false, timers: SortedMap::new() }
    }
}
