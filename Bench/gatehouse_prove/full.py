"""The disk under a database fills up in the middle of the load, and is emptied: nothing acknowledged is lost, service returns."""
from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import time
from collections.abc import Iterator

from gatehouse_bench.machine import run
from gatehouse_bench.server import Server, place
from gatehouse_prove.failover import judge
from gatehouse_prove.failover.crowd import Crowd
from gatehouse_prove.failover.figures import WRITES, figures
from gatehouse_prove.failover.line import Line
from gatehouse_prove.failover.stage import policy

# First tables cannot grow, and after half of the time PostgreSQL itself stops.
SIZE, FULL, BACK = "400m", 24, 30.0
# Of the key set, which needs no database.
KEYS = 0.5


class Near(Crowd):
    """The same clients at a server without a proxy."""

    def line(self) -> Line:
        """A connection in clear."""
        return Line(self.host, self.port, has_tls=False)


def prove(program: str, keep: bool = False) -> bool:
    """A server whose data directory is a file system of its own."""
    if os.getuid() != 0:
        sys.exit("prove: full mounts a tmpfs: run it as root")
    good = True
    with place() as path, disk(os.path.join(path, "disk")) as data:
        policies = os.path.join(path, "policies")
        os.mkdir(policies)
        with open(os.path.join(policies, "messai.yaml"), "w", encoding="utf-8") as file:
            file.write(policy())
        server = Server(program, os.path.join(data, "data"), policies, {"GATEHOUSE_HASH_QUEUE": "4096"},
                        log=os.path.join(path, "server.log"))
        try:
            server.await_ready()
            crowd = Near("127.0.0.1", server.port)
            crowd.populate()
            good = filled(server, crowd, data)
        finally:
            server.stop()
            if keep:
                run(["cp", os.path.join(path, "server.log"), path + ".log"])
                print(f"prove: the log is kept in {path}.log", file=sys.stderr)
    return good


@contextlib.contextmanager
def disk(path: str) -> Iterator[str]:
    """A file system of a known size."""
    os.mkdir(path)
    run(["mount", "-t", "tmpfs", "-o", f"size={SIZE},mode=755", "tmpfs", path])
    try:
        yield path
    finally:
        end = time.monotonic() + 20
        while subprocess.run(["umount", path], capture_output=True, check=False).returncode and time.monotonic() < end:
            time.sleep(0.2)


def filled(server: Server, crowd: Crowd, data: str) -> bool:
    """Full for a while, then empty again."""
    ballast = os.path.join(data, "ballast")
    crowd.start()
    time.sleep(3)
    begin = time.monotonic()
    fill(ballast)
    # What PostgreSQL had laid out before is used up first.
    while time.monotonic() < begin + FULL:
        fill(ballast)
        if time.monotonic() > begin + FULL / 2:
            advance(server)
        time.sleep(0.5)
    emptied = time.monotonic()
    os.unlink(ballast)
    wanted = WRITES | {"me", "keys"}
    while time.monotonic() < emptied + BACK and not wanted <= {
            kind for asked, _, kind, _, outcome in list(crowd.ledger.answers) if asked > emptied and outcome == "done"}:
        time.sleep(0.1)
    took = time.monotonic() - emptied
    time.sleep(1)
    end = time.monotonic()
    crowd.stop()
    seen = figures(crowd.ledger.answers, begin, end, emptied)
    failed = [one for one in crowd.ledger.answers if begin < one[1] and one[4] != "done"]
    wrong = judge.judge(crowd.ledger, judge.look(server.sql))
    if seen.internal:
        wrong.append(f"{seen.internal} answers of status 500")
    blamed = [one for one in failed if one[3].code == "too_many_attempts"]
    if blamed:
        wrong.append(f"{len(blamed)} sign-ins with the right password were answered 429, as if it had been wrong")
    if took >= BACK:
        wrong.append(f"not everything is served {BACK:.0f} s after there was room again")
    if seen.keys > KEYS:
        wrong.append(f"the key set was away for {seen.keys:.2f} s")
    if not any(kind in WRITES for _, _, kind, _, _ in failed):
        wrong.append("the harness: the disk was never full")
    print(f"full      {FULL} s without room: {seen.line()}; all served {took:.1f} s after there was room", flush=True)
    for one in wrong[:12]:
        print(f"          RED: {one}", flush=True)
    return not wrong


def advance(server: Server) -> None:
    """Begins another file of PostgreSQL's log: once those are used that were laid out before, PostgreSQL itself stops."""
    with contextlib.suppress(SystemExit):  # the database does not answer
        server.sql("SELECT pg_switch_wal()")


def fill(path: str) -> None:
    """Takes all room that is left."""
    for size in (1 << 20, 4096):
        with contextlib.suppress(OSError), open(path, "ab", buffering=0) as file:
            while True:
                file.write(bytes(size))
