"""Markers of guards: where they stand in a Swift file, and where the piece that each of them marks begins.

    // GUARD: name        on a line of its own: the piece begins on the next line and may go on over several
    code  // GUARD: name  behind code: the piece is what stands on this line
    /* GUARD: name */     inside an SQL text: the piece is the operand that follows
"""
from __future__ import annotations

import re
from typing import NamedTuple

MARKER = re.compile(r"// GUARD: (?P<line>[^\n]*)$|/\* GUARD: (?P<sql>[^\n]*?) \*/\s*", re.MULTILINE)


class Marker(NamedTuple):
    """A marker and the beginning of its piece."""
    name: str
    text: str
    path: str
    line: int
    start: int
    is_sql: bool
    is_behind: bool

    @property
    def place(self) -> str:
        return f"{self.path}:{self.line}"


class Misfit(Exception):
    """Why an operator can not be applied to a piece."""


def markers(text: str, path: str) -> list[Marker]:
    """All markers of a file, in order."""
    found = []
    for match in MARKER.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        is_sql = match["sql"] is not None
        begin = text.rfind("\n", 0, match.start()) + 1
        is_behind = not is_sql and not text[begin:match.start()].isspace() and begin != match.start()
        start = match.end() if is_sql else begin if is_behind else after_comments(text, match.end())
        if not is_sql:
            start += len(text[start:]) - len(text[start:].lstrip())
        found.append(Marker(match["sql"] if is_sql else match["line"], text, path, line, start, is_sql, is_behind))
    return found


def malformed(text: str) -> list[int]:
    """Where the word of a marker stands outside of any."""
    known = {match.start() + 3 for match in MARKER.finditer(text)}
    return [match.start() for match in re.finditer("GUARD:", text) if match.start() not in known]


def after_comments(text: str, place: int) -> int:
    """The beginning of the first line behind a place that is neither a comment nor empty."""
    place = text.find("\n", place) + 1
    while place and re.match(r"[ \t]*(//[^\n]*)?\n", text[place:place + 400]):
        place = text.find("\n", place) + 1
    return place or len(text)
