//! Every kind of machine that can live in a world: the closed list.

use std::hash::{Hash, Hasher};

use super::host::Host;
use super::zookeeper::ZooKeeper;

/// A machine, by its kind. A [`crate::daemon::Daemon`] needs no line here: it is a [`Machine::Other`]. A kind that runs can name is
/// a [`Host`] with a variant and a line in each part of this file.
#[derive(Debug)]
pub enum Machine {
    /// A ZooKeeper server.
    ZooKeeper(Box<ZooKeeper>),
    /// A kind that no run can name (yet): of a test.
    Other(Box<dyn Host>),
}

impl Machine {
    /// What the kernel knows of it.
    pub fn host(&self) -> &dyn Host {
        match self {
            Machine::ZooKeeper(server) => &**server,
            Machine::Other(host) => &**host,
        }
    }

    pub(super) fn host_mut(&mut self) -> &mut dyn Host {
        match self {
            Machine::ZooKeeper(server) => &mut **server,
            Machine::Other(host) => &mut **host,
        }
    }
}

/// A machine of another kind is known by its text: slow, and sure.
impl Hash for Machine {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        match self {
            Machine::ZooKeeper(server) => server.hash(hasher),
            Machine::Other(host) => format!("{host:?}").hash(hasher),
        }
    }
}

impl Clone for Machine {
    fn clone(&self) -> Machine {
        match self {
            Machine::ZooKeeper(server) => Machine::ZooKeeper(server.clone()),
            Machine::Other(host) => Machine::Other(host.copy()),
        }
    }
}
