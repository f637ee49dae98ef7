"""What strangers could learn by measuring: for each question about an address two samples, interleaved, of addresses
with an account and addresses without one. Their medians and their distributions must not differ."""
from __future__ import annotations

import math
import os
import random
import re
import statistics
import sys
import time

from gatehouse_bench.machine import ROOT
from gatehouse_bench.server import Link, Server, place, widened

OPEN, HIDDEN = "dd-ride", "vibes"
PASSWORD = "Kq7!vmTz9"
WARM_UP = 100
PEOPLE = """
INSERT INTO gatehouse.account (tenant_id, id, email, email_verified_at, disabled_at, profile, created_at, updated_at,
  password_changed_at, entered_by)
SELECT t.id, gen_random_uuid(), k.kind || n || k.host, CASE WHEN k.kind <> 'new' THEN now() END,
  CASE WHEN k.kind = 'off' THEN now() END, p.profile, now(), now(), now(), 'sign_up'
FROM gatehouse.tenant t
JOIN (VALUES ('dd-ride', 'pat', '@ksu.edu'), ('dd-ride', 'off', '@ksu.edu'), ('dd-ride', 'bare', '@ksu.edu'),
  ('dd-ride', 'new', '@ksu.edu'), ('dd-ride', 'lost', '@ksu.edu'), ('vibes', 'pat', '@example.com')) k(tenant, kind, host)
  ON k.tenant = t.name
JOIN LATERAL (SELECT profile FROM gatehouse.account WHERE tenant_id = t.id LIMIT 1) p ON true
CROSS JOIN generate_series(1, {count}) AS n;
INSERT INTO gatehouse.credential (tenant_id, account_id, phc)
SELECT a.tenant_id, a.id, c.phc FROM gatehouse.account a
JOIN LATERAL (SELECT phc FROM gatehouse.credential WHERE tenant_id = a.tenant_id LIMIT 1) c ON true
WHERE a.email NOT LIKE 'bare%' AND a.email NOT LIKE 'first@%';
ANALYZE gatehouse.account; ANALYZE gatehouse.credential
"""


def prove(program: str, count: int = 2000) -> bool:
    """Everything that may be asked."""
    with place() as path:
        policies = os.path.join(path, "policies")
        os.mkdir(policies)
        for tenant in (OPEN, HIDDEN):
            with open(os.path.join(ROOT, "policies", tenant + ".yaml"), encoding="utf-8") as file:
                text = widened(file.read())
            if tenant == HIDDEN:
                text = text.replace("account_exists: reveal", "account_exists: hide")
            with open(os.path.join(policies, tenant + ".yaml"), "w", encoding="utf-8") as file:
                file.write(re.sub(r"(?s)\ntests:.*", "\n", text))
        # One more than asked: warming up takes addresses, too.
        server = Server(program, os.path.join(path, "data"), policies)
        try:
            server.await_ready(OPEN)
            server.await_ready(HIDDEN)
            settle(server, count + WARM_UP)
            return prove_on(server, count)
        finally:
            server.stop()


def settle(server: Server, count: int) -> None:
    """Makes all users: one person of each tenant by the front door, the others as copies."""
    link = Link(server.base)
    status, _ = link.json("POST", f"/t/{OPEN}/v1/sign-up", {
        "email": "first@ksu.edu", "password": PASSWORD, "profile": {"name": "F", "phoneNumber": "7855550123"}})
    if status != 201:
        sys.exit(f"prove: no user could sign up: {status}")
    # Where sign-ups are hidden the first account is a copy as well.
    server.sql(f"""
        INSERT INTO gatehouse.account (tenant_id, id, email, profile, created_at, updated_at, password_changed_at, entered_by)
        SELECT id, gen_random_uuid(), 'first@example.com', '{{"username": "first"}}', now(), now(), now(), 'sign_up'
        FROM gatehouse.tenant WHERE name = '{HIDDEN}';
        INSERT INTO gatehouse.credential (tenant_id, account_id, phc)
        SELECT a.tenant_id, a.id, (SELECT phc FROM gatehouse.credential LIMIT 1) FROM gatehouse.account a
        WHERE email = 'first@example.com'""")
    server.sql(PEOPLE.format(count=count))
    link.close()


