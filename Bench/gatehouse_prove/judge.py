"""What must be true after each round, read from the database past row-level security and compared with what clients know."""
from __future__ import annotations

from gatehouse_prove.crowd import DONE, REFUSED, Owner, SignUp
from gatehouse_prove.world import World

# One row for each account of a round, with how much of what belongs to it is there.
ACCOUNTS = """
SELECT account.email, account.id,
  (SELECT count(*) FROM gatehouse.credential c WHERE c.account_id = account.id),
  (SELECT count(*) FROM gatehouse.unique_value u WHERE u.account_id = account.id),
  (SELECT count(*) FROM gatehouse.session s WHERE s.account_id = account.id),
  (SELECT count(*) FROM gatehouse.session s JOIN gatehouse.refresh_token t ON t.session_id = s.id
    WHERE s.account_id = account.id),
  (SELECT count(*) FROM gatehouse.one_time_code o WHERE o.account_id = account.id),
  (SELECT count(*) FROM gatehouse.audit a WHERE a.account_id = account.id AND a.event = 'user_created'),
  (SELECT count(*) FROM gatehouse.audit a WHERE a.account_id = account.id AND a.event = 'session_created')
FROM gatehouse.account WHERE email LIKE '{prefix}%'
"""
# An account that has not one of each is a half record.
WHOLE = ["1"] * 7

OWNERS = """
SELECT account.id, md5(credential.phc),
  (SELECT count(*) FROM gatehouse.one_time_code o WHERE o.account_id = account.id AND o.purpose = 'reset_password'
    AND o.used_at IS NOT NULL),
  (SELECT count(*) FROM gatehouse.audit a WHERE a.account_id = account.id AND a.event = 'authn_password_reset'),
  (SELECT count(*) FROM gatehouse.session s WHERE s.account_id = account.id AND s.ended_at IS NULL)
FROM gatehouse.account JOIN gatehouse.credential ON credential.account_id = account.id
"""

# For each session: its tokens, those unspent, those whose successor is there, and how many different successors.
CHAINS = """
SELECT t.session_id, count(*), count(*) FILTER (WHERE t.spent_at IS NULL), count(n.hash), count(DISTINCT n.hash),
  bool_and(s.ended_at IS NULL), count(*) FILTER (WHERE (t.spent_at IS NULL) <> (t.successor_hash IS NULL))
FROM gatehouse.refresh_token t JOIN gatehouse.session s ON s.id = t.session_id
LEFT JOIN gatehouse.refresh_token n ON n.hash = t.successor_hash AND n.session_id = t.session_id
GROUP BY t.session_id
"""

# Rows without an owner; asked without indexes, so that a broken index hides nothing.
STRAYS = """
SET enable_indexscan = off; SET enable_indexonlyscan = off; SET enable_bitmapscan = off;
SELECT 'an address that stands twice', count(*) FROM (
  SELECT FROM gatehouse.account GROUP BY tenant_id, email HAVING count(*) > 1) twice
UNION ALL SELECT 'a name that stands twice', count(*) FROM (
  SELECT FROM gatehouse.unique_value GROUP BY tenant_id, field, key HAVING count(*) > 1) twice
UNION ALL SELECT 'a credential without an account', count(*) FROM gatehouse.credential c
  WHERE NOT EXISTS (SELECT FROM gatehouse.account a WHERE a.id = c.account_id)
UNION ALL SELECT 'an audit row without an account', count(*) FROM gatehouse.audit c WHERE account_id IS NOT NULL
  AND NOT EXISTS (SELECT FROM gatehouse.account a WHERE a.id = c.account_id)
UNION ALL SELECT 'a code without an account', count(*) FROM gatehouse.one_time_code c WHERE account_id IS NOT NULL
  AND NOT EXISTS (SELECT FROM gatehouse.account a WHERE a.id = c.account_id)
UNION ALL SELECT 'verification mails and accounts that differ in number', abs(
  (SELECT count(*) FROM gatehouse.outbox WHERE kind = 'verify_email') - (SELECT count(*) FROM gatehouse.account))
UNION ALL SELECT 'notices and resets that differ in number', abs(
  (SELECT count(*) FROM gatehouse.outbox WHERE kind = 'password_changed')
  - (SELECT count(*) FROM gatehouse.audit WHERE event = 'authn_password_reset'))
"""


