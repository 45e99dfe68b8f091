//! Locks by hand: the naive one, the one of ZooKeeper's recipes page, the one whose waiters watch everything.
