//! What is looked for, as a text that runs, links and the command line can carry.

use std::fmt;
use std::rc::Rc;
use std::str::FromStr;

use crate::base::json::{Json, Read, ReadError};
use crate::base::{Epoch, Micros};
use crate::check::{LIVENESS, RECIPE_LIVENESS, SECOND_STORE, property, system_property};

/// A goal: something that must never happen, or something that may.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Goal {
    /// Any property that a fact can show is violated: `any`. Not the two that only the end of a run shows.
    Any,
    /// A property is violated: its id. With `liveness` and `recipe-liveness` everything is healed after the last deed.
    Violated(&'static str),
    /// A committed transaction is lost, or one that a client was told of: `commit-lost`.
    CommitLost,
    /// Two servers lead at a time, each for itself; the protocol allows it: `two-leaders`.
    TwoLeaders,
    /// Two servers are established leaders at a time; allowed too: `two-established`.
    TwoEstablished,
    /// One believes to hold what another holds by right: `two-holders`.
    TwoHolders,
    /// A recipe of one's own breaks, by one of the [laws](super::own::Law) that it must keep: `own-recipe`.
    OwnRecipe {
        /// A herd does not count as broken: `own-recipe-or-herd`.
        may_herd: bool,
    },
    /// A read is answered from before a write that had been answered when it was asked for: `stale-read`.
    StaleRead,
    /// A sync brings less than was committed, because a deposed leader took it: `stale-sync`.
    StaleSync,
    /// A leader of this epoch or a later one is established: `epoch:3`.
    Epoch(Epoch),
    /// For so long no leader is established though a majority of the voters runs, µs: `standstill:10` in seconds.
    Standstill(Micros),
    /// So many facts fit a [`Pattern`](crate::scenarios::pattern::Pattern): `fact:log_truncated server=2`, `fact:2:established`.
    Facts {
        /// How many, from 1.
        times: u32,
        /// The pattern.
        pattern: Rc<str>,
    },
}

/// A goal that is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GoalError(String);

impl fmt::Display for GoalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for GoalError {}

/// Most seconds of a standstill.
const MAX_STANDSTILL_S: u64 = 600;
/// Most facts that a goal counts.
const MAX_TIMES: u32 = 1_000;
/// Longest pattern, bytes.
const MAX_PATTERN: usize = 400;

impl Goal {
    /// The goal that a property, by its id, is violated.
    ///
    /// # Errors
    /// Nothing that a search can judge has this id.
    pub fn violated(id: &str) -> Result<Goal, GoalError> {
        let known = property(id).map(|property| property.id).filter(|id| *id != SECOND_STORE.id);
        let known = known.or_else(|| system_property(id).map(|property| property.id));
        known.map(Goal::Violated).ok_or_else(|| GoalError(format!("there is no property '{}'", cut(id))))
    }

    /// Whether everything is healed after the last deed, and the ensemble has time to recover.
    pub fn heals(&self) -> bool {
        let own = matches!(self, Goal::OwnRecipe { .. });
        own || matches!(self, Goal::Violated(id) if *id == LIVENESS.id || *id == RECIPE_LIVENESS.id)
    }

    /// Whether it must never happen: then a rule is to blame, and with every rule kept it must not.
    pub fn is_violation(&self) -> bool {
        matches!(self, Goal::Any | Goal::Violated(_) | Goal::CommitLost)
    }

    /// Whether all orders of a tiny setup can be searched for it: something that a fact shows.
    pub fn has_orders(&self) -> bool {
        self.is_violation() && !self.heals()
    }

    /// How long after the last deed it may still happen for other reasons than the ensemble's own time limits, µs.
    pub(super) fn patience(&self) -> Micros {
        if let Goal::Standstill(us) = self { *us } else { 0 }
    }
}

fn cut(text: &str) -> String {
    text.chars().take(60).collect()
}

impl fmt::Display for Goal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Goal::Any => f.write_str("any"),
            Goal::Violated(id) => f.write_str(id),
            Goal::CommitLost => f.write_str("commit-lost"),
            Goal::TwoLeaders => f.write_str("two-leaders"),
            Goal::TwoEstablished => f.write_str("two-established"),
            Goal::TwoHolders => f.write_str("two-holders"),
            Goal::OwnRecipe { may_herd: false } => f.write_str("own-recipe"),
            Goal::OwnRecipe { may_herd: true } => f.write_str("own-recipe-or-herd"),
            Goal::StaleRead => f.write_str("stale-read"),
            Goal::StaleSync => f.write_str("stale-sync"),
            Goal::Epoch(epoch) => write!(f, "epoch:{epoch}"),
            Goal::Standstill(us) => write!(f, "standstill:{}", us / 1_000_000),
            Goal::Facts { times: 1, pattern } => write!(f, "fact:{pattern}"),
            Goal::Facts { times, pattern } => write!(f, "fact:{times}:{pattern}"),
        }
    }
}

