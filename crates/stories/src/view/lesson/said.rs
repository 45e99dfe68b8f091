//! What a lesson says at its place, in the viewer's language. Nothing of an answer is in it before the answer has been shown.

use std::rc::Rc;

use crate::base::{Arrange, ClientId, ServerId};
use crate::daemon::Tongue;
use crate::lessons::{Ask, Card, Correction, Kind, Many, Of, Resolved, Shown, Text, Unit, Value, Verdict, answer};
use crate::sim::{Action, World};

use super::{Answered, Chart, Guide, Phase};

/// A part of a sentence, and whether it is a name that stands for something on the stage.
pub type Part = (String, bool);

/// What there is to choose from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// In words.
    pub words: String,
    /// What is answered with it.
    pub value: Value,
}

/// What became of a choice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mark {
    /// It was chosen.
    pub yours: bool,
    /// Whether it is right; not before that has been shown.
    pub right: Option<bool>,
}

/// Everything that a lesson says at its place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Saying {
    /// The sentence: what to look for, or what was seen.
    pub caption: Vec<Part>,
    /// The question, or what there is to do.
    pub question: Option<String>,
    /// Answers to choose from; empty where the answer is a number or a deed.
    pub choices: Vec<Choice>,
    /// Behind the answer, what became of each of them.
    pub marks: Vec<Mark>,
    /// What is seen on the way to the answer, by its name, and whether it has been seen.
    pub steps: Vec<(String, bool)>,
    /// Where there are several, each for itself.
    pub chart: Option<Chart>,
    /// The machine in whose place the viewer decides.
    pub who: Option<ServerId>,
    /// What was expected, if somebody said that, and what happened, where that is a value.
    pub compared: Option<(Option<String>, String)>,
    /// What is said to the idea behind the answer.
    pub feedback: Option<String>,
    /// How the run is called in which the answer would be true.
    pub would: Option<String>,
    /// How the run is called that belongs to the answer.
    pub own_run: Option<String>,
    /// The hints that were asked for; once the task is done, what it shows.
    pub hints: Vec<String>,
    /// At the end, what is often read otherwise.
    pub corrected: Vec<Corrected>,
}

/// What is often read otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Corrected {
    /// What is often read.
    pub often: String,
    /// What is so.
    pub so: String,
    /// Where that can be looked up.
    pub source: Option<Rc<str>>,
    /// The number of the beat that shows it, from 1.
    pub beat: usize,
}

impl Guide {
    /// What it says here; clients and machines to choose from are those of this world.
    pub fn saying(&self, tongue: Tongue, world: &World) -> Saying {
        let say = |text: &Text| self.resolved.said(text, tongue);
        let mut saying = Saying { corrected: self.corrected(tongue), ..Saying::default() };
        if let (None, Some(task)) = (self.beat(), self.task()) {
            saying.question = Some(say(&task.say));
        }
        let Some(beat) = self.beat() else { return self.with_hints(saying, tongue) };
        saying.caption = self.resolved.parts(&beat.say, tongue);
        let Some(ask) = &beat.ask else { return saying };
        saying.chart = self.chart(ask, tongue);
        saying.who = self.who(ask);
        saying.question = Some(say(&ask.prompt));
        saying.choices = self.choices(ask, tongue, world);
        match self.phase {
            Phase::Shows => saying.marks = self.marks(ask, &saying.choices),
            Phase::Told => {
                saying.marks = self.marks(ask, &saying.choices);
                saying.caption = self.resolved.parts(&ask.then, tongue);
                saying.compared = self.compared(ask, tongue);
                let thinks = self.thinks();
                saying.feedback = thinks.map(|thinks| say(&thinks.says));
                saying.own_run = self.own_run().map(|(_, text)| say(text));
                saying.would = thinks.and_then(|thinks| thinks.would.as_ref()).map(|would| say(&would.say));
            }
            _ => {}
        }
        self.with_hints(saying, tongue)
    }

