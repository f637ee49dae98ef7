"""What one operation costs: processor of server and PostgreSQL, write-ahead log, disk. Figures for planning."""
from __future__ import annotations

import dataclasses
import glob
import os
import time
from typing import Callable

from gatehouse_bench.machine import wrk
from gatehouse_bench.passwords import write_bodies
from gatehouse_bench.people import sign_in, sign_up
from gatehouse_bench.server import TENANT, Server, running
from gatehouse_bench.setting import Setting
from gatehouse_bench.tokens import write_tokens

CLIENTS = 16
TICK = os.sysconf("SC_CLK_TCK")


@dataclasses.dataclass
class Meter:
    """What was used up to a moment: seconds of processors, bytes of log and of stored rows."""

    server: float
    postgres: float
    log: float
    disk: float

    def since(self, before: "Meter") -> "Meter":
        """What was used between the two moments."""
        return Meter(*(mine - theirs for mine, theirs in zip(dataclasses.astuple(self), dataclasses.astuple(before))))

    def less(self, idle: "Meter", share: float) -> "Meter":
        """The same without what an idle server used in that share of a window."""
        pairs = zip(dataclasses.astuple(self), dataclasses.astuple(idle))
        return Meter(*(mine - share * theirs for mine, theirs in pairs))


@dataclasses.dataclass
class Cost:
    """One line of the table, for each operation."""

    work: str
    count: int
    spent: Meter

    @property
    def line(self) -> str:
        """Milliseconds of both processors, kilobytes of log and of disk."""
        each = [value / self.count for value in dataclasses.astuple(self.spent)]
        return (f"{self.work:<26}{self.count:>8}{each[0] * 1000:>11.2f}{each[1] * 1000:>13.2f}{each[2] / 1024:>10.2f}"
                f"{each[3] / 1024:>10.2f}")


def processor(pid: int, with_children: bool = False) -> float:
    """Seconds that a process used; with those of the children that ended."""
    with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return sum(int(field) for field in fields[11:15 if with_children else 13]) / TICK


def cluster(server: Server) -> float:
    """Seconds that PostgreSQL used: the postmaster, its children, and those that ended."""
    path = glob.glob(os.path.join(server.data, "**", "postmaster.pid"), recursive=True)[0]
    with open(path, encoding="utf-8") as file:
        postmaster = int(file.readline())
    seconds = processor(postmaster, with_children=True)
    for path in glob.glob("/proc/[0-9]*/stat"):
        try:
            with open(path, encoding="utf-8") as file:
                parent = int(file.read().rsplit(")", 1)[1].split()[1])
            if parent == postmaster:
                seconds += processor(int(path.split("/")[2]))
        except OSError:
            # It ended meanwhile.
            continue
    return seconds


def read(server: Server) -> Meter:
    """The meter at this moment."""
    row = server.sql(
        "SELECT pg_current_wal_insert_lsn() - '0/0', sum(pg_total_relation_size(oid)) FROM pg_class "
        "WHERE relnamespace = 'gatehouse'::regnamespace AND relkind = 'r'")[0]
    return Meter(processor(server.process.pid), cluster(server), float(row[0]), float(row[1]))


def settle(server: Server) -> None:
    """Waits until the work after the requests is done: mails are sent, the audit log is sealed."""
    end = time.monotonic() + 120
    pending = ("SELECT (SELECT count(*) FROM gatehouse.outbox WHERE delivered_at IS NULL) "
               "+ (SELECT count(*) FROM gatehouse.audit_unsealed)")
    while int(server.sql(pending)[0][0]) > 0 and time.monotonic() < end:
        time.sleep(0.5)


def costs(setting: Setting) -> list[Cost]:
    """The table's lines. An idle server's use is taken off."""
    with running(setting.program, setting.variables) as server:
        # Logged pages after a checkpoint are whole ones: all operations meet the same few.
        people = sign_up(server, 200, "c")
        settle(server)
        server.sql("CHECKPOINT")
        before, began = read(server), time.monotonic()
        time.sleep(10)
        idle, pause = read(server).since(before), time.monotonic() - began

        def measured(work: str, load: Callable[[], int]) -> Cost:
            before, began = read(server), time.monotonic()
            count = load()
            settle(server)
            spent = read(server).since(before)
            return Cost(work, count, spent.less(idle, (time.monotonic() - began) / pause))

        def many(script: str, path: str, arguments: list[str]) -> Callable[[], int]:
            url = f"{server.base}/t/{TENANT}/v1/{path}"
            return lambda: wrk(url, 3 * setting.seconds, CLIENTS, script, arguments).demand_success(path).requests

        bodies = write_bodies(server, people)
        lines = [
            measured("sign-up", lambda: len(sign_up(server, 600, "n"))),
            measured("sign-in, known device", many("sign_in.lua", "sign-in", [bodies])),
        ]
        tokens = write_tokens(server, [who.refresh_token for who in sign_in(server, people[:CLIENTS + 4])])
        lines.append(measured("refresh", many("refresh.lua", "token", [tokens])))
        tokens = write_tokens(server, [who.access_token for who in sign_in(server, people[:32])])
        lines.append(measured("GET /v1/me", many("me.lua", "me", [tokens])))
        lines.append(measured("GET /v1/policy", many("plain.lua", "policy", [])))
        return lines


def show(lines: list[Cost]) -> None:
    """Prints the table."""
    print(f"{'operation':<26}{'count':>8}{'server, ms':>11}{'database, ms':>13}{'log, KiB':>10}{'disk, KiB':>10}")
    for line in lines:
        print(line.line)
