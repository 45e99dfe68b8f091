#!/bin/sh
# tooz with ZooKeeper: get_leader() of a group that was joined with join_partitioned_group() and has no leader. "Even when not being part of the
# group", says its tutorial, one may ask.
#
# A good guess: the question leaves a znode `leader` behind that looks like a member; the next run_watchers() raises SerializationError over it,
# once. After that it goes on: [] if nothing happened, and a member that stops leaves the hash ring.
# Seen: every run_watchers() of those who have a partitioner raises from then on. A member that stops stays in the ring, and objects stay assigned
# to it. Whoever joins gets the error instead of a partitioner, though it is in the group. It lasts until somebody deletes the znode, which tooz
# never does; then all that was missed comes at once. A member that runs for leader in its own partitioned group has the same from its second
# run_watchers() on.
# Why: the driver's leader lock is at /tooz/GROUP/leader, among the members, and kazoo's contenders() and acquire() create that znode, empty.
# run_watchers() calls the join hook for it, Partitioner's reads its capabilities, and msgpack has nothing to unpack. The list of known members
# is stored only behind all the hooks, so `leader` is new each time, and joins come before leaves, which are not reached, and nor is the election.
# Versions: tooz 9.1.0 (PyPI; nothing newer on 2026-11-29), kazoo 2.11.0, ZooKeeper 3.8.0 (Debian 12, 3.8.0-11+deb12u2).
exec python3 "$(dirname "$0")/server.py" tooz==9.1.0 kazoo==2.11.0 <<'END'
from kazoo.client import KazooClient
from server import Server, is_
from tooz.coordination import get_coordinator


def outcome(call, *arguments):
    try:
        return call(*arguments)
    except Exception as error:
        return type(error).__name__


def start(server, name):
    coordinator = get_coordinator(f"zookeeper://{server.address}", name)
    coordinator.start()
    return coordinator


with Server() as server:
    one, two, three, four, asking = started = [start(server, name) for name in (b"p1", b"p2", b"p3", b"p4", b"asking")]
    client = KazooClient(server.address)
    client.start()
    partitioner, _ = one.join_partitioned_group(b"g"), two.join_partitioned_group(b"g")
    of_two = "object 1"
    is_("run_watchers", one.run_watchers(), [None])
    is_("the ring", (sorted(partitioner.ring.nodes), partitioner.members_for_object(of_two)), ([b"p1", b"p2"], {b"p2"}))
    is_("get_leader by somebody else", asking.get_leader(b"g").get(), None)
    is_("get_members", sorted(asking.get_members(b"g").get()), [b"leader", b"p1", b"p2"])
    is_("the data of its znode", client.get("/tooz/g/leader")[0], b"")
    is_("run_watchers of both, three times", [outcome(it.run_watchers) for it in (one, two) * 3], ["SerializationError"] * 6)
    two.stop()
    is_("p2 has stopped: get_members", sorted(asking.get_members(b"g").get()), [b"leader", b"p1"])
    is_("run_watchers three times", [outcome(one.run_watchers) for _ in range(3)], ["SerializationError"] * 3)
    is_("the ring", (sorted(partitioner.ring.nodes), partitioner.members_for_object(of_two)), ([b"p1", b"p2"], {b"p2"}))
    is_("p3 joins", outcome(three.join_partitioned_group, b"g"), "SerializationError")
    is_("get_members", sorted(asking.get_members(b"g").get()), [b"leader", b"p1", b"p3"])
    client.delete("/tooz/g/leader")
    is_("without the znode: run_watchers", one.run_watchers(), [None, None])
    is_("the ring", sorted(partitioner.ring.nodes), [b"p1", b"p3"])
    elected = []
    four.join_partitioned_group(b"own")
    four.watch_elected_as_leader(b"own", lambda event: elected.append(event.member_id))
    is_("a candidate's first run_watchers", (four.run_watchers(), elected), ([], [b"p4"]))
    is_("its second and third", [outcome(four.run_watchers) for _ in range(2)], ["SerializationError"] * 2)
    for coordinator in started:
        if coordinator is not two:
            coordinator.stop()
    client.stop()
END
