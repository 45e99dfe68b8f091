#!/bin/sh
# A container's and a TTL znode's ephemeralOwner: which tool shows it?
#
# A good guess: every client shows what is stored, 0x8000000000000000 of a container and 0xff00000000000000 + the TTL of a TTL znode
# (of which a client that reads a signed number shows -9223372036854775808 and a negative one), so that a Stat tells the kind.
# Seen: 0 by every client, zkCli's `stat` and kazoo's exists() alike. No client can tell a container or a TTL znode from a plain one, nor read
# a TTL back. The snapshot holds the two numbers, and SnapshotFormatter prints them.
# Why: the server copies a Stat for an answer (DataNode.copyStat) with the owner only where EphemeralType is NORMAL, 0 for the others; only
# the field that is written to disk marks the kind.
# Versions: ZooKeeper 3.8.0 (Debian 12, 3.8.0-11+deb12u2) with zookeeper.extendedTypesEnabled=true, kazoo 2.11.0.
exec python3 "$(dirname "$0")/server.py" kazoo==2.11.0 <<'END'
import glob, re
from kazoo.client import KazooClient
from server import Server, is_

with Server(properties=["zookeeper.extendedTypesEnabled=true"]) as server:
    text = server.zkcli("create -c /container x", "create -t 100000 /ttl x", "create /plain x", "create -e /ephemeral x",
                        *[f"stat /{name}" for name in ("container", "ttl", "plain", "ephemeral")])
    created, owners = [line for line in text if "Created" in line], [line for line in text if "ephemeralOwner" in line]
    is_("zkCli creates", created, ["Created /container", "Created /ttl", "Created /plain", "Created /ephemeral"])
    is_("zkCli's stat of container, TTL, plain", owners[:3], ["ephemeralOwner = 0x0"] * 3)
    is_("of an ephemeral one it is 0x0", owners[3] == "ephemeralOwner = 0x0", False)
    client = KazooClient(server.address)
    client.start()
    is_("kazoo's exists()", [client.exists(path).ephemeralOwner for path in ("/container", "/ttl", "/plain")], [0, 0, 0])
    client.stop()
    server.stop()
    server.start()  # which writes a snapshot
    snapshot = max(glob.glob(f"{server.folder}/version-2/snapshot.*"), key=lambda path: int(path.rsplit(".", 1)[1], 16))
    printed = server.tool("org.apache.zookeeper.server.SnapshotFormatter", snapshot)
    stored = dict(re.findall(r"^/(container|ttl|plain)$.*?ephemeralOwner = (\w+)$", printed, re.M | re.S))
    is_("SnapshotFormatter", stored, {"container": "0x8000000000000000", "ttl": "0xff000000000186a0", "plain": "0x00000000000000"})
END
