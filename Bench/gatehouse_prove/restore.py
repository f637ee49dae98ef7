"""A backup of a cluster, and its restore to a point in time: by the steps of docs/cluster.md, with the files of deploy/."""
from __future__ import annotations

import asyncio
import copy
import os
import re
import subprocess
import time

from gatehouse_bench.machine import run
from gatehouse_bench.server import TENANT
from gatehouse_prove.failover import install, judge, templates
from gatehouse_prove.failover.backup import Repository
from gatehouse_prove.failover.nodes import clean_environment
from gatehouse_prove.failover.stage import SERVERS, Stage, staged


def prove(program: str, keep: bool = False) -> bool:
    """Backs up, goes on, restores to a moment between, and compares."""
    install.demand(install.PACKAGES | install.MORE)
    with staged(program, keep, Repository) as stage:
        repository: Repository = stage.beside
        repository.create()
        good = said(backed_up(stage, repository), "a full backup of a cluster under load is read from a standby")
        good = said(unreadable(repository), "the repository is read neither without its passphrase nor with another one") and good
        load(stage, 6)
        before, moment = copy.deepcopy(stage.crowd.ledger), stage.cluster.sql("SELECT clock_timestamp()")[0][0]
        time.sleep(1)
        load(stage, 6)
        after = stage.crowd.ledger
        later = os.path.join(stage.folder, "later.ndjson")
        export(stage, later)
        archive(stage, repository)
        began = time.monotonic()
        restored(stage, moment)
        took = time.monotonic() - began
        found = judge.look(stage.cluster.sql)
        faults = judge.judge(before, found)
        absent = [email for email in after.sign_ups if email not in before.sign_ups]
        faults += [f"there, though it came later: {email}" for email in absent if email in found.accounts]
        good = said(faults, f"restored to {moment} in {took:.0f} s: {before.acknowledged} effects as they were then, "
                            f"{len(absent)} later sign-ups absent") and good
        good = said(other_key(stage), "with another key file nothing is served") and good
        good = said(own_key(stage), "with the right one keys, passwords and sessions are") and good
        return said(audit(stage, later), "the audit log is whole, and against a later export it is truncated") and good


def said(wrong: list[str], text: str) -> bool:
    """One line of the proof, and what was wrong."""
    print(f"restore   {text}{'' if not wrong else '   NOT SO'}", flush=True)
    for one in wrong[:10]:
        print(f"          RED: {one}", flush=True)
    return not wrong


def load(stage: Stage, seconds: float) -> None:
    """Clients, for a while."""
    stage.crowd.start()
    time.sleep(seconds)
    stage.crowd.stop()
    stage.await_quiet()


def backed_up(stage: Stage, repository: Repository) -> list[str]:
    """A full backup while clients write."""
    stage.crowd.start()
    printed = repository.need("backup", "--type=full", "--log-level-console=detail")
    stage.crowd.stop()
    wrong = [] if [one["type"] for one in repository.backups()] == ["full"] else [f"backups: {repository.backups()}"]
    return wrong + ([] if "wait for replay on the standby" in printed else ["no standby was read"])


def unreadable(repository: Repository) -> list[str]:
    """Neither the files nor a stranger's passphrase give anything."""
    stranger = repository.repository("stranger.conf", "another passphrase")
    code, printed = repository.tell("info", configuration=stranger)
    wrong = [f"readable: {name}" for name in repository.readable()]
    return wrong if "cipher" in printed.lower() or code != 0 else [*wrong, f"with another passphrase: {code} {printed[:200]}"]


def export(stage: Stage, path: str) -> None:
    """The audit log, once its rows are chained."""
    open_rows = "SELECT count(*) FROM gatehouse.audit_unsealed"
    stage.cluster.await_true(lambda: stage.cluster.sql(open_rows) == [["0"]], "rows are chained", 60)
    with open(path, "w", encoding="utf-8") as file:
        file.write(stage.need("audit", "export", TENANT))


