"""Alarms and the dashboard of deploy/: every metric that they name exists, and promtool takes them."""
from __future__ import annotations

import json
import os
import re
import subprocess
from typing import TYPE_CHECKING

from gatehouse_bench.machine import ROOT
from gatehouse_prove.failover import install

if TYPE_CHECKING:
    from gatehouse_prove.failover.stage import Stage

DEPLOY = os.path.join(ROOT, "deploy")
OURS = os.path.join(ROOT, "Tests", "CommandTests", "Words", "metrics.txt")
# What others export: Prometheus itself, Patroni, HAProxy, etcd, prometheus-postgres-exporter. `seen` compares with theirs.
EXPORTED = {
    "up", "ALERTS",
    "patroni_primary", "patroni_sync_standby", "patroni_postgres_streaming", "patroni_postgres_timeline", "patroni_xlog_location",
    "patroni_xlog_replayed_location", "patroni_failsafe_mode_is_active", "patroni_is_paused", "patroni_pending_restart",
    "haproxy_backend_active_servers", "haproxy_server_status", "haproxy_backend_http_responses_total",
    "etcd_server_has_leader", "etcd_server_leader_changes_seen_total", "etcd_mvcc_db_total_size_in_bytes",
    "pg_stat_archiver_failed_count", "pg_stat_archiver_last_archive_age", "pg_stat_activity_max_tx_duration",
    "pg_stat_activity_count", "pg_settings_max_connections", "pg_database_size_bytes",
}
WORD = re.compile(r"(?<![\w{$])[a-zA-Z_]\w*(?![\w(])")
# Texts, labels, ranges, and lists of labels.
BESIDE = re.compile(r'"[^"]*"|\{[^}]*\}|\[[^]]*\]|\b(?:by|on|without|ignoring|group_left|group_right)\s*\([^)]*\)')


def names(expression: str) -> set[str]:
    """The metrics of an expression: words that are neither labels, nor functions, nor words of the language."""
    words = set(WORD.findall(BESIDE.sub(" ", expression))) - {"group_left", "group_right"}
    return {word for word in words if "_" in word or word in {"up", "ALERTS"}}


# The files of alarms, each with the page that lists them.
RULES = {"prometheus-rules.yml": "operations.md", "prometheus-rules-cluster.yml": "cluster.md"}


def rules(text: str) -> dict[str, str]:
    """The expression of each alarm of a file."""
    return dict(re.findall(r"^ +- alert: (\w+)\n(?: +#.*\n)* +expr: (.+)$", text, re.MULTILINE))


def listed(text: str) -> dict[str, set[str]]:
    """The alarms in a page's table, each with the metrics that its condition names."""
    table = re.search(r"^\| Alarm \| Condition \|.*\n\|[-|]+\n((?:\|.*\n)*)", text, re.MULTILINE)
    found: dict[str, set[str]] = {}
    for row in table[1].splitlines() if table else []:
        alarms, condition = row.split(" | ")[:2]
        metrics = set().union(*map(names, re.findall(r"`([^`]+)`", condition)))
        found |= {alarm: metrics for alarm in re.findall(r"`(\w+)`", alarms)}
    return found


def differences(found: dict[str, str], wanted: dict[str, set[str]]) -> list[str]:
    """Between the alarms of a file and those of a page: each is in both, and watches what the page says."""
    wrong = [f"{alarm} is not documented" for alarm in sorted(found.keys() - wanted.keys())]
    wrong += [f"{alarm} has no rule" for alarm in sorted(wanted.keys() - found.keys())]
    for alarm in sorted(found.keys() & wanted.keys()):
        watched = names(found[alarm])
        if not wanted[alarm] or wanted[alarm] - watched:
            wrong.append(f"{alarm} watches {sorted(watched)}, the page says {sorted(wanted[alarm])}")
    return wrong


def read(folder: str, name: str) -> str:
    """A file of the checkout."""
    with open(os.path.join(ROOT, folder, name), encoding="utf-8") as file:
        return file.read()


def undocumented() -> list[str]:
    """What differs between the files of alarms and the pages that list them."""
    return [f"{name}, {page}: {one}" for name, page in RULES.items()
            for one in differences(rules(read("deploy", name)), listed(read("docs", page)))]


def foreign() -> list[str]:
    """Alarms of one host that watch another program than ours: they would fire, or sleep, for ever."""
    return [alarm for alarm, expression in rules(read("deploy", "prometheus-rules.yml")).items()
            if names(expression) - served() - {"up"}]


def expressions() -> list[str]:
    """Of the rules and of the dashboard."""
    panels = json.loads(read("deploy", "grafana-dashboard.json"))["panels"]
    found = [expression for name in RULES for expression in rules(read("deploy", name)).values()]
    return found + [target["expr"] for panel in panels for target in panel.get("targets", [])]


def served() -> set[str]:
    """The metrics of the server, with the endings of counters and histograms."""
    with open(OURS, encoding="utf-8") as file:
        words = set(re.findall(r"^(gatehouse_\w+)", file.read(), re.MULTILINE))
    return words | {word + ending for word in words for ending in ("_total", "_bucket", "_sum", "_count")}


def unknown() -> list[str]:
    """Metrics that are named and that no program has."""
    known = served() | EXPORTED
    return sorted(set().union(*map(names, expressions())) - known)


def promtool() -> str:
    """What promtool has against the rules and their tests; nothing where it has nothing."""
    program = install.found("promtool")
    if program is None:
        return "promtool is missing: apt-get install prometheus"
    printed = ""
    for words in (["check", "rules", *RULES], ["test", "rules", *(name.replace(".yml", "-test.yml") for name in RULES)]):
        done = subprocess.run([program, *words], cwd=DEPLOY, capture_output=True, text=True, check=False)
        printed += done.stdout + done.stderr if done.returncode else ""
    return printed


def unseen(stage: "Stage") -> list[str]:
    """Of a running cluster: names that the programs themselves do not export."""
    text = "\n".join(stage.scraped())
    seen = set(re.findall(r"^(\w+)[ {]", text, re.MULTILINE))
    wanted = {name for name in EXPORTED if name.startswith(("patroni_", "haproxy_", "etcd_", "pg_"))}
    return [f"no program exports {name}" for name in sorted(wanted - seen)]
