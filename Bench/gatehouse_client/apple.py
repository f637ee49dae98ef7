"""Apple's part of the client, type-checked on Linux: for an iPhone's and a Mac's target, against stand-ins for Apple's
frameworks that declare what the client uses, each declaration with the versions that have it."""
from __future__ import annotations

import concurrent.futures
import dataclasses
import fcntl
import hashlib
import json
import os
import pathlib
import platform
import re
import shutil
import sys

from gatehouse_client import snippets
from gatehouse_client.tools import ROOT, Failure, run

STAND_INS = pathlib.Path(ROOT, "Tests/AppleStandIns")
CACHE = pathlib.Path(ROOT, ".build/apple-types")


@dataclasses.dataclass(frozen=True)
class Platform:
    """A system of Apple's in its oldest version that apps of the client run on."""

    name: str
    triple: str
    # The name of its folder beside the standard library's modules, and of its files in them.
    folder: str
    file: str
    frameworks: tuple[str, ...]


# The processor of this machine, as Apple calls it: the toolchain's interfaces are written for it.
ARCH = {"aarch64": "arm64"}.get(platform.machine(), platform.machine())
COMMON = ("Dispatch", "Darwin", "Foundation", "Combine", "CoreGraphics", "CoreImage", "Security", "LocalAuthentication")
PLATFORMS = {
    "ios": Platform("ios", f"{ARCH}-apple-ios16.0-simulator", "iphonesimulator", f"{ARCH}-apple-ios-simulator",
                    (*COMMON, "UIKit", "AuthenticationServices", "SwiftUI")),
    "macos": Platform("macos", f"{ARCH}-apple-macosx13.0", "macosx", f"{ARCH}-apple-macos",
                      (*COMMON, "AppKit", "AuthenticationServices", "SwiftUI")),
}

# Modules of the toolchain whose interface is text, so that it can be read for another system.
LIBRARY = ("Swift", "SwiftOnoneSupport", "_Concurrency", "_StringProcessing", "_RegexParser", "Observation")
HEADER = "// swift-interface-format-version: 1.0\n// swift-module-flags: -target {triple} -enable-library-evolution -swift-version 5 -module-name {name}\nimport Swift\nimport _Concurrency\n"

# Each module of ours that apps get, with its folder and those that it imports: as the manifests have them.
MODULES = {
    "GatehousePolicy": ("Sources/GatehousePolicy", ()),
    "GatehouseWire": ("Sources/GatehouseWire", ("GatehousePolicy",)),
    "GatehouseClient": ("Sources/GatehouseClient", ("GatehouseWire", "GatehousePolicy")),
    "GatehouseClientTesting": ("Sources/GatehouseClientTesting", ("GatehouseClient", "GatehouseWire", "GatehousePolicy")),
    "GatehouseUI": ("Sources/GatehouseUI", ("GatehouseClient", "GatehousePolicy")),
    "Screens": ("Examples/Screens/Sources", ("GatehouseClient", "GatehouseUI")),
}
FEATURES = ("InternalImportsByDefault", "ExistentialAny", "MemberImportVisibility", "NonisolatedNonsendingByDefault")


def check(platforms: list[str], instead: list[str]) -> None:
    """Type-checks every module for these platforms, side by side. `instead` names files that are read in the place of others
    (`Sources/A/B.swift=FILE`): then only their modules are checked again. Raises Failure with the compiler's words."""
    if sys.platform != "linux":
        raise Failure("on a Mac, script/apple-check builds this")
    other = {str(pathlib.Path(ROOT, path)): file for path, _, file in (words.partition("=") for words in instead)}
    with concurrent.futures.ThreadPoolExecutor() as threads:
        for said in threads.map(lambda name: check_one(PLATFORMS[name], other), platforms):
            print(said)


def check_one(system: Platform, other: dict[str, str]) -> str:
    """The same for one platform."""
    with Space(system) as space:
        space.prepare()
        for name, (folder, imports) in MODULES.items():
            files = sorted(map(str, pathlib.Path(ROOT, folder).rglob("*.swift")))
            space.module(name, files, imports)
            if other.keys() & set(files):
                space.judge(name, [other.get(file, file) for file in files])
        for page in snippets.pages():
            if text := snippets.for_apple(page):
                file = space.folder / os.path.basename(page).replace("-", "_").replace(".md", ".swift")
                write(file, text)
                space.judge("Page", [str(file)], f"Swift on {os.path.relpath(page, ROOT)}", features=())
    return f"client: everything type-checks for {system.triple}"


