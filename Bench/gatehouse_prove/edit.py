"""A policy file is edited under load, tightened, widened and taken back: enforced in how many milliseconds, with no failed
request, and each answer fits the revision that it names."""
from __future__ import annotations

import http.client
import json
import os
import re
import shutil
import statistics
import sys
import threading
import time
from collections.abc import Callable

from gatehouse_bench.machine import ROOT
from gatehouse_bench.server import Link, Server, place

TENANT = "dd-ride"
WORKERS, RATE = 4, 200
# What each edit makes of DD Ride's file: the shortest password, and whether people of another university may come.
State = tuple[int, bool]
EDITS: list[State] = [(9, False), (9, True), (8, True), (8, False)]


def prove(program: str, edits: int = 20) -> bool:
    """Edits under load."""
    with place() as path:
        policies = os.path.join(path, "policies")
        shutil.copytree(os.path.join(ROOT, "policies"), policies)
        file = os.path.join(policies, TENANT + ".yaml")
        with open(file, encoding="utf-8") as source:
            # Its own tests say what the old bounds let in; one machine is many people here.
            text = re.sub(r"(?m)^limits:.*\n", "", source.read().split("\ntests:")[0] + "\n")
            text += "limits: {sign_up_per_ip: 1000000/1h, requests_per_ip: 1000000/1m, requests_per_tenant: 1000000/1m}\n"
        with open(file, "w", encoding="utf-8") as copy:
            copy.write(text)
        server = Server(program, os.path.join(path, "data"), policies)
        try:
            server.await_ready(TENANT)
            return prove_on(server, file, text, edits)
        finally:
            server.stop()


def edited(text: str, state: State) -> str:
    """DD Ride's file in a state."""
    length, wide = state
    domains = "ksu.edu, wichita.edu" if wide else "ksu.edu"
    return text.replace("min_length: 8}", f"min_length: {length}}}").replace(
        "allowed_domains: [ksu.edu]", f"allowed_domains: [{domains}]")


def judged(domain: str, link: Link) -> tuple[int, int, set[str]]:
    """One sign-up that no policy takes (its telephone number is none): status, revision and the rules it broke."""
    status, fields, text = link.ask(
        "POST", f"/t/{TENANT}/v1/sign-up",
        {"email": "w@" + domain, "password": "Wildcat1", "profile": {"name": "W", "phoneNumber": "none"}})
    rules = {error["rule"] for error in json.loads(text).get("errors", [])}
    return status, int(fields.get("policy-revision") or 0), rules


def fits(domain: str, state: State, rules: set[str]) -> bool:
    """Whether exactly these rules are broken in a state."""
    length, wide = state
    wanted = {"phoneNumber.format"}
    if length > 8:
        wanted.add("password.min8")
    if domain == "wichita.edu" and not wide:
        wanted.add("email.allowed_domains")
    return rules == wanted


def prove_on(server: Server, path: str, text: str, edits: int) -> bool:
    """The same on a running server."""
    failed: list[str] = []
    seen: list[tuple[str, int, set[str]]] = []
    over = threading.Event()
    began = time.monotonic()

    def load(worker: int) -> None:
        link = Link(server.base, 10)
        number = 0
        while not over.is_set():
            domain = "ksu.edu" if number % 2 == 0 else "wichita.edu"
            try:
                status, revision, rules = judged(domain, link)
                if status == 422 and revision:
                    seen.append((domain, revision, rules))
                else:
                    failed.append(f"{status} by revision {revision}")
            except (OSError, http.client.HTTPException, ValueError) as error:
                failed.append(repr(error))
            number += 1
            time.sleep(max(0.0, began + (number * WORKERS + worker) / RATE - time.monotonic()))

    workers = [threading.Thread(target=load, args=(worker,)) for worker in range(WORKERS)]
    for worker in workers:
        worker.start()
    states, times = edit_all(server, path, lambda state: edited(text, state), edits)
    over.set()
    for worker in workers:
        worker.join()
    rate = len(seen) / (time.monotonic() - began)
    wrong = [entry for entry in seen if not fits(entry[0], states[entry[1]], entry[2])]
    print(f"edit      {edits} edits under {rate:.0f} requests/s: enforced after {statistics.median(times):.0f} ms (median), "
          f"{max(times):.0f} ms (worst); {len(failed)} failed requests, {len(wrong)} answers that do not fit their revision")
    for reason in sorted(set(failed))[:3]:
        print(f"          {reason}")
    return not failed and not wrong and max(times) < 1000 and rate > RATE * 0.9


def edit_all(
    server: Server, path: str, text: Callable[[State], str], edits: int
) -> tuple[dict[int, State], list[float]]:
    """Makes the edits one after the other: which state each revision is, and after how many milliseconds it counted."""
    link = Link(server.base, 10)
    states: dict[int, State] = {1: (8, False)}
    times: list[float] = []
    for number in range(edits):
        revision = number + 2
        states[revision] = EDITS[number % len(EDITS)]
        with open(path + ".new", "w", encoding="utf-8") as file:
            file.write(text(states[revision]))
        os.replace(path + ".new", path)
        start = time.monotonic()
        while judged("ksu.edu", link)[1] != revision:
            if time.monotonic() - start > 10:
                sys.exit("prove: an edit was not enforced")
            time.sleep(0.002)
        times.append((time.monotonic() - start) * 1000)
        time.sleep(0.2)
    link.close()
    return states, times
