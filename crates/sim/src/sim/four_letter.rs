//! What is told of a four-letter word that was said to a server.

use std::rc::Rc;

use crate::base::{ClientId, ServerId};
use crate::wire::FourLetterWord;

use super::fact::WorldFact;
use super::reasons::Silence;

/// An answer, or none: where it is known that none comes, the connection was closed.
pub(super) fn told(server: ServerId, text: Rc<str>, answer: Option<&str>, client: Option<ClientId>) -> WorldFact {
    let known = FourLetterWord::read_from(&text).zip(answer);
    match known {
        Some(((word, _), answer)) => {
            let answer = answer.strip_suffix('\n').unwrap_or(answer).split('\n').map(Rc::from).collect();
            WorldFact::FourLetterAnswered { server, word, answer, client }
        }
        None => WorldFact::FourLetterUnanswered { server, word: text, silence: Silence::Closed, client },
    }
}
