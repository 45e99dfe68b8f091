//! Subscriptions (`pubsub.c`); PUBLISH stands with the keys, since scripts call it.

use crate::base::ConnId;
use crate::rivals::redis::message::Message;
use crate::rivals::redis::reply::Reply;

use super::state::Server;

impl Server {
    /// SUBSCRIBE and UNSUBSCRIBE: an answer for each channel.
    pub(super) fn subscription(&mut self, conn: ConnId, name: &str, args: &[String]) -> Option<Reply> {
        let mut channels: Vec<String> = args.iter().skip(1).cloned().collect();
        let session = self.sessions.get(&conn)?;
        if channels.is_empty() {
            channels = session.channels.iter().cloned().collect();
        }
        if channels.is_empty() {
            let none = Reply::Array(vec![Reply::Bulk(name.into()), Reply::Nil, Reply::Int(0)]);
            return Some(none);
        }
        for channel in channels {
            let session = self.sessions.get_mut(&conn)?;
            match name {
                "subscribe" => {
                    session.channels.insert(channel.clone());
                    self.keys.channels.entry(channel.clone()).or_default().insert(conn);
                }
                _ => {
                    session.channels.remove(&channel);
                    self.leave_channel(conn, &channel);
                }
            }
            let count = self.sessions.get(&conn).map_or(0, |session| session.channels.len());
            let parts = vec![Reply::Bulk(name.into()), Reply::Bulk(channel), Reply::Int(count as i64)];
            self.answer(conn, Message::Reply { reply: Reply::Array(parts) });
        }
        None
    }

    /// PING: a subscribed connection is answered by a list.
    pub(super) fn ping(&self, conn: ConnId, args: &[String]) -> Reply {
        let subscribed = self.sessions.get(&conn).is_some_and(|session| !session.channels.is_empty());
        match (args.get(1), subscribed) {
            (text, true) => Reply::texts(["pong", text.map_or("", String::as_str)]),
            (Some(text), false) => Reply::Bulk(text.clone()),
            (None, false) => Reply::Status("PONG".into()),
        }
    }

    pub(super) fn leave_channel(&mut self, conn: ConnId, channel: &str) {
        if let Some(there) = self.keys.channels.get_mut(channel) {
            there.remove(&conn);
            if there.is_empty() {
                self.keys.channels.remove(channel);
            }
        }
    }
}
