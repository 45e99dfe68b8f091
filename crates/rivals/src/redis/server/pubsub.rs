//! Subscriptions (`pubsub.c`); PUBLISH stands with the keys, since scripts call it.

use crate::base::ConnId;
use crate::redis::message::Message;
use crate::redis::reply::Reply;

use super::state::Server;

impl Server {
    /// (P)SUBSCRIBE and (P)UNSUBSCRIBE: an answer for each channel or pattern.
    pub(super) fn subscription(&mut self, conn: ConnId, name: &str, args: &[String]) -> Option<Reply> {
        let (by_pattern, joins) = (name.starts_with('p'), name.ends_with("psubscribe") || name == "subscribe");
        let session = self.sessions.get(&conn)?;
        let mut names: Vec<String> = args.iter().skip(1).cloned().collect();
        if names.is_empty() {
            names = (if by_pattern { &session.patterns } else { &session.channels }).iter().cloned().collect();
        }
        if names.is_empty() {
            let count = session.channels.len() + session.patterns.len();
            return Some(Reply::Array(vec![Reply::Bulk(name.into()), Reply::Nil, Reply::Int(count as i64)]));
        }
        for channel in names {
            let session = self.sessions.get_mut(&conn)?;
            let own = if by_pattern { &mut session.patterns } else { &mut session.channels };
            let all = if by_pattern { &mut self.keys.patterns } else { &mut self.keys.channels };
            if joins {
                own.insert(channel.clone());
                all.get_or_default(channel.clone()).insert(conn);
            } else {
                own.remove(&channel);
                all.get_mut(&channel).into_iter().for_each(|there| {
                    there.remove(&conn);
                });
                all.retain(|_, there| !there.is_empty());
            }
            let count = session.channels.len() + session.patterns.len();
            let parts = vec![Reply::Bulk(name.into()), Reply::Bulk(channel), Reply::Int(count as i64)];
            self.answer(conn, Message::Reply { reply: Reply::Array(parts) });
        }
        None
    }

    /// PING: a subscribed connection is answered by a list.
    pub(super) fn ping(&self, conn: ConnId, args: &[String]) -> Reply {
        let subscribed = self.sessions.get(&conn).is_some_and(|session| session.is_subscribed());
        match (args.get(1), subscribed) {
            (text, true) => Reply::texts(["pong", text.map_or("", String::as_str)]),
            (Some(text), false) => Reply::Bulk(text.clone()),
            (None, false) => Reply::Status("PONG".into()),
        }
    }

    /// A connection is subscribed to nothing any more.
    pub(super) fn leave_channels(&mut self, conn: ConnId) {
        for all in [&mut self.keys.channels, &mut self.keys.patterns] {
            all.values_mut().for_each(|there| {
                there.remove(&conn);
            });
            all.retain(|_, there| !there.is_empty());
        }
    }
}
