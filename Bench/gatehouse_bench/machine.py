"""Programs that load: wrk, nginx, pgbench, our open loop; each run gives one figure."""
from __future__ import annotations

import atexit
import contextlib
import dataclasses
import functools
import glob
import json
import os
import re
import resource
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.parse
from typing import Iterator

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BENCH = os.path.join(ROOT, "Bench")
PROCESSORS = os.cpu_count() or 1


def run(words: list[str], **more: object) -> str:
    """Runs a program to its end and gives what it printed; its failure ends the benchmark."""
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False, **more)
    if done.returncode != 0:
        sys.exit(f"bench: {' '.join(words)} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


def allow_files(count: int) -> None:
    """Lets this process, and what it starts, open so many files."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < count:
        sys.exit(f"{count} open files are needed and {hard} allowed: raise the limit (ulimit -Hn)")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, count), hard))


def free_port() -> int:
    """A port on which no process listens at this moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@dataclasses.dataclass
class Load:
    """What wrk saw."""

    rate: float
    p50: float
    p99: float
    refused: int
    broken: int

    def demand_success(self, what: str) -> "Load":
        """Ends the benchmark when not everything was answered with success: the rate would mean nothing."""
        if self.refused or self.broken:
            sys.exit(f"bench: {what}: {self.refused} requests were refused, {self.broken} broke")
        return self


def wrk(
    url: str, seconds: float, connections: int, script: str = "plain.lua", arguments: list[str] | None = None,
    threads: int = 1
) -> Load:
    """Closed loop: each connection asks again when it has its answer. Times in milliseconds."""
    folder = os.path.join(BENCH, "load")
    words = ["wrk", f"-t{threads}", f"-c{connections}", f"-d{seconds:g}s", "--timeout", "30s", "-s",
             os.path.join(folder, script), url, "--", *(arguments or [])]
    printed = run(words, env=os.environ | {"BENCH_LOAD": folder})
    seen = json.loads(printed[printed.rindex("{"):])
    return Load(
        seen["requests"] / (seen["microseconds"] / 1e6), seen["p50"] / 1000, seen["p99"] / 1000, seen["refused"],
        seen["broken"])


@dataclasses.dataclass
class Paced:
    """What the open loop saw: one time in milliseconds for each answer of status 200."""

    times: list[float]
    failed: int

    @property
    def success(self) -> float:
        """The share of requests that went well."""
        return len(self.times) / max(1, len(self.times) + self.failed)


def paced(url: str, rate: int, seconds: float, connections: int = 20, fields: list[str] | None = None) -> Paced:
    """Open loop: so many requests a second on average, at moments of their own, whatever the answers take. The same moments
    each time."""
    at = urllib.parse.urlsplit(url)
    words = [pacer(), str(at.port), at.path, str(rate), f"{seconds:g}", str(connections), "1", *(fields or [])]
    lines = [line.split("\t") for line in run(words).splitlines()]
    good = [int(time_taken) / 1000 for status, time_taken in lines if status == "200"]
    return Paced(good, len(lines) - len(good))


@functools.cache
def pacer() -> str:
    """The program of the open loop, compiled once for each run."""
    folder = tempfile.TemporaryDirectory(prefix="gatehouse-bench-")
    atexit.register(folder.cleanup)
    program = os.path.join(folder.name, "paced")
    run(["cc", "-O2", "-o", program, os.path.join(BENCH, "load", "paced.c"), "-lm"])
    return program


@contextlib.contextmanager
def nginx(
    sizes: dict[str, int], fields: dict[str, str] | None = None, files: dict[str, bytes] | None = None
) -> Iterator[str]:
    """An nginx that answers each path with 200, these fields and so many bytes, or those of a file; its base URL."""
    place = tempfile.mkdtemp(prefix="gatehouse-bench-nginx-", dir="/tmp")
    port = free_port()
    added = "".join(f"add_header {name} '{quoted(value)}'; " for name, value in (fields or {}).items())
    locations = ""
    for number, (path, text) in enumerate((files or {}).items()):
        name = os.path.join(place, f"file-{number}")
        with open(name, "wb") as file:
            file.write(text)
        # Workers are another user's where nginx was started by root.
        os.chmod(name, 0o644)
        locations += f"    location = {path} {{ default_type 'text/html; charset=utf-8'; {added}alias {name}; }}\n"
    os.chmod(place, 0o755)
    for path, size in sizes.items():
        # A word of nginx's configuration has at most 4 KB.
        pieces = [min(4000, size - start) for start in range(0, size, 4000)]
        name = re.sub(r"\W", "_", path)
        sets = "".join(f"set $part{name}{index} '{'x' * length}'; " for index, length in enumerate(pieces))
        body = "".join(f"$part{name}{index}" for index in range(len(pieces)))
        locations += (f"    location = {path} {{ {sets}default_type application/json; {added}"
                      f"return 200 \"{body}\"; }}\n")
    with open(os.path.join(place, "nginx.conf"), "w", encoding="utf-8") as file:
        file.write(
            f"worker_processes {PROCESSORS};\npid {place}/pid;\nerror_log {place}/error.log;\n"
            "events { worker_connections 4096; }\n"
            "http {\n  access_log off;\n  keepalive_requests 1000000000;\n"
            f"  client_body_temp_path {place};\n  proxy_temp_path {place};\n  fastcgi_temp_path {place};\n"
            f"  uwsgi_temp_path {place};\n  scgi_temp_path {place};\n"
            f"  server {{\n    listen 127.0.0.1:{port} reuseport;\n{locations}  }}\n}}\n")
    process = subprocess.Popen(
        ["nginx", "-p", place, "-c", os.path.join(place, "nginx.conf"), "-e", os.path.join(place, "error.log"), "-g",
         "daemon off;"])
    try:
        await_port(port)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(timeout=10)
        shutil.rmtree(place, ignore_errors=True)


def quoted(value: str) -> str:
    """A value between the quotes of nginx's configuration."""
    return value.replace("\\", "\\\\").replace("'", "\\'")


def await_port(port: int, patience: float = 10) -> None:
    """Waits until a process listens."""
    end = time.monotonic() + patience
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            if time.monotonic() > end:
                sys.exit(f"bench: no process listens on port {port}")
            time.sleep(0.02)


def pgbench(
    sockets: str, script: str, seconds: int, clients: int, variables: dict[str, str] | None = None,
    settings: dict[str, str] | None = None
) -> float:
    """Transactions a second of one script, with prepared statements, in the role of the server."""
    folder = sorted(glob.glob("/usr/lib/postgresql/*/bin"), key=lambda path: int(path.split("/")[-2]))[-1]
    options = {"search_path": "gatehouse,pg_temp", "jit": "off"} | (settings or {})
    words = [f"{folder}/pgbench", "-n", "-M", "prepared", "-h", sockets, "-U", "gatehouse_app", f"-c{clients}",
             f"-j{min(clients, PROCESSORS)}", f"-T{seconds}", "-f", os.path.join(BENCH, "limits", script)]
    for name, value in (variables or {}).items():
        words += ["-D", f"{name}={value}"]
    printed = run(
        [*words, "gatehouse"],
        env=os.environ | {"PGOPTIONS": " ".join(f"-c {name}={value}" for name, value in options.items())})
    failures = re.search(r"number of failed transactions: (\d+)", printed)
    rate = re.search(r"tps = ([\d.]+)", printed)
    if rate is None or (failures and failures[1] != "0"):
        sys.exit(f"bench: pgbench {script} did not go well:\n{printed}")
    return float(rate[1])
