"""What real ensembles told wire clients (tests/conformance), asked of `zabscope live --headless` over TCP: by a client that knows
nothing of ours. `python3 conformance.py FILE…` plays these transcripts, and says where each goes otherwise."""

import json
import socket
import struct
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from ensemble import PATIENCE_S, Ensemble

# the old connection of a session that was taken up elsewhere is closed at once here, there with its next request, which costs a zxid
LEFT_OUT = {"session-moved-error"}
AT_ONCE = 4
SERVERS = {"leader": 3, "follower1": 1, "follower2": 2}
# servers of one machine that force nothing to disk; the third starts first, has the highest id, and leads
SETTINGS = [
    "tick_time_ms=200", "init_limit=10", "sync_limit=5", "start_us=[50000,50000,0]", "extended_types=true", "transmit_us=5",
    'latency={"min_us":400,"max_us":600}', 'disk_sync={"min_us":100,"max_us":200}',
]
PROPERTIES = {"znode.container.checkIntervalMs": "container_check_ms"}
OPS = {
    "create": 1, "delete": 2, "exists": 3, "getData": 4, "setData": 5, "getACL": 6, "setACL": 7, "getChildren": 8, "sync": 9,
    "getChildren2": 12, "check": 13, "multi": 14, "create2": 15, "checkWatches": 17, "removeWatches": 18, "createContainer": 19,
    "createTTL": 21, "multiRead": 22, "getEphemerals": 103, "getAllChildrenNumber": 104, "addWatch": 106,
}
FLAGS = {"PERSISTENT": 0, "EPHEMERAL": 1, "PERSISTENT_SEQUENTIAL": 2, "EPHEMERAL_SEQUENTIAL": 3, "CONTAINER": 4, "PERSISTENT_WITH_TTL": 5}
CODES = {
    0: "Ok", -2: "RuntimeInconsistency", -4: "ConnectionLoss", -5: "MarshallingError", -6: "Unimplemented", -8: "BadArguments",
    -101: "NoNode", -102: "NoAuth", -103: "BadVersion", -108: "NoChildrenForEphemerals", -110: "NodeExists", -111: "NotEmpty",
    -112: "SessionExpired", -114: "InvalidACL", -115: "AuthFailed", -118: "SessionMoved", -121: "NoWatcher",
}
EVENTS = {
    -1: "None", 1: "NodeCreated", 2: "NodeDeleted", 3: "NodeDataChanged", 4: "NodeChildrenChanged", 5: "DataWatchRemoved",
    6: "ChildWatchRemoved", 7: "PersistentWatchRemoved",
}
WATCHERS = {"Children": 1, "Data": 2, "Any": 3}
PERMS = {"r": 1, "w": 2, "c": 4, "d": 8, "a": 16}


class Lost(Exception):
    """The connection is over."""


def text(value):
    data = value.encode()
    return struct.pack(">i", len(data)) + data


def acl(entries):
    lists = [struct.pack(">i", sum(PERMS[letter] for letter in perms)) + text(scheme) + text(who) for perms, scheme, who in entries or []]
    return struct.pack(">i", len(lists)) + b"".join(lists)


class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, form):
        (value,) = struct.unpack_from(">" + form, self.data, self.at)
        self.at += struct.calcsize(">" + form)
        return value

    def buffer(self):
        length = self.take("i")
        if length < 0:
            return None
        self.at += length
        return self.data[self.at - length:self.at]

    def text(self):
        return self.buffer().decode()

    def texts(self):
        return [self.text() for _ in range(self.take("i"))]


def op_of(ask, whole):
    """The operation's name, as it is on the wire."""
    name = ask["do"]
    if name == "create":
        mode = ask.get("mode", "PERSISTENT")
        return {"CONTAINER": "createContainer", "PERSISTENT_WITH_TTL": "createTTL"}.get(mode, "create2" if ask.get("withStat") else name)
    return "getChildren2" if name == "getChildren" and whole else name


