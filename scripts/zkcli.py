"""Called by scripts/zkcli: types the sessions of a battery into the real zkCli and into ours, and compares what they show."""

import codecs, json, os, pty, re, shutil, socket, subprocess, sys, tempfile, threading, time, tty
from pathlib import Path

TESTS = Path("tests/zkcli")
JARS = ":".join(f"/usr/share/java/{name}.jar" for name in ("zookeeper", "jline2", "jansi1"))
JAVA = "java -Xmx96m -Xshare:auto -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Dfile.encoding=UTF-8".split()
SUPER = "super:D/InIHSb7yEEbrWz8b9l71RjZJU="  # of super:test
# A setting of a session as the real servers' configuration has it; those without a name are properties of the process.
NAMES = {"local_sessions": "localSessionsEnabled", "enforce_quota": "enforceQuota", "tick_time_ms": "tickTime"}
NAMES |= {"read_only_mode": None, "can_be_read_only": None, "voters": None, "standalone_enabled": None}
PROMPT = re.compile(r"(?:C\d+: )?\[zk: [^\s(]*\((\w+)\) \d+\] ")
WORD = re.compile(r"echo (\S+) \| nc S(\d) 2181")
# What of `mntr` can be the same in two runs.
COUNTED = "znode_count|watch_count|ephemerals_count|approximate_data_size|num_alive_connections|server_state|peer_state|quorum_size|.*followers"
COUNTED = re.compile(rf"zk_({COUNTED}|global_sessions|outstanding_requests|.*_quota_.*)\t")
ENDS = "The real zkCli ends here, with exit code 1."  # what ours says, and goes on
QUIET = 0.2  # seconds without a word, after which nothing more is expected of the real one
PATIENCE = 60  # seconds for an answer


class Process:
    """Somebody who reads lines and says when the next one may come, by a prompt."""

    def __init__(self, command, stdin):
        self.text, self.taken, self.heard = "", 0, time.monotonic()
        env = os.environ | {"TZ": "UTC", "LC_ALL": "C.UTF-8", "TERM": "dumb"}
        self.process = subprocess.Popen(command, stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=env)
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self):
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        while data := os.read(self.process.stdout.fileno(), 65536):
            self.text, self.heard = self.text + decoder.decode(data), time.monotonic()

    def ended(self):
        return not self.reader.is_alive()

    def wait(self, what, holds):
        end = time.monotonic() + PATIENCE
        while not (holds() or self.ended()):
            if time.monotonic() > end:
                fail(f"nothing came of '{what}' within {PATIENCE} s:\n{self.text[self.taken:]}")
            time.sleep(0.005)

    def type(self, line):
        """Types a line and waits for the next prompt, or the end."""
        before = len(PROMPT.findall(self.text))
        if not self.ended():
            os.write(self.input, (line + "\n").encode())
            self.wait(line, lambda: len(PROMPT.findall(self.text)) > before)

    def take(self):
        """What it has said since the last time."""
        text = self.text[self.taken :]
        self.taken += len(text)
        return text

    def state(self, text):
        return "ended" if self.ended() else f"state {PROMPT.findall(text)[-1]}"

    def end(self):
        self.process.kill()
        self.process.wait()


class RealCli(Process):
    def __init__(self, servers, chroot, readonly):
        at = ",".join(f"127.0.0.1:{10000 + server}" for server in servers) + chroot
        main = ["-Dinput.encoding=UTF-8", "-Djline.terminal=none", "-cp", JARS, "org.apache.zookeeper.ZooKeeperMain"]
        super().__init__(JAVA + main + ["-server", at, "-timeout", "20000"] + readonly, subprocess.PIPE)
        self.input = self.process.stdin.fileno()
        self.wait("connecting", lambda: PROMPT.search(self.text) and "type:None" in self.text)
        self.take()


