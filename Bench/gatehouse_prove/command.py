"""The command line of script/prove."""
from __future__ import annotations

import argparse
import asyncio
import os
import subprocess
import sys

from gatehouse_bench.machine import ROOT, run
from gatehouse_prove import (
    attacks, classes, client, dump, edit, failover, full, fuzz, handbook, idle, impact, keys, mutants, noisy, pages, races, restarts, restore, rounds, sanitize, screens, size, stops, storm, timing,
    upgrade, verify)
from gatehouse_prove.blows import BLOWS
from gatehouse_prove.failover import readers

TEXT = """
kill      kill -9 of the server, of all of PostgreSQL and of one backend, each --rounds times, in the middle of 2000 clients
          who sign up, reset passwords and exchange refresh tokens: everything acknowledged is there, nothing refused is,
          nothing is there by half or twice, refresh families are chains, the outbox loses nothing
faults    the same with PostgreSQL restarted, and with storms of pg_terminate_backend, each a fifth as often
edit      a policy file is tightened, widened and taken back under load
impact    a million people judged by a candidate policy, beside sign-ins
idle      10 000 idle connections, in clear and over TLS, and what each costs in memory
drain     --rounds rolling restarts under load, a new server beside the old one: no request fails
timing    sign-in, reset, verification and hidden sign-up of addresses that exist and that do not: two samples of 2000 each
keys      keys rotated every 30 s for 22 minutes under load, tokens verified by ten backends that keep the key set
stops     from "user disable", "revoke", "delete" and "tenant disable" to the last refresh, 20 times each
storm     more sign-ins than can be hashed, in 512 MB; passwords of 1 MB
noisy     one tenant at twenty times its quota beside another one
pages     the hosted pages in Chromium: first paint (300 ms), bytes and requests of each, and sign-in pages a second beside nginx with
          the same bytes in a file (--quick: five paints, one round)
screens   every hosted page in every language, light and dark, in forced colours, at 320 pixels and at 400 % zoom: axe finds nothing
verify    the programs of Examples/Verify, each on tokens that it must accept and on those that it must refuse, before and after
          a rotation of keys
races     guesses, refreshes, codes, sign-ups and a policy's change, at the same moment on two servers: exactly once
fuzz      every parser of bytes from outside under libFuzzer, each for --fuzz seconds
attacks   chains of attack from outside, each to what the attacker gets: all must be refused (--only NAME … plays some)
classes   what is proved of policies is attacked: ten million values drawn for the classes of rules, 2000 random policies, and
          --steps random steps on a server with DD Ride's policy, and with four broken ones, which the walk must find
mutants   each guard that is marked in Sources is taken away in a copy, and the tests that its row in Bench/gatehouse_prove/guards
          names must fail; with --check the rows are only laid out in memory, to see that each fits its marker
upgrade   a database that an older build wrote (--from REF, built in a worktree, or --binary PATH) is opened by the present one:
          tokens, passwords, codes, secrets, kept answers, counters and the audit log are as they were; with --controls a damaged
          column and a damaged row must be noticed
docs      the documentation of the Swift client builds without a warning, its Swift compiles, its public API is the one of api.txt
client    the Swift client: 10 000 random steps through bad weather end no session, 100 000 inputs are judged as the server
          judges them, the gates of the apps (first state 50 ms, change seen 200 ms, sign-in 2 s, sign-up 3 s), and an app that
          depends on this checkout by path builds without a warning and without a C library but libcurl
failover  three nodes of PostgreSQL under Patroni, etcd, HAProxy and two servers, from the files of deploy/: every fault under clients
          with a ledger; nothing acknowledged is lost, nothing refused is there, families are chains, honest sessions live, the
          key set is away for half a second at most (--quick: one of each kind; --controls: with the controls, which the full form
          always has; --only NAME … chooses; --factor N where others load the machine)
restore   deploy/gatehouse-backup dumps a PostgreSQL of one's own, quiet and under load, and the dump is restored; then
          pgBackRest backs a cluster up, encrypted, from a standby, and restores it to a point in time; no other key opens it
handbook  docs/cluster.md word by word, on four hosts that are namespaces of this machine; then a cable is pulled out
size      10,000 tenants, and five million people in one of them: what a server and its operators wait for
full      the disk under a database fills up: no answer of 500, nothing acknowledged is lost, service returns
sanitize  all tests under ThreadSanitizer and AddressSanitizer, after both have found the faults of Bench/Control
"""


