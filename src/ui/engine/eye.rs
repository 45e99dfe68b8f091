//! What eyes are led to on the page: what the director tells becomes whom it is about and what moves, and whoever paints gets both. All is
//! in full ink again as soon as somebody looks elsewhere: points at something, opens a menu, does something, or pauses for long.

use std::rc::Rc;

use crate::base::Node;
use crate::i18n::Lang;
use crate::i18n::parts::{Name, Part, of_machines, parts};
use crate::i18n::title::title;
use crate::sim::World;
use crate::timeline::Side;
use crate::view::director::Told;
use crate::view::{Eye, Focus, Motion};

use crate::ui::kit::browser::now_ms;

use super::Engine;
use super::pacing::Hearers;
use super::watch::Roams;

/// So long after a deed everything stays in full ink, ms.
const DEED_MS: u64 = 5_000;

/// Whom a sentence is about: what it and its reason name, and what it needs.
fn about(told: &Told, lang: Lang, world: &World) -> Option<Focus> {
    let said = title(lang, told);
    let mut focus = Focus::default();
    let [mut named, mut reasons] = parts(lang, [&said.title, said.because.as_deref().unwrap_or_default()]);
    for parts in [&mut named, &mut reasons] {
        of_machines(parts, |id| world.processes.contains_key(&id));
    }
    for part in named.iter().chain(&reasons) {
        match part {
            Part::Name(Name::Server(id)) => _ = focus.servers.insert(*id),
            Part::Name(Name::Client(id)) => focus.clients.push(*id),
            _ => {}
        }
    }
    // a reason may name what is not at stake
    let zxid = |part: &Part| if let Part::Name(Name::Zxid(zxid)) = part { Some(*zxid) } else { None };
    focus.zxids = named.iter().filter_map(zxid).collect();
    focus.complete(told, world)
}

impl Engine {
    /// The eye follows what is told; whoever shows it is painted again, or hears of it, where that makes a difference.
    pub(super) fn follow(&self) {
        let left = self.on(Side::Left);
        let calm = left.screen().pacing.borrow().calm;
        let (seen, other) = {
            let (director, session) = (self.shared.directors[Side::Left as usize].borrow(), left.session());
            let watch = &mut *self.shared.watch.borrow_mut();
            if watch.of.replace(director.changes()) != Some(director.changes()) {
                let told = director.told();
                let focus = told.and_then(|told| about(told, self.shared.lang.get(), session.world()));
                watch.about = focus.map(Rc::new);
                watch.motion = told.and_then(|told| Motion::of(told, &session)).map(Rc::new);
            }
            let deed = watch.deed_ms.is_some_and(|deed| now_ms().saturating_sub(deed) < DEED_MS);
            let led = director.leads() && watch.roams == 0 && !deed;
            let at = |motion: Rc<Motion>| {
                let h = motion.at(director.stood_ms(), calm);
                (motion, h)
            };
            let eye = Eye {
                focus: watch.about.clone().filter(|_| led),
                motion: watch.motion.clone().map(at),
                pointed: watch.pointed,
            };
            let before = std::mem::replace(&mut watch.eye, eye);
            (before != watch.eye, before.at_a_glance() != watch.eye.at_a_glance())
        };
        if other {
            left.screen().is_other();
        }
        if seen {
            left.screen().pacing.borrow_mut().ask();
            self.wake();
        }
        if other {
            left.screen().listeners.call(Hearers::Voice);
        }
    }

    /// Nothing recedes for this reason, or no longer.
    pub(crate) fn roam(&self, why: Roams, so: bool) {
        let watch = &self.shared.watch;
        let bits = watch.borrow().roams;
        let now = if so { bits | why as u8 } else { bits & !(why as u8) };
        watch.borrow_mut().roams = now;
        if now != bits {
            self.follow();
        }
    }

    /// A pointer or the keyboard is on a link or a client's line, or on none.
    pub(crate) fn point(&self, ends: Option<(Node, Node)>) {
        let ends = ends.filter(|_| self.side == Side::Left);
        let before = std::mem::replace(&mut self.shared.watch.borrow_mut().pointed, ends);
        if before != ends {
            self.follow();
        }
    }

    /// Somebody did something: what becomes of it may be anywhere.
    pub(super) fn watch_deed(&self) {
        self.shared.watch.borrow_mut().deed_ms = Some(now_ms());
    }

    /// Whom the sentence is about, on this side of the stage; none while all is in full ink.
    pub(crate) fn focus(&self) -> Option<Rc<Focus>> {
        if self.side == Side::Left { self.shared.watch.borrow().eye.focus.clone() } else { None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::SimTime;
    use crate::scenarios::scenario;

    /// A crash that is told while time runs.
    fn told() -> Engine {
        let engine = Engine::new();
        engine.resize(900.0, 600.0);
        engine.play(scenario("leader-crash-under-load").unwrap(), None).unwrap();
        engine.change(|session| session.seek(SimTime::from_ms(1_390))).unwrap();
        engine.set_cast(None);
        assert!(engine.focus().is_none(), "at a stop nothing recedes");
        let mut now = 0.0;
        while engine.focus().is_none() && now < 9_000.0 {
            engine.pass(16.0, now);
            now += 16.0;
        }
        engine
    }

    #[test]
    fn while_time_runs_what_is_not_told_recedes_until_somebody_looks_elsewhere() {
        let engine = told();
        let focus = engine.focus().expect("somebody is told of");
        assert!(!focus.servers.is_empty() && focus.servers.len() < 3, "{focus:?}");
        for why in [Roams::Menu, Roams::Rest, Roams::Pointer, Roams::Legend] {
            engine.roam(why, true);
            assert!(engine.focus().is_none(), "{why:?}");
            engine.roam(why, false);
            assert_eq!(engine.focus().as_ref(), Some(&focus));
        }
        assert!(engine.on(Side::Right).focus().is_none(), "the director tells of the left run");
        engine.watch_deed();
        engine.follow();
        assert!(engine.focus().is_none(), "what a hand does is seen whole");
    }

    #[test]
    fn a_pause_stops_a_motion_and_a_jump_ends_it() {
        let engine = told();
        engine.change(|session| session.seek(SimTime::from_ms(1_300))).unwrap();
        let h = |engine: &Engine| engine.shared.watch.borrow().eye.motion.as_ref().map(|(_, h)| *h);
        let mut now = 20_000.0;
        while h(&engine).is_none_or(|h| h >= 1.0) && now < 60_000.0 {
            engine.pass(16.0, now);
            now += 16.0;
        }
        let first = h(&engine).expect("a motion");
        assert!(first < 0.2, "{first}");
        engine.pass(16.0, now);
        let later = h(&engine).unwrap();
        assert!(later > first);
        engine.change(|session| session.playing = false);
        engine.follow();
        assert_eq!(h(&engine), Some(later), "in mid-air");
        engine.change(|session| session.step(1));
        assert!(h(&engine).is_none_or(|h| h == 1.0));
    }
}
