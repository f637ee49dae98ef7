"""What the older build writes: by the public API, by its mail and by its command line."""
from __future__ import annotations

import dataclasses
import json
import os
import sys
import time

from gatehouse_bench.machine import ROOT, run
from gatehouse_prove.upgrade.house import HIDDEN, TENANTS, House

PASSWORD = "Quilted-Harbour-2031!"
PROFILES = {"messai": {"displayName": "Ada"}, "dd-ride": {"name": "Ada", "phoneNumber": "+1 785 555 0123"},
            "vibes": {"username": "ada"}, HIDDEN: {"displayName": "Ada"}}
CHANGES = {"messai": {"displayName": "Ada L."}, "dd-ride": {"name": "Ada L."}, "vibes": {"username": "ada.l"}}
# A provider whose client has a secret; nothing but this machine is ever asked.
PROVIDER = """  visitor:
    use: link
    flow: code_pkce
    client_id: upgrade
    client_secret: {secret: visitor_client}
    redirect_uris: ["app://linked"]
    scopes: [profile]
    endpoints: {authorization: "HOOK", token: "HOOK", userinfo: "HOOK"}
"""
KEY = {"Idempotency-Key": "the-first-one"}


@dataclasses.dataclass
class Held:
    """What clients and operators hold when the older build ends."""

    # By tenant.
    access: dict[str, str] = dataclasses.field(default_factory=dict)
    refresh: dict[str, str] = dataclasses.field(default_factory=dict)
    device: dict[str, str] = dataclasses.field(default_factory=dict)
    codes: dict[str, str] = dataclasses.field(default_factory=dict)
    waiting_access: dict[str, str] = dataclasses.field(default_factory=dict)
    rows: dict[str, int] = dataclasses.field(default_factory=dict)
    # Of one tenant.
    sign_up_id: str = ""
    hidden_code: str = ""
    answer: bytes = b""
    admin: str = ""
    webhook: str = ""
    webhook_secret: str = ""
    failures: int = 0


def address(tenant: str, name: str) -> str:
    """An address that the tenant takes."""
    return f"{name}.{tenant}@{'ksu.edu' if tenant == 'dd-ride' else 'example.com'}"


def sign_up_body(tenant: str, name: str) -> dict:
    """A sign-up that the tenant takes."""
    profile = PROFILES[tenant] | ({"username": f"{name}.one"} if tenant == "vibes" else {})
    return {"email": address(tenant, name), "password": PASSWORD, "profile": profile}


def need(answer: tuple[int, bytes], status: int, step: str) -> dict:
    """The JSON of an answer that has to be this one."""
    if answer[0] != status:
        sys.exit(f"prove: {step}: {answer[0]} {answer[1][:300]!r}")
    return json.loads(answer[1]) if answer[1] else {}


def policy(name: str, ref: str | None) -> str:
    """A policy file as the older build knew it."""
    if ref:
        return run(["git", "show", f"{ref}:policies/{name}.yaml"], cwd=ROOT)
    with open(os.path.join(ROOT, "policies", name + ".yaml"), encoding="utf-8") as file:
        return file.read()


def write(house: House, program: str, ref: str | None) -> Held:
    """Fills the data of `house`, and leaves its server stopped."""
    texts = {name: policy(name, ref) for name in TENANTS}
    texts[HIDDEN] = (texts["messai"].replace("tenant: messai", f"tenant: {HIDDEN}")
                     .replace("account_exists: reveal", "account_exists: hide")
                     .replace("\nproviders:\n", "\nproviders:\n" + PROVIDER.replace("HOOK", house.hook.url))
                     .split("\nusers:")[0] + "\n")
    for name, text in texts.items():
        with open(os.path.join(house.policies, name + ".yaml"), "w", encoding="utf-8") as file:
            file.write(text)
    house.start(program)
    held = Held()
    operate(house, held)
    for tenant in TENANTS:
        join(house, tenant, held)
    hide(house, held)
    revise(house, "messai", texts["messai"])
    settle(house)
    # From here on no mail leaves.
    house.letters.close()
    need(house.post("messai", "password-reset", {"email": address("messai", "ada")}), 202, "a reset")
    await_value(house, "SELECT count(*) FROM gatehouse.outbox WHERE delivered_at IS NULL AND attempts > 0", "1")
    for tenant in TENANTS:
        held.rows[tenant] = int(house.server.sql(
            "SELECT count(*) FROM gatehouse.audit JOIN gatehouse.tenant t ON t.id = tenant_id "
            f"WHERE t.name = '{tenant}'")[0][0])
    house.letters = None
    house.stop()
    return held


