"""P5: public documents beside nginx with the same answers, field for field, and as many workers."""
from __future__ import annotations

import statistics

from gatehouse_bench.machine import nginx, wrk
from gatehouse_bench.rounds import Result, at_least, in_turns
from gatehouse_bench.server import TENANT, Link, running
from gatehouse_bench.setting import Setting

PATHS = {"policy document": "/v1/policy", "key set": "/.well-known/jwks.json"}

SAME = ("etag", "cache-control", "vary", "policy-revision", "x-content-type-options")


def documents(setting: Setting, _: set[str]) -> list[Result]:
    """One line for each document."""
    results = []
    with running(setting.program, setting.variables) as server:
        for name, path in PATHS.items():
            # A connection each: the server closes one that is idle for as long as many rounds take.
            link = Link(server.base)
            _, fields, body = link.ask("GET", f"/t/{TENANT}{path}")
            link.close()
            same = {field: value for field, value in fields.items() if field in SAME} | {"x-request-id": "$request_id"}
            with nginx({path: len(body)}, same) as base, nginx({path: len(body)}) as bare:
                (limits, figures), note = in_turns(
                    setting.rounds,
                    lambda _, path=path: wrk(base + path, setting.seconds, 64).demand_success("nginx").rate,
                    lambda _, path=path: wrk(
                        f"{server.base}/t/{TENANT}{path}", setting.seconds, 64).demand_success(path).rate)
                least = wrk(bare + path, setting.seconds, 64).demand_success("nginx").rate
            result = at_least("P5", f"{name}, {len(body)} bytes", "nginx, same fields", "/s", 1.0, limits, figures)
            result.notes.append(f"nginx without our fields (ETag, Cache-Control, Vary, X-Request-Id, nosniff) makes "
                                f"{least:,.0f}/s: {statistics.median(figures) / least:.2f} x")
            result.notes.append(note)
            results.append(result)
    return results
