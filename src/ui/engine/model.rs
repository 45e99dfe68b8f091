//! The hook by which components read the session: a slice of it, and a render only when the slice is another one.

use std::cell::Cell;
use std::rc::Rc;

use yew::prelude::*;

use crate::story_files::are_there;
use crate::ui::engine::{Engine, ListenerGroup};

/// A slice of what the engine knows, picked by `pick` with `with`; the component renders again when it changes.
#[hook]
pub(in crate::ui) fn use_model<D, T>(engine: &Engine, with: D, pick: fn(&Engine, &D) -> T) -> Rc<T>
where
    D: PartialEq + Clone + 'static,
    T: PartialEq + 'static,
{
    use_model_at(engine, ListenerGroup::Beside, with, pick)
}

/// The same for what stands on the stage, which hears of changes more often.
#[hook]
pub(in crate::ui) fn use_stage_model<D, T>(engine: &Engine, with: D, pick: fn(&Engine, &D) -> T) -> Rc<T>
where
    D: PartialEq + Clone + 'static,
    T: PartialEq + 'static,
{
    use_model_at(engine, ListenerGroup::Stage, with, pick)
}

/// The same for what the director tells, which is heard of when it tells something else.
#[hook]
pub(in crate::ui) fn use_voice_model<D, T>(engine: &Engine, with: D, pick: fn(&Engine, &D) -> T) -> Rc<T>
where
    D: PartialEq + Clone + 'static,
    T: PartialEq + 'static,
{
    use_model_at(engine, ListenerGroup::Voice, with, pick)
}

/// Has lessons, bugs and prepared runs fetched where they are `wanted`; whether they are there.
#[hook]
pub(in crate::ui) fn use_stories(engine: &Engine, wanted: bool) -> bool {
    let there = *use_model(engine, (), |_, ()| are_there());
    use_effect_with((wanted && !there, engine.clone()), |(lacks, engine)| {
        if *lacks {
            engine.with_stories(|_, _| ());
        }
    });
    there
}

#[hook]
fn use_model_at<D, T>(engine: &Engine, ear: ListenerGroup, with: D, pick: fn(&Engine, &D) -> T) -> Rc<T>
where
    D: PartialEq + Clone + 'static,
    T: PartialEq + 'static,
{
    let update = use_force_update();
    let kept = use_mut_ref(|| None::<(D, Rc<T>)>);
    let slice = Rc::new(pick(engine, &with));
    let slice = match &*kept.borrow() {
        Some((_, old)) if **old == *slice => old.clone(),
        _ => slice,
    };
    *kept.borrow_mut() = Some((with, slice.clone()));
    use_effect_with(engine.clone(), move |engine| {
        let from = engine.clone();
        let listening = engine.listen(
            ear,
            Rc::new(move || {
                let changed = match &*kept.borrow() {
                    Some((with, old)) => pick(&from, with) != **old,
                    None => true,
                };
                if changed {
                    update.force_update();
                }
            }),
        );
        move || drop(listening)
    });
    slice
}

/// How long a slice for listeners stands at least while time runs, ms.
const CALM_MS: f64 = 2_000.0;

/// The same for those who listen rather than look: while time runs, what they are told changes at a calm rate.
#[hook]
pub(in crate::ui) fn use_calm_model<D, T>(engine: &Engine, with: D, pick: fn(&Engine, &D) -> T) -> Rc<T>
where
    D: PartialEq + Clone + 'static,
    T: PartialEq + 'static,
{
    let slice = use_state_eq(|| Rc::new(pick(engine, &with)));
    let set = slice.setter();
    use_effect_with((engine.clone(), with), move |(engine, with)| {
        let (from, with) = (engine.clone(), with.clone());
        let looked = Cell::new(f64::NEG_INFINITY);
        let look = Rc::new(move || {
            let (now, playing) = (js_sys::Date::now(), from.session().playing);
            if !playing || now - looked.get() >= CALM_MS {
                looked.set(now);
                set.set(Rc::new(pick(&from, &with)));
            }
        });
        look();
        let listening = engine.listen(ListenerGroup::Beside, look);
        move || drop(listening)
    });
    (*slice).clone()
}
