"""Two thousand clients at once, each of whom notes what it was told."""
from __future__ import annotations

import asyncio
import dataclasses
import json
import random
import time

TENANT = "vibes"
LOST = "lost"
DONE = "done"
REFUSED = "refused"


class Line:
    """One connection, opened when first needed and anew after each loss."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def open(self) -> None:
        """Connects."""
        self.streams = await asyncio.wait_for(asyncio.open_connection("127.0.0.1", self.port), 10)

    async def post(self, path: str, body: object) -> tuple[int, dict] | None:
        """Status and JSON; None when the answer did not come, and the outcome is unknown."""
        try:
            if self.streams is None:
                await self.open()
            reader, writer = self.streams
            text = json.dumps(body).encode()
            writer.write(
                f"POST /t/{TENANT}{path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
                f"Content-Length: {len(text)}\r\n\r\n".encode() + text)
            head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 60)
            fields = dict(line.lower().split(": ", 1) for line in head.decode().split("\r\n")[1:] if line)
            answer = await asyncio.wait_for(reader.readexactly(int(fields.get("content-length", "0"))), 60)
            if fields.get("connection") == "close":
                self.close()
            return int(head[9:12]), json.loads(answer) if answer else {}
        except (OSError, asyncio.IncompleteReadError, asyncio.TimeoutError):
            self.close()
            return None

    async def insist(self, path: str, body: object) -> tuple[int, dict] | None:
        """The same for what is to be answered: while the server is busy, asks again when it says, ten times at most."""
        for _ in range(10):
            answer = await self.post(path, body)
            if answer is None or answer[1].get("code") != "overloaded":
                break
            await asyncio.sleep(answer[1]["retry_after"])
        return answer

    def close(self) -> None:
        """Forgets the connection."""
        if self.streams is not None:
            self.streams[1].close()
        self.streams = None


def judged(answer: tuple[int, dict] | None, success: int) -> str:
    """What the client may conclude. A server that says it does not know has told as little as a lost connection."""
    if answer is None or answer[1].get("code") == "unknown_outcome":
        return LOST
    return DONE if answer[0] == success else REFUSED


def reason(outcome: str, answer: tuple[int, dict] | None) -> str:
    """The outcome, with the code of a refusal."""
    return f"{outcome} ({answer[1].get('code', answer[0])})" if outcome == REFUSED and answer else outcome


@dataclasses.dataclass
class SignUp:
    """One attempt to sign up with an address."""

    name: str
    outcome: str = LOST
    answer: tuple[int, dict] | None = None

    @property
    def email(self) -> str:
        """The address."""
        return f"{self.name}@example.com"

    @property
    def password(self) -> str:
        """Its password."""
        return f"kt49xw-{self.name}"

    async def run(self, line: Line) -> None:
        """Asks once."""
        self.answer = await line.post("/v1/sign-up", {
            "email": self.email, "password": self.password, "profile": {"username": self.name}})
        self.outcome = judged(self.answer, 201)


@dataclasses.dataclass
class Owner:
    """A user who resets the password, over and over."""

    email: str
    account: str
    password: str
    token: str = ""
    wanted: str = ""
    outcome: str = LOST
    answer: tuple[int, dict] | None = None

    async def run(self, line: Line) -> None:
        """Confirms once."""
        self.answer = await line.post("/v1/password-reset/confirm", {"token": self.token, "password": self.wanted})
        self.outcome = judged(self.answer, 204)


@dataclasses.dataclass
class Family:
    """A session that exchanges one refresh token after the other."""

    session: str
    token: str
    exchanged: int = 0
    # Whether the last exchange may have happened without an answer.
    in_doubt: bool = False
    refused: list[tuple[int, dict]] = dataclasses.field(default_factory=list)
    successes: list[float] = dataclasses.field(default_factory=list)

    async def exchange(self, line: Line) -> str:
        """Exchanges once; after a loss the same token is shown again, as a client would."""
        answer = await line.post("/v1/token", {"refresh_token": self.token})
        outcome = judged(answer, 200)
        if outcome == DONE and answer is not None:
            self.token = answer[1]["refresh_token"]
            self.exchanged += 1
            self.in_doubt = False
            self.successes.append(time.monotonic())
        elif outcome == LOST:
            self.in_doubt = True
        elif answer is not None and answer[1].get("code") not in ("overloaded",):
            self.refused.append(answer)
        return outcome

    async def run(self, line: Line, over: asyncio.Event) -> None:
        """Until the load is over."""
        while not over.is_set():
            await self.exchange(line)
            await asyncio.sleep(random.uniform(0.2, 1))


async def gather_all(port: int, tasks: list, limit: int = 64) -> None:
    """Runs `task(line)` for each with so many connections."""
    waiting = iter(tasks)

    async def worker() -> None:
        line = Line(port)
        for task in waiting:
            await task(line)
        line.close()

    await asyncio.gather(*(worker() for _ in range(limit)))
