"""DD Ride's file is tightened, widened and taken back under load: enforced in how many milliseconds, with how many failed
requests, and how many answers that do not fit the revision they name. And what messAI's owners ask of its times."""
from __future__ import annotations

import http.client
import json
import os
import shutil
import statistics
import sys
import threading
import time

from gatehouse_bench.machine import ROOT
from gatehouse_bench.server import Link, Server, place, widened

TENANT = "dd-ride"
WORKERS, RATE = 4, 200
# What each edit makes of the file: the shortest password, and whether people of another university may come.
EDITS = [(9, False), (9, True), (8, True), (8, False)]


def prove(program: str, edits: int = 20) -> bool:
    """Edits under load, then times without it."""
    with place() as path:
        policies = os.path.join(path, "policies")
        shutil.copytree(os.path.join(ROOT, "policies"), policies)
        for name in (TENANT, "messai"):
            with open(os.path.join(policies, name + ".yaml"), encoding="utf-8") as file:
                text = widened(file.read())
            with open(os.path.join(policies, name + ".yaml"), "w", encoding="utf-8") as file:
                file.write(text)
        server = Server(program, os.path.join(path, "data"), policies)
        try:
            server.await_ready(TENANT)
            server.await_ready("messai")
            good = Edits(server, os.path.join(policies, TENANT + ".yaml")).prove(edits)
            return times(server) and good
        finally:
            server.stop()


class Edits:
    """Edits of one file, and people who ask meanwhile."""

    def __init__(self, server: Server, path: str) -> None:
        self.server, self.path = server, path
        with open(path, encoding="utf-8") as file:
            self.text = file.read().split("\ntests:")[0] + "\n"
        self.failed: list[object] = []
        self.seen: list[tuple[str, int, set[str]]] = []
        self.states = {1: (8, False)}
        self.over = threading.Event()

    def prove(self, edits: int) -> bool:
        """So many edits, one after the other."""
        self.began = time.monotonic()
        threads = [threading.Thread(target=self.load, args=(worker,)) for worker in range(WORKERS)]
        for thread in threads:
            thread.start()
        took = [self.edit(number) for number in range(edits)]
        self.over.set()
        for thread in threads:
            thread.join()
        rate = len(self.seen) / (time.monotonic() - self.began)
        wrong = [entry for entry in self.seen if not self.fits(*entry)]
        print(f"edit      {edits} edits under {rate:.0f} requests/s: enforced after {statistics.median(took):.0f} ms "
              f"(median), {max(took):.0f} ms (worst); {len(self.failed)} failed requests, {len(wrong)} answers that do "
              "not fit their revision")
        return not self.failed and not wrong and max(took) < 1000 and rate > RATE * 0.95

    def load(self, worker: int) -> None:
        """Asks at an even rate."""
        link, number = Link(self.server.base, 10), 0
        while not self.over.is_set():
            domain = "ksu.edu" if number % 2 == 0 else "wichita.edu"
            try:
                status, revision, rules = judged(domain, link)
                (self.seen if status == 422 and revision else self.failed).append((domain, revision, rules))
            except (OSError, http.client.HTTPException, ValueError) as error:
                self.failed.append(repr(error))
            number += 1
            time.sleep(max(0, self.began + (number * WORKERS + worker) / RATE - time.monotonic()))

    def edit(self, number: int) -> float:
        """Writes the next state and waits until it is enforced; milliseconds."""
        length, wide = self.states[number + 2] = EDITS[number % len(EDITS)]
        domains = "ksu.edu, wichita.edu" if wide else "ksu.edu"
        with open(self.path + ".new", "w", encoding="utf-8") as file:
            file.write(self.text.replace("min_length: 8}", f"min_length: {length}}}").replace(
                "allowed_domains: [ksu.edu]", f"allowed_domains: [{domains}]"))
        os.replace(self.path + ".new", self.path)
        link, start = Link(self.server.base, 10), time.monotonic()
        while judged("ksu.edu", link)[1] != number + 2:
            if time.monotonic() - start > 10:
                self.over.set()
                sys.exit("prove: an edit was not enforced")
            time.sleep(0.002)
        took = (time.monotonic() - start) * 1000
        link.close()
        time.sleep(0.2)
        return took

    def fits(self, domain: str, revision: int, rules: set[str]) -> bool:
        """Whether these are the rules that this revision breaks."""
        length, wide = self.states[revision]
        wanted = {"phoneNumber.format"}
        if length > 8:
            wanted.add("password.min8")
        if domain == "wichita.edu" and not wide:
            wanted.add("email.allowed_domains")
        return rules == wanted


def judged(domain: str, link: Link) -> tuple[int, int, set[str]]:
    """One sign-up that no policy takes (its telephone number is none): status, revision and the rules it broke."""
    status, fields, text = link.ask("POST", f"/t/{TENANT}/v1/sign-up", {
        "email": "w@" + domain, "password": "Wildcat1", "profile": {"name": "W", "phoneNumber": "none"}})
    return status, int(fields.get("policy-revision", 0)), {e["rule"] for e in json.loads(text).get("errors", [])}


def times(server: Server) -> bool:
    """Sign-up and sign-in of messAI, against what its owners ask for: 3 s and 2 s."""
    took: dict[str, list[float]] = {"sign-up": [], "sign-in": []}
    link = Link(server.base)
    for number in range(50):
        who = {"email": f"t{number}@example.com", "password": f"kt49xw-t{number}"}
        for path, body in (("sign-up", who | {"profile": {"displayName": f"T{number}"}}), ("sign-in", who)):
            start = time.monotonic()
            status, _ = link.json("POST", f"/t/messai/v1/{path}", body)
            took[path].append((time.monotonic() - start) * 1000)
            if status not in (200, 201):
                sys.exit(f"prove: {path} was answered {status}")
    link.close()
    ups, ins = took["sign-up"], took["sign-in"]
    print(f"times     sign-up {statistics.median(ups):.0f} ms (median), {max(ups):.0f} ms (worst) of 3000; "
          f"sign-in {statistics.median(ins):.0f} ms (median), {max(ins):.0f} ms (worst) of 2000")
    return max(ups) < 3000 and max(ins) < 2000
