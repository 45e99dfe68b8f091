//! What a moment shows, without a browser and without a language: cards, links, packets, meters, queues, the timeline.
//! Read from the world between two steps and from its facts; nothing here decides what happens.

mod card;
mod chronicle;
mod client;
pub mod comparison;
pub mod film;
mod geometry;
mod groups;
pub mod ink;
mod line;
mod meter;
pub mod pace;
mod packet;
mod palette;
pub mod picture;
pub mod query;
mod recent;
mod scene;
mod seats;
mod session;
pub mod sessions;
mod shared;
mod standing;
pub mod state;
mod strike;
pub mod talk;
pub mod turns;
mod versions;
pub mod weave;
pub mod znodes;

pub use card::{Card, Face, Square, Tally};
pub use chronicle::{Chronicle, Commit, Mark, MarkKind, Reign};
pub use client::{ClientFace, ClientView, Held, clients, free_number};
pub use geometry::{Density, Layout, Point};
pub use groups::Group;
pub use meter::{Counted, Meter};
pub use packet::{Look, PacketView, Shape, hit, look, packets};
pub use palette::{EPOCH_COLOURS, Palette, epoch_colour};
pub use recent::Facts;
pub use scene::{LinkView, Queue, Scene};
pub use seats::{Chip, Seat, seats};
pub use session::{Session, Until};
pub use standing::{Part, parts};
pub use strike::{Crossed, crossed, cut};
pub use versions::{Deed, Future, Place};
