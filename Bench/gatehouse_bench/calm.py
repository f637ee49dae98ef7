"""Rounds in which this machine had its processors: on a virtual machine, neighbours may take most of them."""
from __future__ import annotations

import dataclasses
import statistics
from typing import Callable, Generic, TypeVar

Figures = TypeVar("Figures")

# A round is calm while the hypervisor takes no more of the processors than this (`steal` in proc_stat(5)).
STOLEN = 0.02
# Where rounds are not calm, at most so many times as many are measured, and the calmest of them count.
PATIENCE = 4


def stolen() -> tuple[int, int]:
    """Ticks in which a processor was wanted and had by others, and all ticks, since the machine started."""
    with open("/proc/stat", encoding="utf-8") as file:
        ticks = [int(word) for word in file.readline().split()[1:9]]
    return ticks[7], sum(ticks)


@dataclasses.dataclass
class Rounds(Generic[Figures]):
    """What was measured: `calm` is what speeds are taken of, in the order of the rounds; what must never happen must not in `all`."""

    calm: list[Figures]
    all: list[Figures]
    note: str


def undisturbed(rounds: int, one: Callable[[int], Figures]) -> Rounds[Figures]:
    """So many calm rounds, and what to say of them. Whether a round counts depends on what was stolen, never on what was
    measured."""
    taken: list[tuple[float, int, Figures]] = []
    while sum(share <= STOLEN for share, _, _ in taken) < rounds and len(taken) < PATIENCE * rounds:
        (before, began), figures = stolen(), one(len(taken))
        after, ended = stolen()
        taken.append(((after - before) / max(1, ended - began), len(taken), figures))
    kept = sorted(sorted(taken, key=lambda round: round[:2])[:rounds], key=lambda round: round[1])
    shares = [share for share, _, _ in kept]
    return Rounds(
        [figures for _, _, figures in kept], [figures for _, _, figures in taken],
        f"{len(kept)} of {len(taken)} rounds count; in them other machines had {statistics.median(shares) * 100:.1f} % of the "
        f"processors (median), {max(shares) * 100:.1f} % at most" + ("" if max(shares) <= STOLEN else ": not calm"))
