"""Chains at an account's address: changes, their undoing, and links that another person presses."""
from __future__ import annotations

from gatehouse_prove.attacks.people import MOVE, RESET, UNDO, VERIFY, Person, Tenant, sign_up_id
from gatehouse_prove.attacks.stage import HIDE, REVEAL, Stage, fresh, password
from gatehouse_prove.attacks.verdict import Broke, Finding, Refused, Verdict, attempt, demand, judged, noting


def undo_of_undo(stage: Stage) -> Finding:
    """A thief moves the account twice; the owner undoes the first move, and the thief presses the undo of the second."""
    tenant, refusals = Tenant(stage, REVEAL), []
    owner = tenant.settled("owner")
    first, second = fresh("thief"), fresh("thief")
    with noting(refusals):
        tenant.move(owner.token, owner.password, first)
        tenant.move(owner.token, owner.password, second)
    demand(tenant.post("email-change/undo", {"token": tenant.link(owner.email, UNDO)}), 204, "the owner's undo")
    secret, taken = tenant.reset(owner.email), password("thief")
    with noting(refusals):
        undo = tenant.mailed(first, UNDO)
        if undo is None:
            raise Refused("the address between got no undo link")
        attempt(tenant.post("email-change/undo", {"token": undo}), "the undo of the thief")
        before = tenant.count(first)
        attempt(tenant.post("password-reset", {"email": first}), "the thief's reset")
        if (reset := tenant.mailed(first, RESET, before)) is None:
            raise Refused("no reset was mailed to the thief's address")
        attempt(tenant.end_reset(reset, taken), "the thief's new password")
    owns, steals = tenant.opens(owner.email, secret), tenant.opens(first, taken)
    got = f"the thief signs in at their address: {yes(steals)}; the owner still does: {yes(owns)}"
    return judged(steals or not owns, got, refusals)


def link_alone(stage: Stage) -> Finding:
    """An attacker asks to move their own account to the victim's address; the victim presses the mail's link, once."""
    tenant = Tenant(stage, REVEAL)
    asker, victim = tenant.settled("asker"), fresh("victim")
    demand(tenant.post("me/email", {"email": victim, "password": asker.password}, asker.token), 202, "a change of address")
    return pressed(tenant, "email-change/confirm", tenant.link(victim, MOVE), asker,
                   "the attacker's account has the victim's address, proven")


def one_click(stage: Stage) -> Finding:
    """A stranger signs up with the victim's address; the victim presses the mail's link, once."""
    tenant = Tenant(stage, REVEAL)
    victim, secret = fresh("victim"), password("stranger")
    up = demand(tenant.sign_up(victim, secret), 201, "sign-up")
    stranger = Person(victim, secret, up.body["user"]["id"], up.body["access_token"])
    return pressed(tenant, "email-verification/confirm", tenant.link(victim, VERIFY), stranger,
                   "the stranger's account is verified for the victim's address")


def pressed(tenant: Tenant, path: str, token: str, asker: Person, got: str) -> Finding:
    """One press without session or password has to be refused and to spend nothing."""
    press = tenant.post(path, {"token": token})
    if press.status == 200:
        user = demand(tenant.me(asker.token), 200, "the asker's record").body["user"]
        return Finding(Verdict.WORKS, f"{got}: {user['email']}, email_verified {str(user['email_verified']).lower()}")
    if (press.status, press.code) != (403, "reauthentication_required"):
        raise Broke(f"the victim's press: {press}")
    after = tenant.post(path, {"token": token}, asker.token)
    if after.status != 200:
        return Finding(Verdict.WORKS, f"the press was refused and spent the link: {after} with the asker's session")
    return Finding(Verdict.REFUSED, f"{press}; the asker's session may still use the link")


def undo_blocked(stage: Stage) -> Finding:
    """A thief moves the account away and signs up with the address that is free now, so that the undo finds it taken."""
    findings = [blocked(Tenant(stage, name)) for name in (REVEAL, HIDE)]
    worst = next((one for one in findings if one.verdict is Verdict.WORKS), findings[0])
    return Finding(worst.verdict, "; ".join(f"{name}: {one.what}" for name, one in zip((REVEAL, HIDE), findings)))


def blocked(tenant: Tenant) -> Finding:
    """The same at one tenant; where sign-ups are hidden the owner also confirms what their mail offers."""
    owner, refusals = tenant.settled("owner"), []
    with noting(refusals):
        tenant.move(owner.token, owner.password, fresh("thief"))
    undo = tenant.link(owner.email, UNDO)
    before = tenant.count(owner.email)
    with noting(refusals):
        up = attempt(tenant.sign_up(owner.email, password("thief")), "a sign-up with the old address")
        if up.status == 202:
            confirm(tenant, owner.email, before, sign_up_id(up))
    undone = tenant.post("email-change/undo", {"token": undo})
    if undone.status not in (204, 409):
        raise Broke(f"the owner's undo: {undone}")
    if undone.status == 409:
        return Finding(Verdict.WORKS, f"the owner's undo is {undone}")
    owns = tenant.opens(owner.email, tenant.reset(owner.email))
    return judged(not owns, "the owner does not get in after the undo", refusals)


def confirm(tenant: Tenant, address: str, after: int, named: dict[str, str]) -> None:
    """The owner's confirmation of what the mails offer that came after so many."""
    tenant.stage.settle()
    codes = [mail["code"] for mail in tenant.stage.mails(address)[after:] if mail.get("code")]
    if not codes:
        raise Refused("the sign-up with the old address mailed no code")
    attempt(tenant.post("email-verification/confirm", {"email": address, "code": codes[-1]} | named),
            "the sign-up's confirmation")


def yes(truth: bool) -> str:
    """In words."""
    return "yes" if truth else "no"
