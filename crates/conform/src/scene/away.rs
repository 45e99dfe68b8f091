//! Clients that are kept away until their sessions expire. Their programs hear SUSPENDED at once, and LOST when the client's own
//! timer says so; the server's clock is another one. Which of the two ends the session first is nobody's doing: of two scenes
//! that do the same one has LOST in the stage of the expiry, the other only where the client is let back. So LOST is waited
//! for where it was recorded, and put off where it comes before; it may not be missing.

use std::collections::BTreeMap;

use crate::base::ClientId;
use crate::compare::Difference;

use super::file::Stage;
use super::names::Names;
use super::played::{Line, Played};
use super::{Failure, Problem};

const LOST: &str = "LOST";
/// The client's timer is late by a third of the timeout at most; so many stages last longer.
const ENOUGH_STAGES: usize = 2;

#[derive(Clone, Debug)]
struct Cut {
    stage: usize,
    name: String,
    /// Whether LOST was recorded since.
    told: bool,
}

/// Who is away.
#[derive(Clone, Debug, Default)]
pub(super) struct Away {
    cuts: BTreeMap<ClientId, Cut>,
    early: Vec<Line>,
}

impl Away {
    /// A client is cut off in this stage, counted from 1.
    pub(super) fn cut(&mut self, client: ClientId, stage: usize, name: &str) {
        self.cuts.insert(client, Cut { stage, name: name.into(), told: false });
    }

    /// It may come back.
    pub(super) fn back(&mut self, client: ClientId) {
        self.cuts.remove(&client);
    }

    /// Those that were told LOST in this stage of the record.
    pub(super) fn told_in(&self, recorded: &Stage, names: &Names) -> Vec<ClientId> {
        let told = |client: &ClientId| recorded.answers.contains(&lost_line(names.of(*client)));
        self.cuts.keys().copied().filter(told).collect()
    }

    /// What was put off.
    pub(super) fn take_early(&mut self) -> Vec<Line> {
        std::mem::take(&mut self.early)
    }

    /// Puts off what comes before it was recorded.
    pub(super) fn put_off(&mut self, played: &mut Played, recorded: Option<&Stage>, names: &Names) {
        let told = recorded.map(|stage| self.told_in(stage, names));
        for (client, cut) in &mut self.cuts {
            // in a stage that is not listed it may have been told
            cut.told |= told.as_ref().is_none_or(|told| told.contains(client));
        }
        let is_lost = |line: &Line| line.what == LOST && &*line.object == "connection";
        let is_early = |line: &Line| is_lost(line) && self.cuts.get(&line.client).is_some_and(|cut| !cut.told);
        let (early, rest) = std::mem::take(&mut played.lines).into_iter().partition(is_early);
        (self.early, played.lines) = (early, rest);
    }

    /// Who was never told, though there was time; of that many stages.
    pub(super) fn never_told(&self, stages: usize, names: &Names) -> Option<Failure> {
        let late = |cut: &&Cut| !cut.told && stages >= cut.stage + ENOUGH_STAGES;
        let (client, cut) = self.cuts.iter().find(|(_, cut)| late(cut))?;
        let field = format!("answers.* {}", names.of(*client));
        let (expected, got) = ("nothing".into(), "connection LOST, at the latest two stages after".into());
        let problem = Problem::Differs(Difference { field, expected, got });
        Some(Failure { stage: cut.stage, name: cut.name.clone(), problem })
    }
}

fn lost_line(client: &str) -> String {
    format!("* {client} connection {LOST}")
}
