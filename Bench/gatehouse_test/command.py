"""The command line behind script/test: runs a built test bundle in one serial shard for each processor."""
from __future__ import annotations

import argparse
import concurrent.futures
import os
import signal
import subprocess
import sys
import time

from gatehouse_test.deal import deal, suites
from gatehouse_test.shard import SILENCE, WORDS, Outcome, Shard


def main() -> None:
    """Exits with 0 when every test of every shard has passed, and with 1 otherwise."""
    parser = argparse.ArgumentParser(
        prog="script/test", description="Builds and runs the tests, in one serial shard for each processor.")
    parser.add_argument("--bundle", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--logs", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--silence", type=float, default=SILENCE, help=argparse.SUPPRESS)
    parser.add_argument("--filter", action="append", default=[], metavar="PATTERN",
                        help="only tests whose name (Target.Suite/test()) matches this regular expression")
    parser.add_argument("--skip", action="append", default=[], metavar="PATTERN", help="no test whose name matches")
    parser.add_argument("--shards", type=int, choices=range(1, 65), default=min(os.cpu_count() or 1, 64), metavar="N",
                        help="1 to 64; default: one for each processor")
    options = parser.parse_args()
    listed = subprocess.run([options.bundle, *WORDS, "--list-tests"], stdout=subprocess.PIPE, text=True, check=True).stdout
    chosen = suites(listed.split("\n")[:-1], options.filter, options.skip)
    if not chosen:
        sys.exit("test: no test has such a name; --filter and --skip match Target.Suite/test()")
    sys.exit(0 if run(options, chosen) else 1)


def run(options: argparse.Namespace, chosen: dict[str, list[str]]) -> bool:
    """Runs the shards, then the suites that have to be alone. Prints the failures again, a summary for each shard, and the sum."""
    began = time.monotonic()
    *beside, alone = [
        Shard(name, options.bundle, {suite: chosen[suite] for suite in dealt}, os.path.join(options.logs, f"shard-{name}.log"),
              options.silence)
        if dealt else None
        for name, dealt in zip([*map(str, range(1, options.shards + 1)), "alone"], deal(chosen, options.shards))]
    rounds = [[shard for shard in part if shard] for part in (beside, [alone])]
    shards = rounds[0] + rounds[1]

    def stop(number: int, _: object) -> None:
        for shard in shards:
            shard.end()
            print(f"test: stopped during {', '.join(shard.unfinished) or 'nothing'} ({shard.name})", flush=True)
        os._exit(128 + number)

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop)
    outcomes: list[Outcome] = []
    with concurrent.futures.ThreadPoolExecutor(max(1, options.shards)) as pool:
        for part in rounds:
            outcomes += pool.map(Shard.run, part)
    return report(shards, outcomes, time.monotonic() - began)


def report(shards: list[Shard], outcomes: list[Outcome], seconds: float) -> bool:
    """What failed is said again where one looks first; the sum is in the words of the test runner."""
    for shard, outcome in zip(shards, outcomes):
        for line in outcome.failures:
            print(f"{shard.name} {line}")
    for shard, outcome in zip(shards, outcomes):
        print(f"{shard.name} {outcome.summary}" if outcome.summary else f"{shard.name} has no summary")
        if outcome.trouble:
            print(f"{shard.name} ✘ The shard {outcome.trouble}")
    has_passed = all(outcome.has_passed for outcome in outcomes)
    tests, suites_ = (sum(outcome.tests for outcome in outcomes), sum(outcome.suites for outcome in outcomes))
    print(f"{'✔' if has_passed else '✘'} Test run with {number(tests, 'test')} in {number(suites_, 'suite')} "
          f"{'passed' if has_passed else 'failed'} after {seconds:.3f} seconds.", flush=True)
    return has_passed


def number(count: int, what: str) -> str:
    """So many of them, as the runner words it."""
    return f"{count} {what}" + ("" if count == 1 else "s")
