//! What is known of released versions: which of their open bugs a violation may come from. A run that plays a version as it was
//! released shows these by right; nobody should look for them in this code.

use crate::sim::ZkVersion;

/// The open bugs of this version by which the property may be violated; none where it must hold.
pub fn known(property: &str, version: ZkVersion) -> Option<&'static str> {
    if version == ZkVersion::AsRepaired {
        return None;
    }
    let is_38 = version == ZkVersion::V38;
    Some(match property {
        "memory-is-disk" | "ack-honesty" | "log-shape" if is_38 => {
            "ZOOKEEPER-1653, 4712, 4837, 5094; the log kept after SNAP; ACKs kept after TRUNC"
        }
        "memory-is-disk" | "ack-honesty" | "log-shape" => {
            "ZOOKEEPER-1653, 4837, 5094; the log kept after SNAP; ACKs kept after TRUNC"
        }
        // what follows from those
        "durability"
        | "agreement"
        | "integrity"
        | "primary-integrity"
        | "local-primary-order"
        | "global-primary-order"
        | "state-machine"
        | "client-promise"
        | "read-your-writes"
        | "session-fifo"
        | "write-linearizability"
        | "quorum-durable"
        | "request-order"
        | "fresh-sync" => match version {
            ZkVersion::V393 => {
                "histories part after ZOOKEEPER-4925, 1653, 4837, 5094, the log kept after SNAP, or ACKs kept after TRUNC"
            }
            _ => "histories part after ZOOKEEPER-1653, 4837, 5094, the log kept after SNAP, or ACKs kept after TRUNC",
        },
        "liveness" if is_38 => {
            "ZOOKEEPER-1653, 4394; exits 12 and 13; a later acceptedEpoch outside the quorum; configurations only proposed; servers that theirs does not name"
        }
        "liveness" => {
            "ZOOKEEPER-1653; exits 12 and 13; a later acceptedEpoch outside the quorum; configurations only proposed; servers that theirs does not name"
        }
        _ => return None,
    })
}
