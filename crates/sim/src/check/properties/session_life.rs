//! The life of a session (`zookeeperProgrammers.md`, ZooKeeper Sessions; `SessionTrackerImpl.java`): nothing of a
//! session is done behind the transaction that closes it; with that transaction its ephemerals go; and a leader ends
//! a session by itself only when it has heard nothing of it for its timeout. That all servers then have the same tree
//! is the property `state-machine`.

use crate::base::SessionId;
use crate::check::evidence::{Breach, Evidence};
use crate::check::history::NodeId;
use crate::check::witness::{Step, Witness};
use crate::server;
use crate::sim::Fact;
use crate::store::Op;

use super::Property;

pub(super) const PROPERTY: Property = Property {
    id: "session-life",
    title: "Life of a session",
    about: "A session ends only after its timeout in silence; after that none of its requests take effect and its ephemerals are gone.",
    source: "zookeeperProgrammers.md, ZooKeeper Sessions; SessionTrackerImpl.java, PrepRequestProcessor.java",
    check,
};

fn check(witness: &Witness, step: &Step) -> Option<Evidence> {
    let breach = match step.fact {
        Fact::Server { server: leader, fact: server::Fact::SessionExpired { session, asked: false } } => {
            let (silence_us, timeout_us) = witness.touches.silence(*leader, *session, step.at)?;
            let (leader, session) = (*leader, *session);
            (silence_us < timeout_us).then_some(Breach::EarlyExpiry { leader, session, silence_us, timeout_us })
        }
        _ => step.committed.iter().find_map(|&node| committed(witness, node)),
    };
    breach.map(Evidence::Client)
}

fn committed(witness: &Witness, node: NodeId) -> Option<Breach> {
    let histories = &witness.histories;
    let (zxid, txn) = (witness.zxid(node), histories.txn(node)?);
    let (before, after) = (histories.model(histories.parent(node))?, histories.model(node)?);
    let session = txn.session;
    match &txn.op {
        Op::Error(_) | Op::FailedMulti(_) | Op::CreateSession { .. } => None,
        Op::CloseSession { .. } => {
            let left = before.ephemerals(session).find(|path| after.get(path).is_some())?;
            Some(Breach::EphemeralLeft { session, zxid, path: left.to_string() })
        }
        _ if session == SessionId::NONE || witness.local.contains(&session) => None,
        _ => before.session(session).is_none().then_some(Breach::AfterClose { session, zxid }),
    }
}

#[cfg(test)]
mod tests {
    use crate::check::testkit::{SESSION, Story};
    use crate::server::Fact;
    use crate::store::{Op, Owner};
    use crate::wire::ToServer;

    #[test]
    fn a_write_of_a_closed_session_is_seen() {
        let mut story = Story::with_client();
        let _ = story.txn("1:2", 1, Op::CloseSession { paths: Vec::new() });
        assert_eq!(story.violated(), Vec::<&str>::new());
        let _ = story.txn("1:3", 2, Story::created("/a", Owner::None, 1));
        assert_eq!(story.violated(), ["session-life"]);
    }

    #[test]
    fn an_ephemeral_that_outlives_its_session_is_seen() {
        let mut story = Story::with_client();
        let _ = story.txn("1:2", 1, Story::created("/a", Owner::Session(SESSION), 1));
        let mut right = story.clone();
        let _ = right.txn("1:3", 2, Op::CloseSession { paths: vec!["/a".into()] });
        assert_eq!(right.violated(), Vec::<&str>::new());
        let _ = story.txn("1:3", 2, Op::CloseSession { paths: Vec::new() });
        assert_eq!(story.violated(), ["session-life"]);
    }

    #[test]
    fn an_expiry_before_the_timeout_is_seen() {
        let expired = Fact::SessionExpired { session: SESSION, asked: false };
        let mut story = Story::with_client();
        story.wait(3_000_000).send(3, ToServer::Ping);
        let mut asked = story.clone();
        asked.service(3, Fact::SessionExpired { session: SESSION, asked: true });
        let mut right = story.clone();
        right.wait(4_000_000).service(3, expired.clone());
        assert_eq!([asked.violated(), right.violated()], [Vec::<&str>::new(), Vec::new()]);
        story.wait(3_900_000).service(3, expired);
        assert_eq!(story.violated(), ["session-life"]);
    }
}
