//! A server's protocol machine, for a reader: in the names of `QuorumPeer.java`.

use crate::base::rows::Rows;

use crate::base::Zxid;

use super::{Peer, Role};

impl Peer {
    /// What it is doing, whatever its role.
    pub fn rows(&self, rows: &mut Rows) {
        let Peer { id: _, members, role, election: _, storage: _, links: _, want_snap, suggested, need_oracle: _ } =
            self;
        rows.put("serverState", &format!("{:?}", self.state()).to_ascii_uppercase());
        rows.put("zabState", &format!("{:?}", self.phase()).to_ascii_uppercase());
        let leaving = match role {
            Role::Looking | Role::Leading(_) | Role::Learning(_) | Role::Alone(_) => "false".to_string(),
            Role::Leaving { was: _, fast_forward, reload } => {
                format!("true · fastForward {fast_forward} · reload {reload}")
            }
            Role::Stopped => "stopped".to_string(),
        };
        rows.put("serving", &self.is_serving());
        rows.put("shuttingDown", &leaving);
        rows.put("wantSnap", want_snap);
        if *members.last_seen() != members.now || members.now.version > Zxid::ZERO {
            rows.zxid("quorumVerifier", members.now.version);
            rows.zxid("lastSeenQuorumVerifier", members.last_seen().version);
        }
        if let Some(leader) = suggested {
            rows.server("suggestedLeader", *leader);
        }
    }

    /// Its election connections.
    pub fn link_rows(&self, rows: &mut Rows) {
        self.links.rows(rows);
    }
}