class Real:
    """Three servers, or one alone, and a zkCli for each client."""

    def __init__(self, session):
        self.session, self.clients, self.folder = session, {}, Path(tempfile.mkdtemp(prefix="zkcli-"))
        ids = range(1, int(session.settings.get("voters", 3)) + 1)
        config = "initLimit=10\nsyncLimit=5\nreconfigEnabled=true\nadmin.enableServer=false\n4lw.commands.whitelist=*\n"
        settings = {"tick_time_ms": 200} | session.settings
        config += "".join(f"{NAMES[name]}={value}\n" for name, value in settings.items() if NAMES[name])
        if len(ids) > 1:
            config += "".join(f"server.{id}=127.0.0.1:{20000 + id}:{30000 + id}\n" for id in ids)
        for id in ids:
            home = self.folder / str(id)
            home.mkdir()
            (home / "myid").write_text(str(id))
            (home / "zoo.cfg").write_text(f"{config}dataDir={home}\nclientPort={10000 + id}\n")
        self.servers = {id: self.start(id) for id in reversed(ids)}  # so that the last one leads
        for id in ids:
            self.until_open(id)

    def start(self, id):
        properties = {
            "zookeeper.DigestAuthenticationProvider.superDigest": SUPER,
            "zookeeper.extendedTypesEnabled": "true",
            "readonlymode.enabled": self.session.settings.get("read_only_mode", "false"),
        }
        main = ["-cp", JARS, "org.apache.zookeeper.server.quorum.QuorumPeerMain", f"{self.folder}/{id}/zoo.cfg"]
        with open(self.folder / f"{id}.log", "a") as log:
            command = JAVA + [f"-D{name}={value}" for name, value in properties.items()] + main
            return subprocess.Popen(command, stdout=log, stderr=log)

    def until_open(self, id):
        """Waits until a server takes sessions: before, it closes connections at once."""
        hello = bytes.fromhex("0000002d" + "00" * 12 + "00000fa0" + "00" * 8 + "00000010" + "00" * 17)
        close = bytes.fromhex("00000008" + "00000001" + "fffffff5")
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            try:
                with socket.create_connection(("127.0.0.1", 10000 + id), 2) as client:
                    client.sendall(hello)
                    if client.recv(100):
                        client.sendall(close)
                        return client.recv(100)
            except OSError:
                pass
            time.sleep(0.05)
        fail(f"the real server {id} does not serve:\n" + (self.folder / f"{id}.log").read_text()[-2000:])

    def shell(self, line):
        words = line.split()
        id = int(words[-1][1:])
        if words[0] == "kill":
            self.servers[id].send_signal({"-9": 9, "-STOP": 19, "-CONT": 18}[words[1]])
        else:
            self.servers[id] = self.start(id)
            self.until_open(id)

    def ask(self, word, id):
        """What a server says to a four-letter word."""
        with socket.create_connection(("127.0.0.1", 10000 + id), PATIENCE) as connection:
            connection.sendall(word.encode() + b"\n")
            return "".join(iter(lambda: connection.recv(65536).decode(), ""))

    def type(self, client, line):
        if client not in self.clients:
            readonly = ["-r"] if "can_be_read_only" in self.session.settings else []
            self.clients[client] = RealCli(*self.session.client(client), readonly)
        if self.clients[client].ended():
            fail(f"{self.session.name}: '{line}' is typed at a zkCli that has ended")
        self.clients[client].type(re.sub(r"^(connect|redo.*connect) S(\d)", r"\1 127.0.0.1:1000\2", line))

    def step(self, client, line):
        word = line.split()[:1]
        if asked := WORD.fullmatch(line):
            return [f"{client}: {said}" for said in self.ask(asked[1], int(asked[2])).splitlines()]
        if word == ["sleep"]:
            time.sleep(float(line.split()[1]))
        elif line.startswith("!"):
            self.shell(line[1:])
        else:
            self.type(client, line)
        # connecting takes longer, and it waits for up to two seconds before it tries again
        quiet = 2.5 if line.startswith("!") or word in (["connect"], ["close"], ["addauth"]) else QUIET
        # a server may need longer than that to come up, so what was heard before it is up counts for nothing
        done = time.monotonic()
        while time.monotonic() < max([done] + [each.heard for each in self.clients.values()]) + quiet:
            time.sleep(0.01)
        event = re.compile(r"\n((?:WATCHER::|WatchedEvent .*)\n)")
        shown = []
        for name, each in self.clients.items():
            text = PROMPT.sub("", each.take())
            shown += [f"{name}: {line}" for line in event.sub("", text).splitlines() if not line.startswith("\tat ")]
            shown += [f"{name}: {line.strip()}" for line in event.findall(text)]
        if client in self.clients:
            self.clients[client].type("")  # once more a prompt, with the state that it has come to
            shown.append(f"{client}: {self.clients[client].state(self.clients[client].take())}")
        return shown

    def end(self):
        for process in [each.process for each in self.clients.values()] + list(self.servers.values()):
            process.kill()
            process.wait()
        shutil.rmtree(self.folder)


