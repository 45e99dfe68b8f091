"""Requests a second of `zabscope live --headless` and of the real server of Debian's package, by the same client in the same run:
`scripts/clients throughput [REQUESTS]`. Both without simulated delays and without forcing anything to disk, in turn, one
working at a time. Fails below half of theirs."""

import os
import socket
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from conformance import Lost, text
from ensemble import PATIENCE_S, Ensemble

JARS = Path("/usr/share/java")
AT_LEAST = 0.5  # of theirs
ROUNDS = 3
WINDOW = 100  # requests that are on their way at once
FREE = ["tick_time_ms=2000", 'latency={"min_us":1,"max_us":1}', "transmit_us=1", 'disk_sync={"min_us":1,"max_us":1}']


class Real:
    """The real server on a free port, in a folder that goes with it."""

    def __enter__(self):
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.folder = tempfile.TemporaryDirectory()
        path = ":".join(str(jar) for jar in JARS.glob("*.jar") if "contrib" not in jar.name)
        say = ["-Dzookeeper.admin.enableServer=false", "-Dzookeeper.forceSync=no"]
        command = ["java", *say, "-cp", path, "org.apache.zookeeper.server.ZooKeeperServerMain", str(self.port), self.folder.name]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.folder.cleanup()


def connected(port):
    """A connection with a session."""
    end = time.monotonic() + PATIENCE_S
    while True:
        try:
            line = socket.create_connection(("127.0.0.1", port), timeout=5)
            line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            send(line, struct.pack(">iqiqi16s?", 0, 0, 30_000, 0, 16, bytes(16), False))
            if frames(line.makefile("rb"), 1):
                line.settimeout(PATIENCE_S)
                return line
        except (OSError, Lost):
            if time.monotonic() > end:
                raise
            time.sleep(0.2)


def send(line, *all):
    line.sendall(b"".join(struct.pack(">i", len(frame)) + frame for frame in all))


def frames(file, count):
    for _ in range(count):
        head = file.read(4)
        if len(head) < 4:
            raise Lost
        file.read(struct.unpack(">i", head)[0])
    return True


def request(number):
    """Writes and reads of one node, in turn."""
    if number % 2:
        return struct.pack(">ii", number, 4) + text("/a") + b"\0"
    return struct.pack(">ii", number, 5) + text("/a") + text("x" * 100) + struct.pack(">i", -1)


def measured(port, requests):
    """Requests a second."""
    line = connected(port)
    file = line.makefile("rb")
    # where it is there already, that is an answer too
    send(line, struct.pack(">ii", 1, 1) + text("/a") + text("") + struct.pack(">ii", 1, 31) + text("world") + text("anyone") + struct.pack(">i", 0))
    frames(file, 1)
    begun = time.monotonic()
    for first in range(2, requests + 2, WINDOW):
        send(line, *[request(number) for number in range(first, first + WINDOW)])
        frames(file, WINDOW)
    line.close()
    return requests / (time.monotonic() - begun)


def main():
    requests = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    settings = [word for setting in FREE for word in ("--set", setting)]
    with Real() as real, Ensemble("--quiet", *settings, servers=int(os.environ.get("SERVERS", "1"))) as ensemble:
        ports = real.port, min(ensemble.ports.values())
        rounds = [[measured(port, requests) for port in ports] for _ in range(ROUNDS + 1)]
    # not the first, in which Java compiles what it does often; and of the others the best, as others use the machine
    theirs, ours = (max(each) for each in zip(*rounds[1:]))
    print(f"real {theirs:.0f}/s, simulated {ours:.0f}/s, ratio {ours / theirs:.2f}")
    return int(ours < AT_LEAST * theirs)


if __name__ == "__main__":
    sys.exit(main())