def record_of(ask, whole=True):
    """A request without its header, or a part of one."""
    op, path = op_of(ask, whole), ask.get("path")
    if op in ("multi", "multiRead"):
        parts = [struct.pack(">i?i", OPS[op_of(part, False)], False, -1) + record_of(part, False) for part in ask["ops"]]
        return b"".join(parts) + struct.pack(">i?i", -1, True, -1)
    data = ask.get("data", "x" * ask.get("dataBytes", 0))
    if op in ("create", "create2", "createContainer", "createTTL"):
        sequential = ask.get("mode") == "PERSISTENT_WITH_TTL"
        made = text(path) + text(data) + acl([["rwcda", "world", "anyone"]]) + struct.pack(">i", FLAGS[ask.get("mode", "PERSISTENT")])
        return made + (struct.pack(">q", ask["ttl"]) if sequential else b"")
    version = struct.pack(">i", ask.get("version", -1))
    tails = {
        "setData": lambda: text(data) + version,
        "delete": lambda: version,
        "check": lambda: version,
        "setACL": lambda: acl(ask["acl"]) + version,
        "checkWatches": lambda: struct.pack(">i", WATCHERS[ask["type"]]),
        "removeWatches": lambda: struct.pack(">i", WATCHERS[ask["type"]]),
        "addWatch": lambda: struct.pack(">i", ["PERSISTENT", "PERSISTENT_RECURSIVE"].index(ask["mode"])),
    }
    if op in ("exists", "getData", "getChildren", "getChildren2") and whole:
        return text(path) + struct.pack(">?", ask.get("watch", False))
    if op in ("getData", "getChildren"):
        return text(path) + struct.pack(">?", False)
    return text(path) + tails.get(op, bytes)()


