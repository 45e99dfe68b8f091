//! Every rule that a run can break, whichever room declares it.

use serde::{Serialize, Serializer};

use crate::base::json::{Json, Read, ReadError};
use crate::base::{Breakable, RuleRoom, RuleSet};
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
}

/// A list of names.
impl Serialize for RuleSet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(Rule::broken_in(*self).map(Rule::name))
    }
}

impl Read for Rule {
    fn read(json: Json) -> Result<Rule, ReadError> {
        let name = String::read(json)?;
        Rule::named(&name).ok_or_else(|| ReadError::unknown_name(&name, Rule::all().map(Rule::name).collect()))
    }
}

impl Read for RuleSet {
    fn read(json: Json) -> Result<RuleSet, ReadError> {
        Ok(Vec::<Rule>::read(json)?.into_iter().fold(RuleSet::default(), RuleSet::breaking))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_survives_json_and_each_rule_has_its_own_place_and_name() {
        let rules = Json::parse(r#"["ZOOKEEPER-4837","ZOOKEEPER-4643"]"#).and_then(RuleSet::read).unwrap();
        assert!(rules.breaks(FileRule::Zookeeper4837) && rules.breaks(zab::BrokenRule::EpochBeforeLog));
        assert_eq!(serde_json::to_string(&rules).unwrap(), r#"["epoch-before-log","ZOOKEEPER-4837"]"#);
        let mut set = RuleSet::default();
        for rule in Rule::all() {
            assert!(!set.breaks(rule), "{} has the place of another", rule.name());
            set = set.breaking(rule);
            assert_eq!(Rule::named(rule.name()), Some(rule));
        }
        assert_eq!(Rule::all().fold(set, RuleSet::keeping), RuleSet::default());
    }
}
