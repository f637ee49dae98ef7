"""One kept connection of a client, over TLS, by asyncio."""
from __future__ import annotations

import asyncio
import json

from gatehouse_bench.server import TENANT, trusting
from gatehouse_prove.failover.ledger import Answer

# A PROXY header (version 2) that says nothing of a client: for a connection past the proxy.
LOCAL = b"\r\n\r\n\x00\r\nQUIT\n\x20\x00\x00\x00"


class Line:
    """Opened when first needed, and anew after each loss."""

    def __init__(self, host: str, port: int, has_tls: bool = True, greeting: bytes = b"", patience: float = 30) -> None:
        self.host, self.port, self.has_tls, self.greeting, self.patience = host, port, has_tls, greeting, patience
        self.streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, method: str, path: str, body: object = None, token: str = "", key: str = "") -> Answer:
        """One request and its answer; of a connection that ends before the answer nothing is known."""
        head = f"{method} /t/{TENANT}{path} HTTP/1.1\r\nHost: {self.host}:{self.port}\r\n"
        head += f"Authorization: Bearer {token}\r\n" if token else ""
        head += f"Idempotency-Key: {key}\r\n" if key else ""
        text = json.dumps(body).encode() if body is not None else b""
        head += f"Content-Type: application/json\r\nContent-Length: {len(text)}\r\n" if body is not None else ""
        try:
            return await asyncio.wait_for(self.exchange(head.encode() + b"\r\n" + text), self.patience)
        except (OSError, asyncio.IncompleteReadError, asyncio.TimeoutError, ValueError):
            self.close()
            return Answer(0, {})

    async def exchange(self, data: bytes) -> Answer:
        """Sends, and reads the whole answer."""
        if self.streams is None:
            tls = trusting() if self.has_tls else None
            self.streams = await asyncio.wait_for(asyncio.open_connection(self.host, self.port, ssl=tls), 5)
            self.streams[1].write(self.greeting)
        reader, writer = self.streams
        writer.write(data)
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        fields = dict(line.lower().split(": ", 1) for line in head.split("\r\n")[1:] if ": " in line)
        text = await reader.readexactly(int(fields["content-length"])) if "content-length" in fields else b""
        if "content-length" not in fields and int(head[9:12]) not in (204, 304):
            text = await reader.read()  # HAProxy's own answers end with their connection
            self.close()
        if fields.get("connection") == "close":
            self.close()
        try:
            body, is_ours = json.loads(text) if text else {}, True
        except ValueError:
            body, is_ours = {}, False
        return Answer(int(head[9:12]), body if isinstance(body, dict) else {}, is_ours)

    def close(self) -> None:
        """Forgets the connection."""
        if self.streams is not None:
            self.streams[1].close()
        self.streams = None
