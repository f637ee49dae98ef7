"""Every fault: what is done, how often, and what the outside may see of it at most."""
from __future__ import annotations

import asyncio
import dataclasses
import random
import time
from collections.abc import Callable

from gatehouse_prove.failover.nodes import Node
from gatehouse_prove.failover.stage import SERVERS, Stage


# Seconds that a key belongs to a request whose server died.
CLAIM = 15


class Spoiled(Exception):
    """The harness could not do what it wanted to: the run says nothing, and is repeated."""


@dataclasses.dataclass(kw_only=True)
class Struck:
    """What a fault leaves for the judgement."""

    # When what was missing came back.
    returned: float | None = None
    # When a process died that answered requests: those under way went with it.
    died: float | None = None
    faults: list[str] = dataclasses.field(default_factory=list)


@dataclasses.dataclass(frozen=True)
class Fault:
    """One kind of fault."""

    name: str
    what: str
    act: Callable[[Stage], Struck | None]
    # Runs of the full form; the quick form has one.
    runs: int
    # At most so many seconds without an acknowledged write; after the return, where something was away for longer.
    writes: float | None = None
    after: float | None = None
    # An answer that was lost is asked for again under the same key: at most so many seconds after writes are back.
    repeated: float = 5
    # At most so many requests failed; where a process died that answered them, of those sent afterwards.
    failed: int | None = None
    # Another node is primary afterwards.
    fails_over: bool = False


def leader(stage: Stage) -> Node:
    """The primary's node."""
    name = stage.cluster.primary()
    if name is None:
        raise Spoiled("there is no primary before the fault")
    return stage.cluster.nodes[name]


def await_other(stage: Stage, old: Node) -> None:
    """Waits until another node is primary."""
    cluster = stage.cluster
    others = [node for node in cluster.nodes.values() if node is not old]
    cluster.await_true(lambda: any(cluster.asked(node) == 200 for node in others), "another node is primary", 90)


def switchover(stage: Stage) -> None:
    """As for maintenance."""
    old, new = leader(stage), stage.cluster.sync_standby()
    status, answer = stage.cluster.rest("POST", "/switchover", {"leader": old.name, "candidate": new})
    if status != 200:
        raise Spoiled(f"the switchover was refused: {status} {answer}")
    await_other(stage, old)


def kill_postgres(stage: Stage) -> None:
    """PostgreSQL dies, Patroni lives."""
    old = leader(stage)
    old.kill_postgres()
    await_other(stage, old)


def kill_node(stage: Stage) -> None:
    """The machine loses power; it is back when another one leads."""
    old = leader(stage)
    old.kill_all()
    await_other(stage, old)
    old.start()


def kill_patroni(stage: Stage) -> None:
    """Patroni dies, PostgreSQL goes on as primary with no watchdog: HAProxy must lead to it no more, and no second primary may
    acknowledge beside it."""
    old = leader(stage)
    old.kill_patroni()
    await_other(stage, old)
    time.sleep(3)
    old.start()


def freeze(stage: Stage) -> None:
    """The machine falls silent, another one leads, the first one wakes up and believes that it still does."""
    old = leader(stage)
    old.freeze()
    await_other(stage, old)
    time.sleep(5)
    old.thaw()


def lose_standby(stage: Stage) -> None:
    """The standby that holds every acknowledged write loses power."""
    node = stage.cluster.nodes[str(stage.cluster.sync_standby())]
    node.kill_all()
    time.sleep(8)
    node.start()


def lose_standbys(stage: Stage) -> Struck:
    """Both standbys are silent for 20 s: nothing may be acknowledged meanwhile."""
    primary = leader(stage)
    others = [node for node in stage.cluster.nodes.values() if node is not primary]
    for node in others:
        node.freeze()
    # What was under way at that moment may still be acknowledged.
    time.sleep(1)
    begun = time.monotonic()
    time.sleep(19)
    returned = time.monotonic()
    for node in others:
        node.thaw()
    early = [kind for asked, came, kind, _, outcome in list(stage.crowd.ledger.answers)
             if asked > begun and came < returned and outcome == "done" and kind in ("sign_up", "refresh", "profile")]
    return Struck(returned=returned, faults=[f"acknowledged by one node alone: {len(early)} writes"] if early else [])


def etcd_one(stage: Stage) -> None:
    """A member of etcd is away for a while; the leader of the three, where it can be told."""
    member = stage.cluster.members["n1"]
    member.kill()
    time.sleep(8)
    member.start()