def archive(stage: Stage, repository: Repository) -> None:
    """Waits until the repository has everything up to this moment."""
    segment = stage.cluster.sql("SELECT pg_walfile_name(pg_switch_wal())")[0][0]
    stage.cluster.await_true(lambda: repository.archived(segment), "the log is archived", 90)


def restored(stage: Stage, moment: str) -> None:
    """The steps of the runbook: all stops, the cluster's state goes, one node restores, the others copy it."""
    cluster = stage.cluster
    for server in stage.servers.values():
        server.end()
    for name in ("n3", "n2", "n1"):
        if cluster.nodes[name].end(60) is None:
            raise OSError(f"{name} did not end")
        os.rename(cluster.nodes[name].data, cluster.nodes[name].data + ".before")
    done = subprocess.run(
        [os.path.join(cluster.patroni, "patronictl"), "-c", os.path.join(cluster.place, "n1.yml"), "remove", "gatehouse"],
        input="gatehouse\nYes I am aware\n", capture_output=True, text=True, check=False, env=clean_environment())
    if done.returncode != 0:
        raise OSError(f"patronictl remove: {done.stdout}{done.stderr}")
    path = os.path.join(cluster.place, "n1.yml")
    with open(path, encoding="utf-8") as file:
        text = file.read()
    lines = templates.deployed("patroni-restore.yml", {
        "@TIME@": moment, "/etc/pgbackrest/pgbackrest.conf": os.path.join(cluster.place, "n1.backup", "pgbackrest.conf")})
    cluster.write("n1.yml", text.replace("\nbootstrap:\n", "\nbootstrap:\n" + lines), is_secret=True)
    cluster.nodes["n1"].start()
    cluster.await_true(lambda: cluster.primary() == "n1", "the restored node is primary", 120)
    cluster.write("n1.yml", text, is_secret=True)
    for name in ("n2", "n3"):
        cluster.nodes[name].start()
    cluster.await_whole(120)


def other_key(stage: Stage) -> list[str]:
    """A server with a key of its own must serve no tenant."""
    path = os.path.join(stage.folder, "g1", "kek")
    with open(path, encoding="utf-8") as file:
        right = file.read()
    replace(path, run(["openssl", "rand", "-base64", "32"]))
    try:
        server = stage.servers["g1"]
        server.start()
        end, answers = time.monotonic() + 8, set()
        while time.monotonic() < end and server.is_alive:
            answers.add(stage.is_open())
            time.sleep(0.2)
        code = None if server.is_alive else server.wait()
        server.end()
        print(f"          with another key the server {'ran on' if code is None else f'ended with {code}'}", flush=True)
        return ["a key set was served"] if True in answers else []
    finally:
        replace(path, right)


def replace(path: str, text: str) -> None:
    """Writes a file that only its owner reads."""
    os.unlink(path)
    with open(os.open(path, os.O_WRONLY | os.O_CREAT, 0o400), "w", encoding="utf-8") as file:
        file.write(text)


def own_key(stage: Stage) -> list[str]:
    """Both servers, and clients who go on with what they had at the moment of the restore."""
    for name in SERVERS:
        stage.servers[name] = stage.server(name)
        stage.servers[name].start()
    for name in SERVERS:
        stage.await_ready(name)
    stage.cluster.await_true(stage.is_open, "people are served", 20)
    async def sign_in() -> list[str]:
        line = stage.crowd.line()
        answers = [await line.ask("POST", "/v1/sign-in", {"email": person.email, "password": person.password})
                   for person in stage.crowd.visitors]
        line.close()
        return [f"a sign-in was answered {answer.code}" for answer in answers if answer.status != 200]

    return asyncio.run(sign_in())


def audit(stage: Stage, later: str) -> list[str]:
    """The chain by itself, and against what was exported after the moment."""
    wrong = []
    code, printed = stage.tell("audit", "verify", TENANT)
    if code != 0:
        wrong.append(f"by itself: {code} {printed[:300]}")
    code, printed = stage.tell("audit", "verify", TENANT, "--against", later)
    if code != 1 or not re.search("truncated|once went on", printed):
        wrong.append(f"against the later export: {code} {printed[:300]}")
    return wrong
