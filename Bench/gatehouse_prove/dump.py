"""A dump of a PostgreSQL of one's own, and its restore: by the steps of docs/operations.md, with the program of deploy/."""
from __future__ import annotations

import asyncio
import contextlib
import os
import subprocess
import time
from collections.abc import Iterator

from gatehouse_bench.machine import ROOT, free_port, run
from gatehouse_bench.server import TENANT, Server, place, postgres_programs
from gatehouse_prove.failover import judge
from gatehouse_prove.failover.nodes import clean_environment, is_root
from gatehouse_prove.failover.stage import policy
from gatehouse_prove.full import Near
from gatehouse_prove.restore import said

LOGINS = {"URL": "gatehouse_app", "JOBS_URL": "gatehouse_jobs", "MIGRATOR_URL": "gatehouse_migrator"}
SECRET = "a password of this run alone"


class Own:
    """A PostgreSQL as an operator has one: logins by password over TCP, its superuser over a socket."""

    def __init__(self, folder: str, program: str) -> None:
        self.folder, self.program, self.port = folder, program, free_port()
        self.user = "postgres" if is_root() else None
        self.data, self.programs = os.path.join(folder, "postgres"), postgres_programs()
        run(["install", "-d", "-m", "0755", *(["-o", "postgres"] if self.user else []), self.data])
        self.as_owner("initdb", "--username=postgres", "--auth-local=trust", "--auth-host=scram-sha-256",
                      "-D", self.data + "/data")
        self.as_owner("pg_ctl", "-w", "-D", self.data + "/data", "-l", self.data + "/log",
                      "-o", f"-k {self.data} -p {self.port} -c listen_addresses=127.0.0.1", "start")

    def as_owner(self, program: str, *words: str) -> None:
        """A program of PostgreSQL as its user; what it prints goes nowhere, for the server would hold a pipe open."""
        subprocess.run([f"{self.programs}/{program}", *words], check=True, user=self.user, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL, env=clean_environment(), cwd="/")

    def stop(self) -> None:
        """Ends it."""
        self.as_owner("pg_ctl", "-D", self.data + "/data", "-m", "immediate", "stop")

    def psql(self, text: str, database: str = "gatehouse") -> list[list[str]]:
        """Rows of a script as the superuser."""
        printed = run([f"{self.programs}/psql", "-X", "-q", "-A", "-t", "-F", "\t", "-v", "ON_ERROR_STOP=1", "-h", self.data,
                       "-p", str(self.port), "-U", "postgres", "-d", database, "-c", text])
        return [line.split("\t") for line in printed.splitlines() if line]

    def create(self) -> None:
        """The database and its roles."""
        self.psql("CREATE DATABASE gatehouse", "postgres")
        for words in ([], ["--backup"]):
            self.psql(run([self.program, "db", "roles", *words], env=clean_environment()))

    def settings(self) -> dict[str, str]:
        """How the server's roles reach it."""
        word = SECRET.replace(" ", "%20")
        return {f"GATEHOUSE_DATABASE_{name}": f"postgres://{role}:{word}@127.0.0.1:{self.port}/gatehouse"
                for name, role in LOGINS.items()}

    def tell(self, *words: str) -> tuple[int, str]:
        """A verb of the command line."""
        done = subprocess.run(
            [self.program, *words, "--data-dir", os.path.join(self.folder, "data")], capture_output=True, text=True,
            check=False, env=clean_environment() | self.settings(), timeout=300)
        return done.returncode, done.stdout + done.stderr

    def back_up(self) -> str:
        """One run of the program of deploy/; the path of the dump."""
        folder = os.path.join(self.folder, "dumps")
        os.makedirs(folder, 0o700, exist_ok=True)
        word = os.path.join(self.folder, "backup.pgpass")
        with open(os.open(word, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o400), "w", encoding="utf-8") as file:
            file.write(f"127.0.0.1:{self.port}:gatehouse:gatehouse_backup:{SECRET}\n")
        printed = run([os.path.join(ROOT, "deploy", "gatehouse-backup")], env=clean_environment() | {
            "PGHOST": "127.0.0.1", "PGPORT": str(self.port), "PGPASSFILE": word, "BACKUP_DIRECTORY": folder})
        os.unlink(word)
        return printed.split(": ")[0]


@contextlib.contextmanager
def own(program: str) -> Iterator[Own]:
    """A PostgreSQL for one proof."""
    with place() as path:
        there = Own(path, program)
        try:
            yield there
        finally:
            there.stop()


def prove(program: str) -> bool:
    """Dumps, goes on, restores the dump into an empty database, and compares."""
    with own(program) as there:
        there.create()
        for role in (*LOGINS.values(), "gatehouse_backup"):
            there.psql(f"ALTER ROLE {role} PASSWORD '{SECRET}'")
        need(there, "db", "migrate")
        policies = os.path.join(there.folder, "policies")
        os.mkdir(policies)
        with open(os.path.join(policies, TENANT + ".yaml"), "w", encoding="utf-8") as file:
            file.write(policy())
        server = started(there, policies)
        try:
            return told(there, server, policies)
        finally:
            server.stop()


