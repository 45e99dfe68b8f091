//! Those who want to hear of changes. In which frame they do, `pacing` decides.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use super::Engine;
use super::pacing::Hearers;

/// Somebody who wants to hear of changes.
type Listener = Rc<dyn Fn()>;

/// Where a listener stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::ui) enum ListenerGroup {
    /// On the stage.
    Stage,
    /// Anywhere else.
    Beside,
    /// Where it is shown what the director tells.
    Voice,
}

/// All listeners of a side.
#[derive(Default)]
pub(super) struct Listeners {
    all: RefCell<Vec<(u64, ListenerGroup, Listener)>>,
    next: Cell<u64>,
}

impl Listeners {
    fn add(&self, group: ListenerGroup, listener: Listener) -> u64 {
        let id = self.next.get();
        self.next.set(id + 1);
        self.all.borrow_mut().push((id, group, listener));
        id
    }

    fn remove(&self, id: u64) {
        self.all.borrow_mut().retain(|(other, ..)| *other != id);
    }

    pub(super) fn call(&self, hearers: Hearers) {
        let hears = |at: usize, group: ListenerGroup| match hearers {
            Hearers::Nobody => false,
            Hearers::Voice => group == ListenerGroup::Voice,
            Hearers::Stage => group == ListenerGroup::Stage,
            Hearers::Beside { part, of } => group == ListenerGroup::Beside && at % of == part,
            Hearers::Everybody => true,
        };
        let all = self.all.borrow();
        let called: Vec<Listener> = all
            .iter()
            .enumerate()
            .filter(|(at, (_, group, _))| hears(*at, *group))
            .map(|(_, (.., one))| one.clone())
            .collect();
        // one of them may go, or another come
        drop(all);
        for listener in called {
            listener();
        }
    }
}

/// Someone hears of changes as long as this lives.
pub(in crate::ui) struct Listening {
    engine: Engine,
    id: u64,
}

impl Drop for Listening {
    fn drop(&mut self) {
        self.engine.screen().listeners.remove(self.id);
    }
}

impl Engine {
    /// Hears of changes on this side until the answer is dropped.
    pub(crate) fn listen(&self, group: ListenerGroup, listener: Rc<dyn Fn()>) -> Listening {
        let id = self.screen().listeners.add(group, listener);
        Listening { engine: self.clone(), id }
    }

    /// Everybody on this side hears of what has changed.
    pub(super) fn notify(&self) {
        let hearers = self.screen().pacing.borrow_mut().everybody();
        self.wake();
        self.screen().listeners.call(hearers);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::SimTime;
    use crate::timeline::{Pair, Side, Variation};

    #[test]
    fn each_hears_what_it_is_for_and_may_go_while_others_hear() {
        let listeners = Rc::new(Listeners::default());
        let heard = Rc::new(RefCell::new(Vec::new()));
        for (name, group) in (0..9).map(|name| (name, [ListenerGroup::Stage, ListenerGroup::Beside][name % 2])) {
            let (heard, all) = (heard.clone(), listeners.clone());
            let listener = move || {
                heard.borrow_mut().push(name);
                if name == 3 {
                    all.remove(3);
                }
            };
            listeners.add(group, Rc::new(listener));
        }
        let call = |whom: Hearers| {
            listeners.call(whom);
            heard.take()
        };
        assert_eq!(call(Hearers::Stage), [0, 2, 4, 6, 8]);
        let parts: Vec<usize> = (0..4).flat_map(|part| call(Hearers::Beside { part, of: 4 })).collect();
        assert_eq!(parts, [1, 5, 3, 7]);
        assert_eq!(call(Hearers::Everybody), [0, 1, 2, 4, 5, 6, 7, 8], "the one that went is not called again");
        assert!(call(Hearers::Nobody).is_empty());
    }

    #[test]
    fn both_sides_hear_of_a_change_and_each_handle_sees_its_own_run() {
        let left = Engine::new();
        let right = left.on(Side::Right);
        assert!(left != right && left == right.on(Side::Left));
        let heard = Rc::new(RefCell::new(Vec::new()));
        let listen = |engine: &Engine, name: &'static str| {
            let heard = heard.clone();
            engine.listen(ListenerGroup::Beside, Rc::new(move || heard.borrow_mut().push(name)))
        };
        let (_left, on_right) = (listen(&left, "left"), listen(&right, "right"));
        left.change(|session| session.seek(SimTime::from_ms(400))).unwrap();
        assert_eq!(heard.take(), ["left"], "nothing stands on the right");
        assert_eq!(left.sides().count(), 1);
        left.change_pair(|pair| pair.vary(Variation::Seed(5))).unwrap();
        assert_eq!(heard.take(), ["left", "right"]);
        let seeds = [&left, &right].map(|engine| engine.session().player().run().seed);
        assert_eq!((seeds[1], left.sides().count()), (5, 2));
        assert_ne!(seeds[0], 5);
        right.change(|session| session.packet = None);
        drop(on_right);
        left.change_pair(Pair::only_right);
        assert_eq!(heard.take(), ["left", "right", "left"]);
        assert_eq!(left.session().player().run().seed, 5);
    }
}
