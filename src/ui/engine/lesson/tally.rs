//! Votes of a hall, counted by hand: nothing of them leaves the page, and nothing is kept.

use crate::lessons::Value;

use crate::ui::engine::Engine;

use super::shown::Answering;
use super::state::Open;

/// Most votes for one answer.
const MOST: u16 = 999;
/// As many times the hall votes: before it discusses, and after it.
const ROUNDS: usize = 2;

/// How often each answer was voted for, in the order in which they are offered; where one may say "nobody", that comes last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::ui) struct Tally {
    /// Of each vote of the hall: one, or two.
    pub rounds: Vec<Vec<u16>>,
    /// Whether the hall sees how many there were.
    pub open: bool,
}

impl Tally {
    /// Nobody has voted yet.
    pub fn new(answers: usize) -> Tally {
        Tally { rounds: vec![vec![0; answers]], open: false }
    }

    /// How many voted for an answer in the last round.
    pub fn now(&self, answer: usize) -> u16 {
        self.rounds.last().and_then(|round| round.get(answer)).copied().unwrap_or(0)
    }

    /// The share of an answer in each round, per cent; 0 where nobody voted.
    pub fn shares(&self, answer: usize) -> Vec<u32> {
        let share = |round: &Vec<u16>| {
            let all: u32 = round.iter().map(|votes| u32::from(*votes)).sum();
            let own = round.get(answer).map_or(0, |votes| u32::from(*votes));
            (own * 100).checked_div(all).unwrap_or(0)
        };
        self.rounds.iter().map(share).collect()
    }

    /// Counts anew for an answer in the last round.
    pub fn change(&mut self, answer: usize, to: impl FnOnce(u16) -> u16) {
        if let Some(votes) = self.rounds.last_mut().and_then(|round| round.get_mut(answer)) {
            *votes = to(*votes).min(MOST);
        }
    }

    /// The hall sees the votes; after that it votes once more; after that it has voted. Whether there is still something to count or to see.
    pub fn go_on(&mut self) -> bool {
        match (self.open, self.rounds.len()) {
            (false, _) => self.open = true,
            (true, ROUNDS..) => return false,
            (true, _) => {
                let answers = self.rounds.first().map_or(0, Vec::len);
                self.rounds.push(vec![0; answers]);
                self.open = false;
            }
        }
        true
    }
}

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
    pub fn counts_votes(&self) -> bool {
        let counted = self.with_open(|open| open.tally.is_some());
        counted.unwrap_or(false) && self.in_hall() && !self.is_beside_lesson()
    }

    /// Opens the tally of a hall's question, shows it, opens a second one, closes it; whether there is such a question.
    pub fn turn_tally(&self) -> bool {
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
    pub fn change_votes(&self, answer: usize, to: impl FnOnce(u16) -> u16) {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hall_votes_twice_and_sees_both() {
        let mut tally = Tally::new(3);
        tally.change(0, |votes| votes + 1);
        tally.change(2, |_| 3);
        tally.change(7, |_| 3);
        assert_eq!((tally.rounds.clone(), tally.open), (vec![vec![1, 0, 3]], false));
        assert!(tally.go_on() && tally.open);
        assert_eq!((tally.shares(0), tally.shares(2)), (vec![25], vec![75]));
        assert!(tally.go_on() && !tally.open);
        assert_eq!((tally.now(2), tally.shares(2)), (0, vec![75, 0]));
        tally.change(2, |_| 5_000);
        tally.change(1, |votes| votes.saturating_sub(1));
        assert_eq!(tally.rounds[1], [0, 0, MOST]);
        assert!(tally.go_on() && tally.open);
        assert!(!tally.go_on(), "it has voted twice");
    }
}
