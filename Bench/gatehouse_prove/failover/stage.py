"""The whole house: the cluster, two Gatehouse servers, the proxy towards people, and clients."""
from __future__ import annotations

import contextlib
import http.client
import os
import re
import secrets
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from typing import Protocol

from gatehouse_bench.machine import ROOT, allow_files, run
from gatehouse_bench.server import TENANT, Link, place, widened
from gatehouse_prove.failover import install, templates
from gatehouse_prove.failover.cluster import Cluster
from gatehouse_prove.failover.crowd import Crowd
from gatehouse_prove.failover.nodes import Daemon, clean_environment
from gatehouse_prove.sink import Sink

SERVERS = ("g1", "g2")
ROLES = {"database-url": "gatehouse_app", "database-jobs-url": "gatehouse_jobs", "database-migrator-url": "gatehouse_migrator"}


def policy() -> str:
    """The tenant's policy without its tests; limits that a load from one address never meets."""
    with open(os.path.join(ROOT, "policies", TENANT + ".yaml"), encoding="utf-8") as file:
        text = re.sub(r"(?s)\nusers:.*", "\n", widened(file.read()))
    return text.replace("max_per_user: 20", "max_per_user: 1000")


class Beside(Protocol):
    """What stands beside a cluster."""

    def start(self) -> None:
        """Before the cluster does."""

    def close(self) -> None:
        """After it."""


class Stage:
    """One cluster with what stands before it."""

    def __init__(self, program: str, folder: str, cluster: Cluster) -> None:
        self.program, self.folder, self.cluster = program, folder, cluster
        self.network, self.people = cluster.network, f"https://{cluster.network}.9:8443"
        self.sink = Sink()
        self.secret = secrets.token_urlsafe(18)
        self.addresses = {"g1": f"{self.network}.11", "g2": f"{self.network}.12"}
        self.configurations = {name: self.configure(name) for name in SERVERS}
        self.servers = {name: self.server(name) for name in SERVERS}
        self.front = cluster.haproxy("haproxy-people", templates.people_proxy(self.network, self.certificate()))
        self.crowd = Crowd(f"{self.network}.9", 8443)
        self.revision = 1
        # Of the form, and of the run.
        self.is_quick, self.turn = False, 0

    def configure(self, name: str) -> str:
        """The files of one server."""
        folder = os.path.join(self.folder, name)
        os.mkdir(folder, 0o700)
        texts = {url: f"postgres://{role}:{self.secret}@{self.network}.9:5432/gatehouse" for url, role in ROLES.items()}
        texts |= {"smtp-url": self.sink.url, "kek": self.key()}
        for url, text in texts.items():
            path = os.path.join(folder, url)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text + "\n")
            os.chmod(path, 0o400)
        path = os.path.join(folder, "gatehouse.yaml")
        with open(path, "w", encoding="utf-8") as file:
            file.write(templates.server(self.addresses[name], folder, self.people))
        return path

    def key(self) -> str:
        """The key file's text, the same for all servers."""
        if not hasattr(self, "kek"):
            self.kek = run(["openssl", "rand", "-base64", "32"]).strip()
        return self.kek

    def certificate(self) -> str:
        """Certificate and key of the proxy towards people, in one file."""
        paths = [os.path.join(self.folder, name) for name in ("people.pem", "people.key")]
        run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
             "-subj", "/CN=auth.example.com", "-keyout", paths[1], "-out", paths[0]])
        pair = "".join(open(path, encoding="utf-8").read() for path in paths)
        return self.cluster.write("people.pair", pair)

    def server(self, name: str) -> Daemon:
        """One Gatehouse server."""
        words = [self.program, "serve", "--config", self.configurations[name],
                 "--data-dir", os.path.join(self.folder, name, "data"), "--log-level", "warning", "--log-format", "json"]
        return Daemon(words, os.path.join(self.folder, name + ".log"), self.environment)

    @property
    def environment(self) -> dict[str, str]:
        """What differs from a machine of its own."""
        return {"GATEHOUSE_LISTS": os.path.join(ROOT, "config", "lists"), "GATEHOUSE_HASH_QUEUE": "4096",
                "GATEHOUSE_LIMITS_CONNECTIONS_PER_ADDRESS": "10000", "SWIFT_BACKTRACE": "enable=no", "LIBDISPATCH_LOG": "NO"}

    def tell(self, *words: str, given: str | None = None) -> tuple[int, str]:
        """A verb of the command line, at the first server's configuration."""
        done = subprocess.run(
            [self.program, *words, "--config", self.configurations["g1"], "--data-dir", os.path.join(self.folder, "g1", "data")],
            input=given, capture_output=True, text=True, check=False, env=clean_environment() | self.environment, timeout=120)
        return done.returncode, done.stdout + done.stderr

    def need(self, *words: str) -> str:
        """The same where it must succeed."""
        code, printed = self.tell(*words)
        if code != 0:
            raise OSError(f"{' '.join(words)}: {printed}")
        return printed

    def start(self) -> None:
        """From an empty database to clients that are signed in: the steps of docs/cluster.md."""
        self.cluster.sql("CREATE DATABASE gatehouse", "postgres")
        self.cluster.sql(run([self.program, "db", "roles", "--name", "gatehouse"], env=clean_environment()), "postgres")
        for role in ROLES.values():
            self.cluster.sql(f"ALTER ROLE {role} PASSWORD '{self.secret}'", "postgres")
        self.need("db", "migrate")
        path = os.path.join(self.folder, TENANT + ".yaml")
        with open(path, "w", encoding="utf-8") as file:
            file.write(policy())
        self.need("tenant", "create", TENANT, "--policy", path)
        for server in self.servers.values():
            server.start()
        for name in SERVERS:
            self.await_ready(name)
        self.front.start()
        self.cluster.await_true(self.is_open, "people are served", 20)
        self.crowd.populate()

    def is_open(self) -> bool:
        """Whether a user gets the key set."""
        with contextlib.suppress(OSError, http.client.HTTPException):
            link = Link(self.people, 2)
            status = link.ask("GET", f"/t/{TENANT}/.well-known/jwks.json")[0]
            link.close()
            return status == 200
        return False

    def await_ready(self, name: str, patience: float = 60) -> None:
        """Waits until a server is."""
        def is_ready() -> bool:
            if not self.servers[name].is_alive:
                with open(self.servers[name].log, encoding="utf-8", errors="replace") as file:
                    raise OSError(f"{name} ended: {file.read()[-1500:]}")
            return self.operations(name, "/readyz")[0] == 200

        self.cluster.await_true(is_ready, f"{name} is ready", patience)

    def operations(self, name: str, path: str) -> tuple[int, str]:
        """An answer of a server's operations listener; 0 for none."""
        with contextlib.suppress(OSError, http.client.HTTPException):
            link = Link(f"http://{self.addresses[name]}:9090", 2)
            status, _, text = link.ask("GET", path)
            link.close()
            return status, text.decode()
        return 0, ""

    def scraped(self) -> Iterator[str]:
        """What Prometheus reads: of servers, of nodes, of proxies, of etcd, of the exporter of a node's PostgreSQL."""
        network, primary = self.network, str(self.cluster.primary())
        exporter = Daemon(
            [str(install.found("prometheus-postgres-exporter")), f"--web.listen-address={network}.9:9187"],
            os.path.join(self.folder, "exporter.log"),
            {"DATA_SOURCE_NAME": f"postgresql://postgres:{self.cluster.passwords['@SUPERUSER_PASSWORD@']}"
                                 f"@{self.cluster.nodes[primary].address}:5432/postgres?sslmode=disable"})
        exporter.start()
        try:
            await_address(f"{network}.9", 9187)
            for host, port in (("11", 9090), ("12", 9090), (primary[1:], 8008), ("1", 2379), ("9", 8405), ("9", 8406), ("9", 9187)):
                link = Link(f"http://{network}.{host}:{port}", 10)
                yield link.ask("GET", "/metrics")[2].decode()
                link.close()
        finally:
            exporter.kill()

    def follow(self, patience: float) -> str | None:
        """Edits the policy: nil where both servers judge by it soon, else what was seen."""
        self.revision += 1
        path = os.path.join(self.folder, TENANT + ".yaml")
        with open(path, "w", encoding="utf-8") as file:
            file.write(policy().replace("support_email: help@", f"support_email: help{self.revision}@"))
        code, printed = self.tell("policy", "apply", TENANT, path, "--yes")
        if code != 0:
            return f"the policy was not applied: {printed.strip()[:200]}"
        wanted = self.cluster.sql("SELECT max(number) FROM gatehouse.policy_revision")[0][0]
        end, deaf = time.monotonic() + patience, set(SERVERS)
        while deaf and time.monotonic() < end:
            for name in list(deaf):
                status, text = self.operations(name, "/metrics")
                found = re.search(rf'^gatehouse_policy_revision{{[^}}]*"{TENANT}"[^}}]*}} (\d+)', text, re.MULTILINE)
                if status == 200 and found and found[1] == wanted:
                    deaf.remove(name)
            time.sleep(0.05)
        return f"{', '.join(sorted(deaf))} judged by an old policy for {patience:.0f} s" if deaf else None

    def await_quiet(self) -> None:
        """Waits until no statement of a server is at work on the primary."""
        busy = "SELECT count(*) FROM pg_stat_activity WHERE usename LIKE 'gatehouse%' AND state <> 'idle'"

        def is_quiet() -> bool:
            with contextlib.suppress(OSError):
                return self.cluster.sql(busy) == [["0"]]
            return False

        with contextlib.suppress(TimeoutError):
            self.cluster.await_true(is_quiet, "no statement is at work", 15)

    def close(self) -> None:
        """Ends everything."""
        self.crowd.is_over.set()
        self.front.kill()
        for server in self.servers.values():
            server.kill()
        self.sink.close()


