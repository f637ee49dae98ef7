"""One server of the release build with a private PostgreSQL, and what can be asked of it."""
from __future__ import annotations

import contextlib
import functools
import glob
import http.client
import json
import os
import re
import shutil
import signal
import ssl
import subprocess
import sys
import tempfile
import time
import urllib.parse
from typing import Iterator

from gatehouse_bench.machine import ROOT, free_port, run

TENANT = "messai"
WIDE = ("limits: {sign_in_per_account: 1000000/1h, sign_in_per_ip: 1000000/1h, sign_up_per_ip: 1000000/1h, "
        "mail_per_ip: 1000000/1h, mail_per_recipient: 1000000/1h, mail_per_tenant: 1000000/1h, "
        "code_per_ip: 1000000/1h, code_per_tenant: 1000000/1h, reset_per_ip: 1000000/1h}\n")


def widened(policy: str) -> str:
    """A policy's text with limits so wide that a load from one address never meets them."""
    lines = policy.splitlines(keepends=True)
    if not any(line.startswith("limits:") for line in lines):
        sys.exit("bench: the policy has no limits to widen")
    return "".join(WIDE if line.startswith("limits:") else line for line in lines)


@functools.cache
def trusting() -> ssl.SSLContext:
    """A client's side of TLS that asks for no authority: the servers here certify themselves."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context


class Link:
    """One kept connection."""

    def __init__(self, base: str, patience: float = 30) -> None:
        where = urllib.parse.urlsplit(base)
        if where.scheme == "https":
            self.connection: http.client.HTTPConnection = http.client.HTTPSConnection(
                str(where.hostname), where.port, timeout=patience, context=trusting())
        else:
            self.connection = http.client.HTTPConnection(str(where.hostname), where.port, timeout=patience)

    def ask(
        self, method: str, path: str, body: object = None, token: str | None = None
    ) -> tuple[int, dict[str, str], bytes]:
        """Status, fields (names in lower case) and body of one answer."""
        fields = {"Authorization": f"Bearer {token}"} if token else {}
        if body is not None:
            fields["Content-Type"] = "application/json"
        self.connection.request(method, path, json.dumps(body) if body is not None else None, fields)
        answer = self.connection.getresponse()
        text = answer.read()
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}, text

    def json(self, method: str, path: str, body: object = None, token: str | None = None) -> tuple[int, dict]:
        """Status and JSON of one answer."""
        status, _, text = self.ask(method, path, body, token)
        return status, json.loads(text) if text else {}

    def close(self) -> None:
        """Gives the connection back."""
        self.connection.close()


class Server:
    """A running server; `data` and `policies` outlive it."""

    def __init__(
        self, program: str, data: str, policies: str | None = None, settings: dict[str, str] | None = None,
        log: str | None = None
    ) -> None:
        self.program, self.data = program, data
        self.port, self.operations_port = free_port(), free_port()
        scheme = "https" if "GATEHOUSE_TLS_CERTIFICATE" in (settings or {}) else "http"
        self.base, self.operations = f"{scheme}://127.0.0.1:{self.port}", f"http://127.0.0.1:{self.operations_port}"
        words = [program, "serve", "--dev", "--dev-limit-factor", "1", "--data-dir", data, "--listen", f"127.0.0.1:{self.port}", "--ops-listen",
                 f"127.0.0.1:{self.operations_port}", "--log-level", "warning", "--log-format", "json"]
        if policies is not None:
            words += ["--watch", policies, "--watch-allow-weaker"]
        self.log = log or data + ".log"
        clean = {name: value for name, value in os.environ.items() if not name.startswith("GATEHOUSE_")}
        # By the address that proofs ask it at, and not by the name that --dev would give it.
        clean["GATEHOUSE_PUBLIC_URL"] = self.base
        with open(self.log, "ab") as output:
            self.began = time.monotonic()
            self.process = subprocess.Popen(words, stdout=output, stderr=output, env=clean | (settings or {}))

    def await_ready(self, tenant: str | None = TENANT, patience: float = 120, pause: float = 0.02) -> float:
        """Waits until the server is ready and knows the tenant; seconds since it was started."""
        end = self.began + patience
        while True:
            if self.process.poll() is not None:
                sys.exit(f"the server ended with {self.process.returncode}; see {self.log}")
            with contextlib.suppress(OSError, http.client.HTTPException):
                link = Link(self.operations, 2)
                ready = link.ask("GET", "/readyz")[0] == 200
                link.close()
                if ready and tenant is not None:
                    link = Link(self.base, 2)
                    ready = link.ask("GET", f"/t/{tenant}/v1/policy")[0] == 200
                    link.close()
                if ready:
                    return time.monotonic() - self.began
            if time.monotonic() > end:
                sys.exit(f"the server did not become ready; see {self.log}")
            time.sleep(pause)

    @property
    def sockets(self) -> str:
        """The directory of PostgreSQL's socket."""
        with open(os.path.join(self.data, "socket"), encoding="utf-8") as file:
            return file.readline().strip()

    def sql(self, text: str) -> list[list[str]]:
        """Rows of one script as the cluster's superuser, whom row-level security does not bind."""
        return psql(self.sockets, text)

    def tenant_id(self, tenant: str = TENANT) -> str:
        """The id of a tenant."""
        return self.sql(f"SELECT id FROM gatehouse.tenant WHERE name = '{tenant}'")[0][0]

    def resident(self) -> float:
        """Megabytes of memory that are this process's at this moment."""
        with open(f"/proc/{self.process.pid}/status", encoding="utf-8") as file:
            found = re.search(r"VmRSS:\s+(\d+) kB", file.read())
        return int(found[1]) / 1024 if found else 0

    def metric(self, name: str) -> float:
        """One number of /metrics."""
        link = Link(self.operations)
        text = link.ask("GET", "/metrics")[2].decode()
        link.close()
        return sum(float(value) for value in re.findall(rf"^{name}(?:{{[^}}]*}})? (\S+)$", text, re.MULTILINE))

    def kill(self) -> None:
        """kill -9."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self) -> int:
        """Asks for a clean end; the exit code."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        return self.process.wait(timeout=60)


