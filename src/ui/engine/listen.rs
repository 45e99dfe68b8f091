//! Those who want to hear of changes. While time runs the stage hears of it six times a second, everything beside it half as often and in
//! a frame of its own, so that no frame has to lay out the whole page; where there is a crowd more seldom, and in parts. Whatever a viewer
//! does is told to everybody at once.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use super::Engine;

/// The shortest time between two tellings of the stage while time runs, ms: in a crowd nobody follows a single packet to its card.
pub(super) fn stage_every_ms(crowd: bool) -> f64 {
    if crowd { 300.0 } else { 160.0 }
}

/// After so many of them the others are told too.
const BESIDE_EVERY: u8 = 2;
/// In so many parts, each in a frame of its own, where there is a crowd.
const PARTS: usize = 8;

/// Somebody who wants to hear of changes.
type Listener = Rc<dyn Fn()>;

/// Where a listener stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::ui) enum ListenerGroup {
    /// On the stage.
    Stage,
    /// Anywhere else.
    Beside,
}

/// All listeners.
#[derive(Default)]
pub(super) struct Listeners {
    all: RefCell<Vec<(u64, ListenerGroup, Listener)>>,
    next: Cell<u64>,
    /// How often the stage was told what the others have not been told.
    owed: Cell<u8>,
    /// The part that is told next.
    part: Cell<usize>,
}

/// Someone hears of changes as long as this lives.
pub(in crate::ui) struct Listening {
    engine: Engine,
    id: u64,
}

impl Drop for Listening {
    fn drop(&mut self) {
        self.engine.0.listeners.all.borrow_mut().retain(|(id, ..)| *id != self.id);
    }
}

impl Engine {
    /// Hears of changes until the answer is dropped.
    pub fn listen(&self, ear: ListenerGroup, listener: Rc<dyn Fn()>) -> Listening {
        let listeners = &self.0.listeners;
        let id = listeners.next.get();
        listeners.next.set(id + 1);
        listeners.all.borrow_mut().push((id, ear, listener));
        Listening { engine: self.clone(), id }
    }

    /// Everybody hears of what has changed.
    pub(super) fn tell(&self) {
        self.0.listeners.owed.set(0);
        self.0.listeners.part.set(0);
        self.repaint();
        self.call(|_, _| true);
    }

    /// The stage hears of what has changed; everybody where time does not run, or where frames are so slow that none came between two
    /// tellings of the stage.
    pub(super) fn tell_stage(&self, playing: bool) {
        let owed = self.0.listeners.owed.get();
        if !playing || owed >= BESIDE_EVERY {
            return self.tell();
        }
        self.0.listeners.owed.set(owed + 1);
        self.repaint();
        self.call(|ear, _| ear == ListenerGroup::Stage);
    }

    /// Between two tellings of the stage: the others hear of what they have not heard of, if it is time; of a crowd in parts. Whether they
    /// were told, and whether there is something left.
    pub(super) fn tell_others(&self, playing: bool, crowd: bool) -> (bool, bool) {
        let Listeners { owed, part, .. } = &self.0.listeners;
        let time = owed.get() >= if playing { BESIDE_EVERY } else { 1 } || part.get() > 0;
        if time {
            let parts = if crowd { PARTS } else { 1 };
            let now = part.get() % parts;
            part.set((now + 1) % parts);
            if part.get() == 0 {
                owed.set(0);
            }
            self.call(|ear, at| ear == ListenerGroup::Beside && at % parts == now);
        }
        (time, owed.get() > 0)
    }

    fn call(&self, whom: impl Fn(ListenerGroup, usize) -> bool) {
        let all = self.0.listeners.all.borrow();
        let called: Vec<Listener> = all
            .iter()
            .enumerate()
            .filter(|(at, (_, ear, _))| whom(*ear, *at))
            .map(|(_, (.., one))| one.clone())
            .collect();
        // one of them may go, or another come
        drop(all);
        for listener in called {
            listener();
        }
    }
}
