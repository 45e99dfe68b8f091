//! What is over ends (`SessionTrackerImpl.java`, `ExpiryQueue.java`, `ContainerManager.java`): a leader that runs and hears
//! nothing of a session closes it a tick after its timeout at the latest, and removes containers and nodes past their time
//! with its next look at them. What servers say to each other must be heard for that; printed facts do not have it.

use crate::check::evidence::{Breach, Evidence};
use crate::check::witness::{Step, Witness};

use super::Property;

pub(super) const PROPERTY: Property = Property {
    id: "timely-expiry",
    title: "What is over ends",
    about: "A running leader closes a session soon after its timeout, and removes containers and TTL nodes when their time is up.",
    source: "SessionTrackerImpl.java, ExpiryQueue.java; ContainerManager.java",
    check,
};

fn check(witness: &Witness, step: &Step) -> Option<Evidence> {
    if step.at < witness.overdue.next || !witness.hears_servers() {
        return None;
    }
    let late = witness.overdue_node(step.at).map(|(leader, path, late_us)| {
        let path = path.to_string();
        Breach::LateRemoval { leader, path, late_us }
    });
    late.or_else(|| session(witness, step)).map(Evidence::Client)
}

fn session(witness: &Witness, step: &Step) -> Option<Breach> {
    witness.touches.leaders().find_map(|leader| {
        let runs_since = witness.overdue.runs_since(leader)?;
        let ahead = witness.histories.model(witness.server(leader).tail)?;
        let mut open = ahead.sessions().filter(|&(session, _)| !witness.sessions.is_closing(session));
        open.find_map(|(session, timeout_ms)| {
            let (heard_us, _) = witness.touches.silence(leader, session, step.at)?;
            let silence_us = heard_us.min(step.at.since(runs_since));
            let timeout_us = u64::from(timeout_ms) * 1_000;
            let late = silence_us > timeout_us + witness.overdue.grace_us();
            late.then_some(Breach::LateExpiry { leader, session, silence_us, timeout_us })
        })
    })
}

#[cfg(test)]
mod tests {
    use crate::check::testkit::{SESSION, Story};
    use crate::server::Fact;
    use crate::store::Owner;
    use crate::wire::ToServer;

    /// A client that begins after server 3 has begun to lead, and falls silent.
    fn silent() -> Story {
        let mut story = Story::with_client();
        story.overheard().send(3, ToServer::Ping);
        story
    }

    #[test]
    fn a_session_that_lives_on_in_silence_is_seen() {
        let mut story = silent();
        story.wait(4_000_000).answer(3, "1:1");
        assert_eq!(story.violated(), Vec::<&str>::new(), "its bucket may be a tick later");
        let mut right = story.clone();
        right.service(3, Fact::SessionExpired { session: SESSION, asked: false }).wait(1_000_000).answer(3, "1:1");
        assert_eq!(right.violated(), Vec::<&str>::new());
        let mut paused = story.clone();
        paused.pauses_server(3).wait(9_000_000).resumes_server(3).answer(3, "1:1");
        assert_eq!(paused.violated(), Vec::<&str>::new());
        story.wait(1_000_000).answer(3, "1:1");
        assert_eq!(story.violated(), ["timely-expiry"]);
    }

    #[test]
    fn a_container_that_stays_is_seen() {
        let mut story = silent();
        let _ = story.txn("1:2", -1, Story::created("/c", Owner::Container, 1));
        let _ = story.txn("1:3", -1, Story::created("/c/a", Owner::None, 1));
        for _ in 0..100 {
            story.wait(1_000_000).send(3, ToServer::Ping);
        }
        assert_eq!(story.violated(), Vec::<&str>::new());
        story.removes("/c/a");
        for _ in 0..70 {
            story.wait(1_000_000).send(3, ToServer::Ping);
        }
        assert_eq!(story.violated(), ["timely-expiry"]);
    }
}
