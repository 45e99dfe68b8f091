//! A leader that writes its first snapshot does not read (`Leader.java` `lead`, `loadData`): who connects meanwhile waits at its
//! port, and what they send in the sockets.

use crate::base::{ConnId, ServerId};
use crate::zab::io::Output;
use crate::zab::message::Packet;
use crate::zab::peer::{Cx, Flow};

use super::{Leader, LeaderStage};

/// What waits at the port of a leader that does not read yet.
#[derive(Clone, Debug, Hash)]
pub(super) enum Knock {
    Accepted(ConnId, ServerId),
    Packet(ConnId, Packet),
}

impl Knock {
    fn conn(&self) -> ConnId {
        match self {
            Knock::Accepted(conn, _) | Knock::Packet(conn, _) => *conn,
        }
    }
}

impl Leader {
    /// Begins to read what learners send.
    pub(super) fn discover(&mut self, cx: &mut Cx) -> Flow {
        self.stage = LeaderStage::AwaitEpochQuorum;
        self.wait_for_quorum(cx);
        self.join_epoch(cx.me, cx.storage.accepted_epoch, cx);
        while let Some(knock) = self.knocks.pop_front() {
            match knock {
                Knock::Accepted(conn, from) => self.accepted(conn, from, cx),
                Knock::Packet(conn, packet) => match self.packet(conn, packet, cx) {
                    Flow::Stay => {}
                    flow => return flow,
                },
            }
        }
        Flow::Stay
    }

    /// Whether it waits for a snapshot to be written.
    pub(in crate::zab) fn writes_snapshot(&self) -> bool {
        self.stage == LeaderStage::WriteSnapshot
    }

    /// Somebody waits.
    pub(super) fn keep_waiting(&mut self, knock: Knock) {
        self.knocks.push_back(knock);
    }

    /// Who waited has gone.
    pub(super) fn forget(&mut self, conn: ConnId) {
        self.knocks.retain(|knock| knock.conn() != conn);
    }

    /// The role ends before anybody was let in.
    pub(super) fn turn_away(&self, cx: &mut Cx) {
        for knock in &self.knocks {
            if let Knock::Accepted(conn, _) = knock {
                cx.out.push(Output::Close(*conn));
            }
        }
    }
}
