//! The systems that a setup can name beside the ensemble: the closed list, a line each.

use serde::Serialize;

use crate::base::json::{Json, Read, ReadError, ValueError};
use crate::base::{ServerId, SortedSet};
use crate::daemon::{Daemon, Place, System};

/// Declares the systems: what each is called in a setup, and its type.
macro_rules! systems {
    ($( $(#[$about:meta])* $name:ident: $what:ty ),* $(,)?) => {
        /// Systems beside the ensemble, by name; at most one of each.
        #[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
        pub struct Systems {
            $( $(#[$about])* #[serde(skip_serializing_if = "Option::is_none")] pub $name: Option<Box<$what>> ),*
        }

        impl Read for Systems {
            fn read(json: Json) -> Result<Systems, ReadError> {
                let (mut fields, mut systems) = (json.fields()?, Systems::default());
                $( if let Some(system) = fields.or::<Option<$what>>(stringify!($name), None)? {
                    systems.$name = Some(Box::new(system));
                } )*
                fields.end().map(|()| systems)
            }
        }

        impl Systems {
            /// Checks every bound.
            pub(super) fn check(&self) -> Result<(), ReadError> {
                $( if let Some(system) = &self.$name {
                    system.check().map_err(|read_error| read_error.within(stringify!($name)))?;
                } )*
                let mut names = Names::default();
                self.place(&mut names);
                names.twice.map_or(Ok(()), |id| Err(ReadError::new(ValueError::Twice { name: id.to_string() })))
            }

            /// Puts all their machines into the world.
            pub(super) fn place(&self, world: &mut impl Place) {
                $( self.$name.iter().for_each(|system| system.place(world)); )*
            }
        }
    };
}

systems! {
    /// Two-phase commit.
    commit: crate::rivals::commit::Commit,
    /// Election by generation clock (Raft).
    generation: crate::rivals::generation::Generation,
    /// Redis servers, Sentinels and clients with locks.
    redis: crate::rivals::redis::Redis,
    /// A register kept by quorums.
    register: crate::rivals::register::Register,
    /// SQL databases and their clients.
    sql: crate::rivals::sql::Sql,
}

/// The names of all machines, and one that there are two of.
#[derive(Debug, Default)]
struct Names {
    taken: SortedSet<ServerId>,
    twice: Option<ServerId>,
}

impl Place for Names {
    fn put<D: Daemon>(&mut self, id: ServerId, _: D::Config) {
        if !self.taken.insert(id) {
            self.twice.get_or_insert(id);
        }
    }
}

impl Systems {
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        *self == Systems::default()
    }
}
