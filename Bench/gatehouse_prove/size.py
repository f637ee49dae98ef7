"""Many tenants, and many people in one of them: what a server and its operators wait for. Figures, and aims that hold on
two processors."""
from __future__ import annotations

import dataclasses
import http.client
import os
import re
import secrets
import subprocess
import sys
import threading
import time
from typing import Callable

from gatehouse_bench.machine import ROOT, free_port
from gatehouse_bench.server import Link, Server, place

TENANTS, PEOPLE, RATE = 10_000, 5_000_000, 500
TENANT = "dd-ride"
SCOPES = ("tenant:write", "policy:write", "trust:write")
MAKERS = 12
Note = Callable[..., None]
# One tenant of so many is asked for until it is served.
SAMPLE = 100
# Whose policy the tenants have, each with a name and a domain of its own.
MODEL = "messai"
# Ids grow with time, as those that the server makes. Every person has a name that is looked up, and each thousandth one that few have.
CROWD = """
SET session_replication_role = replica;
INSERT INTO gatehouse.account (tenant_id, id, email, email_verified_at, profile, created_at, updated_at,
  password_changed_at, entered_by)
SELECT '{tenant}', (lpad(to_hex(1700000000000 + n), 12, '0') || '7' || substr(md5(n::text), 1, 3) || '8' || substr(md5(n::text), 4, 15))::uuid,
  'person' || n || '@ksu.edu', CASE WHEN n % 4 > 0 THEN now() END,
  jsonb_build_object('name', CASE WHEN n % 1000 = 7 THEN 'Xaver ' ELSE 'Person ' END || n,
    'phoneNumber', '+1785555' || lpad((n % 10000)::text, 4, '0'),
    'role', 'member', 'classYear', 1 + n % 4, 'chapterId', ''), now(), now(), now(), 'sign_up'
FROM generate_series({first}, {last}) AS n;
"""
KEYS = """
SET session_replication_role = replica;
INSERT INTO gatehouse.search_key (tenant_id, field, key, account_id)
SELECT tenant_id, 'name', gatehouse.search_key(profile ->> 'name'), id FROM gatehouse.account
WHERE tenant_id = '{tenant}' ON CONFLICT DO NOTHING;
"""
SETTLE = "VACUUM (ANALYZE) gatehouse.account; VACUUM (ANALYZE) gatehouse.search_key; CHECKPOINT"


@dataclasses.dataclass
class Ground:
    """A data directory with tenants and people in it."""

    program: str
    path: str

    @property
    def data(self) -> str:
        """The server's data directory."""
        return os.path.join(self.path, "data")

    def serve(self) -> tuple[Server, str]:
        """A running server, and where its admin API listens."""
        admin = f"127.0.0.1:{free_port()}"
        return Server(self.program, self.data, None, {"GATEHOUSE_ADMIN_LISTEN": admin}), f"http://{admin}"

    def operator(self, *words: str) -> tuple[float, subprocess.CompletedProcess[str]]:
        """Seconds and outcome of one command."""
        began = time.monotonic()
        done = subprocess.run([self.program, *words, "--data-dir", self.data], capture_output=True, text=True, check=False)
        return time.monotonic() - began, done

    def token(self) -> str:
        """A new admin token for all tenants."""
        scopes = [word for scope in SCOPES for word in ("--scope", scope)]
        done = self.operator("admin", "create", f"size{secrets.token_hex(4)}", "--all-tenants", *scopes)[1]
        return done.stdout.split()[-1]


class Watch:
    """Looks twenty times a second whether a server is ready: the longest time that it was not."""

    def __init__(self, server: Server) -> None:
        self.server, self.over = server, threading.Event()
        self.longest, self.said = 0.0, ""
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def run(self) -> None:
        """Until `end`."""
        since: float | None = None
        link = Link(self.server.operations)
        while not self.over.wait(0.05):
            now = time.monotonic()
            try:
                status, _, text = link.ask("GET", "/readyz")
            except (OSError, http.client.HTTPException) as error:
                status, text = 0, str(error).encode()
                link = Link(self.server.operations)
            if status == 200:
                since = None
                continue
            since = since or now
            if now - since >= self.longest:
                self.longest, self.said = max(now - since, 0.05), text.decode()[:300]

    def end(self) -> float:
        """Seconds."""
        self.over.set()
        self.thread.join()
        return self.longest


def model() -> str:
    """A policy whose tenant is to be named."""
    with open(os.path.join(ROOT, "policies", MODEL + ".yaml"), encoding="utf-8") as file:
        text = file.read().split("\ntests:")[0]
    return re.sub(r"(?m)^tests_at:.*\n?", "", text).replace(f"tenant: {MODEL}", "tenant: @NAME") + "\n"


