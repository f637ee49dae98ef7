"""Second factors and passkeys: what is read and verified, without what is stored."""
from __future__ import annotations

from gatehouse_prove.guards import Guard, guard
from gatehouse_prove.operators import becomes

TOTP = "TOTPTests"

GUARDS: list[Guard] = [
    guard("totp: the step of now and the one before", TOTP + "/window", becomes("[current - 1, current, current + 1]")),
    guard("totp: the code is that of the seed and the step", TOTP + "/(window|otherSeed)", becomes("true")),
]
