"""What clients of other makers see of a simulated ensemble: one story, told of each. `scripts/clients` runs it.

A visitor is a program with such a client (`Visitor.java`, `visitor.js`, `aio.py`): `PROGRAM HOSTS TIMEOUT_MS`. It does what lines of its stdin say, and answers each with
`ok …` or `failed WHY`; without being asked it says `state connected|lost|expired` and `event created|deleted|changed|child PATH`:

    create|ephemeral PATH DATA      ok PATH          children PATH                     ok NAMES, sorted
    sequence PATH DATA              ok PATH          delete PATH                       ok
    set PATH DATA [VERSION]         ok VERSION       watch exists|data|children PATH   ok
    get PATH                        ok DATA VERSION  session                           ok 0xID
    close                           ok, and it ends  anew                              ok: a session behind the one that expired
"""

import os
import re
import subprocess
import sys
import threading
import time
import unittest
from contextlib import contextmanager
from pathlib import Path

from kazoo.client import KazooClient

from ensemble import PATIENCE_S, Ensemble

HERE = Path(__file__).parent
INSTALLED = Path(os.environ["CLIENTS"])  # what scripts/clients puts there
JARS = "zookeeper curator-client curator-framework curator-recipes guava failureaccess slf4j-api slf4j-nop".split()
JAVA = "java -Xmx96m -Xshare:auto -XX:+UseSerialGC -XX:TieredStopAtLevel=1".split()
TIMEOUT_MS, SHORT_MS = 10_000, 4_000


class Refused(Exception):
    """The answer was `failed`."""


class Visitor:
    """A program with a client of somebody else's."""

    knows_its_session = True
    stderr = subprocess.PIPE

    def __init__(self, hosts, timeout_ms):
        self.said, self.answers, self.news = [], [], threading.Condition()
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": self.stderr}
        env = os.environ | self.environment()
        self.process = subprocess.Popen(self.command(hosts, timeout_ms), text=True, bufsize=1, env=env, **pipes)
        self.errors = []
        for read in (self.read, self.read_errors):
            threading.Thread(target=read, daemon=True).start()

    def environment(self):
        return {}

    def read(self):
        for line in self.process.stdout:
            self.heard(line.strip())

    def read_errors(self):
        self.errors.extend(self.process.stderr or [])

    def heard(self, line):
        with self.news:
            (self.said if line.startswith(("state ", "event ")) else self.answers).append(line)
            self.news.notify_all()

    def wait(self, found, what):
        end = time.monotonic() + PATIENCE_S
        with self.news:
            while True:
                result = found()
                if result:
                    return result
                if time.monotonic() > end:
                    raise AssertionError(f"{what} did not come within {PATIENCE_S} s; {self.said} {self.answers} {''.join(self.errors[-20:])}")
                self.news.wait(0.5)

    def ask(self, *words):
        """Says a line; the words of the answer."""
        line = " ".join(words)
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        self.wait(lambda: self.answers, f"an answer to '{line}'")
        verdict, *rest = self.answers.pop(0).split(" ")
        if verdict != "ok":
            raise Refused(" ".join(rest))
        return rest

    def insist(self, *words):
        """The same, again where the connection was lost."""
        end = time.monotonic() + PATIENCE_S
        while True:
            try:
                return self.ask(*words)
            except Refused as refused:
                if str(refused) != "ConnectionLoss" or time.monotonic() > end:
                    raise
                time.sleep(0.2)

    def mark(self):
        """Where `until` and `has_said` may begin to look."""
        return len(self.said)

    def has_said(self, line, since=0):
        return line in self.said[since:]

    def until(self, line, since=0):
        self.wait(lambda: self.has_said(line, since), f"'{line}'")

    def close(self):
        self.ask("close")
        code = self.process.wait(PATIENCE_S)
        assert code == 0, f"exit code {code}: {''.join(self.errors[-20:])}"

    def kill(self):
        self.process.kill()
        self.process.wait()


class Plain(Visitor):
    kind = "plain"

    def command(self, hosts, timeout_ms):
        path = ":".join([str(INSTALLED / "classes"), *(f"/usr/share/java/{jar}.jar" for jar in JARS)])
        return [*JAVA, "-cp", path, "Visitor", self.kind, hosts, str(timeout_ms)]


class Curated(Plain):
    kind = "curator"


class Node(Visitor):
    def command(self, hosts, timeout_ms):
        return ["node", str(HERE / "visitor.js"), hosts, str(timeout_ms)]

    def environment(self):
        return {"NODE_PATH": str(INSTALLED / "node/node_modules")}


class Aio(Visitor):
    def command(self, hosts, timeout_ms):
        return [str(INSTALLED / "python/bin/python"), "-B", str(HERE / "aio.py"), hosts, str(timeout_ms)]


