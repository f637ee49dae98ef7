"""The documentation that an app's developer reads in Xcode, built by DocC."""
from __future__ import annotations

import os
import shutil
import tempfile

from gatehouse_client.tools import MODULE, ROOT, graph, run

CATALOG = os.path.join(ROOT, "Sources", MODULE, "Documentation.docc")


def build(modules: str, catalog: str, output: str) -> None:
    """Builds it. A warning, such as a link to a symbol that is gone, is an error."""
    with tempfile.TemporaryDirectory(prefix="gatehouse-documentation-") as folder:
        symbols = os.path.join(folder, "symbols")
        graph(modules, symbols)
        shutil.rmtree(os.path.join(symbols, "cache"), ignore_errors=True)
        run(["docc", "convert", catalog, "--additional-symbol-graph-dir", symbols, "--output-dir", output,
             "--fallback-display-name", MODULE, "--fallback-bundle-identifier", "gatehouse.client",
             "--warnings-as-errors"], "the documentation does not build")
    print(f"client: the documentation is in {output}")
