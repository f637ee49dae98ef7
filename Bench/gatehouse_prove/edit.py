"""A policy file is tightened under load: enforced in how many milliseconds, with how many failed requests."""
from __future__ import annotations

import http.client
import os
import shutil
import statistics
import sys
import threading
import time

from gatehouse_bench.machine import ROOT
from gatehouse_bench.server import Link, Server, place

TENANT = "dd-ride"


def prove(program: str, edits: int = 10) -> bool:
    """Edits under load."""
    with place() as path:
        policies = os.path.join(path, "policies")
        shutil.copytree(os.path.join(ROOT, "policies"), policies)
        server = Server(program, os.path.join(path, "data"), policies)
        try:
            server.await_ready(TENANT)
            return prove_on(server, os.path.join(policies, TENANT + ".yaml"), edits)
        finally:
            server.stop()


def prove_on(server: Server, path: str, edits: int) -> bool:
    """The same on a running server."""
    with open(path, encoding="utf-8") as file:
        text = file.read().split("\ntests:")[0] + "\n"
    failed: list[str] = []
    judged: list[int] = []
    over = threading.Event()

    def load() -> None:
        link = Link(server.base, 10)
        while not over.wait(0.02):
            try:
                status, _ = link.json("POST", f"/t/{TENANT}/v1/password-check", {"password": "Wildcat1"})
                if status == 200:
                    judged.append(status)
                else:
                    failed.append(str(status))
            except (OSError, http.client.HTTPException) as error:
                failed.append(repr(error))

    workers = [threading.Thread(target=load) for _ in range(4)]
    began = time.monotonic()
    for worker in workers:
        worker.start()
    times = [edit(server, path, text, 9 if number % 2 == 0 else 8) for number in range(edits)]
    over.set()
    for worker in workers:
        worker.join()
    rate = len(judged) / (time.monotonic() - began)
    print(f"edit      {edits} edits under {rate:.0f} requests/s: enforced after {statistics.median(times):.0f} ms (median), "
          f"{max(times):.0f} ms (worst); {len(failed)} failed requests")
    return not failed and max(times) < 1000


def edit(server: Server, path: str, text: str, length: int) -> float:
    """Writes a new shortest length and waits until it counts; milliseconds."""
    with open(path + ".new", "w", encoding="utf-8") as file:
        file.write(text.replace("min_length: 8}", f"min_length: {length}}}"))
    os.replace(path + ".new", path)
    edited = time.monotonic()
    link = Link(server.base, 10)
    while link.json("POST", f"/t/{TENANT}/v1/password-check", {"password": "Wildcat1"})[1]["ok"] != (length == 8):
        if time.monotonic() - edited > 10:
            sys.exit("prove: an edit was not enforced")
    link.close()
    return (time.monotonic() - edited) * 1000