def prove_on(server: Server, count: int) -> bool:
    """Asks, and judges the answers' times."""
    def sign_in(name: str) -> dict:
        return {"email": f"{name}@ksu.edu", "password": "not " + PASSWORD}

    def address(name: str) -> dict:
        return {"email": f"{name}@ksu.edu"}

    def sign_up(name: str) -> dict:
        return {"email": f"{name}@example.com", "password": PASSWORD, "profile": {"username": "u" + name}}

    good = True
    print(f"{'question':24} {'known':8} {'median ms':>10} {'unknown':>10} {'differ':>8} {'KS p':>8}", flush=True)
    for name, path, status, body, kinds in (
        ("sign-in", f"/t/{OPEN}/v1/sign-in", 401, sign_in, ("pat", "off", "bare")),
        ("password reset", f"/t/{OPEN}/v1/password-reset", 202, address, ("lost",)),
        ("verification again", f"/t/{OPEN}/v1/email-verification", 202, address, ("new",)),
        ("hidden sign-up", f"/t/{HIDDEN}/v1/sign-up", 202, sign_up, ("pat",)),
    ):
        times = ask(server, path, status, body, [*kinds, "nobody"], count)
        for kind in kinds:
            good = judge(name, kind, times[kind], times["nobody"]) and good
    return good


def ask(server: Server, path: str, status: int, body, kinds: list[str], count: int) -> dict[str, list[float]]:
    """Milliseconds of each question; each address is asked about once, the kinds in a random order."""
    times: dict[str, list[float]] = {kind: [] for kind in kinds}
    link = Link(server.base)
    dice = random.Random(path)
    for number in range(1, count + WARM_UP + 1):
        for kind in dice.sample(kinds, len(kinds)):
            text = body(f"{kind}{number}")
            began = time.perf_counter_ns()
            answer = link.ask("POST", path, text)
            took = (time.perf_counter_ns() - began) / 1e6
            if answer[0] != status:
                sys.exit(f"prove: {path} answered {answer[0]} {answer[2][:200]!r}")
            if number > WARM_UP:
                times[kind].append(took)
    link.close()
    return times


def judge(name: str, kind: str, known: list[float], unknown: list[float]) -> bool:
    """Prints one line; whether the medians are within 2 % and one distribution explains both samples."""
    first, second = statistics.median(known), statistics.median(unknown)
    differ = abs(first - second) / second
    likely = same_distribution(known, unknown)
    good = differ < 0.02 and likely > 0.01
    print(f"{name:24} {kind:8} {first:10.3f} {second:10.3f} {differ:8.2%} {likely:8.3f} {'' if good else 'NOT THE SAME'}",
          flush=True)
    return good


def same_distribution(first: list[float], second: list[float]) -> float:
    """The two-sample Kolmogorov-Smirnov test: how likely samples of one distribution are to differ so much."""
    one, two = sorted(first), sorted(second)
    largest, i, j = 0.0, 0, 0
    while i < len(one) and j < len(two):
        value = min(one[i], two[j])
        while i < len(one) and one[i] == value:
            i += 1
        while j < len(two) and two[j] == value:
            j += 1
        largest = max(largest, abs(i / len(one) - j / len(two)))
    size = math.sqrt(len(one) * len(two) / (len(one) + len(two)))
    scaled = (size + 0.12 + 0.11 / size) * largest
    if scaled < 0.2:
        return 1.0
    return min(1.0, max(0.0, 2 * sum((-1) ** (k - 1) * math.exp(-2 * k * k * scaled * scaled) for k in range(1, 101))))
