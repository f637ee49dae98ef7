"""The package of docs/tutorial-ios.md, as the page has it."""
from __future__ import annotations

import os
import pathlib

from gatehouse_client.app import environment
from gatehouse_client.snippets import APPLE, blocks
from gatehouse_client.tools import ROOT, Failure, run

PAGE = os.path.join(ROOT, "docs/tutorial-ios.md")

# The page ends in screens, which Linux does not have. This says at a terminal what they say.
PROGRAM = """\
let words = CommandLine.arguments.dropFirst().map { $0 }
switch words.first {
case "sign-up":
  for sentence in await signUp(email: words[1], password: words[2], name: words[3], phone: words[4]) ?? ["nil"] {
    print(sentence)
  }
case "verify": print(try await verify(code: words[1]))
default: print(title(of: await Account.client.restored()))
}
"""


def build(folder: str, server: str) -> None:
    """Builds the package in this folder, beside a checkout that is called as on the page. The app calls this server."""
    os.symlink(ROOT, os.path.join(folder, "gatehouse"))
    sources = pathlib.Path(folder, "Rides", "Sources", "Rides")
    sources.mkdir(parents=True)
    manifests = [block for block in blocks(PAGE) if "import PackageDescription" in block]
    if len(manifests) != 1:
        raise Failure(f"{PAGE} has {len(manifests)} manifests")
    # SwiftPM reads the version of its tools in the first line.
    pathlib.Path(folder, "Rides", "Package.swift").write_text(manifests[0].lstrip("\n"), encoding="utf-8")
    code = "\n".join(block.lstrip("\n") for block in blocks(PAGE) if not APPLE.search(block))
    (sources / "Rides.swift").write_text(code.replace("http://localhost:8080", server), encoding="utf-8")
    (sources / "main.swift").write_text(PROGRAM, encoding="utf-8")
    said = run(["swift", "build", "--package-path", os.path.join(folder, "Rides")], "the tutorial's app does not build",
               env=environment())
    if "warning:" in said:
        raise Failure(f"the tutorial's app has a warning:\n{said}")
    print(f"client: the app of {os.path.relpath(PAGE, ROOT)} builds without a warning")
