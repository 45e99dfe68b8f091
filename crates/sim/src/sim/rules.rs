//! Every rule that a run can break, whichever room declares it.

use serde::Serializer;

use crate::base::json::{Json, Read, ReadError};
use crate::base::{Breakable, RuleRoom, RuleSet, ServiceRule};
use crate::recipes::RecipeRule;
use crate::server::FileRule;
use crate::zab;

/// The catalogue: a line for each room.
macro_rules! catalogue {
    ($($(#[$doc:meta])* $room:ident($rules:ty),)*) => {
        /// A rule that a run can break.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Rule { $($(#[$doc])* $room($rules)),* }

        impl Rule {
            /// All of them, in the order in which they are shown.
            pub fn all() -> impl Iterator<Item = Rule> {
                std::iter::empty()$(.chain(<$rules>::ALL.iter().copied().map(Rule::$room)))*
            }

            /// Those that are broken here.
            pub fn broken_in(rules: RuleSet) -> impl Iterator<Item = Rule> {
                Rule::all().filter(move |&rule| rules.breaks(rule))
            }

            /// Its name in runs and links: stable.
            pub fn name(self) -> &'static str {
                match self { $(Rule::$room(rule) => rule.name()),* }
            }

            /// The rule of this name.
            pub fn named(name: &str) -> Option<Rule> {
                None$(.or_else(|| <$rules>::named(name).map(Rule::$room)))*
            }
        }

        impl Breakable for Rule {
            fn place(self) -> (RuleRoom, u32) {
                match self { $(Rule::$room(rule) => rule.place()),* }
            }
        }

        $(impl From<$rules> for Rule {
            fn from(rule: $rules) -> Rule {
                Rule::$room(rule)
            }
        })*
    };
}

catalogue! {
    /// Of the protocol.
    Zab(zab::BrokenRule),
    /// Of a server, outside of the protocol.
    Server(FileRule),
    /// Of the service for clients.
    Service(ServiceRule),
    /// Of recipes of clients.
    Recipe(RecipeRule),
}

/// A set as a list of names, which is how runs and links have it. The set itself stands below the rooms and cannot know them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RuleNames(pub RuleSet);

/// Writes a set as [`RuleNames`].
pub(super) fn as_names<S: Serializer>(rules: &RuleSet, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(Rule::broken_in(*rules).map(Rule::name))
}

/// Names that begin with so many equal letters are alike.
const ALIKE: usize = 4;

impl Read for Rule {
    fn read(json: Json) -> Result<Rule, ReadError> {
        let name = String::read(json)?;
        // all of them are too many to list
        let alike = |known: &&str| name.get(..ALIKE).is_some_and(|start| known.starts_with(start));
        let known = || Rule::all().map(Rule::name).filter(alike).collect();
        Rule::named(&name).ok_or_else(|| ReadError::unknown_name(&name, known()))
    }
}

impl Read for RuleNames {
    fn read(json: Json) -> Result<RuleNames, ReadError> {
        Ok(RuleNames(Vec::<Rule>::read(json)?.into_iter().fold(RuleSet::default(), RuleSet::breaking)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_mistypes_a_rule_is_told_those_that_are_alike() {
        let wrong = |text| Json::parse(text).and_then(RuleNames::read).unwrap_err().to_string();
        assert_eq!(
            wrong(r#"["semaphore:keeps"]"#),
            "[0]: unknown name `semaphore:keeps`; expected `semaphore:leaves_lease`"
        );
        assert_eq!(wrong(r#"["no"]"#), "[0]: unknown name `no`");
    }

    #[test]
    fn a_set_survives_json_and_each_rule_has_its_own_place_and_name() {
        let RuleNames(rules) =
            Json::parse(r#"["ZOOKEEPER-4837","ZOOKEEPER-4643"]"#).and_then(RuleNames::read).unwrap();
        assert!(rules.breaks(FileRule::Zookeeper4837) && rules.breaks(zab::BrokenRule::EpochBeforeLog));
        let written = as_names(&rules, serde_json::value::Serializer).unwrap();
        assert_eq!(written.to_string(), r#"["epoch-before-log","ZOOKEEPER-4837"]"#);
        let mut set = RuleSet::default();
        for rule in Rule::all() {
            assert!(!set.breaks(rule), "{} has the place of another", rule.name());
            set = set.breaking(rule);
            assert_eq!(Rule::named(rule.name()), Some(rule));
        }
        assert_eq!(Rule::all().fold(set, RuleSet::keeping), RuleSet::default());
    }
}
