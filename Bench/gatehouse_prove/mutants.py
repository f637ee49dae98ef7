"""Guards are taken away one at a time, and the tests that speak of them must fail.

All mutants stand in one build of a copy of the checkout: where a table of guards/ writes OFF, the copy asks which mutant this
run is. So there is one build, and one short run of tests for each guard.
"""
from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from typing import NamedTuple

from gatehouse_bench.machine import ROOT, run
from gatehouse_prove.guards import Guard, table

COPY = os.path.join(ROOT, ".build-mutants")
# Which mutant this run is: a file, for some tests start the built program with an environment of their own.
CHOICE = os.path.join(COPY, "mutant")
# Whoever waits for what a missing guard never does has noticed it, too.
PATIENCE = 120

SWITCH = """
@_silgen_name("fopen") private func mutantOpen(_: UnsafePointer<CChar>, _: UnsafePointer<CChar>) -> OpaquePointer?
@_silgen_name("fread") private func mutantRead(_: UnsafeMutableRawPointer, _: Int, _: Int, _: OpaquePointer) -> Int
private let mutantOfThisRun: String = {
  guard let file = mutantOpen("%s", "r") else { return "" }
  var bytes = [UInt8](repeating: 0, count: 200)
  let count = mutantRead(&bytes, 1, 200, file)
  return String(decoding: bytes[..<count], as: UTF8.self)
}()
private func isMutant(_ name: String) -> Bool { mutantOfThisRun == name }
""" % CHOICE


class Verdict(NamedTuple):
    """What a run of some tests came to."""
    tests: int
    failed: list[str]
    ended: str

    @property
    def is_green(self) -> bool:
        return self.ended == "passed" and not self.failed


def prove(wanted: list[str]) -> bool:
    """All guards, or those in whose name one of the words stands."""
    guards = [guard for guard in table() if not wanted or any(word in guard.name for word in wanted)]
    if not guards:
        sys.exit("prove: no guard has such a name")
    sources = mutate(table())
    lay_out(sources)
    print(f"mutants   {len(guards)} guards; building them in one", file=sys.stderr, flush=True)
    # What bootstrap fetches lies in the checkout that it is fetched for.
    for words in (["script/bootstrap", "--tests"], ["script/build", "--build-tests"]):
        subprocess.run(words, cwd=COPY, check=True, stdout=sys.stderr)
    bundle = os.path.join(run(["swift", "build", "--show-bin-path"], cwd=COPY).strip(), "GatehousePackageTests.xctest")
    # A test that fails anyway shows nothing: all must be green with every guard in its place.
    control = watch(bundle, sorted({guard.tests for guard in guards}), "")
    if not control.is_green:
        print(f"mutants   with every guard in its place the tests have {control.ended}: {control.failed[:5]}", flush=True)
        return False
    holes = 0
    for guard in guards:
        verdict = watch(bundle, [guard.tests], guard.name)
        word = "GREEN" if verdict.is_green and verdict.tests > 0 else "void" if verdict.tests == 0 and verdict.is_green else "red"
        holes += word != "red"
        seen = verdict.failed[0] if verdict.failed else f"{verdict.tests} tests have {verdict.ended}"
        print(f"mutants   {word:5} {guard.name:52} {guard.tests:40} {seen}", flush=True)
    print(f"mutants   {len(guards) - holes} of {len(guards)} guards are missed when they are gone", flush=True)
    return holes == 0


def mutate(guards: list[Guard]) -> dict[str, str]:
    """The files with all mutants in them. Fails for a text that is not there, is there twice, or is in another mutant."""
    cuts: dict[str, list[tuple[int, int, str]]] = {}
    names: set[str] = set()
    problems = []
    for guard in guards:
        if guard.name in names:
            problems.append(f"{guard.name} is there twice")
        names.add(guard.name)
        path = os.path.join("Sources", guard.file)
        with open(os.path.join(ROOT, path), encoding="utf-8") as file:
            text = file.read()
        for find, put in guard.edits:
            if text.count(find) != 1:
                problems.append(f"{guard.name}: {text.count(find)} times in {path}: {find!r}")
                continue
            if not re.search(r"\bOFF\b", put):
                problems.append(f"{guard.name}: what is put there does not ask whether the guard is off: {put!r}")
            start = text.index(find)
            put = re.sub(r"\bOFF\b", f'isMutant("{guard.name}")', put)
            cuts.setdefault(path, []).append((start, start + len(find), put))
    result = {}
    for path, places in cuts.items():
        with open(os.path.join(ROOT, path), encoding="utf-8") as file:
            text = file.read()
        places.sort(reverse=True)
        for (start, _, put), (_, end, _) in zip(places, places[1:] + [(0, 0, "")]):
            if start < end:
                problems.append(f"{path}: two mutants touch the same text: {put!r}")
        for start, end, put in places:
            text = text[:start] + put + text[end:]
        result[path] = text + SWITCH
    if problems:
        sys.exit("prove: the table of guards does not fit the sources any more:\n  " + "\n  ".join(problems))
    return result


def lay_out(sources: dict[str, str]) -> None:
    """Makes the copy, or brings it up to date; a file that stays the same keeps its time, so that little is built anew."""
    listed = run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT).splitlines()
    wanted = {path for path in listed if os.path.isfile(os.path.join(ROOT, path))}
    os.makedirs(COPY, exist_ok=True)
    for folder, folders, files in os.walk(COPY):
        folders[:] = [name for name in folders if not (folder == COPY and name == ".build")]
        for name in files:
            path = os.path.relpath(os.path.join(folder, name), COPY)
            if path not in wanted:
                os.remove(os.path.join(COPY, path))
    for path in sorted(wanted):
        source, target = os.path.join(ROOT, path), os.path.join(COPY, path)
        with open(source, "rb") as file:
            new = sources[path].encode() if path in sources else file.read()
        old = None
        if os.path.exists(target):
            with open(target, "rb") as file:
                old = file.read()
        if new != old:
            os.makedirs(os.path.dirname(target), exist_ok=True)
            with open(target, "wb") as file:
                file.write(new)
            shutil.copymode(source, target)


def watch(bundle: str, tests: list[str], mutant: str) -> Verdict:
    """One run of these tests as this mutant; as none, for an empty name."""
    with open(CHOICE, "w", encoding="utf-8") as file:
        file.write(mutant)
    words = [bundle, "--no-parallel", "--testing-library", "swift-testing"]
    for name in tests:
        words += ["--filter", name]
    # A crash is one of the ways to notice; its report would take minutes.
    surroundings = os.environ | {"SWIFT_BACKTRACE": "enable=no", "NO_COLOR": "1"}
    with subprocess.Popen(words, cwd=COPY, env=surroundings, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          start_new_session=True, text=True, errors="replace") as process:
        try:
            output, _ = process.communicate(timeout=PATIENCE if mutant else None)
            ended = "passed" if process.returncode == 0 else "failed" if process.returncode == 1 else "crashed"
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9)
            output, _ = process.communicate()
            ended = "hung"
    output = re.sub(r"\x1b\[[0-9;]*m", "", output)
    count = re.search(r"Test run with (\d+) test", output)
    failed = re.findall(r'✘ Test (?!run with)"?(.+?)"? (?:with \d+ test cases? )?failed after', output)
    return Verdict(int(count[1]) if count else 0, failed, ended)
