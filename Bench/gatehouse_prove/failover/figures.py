"""Times of a run, from the answers that its clients got."""
from __future__ import annotations

import collections
import dataclasses
from collections.abc import Iterable

from gatehouse_prove.failover.ledger import DONE, Answer

WRITES = {"sign_up", "sign_in", "refresh", "sign_out", "profile"}
# What a client may be told while a database is away. Anything else is a fault of its own.
AWAY = {"unknown_outcome", "overloaded", "unavailable", "conflict", "503", "502", "504", "no answer"}


def longest_gap(moments: Iterable[float], begin: float, end: float) -> float:
    """The longest time between two successes, or between one and an end of the window."""
    inside = sorted(moment for moment in moments if begin <= moment <= end)
    marks = [begin, *inside, end]
    return max(later - earlier for earlier, later in zip(marks, marks[1:]))


def first_after(moments: Iterable[float], begin: float, end: float) -> float:
    """Seconds until the first success after a moment."""
    return min((moment for moment in moments if moment >= begin), default=end) - begin


@dataclasses.dataclass
class Figures:
    """What one run looked like from outside."""

    writes: float
    reads: float
    keys: float
    # From the moment that writes are back to the last answer of a repeated request.
    repeated: float
    after: float | None
    answers: int
    failed: collections.Counter[str]
    # Of those that failed, how many were not under way when a process died.
    late: int
    internal: int

    def line(self) -> str:
        """For the table."""
        after = f", {self.after:.1f} s after the return" if self.after is not None else ""
        repeated = f", repetitions answered {self.repeated:.1f} s later" if self.repeated else ""
        return (f"writes away {self.writes:.1f} s{after}{repeated}, reads {self.reads:.1f}, key set {self.keys:.2f}; "
                f"{self.answers} answers, "
                f"{sum(self.failed.values())} failed {dict(self.failed.most_common(6)) if self.failed else ''}").rstrip()


def back(moments: Iterable[float], begin: float, end: float) -> float:
    """When the longest gap ended."""
    marks = [begin, *sorted(moment for moment in moments if begin <= moment <= end), end]
    return max(zip(marks, marks[1:]), key=lambda pair: pair[1] - pair[0])[1]


def figures(
    answers: list[tuple[float, float, str, Answer, str]], begin: float, end: float, returned: float | None = None,
    repeated: Iterable[tuple[float, float]] = (), died: float | None = None
) -> Figures:
    """Of the answers that came in a window."""
    inside = [one for one in answers if begin <= one[1]]
    good = [(came, kind) for _, came, kind, _, outcome in inside if outcome == DONE]
    writes = [came for came, kind in good if kind in WRITES]
    lost = [(sent, f"{kind} {answer.code}") for sent, _, kind, answer, outcome in inside if outcome != DONE]
    return Figures(
        longest_gap(writes, begin, end), longest_gap((came for came, kind in good if kind == "me"), begin, end),
        longest_gap((came for came, kind in good if kind == "keys"), begin, end),
        max([0.0, *(done - back(writes, begin, end) for missed, done in repeated if missed >= begin)]),
        first_after(writes, returned, end) if returned is not None else None, len(inside),
        collections.Counter(name for _, name in lost), sum(died is None or sent >= died for sent, _ in lost),
        sum(answer.status == 500 for *_, answer, _ in inside))
