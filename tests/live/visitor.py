"""A program for the page's test: it works, waits for a line, and works on with the session that it has."""

import sys

from kazoo.client import KazooClient

client = KazooClient(hosts=sys.argv[1], timeout=10)
states = []
client.add_listener(lambda state: states.append(str(state)))
client.start(timeout=40)
session = client.client_id[0]
client.create("/from-outside", b"hello", ephemeral=True)
print("created", flush=True)
for line in sys.stdin:
    client.retry(client.set, "/from-outside", line.strip().encode())
    data, stat = client.retry(client.get, "/from-outside")
    print(data.decode(), stat.version, client.client_id[0] == session, ",".join(states), flush=True)
client.stop()
