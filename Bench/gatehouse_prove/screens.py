"""Every hosted page in every language, in each look that a device gives it, judged by axe in Chromium."""
from __future__ import annotations

import os
import subprocess
import sys

from gatehouse_bench.machine import ROOT


def prove() -> bool:
    """Whether axe finds nothing, light and dark, in forced colours, at 320 pixels and at 400 % zoom."""
    words = ["--filter", "PageLookBrowserTests/languages"]
    good = subprocess.run(["script/test", *words], cwd=ROOT, check=False, env=os.environ | {"GATEHOUSE_EVERY_LOOK": "1"},
                          stdout=sys.stderr).returncode == 0
    print(f"screens   every page, language and look: {'axe finds nothing' if good else 'a test failed'}", flush=True)
    return good
