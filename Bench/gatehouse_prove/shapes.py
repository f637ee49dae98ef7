"""The extent of conditions, values and statements in Swift, and of operands in SQL, by brackets, words and lines alone."""
from __future__ import annotations

import re

from gatehouse_prove.markers import Marker, Misfit

CLOSING = {"(": ")", "[": "]", "{": "}"}
# What comes before a condition or a value on its line.
LABEL = re.compile(r"(case\b|default\b)")
HEAD = re.compile(r"(?:\}\s*)?(guard\b|else if\b|if\b|while\b)\s*")
NAMED = re.compile(
    r"(?:(?:private|package|static|let|var)\s+)*(?:[\w.]+|\([\w, ]+\))(?:: [\w.<>\[\]? ]+)? =\s+|return\b\s*|\w+: ")
BINARY = re.compile(r"(&&|\|\||\?\?|[+|&]|\?|:)(?=\s)\s*")
# What makes a line go on with the one above it.
GOES_ON = re.compile(r"(?:\s*//[^\n]*\n)*\s*(?!//)(\.\w|&&|\|\||\?\?|[-+*/%<>|&]+\s|[!=<>]=|\?\s|:\s|else\b|\{|as\b|is\b)")
EFFECTS = re.compile(r"(try\??\s+)?(await\s+)?")
SQL_ENDS = {"AND", "OR", "WHERE", "RETURNING", "ORDER", "GROUP", "LIMIT", "OFFSET", "THEN", "ELSE", "WHEN", "END", "ON"}


def behind_string(text: str, place: int) -> int:
    """The place behind the text constant of Swift that begins at a place."""
    hashes = len(text[place:]) - len(text[place:].lstrip("#"))
    place += hashes
    quote = '"""' if text.startswith('"""', place) else '"'
    escape, end = "\\" + "#" * hashes, quote + "#" * hashes
    place += len(quote)
    while place < len(text):
        if text.startswith(end, place):
            return place + len(end)
        if text.startswith(escape + "(", place):
            place = behind(text, place + len(escape))
        else:
            place += len(escape) + 1 if text.startswith(escape, place) else 1
    raise Misfit("a text does not end")


def behind(text: str, place: int) -> int:
    """The place behind what begins at a place of Swift: a text, a comment, a bracket with all in it, `??` or a character."""
    if re.match(r'#*"', text[place:place + 4]):
        return behind_string(text, place)
    if text.startswith("//", place):
        return len(text) if (end := text.find("\n", place)) < 0 else end
    if text.startswith("/*", place):
        return text.index("*/", place) + 2
    if text[place] not in CLOSING:
        return place + (2 if text.startswith("??", place) else 1)
    closing, place = CLOSING[text[place]], place + 1
    while place < len(text):
        if text[place] == closing:
            return place + 1
        if text[place] in ")]}":
            raise Misfit("brackets do not match")
        place = behind(text, place)
    raise Misfit("a bracket is not closed")


def extent(text: str, start: int, is_line: bool, ends: str = "") -> tuple[int, int]:
    """From a place of Swift to where its expression or statement ends: at a comma, at a closing bracket, at the end of a line
    that does not go on, or where the pattern `ends` matches. Says the end without white space, and where it stopped."""
    place = end = start
    while place < len(text):
        rest = text[place:place + 80]
        if text[place] in ",)]};" or (ends and re.match(ends, rest)):
            break
        if text[place] == "\n" and end > start and (is_line or not goes_on(text, end, place)):
            break
        following = behind(text, place)
        if not text[place].isspace() and not rest.startswith(("//", "/*")):
            end = following
        place = following
    if end == start:
        raise Misfit("there is nothing that the operator knows")
    return end, place


def goes_on(text: str, end: int, place: int) -> bool:
    """Whether an expression that came to `end` goes on behind this end of a line."""
    return text[end - 1] == "=" or GOES_ON.match(text[place:place + 600]) is not None


def body(marker: Marker) -> int:
    """The piece without the label of a case on its line."""
    start, text = marker.start, marker.text
    if not LABEL.match(text[start:start + 10]):
        return start
    _, place = extent(text, start, True, ":")
    while place < len(text) and text[place] == ",":  # patterns of one label
        _, place = extent(text, place + 1, True, ":")
    if text[place] != ":":
        raise Misfit("a case without a colon")
    line = text[place + 1:].split("\n", 1)[0]
    if not line.strip():
        raise Misfit("nothing stands behind the label on this line")
    return place + 1 + len(line) - len(line.lstrip(" "))


def alone(text: str, stop: int, what: str) -> None:
    """A piece that ends at a comma is the last of its line."""
    if text[stop:stop + 1] == "," and not re.match(r",[ \t]*(//[^\n]*)?\n", text[stop:]):
        raise Misfit(f"another {what} stands behind it on its line")


