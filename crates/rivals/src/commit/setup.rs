//! A system of two-phase commit as a setup names it.

use serde::Serialize;

use crate::base::Micros;
use crate::base::json::{Fields, Json, Read, ReadError, at_most, short, within};
use crate::base::limits::{MAX_DURATION_US, MAX_PAYLOAD_BYTES};

use super::txn::Decision;

/// Most participants: as many as there are numbers for.
const MAX_PARTICIPANTS: u8 = 7;
/// Most clients.
const MAX_CLIENTS: u8 = 10;
/// Most lines of a program.
const MAX_LINES: usize = 200;

/// Declares a set of words: an enum, and its name in runs.
macro_rules! words {
    ($(#[$about:meta])* $all:ident { $($(#[$doc:meta])* $word:ident = $name:literal,)* }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $all { $($(#[$doc])* $word),* }

        impl $all {
            /// All of them.
            pub const ALL: &[$all] = &[$($all::$word),*];

            /// Its name in runs: stable.
            pub fn name(self) -> &'static str {
                match self { $($all::$word => $name),* }
            }
        }

        impl Serialize for $all {
            fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
                s.serialize_str(self.name())
            }
        }

        impl Read for $all {
            fn read(json: Json) -> Result<$all, ReadError> {
                let name = String::read(json)?;
                let known = $all::ALL.iter().find(|word| word.name() == name).copied();
                known.ok_or_else(|| ReadError::unknown_name(&name, vec![$($name),*]))
            }
        }
    };
}

words! {
    /// What a coordinator answers about a transaction of which it knows nothing; what it may forget follows from that (Mohan,
    /// Lindsay and Obermarck, sections 2 to 4).
    Presumption {
        /// Both decisions are forced and acknowledged. What it knows nothing of was never committed.
        Nothing = "nothing",
        /// Aborted: an abort needs no record and no acknowledgement. What databases do.
        Abort = "abort",
        /// Committed: a commit needs no acknowledgement. For that a record before PREPARE is forced.
        Commit = "commit",
    }
}

impl Presumption {
    /// Whether a decision is acknowledged, and with that forced by the participants.
    pub fn acknowledges(self, decision: Decision) -> bool {
        match (self, decision) {
            (Presumption::Nothing, _) => true,
            (Presumption::Abort, decision) => decision == Decision::Commit,
            (Presumption::Commit, decision) => decision == Decision::Abort,
        }
    }

    /// What is answered about a transaction of which nothing is known.
    pub fn answer(self) -> Decision {
        match self {
            Presumption::Nothing | Presumption::Abort => Decision::Abort,
            Presumption::Commit => Decision::Commit,
        }
    }
}

words! {
    /// A rule that is broken on purpose.
    Unsafe {
        /// The coordinator does not force its COMMIT record.
        CommitNotForced = "commit-not-forced",
        /// The coordinator tells the decision before its COMMIT record is on disk.
        CommitToldBeforeForced = "commit-told-before-forced",
        /// A participant votes yes without forcing its PREPARED record.
        PreparedNotForced = "prepared-not-forced",
        /// The coordinator does not force its COLLECTING record (presumed commit only).
        CollectingNotForced = "collecting-not-forced",
        /// A participant in doubt aborts when it has waited long enough.
        AbortsInDoubt = "aborts-in-doubt",
        /// A participant in doubt commits when it has waited long enough.
        CommitsInDoubt = "commits-in-doubt",
        /// The coordinator commits as soon as more than half have voted yes.
        MajorityCommits = "majority-commits",
        /// The coordinator looks for errors only, and takes a no for a yes: PostgreSQL answers PREPARE TRANSACTION in a failed
        /// transaction with ROLLBACK and no error.
        NoTakenForYes = "no-taken-for-yes",
        /// The coordinator takes the vote of who has only read for a no.
        ReadTakenForNo = "read-taken-for-no",
        /// The coordinator forgets a transaction before all have acknowledged.
        ForgetsBeforeAcks = "forgets-before-acks",
        /// The coordinator does not read its log when it starts.
        ForgetsAtRestart = "forgets-at-restart",
        /// The decision is sent once, and nobody in doubt asks.
        DecisionSentOnce = "decision-sent-once",
    }
}

