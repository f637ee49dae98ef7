"""The Swift client: ten thousand steps through bad weather, a hundred thousand inputs of its checklist, a hundred
sign-ups beneath which the server is killed, and the apps' gates."""
from __future__ import annotations

import os
import subprocess
import sys

from gatehouse_bench.machine import ROOT

# How far each goes here. In script/test the same tests go a few hundred steps.
FAR = {"GATEHOUSE_CLIENT_STEPS": "10000", "GATEHOUSE_CLIENT_INPUTS": "100000", "GATEHOUSE_CLIENT_GATES": "1", "GATEHOUSE_CLIENT_SIGNUPS": "100"}
TESTS = ("ClientChaosTests", "ChecklistTests", "ClientGates", "ClientKillTests", "GatehouseClientTests")


def prove() -> bool:
    """Whether all of it holds. The gates are printed by their tests, in .build/tests."""
    words = [word for test in TESTS for word in ("--filter", test)]
    code = subprocess.run(["script/test", *words], cwd=ROOT, check=False, env=os.environ | FAR, stdout=sys.stderr).returncode
    for name in sorted(os.listdir(os.path.join(ROOT, ".build", "tests"))):
        with open(os.path.join(ROOT, ".build", "tests", name), encoding="utf-8", errors="replace") as file:
            for line in file:
                if line.startswith("gate: "):
                    print(line.rstrip())
    print(f"client    {'all of it holds' if code == 0 else 'a test failed'}")
    return code == 0
