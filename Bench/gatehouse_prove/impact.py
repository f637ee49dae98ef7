"""A million people are judged by a candidate policy beside a live server: in how many seconds, with how much memory, and
what it costs those who sign in meanwhile."""
from __future__ import annotations

import dataclasses
import http.client
import os
import re
import resource
import shutil
import statistics
import subprocess
import threading
import time

from gatehouse_bench.machine import ROOT
from gatehouse_bench.rounds import percentile
from gatehouse_bench.server import Link, Server, place

TENANT = "dd-ride"
PASSWORD = "Wildcat1"
# Sign-ins a second: about a seventh of what two cores can hash, as on a busy day.
RATE = 20
CLIENTS = 4
PEOPLE = """
INSERT INTO gatehouse.account (tenant_id, id, email, email_verified_at, profile, created_at, updated_at,
  password_changed_at, entered_by)
SELECT '{tenant}', gen_random_uuid(), 'person' || n || '@ksu.edu', CASE WHEN n % 4 > 0 THEN now() END,
  jsonb_build_object('name', 'Person ' || n, 'phoneNumber', '+1785555' || lpad((n % 10000)::text, 4, '0'),
    'role', 'member', 'classYear', 1 + n % 4, 'chapterId', ''), now(), now(), now(), 'sign_up'
FROM generate_series(1, {count}) AS n;
INSERT INTO gatehouse.session (tenant_id, id, account_id, created_at, last_seen_at, authenticated_at, methods, expires_at,
  idle_expires_at)
SELECT tenant_id, gen_random_uuid(), id, now(), now(), now(), '{{pwd}}', now() + interval '1 day', now() + interval '1 day'
FROM gatehouse.account WHERE tenant_id = '{tenant}' AND hashtext(email) % 5 = 0;
ANALYZE gatehouse.account; ANALYZE gatehouse.session
"""


def prove(program: str, count: int = 1_000_000) -> bool:
    """All users judged, beside sign-ins."""
    with place() as path:
        policies = os.path.join(path, "policies")
        shutil.copytree(os.path.join(ROOT, "policies"), policies)
        live = os.path.join(policies, TENANT + ".yaml")
        with open(live, encoding="utf-8") as file:
            text = re.sub(r"(?m)^limits:.*\n", "", file.read().split("\ntests:")[0] + "\n")
        with open(live, "w", encoding="utf-8") as file:
            file.write(text)
        candidate = os.path.join(path, "candidate.yaml")
        with open(candidate, "w", encoding="utf-8") as file:
            file.write(text.replace("max_length: 100", "max_length: 12").replace("ksu.edu]", "k-state.edu]"))
        server = Server(program, os.path.join(path, "data"), policies)
        try:
            server.await_ready(TENANT)
            server.sql(PEOPLE.format(tenant=server.tenant_id(TENANT), count=count))
            return prove_on(server, program, candidate, count)
        finally:
            server.stop()


def prove_on(server: Server, program: str, candidate: str, count: int) -> bool:
    """The same on a server with its people."""
    link = Link(server.base)
    who = [f"w{number}@ksu.edu" for number in range(40)]
    for email in who:
        profile = {"name": "W", "phoneNumber": "(785) 555-0123"}
        link.json("POST", f"/t/{TENANT}/v1/sign-up", {"email": email, "password": PASSWORD, "profile": profile})
    before = sign_ins(server, who, 10)
    words = [program, "policy", "impact", TENANT, candidate, "--data-dir", server.data, "--output", "csv"]
    began = time.monotonic()
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    during = sign_ins(server, who, None, process)
    table, said = process.communicate()
    seconds = time.monotonic() - began
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    alone = time.monotonic()
    subprocess.run(words, capture_output=True, check=False)
    alone = time.monotonic() - alone
    usual, then = statistics.median(before.times), statistics.median(during.times)
    failed = before.failed + during.failed
    print(f"impact    {count} people in {seconds:.0f} s beside {RATE} sign-ins a second, {alone:.0f} s without; at most "
          f"{memory:.0f} MB; a sign-in took {usual * 1000:.1f} ms before, {then * 1000:.1f} ms during "
          f"({then / usual:.2f} x; p90 {percentile(before.times, 0.9) * 1000:.1f} and "
          f"{percentile(during.times, 0.9) * 1000:.1f} ms), of {len(before.times)} and {len(during.times)}; {failed} failed")
    for line in said.splitlines()[:3]:
        print(f"          {line}")
    judged = re.search(r"email\.allowed_domains,\d+,enforce,0,(\d+),", table)
    return bool(judged) and int(judged[1]) >= count and seconds < 60 and then / usual <= 1.1 and not failed


@dataclasses.dataclass
class SignIns:
    """Seconds that each took from when it was due, and how many failed."""

    times: list[float] = dataclasses.field(default_factory=list)
    failed: int = 0


def sign_ins(
    server: Server, who: list[str], seconds: float | None, process: subprocess.Popen[str] | None = None
) -> SignIns:
    """So many sign-ins each second, by four clients, for so long or until the process ends. What is due and can not begin
    yet counts from when it was due."""
    done, over = SignIns(), threading.Event()
    began = time.monotonic()

    def run(worker: int) -> None:
        link = Link(server.base)
        for number in range(worker, 1_000_000, CLIENTS):
            due = began + number / RATE
            if over.wait(max(0, due - time.monotonic())):
                return
            try:
                status, _ = link.json(
                    "POST", f"/t/{TENANT}/v1/sign-in", {"email": who[number % len(who)], "password": PASSWORD})
                done.failed += status != 200
            except (OSError, http.client.HTTPException):
                done.failed += 1
            done.times.append(time.monotonic() - due)
    workers = [threading.Thread(target=run, args=(worker,)) for worker in range(CLIENTS)]
    for worker in workers:
        worker.start()
    if process is None:
        time.sleep(seconds or 0)
    else:
        process.wait()
    over.set()
    for worker in workers:
        worker.join()
    return done
