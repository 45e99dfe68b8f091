#!/bin/sh
# The AdminServer: the zxid in /commands/last_snapshot, to be set against last_processed_zxid in /commands/server_stats and those in /commands/hash.
#
# A good guess: a string with the hexadecimal number, "0x123", as `srvr` and the same interface's zabstate have it; the other two are numbers.
# Seen: the string has no 0x: "123" for snapshot.123, which is 291. That misleads: nothing in it says that it is hexadecimal, the zxids beside it are
# decimal, and who parses it with a 0x in mind (int(zxid, 0), Long.decode) gets an error for "12e" only; where no letter happens to be in it, there
# is another number and no error: 168 transactions since a snapshot that has just been written. To float() "1e3" is a number too, 1000.
# Why: the command puts Long.toHexString(zxid) into its answer, the others a long. The documentation says only that "zxid" is returned.
# Versions: ZooKeeper 3.8.0 (Debian 12, 3.8.0-11+deb12u2), kazoo 2.11.0. By the sources 3.9.5 is the same.
exec python3 "$(dirname "$0")/server.py" kazoo==2.11.0 <<'END'
import json, os, urllib.request
from kazoo.client import KazooClient
from server import Server, is_


def write(server, zxid):
    """Ends with the zxid: its client's session begins, writes, and ends."""
    client = KazooClient(server.address)
    client.start()
    client.ensure_path("/d")
    while client.set("/d", b"x").mzxid < zxid - 1:
        pass
    client.stop()
    server.stop()
    server.start()  # which writes a snapshot


with Server() as server:
    def get(command):
        with urllib.request.urlopen(f"http://127.0.0.1:{server.admin}/commands/{command}") as answer:
            return json.load(answer)

    write(server, 0x123)
    is_("srvr", [line for line in server.word("srvr").splitlines() if "Zxid" in line], ["Zxid: 0x123"])
    is_("the newest snapshot is snapshot.123", os.path.exists(f"{server.folder}/version-2/snapshot.123"), True)
    last, processed = get("last_snapshot")["zxid"], get("server_stats")["server_stats"]["last_processed_zxid"]
    is_("last_snapshot", last, "123")
    is_("server_stats", processed, 291)
    is_("hash", [it["zxid"] for it in get("hash")["digests"]], [128, 256])
    is_("transactions since, by int(_, 0) and int(_, 16)", (processed - int(last, 0), processed - int(last, 16)), (168, 0))
    write(server, 0x12e)
    is_("last_snapshot of 0x12e", get("last_snapshot")["zxid"], "12e")
    write(server, 0x1e3)
    last = get("last_snapshot")["zxid"]
    is_("last_snapshot of 0x1e3, float(_)", (last, float(last)), ("1e3", 1000.0))
END
