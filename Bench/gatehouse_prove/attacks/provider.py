"""An identity provider at which the attacker has an account, behind a gate that holds its answers up."""
from __future__ import annotations

import json
import os
import queue
import socket
import subprocess
import threading
import time

from gatehouse_bench.machine import ROOT, run

NAME, CLIENT = "visitor", "attacks"
PEER = os.path.join(ROOT, "Sources", "GatehouseTesting", "identity_peer.py")
# Debian's, which has Debian's cryptography.
PYTHON = "/usr/bin/python3"


class Gate:
    """A relay to a port of this machine. While it is shut, what a client sends waits here."""

    def __init__(self, port: int) -> None:
        self.target = port
        # How many connections came.
        self.visits = 0
        self.opened, self.held = threading.Event(), threading.Event()
        self.opened.set()
        self.listener = socket.create_server(("127.0.0.1", 0))
        threading.Thread(target=self.accept, daemon=True).start()

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self.listener.getsockname()[1])

    def shut(self) -> None:
        """Holds up everything from now on; `held` is set once something waits."""
        self.held.clear()
        self.opened.clear()

    def open(self) -> None:
        """Lets through what waits, and what comes."""
        self.opened.set()

    def accept(self) -> None:
        """One pair of threads for each connection."""
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            self.visits += 1
            peer = socket.create_connection(("127.0.0.1", self.target))
            threading.Thread(target=self.pump, args=(client, peer, True), daemon=True).start()
            threading.Thread(target=self.pump, args=(peer, client, False), daemon=True).start()

    def pump(self, source: socket.socket, sink: socket.socket, waits: bool) -> None:
        """Copies one direction until its end."""
        try:
            while data := source.recv(65_536):
                if waits and not self.opened.is_set():
                    self.held.set()
                    self.opened.wait()
                sink.sendall(data)
            sink.shutdown(socket.SHUT_WR)
        except OSError:
            pass  # one of the two hung up


class Provider:
    """The tests' own provider (OAuth 2.0 with PKCE), told by lines of JSON."""

    def __init__(self, place: str) -> None:
        self.certificate, key = os.path.join(place, "provider.pem"), os.path.join(place, "provider.key")
        run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
             "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", key, "-out",
             self.certificate])
        os.chmod(self.certificate, 0o644)
        self.process = subprocess.Popen([PYTHON, PEER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.answers: queue.Queue[dict] = queue.Queue()
        self.lock = threading.Lock()
        threading.Thread(target=self.listen, daemon=True).start()
        self.port = int(self.tell({"certificate": self.certificate, "key": key})["port"])
        self.gate = Gate(self.port)

    @property
    def endpoints(self) -> dict[str, str]:
        """Where a policy finds it: what servers ask leads through the gate."""
        return {"authorization": f"https://localhost:{self.port}/authorize",
                "token": f"https://localhost:{self.gate.port}/token",
                "userinfo": f"https://localhost:{self.gate.port}/userinfo"}

    def listen(self) -> None:
        """Reads what it says; the requests that it saw are passed over."""
        for line in self.process.stdout or ():
            event = json.loads(line)
            if event["event"] != "request":
                self.answers.put(event)

    def tell(self, command: dict) -> dict:
        """What it answers to one line."""
        with self.lock:
            print(json.dumps(command), file=self.process.stdin, flush=True)
            return self.answers.get(timeout=30)

    def register(self, redirects: list[str]) -> None:
        """The one client, and where its people come back to."""
        self.tell({"do": "client", "id": CLIENT, "redirect_uris": redirects})

    def consent(self, subject: str, email: str, url: str) -> str:
        """Where a person is sent back to who allows everything."""
        self.tell({"do": "user", "claims": {"sub": subject, "email": email, "email_verified": True}})
        return str(self.tell({"do": "consent", "url": url}).get("location", ""))

    def id_token(self, audience: str, subject: str, email: str) -> str:
        """An ID token that says whatever its issuer likes."""
        now = int(time.time())
        claims = {"iss": f"https://localhost:{self.port}", "aud": audience, "sub": subject, "email": email,
                  "email_verified": True, "iat": now, "exp": now + 600}
        return str(self.tell({"do": "mint", "claims": claims})["token"])

    def close(self) -> None:
        """Ends it."""
        self.gate.open()
        self.gate.listener.close()
        if self.process.stdin:
            self.process.stdin.close()
        self.process.wait(10)
