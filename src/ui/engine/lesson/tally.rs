//! Votes of a hall, counted by hand: nothing of them leaves the page, and nothing is kept.

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
    pub(crate) fn new(answers: usize) -> Tally {
        Tally { rounds: vec![vec![0; answers]], open: false }
    }

    /// How many voted for an answer in the last round.
    pub(crate) fn now(&self, answer: usize) -> u16 {
        self.rounds.last().and_then(|round| round.get(answer)).copied().unwrap_or(0)
    }

    /// The share of an answer in each round, per cent; 0 where nobody voted.
    pub(crate) fn shares(&self, answer: usize) -> Vec<u32> {
        let share = |round: &Vec<u16>| {
            let all: u32 = round.iter().map(|votes| u32::from(*votes)).sum();
            let own = round.get(answer).map_or(0, |votes| u32::from(*votes));
            (own * 100).checked_div(all).unwrap_or(0)
        };
        self.rounds.iter().map(share).collect()
    }

    /// Counts anew for an answer in the last round.
    pub(crate) fn change(&mut self, answer: usize, to: impl FnOnce(u16) -> u16) {
        if let Some(votes) = self.rounds.last_mut().and_then(|round| round.get_mut(answer)) {
            *votes = to(*votes).min(MOST);
        }
    }

    /// The hall sees the votes; after that it votes once more; after that it has voted. Whether there is still something to count or to see.
    pub(crate) fn go_on(&mut self) -> bool {
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
