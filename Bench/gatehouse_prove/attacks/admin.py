"""One request of one tenant's operator against the requests of all others."""
from __future__ import annotations

import http.client
import itertools
import secrets
import string
import subprocess
import time

from gatehouse_prove.attacks.people import Tenant
from gatehouse_prove.attacks.stage import REVEAL, Stage, fresh, password
from gatehouse_prove.attacks.verdict import Broke, Finding, Verdict, demand

# Seconds after which a request that has no answer counts as one that holds the server up.
LONG = 30


def admin_token(stage: Stage, *scopes: str) -> str:
    """A token for one tenant alone."""
    words = [word for scope in scopes for word in ("--scope", scope)]
    printed = stage.operator("admin", "create", f"a{secrets.token_hex(4)}", "--tenant", REVEAL, *words)
    return printed.split()[-1]


def webhook_test(stage: Stage) -> Finding:
    """A test message to a webhook."""
    token = admin_token(stage, "webhook:write")
    tenant = f"{stage.admin}/admin/v1/tenants/{REVEAL}"
    made = demand(stage.ask("POST", f"{tenant}/webhooks", {"url": f"https://localhost:{stage.provider.port}/hook"}, token),
                  201, "a webhook")
    return survived(stage, f"{tenant}/webhooks/{made.body['item']['id']}/test", token)


def host_verify(stage: Stage) -> Finding:
    """The proof of a host name."""
    token = admin_token(stage, "tenant:write")
    tenant, host = f"{stage.admin}/admin/v1/tenants/{REVEAL}", f"auth.localhost:{stage.provider.port}"
    demand(stage.ask("POST", f"{tenant}/hosts", {"host": host}, token), 201, "a host name")
    return survived(stage, f"{tenant}/hosts/{host}/verify", token)


def survived(stage: Stage, url: str, token: str) -> Finding:
    """Asks once; the server has to stay ready, and the answer has to be the verb's own."""
    try:
        said = str(stage.ask("POST", url, {}, token))
    except (OSError, http.client.HTTPException) as error:
        said = type(error).__name__
    try:
        # A process that dies of it may take a moment.
        code = stage.server.process.wait(2)
        stage.revive()
        return Finding(Verdict.WORKS, f"{said}; the server of all tenants ended with {code}")
    except subprocess.TimeoutExpired:
        pass
    if not stage.is_up:
        stage.revive()
        return Finding(Verdict.WORKS, f"{said}; the server is not ready any more")
    if said[:3] in ("401", "403", "404") or not said[:1].isdigit() or said[0] == "5":
        raise Broke(f"{url}: {said}")
    return Finding(Verdict.REFUSED, f"{said}; the server answers")


def many_keys(count: int, length: int) -> dict[str, int]:
    """A profile of so many keys of so many characters; each takes `length` + 5 bytes."""
    names = itertools.product(string.ascii_letters + string.digits, repeat=length)
    return {"".join(name): 0 for name in itertools.islice(names, count)}


def profile_keys(stage: Stage) -> Finding:
    """64 KB with 8 000 keys, at each door of the tenant's API that takes a profile."""
    profile, owner = many_keys(8_000, 3), Tenant(stage, REVEAL).settled("keys")
    tenant = f"{stage.server.base}/t/{REVEAL}/v1"
    return first_answered(stage, [
        ("sign-up", "POST", f"{tenant}/sign-up", {"email": fresh("keys"), "password": password("keys")}, None),
        ("password-check", "POST", f"{tenant}/password-check", {"password": password("keys")}, None),
        ("explain", "POST", f"{tenant}/explain", {"email": fresh("keys")}, None),
        ("me", "PATCH", f"{tenant}/me", {}, owner.token),
    ], profile)


def admin_keys(stage: Stage) -> Finding:
    """A megabyte with 110 000 keys, at each row of the admin API that takes a profile."""
    profile, owner = many_keys(110_000, 4), Tenant(stage, REVEAL).settled("keys")
    token, users = admin_token(stage, "user:write"), f"{stage.admin}/admin/v1/tenants/{REVEAL}/users"
    return first_answered(stage, [
        ("users", "POST", users, {"email": fresh("keys"), "dry_run": True}, token),
        ("user", "PATCH", f"{users}/{owner.id}", {}, token),
    ], profile)


def first_answered(stage: Stage, doors: list[tuple[str, str, str, dict, str | None]], profile: dict[str, int]) -> Finding:
    """The first door at which each key is judged; a body is to be refused as a body."""
    refused = []
    for name, method, url, body, token in doors:
        began = time.monotonic()
        try:
            answer = stage.ask(method, url, body | {"profile": profile}, token, patience=LONG)
        except TimeoutError:
            stage.revive()
            return Finding(Verdict.WORKS, f"{name}: {len(profile)} keys: no answer within {LONG} s")
        took = time.monotonic() - began
        if answer.status in (200, 201, 202, 422):
            return Finding(
                Verdict.WORKS, f"{name}: {answer}: {len(profile)} keys were judged one by one, in {took:.2f} s")
        if (answer.status, answer.code) != (400, "malformed_request") or "/profile" not in str(answer.body.get("detail")):
            raise Broke(f"{name}: {len(profile)} keys: {answer} {answer.body.get('detail')}")
        refused.append(name)
    return Finding(Verdict.REFUSED, f"400 malformed_request at /profile: {', '.join(refused)}")
