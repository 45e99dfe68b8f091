//! Sessions, their ephemerals and connections, as `dump` tells of them (`dumpSessions` in `SessionTrackerImpl.java`,
//! `LearnerSessionTracker.java` and `LeaderSessionTracker.java`, `ExpiryQueue.java` `dump`). What is in a set stands in order here,
//! and in that of a hash table there.

use crate::base::{ConnId, SessionId, SimTime, SortedSet};
use crate::server::Server;

use super::{Asked, address};

impl Asked<'_> {
    pub(super) fn dump(&self) -> String {
        let Server { tree, service, .. } = self.server;
        let mut text = "SessionTracker dump:\n".to_string();
        let session = |session: &SessionId| format!("0x{:x}", session.0);
        let local = self.env.config.service.local_sessions;
        if local {
            text += &self.sets("Local Session", service.local_sets(self.env.now).collect(), session);
        }
        match &service.leading {
            Some(leading) => {
                let what = if local { "Global Session" } else { "Session" };
                text += &self.sets(what, leading.session_sets(self.env.now).collect(), session);
            }
            None => text += &sessions(tree.sessions().collect()),
        }
        let owners = || tree.sessions().filter(|(session, _)| tree.ephemerals(*session).next().is_some());
        text += &format!("ephemeral nodes dump:\nSessions with Ephemerals ({}):\n", owners().count());
        for (session, _) in owners() {
            text += &format!("0x{:x}:\n", session.0);
            tree.ephemerals(session).for_each(|path| text += &format!("\t{path}\n"));
        }
        let connection = |conn: &ConnId| {
            let session = service.conns.get(conn).map_or(SessionId::NONE, |of| of.session);
            format!("ip: {} sessionId: 0x{:x}", address(*conn), session.0)
        };
        let sets = service.idle_sets(self.env.now).collect();
        text + "Connections dump:\n" + &self.sets("Connections", sets, connection)
    }

    fn sets<K: Ord>(&self, what: &str, sets: Vec<(SimTime, &SortedSet<K>)>, name: impl Fn(&K) -> String) -> String {
        let members: usize = sets.iter().map(|(_, members)| members.len()).sum();
        let mut text = format!("{what} Sets ({})/({members}):\n", sets.len());
        for (due, members) in sets {
            text += &format!("{} expire at {}:\n", members.len(), self.date(due));
            members.iter().for_each(|member| text += &format!("\t{}\n", name(member)));
        }
        text
    }
}

/// Those of everybody, as a learner knows them.
fn sessions(all: Vec<(SessionId, u32)>) -> String {
    let lines = all.iter().map(|(session, timeout)| format!("0x{:x}\t{timeout}ms\n", session.0));
    format!("Global Sessions({}):\n", all.len()) + &lines.collect::<String>()
}
