#!/bin/sh
# aiozk: `await lock.acquire(timeout=0)` as an attempt that does not wait, on a path that nobody holds.
#
# A good guess: it gets the lock, or it raises TimeoutError and may leave its lock znode behind.
# Seen: it returns None as a success does, and raises nothing; but nothing is locked and nothing was created, not even the lock's path. A further
# acquire(timeout=3) by the same object raises RuntimeError ("lock is already in use") though it holds nothing. Only after release(), which
# itself raises KeyError, does the object work again. timeout=3 on a free path is the normal case, for comparison.
# Why: the time is up before the first step, and the attempt ends there without an error, after the object was marked as in use.
# Versions: aiozk 0.32.0 (PyPI), Python 3, ZooKeeper 3.8.0 (Debian 12, 3.8.0-11+deb12u2).
exec python3 "$(dirname "$0")/server.py" aiozk==0.32.0 <<'END'
import asyncio
import aiozk
from server import Server, is_


async def outcome(awaitable):
    try:
        return type(await awaitable).__name__
    except Exception as error:
        return f"{type(error).__name__}: {error}"


async def main(server):
    client = aiozk.ZKClient(server.address)
    await client.start()
    normal, lock = client.recipes.Lock("/normal"), client.recipes.Lock("/path")
    yield "a free path, timeout=3", (await outcome(normal.acquire(timeout=3)), normal.locked(), await client.exists("/normal"))
    await normal.release()
    yield "a free path, timeout=0", (await outcome(lock.acquire(timeout=0)), lock.locked(), await client.exists("/path"))
    yield "the same object, timeout=3", await outcome(lock.acquire(timeout=3))
    yield "release()", await outcome(lock.release())
    yield "timeout=3 once more", (await outcome(lock.acquire(timeout=3)), lock.locked(), await client.exists("/path"))
    await lock.release()
    await client.close()


async def seen(server):
    return [it async for it in main(server)]


with Server() as server:
    got, refused = ("NoneType", True, True), "RuntimeError: lock is already in use"
    expected = [got, ("NoneType", False, False), refused, "KeyError: 'lock'", got]
    for (what, it), before in zip(asyncio.run(asyncio.wait_for(seen(server), 120)), expected, strict=True):
        is_(what, it, before)
END
