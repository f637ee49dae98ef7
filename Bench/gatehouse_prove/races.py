"""What must happen once, asked of two servers at the same moment: guesses, refreshes, codes, limits, and a policy's change."""
from __future__ import annotations

import collections
import glob
import http.client
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable

from gatehouse_bench.machine import ROOT, free_port
from gatehouse_bench.server import TENANT, Link, Server, place, widened

PASSWORD = "kt49xw-races"
WORKERS = 64
WIDE = "sign_in_per_account: 1000000/1h"


class Other:
    """A second server on the database of the first."""

    def __init__(self, program: str, base: Server) -> None:
        port, self.operations_port = free_port(), free_port()
        self.base, self.operations = f"http://127.0.0.1:{port}", f"http://127.0.0.1:{self.operations_port}"
        clean = {name: value for name, value in os.environ.items() if not name.startswith("GATEHOUSE_")}
        settings = {
            "GATEHOUSE_DATABASE_URL": f"postgres://gatehouse_app@/gatehouse?host={base.sockets}",
            "GATEHOUSE_KEK_FILE": os.path.join(base.data, "kek"), "GATEHOUSE_DATABASE_CONNECTIONS": "8",
            "GATEHOUSE_PUBLIC_URL": base.base,
        }
        with open(base.data + ".other.log", "ab") as output:
            self.process = subprocess.Popen(
                [program, "serve", "--dev", "--dev-limit-factor", "1", "--data-dir", base.data + ".other", "--listen", f"127.0.0.1:{port}",
                 "--ops-listen", f"127.0.0.1:{self.operations_port}", "--log-level", "warning", "--log-format", "json"],
                stdout=output, stderr=output, env=clean | settings)
        end = time.monotonic() + 60
        while time.monotonic() < end:
            try:
                link = Link(self.operations, 2)
                if link.ask("GET", "/readyz")[0] == 200:
                    return
            except OSError:
                pass
            time.sleep(0.05)
        sys.exit(f"prove: the second server did not become ready; see {base.data}.other.log")

    metric = Server.metric


