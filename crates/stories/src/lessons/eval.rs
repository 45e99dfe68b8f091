//! Answers to questions, from the facts of a run.

use crate::base::SimTime;
use crate::base::json::Json;

use super::lesson::Name;
use super::played::{Moment, Played};
use super::query::{Op, Query, Span, When};
use super::text::places;
use super::value::{Value, micros};

/// What a question may look at.
#[derive(Clone, Copy)]
pub(super) struct Scope<'a> {
    /// The run's facts.
    pub played: &'a Played,
    /// The lesson's names.
    pub names: &'a [Name],
    /// What the viewer answered, for `{you}`.
    pub you: Option<&'a Value>,
    /// What the machine did, for `{did}`.
    pub did: Option<&'a Value>,
    /// How far it may look.
    pub end: Moment,
}

impl<'a> Scope<'a> {
    /// Everything that is known of a run.
    pub(super) fn whole(played: &'a Played, names: &'a [Name]) -> Scope<'a> {
        Scope { played, names, you: None, did: None, end: played.end() }
    }

    /// The same with everything behind a moment left out.
    pub(super) fn up_to(self, end: Moment) -> Scope<'a> {
        Scope { end, ..self }
    }

    /// The same, knowing what the viewer answered.
    pub(super) fn answered(self, you: &'a Value) -> Scope<'a> {
        Scope { you: Some(you), ..self }
    }

    /// The same, knowing what the machine did.
    pub(super) fn knowing(self, did: &'a Value) -> Scope<'a> {
        Scope { did: Some(did), ..self }
    }

    /// Where a moment lies; none where it does not come.
    pub(super) fn moment(&self, when: &When) -> Option<Moment> {
        match when {
            When::Start => Some(START),
            When::End => Some(self.end),
            When::Nth(n, pattern) => self.fact(*n, pattern, 0),
            When::Next(when, pattern) => self.fact(1, pattern, self.moment(when)?.facts),
            When::Last(when, pattern) => {
                let to = self.moment(when)?;
                let before = to.fact.unwrap_or(to.facts);
                let pattern = self.pattern(pattern)?;
                let last = self.played.fitting(&pattern).rev().find(|&place| place < before);
                last.map(|place| self.played.at_fact(place))
            }
            When::Before(when) => self.moment(when)?.fact.map(|place| self.played.before(place)),
            When::After(when, us) => self.at_time(self.moment(when)?.at.plus(*us)),
            When::Quiet(when) => self.at_time(self.played.quiet_after(self.moment(when)?)),
            When::Later(one, other) => {
                let (one, other) = (self.moment(one)?, self.moment(other)?);
                Some(if (other.at, other.facts) > (one.at, one.facts) { other } else { one })
            }
        }
    }

    fn at_time(&self, at: SimTime) -> Option<Moment> {
        (at <= self.end.at).then(|| self.played.at_time(at))
    }

    /// The n-th fact of a pattern from a place on.
    fn fact(&self, n: u32, pattern: &str, from: usize) -> Option<Moment> {
        let pattern = self.pattern(pattern)?;
        let fits = self.played.fitting(&pattern).skip_while(|&place| place < from);
        let place = fits.take_while(|&place| place < self.end.facts).nth(n.checked_sub(1)? as usize)?;
        Some(self.played.at_fact(place))
    }

    /// A pattern with its names filled in; none where one of them is nothing.
    fn pattern(&self, text: &str) -> Option<String> {
        let mut filled = String::new();
        for (part, name) in places(text) {
            filled.push_str(part);
            if let Some(name) = name {
                let value = self.name(name);
                if value == Value::Nothing {
                    return None;
                }
                filled.push_str(&value.to_string());
            }
        }
        Some(filled)
    }

    /// What a name stands for: it means the same at every moment, so all that is known of the run counts.
    pub(super) fn name(&self, name: &str) -> Value {
        match name {
            "you" => return self.you.cloned().unwrap_or(Value::Nothing),
            "did" => return self.did.cloned().unwrap_or(Value::Nothing),
            _ => {}
        }
        let Some(at) = self.names.iter().position(|known| *known.name == *name) else { return Value::Nothing };
        // a name may be made of those above it: so the way down ends
        let above = Scope { names: &self.names[..at], end: self.played.end(), ..*self };
        above.value(&self.names[at].query)
    }

    /// The answer to a question.
    pub(super) fn value(&self, query: &Query) -> Value {
        match query {
            Query::Literal(value) => value.clone(),
            Query::Name(name) => self.name(name),
            Query::Field(when, field) => {
                let fact = self.moment(when).and_then(|moment| moment.fact);
                fact.map_or(Value::Nothing, |place| self.field(place, field))
            }
            Query::Count(pattern, span) => Value::Number(self.between(pattern, span).len() as i64),
            Query::All(field, pattern, span) => {
                let facts = self.between(pattern, span);
                Value::List(facts.into_iter().map(|place| self.field(place, field)).collect())
            }
            Query::Time(when) => self.moment(when).map_or(Value::Nothing, |moment| micros(moment.at.0)),
            Query::Happens(when) => Value::Truth(self.moment(when).is_some()),
            Query::Violated(property) => {
                let found = self.played.checker().violations().iter();
                let end = self.end.facts as u64;
                Value::Truth(found.take_while(|found| found.seq < end).any(|found| found.property == &**property))
            }
            Query::Doubles => {
                let found = self.played.checker().doubles().iter();
                Value::Number(found.take_while(|double| double.at <= self.end.at).count() as i64)
            }
            Query::Made(op, parts) => self.made(*op, parts),
        }
    }

    /// The facts of a pattern in a part of the run.
    fn between(&self, pattern: &str, span: &Span) -> Vec<usize> {
        let (from, to) = (self.moment(&span.0), self.moment(&span.1));
        let (Some(from), Some(to), Some(pattern)) = (from, to, self.pattern(pattern)) else { return Vec::new() };
        let to = to.facts.min(self.end.facts);
        let from = self.played.fitting(&pattern).skip_while(|&place| place < from.facts);
        from.take_while(|&place| place < to).collect()
    }

    fn field(&self, place: usize, field: &str) -> Value {
        let json = self.played.fact(place).and_then(|fact| Json::parse(fact).ok());
        json.and_then(|json| inside(&json, field)).unwrap_or(Value::Nothing)
    }

    fn made(&self, op: Op, parts: &[Query]) -> Value {
        let value = |at: usize| parts.get(at).map_or(Value::Nothing, |part| self.value(part));
        let all = || parts.iter().map(|part| self.value(part));
        let numbers =
            || all().flat_map(|value| value.items().to_vec()).map(|item| item.number()).collect::<Option<Vec<_>>>();
        let ordered = |fits: fn(i64, i64) -> bool| {
            let numbers: Option<Vec<i64>> = all().map(|value| value.number()).collect();
            Value::Truth(numbers.is_some_and(|numbers| numbers.windows(2).all(|pair| fits(pair[0], pair[1]))))
        };
        match op {
            Op::And => Value::Truth(all().all(|value| value.holds())),
            Op::Or => Value::Truth(all().any(|value| value.holds())),
            Op::Not => Value::Truth(!value(0).holds()),
            Op::Equal => Value::Truth(value(0) == value(1)),
            Op::Less => ordered(|one, other| one < other),
            Op::AtMost => ordered(|one, other| one <= other),
            Op::In => Value::Truth(value(1).items().contains(&value(0))),
            Op::Same => Value::Truth(value(0).as_set() == value(1).as_set()),
            Op::Plus => folded(numbers(), i64::saturating_add),
            Op::Times => folded(numbers(), i64::saturating_mul),
            Op::Minus => without(&value(0), &value(1)),
            Op::Size => Value::Number(value(0).items().len() as i64),
            Op::Min => folded(numbers(), i64::min),
            Op::Max => folded(numbers(), i64::max),
            Op::Distinct => {
                let mut seen = Vec::new();
                for item in value(0).items() {
                    if !seen.contains(item) {
                        seen.push(item.clone());
                    }
                }
                Value::List(seen)
            }
            Op::List => Value::List(all().filter(|value| *value != Value::Nothing).collect()),
            Op::Either => all().find(|value| *value != Value::Nothing).unwrap_or(Value::Nothing),
            Op::Item => {
                let at = value(0).number().and_then(|number| usize::try_from(number - 1).ok());
                at.and_then(|at| value(1).items().get(at).cloned()).unwrap_or(Value::Nothing)
            }
        }
    }
}

/// Before anything has happened.
const START: Moment = Moment { facts: 0, events: 0, at: SimTime::ZERO, done: 0, fact: None };

fn folded(numbers: Option<Vec<i64>>, with: fn(i64, i64) -> i64) -> Value {
    numbers.and_then(|numbers| numbers.into_iter().reduce(with)).map_or(Value::Nothing, Value::Number)
}

fn without(one: &Value, other: &Value) -> Value {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => Value::Number(one.saturating_sub(*other)),
        (Value::Nothing, _) | (_, Value::Nothing) => Value::Nothing,
        _ => {
            let gone = other.items();
            Value::List(one.items().iter().filter(|item| !gone.contains(item)).cloned().collect())
        }
    }
}

