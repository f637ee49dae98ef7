"""The database and the servers fail, one way after the other, under clients: nothing that was acknowledged is lost."""
from __future__ import annotations

import time

from gatehouse_prove.failover import control, install, judge, watch
from gatehouse_prove.failover.faults import FAULTS, Fault, Spoiled, Struck
from gatehouse_prove.failover.figures import Figures, figures
from gatehouse_prove.failover.pairs import pairs
from gatehouse_prove.failover.report import troubles
from gatehouse_prove.failover.stage import Stage, staged

PAIRS = "pairs"
NAMES = [*(fault.name for fault in FAULTS), PAIRS]
# From the moment of a fault, or of its end, until the cluster is whole again.
HEALED = 120.0
# After a fault each server judges by an edited policy within this time.
FOLLOWED = 10.0


def prove(program: str, is_quick: bool = False, factor: float = 1, only: list[str] | None = None, controls: bool = False,
          keep: bool = False) -> bool:
    """Every fault, as often as the form says; the full form has the controls as well."""
    install.demand()
    began = time.monotonic()
    print(f"failover  {'quick' if is_quick else 'full'} form; times may be {factor:g} times as long", flush=True)
    try:
        with staged(program, keep=keep) as stage:
            stage.is_quick = is_quick
            say(f"cluster and servers stand after {time.monotonic() - began:.0f} s", [])
            good = played(stage, factor, only, controls)
    except (OSError, TimeoutError) as error:
        good = say("the proof ended early", [str(error)])
    return say(f"{'all of it holds' if good else 'NOT all of it holds'}, {time.monotonic() - began:.0f} s", []) and good


def played(stage: Stage, factor: float, only: list[str] | None, controls: bool) -> bool:
    """All that there is to do on one cluster."""
    good, failovers, known = say("metrics of alarms and dashboard", watch.unseen(stage)), 0, set()
    for fault in FAULTS:
        for stage.turn in range(0 if only and fault.name not in only else 1 if stage.is_quick else fault.runs):
            good = repeated(stage, fault, factor, known) and good
            failovers += fault.fails_over
    if not only or PAIRS in only:
        text, wrong = pairs(stage)
        good = say(text, wrong + fresh(stage, known)) and good
    effects = stage.crowd.ledger.acknowledged
    say(f"{failovers} failovers, {effects:,} acknowledged effects, {len(known)} faults of the ledger", [])
    return (noticed(stage, known) and good) if controls or not stage.is_quick else good


def repeated(stage: Stage, fault: Fault, factor: float, known: set[str], times: int = 3) -> bool:
    """One fault; once more where the harness spoiled it, which is said."""
    for _ in range(times):
        try:
            return attempt(stage, fault, factor, known)
        except Spoiled as error:
            say(f"{fault.name}: spoiled by the harness, and repeated: {error}", [])
        finally:
            stage.crowd.stop()
    return say(fault.name, [f"spoiled {times} times"])


def attempt(stage: Stage, fault: Fault, factor: float, known: set[str]) -> bool:
    """One fault in the middle of the load, and the judgement after it."""
    struck, seen, wrong = run(stage, fault)
    wrong += struck.faults + troubles(fault, seen, factor)
    try:
        stage.await_quiet()
        wrong += fresh(stage, known)
        if deaf := stage.follow(FOLLOWED * factor):
            wrong.append(deaf)
    except OSError as error:
        wrong.append(f"not judged: {error}")
    return say(f"{fault.name:11} {seen.line()}", wrong)


def run(stage: Stage, fault: Fault) -> tuple[Struck, Figures, list[str]]:
    """The load, the fault, and the time until all is well."""
    wrong: list[str] = []
    stage.cluster.await_whole()
    before = stage.cluster.primary()
    stage.crowd.start()
    time.sleep(2)
    begin, struck = time.monotonic(), Struck()
    try:
        struck = fault.act(stage) or struck
        stage.cluster.await_whole(HEALED)
        wrong += [] if writes_again(stage) else ["no write succeeded after the fault"]
    except (OSError, TimeoutError) as error:
        wrong.append(str(error))
    end = time.monotonic()
    stage.crowd.stop()
    if fault.fails_over and stage.cluster.primary() == before:
        wrong.append("the same node is primary as before")
    return struck, figures(stage.crowd.ledger.answers, begin, end, struck.returned,
                            stage.crowd.ledger.repeated, struck.died), wrong


def writes_again(stage: Stage, patience: float = 60) -> bool:
    """Waits until the clients write again, all of them."""
    begun, answers = time.monotonic(), stage.crowd.ledger.answers
    while time.monotonic() < begun + patience:
        good = {kind for asked, _, kind, _, outcome in answers[-2000:] if asked > begun and outcome == "done"}
        if {"refresh", "profile", "sign_in", "sign_up", "me", "keys"} <= good:
            return True
        time.sleep(0.1)
    return False


def fresh(stage: Stage, known: set[str]) -> list[str]:
    """What the ledger and the primary differ in, and did not before."""
    found = [one for one in judge.judge(stage.crowd.ledger, judge.look(stage.cluster.sql)) if one not in known]
    known.update(found)
    return found


def noticed(stage: Stage, known: set[str]) -> bool:
    """The controls: an invented effect, and the same clients on a cluster that acknowledges before a second node has the write."""
    text, is_noticed = control.invented(stage.crowd.ledger, judge.look(stage.cluster.sql))
    good = say(text, [] if is_noticed else ["NOT NOTICED"])
    control.asynchronous(stage)
    lost = [one for one in fresh(stage, known) if one.startswith("lost")]
    text = f"control: asynchronous, 3 s of lag: {len(lost)} acknowledged effects lost"
    return say(text, [] if lost else ["NOT NOTICED"]) and good


def say(text: str, wrong: list[str]) -> bool:
    """One line, and what was wrong below it."""
    print(f"failover  {text}", flush=True)
    for one in wrong[:12]:
        print(f"          RED: {one}", flush=True)
    if len(wrong) > 12:
        print(f"          and {len(wrong) - 12} more", flush=True)
    return not wrong
