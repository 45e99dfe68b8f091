"""Ten programs take a lock in turn while servers crash and come back: `scripts/clients endurance [MINUTES]`. Says each minute how often the lock
was had, and how much memory the ensemble has. Fails where a property is violated, where the lock is no longer had, or where memory grows."""

import random
import sys
import threading
import time

from kazoo.client import KazooClient
from kazoo.exceptions import KazooException
from kazoo.handlers.threading import KazooTimeoutError
from kazoo.recipe.lock import Lock

from ensemble import Ensemble

PROGRAMS = 10
CRASH_EVERY_S = 15
DOWN_S = 5
WARM_MIN = 6  # until then memory grows: the checker keeps the states after the newest 4,096 transactions
MORE_MB = 4  # as pages come and go


def works(hosts, seed, had, over):
    draws = random.Random(seed)
    client = KazooClient(hosts=hosts, timeout=10)
    while not over.is_set():
        try:
            if not client.connected:
                client.start(timeout=20)
            with Lock(client, "/lock"):
                had[seed] += 1
                time.sleep(draws.uniform(0, 0.1))
        except (KazooException, KazooTimeoutError):
            time.sleep(0.5)
    client.stop()
    client.close()


def memory_mb(pid):
    with open(f"/proc/{pid}/status") as status:
        return next(int(line.split()[1]) // 1_024 for line in status if line.startswith("VmRSS"))


def main(minutes):
    draws, had, over = random.Random(1), [0] * PROGRAMS, threading.Event()
    with Ensemble("--quiet") as ensemble:
        programs = [threading.Thread(target=works, args=(ensemble.hosts(), seed, had, over), daemon=True) for seed in range(PROGRAMS)]
        for program in programs:
            program.start()
        begun = told = time.monotonic()
        memory, times = [], [0]
        while time.monotonic() - begun < minutes * 60:
            time.sleep(draws.uniform(0, 2 * CRASH_EVERY_S))
            server = draws.choice(sorted(ensemble.ports))
            ensemble.act("crash", server=server)
            time.sleep(DOWN_S)
            ensemble.act("restart", server=server)
            if time.monotonic() - told >= 60:
                told = time.monotonic()
                memory.append(memory_mb(ensemble.process.pid))
                times.append(sum(had))
                print(f"{(told - begun) / 60:.0f} min: the lock was had {times[-1]} times, {memory[-1]} MB", flush=True)
        over.set()
        for program in programs:
            program.join(30)
        code = ensemble.end()
        print(f"exit code {code}, {ensemble.summary['violations']} violations, {ensemble.said[-3:]}")
    stuck = [minute for minute in range(1, len(times)) if times[minute] == times[minute - 1]]
    grown = max(memory[WARM_MIN:], default=0) - max(memory[:WARM_MIN], default=0)
    if stuck:
        print(f"nobody had the lock in minute {stuck}")
    if grown > MORE_MB:
        print(f"memory is not flat: {grown} MB more than after {WARM_MIN} minutes")
    return int(code != 0 or bool(stuck) or grown > MORE_MB)


if __name__ == "__main__":
    sys.exit(main(float(sys.argv[1]) if sys.argv[1:] else 60))
