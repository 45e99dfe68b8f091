//! What a moment shows, without a browser and without a language: cards, links, clients, meters, znodes, sessions, charts. Read from
//! the world between two steps and from its facts; nothing here decides what happens.

mod callout;
mod card;
pub mod charts;
mod client;
pub mod comparison;
pub mod director;
mod doing;
mod eye;
pub mod figure;
mod groups;
pub mod lesson;
mod matrix;
mod meter;
pub mod overview;
pub mod reigns;
mod scene;
pub mod sessions;
mod standing;
pub mod state;
pub mod talk;
mod tether;
pub mod traffic;
mod waiting;
pub mod znodes;

pub use callout::{Callout, Said};
pub use card::{Card, Crown, Face, Square, Tally};
pub use client::{ClientFace, ClientView, Held, clients, free_number};
pub use doing::{ClientDoing, ServerDoing, client_doing, server_doing};
pub use eye::{Eye, Focus, Motion};
pub use groups::Group;
pub use matrix::{Column, Matrix, Reigned, Row, Verdict, keeps_a_log, keeps_tables};
pub use meter::{Counted, Meter};
pub use scene::{LinkView, Queue, Scene};
pub use standing::{Part, parts};
pub use waiting::{Awaited, Waiting, waiting};
