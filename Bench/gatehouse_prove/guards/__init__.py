"""Which guards there are, how each is missing, and which tests must notice: one table for each theme.

A guard is marked in the sources, by its name and nothing else (markers.py says how a marker looks). A row names the guard, the
tests, as for `swift test --filter`, and the operator (operators.py) that takes the marked piece away. No row holds text
to be found in the sources, so that a change of them edits no row; a guard that is added or renamed has its marker and its row.
"""
from __future__ import annotations

import os
import sys
from typing import NamedTuple

from gatehouse_bench.machine import ROOT
from gatehouse_prove.operators import Operator


class Guard(NamedTuple):
    """One row; `place` is where it stands, as `file:line`."""
    name: str
    tests: str
    operator: Operator
    place: str


def guard(name: str, tests: str, operator: Operator) -> Guard:
    """A row at the place of the call."""
    caller = sys._getframe(1)
    return Guard(name, tests, operator, f"{os.path.relpath(caller.f_code.co_filename, ROOT)}:{caller.f_lineno}")


def table() -> list[Guard]:
    """All of them."""
    from gatehouse_prove.guards import accounts, attest, client, factors, logos, pages, passkeys, policies, providers, runtime, sessions  # each of them needs what stands above
    return accounts.GUARDS + attest.GUARDS + client.GUARDS + factors.GUARDS + logos.GUARDS + pages.GUARDS + passkeys.GUARDS + providers.GUARDS + sessions.GUARDS + policies.GUARDS + runtime.GUARDS
