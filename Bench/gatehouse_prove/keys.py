"""Signing keys rotated every half minute under load: no app's backend meets a token that it cannot verify, although it
keeps the key set as long as it may and asks for nothing else."""
from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading
import time

from gatehouse_bench.people import sign_up
from gatehouse_bench.server import TENANT, Link, Server, running

EVERY = 30
BACKENDS = 10
# PyJWT (Debian package python3-jwt) shares nothing with what signs; the distribution's Python has it.
PEER = """
import json, sys, jwt
for line in sys.stdin:
    keys, tokens, issuer, audience = json.loads(line)
    known = {key["kid"]: jwt.PyJWK(key).key for key in keys}
    bad = {}
    for token in tokens:
        try:
            kid = jwt.get_unverified_header(token)["kid"]
            jwt.decode(token, known[kid], algorithms=["ES256"], audience=audience, issuer=issuer)
        except Exception as error:
            bad[type(error).__name__] = bad.get(type(error).__name__, 0) + 1
    print(json.dumps(bad), flush=True)
"""


class Backend:
    """An app's backend: a key set, kept as its Cache-Control allows."""

    def __init__(self) -> None:
        self.keys: list[dict] = []
        self.until = 0.0
        self.process = subprocess.Popen(
            ["/usr/bin/python3", "-I", "-c", PEER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def verify(self, server: Server, tokens: list[str]) -> dict[str, int]:
        """What it refuses of these, by reason."""
        if time.monotonic() >= self.until:
            # Minutes apart: no connection is kept so long.
            link = Link(server.base)
            status, fields, text = link.ask("GET", f"/t/{TENANT}/.well-known/jwks.json")
            link.close()
            if status != 200:
                sys.exit(f"prove: the key set was answered {status}")
            self.keys = json.loads(text)["keys"]
            self.until = time.monotonic() + int(re.findall(r"max-age=(\d+)", fields["cache-control"])[0])
        self.process.stdin.write(json.dumps([self.keys, tokens, f"{server.base}/t/{TENANT}", TENANT]) + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            sys.exit("prove: the backend ended (is python3-jwt installed?)")
        return json.loads(answer)


def prove(program: str, minutes: float = 22) -> bool:
    """Rotates for so long; the last tokens of retired keys are met only after 15 minutes."""
    with running(program) as server:
        people = sign_up(server, 8, "k")
        tokens: list[tuple[float, str]] = [(time.monotonic() + 880, person.access_token) for person in people]
        lock, over = threading.Lock(), threading.Event()
        failed: list[str] = []
        refreshed = [0] * len(people)

        def refresh(number: int) -> None:
            link, token = Link(server.base), people[number].refresh_token
            while not over.wait(0.05):
                status, answer = link.json("POST", f"/t/{TENANT}/v1/token", {"refresh_token": token})
                if status != 200:
                    failed.append(f"refresh: {status} {answer.get('code')}")
                    return
                token = answer["refresh_token"]
                refreshed[number] += 1
                if refreshed[number] % 20 == 0:
                    with lock:
                        tokens.append((time.monotonic() + 880, answer["access_token"]))

        workers = [threading.Thread(target=refresh, args=(number,), daemon=True) for number in range(len(people))]
        for worker in workers:
            worker.start()
        backends = [Backend() for _ in range(BACKENDS)]
        began, rotations, verified, bad = time.monotonic(), 0, 0, {}
        step = 0
        while time.monotonic() - began < minutes * 60:
            rotate(program, server)
            rotations += 1
            # One backend more each time, so that their key sets are of every age.
            step += 1
            with lock:
                now = time.monotonic()
                tokens = [one for one in tokens if one[0] > now]
                # The newest of all, and a sample of every age.
                sample = [token for _, token in tokens[-50:] + tokens[::max(1, len(tokens) // 200)]]
            for backend in backends[:step]:
                for reason, count in backend.verify(server, sample).items():
                    bad[reason] = bad.get(reason, 0) + count
                verified += len(sample)
            time.sleep(max(0.0, began + rotations * EVERY - time.monotonic()))
        over.set()
        for worker in workers:
            worker.join()
        for backend in backends:
            backend.process.kill()
        print(f"keys      {rotations} rotations in {minutes:g} min, {sum(refreshed)} refreshes, {verified} tokens verified by "
              f"{BACKENDS} backends; refused: {bad or 'none'}; failed: {failed[:3] or 'none'}", flush=True)
        return not bad and not failed


def rotate(program: str, server: Server, *flags: str) -> None:
    """As an operator does it."""
    done = subprocess.run(
        [program, "key", "rotate", TENANT, *flags, "--data-dir", server.data], capture_output=True, text=True, check=False,
        env={name: value for name, value in os.environ.items() if not name.startswith("GATEHOUSE_")})
    if done.returncode:
        sys.exit(f"prove: keys could not be rotated: {done.stderr}")
