"""P8: start and memory at rest. P11: ten thousand idle connections."""
from __future__ import annotations

import os
import socket
import statistics
import time

from gatehouse_bench.calm import undisturbed
from gatehouse_bench.machine import Paced, allow_files, paced
from gatehouse_bench.rounds import Result, percentile
from gatehouse_bench.server import TENANT, Server, running
from gatehouse_bench.setting import Setting

IDLE = 10_000


def starts(setting: Setting, _: set[str]) -> list[Result]:
    """P8: a second server on the database of the first; from exec to the first 200 of /readyz."""
    with running(setting.program, setting.variables) as host:
        settings = setting.variables | {
            "GATEHOUSE_DATABASE_URL": f"postgres://gatehouse_app@/gatehouse?host={host.sockets}",
            "GATEHOUSE_KEK_FILE": os.path.join(host.data, "kek"),
        }

        def one(number: int) -> tuple[float, float]:
            server = Server(setting.program, f"{host.data}-{number}", None, settings)
            milliseconds = server.await_ready(tenant=None, pause=0.001) * 1000
            server.await_ready()
            time.sleep(0.5)
            megabytes = server.resident()
            server.stop()
            return milliseconds, megabytes

        rounds = undisturbed(max(5, setting.rounds), one)
    times, sizes = [list(figures) for figures in zip(*rounds.calm)]
    return [
        Result(
            "P8", "start to ready, database up", times, "ms", "< 100 ms", statistics.median(times) < 100,
            notes=[rounds.note]),
        Result("P8", "memory at rest, one tenant", sizes, "MB", "< 40 MB", statistics.median(sizes) < 40),
    ]


def idle(setting: Setting, _: set[str]) -> list[Result]:
    """P11: memory for each of the idle connections, and what they cost the active ones."""
    allow_files(IDLE + 1500)
    # Beyond half of what an address may have, idle connections make way.
    settings = setting.variables | {
        "GATEHOUSE_LIMITS_CONNECTIONS": str(IDLE + 1000), "GATEHOUSE_LIMITS_CONNECTIONS_PER_ADDRESS": str(2 * IDLE + 2000),
        "GATEHOUSE_LIMITS_IDLE_TIMEOUT": "10m",
    }

    def one(_number: int) -> tuple[float, Paced, Paced]:
        # A new server each time: memory that was given back once is no longer asked for.
        with running(setting.program, settings) as server:
            url = f"{server.base}/t/{TENANT}/v1/policy"
            alone = paced(url, 1000, setting.seconds)
            before = server.resident()
            sockets = [connection(server.port) for _ in range(IDLE)]
            try:
                return (server.resident() - before) * 1024 / IDLE, alone, paced(url, 1000, setting.seconds)
            finally:
                for link in sockets:
                    link.close()

    rounds = undisturbed(setting.rounds, one)
    kilobytes, alone, among = [list(figures) for figures in zip(*rounds.calm)]
    limit, ours = ([percentile(run.times, 0.99) for run in runs] for runs in (alone, among))
    calm = statistics.median(ours) <= 1.2 * statistics.median(limit)
    return [
        Result("P11", f"memory for each of {IDLE} idle connections", kilobytes, "KB", "<= 40 KB",
               statistics.median(kilobytes) <= 40),
        Result("P11", "policy document, 1000/s, p99 among them", ours, "ms", "<= 1.20 x",
               calm and min(run.success for _, _, run in rounds.all) == 1, limit, "none idle", [rounds.note]),
    ]


def connection(port: int) -> socket.socket:
    """A connection that asked once and is kept."""
    link = socket.create_connection(("127.0.0.1", port), timeout=30)
    link.sendall(b"GET /t/messai/.well-known/jwks.json HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
    if not link.recv(65536).startswith(b"HTTP/1.1 200"):
        raise ConnectionError("an idle connection was refused")
    return link