class Race:
    """Two servers, and many clients of both who wait for one signal."""

    def __init__(self, program: str, first: Server, second: Other) -> None:
        self.program, self.first, self.second = program, first, second

    def at_once(self, count: int, body: Callable[[Link, int], tuple[int, dict]]) -> list[tuple[int, dict]]:
        """So many requests, over as many kept connections as there are workers, half of them to each server."""
        answers: list[tuple[int, dict] | None] = [None] * count
        ready = threading.Barrier(WORKERS)

        def work(number: int) -> None:
            link = Link((self.first if number % 2 == 0 else self.second).base)
            link.ask("GET", f"/t/{TENANT}/v1/policy")
            ready.wait()
            for place_of in range(number, count, WORKERS):
                try:
                    answers[place_of] = body(link, place_of)
                except (OSError, http.client.HTTPException) as error:
                    answers[place_of] = (0, {"code": type(error).__name__})
                    link = Link((self.first if number % 2 == 0 else self.second).base)
            link.close()

        threads = [threading.Thread(target=work, args=(number,)) for number in range(WORKERS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return [answer or (0, {}) for answer in answers]

    @property
    def hashes(self) -> int:
        """Passwords that both together have hashed or checked."""
        return int(self.first.metric("gatehouse_hash_done_total") + self.second.metric("gatehouse_hash_done_total"))

    def apply(self, limits: str, change: Callable[[str], str] = lambda text: text) -> None:
        """Another policy, as an operator applies it; returns when both servers judge by it."""
        text = change(policy(limits))
        with tempfile.NamedTemporaryFile("w", suffix=".yaml", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.chmod(file.name, 0o644)
            done = subprocess.run(
                [self.program, "policy", "apply", TENANT, file.name, "--allow-weaker", "--data-dir", self.first.data],
                capture_output=True, text=True, check=False,
                env={name: value for name, value in os.environ.items() if not name.startswith("GATEHOUSE_")})
        if done.returncode:
            sys.exit(f"prove: the policy was not applied: {done.stderr}")
        wanted = self.first.sql("SELECT max(number) FROM gatehouse.policy_revision")[0][0]
        for server in (self.first, self.second):
            link = Link(server.base)
            end = time.monotonic() + 10
            while link.ask("GET", f"/t/{TENANT}/v1/policy")[1].get("policy-revision") != wanted:
                if time.monotonic() > end:
                    sys.exit("prove: a server did not hear of the policy")
                time.sleep(0.01)
            link.close()

    def sign_up(self, name: str) -> dict:
        """A new user."""
        link = Link(self.first.base)
        status, answer = link.json("POST", f"/t/{TENANT}/v1/sign-up", person(name))
        link.close()
        if status != 201:
            sys.exit(f"prove: {name} could not sign up: {status} {answer}")
        return answer


def policy(limits: str) -> str:
    """The tenant's policy without its tests, under these limits."""
    with open(os.path.join(ROOT, "policies", TENANT + ".yaml"), encoding="utf-8") as file:
        text = re.sub(r"(?s)\ntests:.*", "\n", widened(file.read()))
    return re.sub(r"(?m)^limits: .*$", "limits: {" + limits + "}", text)


def person(name: str) -> dict:
    """The body of a sign-up."""
    return {"email": f"{name}@example.com", "password": PASSWORD, "profile": {"displayName": name}}


def post(
    path: str, body: Callable[[int], dict], token: str | None = None
) -> Callable[[Link, int], tuple[int, dict]]:
    """A request as `at_once` wants it."""
    return lambda link, number: link.json("POST", f"/t/{TENANT}/v1/{path}", body(number), token)


def tally(answers: list[tuple[int, dict]]) -> dict[str, int]:
    """How often each answer came, by its code or its status."""
    return dict(collections.Counter(str(answer.get("code", status)) for status, answer in answers))


def said(good: bool, what: str) -> bool:
    """One line of the proof."""
    print(f"races     {what}{'' if good else '   NOT SO'}", flush=True)
    return good


def prove(program: str, rounds: int = 5) -> bool:
    """Each race, several times."""
    with place() as path:
        policies = os.path.join(path, "policies")
        os.mkdir(policies)
        with open(os.path.join(policies, TENANT + ".yaml"), "w", encoding="utf-8") as file:
            file.write(policy("sign_up_per_ip: 1000000/1h"))
        first = Server(program, os.path.join(path, "data"), policies, {"GATEHOUSE_HASH_QUEUE": "4096"})
        second = None
        try:
            first.await_ready()
            second = Other(program, first)
            race = Race(program, first, second)
            return all([guesses(race), delayed(race), refreshes(race, rounds), codes(race, rounds), limits(race),
                        swap(race)])
        finally:
            if second is not None:
                second.process.terminate()
                second.process.wait(30)
            first.stop()


def guesses(race: Race, count: int = 2000, allowed: int = 37) -> bool:
    """Guesses at one account, of which a limit lets some through; no delay comes before it: each is at another account's
    address of the same sender."""
    race.apply(f"sign_in_per_ip: {allowed}/1h, sign_up_per_ip: 1000000/1h")
    before = race.hashes
    seen = tally(race.at_once(count, post("sign-in", lambda number: {
        "email": f"g{number}@example.com", "password": "wrong"})))
    made = race.hashes - before
    good = made == allowed and seen == {"invalid_credentials": allowed, "too_many_attempts": count - allowed}
    good = said(good, f"{count} guesses from one address, {allowed} allowed: {made} checked; {seen}")
    race.apply("sign_in_per_account: 4/1h, sign_up_per_ip: 1000000/1h")
    race.sign_up("victim")
    before = race.hashes
    seen = tally(race.at_once(count, post("sign-in", lambda number: {
        "email": "victim@example.com", "password": f"wrong-{number}"})))
    made = race.hashes - before
    return said(made == 4 and seen == {"invalid_credentials": 4, "too_many_attempts": count - 4},
                f"{count} guesses at one account, 4 allowed: {made} checked; {seen}") and good


def delayed(race: Race, count: int = 2000) -> bool:
    """Guesses at one account without any limit: five, and then one after each delay of 1, 2, 4 … seconds."""
    race.apply(f"{WIDE}, sign_up_per_ip: 1000000/1h")
    race.sign_up("delayed")
    before, began = race.hashes, time.monotonic()
    race.at_once(count, post("sign-in", lambda number: {"email": "delayed@example.com", "password": f"wrong-{number}"}))
    took, made = time.monotonic() - began, race.hashes - before
    most, wait, sum_of = 5, 1, 1
    while sum_of <= took:
        most, wait, sum_of = most + 1, wait * 2, sum_of + wait * 2
    return said(5 <= made <= most, f"{count} guesses at one account without a limit in {took:.1f} s: {made} checked, "
                                   f"of at most {most}")


def refreshes(race: Race, rounds: int) -> bool:
    """Fifty exchanges of one token: one child, a living family; a replay after it ends the family."""
    good, children, statuses = True, 0, collections.Counter()
    for number in range(rounds):
        up = race.sign_up(f"r{number}")
        answers = race.at_once(50, post("token", lambda _: {"refresh_token": up["refresh_token"]}))
        statuses.update(status for status, _ in answers)
        distinct = {answer.get("refresh_token") for _, answer in answers}
        children += len(distinct)
        link = Link(race.second.base)
        alive, answer = link.json("POST", f"/t/{TENANT}/v1/token", {"refresh_token": next(iter(distinct))})
        replay, refusal = link.json("POST", f"/t/{TENANT}/v1/token", {"refresh_token": up["refresh_token"]})
        ended, end = link.json("POST", f"/t/{TENANT}/v1/token", {"refresh_token": answer.get("refresh_token", "")})
        link.close()
        good = good and len(distinct) == 1 and alive == 200 and refusal.get("code") == end.get("code") == "session_revoked"
    good = good and set(statuses) == {200}
    return said(good, f"{rounds} times 50 refreshes of one token: {children} children, answers {dict(statuses)}; each "
                      f"family lived, and ended with the replay of its parent")


def codes(race: Race, rounds: int) -> bool:
    """Fifty redemptions of one link."""
    good, seen = True, collections.Counter()
    for number in range(rounds):
        session = race.sign_up(f"c{number}")["access_token"]
        token = newest_link([race.first.data, race.first.data + ".other"], f"c{number}@example.com")
        answers = race.at_once(50, post("email-verification/confirm", lambda _: {"token": token}, session))
        one = tally(answers)
        seen.update(one)
        good = good and one == {"200": 1, "code_used": 49}
    return said(good, f"{rounds} times 50 redemptions of one link: {dict(seen)}")


def newest_link(places: list[str], address: str) -> str:
    """The token of the link in a mail to an address, out of the development outbox of the server that sent it."""
    end = time.monotonic() + 30
    while time.monotonic() < end:
        for name in (name for data in places for name in glob.glob(data + "/outbox/**/*", recursive=True)):
            if not os.path.isfile(name):
                continue
            with open(name, encoding="utf-8", errors="replace") as file:
                text = file.read().replace("=\r\n", "").replace("=\n", "")
            if address in text and (found := re.search(r"token=(?:3D)?([A-Za-z0-9_-]{40,})", text)):
                return found[1]
        time.sleep(0.05)
    sys.exit(f"prove: no mail came to {address}")


def limits(race: Race, count: int = 500, allowed: int = 23) -> bool:
    """People of one address: exactly as many as the policy lets in."""
    race.apply(f"sign_up_per_tenant: {allowed}/1h")
    before = int(race.first.sql("SELECT count(*) FROM gatehouse.account")[0][0])
    seen = tally(race.at_once(count, post("sign-up", lambda number: person(f"l{number}"))))
    made = int(race.first.sql("SELECT count(*) FROM gatehouse.account")[0][0]) - before
    return said(made == allowed and seen == {"201": allowed, "rate_limited": count - allowed},
                f"{count} sign-ups, {allowed} allowed: {made} people; {seen}")


def swap(race: Race, changes: int = 10) -> bool:
    """A rule's number goes back and forth while both are asked: each answer is that of the revision it names."""
    over, wrong, asked = threading.Event(), collections.Counter(), [0]
    minimum: dict[str, int] = {}
    lock = threading.Lock()
    answers: list[tuple[str, str, float]] = []

    def ask(server: Server | Other) -> None:
        link = Link(server.base)
        while not over.is_set():
            status, fields, text = link.ask("POST", f"/t/{TENANT}/v1/password-check", {"password": "kt49xw-8"})
            if status != 200:
                wrong[str(status)] += 1
                continue
            rule = next((one for one in json.loads(text)["rules"] if one["rule"] == "password.min6"), {})
            with lock:
                answers.append((fields.get("policy-revision", ""), rule.get("verdict", ""), time.monotonic()))
            asked[0] += 1

    threads = [threading.Thread(target=ask, args=(server,)) for server in (race.first, race.second) for _ in range(4)]
    for thread in threads:
        thread.start()
    late: list[float] = []
    for number in range(changes):
        length = 12 if number % 2 == 0 else 6
        began = time.monotonic()
        race.apply("sign_up_per_ip: 1000000/1h", lambda text: re.sub(r"min_length: 6\b", f"min_length: {length}", text))
        late.append(time.monotonic() - began)
        minimum[race.first.sql("SELECT max(number) FROM gatehouse.policy_revision")[0][0]] = length
    over.set()
    for thread in threads:
        thread.join()
    for revision, verdict, _ in answers:
        if verdict != ("fail" if minimum.get(revision, 6) == 12 else "pass"):
            wrong[f"revision {revision}: {verdict or 'no rule'}"] += 1
    return said(not wrong and len(minimum) == changes,
                f"{changes} changes of a policy among {asked[0]} questions: {dict(wrong) or 'every answer'} "
                f"{'wrong' if wrong else 'that of its revision'}; command, apply and both servers in "
                f"{sorted(late)[len(late) // 2]:.2f} s (median)")
