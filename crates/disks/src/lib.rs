//! What lies on the disks of real ZooKeeper servers.
//!
//! Takes files as bytes with names, and does no I/O of its own. Everything that can be checked in them is: the checksum of each record, the
//! seals of each snapshot, the digest of the tree after each transaction.
//!
//! - [`content`], [`archive`]: files, also those in archives.
//! - [`record`], [`log`], [`snapshot`], [`config`]: the formats of ZooKeeper 3.4 to 3.10.
//! - [`logs`]: what servers' own logs tell, and what happened by all of them.
//! - [`image`]: the znodes and sessions that they add up to.
//! - [`disk`]: which files belong to which server, and what it loads when it starts.
//! - [`matrix`]: which transactions are where, and where two trees part.
//! - [`start`]: what happens when servers are started on them: the simulation does it.
//! - [`verdict`]: what each choice of servers to start comes to, and what is lost by it.
//! - [`examined`]: disks that are loaded, and may be asked.
//! - [`report`]: all of that in one value.
//! - [`export`]: a simulated server's disk as the files of a real one.
//! - [`trouble`]: what is wrong with a file, and at which byte.

pub mod archive;
pub mod config;
pub mod content;
pub mod disk;
pub mod examined;
pub mod export;
pub mod image;
mod in_words;
mod jute;
pub mod load;
pub mod log;
pub mod logs;
pub mod matrix;
pub mod record;
pub mod report;
pub mod snapshot;
pub mod start;
pub mod trouble;
pub mod verdict;

#[cfg(test)]
mod tests;
