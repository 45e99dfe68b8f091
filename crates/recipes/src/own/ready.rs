//! Programs to start from.

/// A program that is ready.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ready {
    /// A short, stable name.
    pub name: &'static str,
    /// Its text.
    pub text: &'static str,
    /// It wakes more clients than can have it, which is what is wrong with it and nothing else.
    pub herds: bool,
}

/// The programs that are ready, from the plainest lock on.
pub const READY: &[Ready] = &[
    Ready { name: "naive-lock", text: include_str!("ready/naive-lock.txt"), herds: true },
    Ready { name: "herd-lock", text: include_str!("ready/herd-lock.txt"), herds: true },
    Ready { name: "predecessor-lock", text: include_str!("ready/predecessor-lock.txt"), herds: false },
    Ready { name: "protected-lock", text: include_str!("ready/protected-lock.txt"), herds: false },
    Ready { name: "read-write-lock", text: include_str!("ready/read-write-lock.txt"), herds: false },
    Ready { name: "leader-election", text: include_str!("ready/leader-election.txt"), herds: false },
    Ready { name: "barrier", text: include_str!("ready/barrier.txt"), herds: false },
    Ready { name: "queue", text: include_str!("ready/queue.txt"), herds: false },
];
