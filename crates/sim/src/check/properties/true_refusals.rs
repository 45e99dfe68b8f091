//! Refusals are true (`PrepRequestProcessor.java` `checkSession`, `SessionTrackerImpl.java`): a client hears that its session
//! is over only when somebody wanted to end it, or its leader has never heard of it; and that it has moved only when another
//! server had to do with it under the same leader.

use crate::base::{ServerId, SessionId};
use crate::check::evidence::{Breach, Evidence};
use crate::check::witness::{Step, Witness};
use crate::server::{self, TurnedAway};
use crate::sim::{Fact, Parcel, WorldFact};
use crate::store::Op;
use crate::wire::{Code, ToClient};
use crate::zab;

use super::Property;

pub(super) const PROPERTY: Property = Property {
    id: "true-refusals",
    title: "Refusals are true",
    about: "No request is refused as expired while its session lives, nor as moved unless another server took it over.",
    source: "PrepRequestProcessor.java, SessionTrackerImpl.java checkSession; Learner.java revalidate",
    check,
};

fn check(witness: &Witness, step: &Step) -> Option<Evidence> {
    let breach = match step.fact {
        Fact::Zab { server, fact: zab::Fact::Proposed { payload, .. } } => {
            refused(witness, *server, payload.txn.session, code(&payload.txn.op)?)
        }
        Fact::World(WorldFact::Sent { from, to, message: Parcel::ToClient(packet), .. }) => {
            let ToClient::Reply { xid, outcome: Err(Code::SessionExpired), .. } = packet else { return None };
            let (server, view) = (from.server()?, witness.clients.view(to.client()?)?);
            let asked = view.asked(*xid).filter(|asked| !asked.request.is_write())?;
            let session = if asked.overlapping { return None } else { view.session };
            refused(witness, server, session, Code::SessionExpired)
        }
        Fact::Server { server, fact: server::Fact::ClientTurnedAway { client, reason } } => {
            let view = witness.clients.view(*client)?;
            match reason {
                TurnedAway::SessionGone => refused(witness, *server, view.claims, Code::SessionExpired),
                TurnedAway::Moved => refused(witness, *server, view.session, Code::SessionMoved),
                _ => None,
            }
        }
        _ => None,
    };
    breach.map(Evidence::Client)
}

/// The code by which a transaction refuses its session.
fn code(op: &Op) -> Option<Code> {
    let of_session = |code: &Code| matches!(code, Code::SessionExpired | Code::SessionMoved);
    match op {
        Op::Error(code) => Some(*code).filter(of_session),
        Op::FailedMulti(codes) => codes.iter().copied().find(of_session),
        _ => None,
    }
}

fn refused(witness: &Witness, server: ServerId, session: SessionId, code: Code) -> Option<Breach> {
    // a deposed leader does not know what became of a session since
    if session == SessionId::NONE || witness.is_deposed(server) {
        return None;
    }
    match code {
        Code::SessionMoved => {
            (!witness.sessions.has_moved(session)).then_some(Breach::NeverMoved { server, session })
        }
        _ => {
            let histories = &witness.histories;
            let known = |at| histories.model(at).is_some_and(|tree| tree.session(session).is_some());
            let alive = !witness.sessions.is_closing(session)
                && known(histories.tip())
                && (witness.server(server).leads.is_none() || known(witness.server(server).tail));
            alive.then_some(Breach::StillAlive { server, session })
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::check::testkit::{SESSION, Story, create};
    use crate::server::{Fact, TurnedAway};
    use crate::store::Op;
    use crate::wire::{Code, CreateMode};

    #[test]
    fn a_living_session_that_is_refused_is_seen() {
        let mut story = Story::with_client();
        story.ask(3, 1, create("/a", CreateMode::Persistent));
        let mut right = story.clone();
        right.service(3, Fact::SessionExpired { session: SESSION, asked: true });
        for (story, violated) in [(&mut right, &[][..]), (&mut story, &["true-refusals"][..])] {
            let _ = story.txn("1:2", 1, Op::Error(Code::SessionExpired));
            assert_eq!(story.violated(), violated);
        }
    }

    #[test]
    fn a_session_that_is_said_to_be_gone_and_lives_is_seen() {
        let gone = || Fact::ClientTurnedAway { client: crate::base::ClientId(1), reason: TurnedAway::SessionGone };
        let mut story = Story::with_client();
        story.claim(3);
        let mut right = story.clone();
        let _ = right.txn("1:2", 0, Op::CloseSession { paths: Vec::new() });
        right.service(3, gone());
        assert_eq!(right.violated(), Vec::<&str>::new());
        story.service(3, gone());
        assert_eq!(story.violated(), ["true-refusals"]);
    }

    #[test]
    fn a_session_that_never_moved_is_seen() {
        let mut story = Story::with_client();
        story.ask(3, 1, create("/a", CreateMode::Persistent));
        let mut right = story.clone();
        right.serve(1).claim(1);
        for (story, violated) in [(&mut right, &[][..]), (&mut story, &["true-refusals"][..])] {
            let _ = story.txn("1:2", 1, Op::Error(Code::SessionMoved));
            assert_eq!(story.violated(), violated);
        }
    }
}
