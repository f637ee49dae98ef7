"""What a chain of attack came to."""
from __future__ import annotations

import contextlib
import dataclasses
import enum
from collections.abc import Iterator


class Verdict(enum.Enum):
    """The three ends of a chain. Only the second one is good."""

    WORKS = "the attack works"
    REFUSED = "refused"
    BROKE = "the chain broke"


@dataclasses.dataclass(frozen=True)
class Finding:
    """The end of one chain, and what the attacker got, or which answer stopped them."""

    verdict: Verdict
    what: str


class Refused(Exception):
    """A step of the attacker was refused, for a reason that is a guard's."""


class Broke(Exception):
    """A step could not be played: the chain shows nothing."""


@dataclasses.dataclass(frozen=True)
class Answer:
    """Status and JSON of one answer."""

    status: int
    body: dict
    fields: dict[str, str] = dataclasses.field(default_factory=dict)
    # The body of an answer that is no JSON.
    text: str = ""

    @property
    def code(self) -> str:
        """The problem's code; empty in a success."""
        return str(self.body.get("code", ""))

    def __str__(self) -> str:
        return f"{self.status} {self.code}".strip()


# What a guard answers. Anything else that is no success (400 malformed_request, 429, 5xx) is a reason of another kind.
REFUSALS = {"reauthentication_required", "session_revoked", "unauthenticated", "invalid_credentials", "account_exists",
            "conflict", "code_invalid", "code_used", "code_expired", "not_found", "forbidden"}


def demand(answer: Answer, status: int, step: str) -> Answer:
    """An honest step. The chain means nothing without it."""
    if answer.status != status:
        raise Broke(f"{step}: {answer}, not {status}")
    return answer


def attempt(answer: Answer, step: str) -> Answer:
    """A step of the attacker; refused only by a guard's code."""
    if 200 <= answer.status < 400:
        return answer
    if answer.code in REFUSALS:
        raise Refused(f"{step}: {answer}")
    raise Broke(f"{step}: {answer}")


@contextlib.contextmanager
def noting(refusals: list[str]) -> Iterator[None]:
    """Plays steps of the attacker until one is refused, and notes which."""
    try:
        yield
    except Refused as refused:
        refusals.append(str(refused))


def judged(works: bool, got: str, refusals: list[str]) -> Finding:
    """`got` if the attack works, else what stopped it."""
    if works:
        return Finding(Verdict.WORKS, got)
    return Finding(Verdict.REFUSED, "; ".join(refusals) or "the steps were answered and led nowhere")
