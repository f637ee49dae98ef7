"""What is done to the server or to PostgreSQL in the middle of the load."""
from __future__ import annotations

import asyncio
import dataclasses
import glob
import os
import signal
import sys
import time
from typing import Awaitable, Callable

from gatehouse_prove.world import World


def postmaster(world: World) -> int:
    """The pid of the private cluster's postmaster."""
    with open(os.path.join(world.server.data, "postgres", "postmaster.pid"), encoding="utf-8") as file:
        return int(file.readline())


def children(pid: int) -> list[int]:
    """Processes that this one started."""
    found: list[int] = []
    for path in glob.glob(f"/proc/{pid}/task/*/children"):
        with open(path, encoding="utf-8") as file:
            found += [int(word) for word in file.read().split()]
    return found


async def kill_server(world: World) -> None:
    """kill -9 of the server; its PostgreSQL is interrupted by the kernel."""
    world.server.kill()


async def kill_postgres(world: World) -> None:
    """kill -9 of the postmaster and every process of it, as when the machine loses power over it."""
    head = postmaster(world)
    os.kill(head, signal.SIGSTOP)  # it must not see its children go, or it would end the others gently
    for pid in [*children(head), head]:
        os.kill(pid, signal.SIGKILL)


async def kill_backend(world: World) -> None:
    """kill -9 of one backend in the middle of its work: PostgreSQL ends all others and recovers."""
    backends = world.sql(
        "SELECT pid FROM pg_stat_activity WHERE usename = 'gatehouse_app' ORDER BY state = 'active' DESC, random() LIMIT 1")
    os.kill(int(backends[0][0]), signal.SIGKILL)


async def restart_postgres(world: World) -> None:
    """A fast restart, as an operator does it."""
    os.kill(postmaster(world), signal.SIGINT)


async def storm(world: World) -> None:
    """Every connection of the server is ended twenty times a second, for five seconds."""
    end = time.monotonic() + 5
    while time.monotonic() < end:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-c",
            "import sys; from gatehouse_bench.server import psql; psql(sys.argv[1], sys.argv[2])", world.server.sockets,
            "DO $$ BEGIN FOR turn IN 1..20 LOOP PERFORM pg_stat_clear_snapshot(); "
            "PERFORM pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename IN ('gatehouse_app', "
            "'gatehouse_jobs'); PERFORM pg_sleep(0.05); END LOOP; END $$")
        await process.wait()


@dataclasses.dataclass(frozen=True)
class Blow:
    """One kind of blow."""

    name: str
    what: str
    strike: Callable[[World], Awaitable[None]]
    # The server itself is gone and must be started again.
    is_fatal: bool = False
    # Mails that may come again for one of these: one for the worker that was interrupted between sending and marking.
    repeats: int = 1


BLOWS = {
    blow.name: blow
    for blow in (
        Blow("server", "kill -9 of the server", kill_server, is_fatal=True),
        Blow("postgres", "kill -9 of all of PostgreSQL", kill_postgres),
        Blow("backend", "kill -9 of one backend", kill_backend),
        Blow("restart", "restart of PostgreSQL", restart_postgres),
        # A hundred times all connections end; each may catch the worker once.
        Blow("storm", "pg_terminate_backend, 100 times all", storm, repeats=100),
    )
}
