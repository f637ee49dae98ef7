"""What clients were told: the effects that must be there afterwards, those that must not, and those that may."""
from __future__ import annotations

import collections
import dataclasses

DONE, REFUSED, LOST = "done", "refused", "lost"
# The only answers of POST /v1/token that end a session.
ENDS = {"session_revoked", "refresh_token_invalid", "account_disabled"}


@dataclasses.dataclass(frozen=True)
class Answer:
    """What came of one request: status 0 where no answer came."""

    status: int
    body: dict
    # A server of ours answered, not a proxy.
    is_ours: bool = True

    @property
    def code(self) -> str:
        """The code of a refusal."""
        return str(self.body.get("code", self.status if self.status else "no answer"))

    def judged(self, success: int) -> str:
        """What the client may conclude. Of an answer of the proxy, only that no server could be reached says that nothing
        happened; a 500 says nothing."""
        if self.status == success:
            return DONE
        if self.status in (0, 500) or self.code == "unknown_outcome" or (not self.is_ours and self.status != 503):
            return LOST
        return REFUSED


@dataclasses.dataclass
class Attempt:
    """Something that was asked for, perhaps several times under one key."""

    tries: collections.Counter[str] = dataclasses.field(default_factory=collections.Counter)
    id: str = ""

    @property
    def outcome(self) -> str:
        """Done where it was acknowledged once; lost where one of the tries may have done it."""
        return DONE if self.tries[DONE] else LOST if self.tries[LOST] else REFUSED


@dataclasses.dataclass
class Name:
    """A profile's text that its owner changes again and again."""

    acknowledged: str
    # A write of unknown outcome may take effect after a later one that was acknowledged.
    possible: set[str] = dataclasses.field(default_factory=set)

    def note(self, value: str, outcome: str) -> None:
        """One change."""
        if outcome == DONE:
            self.acknowledged = value
        elif outcome == LOST:
            self.possible.add(value)


@dataclasses.dataclass
class Family:
    """A session that exchanges one refresh token after the other."""

    exchanged: int = 0
    # Whether the last exchange may have happened without an answer.
    in_doubt: bool = False
    refused: list[str] = dataclasses.field(default_factory=list)

    def note(self, answer: Answer) -> str:
        """One exchange."""
        outcome = answer.judged(200)
        if outcome == DONE:
            self.exchanged, self.in_doubt = self.exchanged + 1, False
        elif outcome == LOST:
            self.in_doubt = True
        elif answer.code in ENDS:
            self.refused.append(answer.code)
        return outcome


class Ledger:
    """All of it, of all clients."""

    def __init__(self) -> None:
        # By address, by account, by session.
        self.sign_ups: dict[str, Attempt] = collections.defaultdict(Attempt)
        self.sign_ins: dict[str, Attempt] = collections.defaultdict(Attempt)
        self.sessions: set[str] = set()
        self.sign_outs: dict[str, Attempt] = collections.defaultdict(Attempt)
        self.names: dict[str, Name] = {}
        self.families: dict[str, Family] = {}
        # Sessions whose owner was turned away from `me`.
        self.turned_away: list[str] = []
        # Of requests whose first answer was lost: when it was, and when the repetition under the same key was answered.
        self.repeated: list[tuple[float, float]] = []
        # Of each answer: when it was asked and when it came, of what kind, and what it was.
        self.answers: list[tuple[float, float, str, Answer, str]] = []

    def count(self, kind: str, asked: float, came: float, answer: Answer, outcome: str) -> None:
        """One answer."""
        self.answers.append((asked, came, kind, answer, outcome))

    @property
    def acknowledged(self) -> int:
        """Effects that must be there."""
        return (sum(one.outcome == DONE for one in [*self.sign_ups.values(), *self.sign_outs.values()])
                + len(self.sessions) + sum(one.exchanged for one in self.families.values())
                + sum(kind == "profile" and outcome == DONE for _, _, kind, _, outcome in self.answers))
