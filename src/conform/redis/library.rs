//! What lock libraries send (to come).

use super::recording::Library;

pub(super) fn play(library: &Library, _seed: u64) -> Result<(), String> {
    Err(format!("{} is not modelled", library.recorded_from))
}
