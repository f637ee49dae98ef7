"""Accounts that a stranger prepares for another person, and doors that a policy does not have."""
from __future__ import annotations

import time

from gatehouse_prove.attacks.people import RESET, Tenant, sign_up_id
from gatehouse_prove.attacks.stage import COOLDOWN, DOORLESS, HIDE, REVEAL, SLOW, Stage, fresh, password
from gatehouse_prove.attacks.verdict import REFUSALS, Answer, Broke, Finding, Verdict, demand, judged


def hidden_sign_up(stage: Stage) -> Finding:
    """A stranger signs up with the victim's address where sign-ups are hidden, and the victim does too."""
    tenant = Tenant(stage, SLOW)
    won, tried = [], []
    for name, strangers_turn, wait in (
        ("the stranger first, the victim within the cooldown", 0, 0), ("the victim after the cooldown", 0, COOLDOWN + 0.5),
        ("the stranger last", 1, COOLDOWN + 0.5),
    ):
        opened, answers = prepared(tenant, strangers_turn, wait)
        tried += answers
        if opened:
            won.append(name)
    told = ", ".join(sorted(set(tried)))
    return judged(bool(won), f"the stranger's password opens the account that the victim confirmed ({'; '.join(won)})",
                  [f"the stranger's password opens nothing after {len(tried)} confirmations (told: {told})"])


def prepared(tenant: Tenant, strangers_turn: int, wait: float) -> tuple[bool, list[str]]:
    """One order of the two sign-ups: whether the stranger gets in, and what the victim's confirmations were answered."""
    victim, stolen, own = fresh("victim"), password("stranger"), password("victim")
    turns = [own, own]
    turns[strangers_turn] = stolen
    named: dict[str, str] = {}
    for number, secret in enumerate(turns):
        if number == 1:
            time.sleep(wait)
        name = "Stranger" if secret == stolen else "Victim"
        up = demand(tenant.post("sign-up", {"email": victim, "password": secret, "profile": {"displayName": name}}), 202,
                    "a hidden sign-up")
        if secret == own:
            named = sign_up_id(up)
    tenant.stage.settle()
    mails = tenant.stage.mails(victim)
    if not mails:
        raise Broke("no mail came to the victim")
    answers = []
    for mail in reversed(mails):
        if code := mail.get("code"):
            answers.append(tenant.post("email-verification/confirm", {"email": victim, "code": code} | named))
        if link := mail.get("link"):
            answers.append(tenant.post("email-verification/confirm", {"token": link.split("token=")[-1]}))
    if odd := [answer for answer in answers if answer.status != 200 and answer.code not in REFUSALS]:
        raise Broke(f"the victim's confirmation: {odd[0]}")
    return tenant.opens(victim, stolen), [str(answer) for answer in answers]


def silent_device(stage: Stage) -> Finding:
    """A thief of the password signs in before the owner ever did: the owner has to be told."""
    operated, hidden = Tenant(stage, REVEAL), Tenant(stage, HIDE)
    silent = []
    email = fresh("operated")
    stage.operator("user", "create", REVEAL, email)
    secret = password("operated")
    demand(operated.end_reset(operated.link(email, RESET), secret), 204, "the first password")
    if not noticed(operated, email, secret):
        silent.append("after an operator made the account")
    email, secret = fresh("hidden"), password("hidden")
    up = demand(hidden.sign_up(email, secret), 202, "a hidden sign-up")
    stage.settle()
    code = stage.mails(email)[-1].get("code")
    demand(hidden.post("email-verification/confirm", {"email": email, "code": code} | sign_up_id(up)), 200,
           "the sign-up's confirmation")
    if not noticed(hidden, email, secret):
        silent.append("after a hidden sign-up")
    return judged(bool(silent), f"no mail tells the owner of the first sign-in: {'; '.join(silent)}",
                  ["the owner is told of it by mail, both times"])


def noticed(tenant: Tenant, email: str, secret: str) -> bool:
    """Whether the first sign-in is told by mail."""
    before = tenant.count(email)
    demand(tenant.sign_in(email, secret), 200, "the first sign-in")
    return tenant.count(email) > before


def password_door(stage: Stage) -> Finding:
    """A password, set and used, where the policy's `providers:` has none."""
    tenant, email, secret = Tenant(stage, DOORLESS), fresh("walker"), password("walker")
    visitor = demand(tenant.provider_sign_in("walker", fresh("visitor")), 200, "a provider's sign-in").body["access_token"]
    answers: dict[str, Answer] = {
        "sign-up": tenant.sign_up(email, secret), "sign-in": tenant.sign_in(email, secret),
        "reset": tenant.post("password-reset", {"email": email}),
        "set_password": tenant.post("me/password", {"current_password": secret, "password": secret + "2"}, visitor),
    }
    doors = {name: answer for name, answer in answers.items() if (answer.status, answer.code) != (404, "not_found")}
    if any(answer.status in (400, 429) or answer.status >= 500 for answer in doors.values()):
        raise Broke(", ".join(f"{name}: {answer}" for name, answer in doors.items()))
    told = ", ".join(f"{name} {answer}" for name, answer in (doors or answers).items())
    return Finding(Verdict.WORKS if doors else Verdict.REFUSED, f"doors that answer: {told}" if doors else told)
