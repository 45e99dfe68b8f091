//! A program's Curator as data: how it is set up, what its listeners were told last.

use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::base::json::{ReadError, ValueError, within};
use crate::base::limits::MAX_DURATION_US;
use crate::base::{Micros, Prng, SimTime};

use super::circuit::Circuit;

/// What listeners are told (`ConnectionState.java`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ConnectionState {
    /// The first connection.
    Connected,
    /// No connection: nothing is certain.
    Suspended,
    /// A connection again.
    Reconnected,
    /// The session is over, or believed to be.
    Lost,
}

impl ConnectionState {
    /// Its name in Curator.
    pub fn name(self) -> &'static str {
        match self {
            ConnectionState::Connected => "CONNECTED",
            ConnectionState::Suspended => "SUSPENDED",
            ConnectionState::Reconnected => "RECONNECTED",
            ConnectionState::Lost => "LOST",
        }
    }

    /// Whether there is a connection (`ConnectionState.isConnected`).
    pub fn is_connected(self) -> bool {
        matches!(self, ConnectionState::Connected | ConnectionState::Reconnected)
    }
}

/// Which states count as errors (`ConnectionStateErrorPolicy.java`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ErrorPolicy {
    /// SUSPENDED and LOST.
    #[default]
    Standard,
    /// Only LOST.
    Session,
}

impl ErrorPolicy {
    /// Whether the state is an error.
    pub fn is_error(self, state: ConnectionState) -> bool {
        match self {
            ErrorPolicy::Standard => matches!(state, ConnectionState::Suspended | ConnectionState::Lost),
            ErrorPolicy::Session => state == ConnectionState::Lost,
        }
    }
}

/// Whether and when an operation is tried again (`ExponentialBackoffRetry.java`, `RetryNTimes.java`, `RetryForever.java`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RetryPolicy {
    /// Pauses that grow, by chance, up to `max_sleep_ms`; `max_retries` times.
    #[default]
    Exponential,
    /// The same pause, `max_retries` times.
    NTimes,
    /// The same pause, without end.
    Forever,
}

/// How a program's Curator is set up (`CuratorFrameworkFactory.java`), or its kazoo (`KazooClient`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct CuratorConfig {
    /// How long an operation waits for a connection, ms.
    pub connection_timeout_ms: u64,
    /// The retry policy.
    pub retry: RetryPolicy,
    /// Its first pause, ms.
    pub base_sleep_ms: u64,
    /// Its longest pause, ms.
    pub max_sleep_ms: u64,
    /// How often it asks again, 0 to 29.
    pub max_retries: u32,
    /// `simulatedSessionExpirationPercent`, 1 to 100: after this part of the session timeout SUSPENDED becomes LOST.
    pub expiration_percent: u32,
    /// What counts as an error.
    pub error_policy: ErrorPolicy,
    /// How long the circuit breaker before all listeners stays open at a time, ms.
    #[serde(skip_serializing_if = "CuratorConfig::is_one_pause")]
    pub circuit_pause_ms: u64,
    /// How often in a row, 0 to 1,000,000; with 0 there is no circuit breaker.
    #[serde(skip_serializing_if = "CuratorConfig::is_no_circuit")]
    pub circuit_pauses: u32,
    /// `max_tries` of kazoo's `command_retry`, 0 to 1,000; without it a command is tried without an end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command_tries: Option<u32>,
}

impl Default for CuratorConfig {
    fn default() -> CuratorConfig {
        CuratorConfig {
            connection_timeout_ms: 15_000,
            retry: RetryPolicy::Exponential,
            base_sleep_ms: 100,
            max_sleep_ms: MAX_DURATION_US / 1000,
            max_retries: 3,
            expiration_percent: 100,
            error_policy: ErrorPolicy::Standard,
            circuit_pause_ms: 1_000,
            circuit_pauses: 0,
            command_tries: None,
        }
    }
}

impl CuratorConfig {
    /// Checks every bound.
    ///
    /// # Errors
    /// The first setting that is out of range.
    pub fn check(&self) -> Result<(), ReadError> {
        let most = MAX_DURATION_US / 1000;
        within("connection_timeout_ms", self.connection_timeout_ms, 0, most)?;
        within("base_sleep_ms", self.base_sleep_ms, 0, most)?;
        within("max_sleep_ms", self.max_sleep_ms, 0, most)?;
        if self.retry == RetryPolicy::Forever && self.base_sleep_ms == 0 {
            return Err(ReadError::new(ValueError::RetryWithoutPause).within("base_sleep_ms"));
        }
        within("max_retries", self.max_retries.into(), 0, 29)?;
        within("expiration_percent", self.expiration_percent.into(), 1, 100)?;
        within("circuit_pause_ms", self.circuit_pause_ms, 1, most)?;
        within("circuit_pauses", self.circuit_pauses.into(), 0, 1_000_000)?;
        within("command_tries", self.command_tries.unwrap_or(0).into(), 0, 1_000)
    }

    fn is_one_pause(pause_ms: &u64) -> bool {
        *pause_ms == CuratorConfig::default().circuit_pause_ms
    }

    fn is_no_circuit(pauses: &u32) -> bool {
        *pauses == 0
    }
}

/// The framework of one program.
#[derive(Clone, Debug)]
pub(crate) struct Curator {
    pub config: CuratorConfig,
    /// What the connection is. Listeners were told so, unless the circuit is open.
    pub state: Option<ConnectionState>,
    pub connected: bool,
    /// The program stands on kazoo, which has other words and rules for its connection.
    pub is_kazoo: bool,
    /// The circuit breaker before the listeners, while it is open.
    pub circuit: Option<Circuit>,
    /// When SUSPENDED becomes LOST.
    pub lost_at: Option<SimTime>,
    /// The watches that objects have set and that have not fired: by object, with their paths.
    pub watches: BTreeMap<Rc<str>, BTreeSet<Rc<str>>>,
    pub prng: Prng,
}

impl Curator {
    pub(crate) fn new(config: CuratorConfig, prng: Prng) -> Curator {
        Curator {
            config,
            state: None,
            connected: false,
            is_kazoo: false,
            circuit: None,
            lost_at: None,
            watches: BTreeMap::new(),
            prng,
        }
    }

    /// A random name in the form of a UUID (version 4).
    pub(crate) fn guid(&mut self) -> String {
        let mut draw = || self.prng.below(1 << 16);
        let (a, b, c, d) = (draw(), draw(), draw(), 0x4000 | draw() >> 4);
        let (e, f, g, h) = (0x8000 | draw() >> 2, draw(), draw(), draw());
        format!("{a:04x}{b:04x}-{c:04x}-{d:04x}-{e:04x}-{f:04x}{g:04x}{h:04x}")
    }

    pub(crate) fn expiration(&self, timeout_ms: u32) -> Micros {
        u64::from(timeout_ms) * 1000 * u64::from(self.config.expiration_percent) / 100
    }
}
