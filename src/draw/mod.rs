//! Drawing without a browser: a surface, the palette, where things stand, the stage, the space-time diagram, films.

pub mod cut_gesture;
pub mod figure;
pub mod film;
pub mod gallery;
pub mod layout;
mod packet;
mod palette;
mod point;
pub mod spacetime;
pub mod stage;
pub mod surface;

pub use crate::timeline::{Look, Shape, look};
pub use cut_gesture::{Crossed, crossed, cut, link_at};
pub use layout::{Chip, Counts, Density, Layout, Point, Seat, room, seats};
pub(crate) use packet::CROWD;
pub use packet::{Label, PacketView, hit, is_marked, packets};
pub use palette::{EPOCH_COLOURS, Palette, epoch_colour};
