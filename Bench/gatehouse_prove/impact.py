"""A million people are judged by a candidate policy beside a live server: in how many seconds, with how much memory, and
what it costs those who sign in meanwhile."""
from __future__ import annotations

import http.client
import os
import re
import resource
import shutil
import subprocess
import threading
import time

from gatehouse_bench.machine import ROOT
from gatehouse_bench.server import Link, Server, place

TENANT = "dd-ride"
PASSWORD = "Wildcat1"
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
    """Everybody judged, beside sign-ins."""
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
    before, failed = sign_ins(server, who, 10)
    words = [program, "policy", "impact", TENANT, candidate, "--data-dir", server.data, "--output", "csv"]
    began = time.monotonic()
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    during, failed_too = sign_ins(server, who, None, process)
    table, said = process.communicate()
    seconds = time.monotonic() - began
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    alone = time.monotonic()
    subprocess.run(words, capture_output=True, check=False)
    alone = time.monotonic() - alone
    print(f"impact    {count} people in {seconds:.0f} s beside sign-ins, {alone:.0f} s without; at most {memory:.0f} MB; "
          f"{before:.1f} sign-ins/s before, {during:.1f} during ({during / before:.0%}); {failed + failed_too} failed")
    for line in said.splitlines()[:3]:
        print(f"          {line}")
    judged = re.search(r"email\.allowed_domains,\d+,enforce,0,(\d+),", table)
    return bool(judged) and int(judged[1]) >= count and seconds < 60 and during / before > 0.9 and not failed + failed_too


def sign_ins(
    server: Server, who: list[str], seconds: float | None, process: subprocess.Popen[str] | None = None
) -> tuple[float, int]:
    """Sign-ins each second by three clients, for so long or until the process ends; and how many failed."""
    done, failed, over = [0, 0, 0], [0, 0, 0], threading.Event()

    def run(worker: int) -> None:
        link = Link(server.base)
        number = worker
        while not over.is_set():
            try:
                status, _ = link.json(
                    "POST", f"/t/{TENANT}/v1/sign-in", {"email": who[number % len(who)], "password": PASSWORD})
                good = status == 200
            except (OSError, http.client.HTTPException):
                good = False
            done[worker] += good
            failed[worker] += not good
            number += 3
    workers = [threading.Thread(target=run, args=(worker,)) for worker in range(3)]
    began = time.monotonic()
    for worker in workers:
        worker.start()
    if process is None:
        time.sleep(seconds or 0)
    else:
        process.wait()
    spent = time.monotonic() - began
    over.set()
    for worker in workers:
        worker.join()
    return sum(done) / spent, sum(failed)
