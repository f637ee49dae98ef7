"""Which shard runs which suites."""
from __future__ import annotations

import collections
import re

# Suites that measure scheduling or time. They run last, with no other shard beside them.
ALONE = (
    "GatehouseRuntimeTests.LoopLoadTests",
)

# About how long one test takes, in tenths of a second: of a target, and of the suites that are far from the others of theirs.
# Shards end together where this is nearly right; nothing else depends on it.
COSTS = {
    "EndToEndTests": 6, "CommandTests": 8, "ExampleTests": 8, "GatehousePostgresTests": 3, "GatehousePolicyFileTests": 3,
    "GatehouseServerTests": 2, "GatehouseAssemblyTests": 3, "GatehouseOutboundTests": 2, "GatehouseRuntimeTests": 2,
    "HouseTests": 2,
    "ExampleTests.PackageTests": 90, "CommandTests.TranscriptTests": 190, "CommandTests.InstallationTests": 30,
    "CommandTests.OwnerOnlyFileTests": 60, "CommandTests.ServerModeTests": 80,
    "EndToEndTests.PageLookBrowserTests": 200, "EndToEndTests.PageTests": 30, "EndToEndTests.PageJourneyTests": 40,
    "EndToEndTests.DevelopmentBrowserTests": 50, "EndToEndTests.CampusTests": 100, "EndToEndTests.GuessingTests": 15,
    "EndToEndTests.KeyRotationTests": 40, "GatehousePolicyFileTests.DiffSoundnessTests": 60,
    "GatehousePostgresTests.ReachTests": 40, "GatehousePostgresTests.EmbeddedTests": 20, "HouseTests.CompositionTests": 70,
}


def cost(suite: str, tests: list[str]) -> int:
    """About how long a suite takes, in tenths of a second."""
    return COSTS.get(suite, COSTS.get(suite.split(".")[0], 1)) * len(tests)


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
    """Every suite in exactly one shard, the shards of nearly the same cost: the dearest suite first, each to the shard that has least.
    The last shard is that of `ALONE`."""
    shards: list[list[str]] = [[] for _ in range(count)]
    sums = [0] * count
    for suite in sorted(set(by_suite) - set(ALONE), key=lambda suite: (-cost(suite, by_suite[suite]), suite)):
        least = sums.index(min(sums))
        shards[least].append(suite)
        sums[least] += cost(suite, by_suite[suite])
    return [sorted(shard) for shard in shards] + [[suite for suite in ALONE if suite in by_suite]]
