//! The end of the replication stream, kept for replicas that come back (`replication.c` `createReplicationBacklog`,
//! `incrementalTrimReplicationBacklog`).

use std::collections::VecDeque;

use crate::redis::message::bytes;

/// The stream is kept and trimmed in blocks of so many bytes (`PROTO_REPLY_CHUNK_BYTES`): a little more than asked for is there.
const BLOCK: i64 = 16 << 10;

#[derive(Clone, Debug, Default)]
struct Block {
    size: i64,
    commands: Vec<Vec<String>>,
}

/// The last part of the stream.
#[derive(Clone, Debug)]
pub(super) struct Backlog {
    start: i64,
    len: i64,
    blocks: VecDeque<Block>,
}

impl Backlog {
    /// An empty one, whose next byte follows `offset`.
    pub(super) fn new(offset: i64) -> Backlog {
        Backlog { start: offset, len: 0, blocks: VecDeque::new() }
    }

    /// How long it is, bytes.
    pub(super) fn len(&self) -> i64 {
        self.len
    }

    /// Adds a command; what is older than `most` bytes may go.
    pub(super) fn push(&mut self, command: Vec<String>, most: i64) {
        if self.blocks.back().is_none_or(|block| block.size >= BLOCK) {
            self.blocks.push_back(Block::default());
        }
        let size = bytes(&command);
        if let Some(block) = self.blocks.back_mut() {
            block.size += size;
            block.commands.push(command);
        }
        self.len += size;
        while let Some(first) = self.blocks.front().filter(|first| self.len - first.size > most) {
            (self.start, self.len) = (self.start + first.size, self.len - first.size);
            self.blocks.pop_front();
        }
    }

    /// What follows an offset, where all of it is still there.
    pub(super) fn since(&self, offset: i64) -> Option<Vec<Vec<String>>> {
        let mut at = self.start;
        if offset < at || offset > at + self.len {
            return None;
        }
        let mut missing = Vec::new();
        for command in self.blocks.iter().flat_map(|block| &block.commands) {
            if at >= offset {
                missing.push(command.clone());
            }
            at += bytes(command);
        }
        Some(missing)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_keeps_at_least_what_it_should_and_knows_what_is_gone() {
        let command = || vec!["SET".to_string(), "k".into(), "x".repeat(1_000)];
        let size = bytes(&command());
        let mut backlog = Backlog::new(100);
        for _ in 0..60 {
            backlog.push(command(), 20_000);
        }
        assert!((20_000..20_000 + BLOCK + 2 * size).contains(&backlog.len()), "{}", backlog.len());
        let end = 100 + 60 * size;
        assert_eq!(backlog.since(end - 3 * size).map(|missing| missing.len()), Some(3));
        assert_eq!(backlog.since(end).map(|missing| missing.len()), Some(0));
        assert_eq!((backlog.since(100), backlog.since(end + 1)), (None, None));
    }
}
