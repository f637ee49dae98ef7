"""P12: what one request costs in processor time, in PostgreSQL's log and on its disk. From this a load says how many machines it
needs (docs/operations.md, Capacity). Processor time hardly depends on what else the machine does."""
from __future__ import annotations

import concurrent.futures
import os
import statistics
from collections.abc import Callable

from gatehouse_bench.people import Person, sign_up
from gatehouse_bench.rounds import Result
from gatehouse_bench.server import TENANT, Link, Server, running
from gatehouse_bench.setting import Setting

WORKERS, PEOPLE = 8, 64
TICK = os.sysconf("SC_CLK_TCK")


def costs(setting: Setting, _: set[str]) -> list[Result]:
    """Each kind of request, so many times in each round, by a few clients who keep their connections."""
    results = []
    with running(setting.program, setting.variables) as server:
        people = sign_up(server, PEOPLE, "c")
        number = [0]

        def join(link: Link, _: Person) -> None:
            number[0] += 1
            email = f"n{number[0]}@example.com"
            demand(link.json("POST", f"/t/{TENANT}/v1/sign-up", {
                "email": email, "password": f"kt49xw-{email}", "profile": {"displayName": "Person"}}), 201)

        def enter(link: Link, who: Person) -> None:
            demand(link.json("POST", f"/t/{TENANT}/v1/sign-in", who.credentials), 200)

        def refresh(link: Link, who: Person) -> None:
            answer = demand(link.json("POST", f"/t/{TENANT}/v1/token", {"refresh_token": who.refresh_token}), 200)
            who.refresh_token, who.access_token = answer["refresh_token"], answer["access_token"]

        def own(link: Link, who: Person) -> None:
            demand(link.json("GET", f"/t/{TENANT}/v1/me", token=who.access_token), 200)

        for name, step, count in (("GET /v1/me", own, 4000), ("refresh", refresh, 2000), ("sign-in", enter, 400), ("sign-up", join, 400)):
            rounds = [once(server, people, step, count) for _ in range(setting.rounds)]
            for column, (what, unit) in enumerate((
                ("processor of the server", "ms"), ("processor of PostgreSQL", "ms"), ("PostgreSQL's log", "KiB"), ("kept on disk", "KB"),
            )):
                figures = [one[column] for one in rounds]
                results.append(Result("P12", f"{name}, {what}", figures, unit, "-", statistics.median(figures) >= 0))
    return results


def once(server: Server, people: list[Person], step: Callable[[Link, Person], None], count: int) -> tuple[float, ...]:
    """The costs of one request, out of so many."""
    def work(worker: int) -> None:
        link = Link(server.base)
        mine = people[worker::WORKERS]
        for turn in range(count // WORKERS):
            step(link, mine[turn % len(mine)])
        link.close()

    before = spent(server)
    with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
        list(pool.map(work, range(WORKERS)))
    after = spent(server)
    scales = (1000, 1000, 1 / 1024, 1 / 1000)
    return tuple((late - early) * scale / count for early, late, scale in zip(before, after, scales))


def spent(server: Server) -> tuple[float, ...]:
    """Seconds of processor of the server and of its PostgreSQL, bytes of the log, bytes of rows and their indexes."""
    with open(os.path.join(server.data, "postgres", "postmaster.pid"), encoding="utf-8") as file:
        head = int(file.readline())
    log, kept = server.sql("SELECT pg_current_wal_insert_lsn() - '0/0', sum(pg_relation_size(oid)) FROM pg_class "
                           "WHERE relnamespace = 'gatehouse'::regnamespace")[0]
    children = [pid for pid in map(int, filter(str.isdigit, os.listdir("/proc"))) if parent(pid) == head]
    # Of children that ended the postmaster has the sum.
    return seconds(server.process.pid), sum(map(seconds, children)) + seconds(head, has_ended=True), float(log), float(kept)


def fields(pid: int) -> list[str]:
    """Of /proc/PID/stat, those behind the name; none where it is gone."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
            return file.read().rpartition(")")[2].split()
    except OSError:
        return []


def parent(pid: int) -> int:
    """Who started a process."""
    return int(found[1]) if (found := fields(pid)) else 0


def seconds(pid: int, has_ended: bool = False) -> float:
    """Processor time of a process, and where asked for of its children that ended."""
    found = fields(pid)
    return sum(map(int, found[11:15] if has_ended else found[11:13])) / TICK


def demand(answer: tuple[int, dict], status: int) -> dict:
    """The body of an answer that must have this status."""
    if answer[0] != status:
        raise OSError(f"answered {answer[0]}: {answer[1]}")
    return answer[1]