    fn with_hints(&self, saying: Saying, tongue: Tongue) -> Saying {
        let Some(task) = self.task() else { return saying };
        let then = task.then.iter().filter(|_| self.is_done());
        let hints = if self.is_done() { &[][..] } else { &task.hints };
        let said = hints.iter().take(self.hints).chain(then);
        Saying { hints: said.map(|text| self.resolved.said(text, tongue)).collect(), ..saying }
    }

    /// What is often read otherwise of what has been seen; nothing before the end.
    fn corrected(&self, tongue: Tongue) -> Vec<Corrected> {
        let lesson = &self.resolved.lesson;
        let all = if self.phase == Phase::Over { &lesson.corrections[..] } else { &[] };
        let one = |correction: &Correction| {
            let beat = lesson.place_of(&correction.beat).filter(|at| (self.first..=self.last).contains(at))? + 1;
            let [often, so] = [&correction.often, &correction.so].map(|text| self.resolved.said(text, tongue));
            Some(Corrected { often, so, source: correction.source.clone(), beat })
        };
        all.iter().filter_map(one).collect()
    }

    /// Whether there is another hint.
    pub fn has_hint(&self) -> bool {
        self.task().is_some_and(|task| task.hints.len() > self.hints)
    }

    /// What became of each choice, once the question has been answered.
    fn marks(&self, ask: &Ask, choices: &[Choice]) -> Vec<Mark> {
        if matches!(ask.kind, Kind::Sort { .. }) {
            return Vec::new();
        }
        let given = match self.answered() {
            Some(Answered::Given(given)) => given.clone(),
            _ => Value::Nothing,
        };
        let told = self.phase == Phase::Told;
        let real = told.then(|| answer(&self.resolved, ask, self.seen_in(self.at)));
        let is_in = |all: &Value, choice: &Choice| all.items().contains(&choice.value);
        let mark = |choice: &Choice| Mark {
            yours: is_in(&given, choice),
            right: real.as_ref().map(|real| is_in(real, choice)),
        };
        choices.iter().map(mark).collect()
    }

    pub(super) fn choices(&self, ask: &Ask, tongue: Tongue, world: &World) -> Vec<Choice> {
        match &ask.kind {
            Kind::Choose(options) | Kind::Be { options, .. } => {
                self.numbered(options.iter().map(|option| &option.say), tongue)
            }
            Kind::Build { runs, .. } => self.numbered(runs.iter().map(|run| &run.say), tongue),
            Kind::Sort { bins, .. } => self.numbered(bins.iter(), tongue),
            Kind::Pick { of: Of::Things(things), .. } => {
                let thing = |value: &Value| Choice { words: value.to_string(), value: value.clone() };
                self.resolved.value(things).items().iter().map(thing).collect()
            }
            Kind::Pick { of: Of::Servers, .. } => {
                let server = |id: &ServerId| Choice { words: id.to_string(), value: Value::Number(id.0.into()) };
                world.processes.keys().map(server).collect()
            }
            Kind::Pick { of: Of::Clients, .. } => self.clients().into_iter().map(client).collect(),
            _ => Vec::new(),
        }
    }

