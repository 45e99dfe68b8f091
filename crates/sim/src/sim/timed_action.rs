//! An action and its moment, as a run lists them.

use serde::Serialize;

use crate::base::SimTime;
use crate::base::json::{Json, Read, ReadError};

use super::action::Action;

/// An action and when it is done: after everything else that happens in that microsecond.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TimedAction {
    /// When, µs since the run began.
    pub at_us: SimTime,
    /// What is done then.
    #[serde(flatten)]
    pub action: Action,
}

impl Read for TimedAction {
    fn read(json: Json) -> Result<TimedAction, ReadError> {
        let mut fields = json.fields()?;
        let timed = TimedAction { at_us: fields.need("at_us")?, action: Action::take(&mut fields)? };
        fields.end().map(|()| timed)
    }
}
