"""What must hold when the present build runs on the data of the older one."""
from __future__ import annotations

import base64
import hashlib
import hmac
import json
import time
from collections.abc import Callable, Iterator

from gatehouse_prove.upgrade.before import (
    CHANGES, HIDDEN, KEY, PASSWORD, TENANTS, Held, address, failures, settle, sign_up_body)
from gatehouse_prove.upgrade.house import House

# Nil where a check holds, else what was seen instead.
Check = Callable[[], str | None]


def checks(house: House, program: str, held: Held, damage: str | None = None) -> Iterator[tuple[str, str | None]]:
    """Starts the present build, damages the data where a control asks for it, and looks at everything."""
    house.start(program)
    if damage:
        settle(house)
        house.server.sql(damage)
    try:
        for tenant in TENANTS:
            for name, check in of_users(house, tenant, held):
                yield f"{name} of {tenant}", check()
        for name, check in of_operators(house, held):
            yield name, check()
        settle(house)
        for tenant in TENANTS:
            yield f"the audit log of {tenant} is whole", whole(house, tenant, held)
    finally:
        house.stop()


def answered(answer: tuple[int, bytes], status: int) -> str | None:
    """Nil for an answer of this status."""
    return None if answer[0] == status else f"{answer[0]} {answer[1][:200]!r}"


def of_users(house: House, tenant: str, held: Held) -> list[tuple[str, Check]]:
    """What the users of one tenant do."""
    email, mark = address(tenant, "ada"), held.device[tenant]

    def own() -> str | None:
        status, body = house.ask("GET", f"/t/{tenant}/v1/me", token=held.access[tenant])
        profile = json.loads(body)["user"]["profile"] if status == 200 else {}
        good = all(profile.get(name) == value for name, value in CHANGES[tenant].items())
        return None if good else f"{status} {body[:200]!r}"

    def export() -> str | None:
        code, printed = house.tell("user", "export", tenant, email)
        events = [event["event"] for event in json.loads(printed)["events"]] if code == 0 else []
        good = "user_created" in events and events.count("authn_login_success") >= 2
        return None if good else f"{code} {events or printed[:200]}"

    signing = {"email": email, "password": PASSWORD, "device": {"name": "Phone", "id": mark}}
    code = {"email": address(tenant, "bo"), "code": held.codes[tenant]}
    return [
        ("the access token", own),
        ("the refresh token", lambda: answered(house.post(tenant, "token", {"refresh_token": held.refresh[tenant]}), 200)),
        ("the password", lambda: answered(house.post(tenant, "sign-in", signing), 200)),
        ("the code of a mail", lambda: answered(
            house.post(tenant, "email-verification/confirm", code, held.waiting_access[tenant]), 200)),
        ("the export of a user", export),
    ]


def of_operators(house: House, held: Held) -> list[tuple[str, Check]]:
    """What is left, most of one tenant."""
    api = f"{house.admin}/admin/v1/tenants"

    def repeated() -> str | None:
        status, body = house.post("messai", "sign-up", sign_up_body("messai", "bo"), **KEY)
        return None if (status, body) == (201, held.answer) else f"{status} {body[:200]!r}"

    def secrets() -> str | None:
        status, body = house.ask("GET", f"{api}/{HIDDEN}/secrets", token=held.admin)
        return None if status == 200 and b"visitor_client" in body else f"{status} {body[:200]!r}"

    def opened() -> str | None:
        # The client is refused: the other end is no provider. The secret was unsealed before it was asked.
        _, printed = house.tell("provider", "test", HIDDEN, "visitor", "--output", "json")
        return None if "stored as visitor_client" in printed else printed[:300]

    def bound() -> str | None:
        # What the older build sealed without a destination is sealed anew, and opens as before.
        left = "SELECT count(*) FROM gatehouse.tenant WHERE pinned_revision IS NOT NULL"
        deadline = time.monotonic() + 60
        while (waiting := house.server.sql(left)[0][0]) != "0" and time.monotonic() < deadline:
            time.sleep(0.5)
        loose = house.server.sql("SELECT count(*) FROM gatehouse.secret WHERE substr(sealed, 1, 1) <> '\\x02'::bytea")[0][0]
        return opened() if (waiting, loose) == ("0", "0") else f"{waiting} tenants, {loose} secrets are not bound"

    def hosts() -> str | None:
        status, body = house.ask("GET", f"{api}/messai/hosts", token=held.admin)
        return None if status == 200 and b"auth.messai.example" in body else f"{status} {body[:200]!r}"

    def counting() -> str | None:
        house.post("messai", "sign-in", {"email": address("messai", "bo"), "password": "wrong"})
        now = failures(house)
        return None if now == held.failures + 1 else f"{held.failures} before, {now} now"

    def signed() -> str | None:
        before = len(house.hook.seen)
        status, body = house.ask("POST", f"{api}/messai/webhooks/{held.webhook}/test", {}, held.admin)
        for fields, sent in house.hook.seen[before:]:
            if b'"webhook.test"' in sent:
                return None if is_signed(held.webhook_secret, fields, sent) else "another signature"
        return f"no message; {status} {body[:200]!r}"

    def doctor() -> str | None:
        code, printed = house.tell("doctor", "--output", "json")
        items = json.loads(printed.splitlines()[0])["items"]
        bad = [item for item in items if item["state"] == "failure"]
        return f"{code} {bad}"[:600] if bad else None

    def rewrapped() -> str | None:
        code, printed = house.tell("key", "rewrap", "--yes")
        return None if code == 0 else printed[:200]

    def mailed() -> str | None:
        house.server.sql("UPDATE gatehouse.outbox SET due_at = now() WHERE delivered_at IS NULL AND given_up_at IS NULL")
        return None if house.letters.newest(address("messai", "ada"), "ui/reset-password") else "it did not come"

    def hidden() -> str | None:
        body = {"email": address(HIDDEN, "cy"), "code": held.hidden_code, "sign_up_id": held.sign_up_id}
        return answered(house.post(HIDDEN, "email-verification/confirm", body), 200)

    return [
        ("a repeated request gets the kept bytes", repeated), ("a sign-up that waited is completed", hidden),
        ("a mail that waited is sent", mailed), ("wrong passwords are counted on", counting),
        ("the admin token lists a secret", secrets), ("the secret is unsealed", opened), ("the secret is bound", bound),
        ("the host name is there", hosts),
        ("a webhook's test message is signed by the old secret", signed), ("the data keys are rewrapped", rewrapped),
        ("the doctor finds no failure", doctor),
    ]


def is_signed(secret: str, fields: dict[str, str], body: bytes) -> bool:
    """Whether a message has a signature of this secret (Standard Webhooks 1.0)."""
    text = f"{fields['webhook-id']}.{fields['webhook-timestamp']}.".encode() + body
    key = base64.b64decode(secret.removeprefix("whsec_"))
    wanted = "v1," + base64.b64encode(hmac.new(key, text, hashlib.sha256).digest()).decode()
    return wanted in fields["webhook-signature"].split(" ")


def whole(house: House, tenant: str, held: Held) -> str | None:
    """Whether the chain of both builds' rows is what was written."""
    code, printed = house.tell("audit", "verify", tenant)
    rows = int(house.server.sql("SELECT count(*) FROM gatehouse.audit_link l JOIN gatehouse.tenant t ON t.id = l.tenant_id "
                                f"WHERE t.name = '{tenant}'")[0][0])
    if code != 0:
        return printed.strip()[:300]
    return None if rows > held.rows[tenant] else f"{held.rows[tenant]} rows before, {rows} now"
