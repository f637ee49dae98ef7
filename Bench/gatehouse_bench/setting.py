"""How a run was asked for."""
from __future__ import annotations

import dataclasses


@dataclasses.dataclass(frozen=True)
class Setting:
    """What every theme is told."""

    program: str
    pool_program: str
    rounds: int
    seconds: float
    # Variables of the servers' environment, beside those that a theme needs.
    variables: dict[str, str] = dataclasses.field(default_factory=dict)