class ZkCli(Visitor):
    """zkCli.sh, as somebody types into it: what is asked becomes its commands, and what it prints becomes answers."""

    knows_its_session = False
    stderr = subprocess.STDOUT  # it says there what was created, and what was not
    PROMPT = re.compile(r"\[zk: [^\s(]*\((\w+)\) \d+\] ")
    EVENT = re.compile(r"WatchedEvent state:(\w+) type:(\w+) path:(\S+)")
    STATES = {"SyncConnected": "connected", "Disconnected": "lost", "Expired": "expired"}
    TYPES = {"NodeCreated": "created", "NodeDeleted": "deleted", "NodeDataChanged": "changed", "NodeChildrenChanged": "child"}
    FAILURES = {
        "Node already exists": "NodeExists",
        "Node does not exist": "NoNode",
        "version No is not valid": "BadVersion",
        "ConnectionLoss": "ConnectionLoss",
        "Session expired": "SessionExpired",
    }

    def command(self, hosts, timeout_ms):
        return [str(INSTALLED / "zookeeper/usr/share/zookeeper/bin/zkCli.sh"), "-server", hosts, "-timeout", str(timeout_ms)]

    def environment(self):
        return {"JVMFLAGS": f"{' '.join(JAVA[1:])} -Djline.terminal=none", "TERM": "dumb", "LC_ALL": "C.UTF-8"}

    def read(self):
        """It prints no line's end behind its prompt, so what comes is looked at as it comes."""
        self.text, told = "", 0
        while data := os.read(self.process.stdout.fileno(), 65536):
            with self.news:
                self.text += data.decode()
                events = self.EVENT.findall(self.text)
                for state, type, path in events[told:]:
                    if type in self.TYPES:
                        self.said.append(f"event {self.TYPES[type]} {path}")
                    elif state in self.STATES:
                        self.said.append(f"state {self.STATES[state]}")
                told = len(events)
                self.news.notify_all()

    def type(self, line):
        """What it prints before the next prompt."""
        self.wait(lambda: self.PROMPT.search(self.text), "its prompt")
        prompts = lambda: len(self.PROMPT.findall(self.text))
        with self.news:
            before, begin = prompts(), len(self.text)
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        self.wait(lambda: prompts() > before, f"an answer to '{line}'")
        text = self.text[begin:]
        for sentence, name in self.FAILURES.items():
            if sentence in text:
                raise Refused(name)
        return text

    def ask(self, *words):
        match words:
            case ["create" | "ephemeral" | "sequence" as what, path, data]:
                flags = {"create": "", "ephemeral": "-e ", "sequence": "-e -s "}[what]
                return re.findall(r"Created (\S+)", self.type(f"create {flags}{path} {data}"))
            case ["set", path, data, *version]:
                text = self.type(f"set -s {f'-v {version[0]} ' if version else ''}{path} {data}")
                return re.findall(r"dataVersion = (\d+)", text)
            case ["get", path]:
                text = self.type(f"get -s {path}")
                data = re.search(r"^(.*)\ncZxid", text, re.M)[1]
                return [data, *re.findall(r"dataVersion = (\d+)", text)]
            case ["children", path]:
                return sorted(re.search(r"^\[(.*)\]$", self.type(f"ls {path}"), re.M)[1].split(", "))
            case ["delete", path]:
                self.type(f"delete {path}")
            case ["watch", "exists", path]:
                try:
                    self.type(f"stat -w {path}")
                except Refused as refused:  # so it says that there is none, and the watch is set
                    if str(refused) != "NoNode":
                        raise
            case ["watch", what, path]:
                self.type(f"{'get' if what == 'data' else 'ls'} -w {path}")
            case ["anew"]:
                self.type("connect")
            case ["close"]:
                self.process.stdin.write("quit\n")
                self.process.stdin.flush()
            case _:
                raise AssertionError(words)
        return []