/// A field wherever it stands in a fact, the outermost first.
fn inside(json: &Json, field: &str) -> Option<Value> {
    match json {
        Json::Object(fields) => {
            // an object of that name holds the value deeper down
            let is_value = |json: &Json| !matches!(json, Json::Object(_));
            let here =
                fields.iter().find(|(name, json)| *name == field && is_value(json)).map(|(_, json)| Value::of(json));
            here.or_else(|| fields.iter().find_map(|(_, json)| inside(json, field)))
        }
        Json::List(items) => items.iter().find_map(|item| inside(item, field)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::json::Read;
    use crate::scenarios::scenario;
    use crate::sim::Player;

    fn played(id: &str, until_ms: u64) -> Played {
        let mut player = Player::new(scenario(id).unwrap().run()).unwrap();
        let mut played = Played::new(&player.run().setup);
        while player.world().next_at().is_some_and(|at| at <= SimTime::from_ms(until_ms)) {
            played.step(&mut player);
        }
        played
    }

    fn ask(played: &Played, names: &[(&str, &str)], text: &str) -> Value {
        let query = |text: &str| Json::parse(text).and_then(Query::read).unwrap();
        let names: Vec<Name> = names.iter().map(|(name, text)| Name::plain(name, query(text))).collect();
        Scope::whole(played, &names).value(&query(text))
    }

    #[test]
    fn moments_follow_one_another() {
        let played = played("cold-start-3", 2_000);
        let names = &[("L", r#"["field", "established", "server"]"#), ("W", r#"["field", "committed", "zxid"]"#)];
        assert_eq!(
            ask(&played, names, r#"["field", "established server={L}", "server"]"#),
            ask(&played, names, r#""{L}""#)
        );
        for holds in [
            r#"["<", ["time", "established"], ["time", "proposed zxid={W}"], ["time", "committed zxid={W}"]]"#,
            r#"["=", ["time", ["next", "established", "committed"]], ["time", "committed"]]"#,
            r#"["=", 1, ["count", "established"]]"#,
            r#"["=", 0, ["count", "established", ["since", "established"]]]"#,
            r#"["not", ["happens", ["next", "end", "committed"]]]"#,
            r#"["<", ["time", ["before", "committed"]], ["time", ["after", "committed", 1000]]]"#,
            r#"["=", ["field", ["last", "end", "established"], "server"], "{L}"]"#,
            r#"["<", ["time", "established"], ["time", ["quiet", "established"]]]"#,
            r#"["and", ["not", ["violated", "durability"]], ["=", ["doubles"], 0]]"#,
        ] {
            assert_eq!(ask(&played, names, holds), Value::Truth(true), "{holds}");
        }
        assert_eq!(ask(&played, names, r#"["field", "crashed", "server"]"#), Value::Nothing);
    }

    #[test]
    fn answers_are_made_of_answers() {
        let played = played("cold-start-3", 100);
        for (text, answer) in [
            (r#"["+", 1, 2, 3]"#, Value::Number(6)),
            (r#"["*", 2, -3]"#, Value::Number(-6)),
            (r#"["-", ["list", 1, 2], 2]"#, Value::List(vec![Value::Number(1)])),
            (r#"["size", ["distinct", ["list", 1, 1, 2]]]"#, Value::Number(2)),
            (r#"["max", ["list", 1, 7], 3]"#, Value::Number(7)),
            (r#"["same", ["list", 2, 1], ["list", 1, 2]]"#, Value::Truth(true)),
            (r#"["either", ["time", "crashed"], 4]"#, Value::Number(4)),
            (r#"["<", 1, ["time", "crashed"]]"#, Value::Truth(false)),
            (r#"["item", 2, ["list", 4, 5]]"#, Value::Number(5)),
            (r#"["item", 0, ["list", 4, 5]]"#, Value::Nothing),
            (r#""{nobody}""#, Value::Nothing),
        ] {
            assert_eq!(ask(&played, &[], text), answer, "{text}");
        }
    }
}
