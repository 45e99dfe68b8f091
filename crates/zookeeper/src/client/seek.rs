//! A client at a read-only server looks for one that can write: it asks the others in turn, less and less often
//! (`ClientCnxn.java` `pingRwServer`). The real one stands still while it asks; here the answer comes beside everything else.

use crate::base::SimTime;
use crate::wire::{ToClient, ToServer};

use super::io::{Fact, Input, Outbox, Timer};
use super::library::Client;
use super::timers::{MS, SEEK_FIRST_MS};

/// The longest pause between two questions, ms.
const LONGEST_MS: u64 = 60_000;

impl Client {
    pub(in crate::client) fn seek_soon(&mut self, now: SimTime, out: &mut Outbox) {
        self.timers.arm(Timer::Seek, now.plus(self.search.pause_ms * MS), out);
    }

    /// Asks the next server of the list; one that has not answered by now is given up.
    pub(in crate::client) fn seek(&mut self, now: SimTime, out: &mut Outbox) {
        self.stop_search(out);
        self.search.pause_ms = (2 * self.search.pause_ms).min(LONGEST_MS);
        if let Some((server, _)) = self.hosts.next() {
            out.fact(Fact::ClientSeeks { server });
            self.search.asked = Some((out.dial(server), server));
        }
        self.seek_soon(now, out);
    }

    /// The connection on which a server is being asked is given up.
    pub(in crate::client) fn stop_search(&mut self, out: &mut Outbox) {
        if let Some((conn, _)) = self.search.asked.take() {
            out.close(conn);
        }
    }

    /// What happens on that connection; any other input is given back.
    pub(in crate::client) fn search_hears(&mut self, now: SimTime, input: Input, out: &mut Outbox) -> Option<Input> {
        let Some((asked, server)) = self.search.asked else { return Some(input) };
        match input {
            Input::Connected(conn) if conn == asked => out.send(conn, ToServer::is_read_only()),
            Input::Refused(conn) | Input::Closed(conn) if conn == asked => self.search.asked = None,
            Input::Packet(conn, packet) if conn == asked => {
                self.stop_search(out);
                if matches!(packet, ToClient::Text { text } if &*text == "rw") {
                    self.search.pause_ms = SEEK_FIRST_MS;
                    self.change_to(now, server, out);
                }
            }
            input => return Some(input),
        }
        None
    }
}
