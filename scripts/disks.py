"""Called by scripts/disks: real servers boot from the disks of simulated ones."""

import json, re, socket, subprocess, sys, tarfile, tempfile, time
from pathlib import Path

# At their ends, and in the middle at a time in ms: a log that goes on under a snapshot, one that was cut, holes, an old leader, records that
# only some have, five servers, sessions, quotas, times to live.
SCENARIOS = """cold-start-3 cold-start-5 leader-crash-under-load leader-crash-under-load@2600 uncommitted-kept rejoin-diff rejoin-snap rejoin-trunc
rejoin-trunc@4000 old-leader-returns old-leader-returns@3000 minority-partition minority-partition@2417 zk-tree zk-session quota lock-herd
use-ttl-node""".split()
JARS = "/usr/share/java/zookeeper.jar"
JAVA = "java -Xmx96m -Xshare:auto -XX:+UseSerialGC -XX:TieredStopAtLevel=1".split()
PROPERTIES = ["-Dzookeeper.extendedTypesEnabled=true", "-Dzookeeper.preAllocSize=64"]
BASE = 12180  # where the exported configuration says 2180
PATIENCE = 60  # seconds


def fail(text):
    sys.exit(f"zabscope: {text}")


def ask(word, id):
    try:
        with socket.create_connection(("127.0.0.1", BASE + id), 2) as server:
            server.sendall(word.encode())
            return "".join(iter(lambda: server.recv(65536).decode(), ""))
    except OSError:
        return ""


def roles(ids):
    """The mode of each server that serves."""
    said = {id: re.search(r"Mode: (\w+)", ask("srvr", id)) for id in ids}
    return {id: mode[1] for id, mode in said.items() if mode}


def tool(name, *arguments):
    done = subprocess.run(JAVA + ["-cp", JARS, f"org.apache.zookeeper.server.{name}", *map(str, arguments)], capture_output=True, text=True)
    if done.returncode or "Exception" in done.stderr + done.stdout:
        fail(f"{name} {arguments}: {done.stdout[-1000:]}{done.stderr[-2000:]}")
    return done.stdout


def report(zabscope, *arguments):
    done = subprocess.run([zabscope, "disks", "--json", "--zookeeper", "3.8", *map(str, arguments)], capture_output=True, text=True)
    if done.returncode > 1:
        fail(done.stderr)
    return json.loads(done.stdout)


def boot(folder, id):
    """Starts a server in its own folder, at ports of its own."""
    home = folder / f"server-{id}"
    text = (home / "zoo.cfg").read_text().replace("=218", f"={BASE // 10}").replace("127.0.0.1:28", "127.0.0.1:128").replace(":38", ":138")
    (home / "real.cfg").write_text(text)
    main = ["-cp", JARS, "org.apache.zookeeper.server.quorum.QuorumPeerMain", "real.cfg"]
    with open(folder / f"{id}.log", "a") as log:
        return subprocess.Popen(JAVA + PROPERTIES + main, cwd=home, stdout=log, stderr=log)


def play(zabscope, scenario):
    with tempfile.TemporaryDirectory(prefix="disks-") as folder:
        folder = Path(folder)
        tar = folder / "before.tar"
        name, _, at = scenario.partition("@")
        until = ["--until", at] if at else []
        subprocess.run([zabscope, "run", name, "--disks", tar, *until], check=True, stdout=subprocess.DEVNULL)
        tarfile.open(tar).extractall(folder, filter="data")
        before = report(zabscope, tar)
        ids = [server["id"] for server in before["servers"]]
        for path in sorted(folder.glob("server-*/data/version-2/*")):
            if path.name.startswith("log."):
                tool("persistence.TxnLogToolkit", path)
            elif path.name.startswith("snapshot."):
                tool("SnapshotFormatter", path)
        judged = next(choice for choice in before["start"]["choices"] if choice["start"] == ids)
        servers = {id: boot(folder, id) for id in ids}
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end and (len(roles(ids)) < len(ids) or "leader" not in roles(ids).values()):
            time.sleep(0.2)
        modes = roles(ids)
        wrong = [line for id in ids for line in ask("mntr", id).splitlines() if "digest_mismatches_count" in line and not line.endswith("\t0")]
        for server in servers.values():
            server.kill()
            server.wait()
        logs = "".join((folder / f"{id}.log").read_text() for id in ids)
        leaders = [id for id, mode in modes.items() if mode == "leader"]
        if len(modes) < len(ids) or len(leaders) != 1:
            fail(f"{scenario}: {modes} after {PATIENCE} s\n{logs[-4000:]}")
        may = {leader for outcome in judged["outcomes"] for leader in outcome["leaders"]}
        if leaders[0] not in may:
            fail(f"{scenario}: S{leaders[0]} leads, and we say that one of {may} will")
        if wrong or "digest mismatch" in logs:
            fail(f"{scenario}: digests differ: {wrong}\n" + "\n".join(line for line in logs.splitlines() if "mismatch" in line))
        # both at once, those of before under other ids, so that trees are compared with each other
        names = [argument for id in ids for argument in ("--server", f"{tar}/server-{id}/data={100 + id}")]
        after = report(zabscope, tar, *(folder / f"server-{id}" for id in ids), *names)
        trees = {after["servers"][tree["server"]]["id"]: tree["relation"] for tree in after["trees"]}
        newest = after["servers"][after["newest"]]["id"]
        trees[newest] = "same"
        same = [id for id in ids if trees[id] != "same"]
        if same or newest > 100 or trees[100 + leaders[0]] not in ("same", "behind"):
            fail(f"{scenario}: the trees are not ours: {trees}")
        differ = [server["name"] for server in after["servers"] if server["digests_differ"]]
        if differ or after["troubles"]:
            fail(f"{scenario}: {differ} {after['troubles']}")
        zxids = {server["last_zxid"] for server in before["servers"]}
        print(f"{scenario}: S{leaders[0]} leads, {len(ids)} servers, {', '.join(sorted(zxids))}: every digest and tree is ours", flush=True)


for scenario in sys.argv[2:] or SCENARIOS:
    play(sys.argv[1], scenario)
