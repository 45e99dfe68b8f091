//! What of the diagram lies in a stretch of time, without looking at all of it.

use crate::timeline::spacetime::{Arrow, Diagram, Event, Fate, List, PIECE};

/// Messages sent one after another, and when the last of them ended: a stretch of time that begins later has none of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Block {
    flying: u16,
    pub last_end_us: u64,
}

impl Block {
    /// A message is sent.
    pub(super) fn begin(blocks: &mut Vec<Block>, place: usize) {
        if place / PIECE >= blocks.len() {
            blocks.push(Block::default());
        }
        blocks[place / PIECE].flying += 1;
    }

    /// A message ended.
    pub(super) fn end(blocks: &mut [Block], place: usize, us: u64) {
        let block = &mut blocks[place / PIECE];
        block.flying -= 1;
        block.last_end_us = block.last_end_us.max(us);
    }

    /// The blocks of these messages.
    pub(super) fn of(arrows: &List<Arrow>) -> Vec<Block> {
        let mut blocks = Vec::new();
        for (place, arrow) in arrows.iter().enumerate() {
            Block::begin(&mut blocks, place);
            if arrow.fate != Fate::Flying {
                Block::end(&mut blocks, place, arrow.end_us);
            }
        }
        blocks
    }
}

impl Diagram {
    /// The messages that were on their way at some time from `from_us` to `to_us`, with their places, in the order in which
    /// they were sent. Those still flying count as flying for ever.
    pub fn arrows_in(&self, from_us: u64, to_us: u64) -> impl Iterator<Item = (u32, &Arrow)> {
        let end = self.arrows.partition_point(|arrow| arrow.sent_us <= to_us);
        let pieces = self.arrows.pieces().zip(&self.blocks).take(end.div_ceil(PIECE)).enumerate();
        let near = pieces.filter(move |(_, (_, block))| block.flying > 0 || block.last_end_us >= from_us);
        near.flat_map(move |(number, (arrows, _))| {
            let places = (number * PIECE) as u32..;
            let lies = move |(_, arrow): &(u32, &Arrow)| arrow.end_us >= from_us && arrow.sent_us <= to_us;
            places.zip(arrows).filter(lies)
        })
    }

    /// At most how many messages [`Diagram::arrows_in`] gives, without counting.
    pub fn at_most_in(&self, from_us: u64, to_us: u64) -> usize {
        let end = self.arrows.partition_point(|arrow| arrow.sent_us <= to_us);
        let near = |block: &&Block| block.flying > 0 || block.last_end_us >= from_us;
        (self.blocks[..end.div_ceil(PIECE)].iter().filter(near).count() * PIECE).min(end)
    }

    /// What happened from `from_us` to `to_us`, or was under way then, with its place, in order.
    pub fn events_in(&self, from_us: u64, to_us: u64) -> impl Iterator<Item = (u32, &Event)> {
        let first = self.events.partition_point(|event| event.at_us < from_us);
        // what ended later may have begun before the stretch ends
        let last = to_us.saturating_add(self.longest_us);
        let count = self.events.partition_point(|event| event.at_us <= last) - first;
        let places = first as u32..;
        let began = move |(_, event): &(u32, &Event)| event.at_us - u64::from(event.took_us) <= to_us;
        places.zip(self.events.from(first).take(count)).filter(began)
    }
}
