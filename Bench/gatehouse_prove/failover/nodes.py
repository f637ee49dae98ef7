"""Processes of the cluster: started, killed, frozen and ended by their ids."""
from __future__ import annotations

import contextlib
import glob
import os
import pwd
import re
import signal
import subprocess
import time


def is_root() -> bool:
    """PostgreSQL refuses to run as root, so its node then runs as another user."""
    return os.getuid() == 0


def give(path: str) -> str:
    """Makes a folder that the database's user owns."""
    os.makedirs(path, 0o700, exist_ok=True)
    return owned(path)


def owned(path: str) -> str:
    """A file or a folder as the database's user's own."""
    if is_root():
        user = pwd.getpwnam("postgres")
        os.chown(path, user.pw_uid, user.pw_gid)
    return path


def clean_environment() -> dict[str, str]:
    """Without settings of another server or database."""
    return {name: value for name, value in os.environ.items()
            if not name.startswith(("GATEHOUSE_", "PATRONI_", "ETCD_", "PGBACKREST_"))
            and not (name.startswith("PG") and name != "PGSYSCONFDIR")}


class Daemon:
    """One program in the foreground, with a log, in a session of its own: Ctrl-C reaches the proof alone, which then ends all."""

    def __init__(self, words: list[str], log: str, settings: dict[str, str] | None = None, as_postgres: bool = False) -> None:
        self.words, self.log, self.settings = words, log, settings or {}
        self.as_postgres = as_postgres and is_root()
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Starts it, unless it runs."""
        if self.is_alive:
            return
        user = {"user": "postgres", "group": "postgres", "extra_groups": []} if self.as_postgres else {}
        with open(self.log, "ab") as output:
            self.process = subprocess.Popen(
                self.words, stdin=subprocess.DEVNULL, stdout=output, stderr=output, env=clean_environment() | self.settings,
                start_new_session=True, cwd="/", **user)

    @property
    def is_alive(self) -> bool:
        """Whether it runs."""
        return self.process is not None and self.process.poll() is None

    def pids(self) -> list[int]:
        """It and all that it started."""
        return family(self.process.pid) if self.process is not None and self.is_alive else []

    def send(self, number: signal.Signals) -> None:
        """A signal to it alone."""
        if self.process is not None and self.is_alive:
            self.process.send_signal(number)

    def kill(self) -> None:
        """kill -9 of it and its children."""
        strike(self.pids(), signal.SIGKILL)
        self.wait()

    def wait(self, patience: float = 30) -> int | None:
        """Its exit code."""
        return self.process.wait(patience) if self.process is not None else None

    def end(self, patience: float = 20) -> int | None:
        """SIGTERM, and kill -9 where that does not do."""
        strike(self.pids(), signal.SIGCONT)
        self.send(signal.SIGTERM)
        try:
            return self.wait(patience)
        except subprocess.TimeoutExpired:
            self.kill()
            return None


class Node(Daemon):
    """Patroni and the PostgreSQL that it started."""

    def __init__(self, name: str, address: str, folder: str, programs: str, configuration: str) -> None:
        self.name, self.address, self.folder = name, address, folder
        self.data = os.path.join(folder, "gatehouse")
        # What a killed PostgreSQL leaves behind in the machine's memory, unless it starts again.
        self.segments: set[str] = set()
        self.files: set[str] = set()
        super().__init__([os.path.join(programs, "patroni"), configuration], os.path.join(folder, "node.log"), as_postgres=True)

    def postgres(self) -> list[int]:
        """The postmaster and its children. It is no child of Patroni, so that it outlives it."""
        with contextlib.suppress(OSError, ValueError):
            with open(os.path.join(self.data, "postmaster.pid"), encoding="utf-8") as file:
                head = int(file.readline())
            # The file of a killed postmaster may name a process of others.
            if os.readlink(f"/proc/{head}/cwd") == self.data:
                return family(head)
        return []

    def all(self) -> list[int]:
        """Everything of this machine."""
        return self.pids() + self.postgres()

    def note_memory(self) -> None:
        """Notes the shared memory of the running PostgreSQL."""
        pids = self.postgres()
        if pids:
            with contextlib.suppress(OSError, IndexError):
                with open(os.path.join(self.data, "postmaster.pid"), encoding="utf-8") as file:
                    self.segments.add(file.read().splitlines()[6].split()[1])
        # Some of it is mapped by children alone.
        for pid in pids:
            with contextlib.suppress(OSError):
                with open(f"/proc/{pid}/maps", encoding="utf-8") as file:
                    self.files |= set(re.findall(r"/dev/shm/PostgreSQL\.\d+", file.read()))

    def close(self) -> None:
        """Ends everything, whatever state it is in, and gives the shared memory back."""
        self.note_memory()
        self.thaw()
        strike(self.pids(), signal.SIGKILL)
        strike(self.postgres()[:1], signal.SIGQUIT)
        end = time.monotonic() + 5
        while self.postgres() and time.monotonic() < end:
            time.sleep(0.05)
        self.kill_all()
        for segment in self.segments:
            subprocess.run(["ipcrm", "-m", segment], capture_output=True, check=False)
        for path in self.files:
            with contextlib.suppress(OSError):
                os.unlink(path)

    def kill_postgres(self) -> None:
        """kill -9 of PostgreSQL, as when the kernel is out of memory."""
        self.note_memory()
        pids = self.postgres()
        strike(pids[:1], signal.SIGSTOP)  # it must not see its children go, or it would start them again
        strike([*pids[1:], *pids[:1]], signal.SIGKILL)

    def kill_patroni(self) -> None:
        """kill -9 of Patroni alone; its PostgreSQL goes on."""
        strike(self.pids(), signal.SIGKILL)
        self.wait()

    def kill_all(self) -> None:
        """kill -9 of everything, as when the machine loses power."""
        strike(self.pids(), signal.SIGSTOP)
        self.kill_postgres()
        self.kill_patroni()

    def freeze(self) -> None:
        """The machine falls silent: no process of it runs, every connection stays."""
        for _ in range(3):  # a process may be born between the look and the signal
            strike(self.all(), signal.SIGSTOP)
            time.sleep(0.01)

    def thaw(self) -> None:
        """It goes on as if no time had passed."""
        strike(self.all(), signal.SIGCONT)

    def senders(self) -> list[int]:
        """The processes that send the log to standbys."""
        return [pid for pid in self.postgres() if "walsender" in command(pid)]


def family(pid: int) -> list[int]:
    """A process and its descendants, parents first."""
    found, waiting = [], [pid]
    while waiting:
        one = waiting.pop(0)
        found.append(one)
        for path in glob.glob(f"/proc/{one}/task/*/children"):
            with contextlib.suppress(OSError):
                with open(path, encoding="utf-8") as file:
                    waiting += [int(word) for word in file.read().split()]
    return found


def command(pid: int) -> str:
    """The command line of a process; nothing where it is gone."""
    with contextlib.suppress(OSError):
        with open(f"/proc/{pid}/cmdline", encoding="utf-8", errors="replace") as file:
            return file.read()
    return ""


def strike(pids: list[int], number: signal.Signals) -> None:
    """A signal to each that is there."""
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, number)
