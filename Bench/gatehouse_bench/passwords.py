"""P1, P2: sign-ins beside raw hashing. P7: cheap requests while a storm of sign-ins fills the hash pool."""
from __future__ import annotations

import dataclasses
import json
import os
import statistics
import subprocess
import threading
import time

from gatehouse_bench.calm import Rounds, undisturbed
from gatehouse_bench.machine import BENCH, PROCESSORS, Paced, paced, run, wrk
from gatehouse_bench.people import Person, sign_up
from gatehouse_bench.rounds import Result, at_least, in_turns, percentile
from gatehouse_bench.server import TENANT, Link, Server, running
from gatehouse_bench.setting import Setting


def sign_ins(setting: Setting, wanted: set[str]) -> list[Result]:
    """P1 and P2, in turns: libargon2, the pool by itself, sign-ins."""
    results: list[Result] = []
    # A closed loop leaves unfinished what is in flight at its end: the longer the load, the less that counts.
    seconds = 3 * setting.seconds
    with running(setting.program, setting.variables) as server:
        raw = os.path.join(os.path.dirname(server.data), "argon2")
        run(["cc", "-O2", "-o", raw, os.path.join(BENCH, "limits", "argon2.c"), "-largon2", "-lpthread"])
        bodies = write_bodies(server, sign_up(server, 128, "p"))

        def load(_number: int) -> float:
            url = f"{server.base}/t/{TENANT}/v1/sign-in"
            return wrk(url, seconds, 16, "sign_in.lua", [bodies]).demand_success("sign-ins").rate

        (library, kept, pool, ours), note = in_turns(
            setting.rounds,
            lambda _: float(run([raw, str(PROCESSORS), str(setting.seconds), "fresh"])),
            lambda _: float(run([raw, str(PROCESSORS), str(setting.seconds), "kept"])),
            lambda _: float(run([setting.pool_program, str(PROCESSORS), str(int(setting.seconds))])), load)
    if "P1" in wanted:
        result = at_least("P1", "password sign-in", "libargon2, all cores", "/s", 2.8, library, ours)
        result.notes.append(
            f"libargon2 whose memory malloc keeps between hashes makes {statistics.median(kept):.0f}/s: "
            f"{statistics.median(ours) / statistics.median(kept):.2f} x")
        results.append(result)
    if "P2" in wanted:
        results.append(at_least("P2", "password sign-in", "our hash pool alone", "/s", 0.9, pool, ours))
    results[-1].notes.append(note)
    return results


def write_bodies(server: Server, people: list[Person]) -> str:
    """A file with one sign-in a line."""
    path = os.path.join(os.path.dirname(server.data), "bodies")
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(json.dumps(who.credentials) + "\n" for who in people)
    return path


@dataclasses.dataclass
class Storm:
    """More sign-ins than the pool and its queue can take, and a probe that notes how each of its own is answered."""

    server: Server
    bodies: str
    seconds: float
    probe: Person

    def __enter__(self) -> "Storm":
        self.refusals: list[float] = []
        self.without_wait = self.probes = 0
        self.over = threading.Event()
        folder = os.path.join(BENCH, "load")
        # A refused client waits a second, the least that Retry-After tells it.
        self.process = subprocess.Popen(
            ["wrk", "-t1", "-c600", f"-d{self.seconds + 8:g}s", "--timeout", "30s", "-s",
             os.path.join(folder, "sign_in.lua"), f"{self.server.base}/t/{TENANT}/v1/sign-in", "--", self.bodies,
             "1000"], stdout=subprocess.DEVNULL, env=os.environ | {"BENCH_LOAD": folder})
        end = time.monotonic() + 20
        while self.server.metric("gatehouse_hash_refused_total") == 0 and time.monotonic() < end:
            time.sleep(0.05)
        self.thread = threading.Thread(target=self.ask)
        self.thread.start()
        return self

    def ask(self) -> None:
        """Signs in now and then; most of it is refused."""
        while not self.over.wait(0.05):
            link = Link(self.server.base)
            began = time.monotonic()
            status, fields, _ = link.ask("POST", f"/t/{TENANT}/v1/sign-in", self.probe.credentials)
            elapsed = (time.monotonic() - began) * 1000
            link.close()
            self.probes += 1
            if status == 503:
                self.refusals.append(elapsed)
                self.without_wait += "retry-after" not in fields

    def __exit__(self, *_: object) -> None:
        self.over.set()
        self.thread.join()
        self.process.terminate()
        self.process.wait()
        # What waits is hashed for all the same; what is measured next must not meet it.
        while self.server.metric("gatehouse_hash_waiting") + self.server.metric("gatehouse_hash_running") > 0:
            time.sleep(0.05)


