//! A question, and how the search for its answer goes, as text: for a search that goes on elsewhere, as in a worker.

use serde::Serialize;

use crate::base::SimTime;
use crate::base::json::{Fields, Json, Parts, Read, ReadError, ValueError, within};
use crate::base::limits::{MAX_SEARCHED_US, MAX_SEARCHED_WRITES};
use crate::check::RECIPE_LIVENESS;
use crate::sim::Run;

use super::exhaust::{Bounds, MAX_SERVERS, Proof};
use super::goal::Goal;
use super::ladder::Rung;
use super::search::{Find, Progress, Question, Search, Stage, Strategy};
use super::stand::Stand;
use super::watch::Found;

/// How a search goes, and what it has found when it is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// How far it has come.
    pub progress: Progress,
    /// What was found, the smallest first; nothing before it is over.
    pub finds: Vec<Answer>,
    /// What every order has come to, where orders are tried.
    pub proof: Option<Proof>,
}

/// A run that reaches the goal, without what was seen of it: [`Answer::replay`] sees it again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Answer {
    /// The run, with the healing that a goal may ask for.
    pub run: Run,
    /// How many actions of it are what makes it so.
    pub deeds: usize,
    /// How many there were before it was shrunk.
    pub shrunk_from: usize,
    /// When the goal is reached, in virtual time.
    #[serde(rename = "at_us")]
    pub at: SimTime,
    /// Which trial it was, from 0.
    pub trial: u64,
    /// The same run with every rule kept does not reach the goal; none where no rule is broken.
    pub repaired: Option<bool>,
}

impl From<&Find> for Answer {
    fn from(find: &Find) -> Answer {
        Answer {
            run: find.run.clone(),
            deeds: find.deeds,
            shrunk_from: find.shrunk_from,
            at: find.found.at,
            trial: find.trial,
            repaired: find.repaired,
        }
    }
}

impl Answer {
    /// What its run shows of the goal, by playing it once more.
    pub fn replay(&self, goal: &Goal) -> Option<Found> {
        let mut stand = Stand::new(self.run.clone(), goal);
        stand.run_until(self.at);
        let programs = matches!(goal, Goal::Violated(id) if *id == RECIPE_LIVENESS.id);
        stand.watch.found.clone().or_else(|| stand.missing(self.at, programs))
    }
}

#[derive(Serialize)]
struct Asked<'a> {
    run: &'a Run,
    goal: String,
    from_us: SimTime,
    seed: u64,
    budget: u64,
    strategy: Option<Strategy>,
    shrink: bool,
    orders: Option<Bounds>,
}

impl Question {
    /// As JSON.
    pub fn to_json(&self) -> String {
        let Question { run, goal, from: from_us, seed, budget, strategy, shrink, orders } = self.clone();
        let asked = Asked { run: &run, goal: goal.to_string(), from_us, seed, budget, strategy, shrink, orders };
        serde_json::to_string(&asked).unwrap_or_default()
    }

    /// Whether it can be searched for: its run is one and not long, and of orders there are not too many.
    ///
    /// # Errors
    /// What is wrong, and where.
    pub fn check(&self) -> Result<(), ReadError> {
        self.run.check().map_err(|error| error.within("run"))?;
        within("from_us", self.from.0, 0, MAX_SEARCHED_US)?;
        let last = self.run.actions.last().map_or(0, |timed| timed.at_us.0);
        within("run.actions: at_us", last, 0, MAX_SEARCHED_US)?;
        within("run.actions: count", self.run.writes(), 0, MAX_SEARCHED_WRITES)?;
        if self.orders.is_some() {
            let setup = &self.run.setup;
            within("run.setup.voters", setup.voters.into(), 1, MAX_SERVERS.into())?;
            within("run.setup.observers", setup.observers.into(), 0, 0)?;
            if !self.goal.has_orders() {
                return Err(ReadError::new(ValueError::GoalOfOrders));
            }
        }
        Ok(())
    }

