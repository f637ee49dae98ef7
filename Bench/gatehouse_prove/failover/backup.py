"""pgBackRest before the cluster: an authority, the repository host, a listener on each node."""
from __future__ import annotations

import json
import os
import pwd
import re
import secrets
import subprocess

from gatehouse_bench.machine import run
from gatehouse_prove.failover import install, templates
from gatehouse_prove.failover.cluster import NAMES, Cluster
from gatehouse_prove.failover.nodes import Daemon, clean_environment, give, is_root, owned


class Repository:
    """The repository host, at the fourth address."""

    def __init__(self, cluster: Cluster) -> None:
        self.cluster, self.program = cluster, str(install.found("pgbackrest"))
        self.folder = give(os.path.join(cluster.place, "repository"))
        self.secret = secrets.token_urlsafe(32)
        self.host = f"{cluster.network}.4"
        self.authority()
        self.configurations = {name: self.node(name) for name in NAMES}
        self.configuration = self.repository("pgbackrest-repository.conf", self.secret)
        listeners = self.configurations | {"repository": self.configuration}
        self.daemons = [
            Daemon([self.program, f"--config={path}", "server"], os.path.join(cluster.place, f"pgbackrest-{name}.log"),
                   as_postgres=True) for name, path in listeners.items()]

    def authority(self) -> None:
        """One authority, and a certificate for each address, as docs/cluster.md makes them."""
        folder = self.folder
        curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
        run(["openssl", "req", "-x509", *curve, "-subj", "/CN=gatehouse backups", "-keyout", f"{folder}/authority.key", "-out",
             f"{folder}/authority.pem"])
        for number in (1, 2, 3, 4):
            host = f"{self.cluster.network}.{number}"
            request = run(["openssl", "req", "-new", *curve[:-2], "-subj", f"/CN={host}", "-keyout", f"{folder}/{host}.key"])
            run(["openssl", "x509", "-req", "-days", "2", "-CA", f"{folder}/authority.pem", "-CAkey", f"{folder}/authority.key",
                 "-CAcreateserial", "-out", f"{folder}/{host}.pem"], input=request)
            os.chmod(f"{folder}/{host}.key", 0o600)
            owned(f"{folder}/{host}.key")

    def paths(self) -> dict[str, str]:
        """Where things are in this run."""
        return {"/etc/pgbackrest/authority.pem": f"{self.folder}/authority.pem", "/var/log/pgbackrest": give(f"{self.folder}/log")}

    def node(self, name: str) -> str:
        """The configuration of one node."""
        address, cluster = f"{self.cluster.network}.{name[1:]}", self.cluster
        folder = give(os.path.join(cluster.place, f"{name}.backup"))
        place = os.path.join(cluster.place, name)
        text = templates.deployed("pgbackrest.conf", self.paths() | {
            "/etc/pgbackrest/@ADDRESS@.pem": f"{self.folder}/{address}.pem", "/etc/pgbackrest/@ADDRESS@.key":
            f"{self.folder}/{address}.key", "@ADDRESS@": address, "10.0.0.4": self.host,
            "/etc/pgbackrest/pgbackrest-repository.conf": f"{self.folder}/pgbackrest-repository.conf",
            "/var/lib/pgbackrest/lock": give(f"{folder}/lock"), "/var/lib/postgresql/15": place, "/run/postgresql": place})
        return self.write(os.path.join(folder, "pgbackrest.conf"), text)

    def repository(self, name: str, secret: str) -> str:
        """The configuration of the repository host."""
        with_nodes = templates.addresses(self.cluster.network)
        text = templates.deployed("pgbackrest-repository.conf", with_nodes | self.paths() | {
            "10.0.0.4": self.host, "@CIPHER_PASSWORD@": secret, "/var/lib/pgbackrest": give(f"{self.folder}/data"),
            "/var/lib/pgbackrest/lock": give(f"{self.folder}/lock"), "/etc/pgbackrest/10.0.0.4": f"{self.folder}/{self.host}"})
        return self.write(os.path.join(self.folder, name), "\n".join(map(self.of_node, text.splitlines())) + "\n")

    def of_node(self, line: str) -> str:
        """A line about one node. On machines of their own all nodes have the same paths."""
        number = line[2:3]
        if f"n{number}" not in NAMES or not line.startswith("pg"):
            return line
        place = os.path.join(self.cluster.place, f"n{number}")
        for before, after in (("/etc/pgbackrest/pgbackrest.conf", f"{place}.backup/pgbackrest.conf"),
                              ("/var/lib/postgresql/15", place), ("/run/postgresql", place)):
            line = line.replace(before, after)
        return line

    @staticmethod
    def write(path: str, text: str) -> str:
        """A file with a secret, of the database's user."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, 0o600)
        return owned(path)

    def start(self) -> None:
        """The listeners."""
        for daemon in self.daemons:
            daemon.start()

    def create(self) -> None:
        """The stanza, once there is a cluster."""
        self.need("stanza-create")
        self.need("check")

    def tell(self, *words: str, configuration: str | None = None) -> tuple[int, str]:
        """A command, on the repository host unless a node's configuration is given."""
        user = {"user": "postgres", "group": "postgres", "extra_groups": []} if is_root() else {}
        home = {"HOME": pwd.getpwuid(os.getuid()).pw_dir}
        done = subprocess.run(
            [self.program, f"--config={configuration or self.configuration}", "--stanza=gatehouse", *words], capture_output=True,
            text=True, errors="replace", check=False, env=clean_environment() | home, cwd="/", **user)
        return done.returncode, done.stdout + done.stderr

    def need(self, *words: str, configuration: str | None = None) -> str:
        """The same where it must succeed."""
        code, printed = self.tell(*words, configuration=configuration)
        if code != 0:
            raise OSError(f"pgbackrest {' '.join(words)}: {printed}")
        return printed

    def backups(self) -> list[dict]:
        """What is there."""
        return json.loads(self.need("info", "--output=json"))[0]["backup"]

    def archived(self, segment: str) -> bool:
        """Whether a segment of the log is in the repository."""
        return json.loads(self.need("info", "--output=json"))[0]["archive"][0]["max"] >= segment

    def readable(self) -> list[str]:
        """Files of the repository in which words of a backup or of a database can be read."""
        words = re.compile(rb"gatehouse|\[backup|PostgreSQL|example\.com")
        found = []
        for folder, _, names in os.walk(f"{self.folder}/data"):
            for name in names:
                with open(os.path.join(folder, name), "rb") as file:
                    if words.search(file.read()):
                        found.append(name)
        return found

    def close(self) -> None:
        """Ends the listeners."""
        for daemon in self.daemons:
            daemon.kill()
