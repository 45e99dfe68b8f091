//! Disks of real servers that are read beside the stage.

use std::rc::Rc;

use crate::disks::report::Started;
use crate::timeline::Side;

use super::Engine;
use crate::ui::disks::{Known, Named, Reading, beside};

impl Engine {
    /// Reads files, beside those that were given before; a reading under way ends.
    pub(crate) fn read_disks(&self, files: Named, zookeeper: &str) {
        let known = self.shared.disks.take().map(|reading| reading.files()).unwrap_or_default();
        let engine = self.on(Side::Left);
        let reading = Reading::begin(beside(known, files), zookeeper, move || engine.notify());
        self.shared.disks.replace(Some(reading));
        self.on(Side::Left).notify();
    }

    /// Puts them away.
    pub(crate) fn forget_disks(&self) {
        self.shared.disks.take();
        self.on(Side::Left).notify();
    }

    /// What is known of them; none where there are none.
    pub(crate) fn disks(&self) -> Option<Rc<Known>> {
        self.shared.disks.borrow().as_ref().map(Reading::known)
    }

    /// Ends the reading; what is known stays.
    pub(crate) fn stop_disks(&self) {
        self.with_disks(Reading::stop);
    }

    /// It is said whose disks they are, and by whose rules they are started.
    pub(crate) fn say_of_disks(&self, said: Vec<(String, u64)>, zookeeper: &str) {
        self.with_disks(|reading| reading.say(said, zookeeper));
    }

    /// Makes a start of them a run; `ran` hears of it.
    pub(crate) fn run_disks(&self, started: Started, ran: impl FnOnce(String, Vec<u64>) + 'static) {
        self.with_disks(|reading| reading.run(started, ran));
    }

    /// Disks of which this is known.
    #[cfg(test)]
    pub(crate) fn put_disks(&self, known: Known) {
        self.shared.disks.replace(Some(Reading::of(Vec::new(), known, || ())));
    }

    fn with_disks(&self, change: impl FnOnce(&Reading)) {
        // whoever hears of a change asks for them
        let reading = self.shared.disks.borrow().as_ref().cloned();
        if let Some(reading) = reading {
            change(&reading);
        }
    }
}