    /// Sentences with their numbers, from 1.
    fn numbered<'a>(&self, texts: impl Iterator<Item = &'a Text>, tongue: Tongue) -> Vec<Choice> {
        let said = texts.map(|text| self.resolved.said(text, tongue));
        let choice = |(at, words): (usize, String)| Choice { words, value: Value::Number(at as i64 + 1) };
        said.enumerate().map(choice).collect()
    }

    /// The machine in whose place a question is decided.
    fn who(&self, ask: &Ask) -> Option<ServerId> {
        match &ask.kind {
            Kind::Be { who, .. } => {
                let id = self.resolved.value(who).number()?;
                u8::try_from(id).ok().map(ServerId)
            }
            _ => None,
        }
    }

    /// The clients of the run, also those that come later: that they come is no secret.
    fn clients(&self) -> Vec<ClientId> {
        let opened = |action: &Action| match action {
            Action::OpenClient { client, .. } => Some(*client),
            _ => None,
        };
        let mut clients: Vec<_> =
            self.resolved.run.actions.iter().filter_map(|timed| opened(&timed.action)).collect();
        clients.arrange();
        clients.dedup();
        clients
    }

    /// What was expected, if anything was, and what happened.
    fn compared(&self, ask: &Ask, tongue: Tongue) -> Option<(Option<String>, String)> {
        let given = match self.answered()? {
            Answered::Given(given) => Some(given),
            _ => None,
        };
        let real = answer(&self.resolved, ask, self.seen_in(self.at));
        let nobody = |value: &Value| value.items().iter().all(|one| *one == Value::Nothing);
        let told = match ask.kind {
            Kind::Number { .. } | Kind::Catch { .. } => true,
            // elsewhere marks and columns say it, but for an order, and that it is nobody
            Kind::Pick { many: Many::Sequence, .. } => self.verdict() != Some(Verdict::Right),
            Kind::Pick { .. } => given.is_some_and(nobody) || nobody(&real),
            _ => false,
        };
        if !told {
            return None;
        }
        // of a deed there are no words
        let words = |value: &Value| in_words(&self.resolved, ask, value, tongue);
        let expected = match given {
            Some(given) => Some(words(given)?),
            None => None,
        };
        Some((expected, words(&real)?))
    }
}

fn client(id: ClientId) -> Choice {
    Choice { words: id.to_string(), value: Value::Number(id.0.into()) }
}

/// One of some texts, by its number from 1.
fn named(resolved: &Resolved, texts: &[&Text], number: &Value, tongue: Tongue) -> String {
    let at = number.number().and_then(|number| usize::try_from(number - 1).ok());
    at.and_then(|at| texts.get(at)).map_or(Value::Nothing.to_string(), |text| resolved.said(text, tongue))
}

fn listed(all: impl Iterator<Item = String>) -> String {
    all.collect::<Vec<_>>().join(", ")
}

/// An answer as a viewer reads it; none of a deed.
pub(super) fn in_words(resolved: &Resolved, ask: &Ask, value: &Value, tongue: Tongue) -> Option<String> {
    let shown = match &ask.kind {
        Kind::Choose(_) | Kind::Be { .. } | Kind::Place { .. } | Kind::Build { .. } => {
            let options = ask.kind.options().unwrap_or(&[]).iter().map(|option| &option.say);
            let texts: Vec<&Text> = options.chain(ask.kind.runs().iter().map(|run| &run.say)).collect();
            return Some(listed(value.items().iter().map(|one| named(resolved, &texts, one, tongue))));
        }
        Kind::Sort { cards, bins } => {
            let bins: Vec<&Text> = bins.iter().collect();
            let laid = cards.iter().zip(value.items());
            let one = |(card, bin): (&Card, &Value)| {
                format!("{}: {}", resolved.said(&card.say, tongue), named(resolved, &bins, bin, tongue))
            };
            return Some(listed(laid.map(one)));
        }
        Kind::Draw { .. } | Kind::Bet { .. } => {
            let options = ask.kind.options().unwrap_or(&[]).iter().map(|option| &option.say);
            let texts = options.chain(ask.kind.runs().iter().map(|run| &run.say));
            return Some(listed(
                texts.zip(value.items()).map(|(text, one)| format!("{}: {one}", resolved.said(text, tongue))),
            ));
        }
        Kind::Pick { of: Of::Servers, .. } => Shown::Server,
        Kind::Pick { of: Of::Clients, .. } => Shown::Client,
        Kind::Pick { .. } => Shown::Plain,
        Kind::Number { unit: Unit::Ms, .. } | Kind::Catch { .. } => Shown::Ms,
        Kind::Number { .. } => Shown::Plain,
        Kind::Do(_) => return None,
    };
    let written = value.written(shown);
    let in_order = matches!(ask.kind, Kind::Pick { many: Many::Sequence, .. });
    Some(match shown {
        Shown::Ms => format!("{written} ms"),
        _ if in_order => written.replace(", ", " → "),
        _ => written,
    })
}
