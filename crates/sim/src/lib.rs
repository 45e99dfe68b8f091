//! The world in which servers, clients and rivals live, and what must hold in any run of it.
//!
//! - [`sim`]: a [`sim::Run`] is data: a version, a seed, a [`sim::Setup`], a list of actions with their times. A [`sim::Player`] plays it,
//!   event by event, and states [`sim::Record`]s: small typed facts in order. The same run states the same facts on every machine; their digest
//!   ([`sim::Player::digest`]) is promised for a version of the format (`docs/releasing.md`).
//! - [`check`]: the properties of ZAB and the promises to clients, judged from facts alone by a [`check::Checker`].
//! - [`share`]: a moment of a run as a link, a file or a QR code, and a run as text for other programs.
//!
//! What a person may give (a run, a link, an action) is checked before it is played: [`sim::Run::check`], [`share::open`] and
//! [`sim::Player::act`] say what is wrong and change nothing. Play costs memory by the run's length; [`zabscope_ground::base::limits`] has the
//! bounds.
//!
//! ```
//! use zabscope_ground::base::SimTime;
//! use zabscope_sim::sim::{Player, Run, Setup};
//!
//! let mut player = Player::new(Run::new(7, Setup::default()))?;
//! player.run_until(SimTime::from_ms(1_500), |_, _| {});
//! assert!(player.leader().is_some());
//! # Ok::<(), zabscope_sim::sim::RunError>(())
//! ```

use zabscope_ground::{base, daemon, wire};
use zabscope_recipes as recipes;
use zabscope_rivals as rivals;
use zabscope_zookeeper::{client, server, store, zab};

pub mod check;
pub mod share;
pub mod sim;
