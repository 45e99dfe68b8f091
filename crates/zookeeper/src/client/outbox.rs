//! The verbs with which a client fills its outbox.

use crate::base::{ConnId, ServerId};
use crate::wire::ToServer;

use super::io::{Fact, Outbox, Output};

impl Outbox {
    pub(in crate::client) fn push(&mut self, output: Output) {
        self.items.push(output);
    }

    pub(in crate::client) fn dial(&mut self, to: ServerId) -> ConnId {
        let conn = ConnId(self.next_conn);
        self.next_conn += 1;
        self.push(Output::Dial(conn, to));
        conn
    }

    pub(in crate::client) fn send(&mut self, conn: ConnId, packet: ToServer) {
        self.push(Output::Send(conn, packet));
    }

    pub(in crate::client) fn close(&mut self, conn: ConnId) {
        self.push(Output::Close(conn));
    }

    pub(in crate::client) fn fact(&mut self, fact: Fact) {
        self.push(Output::Fact(fact));
    }
}
