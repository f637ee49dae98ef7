"""The hosted pages as a browser meets them: how soon there is something to read, how much is fetched for it, and how many
sign-in pages a server makes in a second beside an nginx that has one in a file."""
from __future__ import annotations

import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import urllib.parse

from gatehouse_bench.machine import ROOT, nginx, wrk
from gatehouse_bench.rounds import figure, in_turns
from gatehouse_bench.server import TENANT, Link, Server, running

PAINT_LIMIT, PAGE_LIMIT, ALL_LIMIT, REQUEST_LIMIT = 300.0, 14 << 10, 30 << 10, 3
# Pages that are there for a stranger.
PAGES = ("sign-in", "sign-up", "forgot", "signed-out")
# Fields that nginx has from itself, and those of a single answer.
OWN = {"content-length", "content-type", "date", "connection", "server", "keep-alive", "set-cookie", "x-request-id", "transfer-encoding"}
NEEDED = {"/usr/bin/chromium": "chromium", "nginx": "nginx-light", "wrk": "wrk"}


def get(address: str) -> tuple[int, dict[str, str], bytes]:
    """One answer."""
    parts = urllib.parse.urlsplit(address)
    link = Link(f"{parts.scheme}://{parts.netloc}")
    answer = link.ask("GET", parts.path + (f"?{parts.query}" if parts.query else ""))
    link.close()
    return answer


def root(server: Server) -> str:
    """Where the pages are: in development a browser is sent on to the server's own name."""
    address = f"{server.base}/t/{TENANT}/ui/sign-in"
    status, fields, _ = get(address)
    if status in (301, 302, 303, 307, 308):
        address = urllib.parse.urljoin(address, fields["location"])
    return address.partition("?")[0].removesuffix("sign-in")


def weight(address: str) -> tuple[int, int, list[str]]:
    """Bytes of a page, bytes of it with all that it names but the logo, and the addresses of that."""
    status, _, body = get(address)
    if status != 200:
        sys.exit(f"prove: {address} answers {status}")
    named = re.findall(rb'<(?:script|img|link)\b[^>]*(?:src|href)="([^"]+)"', body)
    parts = {urllib.parse.urljoin(address, one.decode()) for one in named if not one.startswith(b"data:")}
    total = len(body)
    for part in parts:
        status, _, text = get(part)
        if status != 200:
            sys.exit(f"prove: {part} answers {status}")
        total += 0 if "logo" in part else len(text)
    return len(body), total, sorted(parts)


def paints(address: str, count: int) -> list[float]:
    """Milliseconds to the first paint of one page, each time opened anew by the same browser."""
    with open(os.path.join(ROOT, "Tests/EndToEndTests/Browser/browser.py"), encoding="utf-8") as file:
        driver = file.read()
    plan = {"width": 390, "height": 844, "language": "en", "scripts": True,
            # The first one starts what a browser starts once.
            "steps": [step for _ in range(count + 1) for step in ({"open": address}, {"paint": True}, {"open": "about:blank"})]}
    done = subprocess.run(["/usr/bin/python3", "-I", "-c", driver], input=json.dumps(plan), capture_output=True, text=True,
                          check=False)
    if done.returncode != 0:
        sys.exit(f"prove: the browser did not get to its end:\n{done.stderr}")
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    times = [line["paint"] for line in lines if "paint" in line]
    if len(times) != count + 1 or None in times:
        sys.exit(f"prove: {address} was not painted each time: {times}")
    if faults := lines[-1]["complaints"]:
        sys.exit(f"prove: the browser complains: {faults}")
    return times[1:]


def table(rows: list[tuple[str, ...]]) -> None:
    """Prints columns."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())


def loading(server: Server, pages: str, count: int) -> bool:
    """The first paint, bytes and requests of each page."""
    rows: list[tuple[str, ...]] = [("page", "first paint", "slowest", "HTML", "all", "requests", "")]
    good = True
    for name in PAGES:
        times = paints(pages + name, count)
        alone, total, parts = weight(pages + name)
        median = statistics.median(times)
        met = (median <= PAINT_LIMIT and alone <= PAGE_LIMIT and total <= ALL_LIMIT and 1 + len(parts) <= REQUEST_LIMIT)
        good = good and met
        rows.append((name, f"{median:.0f} ms", f"{max(times):.0f} ms", f"{alone:,} B", f"{total:,} B", str(1 + len(parts)),
                     "met" if met else "NOT MET"))
    rows.append(("limit", f"{PAINT_LIMIT:.0f} ms", "", f"{PAGE_LIMIT:,} B", f"{ALL_LIMIT:,} B", str(REQUEST_LIMIT), ""))
    table(rows)
    print(f"medians of {count}; server, database and browser share the machine; resident {server.resident():.0f} MB")
    return good


def rate(pages: str, rounds: int, seconds: float) -> None:
    """Sign-in pages a second: each is made for its browser, with a flow in its cookie and a nonce of its own."""
    _, fields, body = get(pages + "sign-in")
    same = {name: value for name, value in fields.items() if name not in OWN}
    path = "/sign-in"
    with nginx({}, same, {path: body}) as base:
        (limits, ours), note = in_turns(
            rounds, lambda _: wrk(base + path, seconds, 64).demand_success("nginx").rate,
            lambda _: wrk(pages + "sign-in", seconds, 64).demand_success("sign-in").rate)
    ratio = statistics.median(ours) / statistics.median(limits)
    print()
    table([("rate", "a second", "rounds"),
           ("sign-in", figure(statistics.median(ours)), f"{figure(min(ours))} to {figure(max(ours))}"),
           (f"nginx, {len(body):,} bytes of a file", figure(statistics.median(limits)),
            f"{figure(min(limits))} to {figure(max(limits))}"),
           ("ratio", f"{ratio:.2f} x", "")])
    print(note)


def prove(program: str, quick: bool = False) -> bool:
    """Whether the pages keep their limits. The rate has none: it is printed."""
    if missing := [package for word, package in NEEDED.items() if shutil.which(word) is None]:
        sys.exit(f"prove: install {' '.join(missing)}")
    with running(program) as server:
        pages = root(server)
        good = loading(server, pages, 5 if quick else 20)
        rate(pages, 1 if quick else 5, 2 if quick else 5)
    return good
