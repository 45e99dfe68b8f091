//! A lesson on the page: its headline, its band below the stage, where one answers, what the browser keeps of it, its keys.

mod answer;
mod asked;
mod band;
pub(super) mod cards;
mod chart;
mod expect;
pub(super) mod keep;
pub(super) mod keys;
mod overview;
mod recall;
mod tally;

pub(super) use answer::{button, number};
pub(super) use band::Band;
pub(super) use overview::Overview;
