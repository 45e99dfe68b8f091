//! The properties of systems beside the ensemble: each system has a judge of its own, and a line here.

use crate::daemon::{Breach, Judge, Property};
use crate::sim::{Fact, Record, Setup};

/// Declares the judges, by the names of their systems in a setup.
macro_rules! judges {
    ($( $name:ident: $what:ty ),* $(,)?) => {
        /// The judges of all systems that a run has, and the number of the first fact that each was told.
        #[derive(Clone, Debug, Default)]
        pub(super) struct Systems {
            $( $name: Option<(Box<$what>, Option<u64>)> ),*
        }

        impl Systems {
            /// Those of the systems in this setup.
            pub(super) fn of(setup: &Setup) -> Systems {
                Systems { $( $name: setup.systems.$name.as_ref().map(|_| Default::default()) ),* }
            }

            /// Reads a fact; what was violated by it.
            pub(super) fn read(&mut self, record: &Record) -> Vec<Breach> {
                let mut found = Vec::new();
                let Fact::Other { server, fact } = &record.fact else { return found };
                $( if let (Some((judge, tested)), Some(value)) = (&mut self.$name, fact.value::<<$what as Judge>::Fact>()) {
                    let before = judge.breaches().len();
                    judge.read(record.at_us, *server, value);
                    tested.get_or_insert(record.seq);
                    found.extend_from_slice(judge.breaches().get(before..).unwrap_or_default());
                } )*
                found
            }

            /// Each property of the run's systems, and which fact first put it to the test.
            pub(super) fn properties(&self) -> Vec<(&'static Property, Option<u64>)> {
                let mut all = Vec::new();
                $( if let Some((_, tested)) = &self.$name {
                    all.extend(<$what as Judge>::PROPERTIES.iter().map(|property| (property, *tested)));
                } )*
                all
            }
        }

        const PROPERTIES: &[&[Property]] = &[ $( <$what as Judge>::PROPERTIES ),* ];
    };
}

judges! {
    commit: crate::rivals::commit::AtomicCommitment,
    generation: crate::rivals::generation::Verdict,
    redis: crate::rivals::redis::RedisJudge,
    register: crate::rivals::register::Verdict,
    sql: crate::rivals::sql::SqlJudge,
}

/// A property of a system, by its id.
pub fn system_property(id: &str) -> Option<&'static Property> {
    PROPERTIES.iter().copied().flatten().find(|property| property.id == id)
}
