"""Rounds in turns, their medians, and the table of results."""
from __future__ import annotations

import dataclasses
import json
import os
import platform
import re
import statistics
from typing import Callable, Sequence

from gatehouse_bench.calm import undisturbed


@dataclasses.dataclass
class Result:
    """One line of the table: what was measured, beside what, and what should be reached."""

    mark: str
    work: str
    ours: list[float]
    unit: str
    reach: str
    reached: bool
    limit: list[float] = dataclasses.field(default_factory=list)
    against: str = ""
    notes: list[str] = dataclasses.field(default_factory=list)

    @property
    def ratio(self) -> float | None:
        """Median of ours over median of the limit."""
        return statistics.median(self.ours) / statistics.median(self.limit) if self.limit else None

    @property
    def spread(self) -> tuple[float, float] | None:
        """Smallest and largest ratio of one round."""
        pairs = [ours / limit for ours, limit in zip(self.ours, self.limit)]
        return (min(pairs), max(pairs)) if pairs else None

    def record(self) -> dict[str, object]:
        """Everything, for a file."""
        fields = dataclasses.asdict(self)
        fields["median"] = statistics.median(self.ours)
        fields["ratio"], fields["spread"] = self.ratio, self.spread
        return fields


def in_turns(rounds: int, *measures: Callable[[int], float]) -> tuple[list[list[float]], str]:
    """Measures limit, ours, limit, ours …; a list for each, in the order of the rounds, and what to say of these."""
    taken = undisturbed(rounds, lambda number: [measure(number) for measure in measures])
    return [list(figures) for figures in zip(*taken.calm)], taken.note


def at_least(
    mark: str, work: str, against: str, unit: str, reach: float, limit: list[float], ours: list[float]
) -> Result:
    """A result whose ratio should be `reach` or more."""
    ratio = statistics.median(ours) / statistics.median(limit)
    return Result(mark, work, ours, unit, f">= {reach:.2f} x", ratio >= reach, limit, against)


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest value that `share` of all values do not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def figure(value: float) -> str:
    """A number with about three digits that matter."""
    if value >= 1000:
        return f"{value:,.0f}"
    return f"{value:.0f}" if value >= 100 else f"{value:.2f}" if value >= 0.01 else f"{value:.4f}"


def show(results: Sequence[Result]) -> None:
    """Prints the table."""
    rows = [("", "work", "measured", "limit", "ratio", "rounds", "aim", "")]
    for result in results:
        spread, ratio = result.spread, result.ratio
        rows.append((
            result.mark, result.work, f"{figure(statistics.median(result.ours))} {result.unit}",
            f"{figure(statistics.median(result.limit))} ({result.against})" if result.limit else "-",
            f"{ratio:.2f} x" if ratio is not None else "-",
            f"{spread[0]:.2f}-{spread[1]:.2f}" if spread else f"{figure(min(result.ours))}-{figure(max(result.ours))}",
            result.reach, "met" if result.reached else "NOT MET"))
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    here = machine()
    print(f"{here['processors']} x {here['model']}, {here['memory_gb']} GB, Linux {here['kernel']}; server, database and "
          "load share it")
    print()
    for row in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())
    for result in results:
        for note in result.notes:
            print(f"     {result.mark}: {note}")


def machine() -> dict[str, object]:
    """What was measured on."""
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        names = re.findall(r"^model name\s*: (.+)$", file.read(), re.MULTILINE)
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return {
        "processors": os.cpu_count(), "model": names[0] if names else platform.machine(),
        "memory_gb": round(memory / 2**30), "kernel": platform.release(), "load": os.getloadavg(),
    }


def document(results: Sequence[Result], arguments: Sequence[str]) -> str:
    """All rounds of all results as JSON."""
    return json.dumps({
        "command": " ".join(["script/bench", *arguments]), "machine": machine(),
        "results": [result.record() for result in results],
    }, indent=2)
