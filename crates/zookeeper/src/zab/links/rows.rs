//! The election connections, for a reader: in the names of `QuorumCnxManager.java`.

use crate::base::rows::{NONE, Rows};
use crate::zab::election::rows::state;
use crate::zab::message::Notification;

use super::{Link, Links};

impl Links {
    /// Each link with what is kept for it.
    pub(crate) fn rows(&self, rows: &mut Rows) {
        let Links { me: _, links } = self;
        for (to, Link { open, dialling, waiting, last }) in links.iter() {
            let state = match (open, dialling) {
                (Some(conn), _) => format!("#{}", conn.0),
                (None, Some(conn)) => format!("dialling #{}", conn.0),
                (None, None) => NONE.into(),
            };
            let row = rows.item(to, to, state, None);
            let mut below = Rows::default();
            below.conn("dialling", *dialling);
            below.put("queueSendMap", &said(waiting.as_ref()));
            below.put("lastMessageSent", &said(last.as_ref()));
            row.rows = below.0;
        }
    }
}

fn said(notification: Option<&Notification>) -> String {
    notification.map_or(NONE.into(), |said| {
        let Notification { vote, round, state: _, config: _ } = said;
        format!("{} · zxid {} · electionEpoch {round} · {}", vote.leader, vote.zxid, state(said))
    })
}