class Client:
    """A wire client: it checks nothing, and takes its watches along when it reconnects."""

    def __init__(self, play, name):
        self.play, self.name = play, name
        self.session, self.password, self.zxid, self.xid = 0, bytes(16), 0, 0
        self.events, self.told = [], 0
        self.watches = {kind: [] for kind in ("data", "exists", "child", "persistent", "recursive")}
        self.socket = self.old = None
        self.sending = threading.Lock()

    def ping(self, line, every_s):
        """As long as this connection is the client's own."""
        time.sleep(every_s)
        while self.socket is line:
            try:
                self.send(struct.pack(">ii", -2, 11))
            except Lost:
                return
            time.sleep(every_s)

    def connect(self, server, timeout_ms, keep=False, wrong=False, ahead=False):
        if keep:
            self.old = self.socket
        elif self.socket:
            self.socket.close()
        try:
            self.socket = socket.create_connection(("127.0.0.1", self.play.ensemble.ports[server]), timeout=PATIENCE_S)
        except OSError:
            self.socket = None
            return {"error": "ConnectionLoss"}
        password = b"\x01" * 16 if wrong else self.password
        zxid = 0x7FFF_0000_0000 if ahead else self.zxid
        try:
            self.send(struct.pack(">iqiq", 0, zxid, timeout_ms, self.session) + struct.pack(">i", 16) + password + b"\0")
            self.socket.settimeout(5)  # longer than a server without a quorum lets anybody wait
            reader = Reader(self.frame())
        except (Lost, OSError):
            self.drop()
            return {"error": "ConnectionLoss"}
        _, granted, session = reader.take("i"), reader.take("i"), reader.take("q")
        if not session or not granted:
            self.drop()
            return {"error": "SessionExpired"}
        self.session, self.password = session, reader.buffer()
        self.play.names[session] = self.name
        threading.Thread(target=self.ping, args=(self.socket, granted / 3_000), daemon=True).start()
        self.rearm()
        return {"ok": {"negotiatedTimeoutMs": granted}}

    def rearm(self):
        watches = list(self.watches.values())
        if any(watches):
            lists = b"".join(struct.pack(">i", len(paths)) + b"".join(map(text, sorted(paths))) for paths in watches)
            self.send(struct.pack(">iiq", -8, 105, self.zxid) + lists)

    def drop(self):
        if self.socket:
            self.socket.close()
        self.socket = None

    def send(self, frame, old=False):
        line = self.old if old else self.socket
        try:
            with self.sending:
                line.sendall(struct.pack(">i", len(frame)) + frame)
        except (OSError, AttributeError) as error:
            raise Lost from error

    def frame(self, old=False):
        def read(length):
            data = b""
            while len(data) < length:
                more = (self.old if old else self.socket).recv(length - len(data))
                if not more:
                    raise Lost
                data += more
            return data

        try:
            return read(struct.unpack(">i", read(4))[0])
        except socket.timeout:
            raise
        except OSError as error:
            raise Lost from error

    def hear(self, seconds):
        """Takes in what comes within this time; whether something did."""
        if not self.socket:
            return False
        self.socket.settimeout(seconds)
        try:
            self.heard(Reader(self.frame()))
            return True
        except socket.timeout:
            return False
        except Lost:
            self.drop()
            return False
        finally:
            if self.socket:
                self.socket.settimeout(PATIENCE_S)

    def heard(self, reader):
        """A frame: ("event", it), or ("reply", xid, zxid, code, reader), that of a ping too."""
        xid, zxid, code = reader.take("i"), reader.take("q"), reader.take("i")
        if xid == -1:
            event = {"type": EVENTS[reader.take("i")]}
            reader.take("i")
            event["path"] = reader.text()
            self.fired(event)
            self.events.append(event)
            return "event", event
        if zxid > 0:
            self.zxid = zxid
        return "reply", xid, zxid, code, reader

    def fired(self, event):
        gone = {
            "NodeCreated": ("data", "exists"), "NodeDataChanged": ("data", "exists"), "NodeChildrenChanged": ("child",),
            "NodeDeleted": ("data", "exists", "child"), "DataWatchRemoved": ("data", "exists"), "ChildWatchRemoved": ("child",),
            "PersistentWatchRemoved": ("persistent", "recursive"),
        }
        for kind in gone.get(event["type"], ()):
            if event["path"] in self.watches[kind]:
                self.watches[kind].remove(event["path"])

    def ask(self, asks, old=False):
        """Replies in the order of the asks, and replies and events as they came."""
        if not (self.old if old else self.socket):
            return [{"error": "ConnectionLoss"} for _ in asks], []
        xids, replies, stream = [], {}, []
        try:
            for ask in asks:
                self.xid += 1
                xids.append(self.xid)
                self.send(struct.pack(">ii", self.xid, OPS[op_of(ask, True)]) + record_of(ask), old)
            (self.old if old else self.socket).settimeout(PATIENCE_S)
            while len(replies) < len(asks):
                kind, *rest = self.heard(Reader(self.frame(old)))
                if kind == "event":
                    stream.append({"event": rest[0]})
                elif rest[0] in xids:
                    index = xids.index(rest[0])
                    replies[index] = self.reply(asks[index], *rest[1:])
                    stream.append({"reply": index})
        except Lost:
            if not old:
                self.drop()
        return [replies.get(index, {"error": "ConnectionLoss"}) for index in range(len(asks))], stream

    def reply(self, ask, zxid, code, reader):
        zxid = {"zxid": self.play.zxid(zxid)}
        if ask.get("watch") and (code == 0 or ask["do"] == "exists" and code == -101):
            kind = "child" if ask["do"] == "getChildren" else "data" if code == 0 else "exists"
            if ask["path"] not in self.watches[kind]:
                self.watches[kind].append(ask["path"])
        if ask["do"] == "addWatch" and code == 0:
            self.watches["recursive" if ask["mode"] == "PERSISTENT_RECURSIVE" else "persistent"].append(ask["path"])
        if code:
            return {"error": CODES[code], **zxid}
        return {**self.answer(ask, reader), **zxid}

    def answer(self, ask, reader):
        if ask["do"] not in ("multi", "multiRead"):
            return {"ok": self.play.part(op_of(ask, True), reader)}
        results, error = [], None
        while True:
            op, done, code = reader.take("i"), reader.take("?"), reader.take("i")
            if done:
                break
            if op == -1:
                code = reader.take("i")
                results.append({"error": CODES[code]})
                error = error or (CODES[code] if code else None)
            else:
                results.append(self.play.part({number: name for name, number in OPS.items()}[op], reader))
        if ask["do"] == "multi" and error:
            # the first part that failed by itself is what the multi fails with
            return {"error": error, "results": results}
        return {"ok": {"results": results}}


