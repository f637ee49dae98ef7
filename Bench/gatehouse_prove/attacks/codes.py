"""Chains at mailed codes: who can end one, use up its tries, or switch off those of a whole tenant."""
from __future__ import annotations

from gatehouse_prove.attacks.people import Tenant
from gatehouse_prove.attacks.stage import NARROW, REVEAL, Stage, fresh, password
from gatehouse_prove.attacks.verdict import Answer, Broke, Finding, attempt, demand, judged, noting

# Wrong codes that the tenant `narrow` allows in an hour.
ALLOWED = 30


def reset_voided(stage: Stage) -> Finding:
    """A thief with the password changes it again and again after the owner asked for a reset."""
    tenant, refusals = Tenant(stage, REVEAL), []
    owner = tenant.settled("owner")
    token, current = tenant.begin_reset(owner.email), owner.password
    with noting(refusals):
        for _ in range(5):
            following = password("thief")
            attempt(tenant.post("me/password", {"current_password": current, "password": following}, owner.token),
                    "the thief's change of the password")
            current = following
    end = tenant.end_reset(token, password("owner"))
    return judged(end.status != 204, f"the owner's reset link is {end}", refusals or ["the owner's link opens the account"])


def code_killed(stage: Stage) -> Finding:
    """A stranger types the right code of a verification five times, without the account; then the owner does once."""
    tenant, email, secret = Tenant(stage, REVEAL), fresh("owner"), password("owner")
    token = demand(tenant.sign_up(email, secret), 201, "sign-up").body["access_token"]
    body = {"email": email, "code": newest_code(stage, email)}
    strangers = [tenant.post("email-verification/confirm", body) for _ in range(6)]
    owner = tenant.post("email-verification/confirm", body, token)
    return judged(owner.status != 200, f"the right code is {owner} for its owner", [f"the stranger's: {strangers[0]}"])


def reset_code_killed(stage: Stage) -> Finding:
    """A stranger types wrong codes of a reset that the owner asked for; then the owner types the right one."""
    tenant, owner = Tenant(stage, REVEAL), Tenant(stage, REVEAL).settled("owner")
    asked = demand(tenant.post("password-reset", {"email": owner.email}), 202, "the owner's reset")
    code = newest_code(stage, owner.email)
    strangers = tenant.post("password-reset", {"email": owner.email})
    for number in range(6):
        confirm(tenant, strangers, owner.email, f"{number:06}")
    end = confirm(tenant, asked, owner.email, code)
    return judged(end.status != 204, f"the owner's code is {end}", ["the stranger's tries are the stranger's own"])


def codes_switched_off(stage: Stage) -> Finding:
    """Wrong codes for made-up mailboxes, twice what the tenant allows; then a right one."""
    tenant = Tenant(stage, NARROW)
    owner = tenant.settled("owner")
    for number in range(2 * ALLOWED):
        email = fresh("nobody")
        asked = demand(tenant.post("password-reset", {"email": email}), 202, "a reset without an account")
        confirm(tenant, asked, email, f"{number:06}")
        tenant.post("email-verification/confirm", {"email": email, "code": "000000"})
    asked = demand(tenant.post("password-reset", {"email": owner.email}), 202, "the owner's reset")
    end = confirm(tenant, asked, owner.email, newest_code(stage, owner.email))
    return judged(end.status != 204, f"the right code of an owner is {end}", ["the owner's right code is taken"])


def confirm(tenant: Tenant, asked: Answer, email: str, code: str) -> Answer:
    """A new password by digits, with the id that the request answered (none before it had one)."""
    body = {"email": email, "code": code, "password": password("new")}
    return tenant.post("password-reset/confirm", body | {name: asked.body[name] for name in ("reset_id",) if name in asked.body})


def newest_code(stage: Stage, email: str) -> str:
    """The digits of the newest mail to an address."""
    stage.settle()
    code = stage.mails(email)[-1].get("code")
    if not code:
        raise Broke(f"no code came to {email}")
    return str(code)
