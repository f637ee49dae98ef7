"""P3: refresh rotation. P4: reading one's own record. Each beside pgbench with the same statements."""
from __future__ import annotations

import os
import statistics

from gatehouse_bench.machine import pgbench, wrk
from gatehouse_bench.people import sign_in, sign_up
from gatehouse_bench.rounds import Result, at_least, in_turns
from gatehouse_bench.server import TENANT, Server, running
from gatehouse_bench.setting import Setting

CLIENTS = 32


def rotations(setting: Setting, _: set[str]) -> list[Result]:
    """P3. Clients of both sides have a session each and exchange one token after the other. pgbench asks as clients of
    PostgreSQL usually do, statement by statement; beside it, what it makes with the server's one statement."""
    with running(setting.program, setting.variables) as server:
        # wrk asks for one request more than it sends.
        people = sign_up(server, CLIENTS + 4, "r")
        tenant = server.tenant_id()

        def chains(first: int) -> dict[str, str]:
            server.sql(
                "INSERT INTO gatehouse.refresh_token (tenant_id, hash, session_id, created_at) "
                f"SELECT tenant_id, sha256(int8send({first} + (row_number() OVER () - 1) * 1000000)), id, now() "
                f"FROM (SELECT tenant_id, id FROM gatehouse.session WHERE ended_at IS NULL LIMIT {CLIENTS}) chosen")
            return {"tenant": tenant, "first": str(first), "sequence": "0"}

        def one_statement(number: int) -> float:
            first = (2 * number + 2) * 1_000_000_000
            return pgbench(server.sockets, "refresh_one.sql", int(setting.seconds), CLIENTS, chains(first))

        def limit(number: int) -> float:
            first = (2 * number + 1) * 1_000_000_000
            return pgbench(server.sockets, "refresh.sql", int(setting.seconds), CLIENTS, chains(first))

        def ours(_number: int) -> float:
            tokens = write_tokens(server, [who.refresh_token for who in sign_in(server, people)])
            url = f"{server.base}/t/{TENANT}/v1/token"
            return wrk(url, setting.seconds, CLIENTS, "refresh.lua", [tokens]).demand_success("rotations").rate

        (by_one, limits, figures), note = in_turns(setting.rounds, one_statement, limit, ours)
    result = at_least("P3", "refresh rotation", "pgbench, statement by statement", "/s", 1.3, limits, figures)
    result.notes.append(
        f"pgbench with the server's one statement makes {statistics.median(by_one):,.0f}/s: "
        f"{statistics.median(figures) / statistics.median(by_one):.2f} x")
    result.notes.append(note)
    return [result]


def records(setting: Setting, _: set[str]) -> list[Result]:
    """P4. pgbench knows the tenant for the whole connection; beside it, what it makes when each transaction sets it."""
    with running(setting.program, setting.variables) as server:
        people = sign_up(server, CLIENTS, "m")
        tokens = write_tokens(server, [who.access_token for who in people])
        tenant = server.tenant_id()
        session = server.sql("SELECT id FROM gatehouse.session LIMIT 1")[0][0]

        def each_sets(_number: int) -> float:
            return pgbench(
                server.sockets, "me_transaction.sql", int(setting.seconds), CLIENTS,
                {"tenant": tenant, "session": session})

        def limit(_number: int) -> float:
            return pgbench(
                server.sockets, "me.sql", int(setting.seconds), CLIENTS, {"session": session}, {"app.tenant": tenant})

        def ours(_number: int) -> float:
            url = f"{server.base}/t/{TENANT}/v1/me"
            return wrk(url, setting.seconds, CLIENTS, "me.lua", [tokens]).demand_success("GET /v1/me").rate

        (setting_each, limits, figures), note = in_turns(setting.rounds, each_sets, limit, ours)
    result = at_least("P4", "GET /v1/me", "pgbench, one tenant only", "/s", 0.75, limits, figures)
    result.notes.append(
        f"pgbench that sets the tenant in each transaction, as a server for many tenants must, makes "
        f"{statistics.median(setting_each):,.0f}/s: {statistics.median(figures) / statistics.median(setting_each):.2f} x")
    result.notes.append(note)
    return [result]


def write_tokens(server: Server, tokens: list[str]) -> str:
    """A file with one token a line."""
    path = os.path.join(os.path.dirname(server.data), "tokens")
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(token + "\n" for token in tokens)
    return path


