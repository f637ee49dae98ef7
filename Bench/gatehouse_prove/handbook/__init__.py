"""docs/cluster.md, done word by word: its blocks of commands build a cluster on four hosts, which are namespaces of this machine.
Then a cable is pulled out."""
from __future__ import annotations

import concurrent.futures
import os
import re
import shutil
import tempfile
import time

from gatehouse_bench.machine import ROOT, run
from gatehouse_prove.failover import install
from gatehouse_prove.handbook.hosts import Hosts, hosts

# The hosts of each block, as the text above the block says: by step, and by block of the step.
WHERE = {(1, 0): (1, 2, 3), (2, 0): (1,), (4, 0): (1, 2, 3), (5, 0): (4,), (6, 0): (1, 2, 3), (6, 1): (4,), (7, 0): (1, 2, 3),
         (8, 0): (1, 2), (9, 0): (4,), (10, 0): (1,), (11, 0): (1, 2), (12, 0): (1,), (14, 0): (1,)}
# What is done otherwise here, and said: no host of these has a watchdog or a service manager.
OTHERWISE = {"deploy/patroni.yml": ("mode: required", "mode: 'off'"), "deploy/haproxy-people.cfg": ("maxconn 20000", "maxconn 2000")}
LIST = "/opt/patroni/bin/patronictl -c /etc/patroni/patroni.yml list"
# From the pulled cable to another primary.
LED = 25.0


def blocks(text: str) -> dict[tuple[int, int], str]:
    """The commands of the section that builds, by step and by block."""
    section = text[text.index("## Building it"):text.index("## Line by line")]
    found = {}
    for step in re.finditer(r"(?ms)^\*\*(\d+)\. .*?(?=^\*\*\d+\. |\Z)", section):
        for number, block in enumerate(re.findall(r"(?ms)^```sh\n(.*?)^```", step[0])):
            found[int(step[1]), number] = block
    return found


def installation(text: str) -> str:
    """The commands of deploy/README.md that install a program that is built."""
    return next(block.replace("\n   ", "\n") for block in re.findall(r"(?ms)^   ```sh\n   (.*?)^   ```", text) if "install .build" in block)


def prove(program: str, factor: float = 1) -> bool:
    """All steps, and the cut."""
    install.demand(install.PACKAGES | install.MORE | {"etcdctl": "etcd-client"})
    with open(os.path.join(ROOT, "docs", "cluster.md"), encoding="utf-8") as file:
        found = blocks(file.read())
    if set(found) - {(3, 0)} != set(WHERE):
        return said("the steps of docs/cluster.md are those of WHERE", [f"{sorted(set(found) ^ set(WHERE))}"])
    with tempfile.TemporaryDirectory(prefix="gatehouse-hosts-") as folder, hosts(folder) as all_of_them:
        prepare(all_of_them, program)
        for (step, number), where in WHERE.items():
            if wrong := do(all_of_them, step, found[3, 0], found[step, number], where):
                return said(f"step {step}", wrong)
            after(all_of_them, step)
        return said("every step of docs/cluster.md was done on its hosts (watchdog and systemd apart)",
                    listed(all_of_them, 1)) and cut(all_of_them, factor)


def prepare(made: Hosts, program: str) -> None:
    """What deploy/README.md says of the program, and packages of PyPI, which these hosts do not reach."""
    wheels = os.path.join(made.folder, "wheels")
    pip = [os.path.join(install.patroni(), "pip"), "download", "-q", "--disable-pip-version-check", "--no-deps", "--require-hashes",
           "--no-build-isolation", "-d", wheels]
    for name in ("build-requirements.txt", "requirements.txt"):
        run([*pip, "-r", os.path.join(install.HERE, name)])
    for number in (1, 2, 3):
        shutil.copytree(wheels, made.root(number) + "/root/wheels")
        for path, (before, after_it) in OTHERWISE.items():
            place = f"{made.root(number)}/root/gatehouse/{path}"
            with open(place, encoding="utf-8") as file:
                text = file.read()
            with open(place, "w", encoding="utf-8") as file:
                file.write(text.replace(before, after_it))
    with open(os.path.join(ROOT, "deploy", "README.md"), encoding="utf-8") as file:
        installing = installation(file.read())
    for number in (1, 2):
        made.put(number, "/root/gatehouse/.build/release/gatehouse", program)
        made.need(number, "cd gatehouse\n" + installing)
        made.need(number, "useradd --system --home /var/lib/gatehouse gatehouse")
    made.need(1, "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=auth.example.com "
                 "-keyout key -out pem && cat pem key > /etc/haproxy/auth.example.com.pem")


