//! The circuit breaker before listeners to the connection (`CircuitBreakingConnectionStateListener.java`,
//! `CircuitBreaker.java`): the first SUSPENDED or LOST opens it and is passed on; whatever follows is held back, but for the
//! first LOST, until the policy's pause is over and there is a connection, or the policy allows no further pause. Then it
//! closes, and only the last state is passed on, where it is another than the one that listeners know.

use crate::base::SimTime;

use super::state::{ConnectionState, CuratorConfig};

/// An open circuit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Circuit {
    /// When it may close.
    pub until: SimTime,
    pauses: u32,
    /// What listeners were told last.
    told: ConnectionState,
    last: ConnectionState,
}

/// What becomes of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Passed {
    On,
    HeldBack,
}

fn until(config: &CuratorConfig, now: SimTime) -> SimTime {
    now.plus(config.circuit_pause_ms * 1000)
}

impl Circuit {
    /// The connection changed its state. `RetryNTimes` is the policy.
    pub(crate) fn pass(
        circuit: &mut Option<Circuit>,
        config: &CuratorConfig,
        state: ConnectionState,
        now: SimTime,
    ) -> Passed {
        match circuit {
            None if config.circuit_pauses > 0 && !state.is_connected() => {
                *circuit = Some(Circuit { until: until(config, now), pauses: 1, told: state, last: state });
                Passed::On
            }
            None => Passed::On,
            Some(open) => {
                open.last = state;
                if state != ConnectionState::Lost || open.told == ConnectionState::Lost {
                    return Passed::HeldBack;
                }
                open.told = state;
                Passed::On
            }
        }
    }

    /// A pause is over (`checkCloseCircuit`). What listeners are told now, if anything.
    pub(crate) fn pause_over(
        circuit: &mut Option<Circuit>,
        config: &CuratorConfig,
        now: SimTime,
    ) -> Option<ConnectionState> {
        let open = circuit.as_mut()?;
        if !open.last.is_connected() && open.pauses < config.circuit_pauses {
            (open.pauses, open.until) = (open.pauses + 1, until(config, now));
            return None;
        }
        circuit.take().filter(|open| open.last != open.told).map(|open| open.last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ConnectionState::{Connected, Lost, Reconnected, Suspended};

    fn config(circuit_pauses: u32) -> CuratorConfig {
        CuratorConfig { circuit_pauses, circuit_pause_ms: 1_000, ..CuratorConfig::default() }
    }

    /// What is passed on of these states.
    fn passed(
        circuit: &mut Option<Circuit>,
        config: &CuratorConfig,
        states: &[ConnectionState],
    ) -> Vec<ConnectionState> {
        let mut pass = |state| Circuit::pass(circuit, config, state, SimTime::ZERO) == Passed::On;
        states.iter().copied().filter(|state| pass(*state)).collect()
    }

    #[test]
    fn what_follows_the_first_loss_is_held_back_but_for_the_first_lost() {
        let (mut circuit, config) = (None, config(9));
        let states = [Connected, Suspended, Reconnected, Suspended, Lost, Reconnected, Suspended, Lost, Reconnected];
        assert_eq!(passed(&mut circuit, &config, &states), [Connected, Suspended, Lost]);
        assert_eq!(Circuit::pause_over(&mut circuit, &config, SimTime::from_ms(1_000)), Some(Reconnected));
        assert_eq!(circuit, None);
    }

    #[test]
    fn a_circuit_stays_open_while_there_is_no_connection_and_the_policy_allows_it() {
        let (mut circuit, config) = (None, config(2));
        assert_eq!(passed(&mut circuit, &config, &[Suspended]), [Suspended]);
        assert_eq!(Circuit::pause_over(&mut circuit, &config, SimTime::from_ms(1_000)), None);
        assert_eq!(circuit.map(|open| open.until), Some(SimTime::from_ms(2_000)));
        // the policy's last pause: it closes, and there is nothing new to tell
        assert_eq!(Circuit::pause_over(&mut circuit, &config, SimTime::from_ms(2_000)), None);
        assert_eq!(circuit, None);
        assert_eq!(passed(&mut circuit, &config, &[Reconnected]), [Reconnected]);
    }

    #[test]
    fn without_pauses_there_is_no_circuit() {
        let mut circuit = None;
        let all = [Suspended, Reconnected, Suspended, Lost];
        assert_eq!(passed(&mut circuit, &config(0), &all), all);
    }
}