def join(house: House, tenant: str, held: Held) -> None:
    """Two users: one verified, with two sessions and a changed profile; one who waits with a code."""
    email = address(tenant, "ada")
    up = need(house.post(tenant, "sign-up", sign_up_body(tenant, "ada")), 201, f"{tenant}: a sign-up")
    body = {"email": email, "code": house.letters.code(email)}
    need(house.post(tenant, "email-verification/confirm", body, up["access_token"]), 200, f"{tenant}: a code")
    need(house.ask("PATCH", f"/t/{tenant}/v1/me", {"profile": CHANGES[tenant]}, up["access_token"]), 200,
         f"{tenant}: a profile")
    signed = need(house.post(tenant, "sign-in", {"email": email, "password": PASSWORD, "device": {"name": "Phone"}}), 200,
                  f"{tenant}: a sign-in")
    held.access[tenant], held.refresh[tenant] = signed["access_token"], signed["refresh_token"]
    held.device[tenant] = signed.get("device", {}).get("id", "")
    answer = house.post(tenant, "sign-up", sign_up_body(tenant, "bo"), **KEY)
    waiting = need(answer, 201, f"{tenant}: a second sign-up")
    held.codes[tenant] = house.letters.code(address(tenant, "bo"))
    held.waiting_access[tenant] = waiting["access_token"]
    if tenant == "messai":
        held.answer = answer[1]
        for _ in range(2):
            need(house.post(tenant, "sign-in", {"email": address(tenant, "bo"), "password": "wrong"}), 401, "a wrong password")
        held.failures = failures(house)


def failures(house: House) -> int:
    """How many wrong passwords are counted of the client's address. The shipped policies set no limit of an account."""
    code, printed = house.tell("limit", "list", "messai", "--name", "sign_in_per_ip", "--output", "json")
    items = json.loads(printed)["items"] if code == 0 else []
    return sum(int(item["count"]) for item in items)


def hide(house: House, held: Held) -> None:
    """A sign-up that waits for its mail."""
    up = need(house.post(HIDDEN, "sign-up", sign_up_body(HIDDEN, "cy")), 202, "a hidden sign-up")
    held.sign_up_id, held.hidden_code = up["sign_up_id"], house.letters.code(address(HIDDEN, "cy"))


def operate(house: House, held: Held) -> None:
    """An operator's work."""
    def told(*words: str, given: str | None = None) -> str:
        code, printed = house.tell(*words, given=given)
        if code != 0:
            sys.exit(f"prove: {' '.join(words)}: {printed}")
        return printed

    held.admin = told("admin", "create", "older", "--scope", "all", "--all-tenants").split()[-1]
    told("secret", "set", HIDDEN, "visitor_client", "--secret-file", "-", "--no-input", given="s3cret")
    made = need(house.ask("POST", f"{house.admin}/admin/v1/tenants/messai/webhooks", {"url": house.hook.url}, held.admin),
                201, "a webhook")
    held.webhook, held.webhook_secret = made["item"]["id"], made["secret"]
    told("key", "rotate", "messai", "--now", "--yes")
    told("tenant", "host", "add", "messai", "auth.messai.example", "--yes")


def revise(house: House, tenant: str, text: str) -> None:
    """A second revision of a policy, by its watched file."""
    with open(os.path.join(house.policies, tenant + ".yaml"), "w", encoding="utf-8") as file:
        file.write(text.replace("support_email: help@", "support_email: people@"))
    await_value(house, "SELECT max(number) FROM gatehouse.policy_revision p JOIN gatehouse.tenant t ON t.id = p.tenant_id "
                       f"WHERE t.name = '{tenant}'", "2")


def settle(house: House) -> None:
    """Waits until the rows of the audit log are chained."""
    await_value(house, "SELECT count(*) FROM gatehouse.audit_unsealed", "0")


def await_value(house: House, query: str, wanted: str, patience: float = 60) -> None:
    """Waits until a query gives one value."""
    end = time.monotonic() + patience
    while house.server.sql(query) != [[wanted]]:
        if time.monotonic() > end:
            sys.exit(f"prove: {query} does not become {wanted}")
        time.sleep(0.1)