def do(made: Hosts, step: int, function: str, block: str, where: tuple[int, ...]) -> list[str]:
    """One block on its hosts, at the same time where the text says so."""
    # A unit cannot be killed by a stand-in of systemd: the cut does that.
    block = "".join(line for line in block.splitlines(True) if "systemctl kill" not in line)

    def one(number: int) -> str:
        text = block
        if step == 11 and number != where[0]:
            text = "".join(line for line in text.splitlines(True) if "db migrate" not in line)
        own = function.replace("NAME=n1 ADDRESS=10.0.0.1", f"NAME=n{number} ADDRESS=10.0.0.{number}") if step > 3 else ""
        # A person waits until the server is ready, and sees that the mail server of the examples does not exist.
        text = text.replace("&& curl http", "&& sleep 8 && curl -sf http").replace("\ngatehouse doctor", "\ngatehouse doctor || true")
        # systemd returns once a member of etcd has joined, and its stand-in at once.
        text = text.replace("ETCDCTL_API=3", "sleep 10; ETCDCTL_API=3")
        done = made.tell(number, own + text)
        return f"n{number}: {done.returncode} {(done.stdout + done.stderr)[-800:]}" if done.returncode else ""

    with concurrent.futures.ThreadPoolExecutor() as pool:
        results = list(pool.map(one, where)) if step == 4 else [one(number) for number in where]
    return [one for one in results if one]


def after(made: Hosts, step: int) -> None:
    """What a person does between two steps: copies files, waits for a list."""
    if step == 2:
        made.copy(1, "/root/secrets", 2, 3, 4)
        made.copy(1, "/root/kek", 2)
    if step == 5:
        for number in (1, 2, 3):
            for name in ("authority.pem", f"10.0.0.{number}.pem", f"10.0.0.{number}.key"):
                made.copy(4, f"/etc/pgbackrest/{name}", number)
    if step in (7, 14):
        await_true(lambda: not listed(made, 1), 90)
    if step == 12:
        made.need(1, "cp /root/gatehouse/policies/messai.yaml /tmp && chmod 644 /tmp/messai.yaml\n"
                     "runuser -u gatehouse -- gatehouse tenant create messai --policy /tmp/messai.yaml")


def listed(made: Hosts, number: int) -> list[str]:
    """Nothing where the list ends as step 7 says."""
    text = made.tell(number, LIST).stdout
    good = all(text.count(word) == count for word, count in (("Leader", 1), ("Sync Standby", 1), ("streaming", 2)))
    return [] if good else [text]


def primary(made: Hosts, other_than: int = 0) -> int:
    """The node that calls itself primary; 0 for none."""
    ask = "curl -s -m 1 -o /dev/null -w '%{http_code}' http://"
    return next((number for number in (1, 2, 3)
                 if number != other_than and made.tell(number, f"{ask}10.0.0.{number}:8008/primary").stdout == "200"), 0)


def cut(made: Hosts, factor: float) -> bool:
    """The cable of the primary is pulled out; users, who come in at n1, are served by another one. Then it is put in again."""
    old, answers = primary(made), [signed_up(made, "before")]
    made.link(old, "down")
    took = await_true(lambda: primary(made, other_than=old) != 0, 60)
    new = primary(made, other_than=old)
    await_true(lambda: made.tell(old, f"curl -s -m 1 -o /dev/null -w '%{{http_code}}' http://10.0.0.{old}:8008/primary").stdout != "200", 60)
    if old != 1:
        await_true(lambda: signed_up(made, "during") in ("201", "409"), 30)
    made.link(old, "up")
    await_true(lambda: not listed(made, new), 90)
    answers.append(signed_up(made, "after"))
    wrong = [f"sign-ups were answered {answers}"] if answers != ["201", "201"] else []
    wrong += [f"allowed are {LED * factor:g} s"] if took > LED * factor else []
    return said(f"the cable of n{old} is pulled out: n{new} leads after {took:.0f} s, n{old} gives up, and follows when it is back", wrong)


def signed_up(made: Hosts, name: str) -> str:
    """The status of a sign-up from outside, over TLS."""
    body = f'{{"email": "{name}@example.com", "password": "Quilted-Harbour-2031!", "profile": {{"displayName": "{name}"}}}}'
    return made.tell(4, "curl -sk -m 20 -o /dev/null -w '%{http_code}' --resolve auth.example.com:443:10.0.0.1 "
                        f"--json '{body}' https://auth.example.com/t/messai/v1/sign-up").stdout


def await_true(holds, patience: float) -> float:
    """Waits until something holds, or for so long; seconds."""
    began = time.monotonic()
    while not holds() and time.monotonic() - began < patience:
        time.sleep(0.3)
    return time.monotonic() - began


def said(text: str, wrong: list[str]) -> bool:
    """One line, and what was wrong below it."""
    print(f"handbook  {text}", flush=True)
    for one in wrong:
        print(f"          RED: {one}", flush=True)
    return not wrong
