"""Accounts and their sessions, made through the front door."""
from __future__ import annotations

import concurrent.futures
import dataclasses
import sys

from gatehouse_bench.server import TENANT, Link, Server


@dataclasses.dataclass
class Person:
    """A user with a session."""

    email: str
    password: str
    access_token: str
    refresh_token: str
    device: str

    @property
    def credentials(self) -> dict[str, object]:
        """The body of a sign-in on the device of before, as apps do it: a new one would cost a mail."""
        return {"email": self.email, "password": self.password, "device": {"id": self.device}}


def sign_up(server: Server, count: int, prefix: str) -> list[Person]:
    """So many new people."""
    def one(number: int) -> Person:
        email, password = f"{prefix}{number}@example.com", f"kt49xw-{prefix}-{number}"
        body = {"email": email, "password": password, "profile": {"displayName": f"Person {number}"}}
        return person(server, "sign-up", 201, email, password, body)

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        return list(pool.map(one, range(count)))


def sign_in(server: Server, people: list[Person]) -> list[Person]:
    """The same people, each with a new session."""
    def one(who: Person) -> Person:
        return person(server, "sign-in", 200, who.email, who.password, who.credentials)

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        return list(pool.map(one, people))


def person(server: Server, path: str, wanted: int, email: str, password: str, body: object) -> Person:
    """The user whom this request signs in."""
    link = Link(server.base)
    status, answer = link.json("POST", f"/t/{TENANT}/v1/{path}", body)
    link.close()
    if status != wanted:
        sys.exit(f"bench: {path} was answered {status}: {answer}")
    return Person(email, password, answer["access_token"], answer["refresh_token"], answer["device"]["id"])
