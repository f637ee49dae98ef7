"""The command line of script/bench."""
from __future__ import annotations

import argparse
import dataclasses
import os
import subprocess
import sys

from gatehouse_bench import beside, costs, documents, passwords, process, rounds, tokens
from gatehouse_bench.machine import ROOT, run
from gatehouse_bench.setting import Setting

# Which figures come from one theme: they share its server.
THEMES = [
    ({"P1", "P2"}, passwords.sign_ins),
    ({"P3"}, tokens.rotations),
    ({"P4"}, tokens.records),
    ({"P5"}, documents.documents),
    ({"P7"}, passwords.storm),
    ({"P8"}, process.starts),
    ({"P11"}, process.idle),
    ({"P12"}, costs.costs),
]
ALL = sorted(set().union(*(marks for marks, _ in THEMES)), key=lambda mark: int(mark[1:]))


def main() -> None:
    """Builds, measures, prints."""
    parser = argparse.ArgumentParser(
        prog="script/bench", description="Measures the release build as ratios to limits taken in the same run.")
    parser.add_argument("figures", nargs="*", metavar="FIGURE", help="of " + " ".join(ALL) + "; all without any")
    parser.add_argument("--json", action="store_true", help="print everything as JSON instead of the table")
    parser.add_argument("--rounds", type=int, default=3, help="rounds of each figure (default 3)")
    parser.add_argument("--seconds", type=int, default=4, help="seconds of each measurement (default 4)")
    parser.add_argument("--beside", metavar="PROGRAM", help="another release build: both are measured in turns and compared")
    parser.add_argument("--set", metavar="KEY=VALUE", action="append", default=[],
                        help="a setting of the servers, as in config/gatehouse.yaml (tuning.loop_priority=off); may be repeated")
    options = parser.parse_args()
    wanted = set(options.figures or ALL)
    if unknown := wanted - set(ALL):
        parser.error(f"there is no figure {' '.join(sorted(unknown))}; there are {' '.join(ALL)}")
    if not (1 <= options.rounds <= 100 and 1 <= options.seconds <= 600):
        parser.error("rounds are 1 to 100, seconds 1 to 600")
    if any("=" not in word for word in options.set):
        parser.error("a setting is KEY=VALUE")
    results: list[rounds.Result] = []
    missing: set[str] = set()
    setting = dataclasses.replace(build(options.rounds, options.seconds), variables=variables(options.set))
    if options.beside:
        pairs = beside.measure(setting, options.beside, [(wanted & marks, theme) for marks, theme in THEMES if wanted & marks])
        return beside.show(pairs)
    for marks, theme in THEMES:
        if chosen := wanted & marks:
            print(f"bench: measuring {' '.join(sorted(chosen))}", file=sys.stderr, flush=True)
            try:
                results += theme(setting, chosen)
            except (SystemExit, Exception) as failure:
                # The other figures are worth having all the same.
                print(f"bench: {' '.join(sorted(chosen))} not measured: {failure}", file=sys.stderr, flush=True)
                missing |= chosen
    if options.json:
        print(rounds.document(results, sys.argv[1:]))
    else:
        rounds.show(results)
    sys.exit(1 if missing else 0)


def variables(words: list[str]) -> dict[str, str]:
    """Settings as variables of the environment."""
    pairs = (word.split("=", 1) for word in words)
    return {"GATEHOUSE_" + key.replace(".", "_").upper(): value for key, value in pairs}


def build(count: int, seconds: float) -> Setting:
    """The release build, and what else is needed."""
    for words in (
        ["script/bootstrap", "--bench"],
        ["script/build", "-c", "release", "--product", "gatehouse"],
        ["script/build", "-c", "release", "--product", "gatehouse-bench"],
    ):
        subprocess.run(words, cwd=ROOT, check=True, stdout=sys.stderr)
    folder = run(["swift", "build", "-c", "release", "--show-bin-path"], cwd=ROOT).strip()
    return Setting(os.path.join(folder, "gatehouse"), os.path.join(folder, "gatehouse-bench"), count, seconds)
