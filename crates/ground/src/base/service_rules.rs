//! Rules of the service for clients. The store, servers and the client library each keep some of them and do not know each other:
//! so they stand on the ground.

use super::rules::rules;

rules! {
    /// A rule of the service for clients, broken.
    ServiceRule in Service {
        /// A leader judges a request by what it has applied, not by all that it has proposed.
        NoLookAhead = "no-look-ahead",
        /// What a multi did before the part that fails stays.
        MultiHalfApplied = "multi-half-applied",
        /// A multi that fails does not give back the counters of parents.
        MultiForgetsParent = "multi-forgets-parent" or "ZOOKEEPER-1624",
        /// Sequential names are numbered by how many children there are.
        NumberByChildren = "number-by-children",
        /// Versions that a request names are not compared.
        VersionNotCompared = "version-not-compared",
        /// Each server dates changes by its own clock, not by the leader's in the transaction.
        EachItsOwnClock = "each-its-own-clock",
        /// A read does not wait for the writes of its session before it.
        ReadPassesOwnWrite = "read-passes-own-write" or "ZOOKEEPER-1863",
        /// A server takes clients that have seen more than it has.
        ServerBehindMayServe = "server-behind-may-serve",
        /// A sync is answered by the server that it came to: it does not ask the leader.
        SyncAsksNobody = "sync-asks-nobody",
        /// A session's requests are taken from any server, whichever it is at.
        OwnerNotChecked = "owner-not-checked",
        /// A session that is being closed may still write.
        ClosingSessionMayCreate = "closing-session-may-create" or "ZOOKEEPER-1208",
        /// A session is closed and its ephemerals stay.
        EphemeralsStay = "ephemerals-stay",
        /// A new leader counts the time without a leader as silence of the sessions.
        NoFreshTimeout = "no-fresh-timeout",
        /// A leader tracks no sessions that it has learnt of before it served.
        SessionsUnheard = "sessions-unheard" or "ZOOKEEPER-1367",
        /// Learners do not tell the leader of whom they have heard.
        TouchStaysHere = "touch-stays-here",
        /// A session ends with its connection.
        SessionDiesWithConnection = "session-dies-with-connection",
        /// A watch that fires once stays when it has fired.
        FiresTwice = "fires-twice",
        /// The answer that shows a change is sent before the event.
        AnswerBeforeEvent = "answer-before-event",
        /// After a reconnection, a node that was made anew is told as created to who watches its data.
        ReconnectSaysCreated = "reconnect-says-created" or "ZOOKEEPER-1667",
        /// A learner's answers to reads carry no zxid: the client does not know how much it has seen.
        ReadsCarryNoZxid = "reads-carry-no-zxid" or "ZOOKEEPER-1412",
        /// The client library does not set its watches again at the next server.
        ReconnectForgets = "reconnect-forgets",
    }
}
