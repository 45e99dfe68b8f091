//! All kinds of recipes: a folder a line.

use crate::base::json::{Json, Read, ReadError};

use super::runtime::recipe::Kind;
use super::{coordination, elections, kazoo, locks, nodes, own};

impl Kind {
    /// All kinds.
    pub fn all() -> impl Iterator<Item = Kind> {
        let all = [locks::KINDS, elections::KINDS, coordination::KINDS, kazoo::KINDS, nodes::KINDS, own::KINDS];
        all.into_iter().flatten().copied()
    }
}

impl Read for Kind {
    fn read(json: Json) -> Result<Kind, ReadError> {
        let name = String::read(json)?;
        let known = || Kind::all().map(Kind::name).collect();
        Kind::all().find(|kind| kind.name() == name).ok_or_else(|| ReadError::unknown_name(&name, known()))
    }
}
