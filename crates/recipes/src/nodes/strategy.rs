//! Which instance of a service is handed out (`RoundRobinStrategy.java`, `RandomStrategy.java`, `StickyStrategy.java`), and
//! which ones are not for a while, because their callers met errors (`DownInstanceManager.java`, `DownInstancePolicy.java`).

use std::rc::Rc;

use crate::base::{Micros, Prng, SimTime, SortedMap};

/// An instance as its providers know it: its id and its data. One that registered with other data is another.
pub(crate) type Instance = (Rc<str>, Rc<str>);

/// How long errors hide an instance (`DEFAULT_TIMEOUT_MS`), µs; looked after twice in that time.
const HIDDEN: Micros = 30_000_000;
/// How many errors in that time hide it (`DEFAULT_THRESHOLD`).
const ERRORS: u32 = 2;

/// Which of the instances is next.
#[derive(Clone, Debug)]
pub(crate) enum Strategy {
    /// One after another. How many were handed out.
    RoundRobin(u32),
    /// Any one.
    Random,
    /// The same as long as it is there; its successor is the next in turn.
    Sticky(u32, Option<Instance>),
}

impl Strategy {
    pub(crate) fn of(words: impl Fn(&str) -> bool) -> Strategy {
        match (words("random"), words("sticky")) {
            (true, _) => Strategy::Random,
            (_, true) => Strategy::Sticky(0, None),
            _ => Strategy::RoundRobin(0),
        }
    }

    /// `getInstance`.
    pub(crate) fn pick(&mut self, instances: &[Instance], prng: &mut Prng) -> Option<Instance> {
        let in_turn = |handed_out: &mut u32| {
            let index = (*handed_out as usize).checked_rem(instances.len())?;
            *handed_out = handed_out.wrapping_add(1);
            instances.get(index).cloned()
        };
        match self {
            Strategy::RoundRobin(handed_out) => in_turn(handed_out),
            Strategy::Random if instances.is_empty() => None,
            Strategy::Random => instances.get(prng.below(instances.len() as u32) as usize).cloned(),
            Strategy::Sticky(picked, ours) => {
                ours.take_if(|ours| !instances.contains(ours));
                if ours.is_none() {
                    *ours = in_turn(picked);
                }
                ours.clone()
            }
        }
    }
}

/// Instances that met errors: since when, and how many.
#[derive(Clone, Debug, Default)]
pub(crate) struct Down {
    errors: SortedMap<Instance, (SimTime, u32)>,
    looked: SimTime,
}

impl Down {
    pub(crate) fn new(now: SimTime) -> Down {
        Down { errors: SortedMap::new(), looked: now }
    }

    /// `noteError`.
    pub(crate) fn add(&mut self, instance: Instance, now: SimTime) {
        self.purge(now);
        self.errors.get_or(instance, (now, 0)).1 += 1;
    }

    /// Whether it is not handed out.
    pub(crate) fn hides(&mut self, instance: &Instance, now: SimTime) -> bool {
        self.purge(now);
        self.errors.get(instance).is_some_and(|(_, errors)| *errors >= ERRORS)
    }

    /// Which are not handed out, as far as it has looked.
    pub(crate) fn hidden(&self) -> impl Iterator<Item = &Instance> {
        self.errors.iter().filter(|(_, (_, errors))| *errors >= ERRORS).map(|(instance, _)| instance)
    }

    /// What is old enough goes, but it is only looked after twice in the time: an instance may be hidden for half as long again.
    fn purge(&mut self, now: SimTime) {
        if now.since(self.looked) >= HIDDEN / 2 {
            self.looked = now;
            self.errors.retain(|_, (since, _)| now.since(*since) < HIDDEN);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Stream;

    fn instances(names: &str) -> Vec<Instance> {
        names.split(' ').filter(|name| !name.is_empty()).map(|name| (name.into(), name.into())).collect()
    }

    fn picks(strategy: &mut Strategy, lists: &[&str]) -> String {
        let mut prng = Prng::new(1, Stream::Recipe);
        let pick = |list: &&str| strategy.pick(&instances(list), &mut prng).map_or("-".into(), |(id, _)| id);
        lists.iter().map(pick).collect::<Vec<Rc<str>>>().join(" ")
    }

    #[test]
    fn each_strategy_picks_in_its_own_way() {
        assert_eq!(picks(&mut Strategy::RoundRobin(0), &["a b", "a b", "a b", "", "a b c", "a b"]), "a b a - a a");
        assert_eq!(picks(&mut Strategy::Sticky(0, None), &["a b", "a b", "b", "a b", "", "a b"]), "a a b b - a");
        let random = picks(&mut Strategy::Random, &["a b"; 40]);
        assert!(random.contains('a') && random.contains('b'), "{random}");
        assert_eq!(picks(&mut Strategy::Random, &[""]), "-");
    }

    #[test]
    fn two_errors_hide_an_instance_for_a_while() {
        let (mut down, [a, b]) = (Down::new(SimTime::ZERO), ["a", "b"].map(|id| (id.into(), id.into())));
        let at = |seconds: u64| SimTime::from_ms(seconds * 1_000);
        down.add(a.clone(), at(1));
        assert!(!down.hides(&a, at(1)));
        down.add(a.clone(), at(14));
        assert!(down.hides(&a, at(29)) && !down.hides(&b, at(29)));
        // 15 s after it looked at second 29, not 30 s after the first error
        assert!(down.hides(&a, at(43)));
        assert!(!down.hides(&a, at(44)));
    }

    #[test]
    fn words_choose_the_strategy() {
        let of = |word: &'static str| Strategy::of(move |given| given == word);
        assert!(matches!(of("random"), Strategy::Random));
        assert!(matches!(of("sticky"), Strategy::Sticky(0, None)));
        assert!(matches!(of("other"), Strategy::RoundRobin(0)));
    }

    #[test]
    fn errors_are_forgotten_after_their_time() {
        let (mut down, a): (Down, Instance) = (Down::new(SimTime::ZERO), ("a".into(), "a".into()));
        let at = |seconds: u64| SimTime::from_ms(seconds * 1_000);
        (0..2).for_each(|_| down.add(a.clone(), at(1)));
        assert!(down.hides(&a, at(16)));
        assert!(!down.hides(&a, at(31)), "30 s after the errors");
    }
}