def etcd_two(stage: Stage) -> None:
    """Two of three are away for longer than the lock lives."""
    members = [stage.cluster.members[name] for name in ("n1", "n2")]
    for member in members:
        member.kill()
    time.sleep(45 if not stage.is_quick else 28)
    for member in members:
        member.start()


def kill_server(stage: Stage) -> Struck:
    """One Gatehouse server dies."""
    name = SERVERS[stage.turn % 2]
    stage.servers[name].kill()
    struck = Struck(died=time.monotonic())
    time.sleep(4)
    stage.servers[name].start()
    stage.await_ready(name)
    return struck


def roll(stage: Stage) -> Struck:
    """Both servers are replaced, one after the other."""
    faults = []
    for name in SERVERS:
        code = stage.servers[name].end()
        if code != 0:
            faults.append(f"{name} ended with {code}")
        stage.servers[name].start()
        stage.await_ready(name)
        time.sleep(2)
    return Struck(faults=faults)


def kill_proxy(stage: Stage) -> None:
    """The way to the database is away for a second."""
    stage.cluster.proxy.kill()
    time.sleep(1)
    stage.cluster.proxy.start()


def crowd_out(stage: Stage) -> None:
    """Other programs want twice the connections that PostgreSQL has, and the servers lose theirs: for 4 s none can come back."""
    cluster, primary = stage.cluster, leader(stage).address
    count = 2 * int(cluster.sql("SHOW max_connections")[0][0])
    # This one needs a place of its own before all are taken.
    session = cluster.session()

    async def hold() -> None:
        # A login that never ends holds a place until authentication_timeout. A place that is refused is asked for again.
        while True:
            reader, writer = await asyncio.open_connection(primary, 5432)
            try:
                writer.write(login("gatehouse_app"))
                await reader.read()
            finally:
                writer.close()
            await asyncio.sleep(random.uniform(0.5, 1.5))

    async def take() -> None:
        holders = [asyncio.create_task(hold()) for _ in range(count)]
        try:
            while not await is_full(primary):
                await asyncio.sleep(0.05)
            session.stdin.write(ENDINGS)
            session.stdin.flush()
            await asyncio.sleep(4)
        finally:
            for holder in holders:
                holder.cancel()
            await asyncio.gather(*holders, return_exceptions=True)

    try:
        asyncio.run(asyncio.wait_for(take(), 60))
    finally:
        session.communicate()


# For two seconds, so that the places of those who lose theirs are taken by others.
ENDINGS = """
DO $$ BEGIN FOR turn IN 1..40 LOOP PERFORM pg_stat_clear_snapshot();
  PERFORM pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename LIKE 'gatehouse%'; PERFORM pg_sleep(0.05);
END LOOP; END $$;
"""


async def is_full(address: str) -> bool:
    """Whether PostgreSQL refuses one more connection, by its code for that."""
    reader, writer = await asyncio.open_connection(address, 5432)
    try:
        writer.write(login("gatehouse_app"))
        return b"53300" in await asyncio.wait_for(reader.read(1024), 5)
    finally:
        writer.close()


def login(role: str) -> bytes:
    """The first packet of a connection to PostgreSQL."""
    words = b"\0".join([b"user", role.encode(), b"database", b"gatehouse"]) + b"\0\0"
    return (len(words) + 8).to_bytes(4, "big") + (196608).to_bytes(4, "big") + words


FAULTS = (
    Fault("switchover", "a switchover", switchover, 8, writes=6, fails_over=True),
    Fault("postgres", "kill -9 of the primary's PostgreSQL", kill_postgres, 7, writes=12, fails_over=True),
    Fault("node", "kill -9 of the primary's node", kill_node, 5, writes=25, fails_over=True),
    Fault("patroni", "kill -9 of the primary's Patroni alone", kill_patroni, 5, writes=25, fails_over=True),
    Fault("freeze", "the primary freezes and thaws", freeze, 5, writes=25, fails_over=True),
    Fault("standby", "the synchronous standby is lost", lose_standby, 2, writes=5),
    Fault("standbys", "both standbys are silent for 20 s", lose_standbys, 1, after=3),
    Fault("etcd-1", "one of three members of etcd is lost", etcd_one, 1, failed=0),
    Fault("etcd-2", "two of three are lost for a while", etcd_two, 1, failed=0),
    Fault("server", "kill -9 of a Gatehouse server", kill_server, 3, failed=0, repeated=CLAIM + 2),
    Fault("rolling", "rolling restart of both servers", roll, 2, failed=0),
    Fault("haproxy", "the proxy to the database is killed for 1 s", kill_proxy, 2, writes=3),
    Fault("crowd", "twice the connections that fit", crowd_out, 1, writes=12),
)
