//! The three servers by the names that transcripts give them. A name stays with the process, whoever leads later.

use serde::{Deserialize, Deserializer, de};
use std::fmt;
use std::str::FromStr;

use crate::base::ServerId;

/// A server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The one that leads at the beginning.
    Leader,
    /// A follower at the beginning.
    Follower1,
    /// The other one.
    Follower2,
}

impl Place {
    /// All three.
    pub const ALL: [Place; 3] = [Place::Leader, Place::Follower1, Place::Follower2];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Place::Leader => "leader",
            Place::Follower1 => "follower1",
            Place::Follower2 => "follower2",
        }
    }

    /// Its id.
    pub fn id(self) -> ServerId {
        match self {
            Place::Leader => ServerId(3),
            Place::Follower1 => ServerId(1),
            Place::Follower2 => ServerId(2),
        }
    }

    /// The name of a server.
    pub fn of(server: ServerId) -> Option<Place> {
        Place::ALL.into_iter().find(|place| place.id() == server)
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Place {
    type Err = String;

    fn from_str(text: &str) -> Result<Place, String> {
        let known = Place::ALL.into_iter().find(|place| place.name() == text);
        known.ok_or_else(|| format!("'{text}' is no server: leader, follower1 and follower2 are"))
    }
}

impl<'de> Deserialize<'de> for Place {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Place, D::Error> {
        String::deserialize(d)?.parse().map_err(de::Error::custom)
    }
}
