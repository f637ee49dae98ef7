"""P5: public documents beside nginx with answers of the same size and as many workers."""
from __future__ import annotations

from gatehouse_bench.machine import nginx, wrk
from gatehouse_bench.rounds import Result, at_least, in_turns
from gatehouse_bench.server import TENANT, Link, running
from gatehouse_bench.setting import Setting

PATHS = {"policy document": "/v1/policy", "key set": "/.well-known/jwks.json"}


def documents(setting: Setting, _: set[str]) -> list[Result]:
    """One line for each document."""
    results = []
    with running(setting.program) as server:
        link = Link(server.base)
        sizes = {path: len(link.ask("GET", f"/t/{TENANT}{path}")[2]) for path in PATHS.values()}
        link.close()
        with nginx(sizes) as base:
            for name, path in PATHS.items():
                limits, figures = in_turns(
                    setting.rounds,
                    lambda _, path=path: wrk(base + path, setting.seconds, 64).demand_success("nginx").rate,
                    lambda _, path=path: wrk(
                        f"{server.base}/t/{TENANT}{path}", setting.seconds, 64).demand_success(path).rate)
                results.append(
                    at_least("P5", f"{name}, {sizes[path]} bytes", "nginx", "/s", 1.0, limits, figures))
    return results
