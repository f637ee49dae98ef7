"""Two builds in turns: what a change costs, beside what one build differs from itself."""
from __future__ import annotations

import dataclasses
import statistics
import sys
from collections.abc import Callable

from gatehouse_bench.rounds import Result, figure
from gatehouse_bench.setting import Setting

Theme = Callable[[Setting, set[str]], list[Result]]


@dataclasses.dataclass
class Pair:
    """One figure of both builds, a value for each round."""

    unit: str
    before: list[float] = dataclasses.field(default_factory=list)
    after: list[float] = dataclasses.field(default_factory=list)

    @property
    def ratio(self) -> float:
        """The median after over the median before."""
        return statistics.median(self.after) / statistics.median(self.before)

    @property
    def is_within(self) -> bool:
        """Whether the medians differ by no more than the rounds of one build differ among themselves."""
        apart = abs(statistics.median(self.after) - statistics.median(self.before))
        return apart <= max(max(rounds) - min(rounds) for rounds in (self.before, self.after))


def measure(setting: Setting, other: str, themes: list[tuple[set[str], Theme]]) -> dict[str, Pair]:
    """Each theme in turns, one round of each build at a time; which one begins changes with the round."""
    pairs: dict[str, Pair] = {}
    for chosen, theme in themes:
        for number in range(setting.rounds):
            turns = [("before", other), ("after", setting.program)]
            for side, program in turns if number % 2 == 0 else reversed(turns):
                one = dataclasses.replace(setting, program=program, rounds=1)
                for result in theme(one, chosen):
                    pair = pairs.setdefault(f"{result.mark} {result.work}", Pair(result.unit))
                    getattr(pair, side).append(statistics.median(result.ours))
            print(f"bench: {' '.join(sorted(chosen))} round {number + 1} of {setting.rounds}", file=sys.stderr, flush=True)
    return pairs


def show(pairs: dict[str, Pair]) -> None:
    """A line for each figure."""
    for name, pair in pairs.items():
        sides = [f"{figure(statistics.median(rounds))} ({figure(min(rounds))}-{figure(max(rounds))})"
                 for rounds in (pair.before, pair.after)]
        verdict = "within what one build differs from itself" if pair.is_within else "apart"
        print(f"{name}: before {sides[0]}, after {sides[1]} {pair.unit}; {pair.ratio:.3f} x, {verdict}")