/// Declares the fields, each with its default.
macro_rules! fields {
    ($( $(#[$about:meta])* $name:ident: $what:ty = $default:expr ),* $(,)?) => {
        /// Two-phase commit: coordinator TC1, participants P1, P2, …, clients C1, C2, ….
        #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
        pub struct Commit {
            $( $(#[$about])* pub $name: $what ),*
        }

        impl Default for Commit {
            fn default() -> Commit {
                Commit { $( $name: $default ),* }
            }
        }

        impl Commit {
            fn change(&mut self, mut to: Fields) -> Result<(), ReadError> {
                $( to.set(stringify!($name), &mut self.$name)?; )*
                to.end()
            }
        }
    };
}

fields! {
    /// How many participants there are, 1 to 7.
    participants: u8 = 3,
    /// How many clients there are, 1 to 10.
    clients: u8 = 1,
    /// What is presumed of a forgotten transaction.
    presumes: Presumption = Presumption::Abort,
    /// A participant gets its part before it is asked to prepare; otherwise with PREPARE.
    work_first: bool = false,
    /// A participant in doubt asks the other participants as well (cooperative termination).
    cooperative: bool = true,
    /// How long the coordinator waits for work and votes, ms.
    vote_timeout_ms: u64 = 1_000,
    /// How long a participant that has voted yes waits before it asks, and between two questions, ms.
    ask_after_ms: u64 = 1_500,
    /// How long the coordinator waits for acknowledgements before it tells the decision again, ms.
    resend_ms: u64 = 1_000,
    /// How long a participant waits for PREPARE after its work, ms.
    idle_timeout_ms: u64 = 2_000,
    /// How long a participant waits for locks, ms.
    lock_wait_ms: u64 = 500,
    /// How long a client waits before it closes the connection, ms.
    client_timeout_ms: u64 = 5_000,
    /// What each client does at the beginning: lines as in its console.
    programs: Vec<Vec<String>> = Vec::new(),
    /// Rules broken on purpose.
    broken: Vec<Unsafe> = Vec::new(),
}

impl Read for Commit {
    fn read(json: Json) -> Result<Commit, ReadError> {
        let mut commit = Commit::default();
        commit.change(json.fields()?).map(|()| commit)
    }
}

impl Commit {
    /// Whether it breaks a rule.
    pub fn breaks(&self, rule: Unsafe) -> bool {
        self.broken.contains(&rule)
    }

    /// A time of the setup, µs.
    pub(super) fn us(ms: u64) -> Micros {
        ms * 1_000
    }

    pub(super) fn check_bounds(&self) -> Result<(), ReadError> {
        within("participants", self.participants.into(), 1, MAX_PARTICIPANTS.into())?;
        within("clients", self.clients.into(), 1, MAX_CLIENTS.into())?;
        for (name, ms) in [
            ("vote_timeout_ms", self.vote_timeout_ms),
            ("ask_after_ms", self.ask_after_ms),
            ("resend_ms", self.resend_ms),
            ("idle_timeout_ms", self.idle_timeout_ms),
            ("lock_wait_ms", self.lock_wait_ms),
            ("client_timeout_ms", self.client_timeout_ms),
        ] {
            within(name, ms, 1, MAX_DURATION_US / 1_000)?;
        }
        at_most("broken", self.broken.len(), Unsafe::ALL.len())?;
        at_most("programs", self.programs.len(), self.clients.into())?;
        for (at, program) in self.programs.iter().enumerate() {
            let place = format!("programs[{at}]");
            at_most(&place, program.len(), MAX_LINES)?;
            program.iter().try_for_each(|line| short(&place, line, MAX_PAYLOAD_BYTES))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complaint(text: &str) -> String {
        let read = Json::parse(text).and_then(Commit::read).and_then(|commit| commit.check_bounds());
        read.expect_err(text).to_string()
    }

    #[test]
    fn what_does_not_fit_is_named() {
        for (text, why) in [
            (r#"{"participants":8}"#, "participants: 8 is not a whole number from 1 to 7"),
            (r#"{"presumes":"hope"}"#, "presumes: unknown name `hope`; expected `nothing`, `abort`, `commit`"),
            (r#"{"resend_ms":0}"#, "resend_ms: 0 is not"),
            (r#"{"programs":[[],[]]}"#, "programs: 2 are too many: 1 are allowed"),
            (r#"{"broken":["all"]}"#, "broken[0]: unknown name `all`"),
            (r#"{"votes":1}"#, "unknown field `votes`"),
        ] {
            assert!(complaint(text).starts_with(why), "{text}: {}", complaint(text));
        }
    }

    #[test]
    fn what_is_written_is_read_again() {
        let broken = vec![Unsafe::CommitNotForced];
        let commit = Commit { presumes: Presumption::Commit, broken, ..Commit::default() };
        let text = serde_json::to_string(&commit).unwrap();
        assert_eq!(Json::parse(&text).and_then(Commit::read), Ok(commit));
    }
}
