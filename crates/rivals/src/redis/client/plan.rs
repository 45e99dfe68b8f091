//! What a client's program does: which lock, how it lets go, and what it leaves out on purpose.

use serde::{Deserialize, Serialize};

use crate::base::json::{Json, Read, ReadError, at_most, short, within};

/// Longest time in a plan, ms.
const MAX_MS: u64 = 3_600_000;
/// Longest name of a lock, bytes.
const MAX_NAME: usize = 64;

/// How a lock is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LockKind {
    /// SETNX, then PEXPIRE.
    SetnxExpire,
    /// The value is the moment of its end by the client's clock: SETNX, GET, GETSET.
    Getset,
    /// SET NX PX with a token.
    SetNxPx,
    /// Redisson's: a hash with a count, a channel, a watchdog.
    Hash,
    /// A majority of servers that know nothing of each other.
    Redlock,
}

/// How a lock is let go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unlock {
    /// A script compares and deletes.
    Script,
    /// WATCH, GET, MULTI, DEL, EXEC.
    Watch,
    /// GET, then DEL: broken.
    GetDel,
    /// DEL: broken.
    Del,
}

/// How a holder keeps its lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Renewal {
    /// Not.
    None,
    /// A script compares and sets the limit anew, every third of it.
    Script,
    /// PEXPIRE, whoever holds the lock: broken.
    Plain,
}

/// Where a fencing token comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fencing {
    /// There is none.
    None,
    /// INCR in the script that takes the lock.
    Script,
    /// INCR afterwards: broken.
    SecondStep,
}

/// A rule that a program leaves out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Break {
    /// All clients write the same value.
    SameValue,
    /// GETSET counts whatever came back.
    MomentsNotCompared,
    /// After subscribing it does not try again.
    NoSecondTry,
    /// Redlock: a majority of those that have answered is enough.
    MajorityOfAnswers,
    /// Redlock: it unlocks only where it was told OK.
    UnlockWhereGranted,
    /// Redlock: the time that it took is not taken off the limit.
    TimeNotTakenOff,
}

/// A program: take the lock, write to the resource, let go; so many times.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Plan {
    /// How the lock is taken.
    pub lock: LockKind,
    /// How it is let go.
    pub unlock: Unlock,
    /// How it is kept.
    pub renewal: Renewal,
    /// Where a fencing token comes from.
    pub fencing: Fencing,
    /// The lock's key.
    pub key: String,
    /// After which time it frees itself, ms; 0: never.
    pub limit_ms: u64,
    /// How long the work takes, ms.
    pub work_ms: u64,
    /// How many writes to the resource it takes.
    pub writes: u32,
    /// Between two tries, ms, on average.
    pub poll_ms: u64,
    /// How long it waits for an answer, ms.
    pub timeout_ms: u64,
    /// How often it takes the lock.
    pub rounds: u32,
    /// How many replicas must have the lock (WAIT); 0: nobody asks.
    pub replicas: u8,
    /// Whether it stops to believe when the limit is over by its own elapsed time.
    pub minds_time: bool,
    /// What it leaves out.
    pub breaks: Vec<Break>,
}

impl Plan {
    /// A plan with this lock, and everything as it should be.
    pub fn new(lock: LockKind) -> Plan {
        Plan {
            lock,
            unlock: Unlock::Script,
            renewal: Renewal::None,
            fencing: Fencing::None,
            key: "lock".into(),
            limit_ms: 3_000,
            work_ms: 1_000,
            writes: 3,
            poll_ms: 200,
            timeout_ms: 1_000,
            rounds: 3,
            replicas: 0,
            minds_time: false,
            breaks: Vec::new(),
        }
    }

    /// Whether it leaves something out.
    pub fn breaks(&self, what: Break) -> bool {
        self.breaks.contains(&what)
    }

    /// The limit, if there is one.
    pub fn limit(&self) -> Option<u64> {
        (self.limit_ms > 0).then_some(self.limit_ms)
    }

    /// What the lock protects: a key at the resource's server.
    pub fn resource(&self) -> String {
        format!("resource:{}", self.key)
    }

    /// The counter of fencing tokens.
    pub fn counter(&self) -> String {
        format!("token:{}", self.key)
    }

    /// The channel on which a release is told.
    pub fn channel(&self) -> String {
        format!("redisson_lock__channel:{{{}}}", self.key)
    }

    /// Checks every bound.
    pub(crate) fn check(&self) -> Result<(), ReadError> {
        short("key", &self.key, MAX_NAME)?;
        within("key", self.key.len() as u64, 1, MAX_NAME as u64)?;
        within("limit_ms", self.limit_ms, 0, MAX_MS)?;
        within("work_ms", self.work_ms, 0, MAX_MS)?;
        within("writes", self.writes.into(), 0, 1_000)?;
        within("poll_ms", self.poll_ms, 1, MAX_MS)?;
        within("timeout_ms", self.timeout_ms, 1, MAX_MS)?;
        within("rounds", self.rounds.into(), 0, 10_000)?;
        at_most("breaks", self.breaks.len(), 6)
    }
}

/// One of the names of an enum without data.
struct Named<T>(T);

impl<T: for<'a> Deserialize<'a>> Read for Named<T> {
    fn read(json: Json) -> Result<Named<T>, ReadError> {
        json.name().map(Named)
    }
}

impl Read for Plan {
    fn read(json: Json) -> Result<Plan, ReadError> {
        let mut fields = json.fields()?;
        let mut plan = Plan::new(fields.need::<Named<LockKind>>("lock")?.0);
        plan.unlock = fields.or("unlock", Named(plan.unlock))?.0;
        plan.renewal = fields.or("renewal", Named(plan.renewal))?.0;
        plan.fencing = fields.or("fencing", Named(plan.fencing))?.0;
        fields.set("key", &mut plan.key)?;
        fields.set("limit_ms", &mut plan.limit_ms)?;
        fields.set("work_ms", &mut plan.work_ms)?;
        fields.set("writes", &mut plan.writes)?;
        fields.set("poll_ms", &mut plan.poll_ms)?;
        fields.set("timeout_ms", &mut plan.timeout_ms)?;
        fields.set("rounds", &mut plan.rounds)?;
        fields.set("replicas", &mut plan.replicas)?;
        fields.set("minds_time", &mut plan.minds_time)?;
        let breaks = fields.or::<Vec<Named<Break>>>("breaks", Vec::new())?;
        plan.breaks = breaks.into_iter().map(|word| word.0).collect();
        fields.end().map(|()| plan)
    }
}