class Ours(Process):
    """A run, and one process for all its clients."""

    def __init__(self, program, session):
        # servers start two seconds after the epoch of their clocks: a time of 0 is that of nothing
        start_us = [2_000_000] * int(session.settings.get("voters", 3))
        setup = {"zookeeper": "3.8", "reconfig_enabled": True, "super_digest": SUPER, "start_us": start_us} | {
            name: json.loads(value) for name, value in session.settings.items()
        }
        actions = []
        for client in session.clients():
            servers, chroot = session.client(client)
            action = {"at_us": 3_500_000, "do": "open_client", "client": int(client[1:]), "servers": servers, "timeout_ms": 20000}
            actions.append(action | ({"chroot": chroot} if chroot else {}))
        self.at, self.known = session.clients()[0], {session.clients()[0]}
        with tempfile.NamedTemporaryFile("w", suffix=".json") as run:
            json.dump({"version": 4, "seed": 1, "setup": setup, "actions": actions}, run)
            run.flush()
            ours, its = pty.openpty()  # who types at a terminal is prompted
            tty.setraw(its)
            self.input = ours
            super().__init__([program, "cli", run.name, "--client", self.at, "--at", "5000"], its)
            os.close(its)
            self.wait("the run", lambda: PROMPT.search(self.text))
        self.take()

    def step(self, client, line):
        quits = line == "quit"
        others = self.known - {client}
        if quits and others:  # whoever types last ends all by it
            line = f"@{client} quit"
            client, whose = min(others), client
        else:
            whose = client
        if client != self.at:
            self.type(f"@{client}")
            self.at = client
            if client not in self.known:
                self.known.add(client)
                self.take()
        self.type(f"@C9 {line[1:]}" if line.startswith("!") else line)
        self.type("sleep 1")
        text, shown, named, ends = self.take(), [], whose, quits
        for line in PROMPT.sub("", text).splitlines():
            prefix = re.match(r"(C\d+): (.*)", line)
            named, line = prefix.groups() if prefix else (named, line)
            if line == ENDS:
                ends = True
            elif named != "C9":
                shown.append(f"{named}: {line}")
        return shown + [f"{whose}: {'ended' if ends else self.state(text)}"]


class Session:
    """Part of a battery: `== NAME SETTING=VALUE ... CLIENT=SERVERS/CHROOT ...`, then lines of C1, or of C2 behind `@C2`."""

    def __init__(self, head):
        self.name, *words = head.split()
        pairs = dict(word.split("=") for word in words)
        self.settings = {name: value for name, value in pairs.items() if name in NAMES}
        self.where = {name: value for name, value in pairs.items() if name not in NAMES}
        self.steps = []

    def clients(self):
        return sorted({client for client, _ in self.steps} | set(self.where))

    def client(self, name):
        servers, *chroot = self.where.get(name, f"S{(int(name[1:]) - 1) % 3 + 1}").partition("/")
        return [int(server[1:]) for server in servers.split(",")], "".join(chroot)


def read_battery():
    sessions = []
    for line in (TESTS / "battery.txt").read_text().splitlines():
        line = line.replace("␠", " ")
        if line.startswith("=="):
            sessions.append(Session(line[2:]))
        elif line and not line.startswith("#"):
            client, rest = re.fullmatch(r"(?:@(C\d+) )?(.*)", line).groups()
            sessions[-1].steps.append((client or "C1", rest))
    return sessions


def read_differences():
    """Each is: who says more (`real` or `ours`, `?` where it does not always), when what is typed, which line; above them why."""
    rules, why, last = [], "", ""
    for line in (TESTS / "differences.txt").read_text().splitlines():
        if line.startswith("#"):
            why = line[2:] if not last.startswith("#") else f"{why} {line[2:]}"
        elif line:
            who, typed, shown = line.split("\t")
            rules.append((who.strip("?"), re.compile(typed), re.compile(shown), why, who.endswith("?")))
        last = line
    return rules


