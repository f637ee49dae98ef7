"""Ten thousand idle connections, in clear and over TLS: what each costs in memory, and that closing them gives it back."""
from __future__ import annotations

import asyncio
import os
import re
import resource
import statistics
import tempfile
import time

from gatehouse_bench.machine import run
from gatehouse_bench.server import TENANT, Server, running, trusting

COUNT = 10_000
LIMIT_KB = 40.0
GET = f"GET /t/{TENANT}/v1/policy HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode()


def body(size: int) -> bytes:
    """A request with a body, which the server reads into a buffer of its own."""
    text = b'{"password": "' + b"a" * size + b'"}'
    return (f"POST /t/{TENANT}/v1/password-check HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(text)}\r\n\r\n").encode() + text


class Idle(asyncio.Protocol):
    """One connection that asks a few times and then says nothing."""

    def __init__(self) -> None:
        self.rest = b""
        self.answered: asyncio.Future[int] | None = None
        self.transport: asyncio.Transport | None = None
        self.is_lost = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Open."""
        self.transport = transport  # type: ignore[assignment]

    def connection_lost(self, error: Exception | None) -> None:
        """Closed by the server."""
        self.is_lost = True
        if self.answered is not None and not self.answered.done():
            self.answered.set_exception(ConnectionError("closed"))

    def data_received(self, data: bytes) -> None:
        """Part of an answer."""
        self.rest += data
        head, found, text = self.rest.partition(b"\r\n\r\n")
        length = re.search(rb"content-length: (\d+)", head.lower())
        if found and self.answered is not None and len(text) >= (int(length[1]) if length else 0):
            self.rest = b""
            self.answered.set_result(int(head[9:12]))

    async def ask(self, request: bytes) -> int:
        """The status of one answer."""
        self.answered = asyncio.get_running_loop().create_future()
        self.transport.write(request)
        return await asyncio.wait_for(self.answered, 60)


async def connect(server: Server) -> Idle:
    """One connection, over TLS where the server speaks it."""
    secure = trusting() if server.base.startswith("https") else None
    return (await asyncio.get_running_loop().create_connection(Idle, "127.0.0.1", server.port, ssl=secure))[1]


async def open_all(server: Server, requests: list[bytes]) -> list[Idle]:
    """All connections, each of which has had its answers."""
    lines: list[Idle] = []

    async def one() -> None:
        line = await connect(server)
        for request in requests:
            status = await line.ask(request)
            if status >= 500:
                raise RuntimeError(f"status {status}")
        lines.append(line)

    for _ in range(COUNT // 100):
        await asyncio.gather(*(one() for _ in range(100)))
    return lines


async def settled(server: Server) -> float:
    """Resident megabytes, once they do not change any more."""
    last = server.resident()
    while True:
        await asyncio.sleep(1)
        now = server.resident()
        if abs(now - last) < 0.5:
            return now
        last = now


async def active(server: Server, count: int = 2000) -> float:
    """The 99th percentile in milliseconds of one busy connection's requests."""
    line = await connect(server)
    times = []
    for _ in range(count):
        began = time.perf_counter()
        await line.ask(GET)
        times.append((time.perf_counter() - began) * 1000)
    line.transport.close()
    return statistics.quantiles(times, n=100)[98]


async def measure(server: Server) -> bool:
    """Opens, measures and closes, twice."""
    await active(server, 500)
    before, alone = await settled(server), await active(server)
    good = True
    three = [GET, body(8000), GET]
    for name, requests in (("after a request each", [GET]), ("after three, one with a body of 8 KB", three)):
        lines = await open_all(server, requests)
        during = await settled(server)
        counted = server.metric("gatehouse_connections_open")
        crowded = await active(server)
        lost = sum(line.is_lost for line in lines)
        for line in lines:
            line.transport.close()
        while server.metric("gatehouse_connections_open") > 10:
            await asyncio.sleep(0.2)
        after = await settled(server)
        each = (during - before) * 1024 / COUNT
        over = " over TLS" if server.base.startswith("https") else ""
        print(f"idle      {counted:,.0f} connections{over} {name}: {each:.1f} KB each ({before:.0f} to {during:.0f} MB, "
              f"{after:.0f} MB when they have gone), {lost} lost; p99 of an active one {alone:.2f} ms without, "
              f"{crowded:.2f} ms with them")
        good = good and each <= LIMIT_KB and lost == 0 and counted >= COUNT
    return good


def prove(program: str) -> bool:
    """At most `LIMIT_KB` each."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    # The loops share the cap evenly, the kernel spreads connections among them by chance. Beyond half of what an address may
    # have, idle ones make way.
    settings = {"GATEHOUSE_LIMITS_CONNECTIONS": str(COUNT * 2),
                "GATEHOUSE_LIMITS_CONNECTIONS_PER_ADDRESS": str(COUNT * 4), "GATEHOUSE_LIMITS_IDLE_TIMEOUT": "1h"}
    with running(program, settings) as server:
        good = asyncio.run(measure(server))
    with tempfile.TemporaryDirectory(prefix="gatehouse-prove-") as place:
        settings |= self_signed(place)
        with running(program, settings) as server:
            return asyncio.run(measure(server)) and good


def self_signed(place: str) -> dict[str, str]:
    """Settings with a self-signed certificate."""
    certificate, key = os.path.join(place, "certificate.pem"), os.path.join(place, "key.pem")
    run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", key, "-out",
         certificate, "-days", "2", "-subj", "/CN=localhost"])
    return {"GATEHOUSE_TLS_CERTIFICATE": certificate, "GATEHOUSE_TLS_KEY": key}
