//! Whether and when an operation is tried again (`RetryLoop.java`, `ExponentialBackoffRetry.java`).

use crate::base::SimTime;
use crate::client::State;
use crate::wire::Code;

use super::connection::CONNECTION;
use super::state::RetryPolicy;
use crate::runtime::context::Cx;
use crate::runtime::thread::Flow;
use crate::runtime::value::Exception;

/// How often one operation was tried again.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Retry {
    tries: u32,
}

impl Retry {
    /// When the operation may be tried again that failed so; none: it has failed.
    pub(crate) fn again(&mut self, cx: &mut Cx<'_>, exception: &Exception) -> Option<SimTime> {
        if exception.is_retryable() { self.allowed(cx) } else { None }
    }

    /// The policy's word alone, for errors that a recipe retries by itself.
    pub(crate) fn allowed(&mut self, cx: &mut Cx<'_>) -> Option<SimTime> {
        let curator = &mut cx.core.curator;
        let config = curator.config;
        if config.retry != RetryPolicy::Forever && self.tries >= config.max_retries {
            return None;
        }
        let factor = match config.retry {
            // base × max(1, random below 2^(n+1)), as in ExponentialBackoffRetry.getSleepTimeMs
            RetryPolicy::Exponential => curator.prng.below(1 << (self.tries + 1)).max(1),
            RetryPolicy::NTimes | RetryPolicy::Forever => 1,
        };
        self.tries = self.tries.saturating_add(1);
        let pause_ms = (config.base_sleep_ms * u64::from(factor)).min(config.max_sleep_ms);
        Some(cx.now.plus(pause_ms * 1000))
    }
}

/// How long an operation waits for a connection: once, not with each try (`RetryLoop.java`, `ConnectionState.java`
/// `checkTimeouts`).
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Patience(Option<SimTime>);

impl Patience {
    /// The wait for a connection, where there is none; `None` where a request can be sent.
    ///
    /// # Errors
    /// ConnectionLoss: it has lasted too long. Of a framework that was closed, IllegalStateException
    /// (`CuratorFrameworkImpl.checkState`).
    pub(super) fn wait(&mut self, cx: &mut Cx<'_>) -> Result<Option<Flow>, Exception> {
        if cx.library.state == State::Closed {
            return Err(Exception::state("Expected state [STARTED] was [STOPPED]"));
        }
        let until = *self.0.get_or_insert_with(|| cx.now.plus(cx.core.curator.config.connection_timeout_ms * 1000));
        match (cx.core.curator.connected, cx.now < until) {
            (true, _) => Ok(None),
            (false, true) => Ok(Some(Flow::Wait { on: Some(CONNECTION.into()), until: Some(until) })),
            (false, false) => Err(Exception::Keeper(Code::ConnectionLoss)),
        }
    }
}
