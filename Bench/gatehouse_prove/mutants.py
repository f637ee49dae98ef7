"""Guards are taken away one at a time, and the tests that speak of them must fail.

A guard is marked in the sources, by its name alone (markers.py). A table of guards/ says for each name which tests must notice,
and by which operator (operators.py) the marked piece is taken away. All mutants stand in one build of a copy of the checkout: at
each guard the copy asks which mutant this run is. So there is one build, and one short run of tests for each guard.
"""
from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from typing import Iterable, Iterator, NamedTuple

from gatehouse_bench.machine import ROOT, run
from gatehouse_prove.guards import Guard, table
from gatehouse_prove.markers import Marker, Misfit, malformed, markers
from gatehouse_prove.operators import Cut

COPY = os.path.join(ROOT, ".build-mutants")
# Which mutant this run is: a file, for some tests start the built program with an environment of their own.
CHOICE = os.path.join(COPY, "mutant")
# A test that waits for what a missing guard never does has noticed it, too.
PATIENCE = 120

# What stands for the question whether a mutant is this run's.
OFF = re.compile(r"\bOFF\b")

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


def check() -> None:
    """Lays all mutants out in memory."""
    files = mutate(table())
    print(f"mutants   {len(table())} guards in {len(files)} files: marked once, in one row, of a shape that the operator knows")


def prove(wanted: list[str]) -> bool:
    """All guards, or those in whose name one of the words stands."""
    guards = [guard for guard in table() if not wanted or any(word in guard.name for word in wanted)]
    if not guards:
        sys.exit("prove: no guard has such a name")
    lay_out(mutate(table()))
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


def mutate(guards: list[Guard], root: str = ROOT) -> dict[str, str]:
    """The files with all mutants in them. Fails where markers and rows do not fit each other, or an operator its piece."""
    sources = {path: text for path, text in swift(root)}
    marked = [marker for path, text in sources.items() for marker in markers(text, path)]
    problems = [f"{place}: {name}: {what} twice" for what, places in (("marked", marked), ("in the tables", guards))
                for name, place in twice(places)]
    problems += [f"{path}:{text.count(chr(10), 0, place) + 1}: a marker of no known form"
                 for path, text in sources.items() for place in malformed(text)]
    rows = {guard.name: guard for guard in guards}
    problems += [f"{marker.place}: {marker.name}: no row" for marker in marked if marker.name not in rows]
    names = {marker.name for marker in marked}
    problems += [f"{guard.place}: {guard.name}: no marker" for guard in guards if guard.name not in names]
    cuts: dict[str, dict[int, Cut]] = {}
    for marker in marked:
        if not (row := rows.get(marker.name)):
            continue
        try:
            cut = row.operator(marker)
        except (Misfit, IndexError, ValueError) as problem:
            problems.append(f"{marker.place}: {marker.name}: {problem}")
            continue
        off = f'isMutant("{marker.name}")'
        cut = cut._replace(before=OFF.sub(off, cut.before), behind=OFF.sub(off, cut.behind))
        if cut.start in cuts.setdefault(marker.path, {}):
            problems.append(f"{marker.place}: {marker.name}: another mutant begins at the same piece")
        cuts[marker.path][cut.start] = cut
    if problems:
        sys.exit("prove: guards do not fit their tables:\n  " + "\n  ".join(sorted(problems)))
    return {path: put(sources[path], list(pieces.values())) + SWITCH for path, pieces in cuts.items()}


def swift(root: str) -> Iterator[tuple[str, str]]:
    """The Swift files below Sources that have markers, by their paths."""
    for folder, _, files in os.walk(os.path.join(root, "Sources")):
        for name in sorted(files):
            path = os.path.join(folder, name)
            if name.endswith(".swift"):
                with open(path, encoding="utf-8") as file:
                    text = file.read()
                if "GUARD:" in text:
                    yield os.path.relpath(path, root), text


def twice(rows: Iterable[Guard | Marker]) -> Iterator[tuple[str, str]]:
    """Name and place of whatever has a name that was there before."""
    names: set[str] = set()
    for row in rows:
        if row.name in names:
            yield row.name, row.place
        names.add(row.name)


def put(text: str, cuts: list[Cut]) -> str:
    """A text with all cuts in it. Of two that end together the one that begins later ends first."""
    places = [(cut.end, 0, -cut.start, cut.behind) for cut in cuts] + [(cut.start, 1, cut.start, cut.before) for cut in cuts]
    parts, last = [], 0
    for place, _, _, words in sorted(places):
        parts += [text[last:place], words]
        last = place
    return "".join(parts) + text[last:]


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
