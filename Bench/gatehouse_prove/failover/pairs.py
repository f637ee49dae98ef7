"""One refresh token, shown to both servers at the same moment."""
from __future__ import annotations

import asyncio

from gatehouse_prove.failover.ledger import Family
from gatehouse_prove.failover.line import LOCAL, Line
from gatehouse_prove.failover.stage import SERVERS, Stage


def pairs(stage: Stage, count: int = 200) -> tuple[str, list[str]]:
    """So many times: one successor, whichever server answers. What to print, and what was wrong."""
    faults: list[str] = []
    seen: dict[str, int] = {}

    async def run() -> None:
        lines = [Line(stage.addresses[name], 8080, has_tls=False, greeting=LOCAL) for name in SERVERS]
        person = await stage.crowd.sign_up(stage.crowd.line())
        if person is None:
            faults.append("no sign-up for the pairs")
            return
        family: Family = stage.crowd.ledger.families[person.session]
        for number in range(count):
            answers = await asyncio.gather(
                *(line.ask("POST", "/v1/token", {"refresh_token": person.refresh}) for line in lines))
            for answer in answers:
                seen[answer.code] = seen.get(answer.code, 0) + 1
            successors = {answer.body.get("refresh_token") for answer in answers}
            if {answer.status for answer in answers} != {200} or len(successors) != 1:
                faults.append(f"pair {number}: {[answer.code for answer in answers]}, {len(successors)} successors")
                return
            family.exchanged += 1
            person.take(answers[0].body)
        for line in lines:
            line.close()

    asyncio.run(run())
    return f"one refresh token at two servers, {count} pairs: answers {seen}", faults
