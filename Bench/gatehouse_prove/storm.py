"""More sign-ins than the machine can hash, on a server that may hold 512 MB: what does not fit is refused quickly with a time
to come back, cheap requests go on, and what is too long to be a password costs nothing."""
from __future__ import annotations

import contextlib
import json
import os
import stat
import statistics
import subprocess
import threading
from collections.abc import Iterator

from gatehouse_bench.machine import paced
from gatehouse_bench.passwords import Storm, write_bodies
from gatehouse_bench.people import Person, sign_up
from gatehouse_bench.rounds import percentile
from gatehouse_bench.server import TENANT, Link, Server, running

LIMIT = 512 << 20


@contextlib.contextmanager
def confined(program: str) -> Iterator[tuple[str, "Group | None", str]]:
    """The program in a control group of its own (with all that it starts, PostgreSQL too); how it is confined, in words."""
    group = Group.make()
    wrapper = f"/tmp/gatehouse-prove-confined-{os.getpid()}"
    enter = f"echo $$ > {group.path}/cgroup.procs" if group else "true"
    with open(wrapper, "w", encoding="utf-8") as file:
        file.write(f'#!/bin/sh\n{enter} && exec "{program}" "$@"\n')
    os.chmod(wrapper, stat.S_IRWXU)
    try:
        yield wrapper, group, f"a cgroup of {LIMIT >> 20} MB" if group else "no cgroup can be made here; only measured"
    finally:
        os.unlink(wrapper)
        if group:
            group.remove()


class Group:
    """A control group with a limit on memory, of whichever version the machine has."""

    def __init__(self, path: str, limit: str, peak: str, events: str) -> None:
        self.path, self.limit, self.peak, self.events = path, limit, peak, events

    @staticmethod
    def make() -> "Group | None":
        """Nil where this process may not."""
        name = f"gatehouse-prove-{os.getpid()}"
        for group in (
            Group(f"/sys/fs/cgroup/memory/{name}", "memory.limit_in_bytes", "memory.max_usage_in_bytes",
                  "memory.oom_control"),
            Group(f"/sys/fs/cgroup/{name}", "memory.max", "memory.peak", "memory.events"),
        ):
            try:
                os.mkdir(group.path)
                with open(f"{group.path}/{group.limit}", "w", encoding="utf-8") as file:
                    file.write(str(LIMIT))
                return group
            except OSError:
                with contextlib.suppress(OSError):
                    os.rmdir(group.path)
        return None

    def read(self, name: str) -> str:
        """A file of the group; empty where there is none."""
        try:
            with open(f"{self.path}/{name}", encoding="utf-8") as file:
                return file.read()
        except OSError:
            return ""

    @property
    def killed(self) -> int:
        """Processes that were killed for memory."""
        return sum(int(line.split()[1]) for line in self.read(self.events).splitlines() if line.startswith("oom_kill "))

    def remove(self) -> None:
        """Ends it, once it is empty."""
        with contextlib.suppress(OSError):
            os.rmdir(self.path)


def prove(program: str, seconds: float = 10) -> bool:
    """A quiet server, then the storm, then passwords that are none."""
    with confined(program) as (wrapper, group, how), running(wrapper) as server:
        people = sign_up(server, 512, "s")
        good = too_long(server, people[0])
        bodies = write_bodies(server, people[9:])
        token = [f"Authorization: Bearer {people[0].access_token}"]
        url = f"{server.base}/t/{TENANT}/v1/me"
        quiet = paced(url, 500, seconds, fields=token)
        refreshing = Refreshing(server, people[1:8])
        with Storm(server, bodies, seconds, people[8]) as seen:
            loud = paced(url, 500, seconds, fields=token)
            resident = server.resident()
        refreshed, failed = refreshing.end()
        worst = max(seen.refusals, default=0)
        print(f"storm     {how}; the server held {resident:.0f} MB, with PostgreSQL at most "
              f"{int(group.read(group.peak) or 0) / 2**20 if group else 0:.0f} MB; "
              f"killed for memory: {group.killed if group else 'unknown'}")
        print(f"          {len(seen.refusals)} of {seen.probes} probes refused with 503 in {percentile(seen.refusals, 0.5):.0f} ms "
              f"(median), {worst:.0f} ms (worst), {seen.without_wait} without Retry-After" if seen.refusals else
              "          no probe was refused: the storm was too weak")
        print(f"          GET /v1/me: p99 {percentile(quiet.times, 0.99):.1f} ms before, {percentile(loud.times, 0.99):.1f} ms "
              f"during, {loud.success:.2%} answered; {refreshed} refreshes, {failed} failed", flush=True)
        return (good and bool(seen.refusals) and worst < 100 and not seen.without_wait and loud.success >= 0.999
                and not failed and (group is None or not group.killed))


class Refreshing:
    """People who exchange their tokens all the while."""

    def __init__(self, server: Server, people: list[Person]) -> None:
        self.server, self.over, self.done, self.failed = server, threading.Event(), 0, 0
        self.threads = [threading.Thread(target=self.run, args=(one.refresh_token,)) for one in people]
        for thread in self.threads:
            thread.start()

    def run(self, token: str) -> None:
        """One person."""
        link = Link(self.server.base)
        while not self.over.wait(0.1):
            status, answer = link.json("POST", f"/t/{TENANT}/v1/token", {"refresh_token": token})
            if status == 200:
                token = answer["refresh_token"]
                self.done += 1
            else:
                self.failed += 1

    def end(self) -> tuple[int, int]:
        """How many went well, and how many did not."""
        self.over.set()
        for thread in self.threads:
            thread.join()
        return self.done, self.failed


def too_long(server: Server, who: Person, count: int = 200) -> bool:
    """Passwords of 2 KB, 60 KB and 1 MB: not one hash, and time of the processor as an ordinary refusal costs it (that of a
    password of one byte): what can be read is read and judged, a body of 1 MB is not even that."""
    good, ordinary = True, 0.0
    for size, allowance in ((1, 1.0), (2 << 10, 1.5), (60 << 10, 2.5), (1 << 20, 0.5)):
        body = json.dumps({"email": who.email, "password": "x" * size})
        hashes, began = server.metric("gatehouse_hash_done_total"), processor(server)
        statuses = set()
        for _ in range(count):
            link = Link(server.base)
            with contextlib.suppress(OSError):
                link.connection.request(
                    "POST", f"/t/{TENANT}/v1/sign-up", body, {"Content-Type": "application/json"})
                statuses.add(link.connection.getresponse().status)
            link.close()
        spent = (processor(server) - began) / count * 1000
        made = server.metric("gatehouse_hash_done_total") - hashes
        ordinary = ordinary or spent
        good = good and made == 0 and spent <= allowance * ordinary
        print(f"too long  {count} sign-ups with passwords of {size} bytes: {made:.0f} hashes, {spent:.2f} ms of the processor "
              f"each, answered {sorted(statuses)}", flush=True)
    return good


def processor(server: Server) -> float:
    """Seconds of the processor that the server's own process has used."""
    with open(f"/proc/{server.process.pid}/stat", encoding="utf-8") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
