"""Paced clients, who keep on with what users do and note what they are told."""
from __future__ import annotations

import asyncio
import dataclasses
import itertools
import random
import threading
import time
import uuid

from gatehouse_prove.failover.ledger import DONE, LOST, Answer, Attempt, Family, Ledger, Name
from gatehouse_prove.failover.line import Line

# The owners of sessions, those who sign in and out, those who sign up, those who read the key set.
HOLDERS, VISITORS, COMERS, VERIFIERS = 20, 12, 3, 2
# Changes of a new profile, and the share of its turns in which a holder makes one: an account may make 120 an hour.
CHANGES, SHARE = 3, 0.02


@dataclasses.dataclass
class Person:
    """A user with a session."""

    email: str
    password: str
    session: str = ""
    access: str = ""
    refresh: str = ""
    device: str = ""
    number: int = 0

    def take(self, body: dict) -> None:
        """Keeps what a session answer brings."""
        self.access, self.refresh = body["access_token"], body["refresh_token"]
        if "session" in body:
            self.session = body["session"]["id"].lower()
        self.device = body.get("device", {}).get("id", self.device)


class Crowd:
    """All clients of one address, in a thread of their own."""

    def __init__(self, host: str, port: int) -> None:
        self.host, self.port, self.ledger = host, port, Ledger()
        self.numbers = itertools.count()
        self.holders: list[Person] = []
        self.visitors: list[Person] = []
        self.is_over = threading.Event()
        self.thread: threading.Thread | None = None
        self.trouble: BaseException | None = None

    def line(self) -> Line:
        """A connection."""
        return Line(self.host, self.port)

    def populate(self) -> None:
        """Signs up all who are needed from the start."""
        async def all_of_them() -> None:
            line = self.line()
            for number in range(HOLDERS + VISITORS):
                person = await self.sign_up(line)
                if person is None:
                    raise OSError(f"no sign-up before the first fault: {self.ledger.answers[-1]}")
                (self.holders if number < HOLDERS else self.visitors).append(person)
            line.close()

        asyncio.run(all_of_them())

    def start(self) -> None:
        """Begins to ask."""
        self.is_over.clear()

        def run() -> None:
            try:
                asyncio.run(self.everyone())
            except BaseException as error:  # pylint: disable=broad-exception-caught
                self.trouble = error

        self.thread = threading.Thread(target=run, daemon=True)
        self.thread.start()

    def stop(self) -> None:
        """Asks no more; returns when the last answer came."""
        self.is_over.set()
        if self.thread is not None:
            self.thread.join()
        if self.trouble is not None:
            raise self.trouble

    async def everyone(self) -> None:
        """Until the run is over."""
        await asyncio.gather(
            *(self.repeat(self.hold, person, 0.9) for person in self.holders),
            *(self.repeat(self.visit, person, 2) for person in self.visitors),
            *(self.repeat(self.come, None, 0.7) for _ in range(COMERS)),
            *(self.repeat(self.verify, None, 0.08) for _ in range(VERIFIERS)))

    async def repeat(self, step, person: Person | None, pause: float) -> None:
        """One client: one step after the other, with pauses."""
        line = self.line()
        await asyncio.sleep(random.uniform(0, pause))
        while not self.is_over.is_set():
            await step(line, person)
            await asyncio.sleep(random.uniform(0.5, 1.5) * pause)
        line.close()

    async def ask(self, kind: str, success: int, line: Line, method: str, path: str, body: object = None, token: str = "",
                  key: str = "", is_again: bool = False) -> tuple[Answer, str]:
        """One counted request. A repetition that is told that the first one is still under way is no failure of its own."""
        asked = time.monotonic()
        answer = await line.ask(method, path, body, token, key)
        outcome = answer.judged(success)
        if is_again and answer.code == "conflict":
            return answer, outcome
        self.ledger.count(kind, asked, time.monotonic(), answer, outcome)
        return answer, outcome

    async def insist(self, attempt: Attempt, *words, **more) -> Answer:
        """Asks again under the same key until the outcome is known, as an app does; for a minute at most."""
        end, lost = time.monotonic() + 60, None
        while True:
            answer, outcome = await self.ask(*words, **more, is_again=lost is not None)
            attempt.tries[outcome] += 1
            if outcome == LOST and lost is None:
                lost = time.monotonic()
            # A claim of the key that was not released yet is answered 409: its outcome is as unknown as before.
            is_last = (outcome == DONE or not (lost or answer.status == 503) or time.monotonic() > end
                       or (self.is_over.is_set() and outcome != LOST))
            if is_last:
                if lost is not None:
                    self.ledger.repeated.append((lost, time.monotonic()))
                return answer
            await asyncio.sleep(0.5)

    async def sign_up(self, line: Line) -> Person | None:
        """A new user."""
        name = f"p{next(self.numbers)}"
        person = Person(f"{name}@example.com", f"kt49xw-{name}")
        attempt = self.ledger.sign_ups[person.email]
        body = {"email": person.email, "password": person.password, "profile": {"displayName": f"{name} at first"}}
        answer = await self.insist(attempt, "sign_up", 201, line, "POST", "/v1/sign-up", body, key=str(uuid.uuid4()))
        if answer.status != 201:
            return None
        person.take(answer.body)
        attempt.id = answer.body["user"]["id"]
        self.ledger.sessions.add(person.session)
        self.ledger.names[person.email] = Name(f"{name} at first")
        self.ledger.families[person.session] = Family()
        return person

    async def come(self, line: Line, _: None) -> None:
        """One sign-up after the other, each followed by changes of the new profile."""
        person = await self.sign_up(line)
        for _ in range(CHANGES if person is not None else 0):
            await asyncio.sleep(random.uniform(0.05, 0.2))
            await self.rename(line, person)

    async def hold(self, line: Line, person: Person) -> None:
        """Exchanges the refresh token until that is done, reads itself, now and then changes its name."""
        family, key = self.ledger.families[person.session], str(uuid.uuid4())
        while True:
            asked = time.monotonic()
            answer = await line.ask("POST", "/v1/token", {"refresh_token": person.refresh}, key=key)
            outcome = family.note(answer)
            self.ledger.count("refresh", asked, time.monotonic(), answer, outcome)
            if outcome == DONE:
                person.take(answer.body)
                break
            if self.is_over.is_set():
                return
            await asyncio.sleep(0.5)
        answer, _ = await self.ask("me", 200, line, "GET", "/v1/me", token=person.access)
        if answer.status in (401, 403):
            self.ledger.turned_away.append(f"{person.session}: {answer.code}")
        if random.random() < SHARE:
            await self.rename(line, person)

    async def rename(self, line: Line, person: Person) -> None:
        """Changes the name of the profile."""
        person.number += 1
        name = f"{person.email} {person.number}"
        _, outcome = await self.ask(
            "profile", 200, line, "PATCH", "/v1/me", {"profile": {"displayName": name}}, token=person.access)
        self.ledger.names[person.email].note(name, outcome)

    async def visit(self, line: Line, person: Person) -> None:
        """Signs in, reads itself, signs out."""
        body = {"email": person.email, "password": person.password, "device": {"id": person.device}}
        answer, outcome = await self.ask("sign_in", 200, line, "POST", "/v1/sign-in", body)
        self.ledger.sign_ins[person.email].tries[outcome] += 1
        if outcome != DONE:
            return
        session, token = answer.body["session"]["id"].lower(), answer.body["access_token"]
        self.ledger.sessions.add(session)
        attempt = Attempt()
        await asyncio.sleep(random.uniform(0.1, 0.5))
        self.ledger.sign_outs[session] = attempt
        await self.insist(attempt, "sign_out", 204, line, "POST", "/v1/sign-out", {}, token=token)

    async def verify(self, line: Line, _: None) -> None:
        """Reads the key set."""
        line.patience = 2
        await self.ask("keys", 200, line, "GET", "/.well-known/jwks.json")
