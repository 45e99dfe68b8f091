//! The panel in which somebody writes a recipe.

use crate::base::SimTime;
use crate::explore::own::question;
use crate::recipes::own::{Program, READY};
use crate::ui::engine::Engine;
use crate::ui::page::panel::Panel;
use crate::ui::search::Hunt;

use super::Scene;
use super::scenes::{begun, panel, session};

/// A recipe that lets everybody hold.
const WRONG: &str = "acquire\n  me = create /lock/n- ephemeral sequential\n  hold\n\nrelease\n  delete me\n";

fn written(text: &str) -> Engine {
    let engine = begun();
    engine.put_recipe(&text.into());
    engine
}

/// The same, and a search for what breaks it, after so many steps.
fn broken(text: &str, schedules: u64, steps: u64) -> Engine {
    let (engine, program) = (written(text), Program::parse(text).expect("a program"));
    engine.put_search(Hunt::after(question(text, &program, 1, false, schedules), steps));
    engine
}

/// Clients stand in the lines of this.
fn standing(text: &str) -> Engine {
    let (engine, program) = (written(text), Program::parse(text).expect("a program"));
    engine.run_recipe(&text.into(), &program).expect("a possible run");
    session(&engine, |session| {
        session.playing = false;
        session.seek(SimTime::from_ms(1_600)).expect("a moment");
    });
    engine
}

pub(super) fn recipe() -> Vec<Scene> {
    let show = |title, engine: &Engine| panel(title, Panel::Recipe, engine);
    let text = READY[2].text;
    let (played, program) = (standing(text), Program::parse(text).expect("a program"));
    let (other, stopped) = (broken(WRONG, 40, 4_000), broken(text, 2_000, 4_000));
    other.run_recipe(&text.into(), &program).expect("a possible run");
    session(&other, |session| session.playing = false);
    other.put_recipe(&WRONG.into());
    stopped.stop_search();
    let (as_blocks, wrong_blocks) = (standing(text), written("acquire\n  me = creat /lock\n  stop\n"));
    as_blocks.show_recipe_as(true);
    wrong_blocks.show_recipe_as(true);
    vec![
        show("nothing was written", &begun()),
        show("a fault in the text", &written("acquire\n  me = creat /lock\n")),
        show("clients in the lines", &played),
        show("the same as blocks", &as_blocks),
        show("faults in blocks", &wrong_blocks),
        show("another text than that on the stage", &other),
        show("it breaks", &broken(WRONG, 40, u64::MAX)),
        show("nothing breaks", &broken(text, 8, u64::MAX)),
        show("stopped", &stopped),
    ]
}
