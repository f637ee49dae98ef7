"""What the cluster is made of: programs of Debian, and Patroni with its whole closure, pinned by hash."""
from __future__ import annotations

import glob
import os
import pwd
import re
import shutil
import subprocess
import sys

from gatehouse_bench.machine import ROOT, run
from gatehouse_bench.server import postgres_programs
from gatehouse_prove.failover.nodes import is_root

HERE = os.path.dirname(os.path.abspath(__file__))
# Patroni before 4.0 renews a lock that it no longer owns: a frozen primary that wakes up takes it back.
OLDEST_PATRONI = (4, 0)
PACKAGES = {"etcd": "etcd-server", "haproxy": "haproxy", "openssl": "openssl",
            "prometheus-postgres-exporter": "prometheus-postgres-exporter"}
MORE = {"pgbackrest": "pgbackrest"}
# Those that PyPI has no wheel of.
SOURCES = "python-etcd,ydiff"


def demand(packages: dict[str, str] | None = None) -> None:
    """Ends the proof where a program is missing, and says which packages have them."""
    if not is_root() and pwd.getpwuid(os.getuid()).pw_name != "postgres":
        sys.exit("prove: PostgreSQL's nodes run as the user postgres: run this as root, or as postgres")
    wanted = packages or PACKAGES
    missing = [package for program, package in wanted.items() if not found(program)]
    if not glob.glob("/usr/lib/postgresql/*/bin"):
        missing.append("postgresql-15")
    if missing:
        # RUNLEVEL=1: what is installed is not started as a service.
        sys.exit(f"prove: missing: {' '.join(missing)}. As root:\n"
                 f"  RUNLEVEL=1 apt-get install --no-install-recommends {' '.join(missing)}\n"
                 "  systemctl disable --now etcd    # the proof starts members of its own")


def found(program: str) -> str | None:
    """Where a program is; the path of a user may lack /usr/sbin."""
    return shutil.which(program, path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")


def demand_version(text: str) -> str:
    """The version in `patroni 4.1.5`; ends the proof where it is too old."""
    match = re.fullmatch(r"patroni (\d+)\.(\d+)(\S*)\s*", text)
    if match is None or (int(match[1]), int(match[2])) < OLDEST_PATRONI:
        oldest = ".".join(map(str, OLDEST_PATRONI))
        sys.exit(f"prove: Patroni {oldest} or newer is needed, not {text.strip()!r}: before it a frozen primary took back a "
                 "lock that it had lost, and acknowledged effects were gone")
    return text.split()[1]


def patroni() -> str:
    """The folder of Patroni's programs, installed at the first call and after a change of what is pinned."""
    place = os.path.join(ROOT, ".build", "failover", "python")
    pinned = [os.path.join(HERE, name) for name in ("build-requirements.txt", "requirements.txt")]
    wanted = "".join(open(path, encoding="utf-8").read() for path in pinned)
    note = os.path.join(place, "installed.txt")
    if not os.path.exists(note) or open(note, encoding="utf-8").read() != wanted:
        print(f"prove: installing Patroni into {place}", file=sys.stderr, flush=True)
        shutil.rmtree(place, ignore_errors=True)
        run(["/usr/bin/python3", "-m", "venv", place])
        pip = [os.path.join(place, "bin", "pip"), "install", "-q", "--disable-pip-version-check", "--no-deps", "--require-hashes",
               "--only-binary", ":all:"]
        run([*pip, "-r", pinned[0]])
        run([*pip, "--no-build-isolation", "--use-pep517", "--no-binary", SOURCES, "-r", pinned[1]])
        with open(note, "w", encoding="utf-8") as file:
            file.write(wanted)
    programs = os.path.join(place, "bin")
    done = subprocess.run([os.path.join(programs, "patroni"), "--version"], capture_output=True, text=True, check=False)
    demand_version(done.stdout)
    return programs


def postgres() -> str:
    """The folder of PostgreSQL's programs."""
    return postgres_programs()