class Play:
    def __init__(self, ensemble):
        self.ensemble, self.clients, self.names = ensemble, {}, {}
        self.start = 1  # the epoch; nothing has been written in it

    def zxid(self, zxid):
        return f"{(zxid >> 32) - self.start}:{zxid & 0xFFFF_FFFF}"

    def stat(self, reader):
        names = [("czxid", "q"), ("mzxid", "q"), (None, "q"), (None, "q"), ("version", "i"), ("cversion", "i"), ("aversion", "i")]
        names += [("ephemeralOwner", "q"), ("dataLength", "i"), ("numChildren", "i"), ("pzxid", "q")]
        stat = {name: reader.take(form) for name, form in names}
        for name in ("czxid", "mzxid", "pzxid"):
            stat[name] = self.zxid(stat[name])
        owner = stat["ephemeralOwner"]
        stat["ephemeralOwner"] = self.names.get(owner, owner)
        stat.pop(None)
        return stat

    def part(self, op, reader):
        """An answer, or a part of one."""
        if op in ("create", "sync"):
            return {"path": reader.text()} if op == "create" else {"path": reader.text()}
        if op in ("create2", "createContainer", "createTTL"):
            return {"path": reader.text(), "stat": self.stat(reader)}
        if op in ("exists", "setData", "setACL"):
            return {"stat": self.stat(reader)}
        if op == "getData":
            return {"data": (reader.buffer() or b"").decode(), "stat": self.stat(reader)}
        if op == "getChildren":
            return {"children": sorted(reader.texts())}
        if op == "getChildren2":
            return {"children": sorted(reader.texts()), "stat": self.stat(reader)}
        if op == "getEphemerals":
            return {"ephemerals": sorted(reader.texts())}
        if op == "getAllChildrenNumber":
            return {"number": reader.take("i")}
        return {}

    def do(self, step):
        deed, client = step.get("do"), step.get("client")
        if deed == "connect":
            # a wire client waits a second for its connection, however short the timeout that it asks for
            self.clients[client] = Client(self, client)
            return self.clients[client].connect(SERVERS[step["server"]], step.get("timeoutMs", 3_000))
        if deed == "reconnect":
            keep, wrong = step.get("keepOldConnection", False), "password" in step
            return self.clients[client].connect(SERVERS[step["server"]], 3_000, keep, wrong, "lastZxidSeen" in step)
        if deed == "disconnect":
            self.clients[client].drop()
        elif deed == "expire":
            mark = self.ensemble.mark()
            self.clients[client].drop()
            self.ensemble.fact(since=mark, kind="session_closed", session=f"0x{self.clients[client].session:x}")
        elif deed == "close":
            known = self.clients[client]
            known.xid += 1
            known.send(struct.pack(">ii", known.xid, -11))
            while known.hear(PATIENCE_S):
                pass
            known.drop()
        elif deed == "pipeline":
            replies, stream = self.clients[client].ask(step["ops"])
            return {"replies": replies, "stream": stream}
        elif deed is None:
            return {"events": self.events(self.clients[client], step["events"])}
        elif deed in OPS:
            while self.clients[client].hear(0.02):
                pass  # what comes by itself has come
            replies, stream = self.clients[client].ask([step], step.get("via") == "oldConnection")
            return {"eventsBeforeReply": [word["event"] for word in stream if "event" in word], **replies[0]}
        else:
            return self.do_to_servers(deed, step)
        return {}

    def do_to_servers(self, deed, step):
        mark = self.ensemble.mark()
        if deed == "crash":
            self.ensemble.act("crash", server=SERVERS[step["server"]])
            self.ensemble.fact(since=mark, kind="crashed", server=SERVERS[step["server"]])
        elif deed == "restart":
            self.ensemble.act("restart", server=SERVERS[step["server"]])
            return {"ok": {"role": self.role(SERVERS[step["server"]])}}
        elif deed == "restartAll":
            for place in step["order"]:
                self.ensemble.act("crash", server=SERVERS[place])
            for place in step["order"]:
                self.ensemble.act("restart", server=SERVERS[place])
                time.sleep(0.05)
            return {"ok": {"leader": self.leader(mark)}}
        elif deed == "awaitLeader":
            return {"ok": {"leader": self.leader(0)}}
        elif deed == "awaitNoQuorum":
            end = time.monotonic() + PATIENCE_S
            while any(self.mode(server) for server in SERVERS.values()) and time.monotonic() < end:
                time.sleep(0.05)
            return {"ok": {}}
        elif deed == "checkContainers":
            time.sleep(self.check_ms * 2 / 1_000)
        elif deed == "pause":
            time.sleep(step["ms"] / 1_000)
        else:
            raise AssertionError(f"{deed} is not known")
        return {}

    def mode(self, server):
        """leader or follower; none where it does not serve."""
        try:
            with socket.create_connection(("127.0.0.1", self.ensemble.ports[server]), timeout=PATIENCE_S) as line:
                line.sendall(b"srvr")
                said = b"".join(iter(lambda: line.recv(4_096), b"")).decode()
        except OSError:
            return None
        return next((line[6:] for line in said.splitlines() if line.startswith("Mode: ")), None)

    def role(self, server):
        end = time.monotonic() + PATIENCE_S
        while not self.mode(server) and time.monotonic() < end:
            time.sleep(0.05)
        return self.mode(server)

    def leader(self, _):
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            for place, server in SERVERS.items():
                if self.mode(server) == "leader":
                    return place
            time.sleep(0.05)
        return None

    def events(self, client, expected):
        end = time.monotonic() + 5
        while len(client.events) - client.told < len(expected) and time.monotonic() < end and client.socket:
            client.hear(0.2)
        client.hear(0.05)  # what should not come
        events, client.told = client.events[client.told:], len(client.events)
        return events

    def last_zxid(self):
        with self.ensemble.news:
            last = [fact for fact in self.ensemble.facts if fact["kind"] in ("committed", "established")][-1]
        epoch, counter = map(int, last["zxid"].split(":")) if "zxid" in last else (last["epoch"], 0)
        return f"{epoch - self.start}:{counter}"


