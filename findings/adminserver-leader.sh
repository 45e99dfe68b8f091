#!/bin/sh
# The AdminServer of a standalone server that serves: GET /commands/leader
#
# A good guess: status 404 or 500, or status 200 and an answer that names no leader, with "error": null as the other commands have it.
# Seen: status 200 and the error "server is not initialized", without any other field, while the same server answers clients, and `srvr` beside
# it says "standalone" with "error": null. A monitor that reads `error` takes a sound server for one that has not come up, and one that
# reads the status sees nothing at all.
# Why: the command knows a leader's and a follower's server only; a standalone one falls into the branch meant for one that has not started.
# Versions: ZooKeeper 3.8.0 (Debian 12, 3.8.0-11+deb12u2).
exec python3 "$(dirname "$0")/server.py" <<'END'
import json, urllib.request
from server import Server, is_

with Server() as server:
    def get(command):
        with urllib.request.urlopen(f"http://127.0.0.1:{server.admin}/commands/{command}") as answer:
            return answer.status, json.load(answer)

    status, answer = get("srvr")
    is_("srvr", (status, answer["server_stats"]["server_state"], answer["error"]), (200, "standalone", None))
    is_("leader", get("leader"), (200, {"command": "leader", "error": "server is not initialized"}))
    is_("a client's write meanwhile", server.zkcli("create /served")[-1:], ["Created /served"])
END
