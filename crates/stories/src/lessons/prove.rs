//! Whether everything that a lesson says is so, in the runs of many seeds.

use std::fmt;
use std::rc::Rc;

use crate::sim::RunError;

use super::ask::{Ask, Task, Way};
use super::dry_run::{DryRun, Resolved};
use super::judge::{Verdict, answer, judge};
use super::kind::Kind;
use super::lesson::{Beat, Lesson};
use super::text::{Text, places};
use super::trials::all_seen;
use super::value::Value;

/// Most sentences of a caption.
const MAX_SENTENCES: usize = 2;
/// Most characters in each language of a text, names as they are written, and what ends a sentence there.
const MOST: [(usize, [char; 3]); 2] = [(150, ['.', '?', '!']), (72, ['。', '？', '！'])];

/// Something that is not so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flaw {
    /// In the run of this seed; none where it is a flaw of the text.
    pub seed: Option<u64>,
    /// Its place in the lesson.
    pub place: String,
    /// What is not so.
    pub what: String,
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(seed) = self.seed {
            write!(f, "seed {seed}: ")?;
        }
        write!(f, "{}: {}", self.place, self.what)
    }
}

/// The flaws of a lesson's sentences as sentences.
pub fn read_over(lesson: &Lesson) -> Vec<Flaw> {
    let mut flaws = Vec::new();
    for (at, beat) in lesson.beats.iter().enumerate() {
        let place = format!("beats[{at}]");
        caption(&beat.say, &format!("{place}.say"), &mut flaws);
        if beat.holds.is_empty() {
            flaws.push(Flaw { seed: None, place: place.clone(), what: "claims nothing that can be tested".into() });
        }
        if let Some(ask) = &beat.ask {
            caption(&ask.then, &format!("{place}.ask.then"), &mut flaws);
            for (at, step) in ask.steps.iter().enumerate() {
                caption(&step.say, &format!("{place}.ask.steps[{at}].say"), &mut flaws);
            }
            for (at, thinks) in ask.thinks.iter().enumerate() {
                caption(&thinks.says, &format!("{place}.ask.thinks[{at}].says"), &mut flaws);
            }
        }
    }
    for (at, correction) in lesson.corrections.iter().enumerate() {
        short(&correction.often, &format!("corrections[{at}].often"), &mut flaws);
        short(&correction.so, &format!("corrections[{at}].so"), &mut flaws);
    }
    flaws
}

/// A sentence of the lesson: what a number is, the run decides.
fn caption(text: &Text, place: &str, flaws: &mut Vec<Flaw>) {
    short(text, place, flaws);
    for (_, text) in text.each() {
        let bare = bare(text);
        // C1 and S1 are names
        let loose =
            |(at, c): (usize, char)| c.is_ascii_digit() && !bare[..at].ends_with(|c: char| c.is_alphanumeric());
        if bare.char_indices().any(loose) {
            flaws.push(Flaw { seed: None, place: place.into(), what: "a number that is not in braces".into() });
        }
    }
}

/// A text without what stands in braces.
fn bare(text: &str) -> String {
    places(text).iter().map(|(part, _)| *part).collect()
}

/// A text that can be read in passing.
fn short(text: &Text, place: &str, flaws: &mut Vec<Flaw>) {
    let mut flaw = |what: String| flaws.push(Flaw { seed: None, place: place.into(), what });
    for (text, most, stops) in text.each().into_iter().zip(MOST).map(|((_, text), (most, stops))| (text, most, stops))
    {
        let bare = bare(text);
        let length = bare.chars().count();
        if length > most {
            flaw(format!("{length} characters, at most {most}"));
        }
        let ends = |(at, c): (usize, char)| {
            stops.contains(&c)
                && bare[at + c.len_utf8()..].chars().next().is_none_or(|next| next == ' ' || !c.is_ascii())
        };
        let sentences = bare.char_indices().filter(|&end| ends(end)).count();
        if sentences > MAX_SENTENCES {
            flaw(format!("{sentences} sentences, at most {MAX_SENTENCES}"));
        }
    }
}