    /// Reads one. It is checked.
    ///
    /// # Errors
    /// What is wrong, and where.
    pub fn from_json(text: &str) -> Result<Question, ReadError> {
        Json::parse(text).and_then(Question::read)
    }
}

impl Read for Question {
    fn read(json: Json) -> Result<Question, ReadError> {
        let mut fields = json.fields()?;
        let question = Question {
            run: fields.need("run")?,
            goal: fields.need("goal")?,
            from: fields.or("from_us", SimTime::ZERO)?,
            seed: fields.or("seed", 0)?,
            budget: fields.need("budget")?,
            strategy: fields.or("strategy", None)?,
            shrink: fields.or("shrink", true)?,
            orders: fields.or("orders", None)?,
        };
        question.check()?;
        fields.end().map(|()| question)
    }
}

#[derive(Serialize)]
struct Plain<'a> {
    trials: u64,
    shrinks: u64,
    events: u64,
    found: usize,
    /// Where the ladder is, while runs are tried.
    rung: Option<Rung>,
    /// The find that is made smaller, and how many deeds it has.
    shrinking: Option<(usize, usize)>,
    over: bool,
    proof: Option<Proof>,
    finds: &'a [Answer],
}

impl Report {
    /// Of a search.
    pub fn of(search: &Search) -> Report {
        let progress = search.progress();
        let over = progress.stage == Stage::Done;
        let finds = search.finds().iter().filter(|_| over).map(Answer::from).collect();
        Report { progress, finds, proof: search.proof() }
    }

    /// As JSON.
    pub fn to_json(&self) -> String {
        let Progress { trials, shrinks, events, finds: found, stage } = self.progress;
        let (rung, shrinking) = match stage {
            Stage::Trying(rung) => (Some(rung), None),
            Stage::Shrinking { find, deeds } => (None, Some((find, deeds))),
            Stage::Ordering | Stage::Done => (None, None),
        };
        let (over, proof) = (stage == Stage::Done, self.proof);
        let plain = Plain { trials, shrinks, events, found, rung, shrinking, over, proof, finds: &self.finds };
        serde_json::to_string(&plain).unwrap_or_default()
    }

    /// Reads one.
    ///
    /// # Errors
    /// What is wrong, and where.
    pub fn from_json(text: &str) -> Result<Report, ReadError> {
        Json::parse(text).and_then(Report::read)
    }
}

impl Read for Rung {
    fn read(json: Json) -> Result<Rung, ReadError> {
        let mut fields = json.fields()?;
        let (deeds, late) = (fields.need("deeds")?, fields.need("late")?);
        let (point, points) = (fields.need("point")?, fields.need("points")?);
        fields.end().map(|()| Rung { deeds, late, point, points })
    }
}

impl Read for Report {
    fn read(json: Json) -> Result<Report, ReadError> {
        let mut fields = json.fields()?;
        let shrinking: Option<Vec<usize>> = fields.or("shrinking", None)?;
        let stage = match (fields.or("rung", None)?, shrinking.as_deref(), fields.need("over")?) {
            (Some(rung), ..) => Stage::Trying(rung),
            (None, Some(&[find, deeds]), _) => Stage::Shrinking { find, deeds },
            (.., false) => Stage::Ordering,
            _ => Stage::Done,
        };
        let progress = Progress {
            trials: fields.need("trials")?,
            shrinks: fields.need("shrinks")?,
            events: fields.need("events")?,
            finds: fields.need("found")?,
            stage,
        };
        let (finds, proof) = (fields.need("finds")?, fields.or("proof", None)?);
        fields.end().map(|()| Report { progress, finds, proof })
    }
}

impl Parts for Answer {
    fn take(fields: &mut Fields) -> Result<Answer, ReadError> {
        Ok(Answer {
            run: fields.need("run")?,
            deeds: fields.need("deeds")?,
            shrunk_from: fields.need("shrunk_from")?,
            at: fields.need("at_us")?,
            trial: fields.need("trial")?,
            repaired: fields.or("repaired", None)?,
        })
    }
}

