"""The files of deploy/ as they stand, but for names, addresses, ports and paths of this machine."""
from __future__ import annotations

import os
import re
import sys

from gatehouse_bench.machine import ROOT


def fill(text: str, replacements: dict[str, str], name: str = "") -> str:
    """The text with each key replaced by its value; each key must be there, and no placeholder may be left."""
    # One pass: what was put in is not looked at again. Of two keys that begin alike the longer one counts.
    absent = [key for key in replacements if key not in text]
    if absent:
        sys.exit(f"prove: deploy/{name} has no {absent[0]!r}")
    keys = sorted(replacements, key=len, reverse=True)
    # 10.0.0.1 is not the beginning of 10.0.0.11.
    pattern = "|".join(re.escape(key) + (r"(?!\d)" if key[-1].isdigit() else "") for key in keys)
    filled = re.sub(pattern, lambda match: replacements[match[0]], text) if keys else text
    if left := re.search(r"@[A-Z_]+@", filled):
        sys.exit(f"prove: deploy/{name} still has {left[0]}")
    return filled


def deployed(name: str, replacements: dict[str, str]) -> str:
    """A file of deploy/, filled in."""
    with open(os.path.join(ROOT, "deploy", name), encoding="utf-8") as file:
        return fill(file.read(), replacements, name)


def addresses(network: str) -> dict[str, str]:
    """The three hosts of the examples, on loopback: the ports are those of a real installation."""
    return {f"10.0.0.{number}": f"{network}.{number}" for number in (1, 2, 3)}


def node(name: str, network: str, folder: str, programs: str, passwords: dict[str, str], archive: str | None) -> str:
    """patroni.yml of one node. Without an archive nothing is archived; no watchdog resets this machine."""
    more: dict[str, str] = {}
    pgbackrest = "pgbackrest --config=/etc/pgbackrest/pgbackrest.conf --stanza=gatehouse"
    if archive is None:
        more[f"{pgbackrest} archive-push %p"] = '"true"'
        more[f"{pgbackrest} archive-get %f \"%p\""] = '"false"'
    else:
        more["/etc/pgbackrest/pgbackrest.conf"] = archive
    return deployed("patroni.yml", addresses(network) | passwords | more | {
        "@NAME@": name, "@ADDRESS@": f"{network}.{name[1:]}", "10.0.0.0/24": "127.0.0.0/8",
        "/usr/lib/postgresql/15/bin": programs, "/var/lib/postgresql/15": folder, "/run/postgresql": folder,
        "mode: required": "mode: 'off'",
    })


def member(name: str, network: str, folder: str) -> dict[str, str]:
    """The environment of one etcd member."""
    text = deployed("etcd.env", addresses(network) | {
        "@NAME@": name, "@ADDRESS@": f"{network}.{name[1:]}", "/var/lib/etcd": folder})
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return dict(line.split("=", 1) for line in lines)


def database_proxy(network: str) -> str:
    """haproxy-database.cfg; both servers here share one."""
    return deployed("haproxy-database.cfg", addresses(network) | {"127.0.0.1": f"{network}.9"})


def people_proxy(network: str, pair: str) -> str:
    """haproxy-people.cfg with a certificate of this run."""
    two = {"10.0.0.1": f"{network}.11", "10.0.0.2": f"{network}.12"}
    return deployed("haproxy-people.cfg", two | {
        "bind :443": f"bind {network}.9:8443", "/etc/haproxy/auth.example.com.pem": pair, "127.0.0.1": f"{network}.9",
        "maxconn 20000": "maxconn 2000"})


def server(address: str, folder: str, people: str) -> str:
    """gatehouse-cluster.yaml of one server."""
    return deployed("gatehouse-cluster.yaml", {
        "@ADDRESS@": address, "/etc/gatehouse": folder, "https://auth.example.com": people,
        "10.0.0.1, 10.0.0.2, 10.0.0.3": "127.0.0.0/8", "/etc/gatehouse/smtp-url": f"{folder}/smtp-url"})
