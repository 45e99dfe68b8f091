//! Clients that read at a participant.

use crate::base::ConnId;

use super::fact::What;
use super::message::Message;
use super::participant::{Alarm, C, Participant};
use super::setup::Commit;

impl Participant {
    /// A client reads: at once, or when nobody writes.
    pub(super) fn read(&mut self, conn: ConnId, item: String, waits: bool, cx: C) {
        match (self.items.writer(&item), self.lines.peer(conn)) {
            (Some(holder), Some(client)) if waits => {
                self.readers.insert((conn, item.clone()));
                self.alarms.set(cx, Alarm::Read(conn), Commit::us(cx.config.lock_wait_ms));
                Self::fact(cx, What::ReadWait { client, item, holder });
            }
            _ => {
                let value = self.items.value(&item);
                cx.send(conn, Message::Value { item, value });
            }
        }
    }

    pub(super) fn refuse_read(&mut self, conn: ConnId, cx: C) {
        for (reader, item) in self.readers.clone().into_iter().filter(|(reader, _)| *reader == conn) {
            if let Some(holder) = self.items.writer(&item) {
                self.reply(Some(conn), Message::Locked { item: item.clone(), holder }, cx);
            }
            self.readers.remove(&(reader, item));
        }
    }

    /// Who waits for what nobody writes any more gets it.
    pub(super) fn serve_readers(&mut self, cx: C) {
        for (conn, item) in self.readers.clone() {
            if self.items.writer(&item).is_none() {
                self.readers.remove(&(conn, item.clone()));
                let value = self.items.value(&item);
                self.reply(Some(conn), Message::Value { item, value }, cx);
            }
        }
    }
}
