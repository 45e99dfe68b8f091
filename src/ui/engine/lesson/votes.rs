//! While a hall's votes are counted, an answer is a vote, and only the key that goes on reveals.

use crate::lessons::Value;

use crate::ui::engine::Engine;

use super::shown::Answering;
use super::state::Open;
use super::tally::Tally;

impl Open {
    /// How many answers can be voted for; none where it is no question of choices.
    fn votable(&self, choices: usize) -> Option<usize> {
        match self.answering() {
            Answering::Choose => Some(choices),
            Answering::One | Answering::Several(_) => Some(choices + 1),
            _ => None,
        }
    }
}

impl Engine {
    /// Whether votes are counted: then answering counts, and only going on reveals.
    pub(crate) fn counts_votes(&self) -> bool {
        let counted = self.with_open(|open| open.tally.is_some());
        counted.unwrap_or(false) && self.in_hall() && !self.is_beside_lesson()
    }

    /// Opens the tally of a hall's question, shows it, opens a second one, closes it; whether there is such a question.
    pub(crate) fn turn_tally(&self) -> bool {
        if !self.in_hall() || self.is_beside_lesson() {
            return false;
        }
        let choices = self.choices();
        let turned = self.with_open(|open| {
            let answers = open.votable(choices.len())?;
            let before = open.tally.take();
            open.tally = match before {
                None => Some(Tally::new(answers)),
                Some(mut tally) => tally.go_on().then_some(tally),
            };
            Some(())
        });
        self.notify();
        turned.flatten().is_some()
    }

    /// Changes how many voted for an answer, given by its place.
    pub(crate) fn change_votes(&self, answer: usize, to: impl FnOnce(u16) -> u16) {
        self.with_open(|open| open.tally.as_mut().map(|tally| tally.change(answer, to)));
        self.notify();
    }

    /// While votes are counted, an answer is a vote; whether it was one.
    pub(super) fn count_vote(&self, given: &Value) -> bool {
        if !self.counts_votes() {
            return false;
        }
        let choices = self.choices();
        let nobody = *given == Value::Nothing || *given == Value::List(Vec::new());
        let place = choices.iter().position(|choice| choice == given).or(nobody.then_some(choices.len()));
        if let Some(place) = place {
            self.change_votes(place, |votes| votes + 1);
        }
        true
    }
}
