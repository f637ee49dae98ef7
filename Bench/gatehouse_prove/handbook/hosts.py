"""Hosts that are namespaces of this machine: each has its own network, and its own layer over this machine's files."""
from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator

from gatehouse_bench.machine import ROOT, run

NUMBERS = (1, 2, 3, 4)
# What a host has of the checkout.
SHARED = ("config", "deploy", "policies", "Bench/gatehouse_prove/failover")
PATHS = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


class Hosts:
    """Four of them, on one switch."""

    def __init__(self, folder: str) -> None:
        self.folder, self.mark = folder, f"gh{os.getpid() % 100000}"
        self.wheels = ""

    def root(self, number: int) -> str:
        """The files of a host, as this machine sees them."""
        return os.path.join(self.folder, str(number), "root")

    def name(self, number: int | str) -> str:
        """The network of a host, or of the switch."""
        return f"{self.mark}-{number}"

    def start(self) -> None:
        """Makes all of it; ends the proof where this machine does not allow it."""
        if os.getuid() != 0:
            sys.exit("prove: the handbook needs namespaces: run it as root")
        run(["mount", "-t", "tmpfs", "-o", "size=6g", "tmpfs", self.folder])
        run(["ip", "netns", "add", self.name("s")])
        run(["ip", "-n", self.name("s"), "link", "add", "bridge", "type", "bridge"])
        run(["ip", "-n", self.name("s"), "link", "set", "bridge", "up"])
        for number in NUMBERS:
            self.wire(number)
            self.layer(number)

    def wire(self, number: int) -> None:
        """A network with one address, by a cable to the switch."""
        switch, host, cable = self.name("s"), self.name(number), f"to{number}"
        run(["ip", "netns", "add", host])
        run(["ip", "-n", switch, "link", "add", cable, "type", "veth", "peer", "name", "eth0", "netns", host])
        run(["ip", "-n", switch, "link", "set", cable, "master", "bridge", "up"])
        run(["ip", "-n", host, "addr", "add", f"10.0.0.{number}/24", "dev", "eth0"])
        for device in ("eth0", "lo"):
            run(["ip", "-n", host, "link", "set", device, "up"])

    def layer(self, number: int) -> None:
        """This machine's files, with a layer of the host's own over them."""
        upper, work, root = (os.path.join(self.folder, str(number), name) for name in ("upper", "work", "root"))
        for path in (upper, work, root):
            os.makedirs(path)
        run(["mount", "-t", "overlay", "overlay", "-o", f"lowerdir=/,upperdir={upper},workdir={work}", root])
        run(["mount", "-t", "proc", "proc", root + "/proc"])
        run(["mount", "--rbind", "/dev", root + "/dev"])
        run(["mount", "--make-rslave", root + "/dev"])
        for place in ("/dev/shm", "/run", "/tmp"):
            run(["mount", "-t", "tmpfs", "-o", "mode=1777", "tmpfs", root + place])
        here = os.path.dirname(os.path.abspath(__file__))
        self.put(number, "/usr/local/sbin/systemctl", os.path.join(here, "systemctl.py"))
        with open(root + "/usr/local/sbin/apt-get", "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\n")
        os.chmod(root + "/usr/local/sbin/apt-get", 0o755)
        for path in SHARED:
            shutil.copytree(os.path.join(ROOT, path), f"{root}/root/gatehouse/{path}", ignore=shutil.ignore_patterns("__pycache__"))

    def put(self, number: int, path: str, source: str) -> None:
        """A program of a host."""
        os.makedirs(os.path.dirname(self.root(number) + path), exist_ok=True)
        shutil.copy(source, self.root(number) + path)
        os.chmod(self.root(number) + path, 0o755)

    def copy(self, source: int, path: str, *targets: int) -> None:
        """A file from one host to others, owner and mode as they are."""
        for target in targets:
            os.makedirs(os.path.dirname(self.root(target) + path), exist_ok=True)
            run(["cp", "-p", self.root(source) + path, self.root(target) + path])

    def tell(self, number: int, script: str) -> subprocess.CompletedProcess[str]:
        """A script of bash on a host, as root."""
        return subprocess.run(
            ["ip", "netns", "exec", self.name(number), "unshare", "--ipc", "chroot", self.root(number), "/bin/bash", "-e", "-o",
             "pipefail", "-c", "cd /root\n" + script], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
            env={"PATH": PATHS, "HOME": "/root", "LANG": "C.UTF-8", "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": "/root/wheels"})

    def need(self, number: int, script: str) -> str:
        """The same where it must succeed; what it printed."""
        done = self.tell(number, script)
        if done.returncode:
            sys.exit(f"prove: n{number}: {done.stdout}{done.stderr}")
        return done.stdout

    def link(self, number: int, state: str) -> None:
        """Pulls the cable of a host out, or puts it in again."""
        run(["ip", "-n", self.name("s"), "link", "set", f"to{number}", state])

    def close(self) -> None:
        """Ends every process of the hosts, and takes them apart."""
        for number in NUMBERS:
            done = subprocess.run(["ip", "netns", "pids", self.name(number)], capture_output=True, text=True, check=False)
            for pid in map(int, done.stdout.split()):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
        for words in ([*(["umount", "-R", "-l", self.root(number)] for number in NUMBERS), ["umount", "-l", self.folder],
                       *(["ip", "netns", "del", self.name(number)] for number in (*NUMBERS, "s"))]):
            subprocess.run(words, capture_output=True, check=False)


@contextlib.contextmanager
def hosts(folder: str) -> Iterator[Hosts]:
    """Hosts that are gone afterwards."""
    made = Hosts(folder)
    try:
        made.start()
        yield made
    finally:
        made.close()
