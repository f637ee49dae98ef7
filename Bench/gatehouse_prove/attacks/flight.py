"""What a thief's session has under way while the owner's reset commits: nothing of it may come after."""
from __future__ import annotations

import collections
import secrets
import threading
import time
from collections.abc import Callable

from gatehouse_prove.attacks.people import MOVE, Person, Tenant
from gatehouse_prove.attacks.stage import REVEAL, Stage, fresh, password
from gatehouse_prove.attacks.verdict import Answer, Broke, Finding, attempt, demand, judged, noting

ROUNDS = 20
LINKS = 3
# What a thief may be told whose session was ended meanwhile; a success came before the reset, or is the attack.
TOLD = {200, 202, 204, 401, 403, 409}


def password_in_flight(stage: Stage) -> Finding:
    """The thief changes the password."""
    tenant = Tenant(stage, REVEAL)

    def play(victim: Person, offset: float) -> tuple[Answer, bool]:
        stolen = password("thief")
        change = {"current_password": victim.password, "password": stolen}
        told, secret = beside_reset(tenant, victim, lambda: tenant.post("me/password", change, victim.token), offset)
        return told, tenant.opens(victim.email, stolen) or not tenant.opens(victim.email, secret)

    return rounds(tenant, "the thief's password is the account's after the owner's reset", play)


def email_in_flight(stage: Stage) -> Finding:
    """The thief asks for another address, and confirms it afterwards."""
    tenant = Tenant(stage, REVEAL)

    def play(victim: Person, offset: float) -> tuple[Answer, bool]:
        target = fresh("thief")
        change = {"email": target, "password": victim.password}
        told, secret = beside_reset(tenant, victim, lambda: tenant.post("me/email", change, victim.token), offset)
        if token := tenant.mailed(target, MOVE):
            with noting([]):
                attempt(tenant.post("email-change/confirm", {"token": token}, victim.token), "its confirmation")
        return told, not tenant.opens(victim.email, secret)

    return rounds(tenant, "the thief moved the account after the owner's reset", play)


def link_in_flight(stage: Stage) -> Finding:
    """The thief links an identity, and its provider answers after the owner's reset."""
    tenant, gate = Tenant(stage, REVEAL), stage.provider.gate
    told, won = [], 0
    for _ in range(LINKS):
        victim, subject = tenant.settled("victim"), secrets.token_hex(8)
        callback = tenant.begin_link(victim.token, subject)
        gate.shut()
        try:
            asked = Asking(lambda: tenant.end_link(victim.token, callback))
            if not gate.held.wait(20):
                raise Broke(f"the provider was not asked: {asked.answer}")
            tenant.reset(victim.email)
        finally:
            gate.open()
        told.append(asked.wait())
        opened = demand(tenant.provider_sign_in(subject, fresh("visitor")), 200, "a provider's sign-in")
        won += opened.body["user"]["id"] == victim.id
    return summary(told, won, "the thief's identity signs in after the owner's reset")


def identity_stays(stage: Stage) -> Finding:
    """The thief links an identity before the owner's reset."""
    tenant, subject = Tenant(stage, REVEAL), secrets.token_hex(8)
    victim = tenant.settled("victim")
    attempt(tenant.end_link(victim.token, tenant.begin_link(victim.token, subject)), "the link")
    secret = tenant.reset(victim.email)
    if not tenant.opens(victim.email, secret):
        raise Broke("the owner's new password does not open the account")
    opened = demand(tenant.provider_sign_in(subject, fresh("visitor")), 200, "a provider's sign-in")
    return judged(opened.body["user"]["id"] == victim.id, "the thief's identity opens the owner's account after the reset",
                  ["the thief's identity opens an account of its own"])


def rounds(tenant: Tenant, got: str, play: Callable[[Person, float], tuple[Answer, bool]]) -> Finding:
    """Rounds in which the thief starts from two hashes before the owner to one after."""
    pace = tenant.settled("pace")
    began = time.monotonic()
    demand(tenant.sign_in(pace.email, pace.password), 200, "sign-in")
    hashing = time.monotonic() - began
    told, won = [], 0
    for number in range(ROUNDS):
        answer, lost = play(tenant.settled("victim"), hashing * (3 * number / (ROUNDS - 1) - 2))
        told.append(answer)
        won += lost
    if not any(200 <= answer.status < 300 for answer in told):
        raise Broke(f"the thief's request went through in no round, not even before the owner's: {told[0]}")
    return summary(told, won, got)


def summary(told: list[Answer], won: int, got: str) -> Finding:
    """Of all rounds of a chain."""
    if odd := [answer for answer in told if answer.status not in TOLD]:
        raise Broke(f"the thief's request: {odd[0]}")
    answers = ", ".join(f"{count} x {text}" for text, count in collections.Counter(map(str, told)).items())
    return judged(won > 0, f"in {won} of {len(told)} rounds {got} (told: {answers})",
                  [f"in none of {len(told)} rounds (told: {answers})"])


def beside_reset(
    tenant: Tenant, victim: Person, theft: Callable[[], Answer], offset: float
) -> tuple[Answer, str]:
    """The thief's request `offset` seconds after the owner's reset (before it, where negative): what the thief was told, and
    the password that the owner set by a reset whose answer was 204."""
    token, secret = tenant.begin_reset(victim.email), password("owner")
    resetting = Asking(lambda: tenant.end_reset(token, secret), max(0.0, -offset))
    stealing = Asking(theft, max(0.0, offset))
    told, done = stealing.wait(), resetting.wait()
    if done.status == 204:
        return told, secret
    if done.code not in ("code_invalid", "code_used"):
        raise Broke(f"the owner's reset: {done}")
    # The thief's change came first and took the mail's code along; the owner asks again.
    return told, tenant.reset(victim.email)


class Asking:
    """A request on a thread of its own."""

    def __init__(self, ask: Callable[[], Answer], pause: float = 0) -> None:
        self.answer: Answer | None = None
        self.thread = threading.Thread(target=self.run, args=(ask, pause), daemon=True)
        self.thread.start()

    def run(self, ask: Callable[[], Answer], pause: float) -> None:
        """Asks, after a pause."""
        time.sleep(pause)
        self.answer = ask()

    def wait(self) -> Answer:
        """The answer."""
        self.thread.join(60)
        if self.answer is None:
            raise Broke("a request had no answer")
        return self.answer
