"""Three nodes of PostgreSQL under Patroni, three members of etcd, and the proxy that leads to the primary."""
from __future__ import annotations

import base64
import http.client
import json
import os
import random
import secrets
import socket
import subprocess
import sys
import time

from gatehouse_prove.failover import install, templates
from gatehouse_prove.failover.nodes import Daemon, Node, clean_environment, give, owned

NAMES = ("n1", "n2", "n3")
PORTS = (5432, 8432, 8008, 2379, 2380, 8080, 9090, 8443, 8405, 8406, 9187)


def free_network() -> str:
    """The first three numbers of addresses of loopback that no other program uses on the ports of this cluster."""
    for _ in range(100):
        network = f"127.{random.randrange(20, 250)}.{random.randrange(1, 250)}"
        try:
            for last in (1, 2, 3, 4, 9, 11, 12):
                for port in PORTS:
                    with socket.socket() as probe:
                        probe.bind((f"{network}.{last}", port))
        except OSError:
            continue
        return network
    sys.exit("prove: every address of loopback seems to be in use on port 5432: does a program listen on 0.0.0.0?")


class Cluster:
    """All of it, in one folder."""

    def __init__(self, place: str, is_archived: bool = False) -> None:
        self.place, self.network = place, free_network()
        self.is_archived = is_archived
        self.programs = install.postgres()
        self.passwords = {f"@{word}_PASSWORD@": secrets.token_urlsafe(18)
                          for word in ("RESTAPI", "SUPERUSER", "REPLICATION", "REWIND")}
        self.patroni = install.patroni()
        self.members = {name: self.member(name) for name in NAMES}
        self.nodes = {name: self.node(name, self.patroni) for name in NAMES}
        self.proxy = self.haproxy("haproxy-database", templates.database_proxy(self.network))

    def member(self, name: str) -> Daemon:
        """One member of etcd."""
        folder = os.path.join(self.place, "etcd-" + name)
        os.mkdir(folder, 0o700)
        # Three members on a disk of two processors' machine: what they promise is not what is proven here.
        return Daemon([str(install.found("etcd")), "--unsafe-no-fsync"], os.path.join(self.place, f"etcd-{name}.log"),
                      templates.member(name, self.network, folder))

    def node(self, name: str, patroni: str) -> Node:
        """One node, with its configuration."""
        folder = give(os.path.join(self.place, name))
        archive = os.path.join(self.place, f"{name}.backup", "pgbackrest.conf") if self.is_archived else None
        path = self.write(f"{name}.yml", templates.node(
            name, self.network, folder, self.programs, self.passwords, archive), is_secret=True)
        return Node(name, f"{self.network}.{name[1:]}", folder, patroni, path)

    def write(self, name: str, text: str, is_secret: bool = False) -> str:
        """A file of the cluster."""
        path = os.path.join(self.place, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, 0o600 if is_secret else 0o644)
        return owned(path) if is_secret else path

    def haproxy(self, name: str, text: str) -> Daemon:
        """One HAProxy."""
        path = self.write(name + ".cfg", text)
        return Daemon([str(install.found("haproxy")), "-db", "-f", path], os.path.join(self.place, name + ".log"))

    def start(self) -> None:
        """Starts everything; the first node makes the cluster, the others copy it."""
        for member in self.members.values():
            member.start()
        self.nodes["n1"].start()
        self.await_true(lambda: self.primary() == "n1", "the first node is primary", 120)
        for name in ("n2", "n3"):
            self.nodes[name].start()
        self.proxy.start()
        self.await_whole(180)

    # What Patroni says.

    def rest(self, method: str, path: str, body: object = None, name: str | None = None) -> tuple[int, object]:
        """One answer of a node's Patroni; 0 where it does not answer."""
        address = self.nodes[name or self.primary() or "n1"].address
        login = base64.b64encode(f"patroni:{self.passwords['@RESTAPI_PASSWORD@']}".encode()).decode()
        try:
            connection = http.client.HTTPConnection(address, 8008, timeout=60 if method == "POST" else 2)
            connection.request(method, path, json.dumps(body) if body is not None else None,
                               {"Authorization": f"Basic {login}", "Content-Type": "application/json"})
            answer = connection.getresponse()
            text = answer.read().decode()
            connection.close()
            return answer.status, json.loads(text) if text.startswith(("{", "[")) else text
        except (OSError, http.client.HTTPException):
            return 0, ""

    def primary(self) -> str | None:
        """The node that calls itself primary, of those that answer."""
        return next((name for name, node in self.nodes.items() if self.asked(node) == 200), None)

    def asked(self, node: Node) -> int:
        """What a node answers HAProxy."""
        try:
            connection = http.client.HTTPConnection(node.address, 8008, timeout=1)
            connection.request("OPTIONS", "/primary")
            status = connection.getresponse().status
            connection.close()
            return status
        except (OSError, http.client.HTTPException):
            return 0

    def view(self) -> list[dict]:
        """The members of the cluster as the primary's Patroni sees them."""
        status, answer = self.rest("GET", "/cluster")
        return answer["members"] if status == 200 and isinstance(answer, dict) else []

    def sync_standby(self) -> str | None:
        """The node that every acknowledged write is on besides the primary."""
        return next((one["name"] for one in self.view() if one["role"] == "sync_standby"), None)

    def is_whole(self) -> bool:
        """One primary, two that stream from it, and one of them holds every acknowledged write."""
        members = self.view()
        roles = sorted(one["role"] for one in members)
        states = {one["state"] for one in members}
        timelines = {one.get("timeline") for one in members}
        return (roles == ["leader", "replica", "sync_standby"] and states == {"running", "streaming"} and len(timelines) == 1
                and all(member.is_alive for member in self.members.values()))

    def await_whole(self, patience: float = 120) -> None:
        """Waits for that."""
        self.await_true(self.is_whole, "the cluster is whole", patience)

    def await_true(self, holds, what: str, patience: float) -> float:
        """Waits until something holds; seconds."""
        began = time.monotonic()
        while not holds():
            if time.monotonic() - began > patience:
                raise TimeoutError(f"after {patience:.0f} s not so: {what}; {self.view()}")
            time.sleep(0.1)
        return time.monotonic() - began

    # SQL past row-level security, and past the proxy.

    def psql(self, database: str, name: str | None) -> tuple[list[str], dict[str, str]]:
        """Words and environment of psql as the superuser at a node."""
        node = self.nodes[name or self.primary() or "n1"]
        return ([os.path.join(self.programs, "psql"), "-X", "-q", "-A", "-t", "-F", "\t", "-v", "ON_ERROR_STOP=1",
                 "-h", node.address, "-U", "postgres", "-d", database, "-f", "-"],
                clean_environment() | {"PGPASSWORD": self.passwords["@SUPERUSER_PASSWORD@"], "PGCONNECT_TIMEOUT": "5"})

    def sql(self, text: str, database: str = "gatehouse", name: str | None = None) -> list[list[str]]:
        """Rows, as the superuser at the primary."""
        words, settings = self.psql(database, name)
        done = subprocess.run(words, input=text, capture_output=True, text=True, check=False, env=settings)
        if done.returncode != 0:
            raise OSError(f"{text[:100]}: {done.stderr.strip()}")
        return [line.split("\t") for line in done.stdout.splitlines() if line]

    def session(self) -> subprocess.Popen[str]:
        """A session of the superuser that is open, and does what it is given."""
        words, settings = self.psql("gatehouse", None)
        pipe = subprocess.PIPE
        process = subprocess.Popen(words, stdin=pipe, stdout=pipe, stderr=pipe, text=True, env=settings)
        process.stdin.write("SELECT 1;\n")
        process.stdin.flush()
        process.stdout.readline()
        return process

    def close(self) -> None:
        """Ends everything, whatever state it is in."""
        self.proxy.kill()
        for node in self.nodes.values():
            node.close()
        for member in self.members.values():
            member.kill()