def normal(shown):
    """Without what differs from run to run: zxids, times, sessions, addresses; each client's lines, then its events."""
    lines = []
    for line in shown:
        line = re.sub(r"([cmp]Zxid) = 0x[1-9a-f][0-9a-f]*$", r"\1 = N", line)
        line = re.sub(r"([cm]time) = (?!Thu Jan 01 00:00:00 UTC 1970).*", r"\1 = T", line)
        line = re.sub(r"(ephemeralOwner) = 0x(?!ff|8000000000000000)[1-9a-f]+.*", r"\1 = S", line)
        line = re.sub(r"(version=|^C\d+: )1[0-9a-f]{8,}", r"\1V", line)
        lines.append(re.sub(r"ip: \S*$", "ip: A", line).rstrip())
    event, state = re.compile(r"C\d+: (WATCHER::|WatchedEvent )"), re.compile(r"C\d+: (state \w+|ended)")
    return sorted(lines, key=lambda line: (line.split(":")[0], bool(event.match(line)), bool(state.fullmatch(line))))


def normal_of_words(typed, shown):
    """As `normal`, of what servers say to four-letter words: names and what can be counted stay. Connections are in a hash table there,
    pings come by the clock, and a bucket of sessions stays until its time."""
    lines = []
    for line in shown:
        line = re.sub(r"(state \w+|Zxid: 0x\w+|lzxid=0x\w+)$", lambda found: found[0].split("0x")[0], line)
        line = re.sub(r"/?127\.0\.0\.1:\d{5}(?!:)|/?10\.\d+\.\d+\.\d+:\d+", "A", line)
        line = re.sub(r"0x[0-9a-f]{7,}", "S", line)
        line = re.sub(r"((?:recved|sent|lop|est|lresp|llat|minlat|avglat|maxlat)=|Received: |Sent: |lzxid=)[^,)]+", r"\1N", line)
        line = re.sub(r"Sets \(\d+\)", "Sets (N)", line)
        line = re.sub(r"(Latency min/avg/max: ).*", r"\1N", line)
        if not COUNTED.search(line):
            line = re.sub(r"(zk_\w+\t).*", r"\1N", line)
        lines.append(line.rstrip())
    lines = [line for line in lines if not re.fullmatch(r"C\d+: (state .*|\d+ expire at .*|)", line)]
    return sorted(lines) if re.search("stat|cons|dump", typed) else lines


def fail(why):
    print(f"zabscope: {why}", file=sys.stderr)
    sys.exit(1)


def excused(typed, real, ours, rules):
    """The rules by which two lists of lines are the same, or None."""
    used = []

    def kept(who, lines):
        left = []
        for line in lines:
            said = line.partition(": ")[2]
            meant = [rule for rule in rules if rule[0] == who and rule[1].fullmatch(typed) and rule[2].fullmatch(said)]
            used.extend(meant)
            if not meant:
                left.append(line)
        return left

    return used if kept("real", real) == kept("ours", ours) else None


def main(program, *names):
    rules, typed, equal, causes, wrong = read_differences(), 0, 0, {}, 0
    sessions = [session for session in read_battery() if not names or session.name in names]
    if missing := set(names) - {session.name for session in sessions}:
        fail(f"the battery has no session {', '.join(sorted(missing))}")
    for session in sessions:
        start, lines, both = time.monotonic(), 0, []
        try:
            both = [Real(session), Ours(program, session)]
            for client, line in session.steps:
                shown = [each.step(client, line) for each in both]
                if WORD.fullmatch(line):
                    shown = [normal_of_words(line, lines) for lines in shown]
                    ours = {line.split("\t")[0] for line in shown[1]}
                    if "mntr" in line:  # ours tells what can be known here
                        shown[0] = [said for said in shown[0] if said.split("\t")[0] in ours]
                else:
                    shown = [normal(lines) for lines in shown]
                lines += 1
                if shown[0] == shown[1]:
                    equal += 1
                elif (used := excused(line, *shown, rules)) is not None:
                    for why in {rule[3] for rule in used}:
                        causes[why] = causes.get(why, 0) + 1
                else:
                    wrong += 1
                    print(f"{session.name}: {client}: {line}")
                    for who, said in zip(("real", "ours"), shown):
                        print("\n".join(f"    {who} {line}" for line in said))
        finally:
            for each in both:
                each.end()
        typed += lines
        print(f"    {session.name}: {lines} lines in {time.monotonic() - start:.0f} s", flush=True)
    print(f"{typed} lines typed, {equal} equal, {typed - equal - wrong} differ as listed, {wrong} otherwise")
    for why, times in sorted(causes.items(), key=lambda cause: -cause[1]):
        print(f"    {times} times: {why}")
    unused = {rule[3] for rule in rules if not rule[4]} - set(causes)
    if unused and not names:
        fail(f"differences.txt names what does not differ: {unused}")
    if wrong:
        fail("the console differs from zkCli")


main(*sys.argv[1:])