def psql(sockets: str, text: str) -> list[list[str]]:
    """Rows of a script, run by the cluster's superuser."""
    folder = postgres_programs()
    printed = run([f"{folder}/psql", "-X", "-q", "-A", "-t", "-F", "\t", "-v", "ON_ERROR_STOP=1", "-h", sockets, "-U",
                   "gatehouse_superuser", "-d", "gatehouse", "-c", text])
    return [line.split("\t") for line in printed.splitlines() if line]


def postgres_programs() -> str:
    """The folder of the newest PostgreSQL's programs."""
    return sorted(glob.glob("/usr/lib/postgresql/*/bin"), key=lambda path: int(path.split("/")[-2]))[-1]


@contextlib.contextmanager
def place() -> Iterator[str]:
    """A temporary directory that PostgreSQL's user may pass through."""
    path = tempfile.mkdtemp(prefix="gatehouse-bench-", dir="/tmp")
    os.chmod(path, 0o755)
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)


@contextlib.contextmanager
def running(program: str, settings: dict[str, str] | None = None) -> Iterator[Server]:
    """A server with one tenant, whose limits are wide, on a database of its own."""
    with place() as path:
        policies = os.path.join(path, "policies")
        os.mkdir(policies)
        with open(os.path.join(ROOT, "policies", TENANT + ".yaml"), encoding="utf-8") as file:
            text = widened(file.read())
        with open(os.path.join(policies, TENANT + ".yaml"), "w", encoding="utf-8") as file:
            file.write(text)
        # Room for pgbench beside the server.
        os.makedirs(os.path.join(path, "data", "config"), 0o755)
        with open(os.path.join(path, "data", "config", "local.conf"), "w", encoding="utf-8") as file:
            file.write("max_connections = 120\n")
        server = Server(program, os.path.join(path, "data"), policies, settings)
        try:
            server.await_ready()
            yield server
        finally:
            server.stop()
