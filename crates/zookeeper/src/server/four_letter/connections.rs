//! Connections, as `cons` and `stat` list them (`ServerCnxn.java` `dumpConnectionInfo`).

use crate::base::{ConnId, SessionId};
use crate::server::ClientConn;

use super::{Asked, address};

impl Asked<'_> {
    /// A line each, and an empty one behind them.
    pub(super) fn connections(&self, brief: bool) -> String {
        let conns = self.server.service.conns.iter();
        conns.map(|(&id, conn)| self.connection(id, conn, brief) + "\n").collect::<String>() + "\n"
    }

    fn connection(&self, id: ConnId, conn: &ClientConn, brief: bool) -> String {
        let ClientConn { session, timeout_ms, statistics, asks, .. } = conn;
        let packets = &statistics.packets;
        let mut text = format!(
            " {}[{}](queued={},recved={},sent={}",
            address(id),
            u8::from(!asks),
            statistics.outstanding(),
            packets.received,
            packets.sent
        );
        if !brief && *session != SessionId::NONE {
            text += &format!(
                ",sid=0x{:x},lop={},est={},to={timeout_ms}",
                session.0,
                operation(statistics.last_op),
                self.clock(statistics.established)
            );
            if statistics.last_cxid >= 0 {
                text += &format!(",lcxid=0x{:x}", statistics.last_cxid);
            }
            text += &format!(
                ",lzxid=0x{:x},lresp={},llat={},minlat={},avglat={},maxlat={}",
                statistics.last_zxid.0,
                statistics.last_response.as_ms(), // not by the wall clock (`Time.currentElapsedTime`)
                statistics.last_ms,
                packets.min_ms,
                packets.total_ms.checked_div(packets.answered).unwrap_or(0),
                packets.max_ms
            );
        }
        text + ")"
    }
}

/// How `cons` names an operation (`FinalRequestProcessor.java`, `lastOp`).
fn operation(name: &str) -> &str {
    match name {
        "create" | "create2" | "createContainer" | "createTTL" => "CREA",
        "delete" => "DELE",
        "exists" => "EXIS",
        "getData" => "GETD",
        "setData" => "SETD",
        "getACL" => "GETA",
        "setACL" => "SETA",
        "getChildren" | "getChildren2" => "GETC",
        "getAllChildrenNumber" => "GETACN",
        "getEphemerals" => "GETE",
        "sync" => "SYNC",
        "check" => "CHEC",
        "multi" => "MULT",
        "multiRead" => "MLTR",
        "whoAmI" => "HOMI",
        "addWatch" => "ADDW",
        "removeWatches" => "REMW",
        "checkWatches" => "CHKW",
        "setWatches" => "SETW",
        "setWatches2" => "STW2",
        "closeSession" => "CLOS",
        other => other, // SESS, PING, NA
    }
}