def sign_ups(world: World, prefix: str, attempts: list[SignUp]) -> list[str]:
    """Every acknowledged person is there and whole, no refused one is."""
    faults = []
    rows = {row[0]: row[1:] for row in world.sql(ACCOUNTS.format(prefix=prefix))}
    for email, row in rows.items():
        if row[1:] != WHOLE:
            faults.append(f"half a record: {email} {row[1:]}")
    by_email: dict[str, list[SignUp]] = {}
    for one in attempts:
        by_email.setdefault(one.email, []).append(one)
    for email, tries in by_email.items():
        done = [one for one in tries if one.outcome == DONE]
        if len(done) > 1:
            faults.append(f"acknowledged twice: {email}")
        if done and (email not in rows or rows[email][0].lower() != done[0].answer[1]["user"]["id"].lower()):
            faults.append(f"acknowledged and not there: {email}")
        if email in rows and all(one.outcome == REFUSED for one in tries):
            faults.append(f"refused and there all the same: {email} {tries[0].answer}")
    faults += [f"no client asked for {email}" for email in rows if email not in by_email]
    return faults


def resets(before: dict[str, list[str]], after: dict[str, list[str]], owners: list[Owner]) -> list[str]:
    """A reset happened whole or not at all, as its owner was told; owners learn which password is theirs."""
    faults = []
    for owner in owners:
        old, new = before[owner.account.lower()], after[owner.account.lower()]
        changed = old[0] != new[0]
        steps = [changed, int(new[1]) - int(old[1]) == 1, int(new[2]) - int(old[2]) == 1]
        if len(set(steps)) != 1:
            faults.append(f"half a reset: {owner.email} {steps}")
        if changed and new[3] != "0":
            faults.append(f"a session outlived the reset: {owner.email}")
        if owner.outcome == DONE and not changed:
            faults.append(f"a reset that was acknowledged is not there: {owner.email}")
        if owner.outcome == REFUSED and changed:
            faults.append(f"a reset that was refused is there: {owner.email} {owner.answer}")
        if changed:
            owner.password, owner.token = owner.wanted, ""
    return faults


def owners(world: World) -> dict[str, list[str]]:
    """What there is of each account's resets."""
    return {row[0]: row[1:] for row in world.sql(OWNERS)}


def families(world: World) -> list[str]:
    """Each session's tokens are one chain, as long as its client saw it grow; none was refused."""
    faults = []
    rows = {row[0]: row[1:] for row in world.sql(CHAINS)}
    for session, (count, unspent, linked, successors, _, odd) in rows.items():
        if unspent != "1" or linked != successors or int(linked) != int(count) - 1 or odd != "0":
            faults.append(f"no chain: {session} {count} tokens, {unspent} unspent, {linked} linked, {successors} different")
    for family in world.families:
        count, _, _, _, alive, _ = rows[family.session.lower()]
        # Each answer moved the client one step along the chain; one step more may have happened without an answer.
        if int(count) - 1 - family.exchanged not in ((0, 1) if family.in_doubt else (0,)):
            faults.append(f"{family.session} has {count} tokens, its client saw {family.exchanged} exchanges")
        if alive != "t":
            faults.append(f"a family ended: {family.session}")
        faults += [f"a refresh was refused: {answer}" for answer in family.refused]
        family.refused.clear()
    return faults


def strays(world: World) -> list[str]:
    """Rows without an owner, and rows that stand twice."""
    return [f"{what}: {count}" for what, count in world.sql(STRAYS) if count != "0"]


def outbox(world: World, crashes: int) -> tuple[list[str], int]:
    """Nothing was lost, and no more was repeated than there were crashes; how much was."""
    rows = {row[0]: row[1] for row in world.sql(
        "SELECT id, delivered_at IS NOT NULL FROM gatehouse.outbox WHERE given_up_at IS NULL")}
    # A mail that ended as it was made is never sent: it stands where another request would have had one, so that no time tells.
    given_up = world.sql(
        "SELECT id, last_error FROM gatehouse.outbox WHERE given_up_at IS NOT NULL AND expires_at > created_at")
    with world.sink.lock:
        taken = dict(world.sink.taken)
    faults = [f"given up: {row}" for row in given_up]
    faults += [f"not delivered: {name}" for name, delivered in rows.items() if delivered != "t"]
    faults += [f"marked as delivered and never sent: {name}" for name in rows if name not in taken]
    faults += [f"sent without a row: {name}" for name in taken if name not in rows]
    repeated = sum(taken.values()) - len(taken)
    if repeated > crashes:
        faults.append(f"{repeated} mails came again after {crashes} crashes")
    return faults, repeated