def await_address(host: str, port: int, patience: float = 10) -> None:
    """Waits until a process listens there."""
    end = time.monotonic() + patience
    while True:
        try:
            socket.create_connection((host, port), 1).close()
            return
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.05)


@contextlib.contextmanager
def staged(program: str, keep: bool = False, beside: Callable[[Cluster], Beside] | None = None) -> Iterator[Stage]:
    """A stage that is gone afterwards, also after Ctrl-C and SIGTERM."""
    allow_files(8192)

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupted)
    try:
        with contextlib.ExitStack() as stack:
            stack.callback(signal.signal, signal.SIGTERM, before)
            yield built(program, stack, keep, beside)
    except KeyboardInterrupt:
        sys.exit("prove: interrupted; all that was started has ended")


def built(
    program: str, stack: contextlib.ExitStack, keep: bool, beside: Callable[[Cluster], Beside] | None
) -> Stage:
    """A stage whose parts end with the stack, in the reverse order of their beginning."""
    folder = stack.enter_context(place())
    if keep:
        stack.callback(lambda: print(f"prove: logs are kept in {folder}.kept", file=sys.stderr))
        stack.callback(lambda: subprocess.run(["cp", "-a", folder, folder + ".kept"], check=False))
    cluster = Cluster(folder, is_archived=beside is not None)
    stack.callback(cluster.close)
    stage = Stage(program, folder, cluster)
    stack.callback(stage.close)
    if beside is not None:
        stage.beside = beside(cluster)
        stack.callback(stage.beside.close)
        stage.beside.start()
    cluster.start()
    stage.start()
    return stage
