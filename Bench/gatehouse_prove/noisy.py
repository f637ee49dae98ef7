"""One tenant asks for twenty times what its policy allows: what another one's people notice of it."""
from __future__ import annotations

import os
import re
import statistics
import sys
import threading

from gatehouse_bench.machine import ROOT, paced
from gatehouse_bench.people import sign_up
from gatehouse_bench.rounds import percentile
from gatehouse_bench.server import TENANT, Link, Server, place, widened

NOISY = "vibes"
# Requests a second that the noisy tenant may send.
QUOTA, TIMES = 50, 20


def prove(program: str, rounds: int = 5, seconds: float = 8) -> bool:
    """The same requests of the quiet tenant alone, and beside the noise, in turns."""
    with place() as path:
        policies = os.path.join(path, "policies")
        os.mkdir(policies)
        for tenant in (TENANT, NOISY):
            with open(os.path.join(ROOT, "policies", tenant + ".yaml"), encoding="utf-8") as file:
                text = widened(file.read())
            if tenant == NOISY:
                text = text.replace("limits: {", f"limits: {{requests_per_tenant: {QUOTA}/1s, ")
            with open(os.path.join(policies, tenant + ".yaml"), "w", encoding="utf-8") as file:
                file.write(re.sub(r"(?s)\ntests:.*", "\n", text))
        server = Server(program, os.path.join(path, "data"), policies)
        try:
            server.await_ready(TENANT)
            server.await_ready(NOISY)
            return prove_on(server, rounds, seconds)
        finally:
            server.stop()


def prove_on(server: Server, rounds: int, seconds: float) -> bool:
    """On a running server."""
    quiet_token = [f"Authorization: Bearer {sign_up(server, 1, 'q')[0].access_token}"]
    link = Link(server.base)
    status, answer = link.json("POST", f"/t/{NOISY}/v1/sign-up", {
        "email": "loud@example.com", "password": "kt49xw-loud", "profile": {"username": "loud"}})
    if status != 201:
        sys.exit(f"prove: no user could sign up: {status} {answer}")
    noisy_token = [f"Authorization: Bearer {answer['access_token']}"]
    alone: list[float] = []
    beside: list[float] = []
    answered: list[float] = []
    good = 1.0
    for _ in range(rounds):
        calm = paced(f"{server.base}/t/{TENANT}/v1/me", 200, seconds, fields=quiet_token)
        seen: list[float] = []

        def shout() -> None:
            noise = paced(f"{server.base}/t/{NOISY}/v1/me", QUOTA * TIMES, seconds + 2, fields=noisy_token)
            seen.append(noise.success)

        noise = threading.Thread(target=shout)
        noise.start()
        threading.Event().wait(1)
        loud = paced(f"{server.base}/t/{TENANT}/v1/me", 200, seconds, fields=quiet_token)
        noise.join()
        alone.append(percentile(calm.times, 0.99))
        beside.append(percentile(loud.times, 0.99))
        answered += seen
        good = min(good, calm.success, loud.success)
    first, second = statistics.median(alone), statistics.median(beside)
    print(f"noisy     {QUOTA * TIMES} requests/s of one tenant, which may send {QUOTA}/s ({statistics.median(answered):.1%} of them "
          f"let in); the other's p99 {first:.2f} ms alone, {second:.2f} ms beside ({second / first:.2f} x), {good:.2%} answered",
          flush=True)
    return second / first <= 1.2 and good == 1