impl Read for Answer {
    fn read(json: Json) -> Result<Answer, ReadError> {
        let mut fields = json.fields()?;
        let answer = Answer::take(&mut fields)?;
        fields.end().map(|()| answer)
    }
}

impl Read for Strategy {
    fn read(json: Json) -> Result<Strategy, ReadError> {
        json.name()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::RuleSet;
    use crate::sim::Setup;
    use crate::zab::BrokenRule;

    fn question(rule: BrokenRule, goal: &str) -> Question {
        let run = Run::new(1, Setup { rules: RuleSet::default().breaking(rule), ..Setup::default() });
        Question { from: SimTime::from_ms(20), seed: 7, ..Question::new(run, goal.parse().unwrap(), 60) }
    }

    #[test]
    fn a_question_and_every_report_survive_their_text_and_what_was_seen_is_seen_again() {
        for (rule, goal) in [(BrokenRule::LeaderKeepsEpoch, "any"), (BrokenRule::ElectionAnswersNone, "liveness")] {
            let asked = question(rule, goal);
            assert_eq!(Question::from_json(&asked.to_json()), Ok(asked.clone()));
            let orders = asked.goal.has_orders().then_some(Bounds { writes: 1, crashes: 2, ..Bounds::default() });
            let other = Question { strategy: Some(Strategy::Dice), shrink: false, orders, ..asked.clone() };
            assert_eq!(Question::from_json(&other.to_json()), Ok(other));
            let mut search = Search::new(asked.clone());
            let mut stages = [0; 3];
            loop {
                let progress = search.step(300);
                let report = Report::of(&search);
                assert_eq!(Report::from_json(&report.to_json()), Ok(report.clone()));
                match progress.stage {
                    Stage::Trying(_) => stages[0] += 1,
                    Stage::Shrinking { .. } => stages[1] += 1,
                    Stage::Ordering => panic!("nobody asked for orders"),
                    Stage::Done => {
                        stages[2] += 1;
                        assert_eq!(report.finds.len(), search.finds().len());
                        for (answer, find) in report.finds.iter().zip(search.finds()) {
                            assert_eq!(answer.replay(&asked.goal).as_ref(), Some(&find.found), "{goal}");
                        }
                        break;
                    }
                }
            }
            assert!(stages.iter().all(|many| *many > 0) && !search.finds().is_empty(), "{goal}: {stages:?}");
        }
    }

    #[test]
    fn every_report_of_orders_survives_its_text() {
        let orders = Some(Bounds { writes: 1, ..Bounds::default() });
        for rule in [BrokenRule::AckBeforeSync, BrokenRule::NoHeartbeats] {
            let mut search = Search::new(Question { budget: 1_000, orders, ..question(rule, "any") });
            loop {
                let stage = search.step(50).stage;
                let report = Report::of(&search);
                assert_eq!(Report::from_json(&report.to_json()), Ok(report.clone()));
                if stage == Stage::Done {
                    let proof = report.proof.unwrap();
                    assert_ne!(proof.complete, proof.violated.is_some());
                    break;
                }
            }
        }
    }

    #[test]
    fn what_is_no_question_is_a_sentence() {
        let good = question(BrokenRule::AckBeforeSync, "any").to_json();
        for (part, wrong, why) in [
            ("\"goal\":\"any\"", "\"goal\":\"sneeze\"", "sneeze"),
            ("\"budget\":60", "\"budgets\":60", "budget"),
            ("\"tick_time_ms\":200", "\"tick_time_ms\":0", "run.setup"),
            ("\"strategy\":null", "\"strategy\":\"luck\"", "expected `ladder`, `dice`"),
            ("{", "[", "line 1"),
        ] {
            assert!(good.contains(part), "{part}");
            let said = Question::from_json(&good.replacen(part, wrong, 1)).unwrap_err().to_string();
            assert!(said.contains(why), "{wrong}: {said}");
        }
        let least = good.replace(",\"strategy\":null,\"shrink\":true", "");
        assert_eq!(Question::from_json(&least), Ok(question(BrokenRule::AckBeforeSync, "any")), "{least}");
    }
}
