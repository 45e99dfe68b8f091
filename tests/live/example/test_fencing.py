import json
import subprocess

from kazoo.client import KazooClient
from kazoo.recipe.lock import Lock

ENSEMBLE = ["zabscope", "live", "--headless", "--quiet", "--ports", "0,0,0"]


def acquire(client):
    lock = Lock(client, "/lock")
    lock.acquire()
    return client.exists(f"/lock/{lock.node}").czxid  # grows with each holder: its fencing token


def write(storage, text, token):
    if token >= storage["token"]:  # fencing: without it the test is red
        storage.update(text=text, token=token)


def test_a_paused_holder_overwrites_nothing():
    storage = {"text": "", "token": 0}
    with subprocess.Popen(ENSEMBLE, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as ensemble:
        ports = json.loads(ensemble.stdout.readline().removeprefix("ports ")).values()
        first, second = (KazooClient(f"127.0.0.1:{port}", timeout=4) for port in list(ports)[:2])
        first.start()
        token = acquire(first)
        print('{"do":"pause_client","client":1}', file=ensemble.stdin, flush=True)
        second.start()
        write(storage, "second", acquire(second))  # waits until the session of the first has expired
        write(storage, "first", token)  # which knows nothing of that
        ensemble.communicate()
    assert (storage["text"], ensemble.returncode) == ("second", 0)
