"""An app that depends on this package as apps do: it gets no C library but libcurl on Linux, and no warning."""
from __future__ import annotations

import os
import pathlib
import shutil
import sys
import tempfile

from gatehouse_client.tools import MODULE, ROOT, Failure, run

# All that may be compiled for an app.
OURS = {"GatehousePolicy", "GatehouseWire", MODULE} | ({"CCurl"} if sys.platform == "linux" else set())

# An app may be called as a tenant and its example are.
NAME = "vibes"

MANIFEST = """\
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "%(name)s", platforms: [.macOS(.v13), .iOS(.v16)], dependencies: [%(dependency)s],
  targets: [
    .executableTarget(
      name: "%(name)s", dependencies: [.product(name: "%(module)s", package: "%(package)s")],
      swiftSettings: [.swiftLanguageMode(.v6)])
  ])
"""

PROGRAM = """\
import Foundation
import GatehouseClient

let client = AuthClient(AuthConfiguration(
  server: URL(fileURLWithPath: "/"), tenant: "vibes", store: MemoryStore()))
print(await client.restored())
"""


def build(how: str) -> None:
    """Builds and runs it. Raises Failure where it got more than the client."""
    with tempfile.TemporaryDirectory(prefix="gatehouse-app-") as folder:
        manifest = MANIFEST % {"name": NAME, "module": MODULE, **(by_version(folder) if how == "version" else by_path())}
        app = pathlib.Path(folder, "app")
        (app / "Sources" / NAME).mkdir(parents=True)
        (app / "Package.swift").write_text(manifest, encoding="utf-8")
        (app / "Sources" / NAME / "main.swift").write_text(PROGRAM, encoding="utf-8")
        said = run(["swift", "build", "--package-path", str(app)], "the app does not build", env=environment())
        judge(app, said)
        state = run([str(app / ".build/debug" / NAME)], "the app does not run").strip()
        if state != "signedOut(GatehouseClient.SignedOutReason.never)":
            raise Failure(f"the app says {state}")
    print(f"client: an app that depends by {how} builds without a warning and without a C library but libcurl on Linux")


def judge(app: pathlib.Path, said: str) -> None:
    """Raises Failure for a warning, and for anything that was compiled besides the client."""
    if "warning:" in said:
        raise Failure(f"an app sees a warning:\n{said}")
    objects = pathlib.Path(app, ".build/debug").resolve().rglob("*.o")
    built = {part.removesuffix(".build") for path in objects for part in path.parts if part.endswith(".build") and part != ".build"}
    if built != OURS | {NAME}:
        raise Failure(f"an app builds {', '.join(sorted(built))}")


def by_version(folder: str) -> dict[str, str]:
    """On a repository of what is in this checkout now, with a tag."""
    clone = os.path.join(folder, "gatehouse")
    shutil.copytree(ROOT, clone, ignore=shutil.ignore_patterns(".build*", ".git", "__pycache__"))
    for words in (["init", "--quiet"], ["add", "--all"], ["commit", "--quiet", "--message", "all"], ["tag", "1.0.0"]):
        run(["git", "-c", "user.name=test", "-c", "user.email=test@example.com", "-c", "commit.gpgsign=false", *words],
            "git", cwd=clone)
    return {"dependency": f'.package(url: "file://{clone}", exact: "1.0.0")', "package": "gatehouse"}


def by_path() -> dict[str, str]:
    """On this checkout."""
    return {"dependency": f'.package(path: "{ROOT}")', "package": os.path.basename(ROOT).lower()}


def environment() -> dict[str, str]:
    """That of an app's developer: warnings are no errors there, and have to be seen."""
    return {name: value for name, value in os.environ.items() if not name.startswith("GATEHOUSE_")}
