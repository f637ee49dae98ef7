"""Units and alarms of deploy/, by systemd and promtool, which not every machine has. `script/prove failover --check`."""
from __future__ import annotations

import glob
import os
import subprocess
import sys
import unittest

from gatehouse_prove.failover import tests, watch


class UnitTests(unittest.TestCase):
    """The units of systemd."""

    def test_units(self) -> None:
        """systemd takes them, but for the program that is not installed here."""
        units = sorted(glob.glob(os.path.join(watch.DEPLOY, "*.service")) + glob.glob(os.path.join(watch.DEPLOY, "*.timer")))
        done = subprocess.run(["systemd-analyze", "verify", *units], capture_output=True, text=True, check=False)
        said = [line for line in done.stderr.splitlines() if os.path.dirname(units[0]) in line or line.split(":")[0] in map(
            os.path.basename, units)]
        self.assertEqual([line for line in said if "is not executable" not in line and "file:/" not in line], [])
        self.assertEqual(len(units), 7)


class RuleTests(unittest.TestCase):
    """The alarms."""

    def test_rules(self) -> None:
        """promtool takes the rules, and they fire as their tests say."""
        self.assertEqual(watch.promtool(), "")


def check() -> bool:
    """Runs these and the tests that need no other program."""
    loader = unittest.defaultTestLoader
    suite = unittest.TestSuite(loader.loadTestsFromModule(module) for module in (tests, sys.modules[__name__]))
    return unittest.TextTestRunner(verbosity=1).run(suite).wasSuccessful()
