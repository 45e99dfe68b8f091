//! How long something takes: between two bounds, drawn each time.

use serde::{Deserialize, Serialize};

use crate::base::Micros;
use crate::base::json::{Json, Read, ReadError, ValueError, within};
use crate::base::limits::MAX_DURATION_US;

/// A range of times, µs, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct LatencyRange {
    /// The shortest.
    pub min_us: Micros,
    /// The longest.
    pub max_us: Micros,
}

impl LatencyRange {
    /// A range in milliseconds.
    pub const fn ms(min: u64, max: u64) -> LatencyRange {
        LatencyRange { min_us: min * 1000, max_us: max * 1000 }
    }

    /// Checks its bounds.
    ///
    /// # Errors
    /// It ends before it begins, or too late.
    pub fn check(&self) -> Result<(), ReadError> {
        if self.min_us > self.max_us {
            return Err(ReadError::new(ValueError::EmptyRange { min: self.min_us, max: self.max_us }));
        }
        within("max_us", self.max_us, 0, MAX_DURATION_US)
    }
}

impl Read for LatencyRange {
    fn read(json: Json) -> Result<LatencyRange, ReadError> {
        let mut fields = json.fields()?;
        let range = LatencyRange { min_us: fields.need("min_us")?, max_us: fields.need("max_us")? };
        fields.end().map(|()| range)
    }
}
