"""A pytest plugin: kazoo's own tests against an ensemble of `zabscope live`, which stands where kazoo's harness has its cluster.

    ZABSCOPE=target/release/zabscope pytest -p kazoo_suite --pyargs kazoo.tests.test_lock
"""

import os

import kazoo.testing.harness as harness

from ensemble import Ensemble

os.environ.setdefault("ZOOKEEPER_VERSION", "3.8.0")

SETTINGS = [
    "reconfig_enabled=true",
    "read_only_mode=true",
    "super_digest=super:D/InIHSb7yEEbrWz8b9l71RjZJU=",
    "init_limit=4",
    "sync_limit=2",
    'zookeeper="3.8"',
]


class Server:
    def __init__(self, cluster, number):
        self.cluster, self.number, self.running = cluster, number, True

    @property
    def client_port(self):
        return self.cluster.ensemble.ports[self.number]

    @property
    def address(self):
        return f"127.0.0.1:{self.client_port}"

    secure_address = address

    def stop(self):
        if self.running:
            self.cluster.ensemble.act("kill", server=self.number)
            self.running = False

    def run(self):
        if not self.running:
            self.cluster.ensemble.act("restart", server=self.number)
            self.running = True

    def reset(self):
        self.stop()
        self.cluster.ensemble.act("wipe_disk", server=self.number)


class Cluster:
    def __init__(self):
        self.ensemble, self.servers = None, []
        self.start()

    def __getitem__(self, index):
        return self.servers[index]

    def __iter__(self):
        return iter(self.servers)

    def start(self):
        if self.ensemble is None:
            settings = [word for setting in SETTINGS for word in ("--set", setting)]
            self.ensemble = Ensemble("--quiet", *settings)
            self.servers = [Server(self, number) for number in sorted(self.ensemble.ports)]
        for server in self.servers:
            server.run()

    def stop(self):
        for server in self.servers:
            server.stop()

    def reset(self):
        for server in self.servers:
            server.reset()

    def terminate(self):
        if self.ensemble is not None:
            self.ensemble.end()
            self.ensemble = None
        for server in self.servers:
            server.running = False

    def get_logs(self):
        return self.ensemble.said if self.ensemble else []


def cluster():
    if harness.CLUSTER is None:
        harness.CLUSTER = Cluster()
    return harness.CLUSTER


harness.get_global_cluster = cluster


def pytest_unconfigure(config):
    if harness.CLUSTER is not None:
        harness.CLUSTER.terminate()
