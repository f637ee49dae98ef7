"""How a guard is missing: operators that know the shape of the piece behind a marker, and not its text.

Each puts something before the piece and something behind it, so that pieces may hold one another. OFF in that is true in the run
of this mutant alone. The words are those of Swift in a Swift piece and those of SQL in an SQL piece.
"""
from __future__ import annotations

import re
from typing import Callable, NamedTuple

from gatehouse_prove import shapes
from gatehouse_prove.markers import Marker, Misfit


class Cut(NamedTuple):
    """What a mutant puts around a piece."""
    start: int
    end: int
    before: str
    behind: str


Operator = Callable[[Marker], Cut]


def met(marker: Marker) -> Cut:
    """A condition that always holds."""
    return condition(marker, "true", "(\\(OFF)::boolean OR (")


def unmet(marker: Marker) -> Cut:
    """A condition that never holds; also of Swift's that binds a name."""
    return condition(marker, "false", "(NOT \\(OFF)::boolean AND (")


def condition(marker: Marker, verdict: str, sql: str) -> Cut:
    """A condition with this verdict, or in SQL within what begins like this."""
    if marker.is_sql:
        return Cut(*shapes.operand(marker), sql, "))")
    # Of a list one that never holds is enough.
    start, end = shapes.condition(marker, is_alone=verdict == "true")
    if re.match(r"(let|var|case)\b", marker.text[start:end]):
        if verdict == "true":
            raise Misfit("a binding can not be met without its value")
        return Cut(start, start, "!OFF, ", "")
    return Cut(*shapes.behind_effects(marker.text, start, end), f"(OFF ? {verdict} : (", "))")


def becomes(value: str) -> Operator:
    """A value that is this one instead."""
    def operator(marker: Marker) -> Cut:
        if re.match(r"(let|var|return)\b|[\w.]+ = ", value):
            raise Misfit(f"a statement is no value: {value}")
        if marker.is_sql:
            return Cut(*shapes.operand(marker), f"CASE WHEN \\(OFF)::boolean THEN {value} ELSE ", " END")
        return Cut(*shapes.behind_effects(marker.text, *shapes.value(marker)), f"(OFF ? {value} : (", "))")
    return operator


def skipped(marker: Marker) -> Cut:
    """A statement that is not made; a clause of SQL that is not there."""
    if marker.is_sql:
        return instead("")(marker)
    return Cut(*shapes.statement(marker), "if !OFF { ", " }")


def before(code: str) -> Operator:
    """A statement before which this is done."""
    def operator(marker: Marker) -> Cut:
        if marker.is_sql:
            raise Misfit("in SQL nothing is done before")
        start, _ = shapes.statement(marker, may_bind=True)
        return Cut(start, start, f"if OFF {{ {code} }}; ", "")
    return operator


def instead(code: str) -> Operator:
    """A statement, or a clause of SQL, in place of which there is this one."""
    def operator(marker: Marker) -> Cut:
        if marker.is_sql:
            start, end = shapes.operand(marker)
            if re.search(r'["\n]', marker.text[start:end]):
                raise Misfit("a clause stands on one line and has no quotation marks")
            return Cut(start, end, f'\\(OFF ? "{code}" as SQL : "', '")')
        return Cut(*shapes.statement(marker), f"if OFF {{ {code} }} else {{ ", " }")
    return operator
