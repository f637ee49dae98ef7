"""A server, its people, and what they hold: lives through all rounds of a proof."""
from __future__ import annotations

import asyncio
import os
import re
import sys
import time

from gatehouse_bench.machine import ROOT
from gatehouse_bench.server import Server, widened
from gatehouse_prove.crowd import DONE, TENANT, Family, Line, Owner, SignUp, gather_all
from gatehouse_prove.sink import Sink

OWNERS, FAMILIES = 500, 600


def policy() -> str:
    """The tenant's policy, with limits that a load from one address never meets."""
    with open(os.path.join(ROOT, "policies", TENANT + ".yaml"), encoding="utf-8") as file:
        text = widened(file.read())
    text, count = re.subn(r"resend_cooldown: \w+, max_sends_per_day: \d+", "resend_cooldown: 0s, max_sends_per_day: 100",
                          text)
    if count != 1:
        sys.exit("prove: the policy has no cooldown to shorten")
    return text


class World:
    """Everything that a round needs and leaves behind."""

    def __init__(self, program: str, place: str) -> None:
        self.program, self.place = program, place
        self.sink = Sink()
        self.policies = os.path.join(place, "policies")
        os.mkdir(self.policies)
        with open(os.path.join(self.policies, TENANT + ".yaml"), "w", encoding="utf-8") as file:
            file.write(policy())
        self.owners: list[Owner] = []
        self.families: list[Family] = []
        self.signed_up: list[SignUp] = []
        self.start()

    def start(self) -> float:
        """Starts the server; seconds until it is ready."""
        self.server = Server(self.program, os.path.join(self.place, "data"), self.policies, {
            "GATEHOUSE_HASH_QUEUE": "4096", "GATEHOUSE_SMTP_URL": self.sink.url,
            "GATEHOUSE_MAIL_FROM": "proof@example.com",
            # All clients come from one address here.
            "GATEHOUSE_LIMITS_CONNECTIONS_PER_ADDRESS": "10000"})
        return self.server.await_ready(TENANT)

    def sql(self, text: str) -> list[list[str]]:
        """Rows, as the superuser; asked again while PostgreSQL recovers."""
        return self.server.sql(text)

    async def populate(self) -> None:
        """Makes all users, through the front door."""
        people = [SignUp(f"settled{number}") for number in range(OWNERS + FAMILIES)]
        outside = people
        # On a slow machine so many at a time are more than the server takes.
        for _ in range(10):
            await gather_all(self.server.port, [one.run for one in outside])
            outside = [one for one in outside if one.answer is not None and one.answer[1].get("code") == "overloaded"]
        if bad := [one.answer for one in people if one.outcome != DONE]:
            sys.exit(f"prove: {len(bad)} people could not sign up: {bad[0]}")
        for one in people[:OWNERS]:
            self.owners.append(Owner(one.email, one.answer[1]["user"]["id"], one.password))
        for one in people[OWNERS:]:
            self.families.append(Family(one.answer[1]["session"]["id"], one.answer[1]["refresh_token"]))
        self.signed_up = people

    async def hand_out_tokens(self, round_name: str) -> None:
        """Gives each owner who has none a token to reset with, by mail."""
        needy = [owner for owner in self.owners if not owner.token]

        def asking(owner: Owner):
            async def ask(line: Line) -> None:
                # Connections to a PostgreSQL that was killed a moment ago may still be on their way back.
                answer = await line.insist("/v1/password-reset", {"email": owner.email})
                if answer is None or answer[0] != 202:
                    sys.exit(f"prove: a reset was not begun: {answer}")
            return ask

        with self.sink.lock:
            for owner in needy:
                self.sink.newest_token.pop(owner.email, None)
        await gather_all(self.server.port, [asking(owner) for owner in needy])
        end = time.monotonic() + 120
        while time.monotonic() < end:
            # A killed worker's mails wait for the end of its lease; here that end comes at once.
            self.hurry_mail()
            with self.sink.lock:
                for owner in needy:
                    owner.token = self.sink.newest_token.get(owner.email, "")
            if all(owner.token for owner in needy):
                break
            await asyncio.sleep(0.2)
        else:
            sys.exit("prove: the mails with reset links did not come")
        for owner in self.owners:
            owner.wanted = f"kt49xw-{round_name}-{owner.email}"

    def hurry_mail(self) -> None:
        """Lets waiting mails without a lease be due now."""
        self.sql("UPDATE gatehouse.outbox SET due_at = now() WHERE delivered_at IS NULL AND given_up_at IS NULL "
                 "AND due_at > now() + interval '1 second' AND NOT EXISTS (SELECT FROM gatehouse.outbox ready "
                 "WHERE ready.delivered_at IS NULL AND ready.given_up_at IS NULL AND ready.due_at <= now())")

    def close(self) -> int:
        """Ends everything; the server's exit code."""
        code = self.server.stop()
        self.sink.close()
        return code


