//! ZabScope: a whole ZooKeeper ensemble as deterministic state machines, and the page that shows it.
