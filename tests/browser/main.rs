//! The built page in a real browser: what a reader sees and does.
//!
//! Needs `dist/` (`trunk build --release`) and `chromedriver`; `scripts/test` provides both. `harness` explains itself.

// nobody else can reach what is in here
#![allow(unreachable_pub)]

mod harness;

mod access;
mod charts;
mod clients;
mod compare;
mod console;
mod decks;
mod design;
mod disks;
mod doc_pictures;
mod embed;
mod embeds;
mod eye;
mod frames;
mod gallery;
mod hands;
mod inspect;
mod keyboard;
mod languages;
mod lecture;
mod lesson_kinds;
mod lessons;
#[cfg(feature = "live")]
mod live;
mod monkey;
mod offline;
mod paper;
mod peers;
mod pictures;
mod policy;
mod poster;
mod readme;
mod recipes;
mod rescue;
mod room;
mod same_everywhere;
mod search;
mod seen;
mod share;
mod single_file;
mod spacetime;
mod speed;
mod start;
mod stories;
mod tables;
mod timeline;
mod touch;
mod writing;
