//! Forgetting facts again: a diagram becomes what it was before it had read them.

use crate::timeline::spacetime::index::Block;
use crate::timeline::spacetime::read::{LONG_US, note_cut};
use crate::timeline::spacetime::{Arrow, Diagram, Event, FIN, Fate, NEVER, UNKNOWN, What, node_of};

impl Diagram {
    /// Forgets every fact from this number on, also the ends of messages: they are on their way again.
    pub fn truncate(&mut self, seq: u64) {
        let cut = u32::try_from(seq).unwrap_or(NEVER);
        if cut >= self.next_seq {
            return;
        }
        self.cut_arrows(cut);
        self.kinds.retain(|kind| kind.born < cut || kind.name == "FIN");
        self.events.truncate(self.events.partition_point(|event| event.seq < cut));
        self.longest_us = self.events.iter().map(|event| event.took_us.into()).max().unwrap_or(0);
        self.bands.truncate(self.bands.partition_point(|band| band.seq < cut));
        for band in self.bands.iter_mut().filter(|band| band.end_seq >= cut) {
            (band.to_us, band.end_seq) = (UNKNOWN, NEVER);
        }
        self.cut_claims(cut);
        self.lines.retain(|_, line| line.opened < cut);
        let arrows = self.arrows.len();
        for line in self.lines.values_mut() {
            line.closed = if line.closed < cut { line.closed } else { NEVER };
            line.fin = line.fin.filter(|&fin| (fin as usize) < arrows);
        }
        self.cut_lanes(cut);
        self.cuts.clear();
        for event in self.events.iter().filter(|event| event.is_of_a_link()) {
            let link = (event.node, node_of(event.value));
            note_cut(self.cuts.entry(link).or_default(), event.what == What::Cut, event.at_us);
        }
        self.next_seq = cut;
    }

    fn cut_arrows(&mut self, cut: u32) {
        let again = |arrow: &Arrow| arrow.end_seq >= cut && arrow.end_seq != NEVER;
        for arrow in self.arrows.iter().filter(|arrow| again(arrow)) {
            if arrow.fate == Fate::Arrived && arrow.kind != FIN {
                self.travel.0 -= (arrow.end_us - arrow.sent_us).min(LONG_US);
                self.travel.1 -= 1;
            }
        }
        self.arrows.change(again, |arrow| {
            (arrow.end_us, arrow.end_seq, arrow.fate) = (UNKNOWN, NEVER, Fate::Flying);
        });
        self.arrows.truncate(self.arrows.partition_point(|arrow| arrow.sent_seq < cut));
        self.blocks = Block::of(&self.arrows);
    }

    fn cut_lanes(&mut self, cut: u32) {
        self.lanes.retain(|_, lane| lane.born < cut);
        for (&node, lane) in self.lanes.iter_mut() {
            lane.turns.truncate(lane.turns.partition_point(|turn| turn.seq < cut));
            lane.queued.truncate(lane.queued.partition_point(|queued| queued.seq < cut));
            lane.queued.change(|queued| queued.done >= cut && queued.done != NEVER, |queued| queued.done = NEVER);
            lane.waiting = lane.queued.partition_point(|queued| queued.done < cut);
            let on_disk = |event: &&Event| {
                use What::*;
                event.node == node && matches!(event.what, Synced | EpochWritten | Snapshot | Truncated)
            };
            lane.disk_us = self.events.iter().rev().find(on_disk).map_or(0, |event| event.at_us);
        }
    }
}
