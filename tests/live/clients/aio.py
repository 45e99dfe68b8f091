"""A program that does what lines of stdin say and tells what it sees, with aiozk; `story.py` says in which words."""

import asyncio
import sys

from aiozk import WatchEvent, ZKClient, exc
from aiozk.states import States

EVENTS = {
    WatchEvent.CREATED: "created",
    WatchEvent.DELETED: "deleted",
    WatchEvent.DATA_CHANGED: "changed",
    WatchEvent.CHILDREN_CHANGED: "child",
}
WATCHED = {
    "exists": [WatchEvent.CREATED, WatchEvent.DELETED, WatchEvent.DATA_CHANGED],
    "data": [WatchEvent.DATA_CHANGED, WatchEvent.DELETED],
    "children": [WatchEvent.CHILDREN_CHANGED],
}


def say(*words):
    print(*words, flush=True)


class Visitor:
    def __init__(self, hosts, timeout_ms):
        self.client = ZKClient(hosts, session_timeout=timeout_ms / 1_000)
        self.session, states = None, self.client.session.state
        moves = states.transition_to

        def transition_to(state):
            moves(state)
            self.now_in(state)

        states.transition_to = transition_to  # it has no listeners

    def now_in(self, state):
        if state == States.CONNECTED:
            # where it hears nothing it gives a session up by itself and begins another one
            old, self.session = self.session, self.client.session.session_id
            if old not in (None, self.session):
                say("state expired")
            say("state connected")
        elif state == States.SUSPENDED:
            say("state lost")

    def watch(self, what, path):
        session = self.client.session

        def tells(event):
            def told(_):
                for other, callback in callbacks.items():
                    session.remove_watch_callback(other, path, callback)
                say("event", EVENTS[event], path)

            return told

        callbacks = {event: tells(event) for event in WATCHED[what]}
        for event, callback in callbacks.items():
            session.add_watch_callback(event, path, callback)

    async def answer(self, what, path="", *rest):
        client = self.client
        match what:
            case "create" | "ephemeral" | "sequence":
                more = {"ephemeral": what != "create", "sequential": what == "sequence"}
                return await client.create(path, rest[0], **more)
            case "set":
                return (await client.set(path, rest[0], int(rest[1]) if rest[1:] else -1)).version
            case "get":
                data, stat = await client.get(path)
                return f"{data.decode()} {stat.version}"
            case "children":
                return " ".join(sorted(await client.get_children(path)))
            case "delete":
                return await client.delete(path, force=True)
            case "watch":
                self.watch(path, rest[0])
                call = {"exists": client.exists, "data": client.get, "children": client.get_children}[path]
                await call(rest[0], watch=True)
            case "session":
                return f"0x{client.session.session_id:x}"
            case "anew":
                pass  # it does so by itself
            case "close":
                return await client.close()
            case _:
                raise ValueError(what)


async def main(hosts, timeout_ms):
    visitor = Visitor(hosts, timeout_ms)
    await visitor.client.start()
    while line := await asyncio.to_thread(sys.stdin.readline):
        try:
            answer = await visitor.answer(*line.split())
            say("ok", *([] if answer is None else [answer]))
        except exc.ZKError as error:
            say("failed", type(error).__name__)
        if line.strip() == "close":
            return 0
    return 1  # nobody said goodbye


if __name__ == "__main__":
    sys.exit(asyncio.run(main(sys.argv[1], int(sys.argv[2]))))
