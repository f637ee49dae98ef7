"""The command line of script/client."""
from __future__ import annotations

import argparse
import os
import subprocess
import sys

from gatehouse_client import app, apple, documentation, interface, snippets, tutorial
from gatehouse_client.tools import ROOT, Failure

TEXT = """
docs     builds the documentation of GatehouseClient, and fails at a warning
api      compares the public API with Sources/GatehouseClient/api.txt; --write brings the file up to date
pages    type-checks the Swift of the documentation's and the tutorial's pages
apple    type-checks the client, GatehouseUI and Examples/Screens for iOS 16 and macOS 13, against Tests/AppleStandIns
tutorial builds the package of docs/tutorial-ios.md in the folder of --output, for the server of --server
app      builds an app that depends on this package, and fails at a warning or a C library besides libcurl
"""


def main() -> None:
    """Does what the words say; prints why it failed."""
    parser = argparse.ArgumentParser(
        prog="script/client", description="Checks what apps get of this repository.", epilog=TEXT,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["docs", "api", "pages", "apple", "app", "tutorial"])
    parser.add_argument("--modules", help="where the built modules are (built to .build/debug/Modules without it)")
    parser.add_argument("--catalog", default=documentation.CATALOG, help="of docs: the articles")
    parser.add_argument("--output", default=os.path.join(ROOT, ".build/documentation"), help="of docs and tutorial: where to")
    parser.add_argument("--against", default=interface.FILE, help="of api: the file to compare with")
    parser.add_argument("--write", action="store_true", help="of api: writes the file")
    parser.add_argument("--page", action="append", default=[], help="of pages: only this file")
    parser.add_argument("--by", choices=["version", "path"], default="version", help="of app: how it depends")
    parser.add_argument("--platform", action="append", choices=apple.PLATFORMS, help="of apple: only this one")
    parser.add_argument("--instead", action="append", default=[], metavar="PATH=FILE",
                        help="of apple: FILE is read in the place of this file of the repository")
    parser.add_argument("--server", default="http://localhost:8080", help="of tutorial: the server that the app calls")
    options = parser.parse_args()
    try:
        if options.what == "app":
            app.build(options.by)
        elif options.what == "apple":
            apple.check(options.platform or list(apple.PLATFORMS), options.instead)
        elif options.what == "tutorial":
            tutorial.build(options.output, options.server)
        elif options.what == "pages":
            snippets.check(options.modules or modules(), options.page)
        elif options.what == "docs":
            documentation.build(options.modules or modules(), options.catalog, options.output)
        elif options.write:
            interface.write(options.modules or modules(), options.against)
        else:
            interface.compare(options.modules or modules(), options.against)
    except Failure as failure:
        sys.exit(f"client: {failure}")


def modules() -> str:
    """The folder of the modules, built now."""
    if subprocess.run(["script/build", "--target", "GatehouseClient"], cwd=ROOT, stdout=sys.stderr).returncode:
        raise Failure("the client does not build")
    return os.path.join(ROOT, ".build/debug/Modules")