def main() -> None:
    """Builds, proves, prints; fails when a proof does."""
    parser = argparse.ArgumentParser(
        prog="script/prove", description="Proves what takes long or counts time.", epilog=TEXT,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("proofs", nargs="*", metavar="PROOF", help="of edit, kill, faults (all three without any), and of those below")
    parser.add_argument("--rounds", type=int, default=50, help="rounds of each kill (default 50)")
    parser.add_argument("--program", help="another build of gatehouse than .build/release/gatehouse")
    parser.add_argument("--sanitize", nargs="*", metavar="WORD",
                        help="only the sanitizers; of the words, thread and address choose one, and others choose tests")
    parser.add_argument("--idle", action="store_true", help="only idle connections")
    parser.add_argument("--drain", action="store_true", help="only rolling restarts")
    parser.add_argument("--fuzz", type=int, nargs="?", const=60, metavar="SECONDS",
                        help="only the fuzzer, so long for each parser (default 60)")
    parser.add_argument("--mutants", nargs="*", metavar="WORD",
                        help="only the mutants; with words, those in whose name one stands")
    parser.add_argument("--check", action="store_true",
                        help="of the mutants, only that each marker has its row and each row its marker: nothing is built; of "
                             "failover, only what needs no cluster: ledger, judge, files of deploy/, alarms")
    parser.add_argument("--only", nargs="+", metavar="NAME", choices=[*attacks.CHAINS, *failover.NAMES],
                        help="of the attacks, only these: " + ", ".join(attacks.CHAINS) + "; of failover: " + ", ".join(failover.NAMES))
    parser.add_argument("--quick", action="store_true", help="of failover, one fault of each kind, in six minutes; of pages, fewer rounds")
    parser.add_argument("--factor", type=float, default=1, metavar="N", help="of failover, times may be N times as long (default 1)")
    parser.add_argument("--keep", action="store_true", help="of failover, restore and full, keeps the logs")
    parser.add_argument("--from", dest="older", metavar="REF", help="of the upgrade, the commit whose build writes")
    parser.add_argument("--binary", metavar="PATH", help="of the upgrade, that build where it exists already")
    parser.add_argument("--controls", action="store_true", help="of the upgrade and of failover, what must be noticed")
    parser.add_argument("--steps", type=int, default=100_000, help="of classes, the steps of the walk (default 100000)")
    options = parser.parse_args()
    if options.check:
        if options.proofs == ["failover"]:
            sys.exit(0 if readers.check() else 1)
        if options.mutants is None and options.proofs != ["mutants"]:
            parser.error("--check is of the mutants and of failover")
        mutants.check()
        return
    if options.mutants is not None:
        sys.exit(0 if mutants.prove(options.mutants) else 1)
    if options.sanitize is not None:
        sys.exit(0 if sanitize.prove(options.sanitize) else 1)
    alone = [name for name in ("idle", "drain", "fuzz") if getattr(options, name)]
    wanted = options.proofs or alone or (["attacks"] if options.only else ["edit", "kill", "faults"])
    if unknown := set(wanted) - {"edit", "kill", "faults", "sanitize", "idle", "impact", "drain", "fuzz", "mutants", "classes", "client", "docs", *BLOWS,
                                         "size", "timing", "keys", "stops", "storm", "noisy", "pages", "screens", "races", "upgrade", "verify", "attacks",
                                         "failover", "restore", "full", "handbook"}:
        parser.error(f"there is no proof {' '.join(sorted(unknown))}")
    if "upgrade" in wanted and not (options.older or options.binary):
        parser.error("upgrade needs --from or --binary")
    if options.factor < 1:
        parser.error("the factor is at least 1")
    if options.rounds < 1:
        parser.error("at least one round")
    good = True
    timed = {"classes": lambda program: classes.prove(program, options.steps), "size": size.prove, "timing": timing.prove, "keys": keys.prove, "stops": stops.prove, "storm": storm.prove, "noisy": noisy.prove,
             "pages": lambda program: pages.prove(program, options.quick), "races": races.prove, "verify": verify.prove, "attacks": lambda program: attacks.prove(program, options.only),
             "failover": lambda program: failover.prove(
                 program, options.quick, options.factor, options.only, options.controls, options.keep),
             "restore": lambda program: dump.prove(program) and restore.prove(program, options.keep),
             "handbook": lambda program: handbook.prove(program, options.factor),
             "full": lambda program: full.prove(program, options.keep),
             "upgrade": lambda program: upgrade.prove(program, options.older, options.binary, options.controls)}
    for proof in wanted:
        if proof == "sanitize":
            good = sanitize.prove([]) and good
            continue
        if proof == "screens":
            good = screens.prove() and good
            continue
        if proof == "docs":
            good = package(["docs"], ["pages"], ["api"]) and good
            continue
        if proof == "mutants":
            good = mutants.prove([]) and good
            continue
        if proof == "client":
            good = package(["app", "--by", "path"]) and client.prove() and good
            continue
        if proof == "fuzz":
            good = fuzz.prove(options.fuzz or 60) and good
            continue
        program = options.program or build()
        if proof in timed:
            good = timed[proof](program) and good
        elif proof == "edit":
            good = edit.prove(program) and good
        elif proof == "impact":
            good = impact.prove(program) and good
        elif proof == "idle":
            good = idle.prove(program) and good
        elif proof == "drain":
            good = restarts.prove(program, options.rounds) and good
        else:
            names = {"kill": ["server", "postgres", "backend"], "faults": ["restart", "storm"]}.get(proof, [proof])
            count = max(1, options.rounds // 5) if proof == "faults" else options.rounds
            tallies = asyncio.run(rounds.prove(program, [BLOWS[name] for name in names], count))
            for tally in tallies:
                tally.show()
            good = not any(tally.faults for tally in tallies) and good
    sys.exit(0 if good else 1)


def package(*calls: list[str]) -> bool:
    """What apps get, by script/client."""
    return all([subprocess.run(["script/client", *words], cwd=ROOT, check=False).returncode == 0 for words in calls])


def build() -> str:
    """The release build."""
    for words in (["script/bootstrap"], ["script/build", "-c", "release", "--product", "gatehouse"]):
        subprocess.run(words, cwd=ROOT, check=True, stdout=sys.stderr)
    return os.path.join(run(["swift", "build", "-c", "release", "--show-bin-path"], cwd=ROOT).strip(), "gatehouse")