def started(there: Own, policies: str) -> Server:
    """A server on this database."""
    settings = there.settings() | {"GATEHOUSE_HASH_QUEUE": "4096"}
    server = Server(there.program, os.path.join(there.folder, "data"), policies, settings)
    server.await_ready()
    return server


def need(there: Own, *words: str) -> str:
    """A verb that must succeed."""
    code, printed = there.tell(*words)
    if code != 0:
        raise OSError(f"{' '.join(words)}: {printed}")
    return printed


def told(there: Own, server: Server, policies: str) -> bool:
    """All that is proved."""
    crowd = Near("127.0.0.1", server.port)
    crowd.populate()
    load(crowd, 4)
    is_told = "last backup: never" in there.tell("doctor")[1]
    good = said([] if is_told else ["it does not"], "before the first dump the doctor says that there was never one")
    # Of a quiet database, so that the ledger is that of the dump.
    time.sleep(1)
    before, dump = judge.look(there.psql), there.back_up()
    moment = there.psql("SELECT to_char(now() AT TIME ZONE 'utc', 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"')")[0][0]
    crowd.start()
    time.sleep(2)
    second = there.back_up()
    time.sleep(2)
    crowd.stop()
    wrong = [] if os.path.exists(dump) and os.path.exists(second) else ["a dump is missing"]
    wrong += [f"noted: {noted}" for noted in there.psql("SELECT count(*) FROM gatehouse.backup") if noted != ["2"]]
    wrong += [f"left behind: {name}" for name in os.listdir(os.path.dirname(dump)) if name.startswith(".")]
    printed = there.tell("doctor")[1]
    wrong += [] if "last backup: " in printed and "never" not in printed else [f"the doctor: {printed}"]
    good = said(wrong, "a dump of a quiet database and one under load are whole, noted and named by the doctor") and good
    later = os.path.join(there.folder, "later.ndjson")
    await_chained(there)
    with open(later, "w", encoding="utf-8") as file:
        file.write(need(there, "audit", "export", TENANT))
    if server.stop() != 0:
        good = said(["the server did not end well"], "the server ends")
    began = time.monotonic()
    restore(there, dump)
    found = judge.look(there.psql)
    wrong = [f"{name}: {len(was)} before, {len(now)} after" for name, was, now in (
        ("accounts", before.accounts, found.accounts), ("sessions", before.sessions, found.sessions),
        ("chains", before.chains, found.chains)) if was != now]
    good = said(wrong, f"restored in {time.monotonic() - began:.0f} s: {len(found.accounts)} accounts, "
                       f"{len(found.sessions)} sessions and {len(found.chains)} chains of tokens as they were") and good
    code, printed = there.tell("audit", "verify", TENANT, "--against", later)
    good = said([] if code == 1 else [f"{code} {printed[:300]}"], "against a later export the audit log is truncated") and good
    need(there, "db", "restored", "--until", moment, "--yes")
    server = started(there, policies)
    try:
        crowd.port = server.port
        good = said(sign_ins(crowd), "after db restored people sign in with their passwords") and good
        code, printed = there.tell("audit", "verify", TENANT)
        wrong = [] if code == 0 else [f"{code} {printed[:300]}"]
        return said(wrong, "and the audit log is whole, but for the gap that it names") and good
    finally:
        server.stop()


def load(crowd: Near, seconds: float) -> None:
    """Clients, for a while."""
    crowd.start()
    time.sleep(seconds)
    crowd.stop()


def await_chained(there: Own) -> None:
    """Waits until the audit log is chained."""
    end = time.monotonic() + 60
    while there.psql("SELECT count(*) FROM gatehouse.audit_unsealed") != [["0"]]:
        if time.monotonic() > end:
            raise OSError("the audit log is not chained")
        time.sleep(0.2)


def restore(there: Own, dump: str) -> None:
    """The steps of docs/operations.md, in place of the database that was."""
    there.psql("DROP DATABASE gatehouse WITH (FORCE)", "postgres")
    there.create()
    run([f"{there.programs}/pg_restore", "--exit-on-error", "--single-transaction", "-h", there.data, "-p", str(there.port),
         "-U", "postgres", "--dbname", "gatehouse", dump])
    need(there, "db", "migrate")


def sign_ins(crowd: Near) -> list[str]:
    """Of people whose accounts the dump has."""
    async def all_of_them() -> list[str]:
        line = crowd.line()
        answers = [await line.ask("POST", "/v1/sign-in", {"email": person.email, "password": person.password})
                   for person in crowd.visitors]
        line.close()
        return [f"a sign-in was answered {answer.code}" for answer in answers if answer.status != 200]

    return asyncio.run(all_of_them())
