//! Recipes of one's own: wrong ones fall and are made small, right ones stand, the ready ones do what their built-in counterparts do, and
//! no program is too odd to be run.

pub mod equal;
pub mod further;
pub mod odd;
pub mod shell;
pub mod wrong;

use zabscope::explore::own::{Law, program_of, question, steps, story};
use zabscope::explore::{Answer, Find, Goal, Question, Search, Stage};
use zabscope::recipes::own::{Program, READY};

use crate::length::{is_whole, seeds};

/// So many steps a find has at most, when it is small.
const MOST_STEPS: usize = 8;
/// So many schedules are tried for a wrong one; and where it herds, too, which is found first and ends the search, once more without that.
const SCHEDULES: u64 = 3_000;
const MORE_SCHEDULES: u64 = 10_000;
/// Steps between two looks.
const SLICE: u64 = 100_000;

fn searched(text: &str, may_herd: bool, schedules: u64) -> Search {
    let program = Program::parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let mut search = Search::new(question(text, &program, 1, may_herd, schedules));
    while search.step(SLICE).stage != Stage::Done {}
    search
}

fn fall(all: Vec<wrong::Wrong>) {
    for wrong in all {
        let falls =
            |find: &&Find| find.found.property.and_then(Law::of).is_some_and(|law| wrong.falls.contains(&law));
        let herds = |find: &Find| find.found.property == Some(Law::NoHerd.id());
        let mut search = searched(&wrong.text, false, SCHEDULES);
        let may_herd = search.finds().iter().all(herds) && !search.finds().iter().any(|find| falls(&find));
        if may_herd {
            search = searched(&wrong.text, true, MORE_SCHEDULES);
        }
        let find = search.finds().iter().filter(falls).min_by_key(|find| steps(&find.run, find.deeds));
        let seen: Vec<_> = search.finds().iter().map(|find| &find.found.evidence).collect();
        let find = find.unwrap_or_else(|| panic!("{} stands, though {}: {seen:?}", wrong.name, wrong.why));
        let steps = steps(&find.run, find.deeds);
        assert!(steps <= MOST_STEPS, "{}: {steps} steps: {:?}", wrong.name, find.run.actions);
        // what was found is a run like any other: it is seen again, and told by lines
        assert_eq!(find.run.check(), Ok(()), "{}", wrong.name);
        let goal = Goal::OwnRecipe { may_herd };
        assert_eq!(Answer::from(find).replay(&goal).as_ref(), Some(&find.found), "{}", wrong.name);
        assert!(story(&find.run, &goal, find.found.at).iter().any(|moment| moment.line > 0), "{}", wrong.name);
        println!("{}: {steps} steps, {:?}, trial {}", wrong.name, find.found.evidence, find.trial);
    }
}

/// Each fourth of them, from the one of this number on: tests of a test that would take too long.
fn fourth(all: Vec<wrong::Wrong>, part: usize) -> Vec<wrong::Wrong> {
    all.into_iter().skip(part).step_by(4).collect()
}

macro_rules! in_four_parts {
    ($($one:ident $other:ident $part:literal),* $(,)?) => {
        $(
            #[test]
            fn $one() {
                let all = wrong::wrong();
                assert!(all.len() >= 20);
                fall(fourth(all, $part));
            }

            #[test]
            fn $other() {
                fall(fourth(further::wrong(), $part));
            }
        )*
    };
}

in_four_parts! {
    wrong_recipes_fall_and_are_made_small_one wrong_ones_of_other_kinds_fall_one 0,
    wrong_recipes_fall_and_are_made_small_two wrong_ones_of_other_kinds_fall_two 1,
    wrong_recipes_fall_and_are_made_small_three wrong_ones_of_other_kinds_fall_three 2,
    wrong_recipes_fall_and_are_made_small_four wrong_ones_of_other_kinds_fall_four 3,
}

/// Nobody is accused who does it otherwise.
#[test]
fn unusual_ones_that_are_right_stand() {
    for (name, herds, text) in further::right() {
        stands(name, &text, herds, seeds(500).end);
    }
}

fn stands(name: &str, text: &str, may_herd: bool, schedules: u64) {
    let search = searched(text, may_herd, schedules);
    let find = search.finds().first().map(|find| (&find.found, find.run.to_json()));
    assert_eq!(find, None, "{name}");
    assert_eq!(search.progress().trials, schedules, "{name}");
}

macro_rules! ready_ones_stand {
    ($($test:ident $name:literal),* $(,)?) => {
        $(
            #[test]
            fn $test() {
                let ready = READY.iter().find(|ready| ready.name == $name).expect("a ready program");
                stands(ready.name, ready.text, ready.herds, if is_whole() { 10_000 } else { seeds(1_500).end });
            }
        )*

        #[test]
        fn each_ready_program_is_held_to_that() {
            assert_eq!(READY.iter().map(|ready| ready.name).collect::<Vec<_>>(), [$($name),*]);
        }
    };
}

ready_ones_stand! {
    the_naive_lock_stands "naive-lock",
    the_herd_lock_stands "herd-lock",
    the_predecessor_lock_stands "predecessor-lock",
    the_protected_lock_stands "protected-lock",
    the_read_write_lock_stands "read-write-lock",
    the_election_stands "leader-election",
    the_barrier_stands "barrier",
    the_queue_stands "queue",
}

/// What wakes everybody is right but for that.
#[test]
fn those_that_herd_are_called_herds() {
    for ready in READY.iter().filter(|ready| ready.herds) {
        let search = searched(ready.text, false, 50);
        let found = search.finds().first().and_then(|find| find.found.property);
        assert_eq!(found, Some(Law::NoHerd.id()), "{}", ready.name);
    }
}

#[test]
fn a_question_carries_its_program_and_survives_its_text() {
    let text = READY[2].text;
    let program = Program::parse(text).expect("a program");
    let asked = question(text, &program, 3, true, 7);
    assert_eq!(Question::from_json(&asked.to_json()), Ok(asked.clone()));
    let (carried, read) = program_of(&asked.run).expect("its program");
    assert_eq!((&*carried, read), (text, program));
    assert_eq!(steps(&asked.run, asked.run.actions.len()), 0, "clients with the recipe are the stage");
}

/// The same question has the same answer, in slices of any size.
#[test]
fn a_search_depends_on_its_question_alone() {
    let wrong = wrong::wrong().into_iter().find(|wrong| wrong.name == "no-look-after-waking").expect("it is there");
    let program = Program::parse(&wrong.text).expect("a program");
    let found = |slice: u64| {
        let mut search = Search::new(question(&wrong.text, &program, 1, false, 400));
        while search.step(slice).stage != Stage::Done {}
        (search.progress().trials, search.finds().iter().map(Answer::from).collect::<Vec<_>>())
    };
    assert_eq!(found(1), found(1_000_000));
}
