"""One request of one tenant's operator against the requests of all others."""
from __future__ import annotations

import base64
import contextlib
import hashlib
import http.client
import itertools
import secrets
import string
import subprocess
import time
from collections.abc import Callable

from gatehouse_prove.attacks.people import Tenant
from gatehouse_prove.attacks.provider import NAME, Gate
from gatehouse_prove.attacks.stage import REVEAL, Stage, fresh, password
from gatehouse_prove.attacks.verdict import Broke, Finding, Refused, Verdict, attempt, demand, judged

# Seconds after which a request that has no answer counts as one that holds the server up.
LONG = 30


def admin_token(stage: Stage, *scopes: str) -> str:
    """A token for one tenant alone."""
    words = [word for scope in scopes for word in ("--scope", scope)]
    printed = stage.operator("admin", "create", f"a{secrets.token_hex(4)}", "--tenant", REVEAL, *words)
    return printed.split()[-1]


def live(stage: Stage) -> tuple[str, str]:
    """The tenant's live policy and the tag of its revision, as an operator sees them."""
    answer = demand(stage.ask("GET", f"{stage.admin}/admin/v1/tenants/{REVEAL}/policy", token=admin_token(stage, "policy:read")),
                    200, "the live policy")
    return answer.text, answer.fields["etag"]


def pipeline(stage: Stage, change: Callable[[str], str]) -> None:
    """Applies an edit of the live policy as the pipeline of one app does, with `policy:write` for this tenant alone and
    every consent. Raises Refused where the scope stops it, which has to leave the policy alone."""
    text, revision = live(stage)
    edited = change(text)
    if edited == text:
        raise Broke("the policy has no such line")
    url = f"{stage.admin}/admin/v1/tenants/{REVEAL}/policy?allow_weaker=true&allow_lockout=true&reason=pipeline"
    answer = stage.put_text(url, edited, admin_token(stage, "policy:write"), {"If-Match": revision})
    if answer.code == "forbidden" and live(stage) != (text, revision):
        raise Broke("refused, and changed all the same")
    attempt(answer, "the apply of the pipeline")


def restore(stage: Stage, text: str) -> None:
    """The policy from before, for the chains that follow."""
    if live(stage)[0] != text:
        url = f"{stage.admin}/admin/v1/tenants/{REVEAL}/policy?allow_weaker=true&allow_lockout=true"
        demand(stage.put_text(url, text, admin_token(stage, "all"), {"If-Match": "*"}), 200, "the policy from before")


def provider_moved(stage: Stage) -> Finding:
    """A pipeline's token leads a provider's token address to a server of its own, which gets the next code."""
    before, owner = live(stage)[0], Tenant(stage, REVEAL)
    thief = Gate(stage.provider.port)
    try:
        elsewhere = f"https://localhost:{thief.port}/token"
        pipeline(stage, lambda text: text.replace(stage.provider.endpoints["token"], elsewhere))
        await_change(stage, before)
        with contextlib.suppress(Refused, Broke):
            owner.provider_sign_in(f"owner-{secrets.token_hex(4)}", fresh("owner"))
        return judged(thief.visits > 0, "the code of a person's sign-in came to the thief's server", ["nothing came there"])
    finally:
        thief.listener.close()
        restore(stage, before)


def provider_added(stage: Stage) -> Finding:
    """A pipeline's token adds an issuer of its own, and signs in by it as a person whose address is proven."""
    before, owner = live(stage)[0], Tenant(stage, REVEAL).settled("owned")
    issuer = f"https://localhost:{stage.provider.port}"
    entry = (f'  thief:\n    use: sign_in\n    flow: id_token\n    audiences: [thief]\n    nonce: optional\n'
             f'    existing_email: link_if_both_verified\n'
             f'    endpoints: {{issuer: "{issuer}", jwks: "{issuer}/jwks"}}\n')
    try:
        pipeline(stage, lambda text: text.replace("sessions: {", entry + "sessions: {", 1))
        await_change(stage, before)
        token = stage.provider.id_token("thief", f"thief-{secrets.token_hex(4)}", owner.email)
        into = Tenant(stage, REVEAL).post("sign-in/thief", {"id_token": token})
        return judged(into.status in (200, 201) and into.body["user"]["id"] == owner.id,
                      "a session of the person, by the thief's own issuer", [f"the sign-in: {into}"])
    finally:
        restore(stage, before)


def continue_added(stage: Stage) -> Finding:
    """A pipeline's token adds a return address of its own, to which the pages hand a sign-in."""
    before, evil = live(stage)[0], "https://evil.example/in"
    try:
        pipeline(stage, lambda text: text.replace("continue: [", f'continue: ["{evil}", ', 1))
        await_change(stage, before)
        challenge = base64.urlsafe_b64encode(hashlib.sha256(secrets.token_bytes(32)).digest()).rstrip(b"=").decode()
        start = Tenant(stage, REVEAL).post(f"sign-in/{NAME}/start", {"continue": evil, "code_challenge": challenge})
        return judged(start.status == 200, f"a sign-in begins that ends at {evil}", [f"the start: {start}"])
    finally:
        restore(stage, before)


def await_change(stage: Stage, before: str) -> None:
    """Waits until the server enforces another policy than this text."""
    if live(stage)[0] == before:
        raise Broke("the policy is as before")
    time.sleep(2)


def webhook_reads(stage: Stage) -> Finding:
    """A token with `webhook:write` alone has people's addresses sent to it."""
    tenant = f"{stage.admin}/admin/v1/tenants/{REVEAL}"
    made = attempt(stage.ask("POST", f"{tenant}/webhooks", {
        "url": f"https://localhost:{stage.provider.port}/hook", "fields": ["email"], "dry_run": True,
    }, admin_token(stage, "webhook:write")), "a webhook with addresses")
    return Finding(Verdict.WORKS, f"{made}: every address is sent from now on")


def webhook_test(stage: Stage) -> Finding:
    """A test message to a webhook."""
    token = admin_token(stage, "webhook:write")
    tenant = f"{stage.admin}/admin/v1/tenants/{REVEAL}"
    made = demand(stage.ask("POST", f"{tenant}/webhooks", {"url": f"https://localhost:{stage.provider.port}/hook"}, token),
                  201, "a webhook")
    return survived(stage, f"{tenant}/webhooks/{made.body['item']['id']}/test", token)


def host_verify(stage: Stage) -> Finding:
    """The proof of a host name."""
    # All scopes: what the proof needs beside `tenant:write` depends on the build.
    token = admin_token(stage, "all")
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
