"""What must be true on the new primary, compared with what clients were told."""
from __future__ import annotations

import dataclasses

from gatehouse_prove.failover.ledger import DONE, LOST, REFUSED, Ledger
from gatehouse_prove.judge import CHAINS

ACCOUNTS = """
SELECT account.email, account.id, account.profile ->> 'displayName',
  (SELECT count(*) FROM gatehouse.session s WHERE s.account_id = account.id),
  (SELECT count(*) FROM gatehouse.credential c WHERE c.account_id = account.id),
  (SELECT count(*) FROM gatehouse.audit a WHERE a.account_id = account.id AND a.event = 'user_created')
FROM gatehouse.account
"""
SESSIONS = "SELECT id, ended_at IS NOT NULL, coalesce(end_reason, '') FROM gatehouse.session"


@dataclasses.dataclass
class Found:
    """What the database has: accounts by address, sessions and chains by id."""

    accounts: dict[str, list[str]]
    sessions: dict[str, list[str]]
    chains: dict[str, list[str]]


def look(sql) -> Found:
    """Reads all of it; `sql` runs as a superuser, whom row-level security does not bind."""
    return Found(*({row[0].lower(): row[1:] for row in sql(text)} for text in (ACCOUNTS, SESSIONS, CHAINS)))


def judge(ledger: Ledger, found: Found) -> list[str]:
    """Everything that is not as it was told."""
    return [*sign_ups(ledger, found), *sessions(ledger, found), *names(ledger, found), *families(ledger, found), *chains(found)]


def sign_ups(ledger: Ledger, found: Found) -> list[str]:
    """Accounts that were acknowledged are there and whole, refused ones are not."""
    faults = []
    for email, attempt in ledger.sign_ups.items():
        row = found.accounts.get(email)
        if attempt.outcome == DONE and (row is None or row[0].lower() != attempt.id.lower()):
            faults.append(f"lost: the account of {email}")
        if attempt.outcome == REFUSED and row is not None:
            faults.append(f"refused and there: the account of {email}")
        if attempt.tries[DONE] > 1:
            faults.append(f"acknowledged twice: the account of {email}")
    for email, row in found.accounts.items():
        if email not in ledger.sign_ups:
            faults.append(f"asked for by no client: the account of {email}")
        if row[3:] != ["1", "1"]:
            faults.append(f"by half: the account of {email}: {row[3]} passwords, {row[4]} events")
    return faults


def sessions(ledger: Ledger, found: Found) -> list[str]:
    """Sessions that were acknowledged are there, signed out where that was acknowledged, and alive otherwise."""
    faults = [f"lost: the session {one}" for one in ledger.sessions if one not in found.sessions]
    for session in ledger.sessions & set(found.sessions):
        has_ended, reason = found.sessions[session][0] == "t", found.sessions[session][1]
        outcome = ledger.sign_outs[session].outcome if session in ledger.sign_outs else REFUSED
        if outcome == DONE and not has_ended:
            faults.append(f"lost: the sign-out of {session}")
        if outcome == REFUSED and has_ended:
            faults.append(f"ended: the honest session {session} ({reason})")
    faults += [f"ended: its owner was turned away: {one}" for one in ledger.turned_away]
    for email, attempt in ledger.sign_ins.items():
        # The session of the sign-up, those that were acknowledged, and those whose answer was lost.
        most, row = 1 + attempt.tries[DONE] + attempt.tries[LOST], found.accounts.get(email)
        if row is not None and int(row[2]) > most:
            faults.append(f"refused and there: {email} has {row[2]} sessions, at most {most} were made")
    return faults


def names(ledger: Ledger, found: Found) -> list[str]:
    """A profile has the last text that was acknowledged, or one of those whose outcome is unknown."""
    return [f"lost: the profile of {email} is {row[1]!r}, acknowledged was {name.acknowledged!r}"
            for email, name in ledger.names.items()
            if (row := found.accounts.get(email)) is not None and row[1] not in {name.acknowledged} | name.possible]


def families(ledger: Ledger, found: Found) -> list[str]:
    """A chain is as long as its client saw it grow, and no refresh was turned away."""
    faults = []
    for session, family in ledger.families.items():
        faults += [f"ended: a refresh of {session} was answered {code}" for code in family.refused]
        if session not in found.chains:
            continue  # the session is lost, which is said already
        grown = int(found.chains[session][0]) - 1
        # One step more may have happened without an answer.
        if grown < family.exchanged:
            faults.append(f"lost: {family.exchanged - grown} exchanges of {session}")
        elif grown > family.exchanged + family.in_doubt:
            faults.append(f"refused and there: {session} grew by {grown}, its client saw {family.exchanged}")
    return faults


def chains(found: Found) -> list[str]:
    """The tokens of each session are one chain; a living one has one living head."""
    return [f"forked: {session}: {count} tokens, {unspent} unspent, {linked} linked to {successors}"
            for session, (count, unspent, linked, successors, is_alive, odd) in found.chains.items()
            if linked != successors or int(linked) != int(count) - 1 or odd != "0" or (is_alive == "t" and unspent != "1")]
