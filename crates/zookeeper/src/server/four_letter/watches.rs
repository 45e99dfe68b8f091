//! Watches, as `wchs`, `wchp` and `wchc` tell of them. Only the table of data watches counts, as there: those for children are not in
//! it, lasting ones are.

use std::collections::{BTreeMap, BTreeSet};

use crate::base::{ConnId, Gather, SessionId};

use super::Asked;

impl Asked<'_> {
    fn data_watches(&self) -> impl Iterator<Item = (&str, ConnId)> {
        let watches = self.server.service.watches.iter();
        watches.filter(|(_, _, mode)| !mode.is_child()).map(|(path, conn, _)| (&**path, conn))
    }

    pub(super) fn watch_summary(&self) -> String {
        let all: BTreeSet<(&str, ConnId)> = self.data_watches().gathered();
        let (paths, conns): (BTreeSet<&str>, BTreeSet<ConnId>) = all.iter().copied().unzip();
        format!("{} connections watching {} paths\nTotal watches:{}\n", conns.len(), paths.len(), all.len())
    }

    /// By what `place` puts first of a path and a session; an empty line behind all.
    pub(super) fn watches(&self, place: impl Fn(String, SessionId) -> (String, String)) -> String {
        let mut groups: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (path, conn) in self.data_watches() {
            let session = self.server.service.conns.get(&conn).map_or(SessionId::NONE, |conn| conn.session);
            let (group, entry) = place(path.to_string(), session);
            let entries = groups.entry(group).or_default();
            if !entries.contains(&entry) {
                entries.push(entry);
            }
        }
        let lines = groups.into_iter().flat_map(|(group, entries)| {
            std::iter::once(format!("{group}\n")).chain(entries.into_iter().map(|entry| format!("\t{entry}\n")))
        });
        lines.collect::<String>() + "\n"
    }
}
