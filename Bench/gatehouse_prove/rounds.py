"""Rounds of load, blow and judgement."""
from __future__ import annotations

import asyncio
import dataclasses
import random
import statistics
import subprocess
import sys
import time

from gatehouse_bench.machine import allow_files
from gatehouse_bench.server import place, postgres_programs
from gatehouse_prove import judge
from gatehouse_prove.blows import Blow
from gatehouse_prove.crowd import DONE, LOST, Line, SignUp, gather_all, reason
from gatehouse_prove.world import World

SIGN_UPS, TWICE = 700, 200


@dataclasses.dataclass
class Tally:
    """What the rounds of one kind of blow saw."""

    blow: Blow
    rounds: int = 0
    outcomes: dict[str, dict[str, int]] = dataclasses.field(default_factory=dict)
    recoveries: list[float] = dataclasses.field(default_factory=list)
    repeated: int = 0
    faults: list[str] = dataclasses.field(default_factory=list)

    def count(self, work: str, outcome: str) -> None:
        """One more answer, or none."""
        per_work = self.outcomes.setdefault(work, {})
        per_work[outcome] = per_work.get(outcome, 0) + 1

    def show(self) -> None:
        """One paragraph."""
        seen = "; ".join(
            f"{work}: " + ", ".join(f"{count:,} {outcome}" for outcome, count in sorted(counts.items()))
            for work, counts in self.outcomes.items())
        print(f"{self.blow.name:9} {self.rounds} rounds of 2000 clients, {self.blow.what}: {seen}; served again after "
              f"{statistics.median(self.recoveries):.1f} s (median), {max(self.recoveries):.1f} s (worst); "
              f"{self.repeated} mails came twice; {len(self.faults)} faults")
        for fault in self.faults[:20]:
            print(f"          FAULT {fault}")


async def prove(program: str, blows: list[Blow], rounds: int) -> list[Tally]:
    """So many rounds of each blow, in turns, on one world."""
    allow_files(8192)
    tallies = [Tally(blow) for blow in blows]
    with place() as path:
        world = World(program, path)
        try:
            await world.populate()
            repeated = 0
            allowed = 0
            for number in range(rounds):
                for tally in tallies:
                    began = time.monotonic()
                    allowed += tally.blow.repeats
                    await one_round(world, tally, f"r{number}{tally.blow.name}")
                    faults, total = await mail(world, allowed)
                    tally.faults += faults
                    tally.repeated += total - repeated
                    repeated = total
                    print(f"prove: {tally.blow.name} {number + 1}/{rounds}, {time.monotonic() - began:.1f} s, "
                          f"{len(tally.faults)} faults", file=sys.stderr, flush=True)
            tallies[0].faults += await at_last(world)
        finally:
            code = world.close()
    if code != 0:
        tallies[0].faults.append(f"the server's last end was {code}")
    return tallies


async def one_round(world: World, tally: Tally, name: str) -> None:
    """Load, a blow at a random moment, and what is left of both."""
    tally.rounds += 1
    await world.hand_out_tokens(name)
    before = judge.owners(world)
    attempts = [SignUp(f"{name}n{number}") for number in range(SIGN_UPS)]
    # Some addresses are wanted by two at once.
    attempts += [SignUp(attempt.name) for attempt in attempts[:TWICE]]
    random.shuffle(attempts)
    struck = await strike_under_load(world, tally, attempts)
    if tally.blow.is_fatal:
        tally.recoveries.append(world.start())
    else:
        tally.recoveries.append(await served_again(world, struck))
    await gather_all(world.server.port, [family.exchange for family in world.families])
    for attempt in attempts:
        tally.count("sign-ups", reason(attempt.outcome, attempt.answer))
    for owner in world.owners:
        tally.count("resets", reason(owner.outcome, owner.answer))
    faults = judge.sign_ups(world, name, attempts) + judge.resets(before, judge.owners(world), world.owners)
    faults += judge.families(world) + judge.strays(world) + await doors(world, attempts)
    tally.faults += [f"{name}: {fault}" for fault in faults]
    world.signed_up += [one for one in attempts if one.outcome == DONE]


