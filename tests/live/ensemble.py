"""An ensemble of `zabscope live --headless` for a test: its ports, what is done to it, and what it tells."""

import json
import os
import subprocess
import threading
import time

BINARY = os.environ["ZABSCOPE"]
PATIENCE_S = 40


class Ensemble:
    """`with Ensemble("--seed", "7") as ensemble:`; facts are collected while it lives."""

    def __init__(self, *args, servers=3):
        ports = ",".join(["0"] * servers)
        command = [BINARY, "live", "--headless", "--servers", str(servers), "--ports", ports, *args]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        self.process = subprocess.Popen(command, text=True, **pipes)
        self.facts, self.ports, self.summary, self.said = [], {}, None, []
        self.news = threading.Condition()
        self.readers = [threading.Thread(target=read, daemon=True) for read in (self._read, self._read_said)]
        for reader in self.readers:
            reader.start()
        self._await(lambda: self.ports, "its ports")

    def _read(self):
        for line in self.process.stdout:
            with self.news:
                if line.startswith("ports "):
                    self.ports = {int(server): port for server, port in json.loads(line[6:]).items()}
                elif line.startswith('{"digest"'):
                    self.summary = json.loads(line)
                else:
                    self.facts.append(json.loads(line))
                self.news.notify_all()

    def _read_said(self):
        for line in self.process.stderr:
            with self.news:
                self.said.append(line.rstrip())
                self.news.notify_all()

    def _await(self, found, what):
        end = time.monotonic() + PATIENCE_S
        with self.news:
            while True:
                result = found()
                if result:
                    return result
                if not self.news.wait(max(0, end - time.monotonic())) and time.monotonic() >= end:
                    raise AssertionError(f"{what} did not come within {PATIENCE_S} s; said: {self.said[-5:]}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()

    def hosts(self, *servers):
        """The connect string of these servers, or of all."""
        return ",".join(f"127.0.0.1:{self.ports[server]}" for server in servers or sorted(self.ports))

    def act(self, do, **fields):
        """Does something to it, now."""
        self.process.stdin.write(json.dumps({"do": do, **fields}) + "\n")
        self.process.stdin.flush()

    def mark(self):
        """How many facts there are: where `fact` may begin to look."""
        with self.news:
            return len(self.facts)

    def fact(self, since=0, **fields):
        """The first fact with these fields, from a mark on; waits for it."""

        def found():
            fits = lambda fact: all(fact.get(name) == value for name, value in fields.items())
            return next((fact for fact in self.facts[since:] if fits(fact)), None)

        return self._await(found, f"a fact with {fields}")

    def leader(self):
        """Who leads: the last one that was established."""
        with self.news:
            return [fact["server"] for fact in self.facts if fact["kind"] == "established"][-1]

    def end(self):
        """Ends it; its exit code."""
        self.process.stdin.close()
        code = self.process.wait(PATIENCE_S)
        for reader in self.readers:
            reader.join(PATIENCE_S)
        return code
