"""A database that an older build wrote, opened by the present one: what was stored is read, accepted, unsealed and audited."""
from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator

from gatehouse_bench.machine import ROOT, run
from gatehouse_bench.server import place
from gatehouse_prove.upgrade.after import checks
from gatehouse_prove.upgrade.before import write
from gatehouse_prove.upgrade.house import House

# What is damaged for a control, and the check that must notice.
CONTROLS = {
    "a sealed column": (
        "UPDATE gatehouse.webhook_endpoint SET sealed_secret = set_byte(sealed_secret, 20, get_byte(sealed_secret, 20) # 1)",
        "a webhook's test message is signed by the old secret"),
    "a row of the audit log": (
        "SET session_replication_role = replica; UPDATE gatehouse.audit SET actor = 'operator:mallory' "
        "WHERE id = (SELECT audit_id FROM gatehouse.audit_link JOIN gatehouse.tenant t ON t.id = audit_link.tenant_id "
        "WHERE t.name = 'messai' AND seq = 2)",
        "the audit log of messai is whole"),
}


def prove(program: str, ref: str | None, binary: str | None, with_controls: bool) -> bool:
    """Writes with the older build, which is that of `ref` unless `binary` names it, and checks with `program`. The policy files are
    those of `ref`, where it is given."""
    with contextlib.nullcontext(binary) if binary else older_build(str(ref)) as older, place() as path:
        print(f"upgrade   from {ref or older} to the present build", flush=True)
        house = House(path)
        try:
            held = write(house, older, ref)
            copy = house.copy()
            good = judge("as it was written", checks(house, program, held), must_fail=None)
            for name, (damage, noticed_by) in CONTROLS.items() if with_controls else ():
                house.restore(copy)
                good = judge(name, checks(house, program, held, damage), must_fail=noticed_by) and good
        finally:
            house.close()
    return good


def judge(name: str, results: Iterable[tuple[str, str | None]], must_fail: str | None) -> bool:
    """Prints each check that does not hold. Good when all hold; a control, when the one that must notice fails and no other does."""
    failed, count = {}, 0
    for check, trouble in results:
        count += 1
        if trouble is not None:
            failed[check] = trouble
            print(f"          {'control: ' if must_fail else ''}{check}: {trouble}", flush=True)
    good = set(failed) == ({must_fail} if must_fail else set())
    print(f"upgrade   {name}: {count - len(failed)} of {count} checks hold"
          + (f"; {'noticed' if good else 'NOT NOTICED'}" if must_fail else ""), flush=True)
    return good


@contextlib.contextmanager
def older_build(ref: str) -> Iterator[str]:
    """The release build of an older commit, in a worktree that goes when the proof is over."""
    with tempfile.TemporaryDirectory(prefix="gatehouse-older-") as folder:
        checkout = os.path.join(folder, "checkout")
        run(["git", "worktree", "add", "--detach", checkout, ref], cwd=ROOT)
        try:
            subprocess.run(["script/build", "-c", "release", "--product", "gatehouse"], cwd=checkout, check=True, stdout=sys.stderr)
            yield os.path.join(run(["swift", "build", "-c", "release", "--show-bin-path"], cwd=checkout).strip(), "gatehouse")
        finally:
            run(["git", "worktree", "remove", "--force", checkout], cwd=ROOT)