def make(server: Server, admin: str, token: str, count: int, rate: float) -> tuple[float, list[float]]:
    """So many tenants, at most so many a second: the rate that was reached, and the seconds until each sampled one was
    served."""
    text = model()
    began = time.monotonic()
    waited: list[float] = []
    late: list[threading.Thread] = []
    refused: list[str] = []

    def follow(name: str) -> None:
        link, since = Link(server.base), time.monotonic()
        while link.ask("GET", f"/t/{name}/v1/policy")[0] != 200 and time.monotonic() - since < 120:
            time.sleep(0.1)
        waited.append(time.monotonic() - since)
        link.close()

    def run(worker: int) -> None:
        link = Link(admin, 120)
        for number in range(worker, count, MAKERS):
            time.sleep(max(0, began + number / rate - time.monotonic()))
            name = f"app{number}"
            body = {"name": name, "policy": text.replace("@NAME", name)}
            status, answer = link.json("POST", "/admin/v1/tenants", body, token)
            if status not in (200, 201):
                refused.append(f"prove: a tenant was answered {status}: {answer}")
                return
            if number % SAMPLE == 0:
                late.append(threading.Thread(target=follow, args=(name,)))
                late[-1].start()
    makers = [threading.Thread(target=run, args=(worker,)) for worker in range(MAKERS)]
    for maker in makers:
        maker.start()
    for maker in makers:
        maker.join()
    if refused:
        sys.exit(refused[0])
    reached = count / (time.monotonic() - began)
    for thread in late:
        thread.join()
    return reached, waited


def crowd(server: Server, count: int) -> None:
    """So many people in one tenant."""
    tenant = server.tenant_id(TENANT)
    for first in range(1, count + 1, 500_000):
        server.sql(CROWD.format(tenant=tenant, first=first, last=min(count, first + 499_999)))
    server.sql(KEYS.format(tenant=tenant))
    for statement in SETTLE.split("; "):
        server.sql(statement)


def edit(admin: str, token: str, count: int, tenants: int) -> None:
    """So many changes of policies, one tenant after another."""
    text = model()
    link = Link(admin, 120)
    for number in range(count):
        name = f"app{number % tenants}"
        changed = text.replace("@NAME", name).replace("max_length: 50", f"max_length: {49 - number // tenants}")
        body = {"items": [{"tenant": name, "text": changed}]}
        status, answer = link.json("POST", "/admin/v1/policies", body, token)
        if status != 200:
            sys.exit(f"prove: an edit was answered {status}: {answer}")


@dataclasses.dataclass
class Aim:
    """A figure, and the most that it may be; none where it is only told."""

    words: str
    value: float
    unit: str
    most: float | None = None

    @property
    def holds(self) -> bool:
        """Whether the aim is met."""
        return self.most is None or self.value <= self.most

    def show(self) -> None:
        """One line."""
        aim = "" if self.most is None else f"  (at most {self.most:g}){'' if self.holds else '  MISSED'}"
        print(f"size      {self.words}: {self.value:.2f} {self.unit}{aim}", flush=True)


def prove(program: str, tenants: int = TENANTS, people: int = PEOPLE) -> bool:
    """All figures, in some fifteen minutes."""
    aims: list[Aim] = []

    def note(words: str, value: float, unit: str, most: float | None = None) -> None:
        aims.append(Aim(words, value, unit, most))
        aims[-1].show()
    with place() as path:
        ground = Ground(program, path)
        for step in (making, resting, looking):
            step(ground, tenants, people, note)
    return all(aim.holds for aim in aims)


def making(ground: Ground, tenants: int, _: int, note: Note) -> None:
    """Tenants are made while the server serves."""
    server, admin = ground.serve()
    try:
        server.await_ready(None)
        ground.operator("tenant", "create", TENANT, "--policy", os.path.join(ROOT, "policies", TENANT + ".yaml"))
        watch = Watch(server)
        rate, waited = make(server, admin, ground.token(), tenants, RATE)
        note(f"{tenants} tenants were made", rate, "a second")
        note("a new tenant was served after, at the most", max(waited), "s", 2)
        note("the server was not ready for, at the most", watch.end(), "s", 1)
        note("memory after that", server.resident(), "MB", 200)
    finally:
        server.stop()


def resting(ground: Ground, tenants: int, _: int, note: Note) -> None:
    """A start with these tenants, and a day of edits."""
    server, admin = ground.serve()
    try:
        note("start to ready", server.await_ready(None), "s", 3)
        before = server.resident()
        note("memory after a start", before, "MB", 200)
        edit(admin, ground.token(), 2000, tenants)
        note("memory after 2,000 edits", server.resident(), "MB", 200)
        note("doctor", ground.operator("doctor")[0], "s", 5)
    finally:
        server.stop()


def looking(ground: Ground, _: int, people: int, note: Note) -> None:
    """Operators look at many people."""
    server, _admin = ground.serve()
    try:
        server.await_ready(None)
        crowd(server, people)
        for words in (f"person{people - 1}@", "xaver 1"):
            ground.operator("user", "list", TENANT, "--query", words)
            note(f"user list --query {words!r}", ground.operator("user", "list", TENANT, "--query", words)[0] * 1000, "ms")
        note("user list --contains", ground.operator("user", "list", TENANT, "--contains", "nobody.example")[0], "s")
        with open(os.path.join(ROOT, "policies", TENANT + ".yaml"), encoding="utf-8") as file:
            text = file.read().split("\ntests:")[0].replace("max_length: 100", "max_length: 12") + "\n"
        candidate = os.path.join(ground.path, "candidate.yaml")
        with open(candidate, "w", encoding="utf-8") as file:
            file.write(text)
        note("policy impact --estimate", ground.operator("policy", "impact", TENANT, candidate, "--estimate")[0], "s", 2)
        note("policy impact", ground.operator("policy", "impact", TENANT, candidate)[0], "s", 40)
    finally:
        server.stop()
