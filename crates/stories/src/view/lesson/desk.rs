//! What whoever teaches with a lesson has before them: the question with its answer, what is often answered instead, what comes next.

use crate::daemon::Tongue;
use crate::lessons::{Ask, Thinks, Value, answer};
use crate::sim::World;

use super::said::in_words;
use super::{Guide, Phase};

/// A place of a lesson for whoever teaches with it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Desk {
    /// What is said there.
    pub says: String,
    /// The question, or what there is to do.
    pub question: Option<String>,
    /// The answer, as far as it is known without runs of its own, and what is said with it.
    pub answer: Option<String>,
    /// What is answered instead, and what there is to say to it.
    pub mistakes: Vec<String>,
    /// What is said or to be done at the next place; none at the last one.
    pub next: Option<String>,
}

impl Guide {
    /// The place where the viewer is.
    pub fn desk(&self, tongue: Tongue, world: &World) -> Desk {
        let says = |at: usize| {
            let lesson = &self.resolved.lesson;
            let task = || lesson.play.get(at.checked_sub(lesson.beats.len())?).map(|task| &task.say);
            lesson.beats.get(at).map(|beat| &beat.say).or_else(task).map(|text| self.resolved.said(text, tongue))
        };
        let next = (self.at + 1..=self.last).find(|at| self.comes.get(*at) == Some(&true));
        let desk = Desk {
            says: says(self.at).unwrap_or_default(),
            next: next.filter(|_| self.phase != Phase::Over).and_then(says),
            ..Desk::default()
        };
        let Some(ask) = self.ask() else { return desk };
        let real = answer(&self.resolved, ask, self.seen_in(self.at));
        let known = (real != Value::Nothing).then(|| in_words(&self.resolved, ask, &real, tongue)).flatten();
        let then = self.resolved.said(&ask.then, tongue);
        Desk {
            question: Some(self.resolved.said(&ask.prompt, tongue)),
            answer: Some(known.map_or(then.clone(), |known| format!("{known}: {then}"))),
            mistakes: ask.thinks.iter().map(|thinks| self.mistake(ask, thinks, tongue, world)).collect(),
            ..desk
        }
    }

    /// An idea that is not so: the first choice that comes of it, where one can be chosen, and what there is to say to it.
    fn mistake(&self, ask: &Ask, thinks: &Thinks, tongue: Tongue, world: &World) -> String {
        let choices = self.choices(ask, tongue, world);
        let chosen = choices.iter().find(|choice| self.resolved.value_with(&thinks.given, &choice.value).holds());
        let says = self.resolved.said(&thinks.says, tongue);
        chosen.map_or(says.clone(), |choice| format!("{}: {says}", choice.words))
    }
}
