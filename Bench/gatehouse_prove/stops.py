"""From the moment an operator ends something to the last refresh of its sessions: below a second, every time."""
from __future__ import annotations

import os
import subprocess
import sys
import threading
import time

from gatehouse_bench.people import Person, sign_up
from gatehouse_bench.server import TENANT, Link, Server, running


class Watch:
    """A client that refreshes without pause, and notes when it got its last token."""

    def __init__(self, server: Server, person: Person) -> None:
        self.server, self.token = server, person.refresh_token
        self.last = time.monotonic()
        self.refusal = ""
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def run(self) -> None:
        """Until it is refused."""
        link = Link(self.server.base)
        while True:
            status, answer = link.json("POST", f"/t/{TENANT}/v1/token", {"refresh_token": self.token})
            if status != 200:
                self.refusal = answer.get("code", str(status))
                return
            self.last, self.token = time.monotonic(), answer["refresh_token"]


def prove(program: str, rounds: int = 20) -> bool:
    """Each way of ending, so many times."""
    good = True
    with running(program) as server:
        people = iter(sign_up(server, 3 * rounds + rounds, "x"))
        for words, expected in (
            (["user", "disable"], {"account_disabled", "session_revoked"}),
            (["user", "revoke"], {"session_revoked"}),
            (["user", "delete"], {"refresh_token_invalid", "session_revoked"}),
            (["tenant", "disable"], {"tenant_disabled"}),
        ):
            late: list[float] = []
            odd: set[str] = set()
            for _ in range(rounds):
                person = next(people)
                watch = Watch(server, person)
                time.sleep(0.1)
                operator(program, server, [*words, TENANT, *([person.email] if words[0] == "user" else []), "--yes"])
                # The command has ended: it was true before this moment.
                ended = time.monotonic()
                watch.thread.join(10)
                late.append(max(0.0, watch.last - ended) * 1000)
                if watch.thread.is_alive() or watch.refusal not in expected:
                    odd.add(watch.refusal or "never refused")
                if words[0] == "tenant":
                    operator(program, server, ["tenant", "enable", TENANT, "--yes"])
                    server.await_ready(TENANT)
            good = good and not odd and max(late) < 1000
            print(f"stops     {' '.join(words):16} {rounds} times: the last refresh at most {max(late):.0f} ms later"
                  f"{'; ' + str(odd) if odd else ''}", flush=True)
    return good


def operator(program: str, server: Server, words: list[str]) -> None:
    """A verb of the command line, beside the server."""
    done = subprocess.run(
        [program, *words, "--data-dir", server.data], capture_output=True, text=True, check=False,
        env={name: value for name, value in os.environ.items() if not name.startswith("GATEHOUSE_")})
    if done.returncode:
        sys.exit(f"prove: {' '.join(words)}: {done.stderr}")
