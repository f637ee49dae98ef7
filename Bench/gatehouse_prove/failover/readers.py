"""Alarms of deploy/, by promtool, which not every machine has. `script/prove failover --check`."""
from __future__ import annotations

import sys
import unittest

from gatehouse_prove.failover import tests, watch


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