class Story:
    """The story; `visitor` says of whom."""

    def setUp(self):
        self.visitors, self.observers = [], []

    def tearDown(self):
        for visitor in self.visitors:
            visitor.kill()
        for observer in self.observers:
            observer.stop()
            observer.close()

    def visit(self, ensemble, timeout_ms=TIMEOUT_MS):
        """A visitor that is connected; the fact that says so."""
        mark = ensemble.mark()
        visitor = self.visitor(ensemble.hosts(), timeout_ms)
        self.visitors.append(visitor)
        visitor.until("state connected")
        return visitor, ensemble.fact(since=mark, kind="client_connected")

    def observe(self, ensemble):
        """Somebody who looks at what a visitor does, and does things to its nodes: kazoo."""
        observer = KazooClient(hosts=ensemble.hosts(), timeout=TIMEOUT_MS / 1_000)
        self.observers.append(observer)
        observer.start(timeout=PATIENCE_S)
        return observer

    @contextmanager
    def refused(self, why):
        with self.assertRaises(Refused) as caught:
            yield
        self.assertEqual(str(caught.exception), why)

    def until(self, true, what):
        end = time.monotonic() + PATIENCE_S
        while not true():
            self.assertLess(time.monotonic(), end, f"{what} did not come to be")
            time.sleep(0.02)

    def over(self, ensemble):
        """Ends everything: no property was violated."""
        for observer in self.observers:
            observer.stop()
        code = ensemble.end()
        self.assertEqual((code, ensemble.summary["violations"]), (0, 0), ensemble.said)

    def test_it_works_and_sees_watches(self):
        with Ensemble() as ensemble:
            visitor, fact = self.visit(ensemble)
            observer = self.observe(ensemble)
            self.assertEqual(visitor.ask("create", "/w", "hello"), ["/w"])
            observer.sync("/")
            data, stat = observer.get("/w")
            self.assertEqual((data, stat.version, stat.ephemeralOwner), (b"hello", 0, 0))
            self.assertEqual(visitor.ask("get", "/w"), ["hello", "0"])
            with self.refused("NodeExists"):
                visitor.ask("create", "/w", "again")
            with self.refused("NoNode"):
                visitor.ask("get", "/none")
            self.assertEqual(visitor.ask("set", "/w", "world", "0"), ["1"])
            with self.refused("BadVersion"):
                visitor.ask("set", "/w", "late", "0")
            names = [visitor.ask("sequence", "/w/n-", "x") for _ in range(2)]
            self.assertEqual(names, [["/w/n-0000000000"], ["/w/n-0000000001"]])
            self.assertEqual(visitor.ask("children", "/w"), ["n-0000000000", "n-0000000001"])
            observer.sync("/")
            self.assertEqual(f"0x{observer.exists(names[0][0]).ephemeralOwner:x}", fact["session"])
            if visitor.knows_its_session:
                self.assertEqual(visitor.ask("session"), [fact["session"]])

            watched = [
                (("exists", "/x"), lambda: observer.create("/x"), "event created /x"),
                (("data", "/w"), lambda: observer.set("/w", b"!"), "event changed /w"),
                (("children", "/w"), lambda: observer.create("/w/x"), "event child /w"),
                (("data", "/x"), lambda: observer.delete("/x"), "event deleted /x"),
            ]
            for watch, happens, event in watched:
                mark = visitor.mark()
                visitor.ask("watch", *watch)
                self.assertFalse(visitor.has_said(event, mark))
                happens()
                visitor.until(event, mark)
            self.assertEqual(visitor.ask("get", "/w"), ["!", "2"])
            visitor.ask("delete", names[1][0])
            self.assertEqual(visitor.ask("children", "/w"), ["n-0000000000", "x"])
            mark = ensemble.mark()
            visitor.close()
            closed = ensemble.fact(since=mark, kind="session_closed", session=fact["session"])
            self.assertIsNotNone(closed)
            self.until(lambda: not observer.exists(names[0][0]), "the end of its ephemeral")
            self.over(ensemble)

    def test_it_loses_the_leader(self):
        with Ensemble() as ensemble:
            visitor, fact = self.visit(ensemble)
            observer = self.observe(ensemble)
            visitor.ask("create", "/w", "hello")
            visitor.ask("ephemeral", "/e", "mine")
            visitor.ask("watch", "data", "/w")
            mark, since, leader = ensemble.mark(), visitor.mark(), ensemble.leader()
            ensemble.act("crash", server=leader)
            visitor.until("state lost", since)
            ensemble.fact(since=mark, kind="established")
            visitor.until("state connected", since)
            # with the session that it had
            self.assertEqual(ensemble.fact(since=mark, kind="client_connected", client=fact["client"])["session"], fact["session"])
            self.assertFalse(visitor.has_said("state expired"))
            self.assertEqual(f"0x{observer.retry(observer.exists, '/e').ephemeralOwner:x}", fact["session"])
            observer.retry(observer.set, "/w", b"world")
            visitor.until("event changed /w", since)
            self.assertEqual(visitor.insist("set", "/e", "still")[-1:], ["1"])
            self.assertEqual(visitor.insist("get", "/w"), ["world", "1"])
            ensemble.act("restart", server=leader)
            visitor.close()
            self.until(lambda: not observer.retry(observer.exists, "/e"), "the end of its ephemeral")
            self.over(ensemble)

    def test_its_session_expires(self):
        with Ensemble() as ensemble:
            visitor, fact = self.visit(ensemble, SHORT_MS)
            observer = self.observe(ensemble)
            visitor.ask("ephemeral", "/e", "mine")
            gone = threading.Event()
            observer.sync("/")
            self.assertIsNotNone(observer.exists("/e", watch=lambda event: gone.set()))
            mark, since = ensemble.mark(), visitor.mark()
            ensemble.act("pause_client", client=fact["client"])
            ensemble.fact(since=mark, kind="session_expired", session=fact["session"])
            self.assertTrue(gone.wait(PATIENCE_S), "the observer was not told that the ephemeral is gone")
            ensemble.act("resume_client", client=fact["client"])
            visitor.until("state expired", since)
            since = visitor.mark()
            visitor.ask("anew")
            self.until(lambda: visitor.said and visitor.said[-1] == "state connected", "a new session")
            self.assertEqual(visitor.insist("ephemeral", "/e", "anew"), ["/e"])
            observer.sync("/")
            owner = observer.exists("/e").ephemeralOwner
            self.assertNotEqual(f"0x{owner:x}", fact["session"])
            ensemble.fact(since=mark, kind="client_connected", session=f"0x{owner:x}")
            visitor.close()
            self.until(lambda: not observer.exists("/e"), "the end of its ephemeral")
            self.over(ensemble)


