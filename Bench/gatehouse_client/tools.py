"""Swift's own tools."""
from __future__ import annotations

import json
import os
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MODULE = "GatehouseClient"


class Failure(Exception):
    """What is wrong, for the person at the terminal."""


def run(words: list[str], what: str, **more: object) -> str:
    """Both outputs of a program. Raises Failure where it fails."""
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, **more)
    if done.returncode:
        raise Failure(f"{what}:\n{done.stdout.strip()}")
    return done.stdout


def search(modules: str) -> list[str]:
    """Where a compiler finds the built modules, and that of libcurl, which the client imports on Linux."""
    map_ = os.path.join(os.path.dirname(os.path.abspath(modules)), "CCurl.build/module.modulemap")
    return ["-I", modules] + (["-Xcc", f"-fmodule-map-file={map_}"] if os.path.exists(map_) else [])


def graph(modules: str, folder: str) -> dict:
    """The symbol graph of the public API, which is written to this folder too."""
    os.makedirs(folder, exist_ok=True)
    triple = json.loads(run(["swiftc", "-print-target-info"], "swiftc"))["target"]["unversionedTriple"]
    run(["swift", "symbolgraph-extract", "-module-name", MODULE, *search(modules), "-target", triple,
         "-minimum-access-level", "public", "-skip-synthesized-members", "-output-dir", folder,
         "-module-cache-path", os.path.join(folder, "cache")], "the public API cannot be read")
    with open(os.path.join(folder, f"{MODULE}.symbols.json"), encoding="utf-8") as file:
        return json.load(file)
