"""Everything that parses bytes from outside, under libFuzzer and the address sanitizer."""
from __future__ import annotations

import glob
import os
import re
import shutil
import subprocess
import sys

from gatehouse_bench.machine import ROOT, run

SCRATCH = ".build-fuzz"
CORPUS = os.path.join(ROOT, "Tests/FuzzTests/Corpus")
SURROUNDINGS = {
    # A file for each crash is enough; the Swift runtime's own report takes minutes under the sanitizer.
    "SWIFT_BACKTRACE": "enable=no", "ASAN_OPTIONS": "detect_leaks=0",
}


def build() -> str:
    """The fuzzer's program: our code and what it calls of ours counts its edges; C libraries do not."""
    resources = re.search(r'"runtimeResourcePath": "([^"]+)"', run(["swiftc", "-print-target-info"]))
    if resources is None:
        sys.exit("prove: swiftc does not say where its resources are")
    library = os.path.join(resources[1], "clang/lib/linux", f"libclang_rt.fuzzer_no_main-{os.uname().machine}.a")
    if not os.path.exists(library):
        sys.exit(f"prove: the toolchain has no {library}")
    flags = ["-enable-testing", "-sanitize-coverage=edge,indirect-calls,trace-cmp,inline-8bit-counters,pc-table",
             "-use-ld=lld"]
    words = ["swift", "build", "-c", "release", "--product", "fuzz", "--sanitize", "address", "--scratch-path", SCRATCH]
    for flag in flags:
        words += ["-Xswiftc", flag]
    words += ["-Xlinker", library, "-Xlinker", "-lstdc++"]
    subprocess.run(words, cwd=ROOT, check=True, stdout=sys.stderr, env=os.environ | {"GATEHOUSE_FUZZ": "1"})
    return os.path.join(ROOT, SCRATCH, "release", "fuzz")


def prove(seconds: int) -> bool:
    """Each parser for so long."""
    program = build()
    targets = run([program], env=os.environ | SURROUNDINGS).split()
    return all([prove_one(program, target, seconds) for target in targets])


def prove_one(program: str, target: str, seconds: int) -> bool:
    """One parser, from its corpus on. What is new goes to a folder of its own, crashes to another."""
    place = os.path.join(ROOT, SCRATCH, "found", target)
    crashes = os.path.join(place, "crashes")
    shutil.rmtree(crashes, ignore_errors=True)
    for folder in (crashes, os.path.join(place, "corpus")):
        os.makedirs(folder, exist_ok=True)
    done = subprocess.run(
        [program, f"--target={target}", os.path.join(place, "corpus"), os.path.join(CORPUS, target),
         f"-max_total_time={seconds}", "-max_len=16384", "-timeout=5", "-rss_limit_mb=2048",
         f"-artifact_prefix={crashes}/", "-print_final_stats=1"],
        capture_output=True, text=True, errors="replace", check=False, env=os.environ | SURROUNDINGS)
    runs = re.search(r"stat::number_of_executed_units: (\d+)", done.stderr)
    edges = re.findall(r" cov: (\d+)", done.stderr)
    kept = glob.glob(os.path.join(crashes, "*"))
    print(f"fuzz      {target:13} {int(runs[1]) if runs else 0:>12,} runs in {seconds} s, "
          f"{edges[-1] if edges else '?':>6} edges, {len(kept)} crashes", flush=True)
    if done.returncode != 0:
        told = [line for line in done.stderr.splitlines() if "Fatal error" in line or "ERROR" in line]
        for line in told[:5] + kept:
            print(f"          {line}")
    return done.returncode == 0 and not kept