class JavaTest(Story, unittest.TestCase):
    visitor = Plain


class ZkCliTest(Story, unittest.TestCase):
    visitor = ZkCli


class NodeTest(Story, unittest.TestCase):
    visitor = Node


class AioTest(Story, unittest.TestCase):
    visitor = Aio


class CuratorTest(Story, unittest.TestCase):
    visitor = Curated

    def three(self, ensemble):
        """Three of them, and the client of the run that each is."""
        visits = [self.visit(ensemble, SHORT_MS) for _ in range(3)]
        return {visitor: fact["client"] for visitor, fact in visits}

    def first_of(self, visitors, line, marks):
        """Who says this first behind its mark."""
        says = lambda: [visitor for visitor in visitors if visitor.has_said(line, marks[visitor])]
        self.until(says, f"'{line}' of anybody")
        return says()[0]

    def test_a_mutex_under_a_crash_and_a_pause(self):
        with Ensemble() as ensemble:
            visitors = self.three(ensemble)
            zero = dict.fromkeys(visitors, 0)
            for visitor in visitors:
                visitor.ask("lock", "/lock")
            holder = self.first_of(visitors, "event locked /lock", zero)
            others = [visitor for visitor in visitors if visitor is not holder]
            mark, since = ensemble.mark(), holder.mark()
            ensemble.act("crash", server=ensemble.leader())
            ensemble.fact(since=mark, kind="established")
            holder.until("state connected", since)
            time.sleep(1)
            self.assertFalse(any(visitor.has_said("event locked /lock") for visitor in others), "two have the lock")
            since = holder.mark()
            ensemble.act("pause_client", client=visitors[holder])
            second = self.first_of(others, "event locked /lock", zero)  # when the session has expired
            third = next(visitor for visitor in others if visitor is not second)
            self.assertFalse(third.has_said("event locked /lock"))
            ensemble.act("resume_client", client=visitors[holder])
            holder.until("state expired", since)
            second.ask("unlock", "/lock")
            third.until("event locked /lock")
            third.ask("unlock", "/lock")
            for visitor in visitors:
                visitor.close()
            self.over(ensemble)

    def leads_in_turn(self, recipe):
        """One leads; when it is paused, another one, and the first hears of it."""
        with Ensemble() as ensemble:
            visitors = self.three(ensemble)
            zero = dict.fromkeys(visitors, 0)
            for visitor in visitors:
                visitor.ask(recipe, "/leader")
            first = self.first_of(visitors, "event leads /leader", zero)
            time.sleep(1)
            self.assertEqual([visitor for visitor in visitors if visitor.has_said("event leads /leader")], [first])
            since = first.mark()
            ensemble.act("pause_client", client=visitors[first])
            second = self.first_of([visitor for visitor in visitors if visitor is not first], "event leads /leader", zero)
            ensemble.act("resume_client", client=visitors[first])
            first.until("event follows /leader", since)
            self.assertFalse(second.has_said("event follows /leader"))
            marks = {visitor: visitor.mark() for visitor in visitors}
            if recipe == "select":
                second.ask("resign", "/leader")
            else:
                second.close()
            next_one = self.first_of([visitor for visitor in visitors if visitor is not second], "event leads /leader", marks)
            self.assertIsNot(next_one, second)
            for visitor in visitors:
                if visitor.process.poll() is None:
                    visitor.close()
            self.over(ensemble)

    def test_a_leader_latch(self):
        self.leads_in_turn("latch")

    def test_a_leader_selector(self):
        self.leads_in_turn("select")


if __name__ == "__main__":
    sys.exit(unittest.main())