async def strike_under_load(world: World, tally: Tally, attempts: list[SignUp]) -> float:
    """2000 clients at once; when the blow had fallen."""
    over = asyncio.Event()
    tasks = [*attempts, *world.owners]
    random.shuffle(tasks)
    for one in tasks:
        one.outcome, one.answer = LOST, None
    lines = [Line(world.server.port) for _ in range(len(tasks) + len(world.families))]
    for start in range(0, len(lines), 100):
        await asyncio.gather(*(line.open() for line in lines[start:start + 100]))
    exchanges = sum(family.exchanged for family in world.families)
    running = [asyncio.create_task(one.run(line)) for one, line in zip(tasks, lines)]
    running += [asyncio.create_task(family.run(line, over)) for family, line in
                zip(world.families, lines[len(tasks):])]
    await asyncio.sleep(random.uniform(0.3, 5))
    await tally.blow.strike(world)
    struck = time.monotonic()
    if not tally.blow.is_fatal:
        await asyncio.sleep(4)
    over.set()
    await asyncio.gather(*running)
    for line in lines:
        line.close()
    tally.outcomes.setdefault("exchanges", {}).setdefault(DONE, 0)
    tally.outcomes["exchanges"][DONE] += sum(family.exchanged for family in world.families) - exchanges
    return struck


async def served_again(world: World, struck: float) -> float:
    """Seconds from the blow to the first exchange after it."""
    moments = [moment for family in world.families for moment in family.successes if moment > struck + 0.05]
    for family in world.families:
        family.successes.clear()
    if moments:
        return min(moments) - struck
    line = Line(world.server.port)
    while await world.families[0].exchange(line) != DONE:
        if time.monotonic() > struck + 60:
            sys.exit("prove: the server did not recover within a minute")
        await asyncio.sleep(0.05)
    return time.monotonic() - struck


async def doors(world: World, attempts: list[SignUp]) -> list[str]:
    """A few, chosen at random, come in with the password they should have, and not with another."""
    faults = []
    line = Line(world.server.port)
    people = [(one.email, one.password, "wrong-" + one.password) for one in attempts if one.outcome == DONE]
    owners = [(one.email, one.password, one.wanted if one.password != one.wanted else "wrong") for one in world.owners]
    for email, right, wrong in random.sample(people, min(4, len(people))) + random.sample(owners, 4):
        for password, wanted in ((wrong, 401), (right, 200)):
            answer = await line.insist("/v1/sign-in", {"email": email, "password": password})
            if answer is None or answer[0] != wanted:
                faults.append(f"sign-in of {email}: {answer}, not {wanted}")
    line.close()
    return faults


async def mail(world: World, allowed: int) -> tuple[list[str], int]:
    """Waits until all mails are out, then compares both sides."""
    end = time.monotonic() + 180
    while world.sql("SELECT count(*) FROM gatehouse.outbox WHERE delivered_at IS NULL AND given_up_at IS NULL") != [["0"]]:
        if time.monotonic() > end:
            return ["the outbox did not become empty"], 0
        world.hurry_mail()
        await asyncio.sleep(0.2)
    return judge.outbox(world, allowed)


async def at_last(world: World) -> list[str]:
    """At the end: a thousand of all who were ever acknowledged sign in, and PostgreSQL's own check finds nothing."""
    faults = []

    def coming_in(one: SignUp):
        async def ask(line: Line) -> None:
            answer = await line.insist("/v1/sign-in", {"email": one.email, "password": one.password})
            if answer is None or answer[0] != 200 or answer[1]["user"]["profile"]["username"] != one.name:
                faults.append(f"{one.email} was acknowledged and is answered {answer}")
        return ask

    reset = {owner.email for owner in world.owners}
    people = [one for one in world.signed_up if one.email not in reset]
    await gather_all(world.server.port, [coming_in(one) for one in random.sample(people, min(1000, len(people)))])
    done = subprocess.run(
        [f"{postgres_programs()}/pg_amcheck", "--install-missing", "--heapallindexed", "-h", world.server.sockets, "-U",
         "gatehouse_superuser", "gatehouse"], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        faults.append(f"pg_amcheck: {done.stdout}{done.stderr}")
    return faults


