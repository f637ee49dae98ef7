"""One run of the test bundle in a process of its own."""
from __future__ import annotations

import os
import re
import signal
import subprocess
import threading
import time
from typing import NamedTuple

# No test takes a tenth of this, on the slowest of machines. A shard that says nothing for so long is hung.
SILENCE = 900
WORDS = ("--testing-library", "swift-testing", "--no-parallel")
SUMMARY = re.compile(r"[✔✘] Test run with (\d+) tests? in (\d+) suites? (passed|failed) after ")


class Outcome(NamedTuple):
    """What a shard came to."""
    tests: int
    suites: int
    # The lines of the failures, as the runner wrote them.
    failures: list[str]
    # Why the shard is a failure whatever its tests say; empty otherwise.
    trouble: str
    # The last line of the runner; empty where there was none.
    summary: str

    @property
    def has_passed(self) -> bool:
        """Whether every test of the shard ran and passed."""
        return not self.trouble and self.summary.startswith("✔")


class Shard:
    """The suites of a shard, and the process that runs them."""

    def __init__(self, name: str, bundle: str, suites: dict[str, list[str]], log: str, silence: float = SILENCE) -> None:
        self.name = name
        self._bundle = bundle
        self._suites = suites
        self._log = log
        self._silence = silence
        self._lines: list[str] = []
        self._heard = time.monotonic()
        self._is_hung = False
        self._process: subprocess.Popen[str] | None = None

    def run(self) -> Outcome:
        """Runs the suites to the end of the process. Lines about failures, suites and passed tests are printed as they come, with
        the shard's name before them; the log holds all of them."""
        # The process ends with this one, however this one ends.
        words = ["setpriv", "--pdeathsig", "KILL", self._bundle, *WORDS]
        for suite, tests in sorted(self._suites.items()):
            words += ["--filter", pattern(suite, tests)]
        # A shard that runs after others has been silent for as long as they took.
        self._heard = time.monotonic()
        self._process = subprocess.Popen(
            words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", start_new_session=True,
            env=os.environ | {"NO_COLOR": "1"})
        threading.Thread(target=self._watch, daemon=True).start()
        # The arguments of a test case may have lines of their own.
        is_case = False
        with open(self._log, "w", encoding="utf-8") as log:
            for line in self._process.stdout:
                self._heard = time.monotonic()
                self._lines.append(line.rstrip("\n"))
                log.write(line)
                is_case = is_case or line.startswith("◇ Test case ")
                if not is_case and not line.startswith("◇"):
                    print(f"{self.name} {line}", end="", flush=True)
                is_case = is_case and not line.endswith(" started.\n")
        self._process.wait()
        return self._judge(self._process.returncode)

    def end(self) -> None:
        """Ends the process and all that it started."""
        if self._process and self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)

    @property
    def unfinished(self) -> list[str]:
        """The tests that have begun and not ended, by the names that the runner prints."""
        begun = [match[1] for line in self._lines if (match := re.match(r"◇ Test (?!run |case )(.+) started\.$", line))]
        ended = {match[1] for line in self._lines if (match := re.match(r"[✔✘] Test (?!run )(.+?)(?: with \d+ test cases?)? (?:passed|failed) after", line))}
        return [name for name in begun if name not in ended]

    def _watch(self) -> None:
        while self._process.poll() is None:
            if time.monotonic() - self._heard > self._silence:
                self._is_hung = True
                self.end()
            time.sleep(min(1, self._silence / 10))

    def _judge(self, status: int) -> Outcome:
        summaries = [(line, match) for line in self._lines if (match := SUMMARY.match(line))]
        line, match = summaries[-1] if summaries else ("", None)
        tests, suites = (int(match[1]), int(match[2])) if match else (0, 0)
        wanted = sum(len(tests) for tests in self._suites.values())
        trouble = ""
        if self._is_hung:
            trouble = f"said nothing for {self._silence:.0f} seconds and was killed"
        elif status < 0:
            trouble = f"was ended by {signal.Signals(-status).name}"
        elif not match:
            trouble = f"ended with {status} and without a summary"
        elif match[3] == "passed" and status != 0:
            trouble = f"ended with {status} although its tests passed"
        elif tests != wanted:
            trouble = f"ran {tests} of {wanted} tests"
        if trouble and self.unfinished:
            trouble += " during " + ", ".join(self.unfinished)
        return Outcome(tests, suites, failures(self._lines), trouble, line)


def pattern(suite: str, tests: list[str]) -> str:
    """A regular expression that matches these tests of the suite and nothing else."""
    names = "|".join(re.escape(test[len(suite):]) for test in tests)
    return f"^{re.escape(suite)}({names})(/|$)"


def failures(lines: list[str]) -> list[str]:
    """The lines about failures: each issue with what follows it, and each test that failed."""
    found: list[str] = []
    rest = 0
    for line in lines:
        if SUMMARY.match(line):
            continue
        if line.startswith("✘") or "recorded an issue" in line:
            rest = 12
            found.append(line)
        elif line[:1] in "◇✔" and line:
            rest = 0
        elif rest > 0:
            rest -= 1
            found.append(line)
    return found
