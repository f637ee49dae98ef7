"""The public API as one line for each symbol, so that a review sees what a change does to apps."""
from __future__ import annotations

import collections
import difflib
import os
import tempfile

from gatehouse_client.tools import MODULE, ROOT, Failure, graph

# Every type conforms to these, or they follow from others.
IMPLIED = {"Copyable", "Escapable", "SendableMetatype", "ExpressibleByExtendedGraphemeClusterLiteral", "ExpressibleByUnicodeScalarLiteral"}

FILE = os.path.join(ROOT, "Sources", MODULE, "api.txt")


def lines(modules: str) -> list[str]:
    """Each public symbol of Linux with its declaration, and each protocol that a type conforms to, in order."""
    with tempfile.TemporaryDirectory(prefix="gatehouse-api-") as folder:
        found = graph(modules, folder)
    names = {symbol["identifier"]["precise"]: ".".join(symbol["pathComponents"]) for symbol in found["symbols"]}
    protocols = collections.defaultdict(set)
    for relation in found["relationships"]:
        if relation["kind"] == "conformsTo" and relation["source"] in names:
            protocol = names.get(relation["target"], relation.get("targetFallback", "")).split(".")[-1]
            protocols[names[relation["source"]]].add(protocol)
    conformances = {f"{type_} conforms to {', '.join(sorted(all_of_it - IMPLIED))}" for type_, all_of_it in protocols.items()}
    return sorted({f"{name(symbol)}: {declaration(symbol)}" for symbol in found["symbols"]} | conformances)


def name(symbol: dict) -> str:
    """With the names of the types around it."""
    return ".".join(symbol["pathComponents"])


def declaration(symbol: dict) -> str:
    """As it is written, in one line."""
    return " ".join("".join(part["spelling"] for part in symbol["declarationFragments"]).split())


def write(modules: str, path: str) -> None:
    """Brings the file up to date."""
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(line + "\n" for line in lines(modules))


def compare(modules: str, path: str) -> None:
    """Raises Failure where file and API are not the same."""
    with open(path, encoding="utf-8") as file:
        known = file.read().splitlines()
    if found := [line for line in difflib.unified_diff(known, lines(modules), "api.txt", "the API now", lineterm="", n=0)
                 if not line.startswith("@@")]:
        raise Failure("the public API changed; `script/client api --write` notes it\n" + "\n".join(found))