/// The flaws of a lesson in the run of a seed.
///
/// # Errors
/// There is no such run.
pub fn prove(lesson: &Rc<Lesson>, seed: u64) -> Result<Vec<Flaw>, RunError> {
    let resolved = DryRun::new(lesson, Some(seed))?.play()?;
    let mut proof = Proof { resolved: &resolved, seed, flaws: Vec::new() };
    let mut last = None;
    for (at, beat) in lesson.beats.iter().enumerate() {
        let place = format!("beats[{at}] {}", beat.id);
        last = proof.beat(beat, &place, last);
        if let Some(ask) = &beat.ask {
            last = proof.ask(ask, &place, last)?;
        }
    }
    for (at, query) in lesson.always.iter().enumerate() {
        if !resolved.value(query).holds() {
            proof.flaw(&format!("always[{at}]"), "is not so");
        }
    }
    if resolved.run.setup.rules == Default::default() && resolved.played.checker().count() > 0 {
        proof.flaw("start", "a property is violated though no rule is broken");
    }
    for (at, task) in lesson.play.iter().enumerate() {
        proof.task(task, &format!("play[{at}] {}", task.id))?;
    }
    Ok(proof.flaws)
}

struct Proof<'a> {
    resolved: &'a Resolved,
    seed: u64,
    flaws: Vec<Flaw>,
}

type Reached = Option<(u64, usize)>;

