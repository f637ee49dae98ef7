"""Which shard runs which suites."""
from __future__ import annotations

import collections
import re

# Suites that measure scheduling or time. They run last, with no other shard beside them.
ALONE = (
    "GatehouseRuntimeTests.LoopLoadTests",
)


def suites(tests: list[str], only: list[str], without: list[str]) -> dict[str, list[str]]:
    """The tests by suite, of those that `--filter` and `--skip` leave. A test is `Target.Suite/name()`."""
    by_suite: dict[str, list[str]] = collections.defaultdict(list)
    for test in tests:
        if only and not any(re.search(pattern, test) for pattern in only):
            continue
        if not any(re.search(pattern, test) for pattern in without):
            by_suite[test.split("/")[0]].append(test)
    return dict(by_suite)


def deal(by_suite: dict[str, list[str]], count: int) -> list[list[str]]:
    """Every suite in exactly one shard, the shards with nearly the same number of tests. The order of suites is that of their names,
    so that suites of one target, which are alike, are spread over all shards. The last shard is that of `ALONE`."""
    shards: list[list[str]] = [[] for _ in range(count)]
    sizes = [0] * count
    for suite in sorted(set(by_suite) - set(ALONE), key=lambda suite: (-len(by_suite[suite]), suite)):
        least = sizes.index(min(sizes))
        shards[least].append(suite)
        sizes[least] += len(by_suite[suite])
    return [sorted(shard) for shard in shards] + [[suite for suite in ALONE if suite in by_suite]]
