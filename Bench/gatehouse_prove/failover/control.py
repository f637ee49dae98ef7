"""What must be noticed: an effect that never was, and a cluster that acknowledges before a second node has it."""
from __future__ import annotations

import copy
import signal
import time

from gatehouse_prove.failover.faults import await_other, leader
from gatehouse_prove.failover.judge import Found, judge
from gatehouse_prove.failover.ledger import DONE, Ledger
from gatehouse_prove.failover.nodes import strike
from gatehouse_prove.failover.stage import Stage

# Replication that lags, and a promotion that does not mind.
ASYNCHRONOUS = {"synchronous_mode": False, "synchronous_mode_strict": False, "maximum_lag_on_failover": 1 << 30}


def invented(ledger: Ledger, found: Found) -> tuple[str, bool]:
    """One acknowledged sign-up and one exchange more than there were: each is one fault more."""
    before = len(judge(ledger, found))
    wrong = copy.deepcopy(ledger)
    wrong.sign_ups["invented@example.com"].tries[DONE] += 1
    one = len(judge(wrong, found)) - before
    next(iter(wrong.families.values())).exchanged += 2
    two = len(judge(wrong, found)) - before
    good = (one, two) == (1, 2)
    return f"control: an invented sign-up and an invented exchange: {two} faults more", good


def asynchronous(stage: Stage) -> None:
    """The primary acknowledges by itself, sends nothing for 3 s, and loses power. The cluster is of no use afterwards."""
    cluster = stage.cluster
    cluster.await_whole()
    status, answer = cluster.rest("PATCH", "/config", ASYNCHRONOUS)
    if status != 200:
        raise OSError(f"the configuration was not taken: {status} {answer}")
    cluster.await_true(lambda: cluster.sql("SHOW synchronous_standby_names") == [], "nothing waits for a standby", 60)
    stage.crowd.start()
    time.sleep(3)
    old = leader(stage)
    strike(old.senders(), signal.SIGSTOP)
    time.sleep(3)
    old.kill_all()
    await_other(stage, old)
    time.sleep(2)
    stage.crowd.stop()
    stage.await_quiet()
