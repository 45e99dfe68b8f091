//! MULTI, EXEC, WATCH (`multi.c`).

use crate::base::ConnId;
use crate::daemon::Cx;
use crate::redis::reply::Reply;
use crate::redis::store::find;

use super::state::Server;

impl Server {
    pub(super) fn transaction(&mut self, conn: ConnId, name: &str, args: &[String], cx: &mut Cx<Server>) -> Reply {
        let Some(session) = self.sessions.get_mut(&conn) else { return Reply::Nil };
        let queued = session.queue.is_some();
        match name {
            "multi" if queued => Reply::error("ERR MULTI calls can not be nested"),
            "multi" => {
                session.queue = Some(Vec::new());
                Reply::ok()
            }
            "watch" if queued => Reply::error("ERR WATCH inside MULTI is not allowed"),
            "watch" => {
                for key in args.iter().skip(1) {
                    if session.watched.iter().all(|(watched, _)| watched != key) {
                        let expired = self.keys.is_expired(key);
                        session.watched.push((key.clone(), expired));
                    }
                }
                Reply::ok()
            }
            "unwatch" => {
                session.watched.clear();
                session.dirty = false;
                Reply::ok()
            }
            "discard" if queued => {
                session.end_multi();
                Reply::ok()
            }
            "discard" => Reply::error("ERR DISCARD without MULTI"),
            _ if queued => self.exec(conn, cx),
            _ => Reply::error("ERR EXEC without MULTI"),
        }
    }

    /// Runs what was queued, as one command; an error inside stops nothing.
    fn exec(&mut self, conn: ConnId, cx: &mut Cx<Server>) -> Reply {
        let Some(session) = self.sessions.get_mut(&conn) else { return Reply::Nil };
        let (spoilt, mut dirty) = (session.spoilt, session.dirty);
        // a watched key whose time is over counts as changed, though nothing has removed it yet
        dirty |= session.watched.iter().any(|(key, was_expired)| !was_expired && self.keys.is_expired(key));
        let queue = session.queue.take().unwrap_or_default();
        session.end_multi();
        if spoilt {
            return Reply::error("EXECABORT Transaction discarded because of previous errors.");
        }
        if dirty {
            return Reply::NilArray;
        }
        let mut replies = Vec::new();
        self.in_exec = true;
        for args in queue {
            let entry = args.first().and_then(|name| find(name));
            let reply = entry.and_then(|entry| self.execute(conn, entry, &args, cx));
            // what would wait is answered at once inside of EXEC
            replies.push(reply.unwrap_or(Reply::NilArray));
        }
        self.in_exec = false;
        Reply::Array(replies)
    }

    /// Connections that watch what was changed will run nothing.
    pub(super) fn touch_watched(&mut self) {
        for key in std::mem::take(&mut self.keys.touched) {
            let gone = !self.keys.data.contains_key(&key);
            for session in self.sessions.values_mut() {
                for (_, was_expired) in session.watched.iter_mut().filter(|(watched, _)| *watched == key) {
                    match *was_expired {
                        // one that was over before is removed: nothing has changed for the watcher
                        true if gone => *was_expired = false,
                        true => {}
                        false => session.dirty = true,
                    }
                }
            }
        }
    }
}