def condition(marker: Marker, is_alone: bool) -> tuple[int, int]:
    """The condition that a line begins with, behind `guard`, `where`, `return`, `&&` and such."""
    text, start = marker.text, marker.start
    if found := re.match(r"(for\b|case\b)[^\n]* where ", text[start:]):
        start += found.end()
        end, _ = extent(text, start, True, r"\{" if found[1] == "for" else ":")
        return start, end
    start = body(marker)
    block, left = False, ""
    if found := HEAD.match(text, start):
        start, block = found.end(), found[1] != "guard"
    elif found := BINARY.match(text, start):
        start, left = found.end(), found[1]
    elif found := NAMED.match(text, start):
        start = found.end()
    end, stop = extent(text, start, marker.is_behind or left != "", r"\? |: |else\b|\n\s*\{" + (r"|\{" if block else ""))
    if is_alone:
        alone(text, stop, "condition")
    piece = bare(text[start:end])
    if " = " in piece and not re.match(r"(let|var|case)\b", piece):
        raise Misfit("that is no condition")
    right = text[stop:stop + 200].split("//", 1)[0] + text[text.find("\n", stop):][:200] if text[stop:stop + 1] != "," else ""
    if "||" in piece and (left == "&&" or re.match(r"\s*&&", right)):
        raise Misfit("a condition with || beside && needs brackets")
    return start, end


def bare(piece: str) -> str:
    """A piece without what stands in brackets and texts."""
    result, place = "", 0
    while place < len(piece):
        following = behind(piece, place)
        result += piece[place] if following == place + 1 else "??" if piece.startswith("??", place) else "_"
        place = following
    return result


def value(marker: Marker) -> tuple[int, int]:
    """The value that a line gives: returned, assigned, passed, an element, or an operand behind its operator."""
    text, start, left = marker.text, body(marker), ""
    if found := BINARY.match(text, start):
        start, left = found.end(), found[1]
    elif found := NAMED.match(text, start):
        start = found.end()
    elif re.match(r"(guard|if|for|while|switch|func|case)\b", text[start:]):
        raise Misfit("a statement has no value")
    end, stop = extent(text, start, marker.is_behind or left != "")
    alone(text, stop, "value")
    if " = " in bare(text[start:end]):
        raise Misfit("what is assigned to has no name")
    if left in ("+", "|", "&") and re.search(r"\?\?|&&|\|\|| \? ", bare(text[start:end])):
        raise Misfit(f"the value behind {left} needs brackets")
    return start, end


def statement(marker: Marker, may_bind: bool = False) -> tuple[int, int]:
    """The statement that a line begins with, behind the label of a case."""
    text, start = marker.text, body(marker)
    if re.match(r"[.&|?:)\]}+,]", text[start:]):
        raise Misfit("no statement begins here")
    if not may_bind and (found := re.match(r"(let|var|guard|func)\b", text[start:])):
        raise Misfit(f"what a {found[1]} begins is more than a statement")
    end, stop = extent(text, start, False)
    while text[stop:stop + 1] == ",":  # conditions of one statement
        end, stop = extent(text, stop + 1, False)
    if text[stop:stop + 1] in (")", "]"):
        raise Misfit("no statement begins here")
    return start, end


def behind_effects(text: str, start: int, end: int) -> tuple[int, int]:
    """A piece behind its `try` and `await`, which have to stand before everything."""
    return start + EFFECTS.match(text[start:end]).end(), end


def operand(marker: Marker) -> tuple[int, int]:
    """The operand of SQL behind a marker: to a word that joins or ends conditions, a comma, a bracket or the end of the text."""
    text, place, depth = marker.text, marker.start, 0
    end = place
    while place < len(text):
        if text.startswith("\\(", place):
            following = behind(text, place + 1)
        elif text[place] == "'":
            following = text.index("'", place + 1) + 1
        elif text.startswith("/*", place):
            following = text.index("*/", place) + 2
        elif text[place] == "(":
            following = behind_bracket(text, place)
        elif text[place] in '),"' and depth == 0:
            break
        elif found := re.match(r"\w+", text[place:]):
            if depth == 0 and found[0] in SQL_ENDS:
                break
            depth += {"CASE": 1, "END": -1}.get(found[0], 0)
            following = place + found.end()
        else:
            following = place + 1
        if not text[place].isspace():
            end = following
        place = following
    if end == marker.start:
        raise Misfit("nothing of SQL stands behind it")
    return marker.start, end


def behind_bracket(text: str, place: int) -> int:
    """The place behind a bracket of SQL, which may hold values of Swift."""
    place += 1
    while text[place] != ")":
        if text.startswith("\\(", place):
            place = behind(text, place + 1)
        elif text.startswith("/*", place):
            place = text.index("*/", place) + 2
        elif text[place] == "'":
            place = text.index("'", place + 1) + 1
        elif text[place] == '"':
            raise Misfit("a bracket of SQL is not closed in its text")
        else:
            place = behind_bracket(text, place) if text[place] == "(" else place + 1
    return place + 1