impl FromStr for Goal {
    type Err = GoalError;

    fn from_str(text: &str) -> Result<Goal, GoalError> {
        let known = match text {
            "any" => Goal::Any,
            "commit-lost" => Goal::CommitLost,
            "two-leaders" => Goal::TwoLeaders,
            "two-established" => Goal::TwoEstablished,
            "two-holders" => Goal::TwoHolders,
            "own-recipe" => Goal::OwnRecipe { may_herd: false },
            "own-recipe-or-herd" => Goal::OwnRecipe { may_herd: true },
            "stale-read" => Goal::StaleRead,
            "stale-sync" => Goal::StaleSync,
            _ => return valued(text),
        };
        Ok(known)
    }
}

impl Read for Goal {
    fn read(json: Json) -> Result<Goal, ReadError> {
        let text = String::read(json)?;
        text.parse().map_err(|_| ReadError::unknown_name(&text, Vec::new()))
    }
}

fn valued(text: &str) -> Result<Goal, GoalError> {
    let Some((kind, value)) = text.split_once(':') else { return Goal::violated(text) };
    match kind {
        "epoch" => number(kind, value, 1, u64::from(Epoch::MAX)).map(|epoch| Goal::Epoch(epoch as Epoch)),
        "standstill" => number(kind, value, 1, MAX_STANDSTILL_S).map(|s| Goal::Standstill(s * 1_000_000)),
        "fact" => facts(value),
        _ => Err(GoalError(format!("there is no goal '{}'", cut(text)))),
    }
}

fn number(kind: &str, value: &str, least: u64, most: u64) -> Result<u64, GoalError> {
    let number = value.parse().ok().filter(|number| (least..=most).contains(number));
    let wrong = || GoalError(format!("{kind}:{} is not a whole number from {least} to {most}", cut(value)));
    number.ok_or_else(wrong)
}

fn facts(value: &str) -> Result<Goal, GoalError> {
    let (times, pattern) = match value.split_once(':') {
        // a zxid has a colon too
        Some((times, pattern)) if times.bytes().all(|byte| byte.is_ascii_digit()) => {
            (number("fact", times, 1, MAX_TIMES.into())? as u32, pattern)
        }
        _ => (1, value),
    };
    let mut words = pattern.split(' ');
    let kind = words.next().unwrap_or_default();
    let well_formed = !kind.is_empty() && pattern.len() <= MAX_PATTERN && words.all(|word| word.contains('='));
    match well_formed {
        true => Ok(Goal::Facts { times, pattern: pattern.into() }),
        false => Err(GoalError(format!(
            "'{}' is no pattern of facts: write its kind and what its fields are, as in 'left role=LEADING server=3'",
            cut(pattern)
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goals_survive_their_text() {
        for text in [
            "any",
            "durability",
            "liveness",
            "commit-lost",
            "two-leaders",
            "stale-read",
            "own-recipe",
            "own-recipe-or-herd",
            "epoch:3",
            "standstill:10",
            "fact:log_truncated server=2",
            "fact:2:established",
            "fact:committed zxid=1:3",
        ] {
            assert_eq!(text.parse::<Goal>().map(|goal| goal.to_string()), Ok(text.to_string()));
        }
    }

    #[test]
    fn what_is_no_goal_is_a_sentence() {
        for (text, why) in [
            ("", "no property ''"),
            ("second-store", "no property"),
            ("epoch:0", "epoch:0 is not a whole number from 1"),
            ("standstill:99999999999999999999", "standstill:"),
            ("fact:", "no pattern"),
            ("fact:left LEADING", "no pattern"),
            ("fact:0:left", "fact:0"),
            ("sneeze:1", "no goal 'sneeze:1'"),
        ] {
            let said = text.parse::<Goal>().map_err(|error| error.to_string());
            assert!(matches!(&said, Err(said) if said.contains(why)), "{text}: {said:?}");
        }
    }
}