def differs(where, expected, got, exact):
    """The first field that is not as recorded. Objects may have more, but for events."""
    if isinstance(expected, dict) and isinstance(got, dict):
        if exact and expected.keys() != got.keys():
            return f"{where}: {expected} is {got}"
        each = (differs(f"{where}.{name}", value, got.get(name), exact) for name, value in expected.items())
        return next(filter(None, each), None)
    if isinstance(expected, list) and isinstance(got, list) and len(expected) == len(got):
        each = (differs(f"{where}[{at}]", *pair, exact) for at, pair in enumerate(zip(expected, got)))
        return next(filter(None, each), None)
    return None if expected == got else f"{where}: {expected} is {got}"


def play(file):
    """What goes otherwise than recorded; none where all is as it was."""
    transcript = json.loads(Path(file).read_text())
    properties = transcript.get("properties") or {}
    settings = SETTINGS + [f"{PROPERTIES[name]}={value}" for name, value in properties.items()]
    with Ensemble(*[word for setting in settings for word in ("--set", setting)]) as ensemble:
        played = Play(ensemble)
        played.check_ms = int(properties.get("znode.container.checkIntervalMs", 60_000))
        for number, step in enumerate(transcript["steps"], 1):
            recorded = {name: step[name] for name in ("ok", "error", "results", "replies", "stream", "events", "zxid") if name in step}
            if step.get("do") in OPS:
                recorded["eventsBeforeReply"] = step.get("eventsBeforeReply", [])
            got = played.do(step)
            if "zxid" in recorded and "zxid" not in got:
                end = time.monotonic() + 5
                while played.last_zxid() != recorded["zxid"] and time.monotonic() < end:
                    time.sleep(0.01)
                got["zxid"] = played.last_zxid()
            for name, value in recorded.items():
                found = differs(name, value, got.get(name), name in ("stream", "events", "eventsBeforeReply"))
                if found:
                    return f"step {number}, {step.get('do', 'events')}: {found}"
        for client in played.clients.values():
            client.drop()
        return None if ensemble.end() == 0 else f"a property was violated: {ensemble.said[-3:]}"


def main(files):
    failed = 0
    files = [file for file in files if Path(file).stem not in LEFT_OUT and not Path(file).stem.startswith("java-client-")]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for file, wrong in zip(files, pool.map(play, files)):
            failed += wrong is not None
            print(f"{Path(file).stem}: {wrong or 'as recorded'}", flush=True)
    print(f"{len(files)} transcripts, {failed} otherwise")
    return 1 if failed or not files else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
