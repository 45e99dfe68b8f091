"""What a real client sees of a simulated ensemble: kazoo, from PyPI, as its users have it."""

import json
import os
import random
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import unittest

from kazoo.client import KazooClient, KazooState
from kazoo.exceptions import BadVersionError, NoAuthError, NodeExistsError, NoNodeError, RolledBackError
from kazoo.exceptions import RuntimeInconsistency
from kazoo.recipe.lock import Lock
from kazoo.security import make_digest_acl

from ensemble import BINARY, PATIENCE_S, Ensemble


DIES = """
import os, sys
from kazoo.client import KazooClient
client = KazooClient(sys.argv[1])
client.start()
client.create("/e", ephemeral=True)
print(client.client_id[0], client.client_id[1].hex(), flush=True)
os._exit(0)
"""


def until(true, what, seconds=PATIENCE_S):
    end = time.monotonic() + seconds
    while not true():
        if time.monotonic() > end:
            raise AssertionError(f"{what} did not come to be within {seconds} s")
        time.sleep(0.02)


class Stories(unittest.TestCase):
    def setUp(self):
        self.clients = []

    def tearDown(self):
        for client in self.clients:
            client.stop()
            client.close()

    def client(self, hosts, timeout=10, **more):
        client = KazooClient(hosts=hosts, timeout=timeout, **more)
        client.states = []
        client.add_listener(client.states.append)
        self.clients.append(client)
        client.start(timeout=PATIENCE_S)
        return client

    def over(self, ensemble):
        """Ends clients and ensemble: no property was violated."""
        for client in self.clients:
            client.stop()
        code = ensemble.end()
        self.assertEqual((code, ensemble.summary["violations"]), (0, 0), ensemble.said)

    def test_it_works(self):
        with Ensemble() as ensemble:
            one, two = self.client(ensemble.hosts(1)), self.client(ensemble.hosts(2, 3))
            self.assertEqual(one.create("/a", b"\x00\xff"), "/a")
            two.sync("/a")
            data, stat = two.get("/a")
            self.assertEqual((data, stat.version, stat.data_length), (b"\x00\xff", 0, 2))
            self.assertEqual(two.set("/a", b"x", version=0).version, 1)
            with self.assertRaises(BadVersionError):
                one.set("/a", b"y", version=0)
            with self.assertRaises(NodeExistsError):
                one.create("/a")
            with self.assertRaises(NoNodeError):
                one.get("/b")
            self.assertIsNone(one.exists("/b"))
            names = [one.create("/a/n-", ephemeral=True, sequence=True) for _ in range(2)]
            self.assertEqual(names, ["/a/n-0000000000", "/a/n-0000000001"])
            path, stat = one.create("/a/s", b"z", include_data=True)
            self.assertEqual((path, stat.ephemeralOwner), ("/a/s", 0))
            two.sync("/a")
            children, stat = two.get_children("/a", include_data=True)
            self.assertEqual((sorted(children), stat.numChildren), (["n-0000000000", "n-0000000001", "s"], 3))
            self.assertEqual(two.exists(names[0]).ephemeralOwner, one.client_id[0])
            done = one.transaction()
            done.check("/a", version=1)
            done.create("/a/t", b"t")
            done.set_data("/a/t", b"u")
            done.delete("/a/s")
            path, stat = [result for result in done.commit() if result is not True]
            self.assertEqual((path, stat.version), ("/a/t", 1))
            failed = one.transaction()
            failed.create("/a/v")
            failed.delete("/none")
            failed.create("/a/w")
            results = [type(result) for result in failed.commit()]
            self.assertEqual(results, [RolledBackError, NoNodeError, RuntimeInconsistency])
            self.assertIsNone(one.exists("/a/v"))
            self.over(ensemble)

    def test_watches_and_permissions(self):
        with Ensemble() as ensemble:
            one, two = self.client(ensemble.hosts(1)), self.client(ensemble.hosts(2))
            events = []
            self.assertIsNone(one.exists("/w", watch=events.append))
            two.create("/w")
            until(lambda: events, "an event")
            one.get("/w", watch=events.append)
            one.get_children("/w", watch=events.append)
            two.set("/w", b"1")
            two.create("/w/x")
            until(lambda: len(events) == 3, "both events")
            kinds = [(event.type, event.path) for event in events]
            self.assertEqual(kinds, [("CREATED", "/w"), ("CHANGED", "/w"), ("CHILD", "/w")])
            secret = make_digest_acl("user", "pass", all=True)
            two.add_auth("digest", "user:pass")
            two.create("/s", b"s", acl=[secret])
            one.sync("/s")
            with self.assertRaises(NoAuthError):
                one.get("/s")
            one.add_auth("digest", "user:pass")
            self.assertEqual(one.get("/s")[0], b"s")
            acl, _ = one.get_acls("/s")
            self.assertEqual(acl, [secret])
            self.over(ensemble)

    def test_it_loses_the_leader(self):
        with Ensemble() as ensemble:
            leader = ensemble.leader()
            others = [server for server in ensemble.ports if server != leader]
            # kazoo tries the servers in the order written
            client = self.client(ensemble.hosts(leader, *others), randomize_hosts=False)
            session = client.client_id
            client.create("/e", ephemeral=True)
            mark = ensemble.mark()
            ensemble.act("crash", server=leader)
            until(lambda: KazooState.SUSPENDED in client.states, "the loss of its connection")
            ensemble.fact(since=mark, kind="established")
            until(lambda: client.connected, "another connection")
            self.assertEqual(client.client_id, session)
            self.assertNotIn(KazooState.LOST, client.states)
            self.assertEqual(client.retry(client.exists, "/e").ephemeralOwner, session[0])
            client.retry(client.create, "/after")
            with self.assertRaises(OSError):
                socket.create_connection(("127.0.0.1", ensemble.ports[leader]), 5)
            ensemble.act("restart", server=leader)
            back = self.client(ensemble.hosts(leader))
            until(lambda: back.exists("/after"), "what happened without it")
            self.over(ensemble)

    def test_its_session_expires(self):
        with Ensemble() as ensemble:
            first, other = self.client(ensemble.hosts(1), timeout=4), self.client(ensemble.hosts(2), timeout=10)
            first.create("/e", ephemeral=True)
            gone = threading.Event()
            other.sync("/e")
            self.assertIsNotNone(other.exists("/e", watch=lambda event: gone.set()))
            session = f"0x{first.client_id[0]:x}"
            number = ensemble.fact(kind="client_connected", session=session)["client"]
            ensemble.act("pause_client", client=number)
            ensemble.fact(kind="session_expired", session=session)
            self.assertTrue(gone.wait(PATIENCE_S))
            ensemble.act("resume_client", client=number)
            until(lambda: KazooState.LOST in first.states, "the news that its session is over")
            until(lambda: first.connected, "a new session")
            self.assertNotEqual(f"0x{first.client_id[0]:x}", session)
            self.over(ensemble)

    def test_another_process_takes_up_its_session(self):
        with Ensemble() as ensemble:
            # a process that dies with an ephemeral of its own
            first = [sys.executable, "-c", DIES, ensemble.hosts(1)]
            number, password = subprocess.run(first, capture_output=True, text=True, check=True).stdout.split()
            session = int(number), bytes.fromhex(password)
            second = self.client(ensemble.hosts(2), client_id=session)
            self.assertEqual(second.client_id, session)
            second.sync("/e")
            self.assertEqual(second.exists("/e").ephemeralOwner, session[0])
            false = (session[0], b"\x01" * 16)
            third = self.client(ensemble.hosts(3), client_id=false)
            self.assertNotEqual(third.client_id[0], session[0])
            second.stop()
            until(lambda: not third.exists("/e"), "the end of its ephemeral")
            self.over(ensemble)

    def test_a_lock_survives_the_leader(self):
        with Ensemble("--seed", "9") as ensemble:
            clients = [self.client(ensemble.hosts()) for _ in range(3)]
            held, most, turns = [], [], []

            def work(client, name):
                lock = Lock(client, "/lock", name)
                for _ in range(3):
                    with lock:
                        held.append(name)
                        most.append(len(held))
                        time.sleep(0.05)
                        held.remove(name)
                        turns.append(name)

            threads = [threading.Thread(target=work, args=(one, str(n))) for n, one in enumerate(clients)]
            for thread in threads:
                thread.start()
            until(lambda: turns, "the first turn")
            ensemble.act("crash", server=ensemble.leader())
            for thread in threads:
                thread.join(PATIENCE_S)
            self.assertEqual((len(turns), max(most)), (9, 1))
            self.over(ensemble)

    def test_the_run_is_played_again_without_the_program(self):
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "run.json")
            with Ensemble("--write", file, "--seed", "3") as ensemble:
                client = self.client(ensemble.hosts())
                client.create("/a", b"1", ephemeral=True)
                ensemble.act("crash", server=ensemble.leader())
                until(lambda: KazooState.SUSPENDED in client.states or client.retry(client.exists, "/a"), "news")
                client.retry(client.set, "/a", b"2")
                client.get_children("/", watch=lambda event: None)
                client.add_auth("digest", "a:b")
                client.transaction().commit()
                self.over(ensemble)
                until_ms = str(ensemble.summary["time_ms"])
            played = subprocess.run(
                [BINARY, "run", file, "--until", until_ms, "--facts"], capture_output=True, text=True, check=True
            )
            facts = played.stdout.splitlines()
            self.assertEqual(json.loads(facts[-1]), ensemble.summary)
            self.assertEqual([json.loads(fact) for fact in facts[:-1]], ensemble.facts)

    def test_hostile_bytes_harm_nobody_else(self):
        with Ensemble() as ensemble:
            client = self.client(ensemble.hosts(1))
            draw = random.Random(50)
            frame = lambda body: struct.pack("!i", len(body)) + body
            connect = frame(struct.pack("!iqiqi16s?", 0, 0, 10000, 0, 16, b"\0" * 16, False))
            hostile = [
                b"GET / HTTP/1.1\r\n\r\n",
                struct.pack("!i", -1),
                struct.pack("!i", 0x100000),
                frame(b""),
                connect + frame(b"\0\0"),
                connect + frame(struct.pack("!ii", 1, 4) + struct.pack("!i", 0x7FFFFFFF)),
                connect + frame(struct.pack("!ii", 1, 13) + struct.pack("!i2si", 2, b"/a", 0)),
                connect + frame(struct.pack("!ii", 1, 12345)),
                connect + frame(struct.pack("!iii", 1, 100, 0) + frame(b"nobody") + frame(b"x")),
            ] + [connect[:40] + draw.randbytes(30) for _ in range(20)]
            for number, data in enumerate(hostile):
                with socket.create_connection(("127.0.0.1", ensemble.ports[1 + number % 3]), PATIENCE_S) as guest:
                    guest.settimeout(PATIENCE_S)
                    guest.sendall(data)
                    if number < 9:
                        try:
                            while guest.recv(4096):
                                pass
                        except ConnectionResetError:
                            pass
            self.assertEqual(client.create("/fine"), "/fine")
            self.assertEqual(client.states, [KazooState.CONNECTED])
            self.over(ensemble)

    def test_four_letter_words(self):
        with Ensemble() as ensemble:

            def say(server, word):
                with socket.create_connection(("127.0.0.1", ensemble.ports[server]), PATIENCE_S) as guest:
                    guest.sendall(word)
                    answer = b""
                    while more := guest.recv(4096):
                        answer += more
                    return answer.decode()

            leader = ensemble.leader()
            self.assertEqual(say(1, b"ruok"), "imok")
            self.assertIn("Mode: leader\n", say(leader, b"srvr\n"))
            self.assertIn("zk_server_state\tleader\n", say(leader, b"mntr"))
            # as programs read it, aiozk and kazoo among them
            self.assertRegex(say(1, b"srvr"), r"\AZookeeper version: 3\.9\.5-\w+, ")
            self.assertRegex(say(1, b"envi"), r"\nzookeeper\.version=3\.9\.5-\w+, ")
            self.assertEqual(say(1, b"nope"), "")
            connections = lambda: int(say(1, b"srvr").split("Connections: ")[1].split()[0])
            before = connections()
            self.client(ensemble.hosts(1))
            self.assertEqual(connections(), before + 1)
            self.over(ensemble)


if __name__ == "__main__":
    unittest.main()
