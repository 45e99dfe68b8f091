"""kazoo's own tests against an ensemble of `zabscope live` and against the real 3.8.0 of Debian's packages on this machine, test by test:
`scripts/clients kazoo [TEST…]`. What passes there and not here, or here and not there, must be in `kazoo_differences.txt`, and nothing else."""

import os
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml
from pathlib import Path

import kazoo

MODULES = "lock election barrier counter queue party partitioner watchers client".split()
KNOWN = Path("kazoo_differences.txt")
AT_LEAST = 0.95  # of those that pass against the real one
TIMEOUT_S = 180  # of one test
TRIES = 3  # of what differs: some of these tests are races against the clock
JARS = Path("/usr/share/java")
PACKAGES = Path(kazoo.__file__).parents[1]


def real():
    """The environment in which kazoo's harness starts the real one."""
    netty = [jar for jar in sorted(JARS.glob("netty-*.jar")) if not any(letter.isdigit() for letter in jar.stem.replace("http2", ""))]
    return {"ZOOKEEPER_VERSION": "3.8.0", "ZOOKEEPER_CLASSPATH": ":".join(map(str, [JARS / "zookeeper.jar", *netty]))}


SIDES = {"ours": (["-p", "kazoo_suite"], {}), "real": ([], real())}


def play(side, modules, chosen=()):
    """What became of each test: passed, failed or skipped."""
    options, env = SIDES[side]
    with tempfile.TemporaryDirectory() as folder:
        report, log = Path(folder) / "report.xml", Path(folder) / "log"
        words = [word for module in modules for word in ("--pyargs", f"kazoo.tests.test_{module}")]
        only = ["-k", " or ".join(chosen)] if chosen else []
        command = [sys.executable, "-B", "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--rootdir={PACKAGES}", f"--timeout={TIMEOUT_S}", f"--junitxml={report}"]
        with open(log, "w") as out:
            subprocess.run([*command, *options, *words, *only], env=os.environ | env, stdout=out, stderr=out)
        if not report.exists():
            sys.exit(f"kazoo's tests did not run against {side}:\n{log.read_text()[-3000:]}")
        return {name(case): became(case) for case in xml.parse(report).iter("testcase")}


def name(case):
    """`test_lock.KazooLockTests.test_lock_one`"""
    return case.get("classname").removeprefix("kazoo.tests.") + "." + case.get("name")


def became(case):
    if case.find("failure") is not None or case.find("error") is not None:
        return "failed"
    return "skipped" if case.find("skipped") is not None else "passed"


def known():
    lines = KNOWN.read_text().splitlines()
    return {line.split()[0] for line in lines if line and not line.startswith(("#", " "))}


def main(chosen):
    results = {side: play(side, MODULES, chosen) for side in SIDES}
    differ = lambda: sorted(test for test in results["real"] if results["real"][test] != results["ours"].get(test))
    for _ in range(TRIES - 1):
        if not differ():
            break
        again = [test.split(".")[-1] for test in differ()]
        for side, result in results.items():
            news = play(side, sorted({test.split(".")[0].removeprefix("test_") for test in differ()}), again)
            result.update({test: how for test, how in news.items() if test in result and result[test] == "failed"})
    passed = {side: {test for test, how in result.items() if how == "passed"} for side, result in results.items()}
    both = passed["real"] & passed["ours"]
    share = len(both) / max(1, len(passed["real"]))
    print(f"kazoo's own tests: {len(passed['ours'])} pass against ours, {len(passed['real'])} against the real 3.8.0, of {len(results['real'])}")
    print(f"of those that pass there {len(both)} pass here: {share:.1%}")
    for test in differ():
        print(f"differs: {test}: real {results['real'][test]}, ours {results['ours'].get(test)}")
    if chosen:
        return int(bool(set(differ()) - known()))
    if set(differ()) != known():
        print(f"{KNOWN} has {sorted(known() - set(differ()))} that do not differ, and lacks {sorted(set(differ()) - known())}")
        return 1
    return int(share < AT_LEAST)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
