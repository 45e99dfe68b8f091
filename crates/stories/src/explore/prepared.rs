//! A small run for each rule: broken, it does harm there; kept, it does not. Those of the protocol are what a search found and made
//! small. Those of the service and of recipes were written by hand, to be followed: shrinking would begin them before the ensemble is
//! up.

use std::cell::OnceCell;
use std::rc::Rc;

use crate::base::SimTime;
use crate::base::json::{Json, Read, ReadError};
use crate::files;
use crate::sim::{Rule, Run};

use super::goal::Goal;

/// A rule, and the run that shows what it is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prepared {
    /// The rule that is to be broken.
    pub rule: Rule,
    /// What then is reached.
    pub goal: Goal,
    /// How long the run is worth watching, in virtual time: until that is reached. Where only the end of a run shows it, until everything
    /// has been healed for a while.
    pub until: SimTime,
    /// The run, with every rule kept.
    pub run: Run,
}

/// Their text; in the page [`prepared`] has it.
pub(crate) const PREPARED: &str = files::built_in!("prepared.json");

thread_local! {
    static READ: OnceCell<Rc<[Rc<Prepared>]>> = const { OnceCell::new() };
}

fn read() -> Rc<[Rc<Prepared>]> {
    let text = files::text(PREPARED, "explore/prepared").unwrap_or_default();
    let Ok(Json::List(all)) = Json::parse(text) else { return Rc::default() };
    all.into_iter().filter_map(|one| Prepared::read(one).ok().map(Rc::new)).collect()
}

/// The run that is prepared for a rule, once it is there.
pub fn prepared(rule: Rule) -> Option<Rc<Prepared>> {
    let all = READ.with(|kept| files::once(kept, read));
    all.iter().find(|one| one.rule == rule).cloned()
}

impl Read for Prepared {
    fn read(json: Json) -> Result<Prepared, ReadError> {
        let mut fields = json.fields()?;
        let prepared = Prepared {
            rule: fields.need("break")?,
            goal: fields.need("goal")?,
            until: fields.need("until_us")?,
            run: fields.need("run")?,
        };
        fields.end().map(|()| prepared)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explore::{Question, Search, Stage, reach};

    /// Whether a search finds the goal in the very run that it is given.
    fn is_first_tried(run: &Run, goal: &Goal) -> bool {
        let mut search = Search::new(Question { shrink: false, ..Question::new(run.clone(), goal.clone(), 1) });
        while search.step(u64::MAX).stage != Stage::Done {}
        !search.finds().is_empty()
    }

    #[test]
    fn each_rule_does_harm_in_its_run_when_it_is_broken_and_none_when_it_is_kept() {
        let Json::List(all) = Json::parse(PREPARED).unwrap() else { panic!("a list") };
        let all: Vec<Prepared> = all.into_iter().map(|one| Prepared::read(one).unwrap()).collect();
        let rules: Vec<Rule> = all.iter().map(|one| one.rule).collect();
        assert_eq!(rules, Rule::all().collect::<Vec<_>>(), "they stand in the order in which rules are shown");
        for one in all {
            let name = one.rule.name();
            assert_eq!(one.run.check(), Ok(()), "{name}");
            let mut broken = one.run.clone();
            broken.setup.rules = broken.setup.rules.breaking(one.rule);
            let found = reach(&broken, &one.goal, one.until);
            let at = found.unwrap_or_else(|| panic!("{name}: nothing fails")).at;
            assert!(if one.goal.heals() { at > one.until } else { at == one.until }, "{name}: {at}");
            assert_eq!(reach(&one.run, &one.goal, one.until), None, "{name}, kept");
            assert!(is_first_tried(&broken, &one.goal), "{name}: who searches this run does not find it there");
        }
    }
}