@dataclasses.dataclass
class Stormed:
    """One round of P7: what was asked without the storm and with it, by address."""

    quiet: dict[str, Paced]
    loud: dict[str, Paced]
    seen: Storm
    hashes: float
    memory: float


def storm(setting: Setting, _: set[str]) -> list[Result]:
    """P7: the same 1000 requests a second, without the storm and with it, in turns."""
    with running(setting.program, setting.variables) as server:
        people = sign_up(server, 512, "s")
        # The storm ends sessions (a person has so many); these two are not among its people.
        reader, probe = people[:2]
        bodies = write_bodies(server, people[2:])
        documents = f"{server.base}/t/{TENANT}/v1/policy"
        records, token = f"{server.base}/t/{TENANT}/v1/me", [f"Authorization: Bearer {reader.access_token}"]

        def one(_number: int) -> Stormed:
            quiet = {url: paced(url, 1000, setting.seconds, fields=token) for url in (documents, records)}
            with Storm(server, bodies, 2 * setting.seconds, probe) as seen:
                began, before = time.monotonic(), server.metric("gatehouse_hash_done_total")
                loud = {url: paced(url, 1000, setting.seconds, fields=token) for url in (documents, records)}
                hashes = (server.metric("gatehouse_hash_done_total") - before) / (time.monotonic() - began)
                memory = server.resident()
            return Stormed(quiet, loud, seen, hashes, memory)

        rounds = undisturbed(setting.rounds, one)
    refusals = [time for one in rounds.calm for time in one.seen.refusals]
    without_wait = sum(one.seen.without_wait for one in rounds.all)
    return [
        compared("policy document", documents, rounds, [rounds.note]),
        compared("GET /v1/me", records, rounds, [
            f"the pool made {statistics.median(one.hashes for one in rounds.calm):.0f} hashes/s meanwhile; the server held "
            f"{max(one.memory for one in rounds.all):.0f} MB at most",
            f"{len(refusals)} probes were refused with 503, {without_wait} of them without Retry-After, in "
            f"{percentile(refusals, 0.5):.0f} ms (median), {percentile(refusals, 0.99):.0f} ms (p99), "
            f"{max(refusals):.0f} ms (worst)" if refusals else "no probe was refused: the storm was too weak",
        ], refusals),
    ]


def compared(
    what: str, url: str, rounds: Rounds[Stormed], notes: list[str], refusals: list[float] | None = None
) -> Result:
    """One line of P7."""
    limit = [percentile(one.quiet[url].times, 0.99) for one in rounds.calm]
    ours = [percentile(one.loud[url].times, 0.99) for one in rounds.calm]
    success = min(one.loud[url].success for one in rounds.all)
    reached = statistics.median(ours) <= 2 * statistics.median(limit) and success >= 0.999
    if refusals is not None:
        reached = reached and bool(refusals) and percentile(refusals, 0.99) < 100
    return Result(
        "P7", f"{what}, 1000/s, p99 in a login storm", ours, "ms", "<= 2.00 x", reached, limit, "no storm",
        [f"{success * 100:.2f} % of its requests went well in the storm (reach 99.9 %)"] + notes)
