"""All tests under ThreadSanitizer and AddressSanitizer, each after it has found a fault that was made for it."""
from __future__ import annotations

import dataclasses
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

from gatehouse_bench.machine import BENCH, ROOT


@dataclasses.dataclass(frozen=True)
class Sanitizer:
    """One of the two."""

    kind: str
    control: str
    mark: str
    variable: str
    options: str
    scratch: str
    flags: tuple[str, ...] = ()

    def surroundings(self, reports: str) -> dict[str, str]:
        """The environment, for tests and for what they start."""
        return os.environ | {self.variable: f"{self.options}:log_path={reports}", "TEST_PATIENCE": "10"}


SANITIZERS = (
    Sanitizer("thread", "race", "WARNING: ThreadSanitizer", "TSAN_OPTIONS",
              f"exitcode=66:suppressions={os.path.join(BENCH, 'thread-suppressions.txt')}", ".build-tsan"),
    # The Swift runtime keeps metadata for ever: leaks would be its own. gold can not export what ASan's build names.
    Sanitizer("address", "overflow", "ERROR: AddressSanitizer", "ASAN_OPTIONS", "detect_leaks=0", ".build-asan",
              ("-Xswiftc", "-use-ld=lld")),
)


def prove(words: list[str]) -> bool:
    """Both, one after the other, with all tests; or those of the two that are named, with the tests that other words match (as of
    `swift test --filter`): where all take hours, they can be run in parts."""
    kinds = {sanitizer.kind for sanitizer in SANITIZERS}
    chosen = kinds & set(words) or kinds
    tests = [word for word in words if word not in kinds]
    subprocess.run(["script/bootstrap", "--tests"], cwd=ROOT, check=True, stdout=sys.stderr)
    return all([prove_one(sanitizer, tests) for sanitizer in SANITIZERS if sanitizer.kind in chosen])


def prove_one(sanitizer: Sanitizer, tests: list[str]) -> bool:
    """The control, then the tests."""
    with tempfile.TemporaryDirectory(prefix="gatehouse-sanitize-", dir="/tmp") as place:
        os.chmod(place, 0o1777)  # PostgreSQL's user and ours write here
        found = control(sanitizer, os.path.join(place, "control"))
        if not found:
            print(f"{sanitizer.kind:9} the fault of Bench/Control was not reported: nothing else would be")
            return False
        prefix = os.path.join(place, "report")
        words = ["--sanitize", sanitizer.kind, "--scratch-path", sanitizer.scratch, *sanitizer.flags]
        subprocess.run(["swift", "build", "--build-tests", *words], cwd=ROOT, check=True, stdout=sys.stderr)
        log = os.path.join(ROOT, sanitizer.scratch, "tests.log")
        filters = [word for test in tests for word in ("--filter", test)]
        with open(log, "wb") as output:
            code = subprocess.run(
                ["swift", "test", "--skip-build", "--no-parallel", *words, *filters], cwd=ROOT, check=False, stdout=output,
                stderr=output, env=sanitizer.surroundings(prefix)).returncode
        return told(sanitizer, code, log, prefix)


def control(sanitizer: Sanitizer, reports: str) -> int:
    """How many reports the deliberate fault caused."""
    scratch = os.path.join(ROOT, sanitizer.scratch, "control")
    subprocess.run(
        ["swift", "build", "--package-path", os.path.join(BENCH, "Control"), "--product", sanitizer.control,
         "--sanitize", sanitizer.kind, "--scratch-path", scratch], check=True, stdout=sys.stderr)
    subprocess.run([os.path.join(scratch, "debug", sanitizer.control)], check=False, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL, env=sanitizer.surroundings(reports))
    return count(sanitizer, reports)[0]


def count(sanitizer: Sanitizer, prefix: str) -> tuple[int, list[str]]:
    """Reports in all files of a run, and one line about each different one."""
    summaries: list[str] = []
    number = 0
    for path in glob.glob(prefix + ".*"):
        with open(path, encoding="utf-8", errors="replace") as file:
            text = file.read()
        number += text.count(sanitizer.mark)
        summaries += re.findall(r"^SUMMARY: (.*)$", text, re.MULTILINE)
    return number, sorted(set(summaries))


def told(sanitizer: Sanitizer, code: int, log: str, prefix: str) -> bool:
    """Prints what came of it."""
    number, summaries = count(sanitizer, prefix)
    with open(log, encoding="utf-8", errors="replace") as file:
        ends = re.findall(r"Test run with (\d+) tests.*", file.read())
    print(f"{sanitizer.kind:9} the fault of Bench/Control was reported; {ends[-1] if ends else 'no'} tests, exit {code}: "
          f"{number} reports")
    for summary in summaries:
        print(f"          {summary}")
    if number:
        kept = os.path.join(os.path.dirname(log), "reports")
        shutil.rmtree(kept, ignore_errors=True)
        os.mkdir(kept)
        for path in glob.glob(prefix + ".*"):
            shutil.copy(path, kept)
        print(f"          whole reports are in {kept}, the tests' output is {log}")
    return bool(ends) and code == 0 and not number
