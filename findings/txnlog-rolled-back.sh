#!/bin/sh
# A transaction whose second operation fails, in the log as TxnLogToolkit prints it.
#
# A good guess: `multi error:...;error:...`, an error for every operation, as none was done and the client got an error for each.
# Seen: the operation before the failed one stands there as what it would have done, the same `create:` to the byte as that of a transaction that
# succeeded. Only the failed one and those behind it are errors; that the create was never done is told by them alone, further on in the line. And
# none of it is text: the create is its record's bytes, in which path, data and ACL can be read, and each error is four bytes that are no UTF-8
# (-110 and -2), while a failed request of its own is printed as `error -110`.
# Why: PrepRequestProcessor leaves each operation in the entry as it was prepared and puts errors only for the failed one and the rest; whoever
# applies the log does nothing of an entry that has an error in it. TxnLogToolkit prints the bytes of a multi's parts as if they were a string.
# Versions: ZooKeeper 3.8.0 (Debian 12, 3.8.0-11+deb12u2), kazoo 2.11.0. By the sources 3.9.5 is the same; what is to be 3.10 prints the
# parts as text (ZOOKEEPER-4607, ZOOKEEPER-4864), with the create still there as one: `create:/x,...;error:-110;error:-2`.
exec python3 "$(dirname "$0")/server.py" kazoo==2.11.0 <<'END'
import re
from kazoo.client import KazooClient
from kazoo.exceptions import NodeExistsError
from server import Server, is_

with Server() as server:
    client = KazooClient(server.address)
    client.start()
    client.create("/taken")
    failing, succeeding = client.transaction(), client.transaction()
    for path in ("/x", "/taken", "/y"):
        failing.create(path, b"data")
    is_("the failing transaction", [type(it).__name__ for it in failing.commit()], ["RolledBackError", "NodeExistsError", "RuntimeInconsistency"])
    is_("/x, /y", (client.exists("/x"), client.exists("/y")), (None, None))
    try:
        client.create("/taken")
    except NodeExistsError:
        pass
    succeeding.create("/x", b"data")
    succeeding.create("/y", b"data")
    is_("the same without the second", succeeding.commit(), ["/x", "/y"])
    client.stop()
    printed = server.tool("org.apache.zookeeper.server.persistence.TxnLogToolkit", f"{server.folder}/version-2/log.1")
    failed, single, succeeded = re.findall(r" zxid \S+ (multi .*|error .*)", printed)
    is_("the log of the failing one, its names and values", re.findall(r"create|error|/\w+|data|world|anyone", failed),
        ["create", "/x", "data", "world", "anyone", "error", "error"])
    create, error, rest = failed.removeprefix("multi ").split(";")
    is_("its create", create, "create:\0\0\0\2/x\0\0\0\4data\0\0\0\1\0\0\0\x1f\0\0\0\5world\0\0\0\6anyone\0\0\0\0\2")
    is_("its errors", (error, rest), ("error:" + "\ufffd" * 4, "error:" + "\ufffd" * 4))
    is_("the create of the one that succeeded is the same", succeeded.split(";")[0] == f"multi {create}", True)
    is_("a failed create of its own", single, "error -110")
END