class Space:
    """The folder of one platform: the standard library's modules and the stand-ins for it, and ours on top. It is kept,
    and only what changed is made anew. One process at a time."""

    def __init__(self, system: Platform) -> None:
        self.platform = system
        self.folder = CACHE / system.name
        self.resources = self.folder / "resources"
        self.frameworks = self.folder / "frameworks"
        self.modules = self.folder / "modules"
        self.stamps: dict[str, str] = {}

    def __enter__(self) -> Space:
        self.modules.mkdir(parents=True, exist_ok=True)
        (self.folder / "sdk").mkdir(exist_ok=True)
        self.lock = open(self.folder / "lock", "w", encoding="utf-8")
        fcntl.flock(self.lock, fcntl.LOCK_EX)
        return self

    def __exit__(self, *_: object) -> None:
        self.lock.close()

    def prepare(self) -> None:
        """The interfaces, written where the compiler looks for those of this platform."""
        toolchain = pathlib.Path(json.loads(run(["swiftc", "-print-target-info"], "swiftc"))["paths"]["runtimeResourcePath"])
        self.resources.mkdir(exist_ok=True)
        for name in ("clang", "apinotes", "shims"):
            link = self.resources / name
            if not link.is_symlink() or link.readlink() != toolchain / name:
                link.unlink(missing_ok=True)
                link.symlink_to(toolchain / name)
        library = {name: self.library(toolchain, name) for name in LIBRARY}
        header = HEADER.replace("{triple}", self.platform.triple)
        stand_ins = {name: header.replace("{name}", name) + (STAND_INS / f"{name}.swiftinterface").read_text(encoding="utf-8")
                     for name in self.platform.frameworks}
        # The compiler looks at the time of a stand-in, but not at that of a module in its resources: these have a cache
        # of their own.
        for folder, texts in ((self.resources / self.platform.folder, library), (self.frameworks, stand_ins)):
            for name, text in texts.items():
                write(folder / f"{name}.swiftmodule" / f"{self.platform.file}.swiftinterface", text)
        self.stamps["stand-ins"] = digest(json.dumps([library, stand_ins]))
        self.cache = self.folder / f"cache-{digest(json.dumps(library))[:16]}"
        for old in self.folder.glob("cache-*"):
            if old != self.cache:
                shutil.rmtree(old)

    def library(self, toolchain: pathlib.Path, name: str) -> str:
        """The interface of a module of the standard library, for this platform: declarations alone, without its
        platform's C library."""
        [file] = (file for file in (toolchain / "linux" / f"{name}.swiftmodule").glob("*.swiftinterface") if ".private." not in file.name)
        lines = []
        for line in file.read_text(encoding="utf-8").splitlines(keepends=True):
            if line.startswith("// swift-module-flags:"):
                more = "-disable-availability-checking -experimental-skip-all-function-bodies"
                line = re.sub(r"-target \S+", f"-target {self.platform.triple} {more}", line).replace(" -O ", " -Onone ")
            elif line.strip().startswith("@backDeployed(") or line.strip() in ("import Glibc", "import Musl"):
                continue
            lines.append(line)
        return "".join(lines)

    def module(self, name: str, files: list[str], imports: tuple[str, ...]) -> None:
        """Type-checks a module of ours, and keeps it for those that import it."""
        words = self.words(name, files)
        content = [pathlib.Path(file).read_text(encoding="utf-8") for file in files]
        self.stamps[name] = digest(json.dumps([words, content, self.stamps["stand-ins"], *(self.stamps[one] for one in imports)]))
        made, stamp = self.modules / f"{name}.swiftmodule", self.modules / f"{name}.stamp"
        if made.exists() and stamp.exists() and stamp.read_text(encoding="utf-8") == self.stamps[name]:
            return
        stamp.unlink(missing_ok=True)
        run([*words, "-emit-module", "-o", str(made)], f"{name} does not type-check for {self.platform.triple}")
        stamp.write_text(self.stamps[name], encoding="utf-8")

    def judge(self, name: str, files: list[str], what: str = "", features: tuple[str, ...] = FEATURES) -> None:
        """Type-checks a module, and keeps nothing."""
        run([*self.words(name, files, features), "-emit-module", "-o", os.devnull], f"{what or name} does not type-check for {self.platform.triple}")

    def words(self, name: str, files: list[str], features: tuple[str, ...] = FEATURES) -> list[str]:
        """The compiler's words for a module."""
        return [
            "swiftc", "-frontend", "-target", self.platform.triple, "-sdk", str(self.folder / "sdk"), "-resource-dir", str(self.resources),
            "-module-cache-path", str(self.cache), "-I", str(self.frameworks), "-I", str(self.modules), "-module-name", name, "-package-name", "gatehouse",
            "-parse-as-library", "-swift-version", "6", "-disable-objc-interop", "-warnings-as-errors",
            *(word for feature in features for word in ("-enable-upcoming-feature", feature)), *files,
        ]


def write(path: pathlib.Path, text: str) -> None:
    """Writes a file, unless it says the same: its time is that of the change."""
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def digest(text: str) -> str:
    """A name for a content."""
    return hashlib.sha256(text.encode()).hexdigest()
