//! What is shown and taught, without a browser.
//!
//! - [`scenarios`]: the shipped runs with their scenes; [`lessons`]: questions about moments of them, and what proves each; [`museum`]: real
//!   bugs, each with a run in which it happens and one in which it does not.
//! - [`soak`]: runs with random faults and clients; [`explore`]: the search for a run that reaches a goal, and from there to a small one.
//! - [`timeline`]: a run in the hand: play, pause, jump, step back, branch; [`view`]: what a moment shows; [`console`]: zkCli at it.
//!
//! Stories are data where they can be (`lessons/built_in`, `museum/cards`, JSON; [`files`]). Whoever wants to show runs elsewhere needs this crate and what
//! it stands on: `timeline::Session` plays, `view` says what there is to draw, and no sentence is in here but English ones; languages are
//! the page's.

use zabscope_ground::{base, daemon, wire};
use zabscope_recipes as recipes;
use zabscope_rivals as rivals;
use zabscope_sim::{check, share, sim};
use zabscope_zookeeper::{client, server, store, zab};

pub mod console;
pub mod explore;
pub mod files;
pub mod lessons;
pub mod museum;
pub mod scenarios;
pub mod soak;
pub mod timeline;
pub mod view;
