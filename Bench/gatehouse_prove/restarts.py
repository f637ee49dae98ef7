"""Rolling restarts under load: a new server starts at the same address, the old one drains; no request may fail."""
from __future__ import annotations

import asyncio
import collections
import dataclasses
import os
import random
import signal
import statistics
import subprocess
import sys
import time

from gatehouse_bench.machine import free_port
from gatehouse_bench.server import TENANT, Link, Server, running

BUSY, BRIEF, THOUGHTFUL = 48, 8, 24


@dataclasses.dataclass
class Seen:
    """What all clients saw."""

    answered: int = 0
    retried: int = 0
    times: list[float] = dataclasses.field(default_factory=list)
    failed: collections.Counter[str] = dataclasses.field(default_factory=collections.Counter)


def request(kind: int) -> bytes:
    """A document or a judgement, as bytes."""
    if kind % 2 == 0:
        return f"GET /t/{TENANT}/v1/policy HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode()
    text = b'{"password": "Wildcat1"}'
    return (f"POST /t/{TENANT}/v1/password-check HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(text)}\r\n\r\n").encode() + text


class Client:
    """One client of RFC 9112: it keeps its connection until it is told that the connection closes."""

    def __init__(self, port: int, seen: Seen, thinks: float = 0, is_brief: bool = False) -> None:
        self.port, self.seen, self.thinks, self.is_brief = port, seen, thinks, is_brief
        self.streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        self.is_used = False

    async def run(self, over: asyncio.Event) -> None:
        """Asks until the end."""
        kind = 0
        while not over.is_set():
            kind += 1
            began = time.perf_counter()
            try:
                await self.ask(request(kind))
                self.seen.answered += 1
                self.seen.times.append((time.perf_counter() - began) * 1000)
            except (OSError, EOFError, asyncio.TimeoutError, ValueError) as error:
                self.seen.failed[f"{type(error).__name__}: {error}"[:100]] += 1
                self.close()
            if self.thinks:
                await asyncio.sleep(random.uniform(0, self.thinks))
        self.close()

    async def ask(self, data: bytes) -> None:
        """One request. A kept connection that ends before any byte of the answer was closed by the server for having
        been idle: the request goes out once more, on a new one (RFC 9112, section 9.3.1); only who pauses meets it."""
        was_used = self.is_used
        try:
            status = await asyncio.wait_for(self.exchange(data), 20)
        except (ConnectionError, asyncio.IncompleteReadError) as error:
            if not (was_used and self.thinks and not getattr(error, "partial", b"")):
                raise
            self.close()
            self.seen.retried += 1
            status = await asyncio.wait_for(self.exchange(data), 20)
        if status != 200:
            raise ValueError(f"status {status}")

    async def exchange(self, data: bytes) -> int:
        """Sends, and reads the whole answer."""
        if self.streams is None:
            self.streams = await asyncio.open_connection("127.0.0.1", self.port)
        reader, writer = self.streams
        writer.write(data)
        head = await reader.readuntil(b"\r\n\r\n")
        self.is_used = True
        fields = dict(line.lower().split(": ", 1) for line in head.decode().split("\r\n")[1:] if line)
        await reader.readexactly(int(fields.get("content-length", "0")))
        if fields.get("connection") == "close" or self.is_brief:
            self.close()
        return int(head[9:12])

    def close(self) -> None:
        """Forgets the connection."""
        if self.streams is not None:
            self.streams[1].close()
        self.streams, self.is_used = None, False


class Generation:
    """One of the servers that follow one another at the same address, on the database of another."""

    def __init__(self, program: str, base: Server, port: int) -> None:
        self.operations_port = free_port()
        clean = {name: value for name, value in os.environ.items() if not name.startswith("GATEHOUSE_")}
        settings = {
            "GATEHOUSE_DATABASE_URL": f"postgres://gatehouse_app@/gatehouse?host={base.sockets}",
            "GATEHOUSE_KEK_FILE": os.path.join(base.data, "kek"), "GATEHOUSE_SHARE_PORT": "true",
            "GATEHOUSE_DATABASE_CONNECTIONS": "8",
        }
        self.log = base.data + ".generations.log"
        with open(self.log, "ab") as output:
            self.process = subprocess.Popen(
                [program, "serve", "--dev", "--dev-limit-factor", "1", "--data-dir", base.data + ".other", "--listen", f"127.0.0.1:{port}",
                 "--ops-listen", f"127.0.0.1:{self.operations_port}", "--log-level", "warning", "--log-format", "json"],
                stdout=output, stderr=output, env=clean | settings)

    async def ready(self) -> None:
        """Waits until it is."""
        end = time.monotonic() + 60
        while time.monotonic() < end:
            if self.process.poll() is not None:
                with open(self.log, encoding="utf-8") as file:
                    sys.exit(f"prove: a server ended with {self.process.returncode}: {file.read()[-2000:]}")
            try:
                link = Link(f"http://127.0.0.1:{self.operations_port}", 2)
                if (await asyncio.to_thread(link.ask, "GET", "/readyz"))[0] == 200:
                    return
            except OSError:
                pass
            await asyncio.sleep(0.05)
        sys.exit("prove: a server did not become ready")

    async def end(self) -> int:
        """SIGTERM; the exit code."""
        self.process.send_signal(signal.SIGTERM)
        return await asyncio.to_thread(self.process.wait, 30)


async def roll(program: str, base: Server, rounds: int) -> bool:
    """So many restarts under load."""
    port = free_port()
    seen, over, codes, ends = Seen(), asyncio.Event(), collections.Counter(), []
    old = Generation(program, base, port)
    await old.ready()
    clients = [Client(port, seen) for _ in range(BUSY)] + [Client(port, seen, is_brief=True) for _ in range(BRIEF)]
    clients += [Client(port, seen, thinks=3) for _ in range(THOUGHTFUL)]
    load = [asyncio.create_task(client.run(over)) for client in clients]
    began = time.monotonic()
    for number in range(rounds):
        new = Generation(program, base, port)
        await new.ready()
        await asyncio.sleep(random.uniform(0, 0.3))
        told = time.monotonic()
        codes[await old.end()] += 1
        ends.append(time.monotonic() - told)
        old = new
        print(f"prove: restart {number + 1}/{rounds}, {seen.answered:,} answered, {sum(seen.failed.values())} failed",
              file=sys.stderr, flush=True)
    rate = seen.answered / (time.monotonic() - began)
    over.set()
    await asyncio.gather(*load)
    codes[await old.end()] += 1
    failed = sum(seen.failed.values())
    print(f"restarts  {rounds} under {rate:.0f} requests/s of {len(clients)} clients: {seen.answered:,} answered, "
          f"{failed} failed, {seen.retried} sent again on a new connection; exit codes {dict(codes)}; the old one "
          f"ended after {statistics.median(ends):.1f} s (median), {max(ends):.1f} s (worst); p99 "
          f"{statistics.quantiles(seen.times, n=100)[98]:.0f} ms, slowest {max(seen.times):.0f} ms")
    for what, count in seen.failed.most_common(10):
        print(f"          {count} times {what}")
    return failed == 0 and set(codes) == {0}


def prove(program: str, rounds: int) -> bool:
    """No request fails, and every server ends with 0."""
    with running(program) as base:
        return asyncio.run(roll(program, base, rounds))
