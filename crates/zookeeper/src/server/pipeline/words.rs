//! Four-letter words arrive: each on a connection of its own, which is closed behind the answer (`NIOServerCnxn.java`
//! `checkFourLetterWord`).

use std::rc::Rc;

use crate::base::{ClientId, ConnId};
use crate::server::fact::StateFact;
use crate::server::io::Output;
use crate::wire::{FourLetterWord, ToClient};

use super::Pipeline;

/// How much of an answer is written at once, characters: the buffer of Java's `BufferedWriter`.
const PIECE: usize = 8_192;
/// Connections that no network sees are called by numbers from here on: nobody else's change by them.
const FROM_HERE: u64 = 1 << 62;

impl Pipeline<'_> {
    /// A text came instead of a packet.
    pub(super) fn word(&mut self, conn: ConnId, text: &str) {
        if !self.server.service.conns.contains_key(&conn) {
            return;
        }
        if let Some(text) = self.answer(conn, text).filter(|answer| !answer.is_empty()) {
            self.push(Output::ToClient(conn, ToClient::Text { text: text.into() }));
        }
        self.push(Output::Close(conn));
        self.server.service.closed(conn);
    }

    /// Somebody on this machine sends a text to its own server: nothing of that is seen on the network.
    pub(super) fn word_from_here(&mut self, text: Rc<str>) {
        let conn = ConnId(FROM_HERE + self.server.asked);
        self.server.asked += 1;
        let mut answer = None;
        if !self.server.service.refuses_one_more(&self.env.config.service) {
            self.server.service.opened(conn, ClientId::NONE, self.env.now);
            answer = self.answer(conn, &text).map(Rc::from);
            self.server.service.closed(conn);
        }
        self.push(Output::State(StateFact::WordSent { text, answer }));
    }

    fn answer(&mut self, conn: ConnId, text: &str) -> Option<String> {
        let (word, rest) = FourLetterWord::read_from(text)?;
        self.server.service.word_received(conn, self.env.now);
        let answer = self.server.answer(word, rest, &self.env)?;
        self.server.service.word_answered(answer.chars().count().div_ceil(PIECE));
        Some(answer)
    }
}
