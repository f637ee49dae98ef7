"""Whether a run is good, and its line."""
from __future__ import annotations

from gatehouse_prove.failover.faults import Fault
from gatehouse_prove.failover.figures import Figures

# The key set needs no database.
KEYS = 0.5


def troubles(fault: Fault, seen: Figures, factor: float) -> list[str]:
    """Each figure that is worse than it may be. Times may be longer by a factor on a machine that others load."""
    found = []
    if fault.writes is not None and seen.writes > fault.writes * factor:
        found.append(f"writes were away for {seen.writes:.1f} s, allowed are {fault.writes * factor:g}")
    if fault.after is not None and (seen.after is None or seen.after > fault.after * factor):
        found.append(f"writes came {seen.after or 0:.1f} s after the return, allowed are {fault.after * factor:g}")
    if fault.failed is not None and seen.late > fault.failed:
        found.append(f"{seen.late} requests failed, allowed are {fault.failed}")
    if seen.keys > KEYS * factor:
        found.append(f"the key set was away for {seen.keys:.2f} s, allowed are {KEYS * factor:g}")
    if seen.repeated > fault.repeated * factor:
        found.append(f"a repetition was answered {seen.repeated:.1f} s after writes were back, "
                     f"allowed are {fault.repeated * factor:g}")
    if seen.internal:
        found.append(f"{seen.internal} answers of status 500")
    return found
