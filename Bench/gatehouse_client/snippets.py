"""The Swift of pages that developers copy from: type-checked against the built client where this system can."""
from __future__ import annotations

import concurrent.futures
import glob
import os
import re
import tempfile

from gatehouse_client.tools import MODULE, ROOT, Failure, run, search

# Only Apple's systems have these: their code is parsed here, and type-checked by `script/client apple`.
APPLE = re.compile(r"^(public )?import (SwiftUI|UIKit|AppKit|AuthenticationServices|GatehouseUI|PackageDescription)$", re.MULTILINE)
MANIFEST = "import PackageDescription"
BLOCK = re.compile(r"^```swift\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def pages() -> list[str]:
    """Every page with Swift in it."""
    catalog = sorted(glob.glob(os.path.join(ROOT, "Sources", MODULE, "Documentation.docc", "*.md")))
    return [*catalog, os.path.join(ROOT, "docs/attest.md"), os.path.join(ROOT, "docs/tutorial-ios.md"), os.path.join(ROOT, "Examples/Screens/README.md")]


def blocks(page: str) -> list[str]:
    """Its blocks of Swift. Their lines keep their numbers."""
    with open(page, encoding="utf-8") as file:
        text = file.read()
    return ["\n" * text.count("\n", 0, found.start(1)) + found.group(1) for found in BLOCK.finditer(text)]


def check(modules: str, only: list[str]) -> None:
    """Raises Failure for a page whose Swift does not compile, with the page's line. The blocks of a page follow one another as in one file."""
    chosen = only or pages()
    with tempfile.TemporaryDirectory(prefix="gatehouse-pages-") as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
        tasks = [pool.submit(check_page, page, modules, folder) for page in chosen]
        counts = [task.result() for task in tasks]
    print(f"client: {sum(counts)} blocks of Swift on {len(chosen)} pages compile")


def check_page(page: str, modules: str, folder: str) -> int:
    """Checks one page; the number of its blocks."""
    found = blocks(page)
    name = os.path.join(folder, os.path.basename(page).replace(".md", "").replace("-", "_"))
    lines: list[str] = []
    for block in found:
        if APPLE.search(block):
            write(f"{name}_apple.swift", block)
            run(["swiftc", "-frontend", "-parse", f"{name}_apple.swift"], f"{page} has Swift that is none")
        else:
            lines += block.split("\n")[len(lines):]
    if lines:
        write(f"{name}.swift", "\n".join(lines))
        said = run(["swiftc", "-typecheck", "-swift-version", "6", "-module-name", "Page", *search(modules), "-module-cache-path",
                    os.path.join(folder, "cache"), f"{name}.swift"], f"{page} has Swift that does not compile")
        if "warning:" in said:
            raise Failure(f"{page} has Swift with a warning:\n{said}")
    return len(found)


def for_apple(page: str) -> str:
    """All Swift of a page that needs Apple's frameworks, but its manifests; empty where it needs none."""
    found = [block for block in blocks(page) if MANIFEST not in block]
    if not any(APPLE.search(block) for block in found):
        return ""
    lines: list[str] = []
    for block in found:
        lines += block.split("\n")[len(lines):]
    return "\n".join(lines)


def write(path: str, text: str) -> None:
    """Writes a file."""
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
