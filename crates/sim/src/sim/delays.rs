//! What was told to take longer, until it happens.

use crate::base::Micros;

/// What takes longer, and by how much.
#[derive(Clone, Debug, Hash)]
pub(super) struct Delays<What>(Vec<(What, Micros)>);

impl<What> Default for Delays<What> {
    fn default() -> Delays<What> {
        Delays(Vec::new())
    }
}

impl<What: PartialEq> Delays<What> {
    /// It will take so much longer, whatever was said before.
    pub(super) fn set(&mut self, what: What, by: Micros) {
        self.0.retain(|(other, _)| *other != what);
        self.0.push((what, by));
    }

    /// It happens now: how much longer it takes, if that was said.
    pub(super) fn take(&mut self, is_it: impl Fn(&What) -> bool) -> Option<Micros> {
        let place = self.0.iter().position(|(what, _)| is_it(what))?;
        Some(self.0.remove(place).1)
    }
}