impl Proof<'_> {
    fn flaw(&mut self, place: &str, what: &str) {
        self.flaws.push(Flaw { seed: Some(self.seed), place: place.into(), what: what.into() });
    }

    /// A beat comes, behind the one before it, and what it says is so.
    fn beat(&mut self, beat: &Beat, place: &str, last: Reached) -> Reached {
        let Some(spot) = self.resolved.spot(&beat.at) else {
            self.flaw(place, "its moment does not come");
            return last;
        };
        let here = Some((spot.events, spot.facts));
        if here < last {
            self.flaw(place, "it comes before what stands above it");
        }
        for (at, query) in beat.holds.iter().enumerate() {
            if !self.resolved.value_at(query, &beat.at).holds() {
                self.flaw(place, &format!("holds[{at}] is not so"));
            }
        }
        self.names(&beat.say, place);
        here
    }

    /// All names of a sentence stand for something.
    fn names(&mut self, text: &Text, place: &str) {
        for (_, name) in text.each().into_iter().flat_map(|(_, text)| places(text)) {
            if let Some(name) = name.filter(|name| self.resolved.name(name) == Value::Nothing.to_string()) {
                self.flaw(place, &format!("{{{name}}} stands for nothing"));
            }
        }
    }

    /// A question has one answer, which can be seen in the end, and no named idea is that answer.
    fn ask(&mut self, ask: &Ask, place: &str, last: Reached) -> Result<Reached, RunError> {
        let here = self.resolved.spot(&ask.until).map(|spot| (spot.events, spot.facts));
        if here.is_none() || here < last {
            self.flaw(place, "the moment at which the answer is seen does not come, or comes too early");
        }
        if ask.because.as_ref().is_some_and(|because| self.resolved.fact_at(because).is_none()) {
            self.flaw(place, "the fact that decides does not happen");
        }
        self.steps(ask, place, last);
        let seen = self.seen(ask)?;
        let did = answer(self.resolved, ask, &seen);
        let unseen = matches!(ask.kind, Kind::Bet { .. }) && seen.is_empty();
        for (at, query) in ask.holds.iter().enumerate() {
            if !unseen && !self.resolved.holds_at(query, &ask.until, &did) {
                self.flaw(place, &format!("ask.holds[{at}] is not so"));
            }
        }
        if let Some(options) = ask.kind.options() {
            let count = options.iter().filter(|option| self.resolved.value(&option.is).holds()).count();
            if count != 1 {
                self.flaw(place, &format!("{count} options are true"));
            }
        }
        self.names(&ask.prompt, place);
        self.names(&ask.then, place);
        match &ask.kind {
            Kind::Do(task) => self.task(task, place)?,
            _ if unseen => {}
            _ => self.judged(ask, &seen, place),
        }
        self.thoughts(ask, place)?;
        Ok(here.max(last))
    }

    /// What is seen on the way happens there, one after the other.
    fn steps(&mut self, ask: &Ask, place: &str, from: Reached) {
        let until = self.resolved.spot(&ask.until).map(|spot| spot.facts as u64);
        let mut last = from.map(|(_, facts)| facts as u64);
        for (at, step) in ask.steps.iter().enumerate() {
            let seq = self.resolved.fact_at(&step.at);
            if seq.is_none() || seq < last || seq >= until {
                self.flaw(place, &format!("ask.steps[{at}] does not happen on the way to the answer"));
            }
            self.names(&step.say, place);
            last = seq.map(|seq| seq + 1);
        }
    }

    /// What is seen in the runs that answer a question together. A bet is thrown for the first seed only: it has many runs, and each seed of
    /// the proof is one of them.
    fn seen(&self, ask: &Ask) -> Result<Vec<Value>, RunError> {
        match ask.kind {
            Kind::Bet { .. } if !self.is_first() => Ok(Vec::new()),
            _ => all_seen(self.resolved, ask),
        }
    }

    fn is_first(&self) -> bool {
        self.seed == self.resolved.lesson.start.seeds.start
    }

    /// The answer of the machine is judged as right, and no idea is it.
    fn judged(&mut self, ask: &Ask, seen: &[Value], place: &str) {
        let real = &answer(self.resolved, ask, seen);
        // of several things that can be built, each one
        let given = if matches!(ask.kind, Kind::Build { .. }) { real.items() } else { std::slice::from_ref(real) };
        if given.is_empty() || given.len() == ask.kind.runs().len() {
            self.flaw(place, "what is built makes no difference");
        }
        for real in given {
            self.judged_as(ask, seen, real, place);
        }
    }

    fn judged_as(&mut self, ask: &Ask, seen: &[Value], real: &Value, place: &str) {
        let nobody = matches!(ask.kind, Kind::Pick { .. });
        let missing = real.items().contains(&Value::Nothing);
        if let Kind::Sort { bins, .. } = &ask.kind
            && real.items().iter().any(|bin| !bin.number().is_some_and(|bin| (1..=bins.len() as i64).contains(&bin)))
        {
            self.flaw(place, "a card belongs into no bin");
        }
        if (*real == Value::Nothing || missing) && !nobody {
            self.flaw(place, "the question has no answer");
        } else if judge(self.resolved, ask, seen, real) != Verdict::Right {
            self.flaw(place, &format!("the answer {real} is not judged as right"));
        }
        // what is said to a stop that comes too late may fit the right ones too: those are judged before
        let named = if matches!(ask.kind, Kind::Catch { .. }) { &[][..] } else { &ask.thinks };
        for thinks in named {
            if self.resolved.value_with(&thinks.given, real).holds() {
                self.flaw(place, &format!("the answer is the idea {}", thinks.idea));
            }
        }
    }

    /// Each other run shows what it is said to show, and the lesson's run does not.
    fn thoughts(&mut self, ask: &Ask, place: &str) -> Result<(), RunError> {
        for thinks in &ask.thinks {
            self.names(&thinks.says, &format!("{place} {}", thinks.idea));
            let Some(would) = &thinks.would else { continue };
            let place = format!("{place} {}.would", thinks.idea);
            if self.resolved.value(&would.shows).holds() {
                self.flaw(&place, "the lesson's own run shows it too");
            }
            let other = DryRun::with(&self.resolved.lesson, &would.change, Some(self.seed))?.play()?;
            if !other.value(&would.shows).holds() {
                self.flaw(&place, "that run does not show it");
            }
        }
        Ok(())
    }

    /// What is to be done does not happen by itself, and can be done. A program is searched for the first seed only: its runs have their own.
    fn task(&mut self, task: &Task, place: &str) -> Result<(), RunError> {
        let task = match &task.way {
            Way::Hands(hands) => hands,
            Way::Write(write) => {
                let flaws = if self.is_first() { write.flaws() } else { Vec::new() };
                flaws.iter().for_each(|flaw| self.flaw(place, flaw));
                return Ok(());
            }
        };
        if self.resolved.value(&task.goal).holds() {
            self.flaw(place, "its goal is met without anybody");
        }
        let deeds = task.solution.deeds.as_ref().map_or(0, Vec::len);
        let more = deeds.saturating_sub(self.resolved.lesson.start.deeds.len());
        if more > usize::from(task.most) {
            self.flaw(place, &format!("its solution takes {more} deeds more than the lesson does"));
        }
        let other = DryRun::with(&self.resolved.lesson, &task.solution, Some(self.seed))?.play()?;
        if !other.value(&task.goal).holds() {
            self.flaw(place, "its solution does not meet the goal");
        }
        Ok(())
    }
}
