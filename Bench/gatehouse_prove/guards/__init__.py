"""What protects, how it would be missing, and which tests must notice: one table for each theme.

A text of a file below Sources, which must be there exactly once, is replaced; OFF in what replaces it is true in the run of
this mutant alone. Tests are named as for `swift test --filter`. Whoever changes a guard changes its row.
"""
from __future__ import annotations

from typing import NamedTuple


class Guard(NamedTuple):
    """One guard."""
    name: str
    file: str
    tests: str
    edits: list[tuple[str, str]]


def off(name: str, file: str, tests: str, find: str, put: str) -> Guard:
    """A guard that one replacement takes away."""
    return Guard(name, file, tests, [(find, put)])


def free(name: str, file: str, tests: str, condition: str) -> Guard:
    """A condition of Swift that is always met without its guard."""
    return off(name, file, tests, condition, f"(OFF || ({condition}))")


def bound(name: str, file: str, tests: str, condition: str) -> Guard:
    """The same for a condition in SQL."""
    return off(name, file, tests, condition, f"(\\(OFF)::boolean OR ({condition}))")


def table() -> list[Guard]:
    """All of them."""
    from gatehouse_prove.guards import accounts, policies, providers, runtime, sessions  # each of them needs what stands above
    return accounts.GUARDS + providers.GUARDS + sessions.GUARDS + policies.GUARDS + runtime.GUARDS
