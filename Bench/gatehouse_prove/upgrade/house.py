"""One installation that several builds run on in turn: its data, its policy files, its mail and a receiver of webhooks."""
from __future__ import annotations

import http.client
import http.server
import json
import os
import re
import shutil
import ssl
import subprocess
import sys
import threading
import time
import urllib.parse

from gatehouse_bench.machine import free_port, run
from gatehouse_bench.server import Server
from gatehouse_prove.sink import Sink

TENANTS = ("messai", "dd-ride", "vibes")
HIDDEN = "hidden"


class Letters(Sink):
    """A mail server that keeps the words of each message."""

    def __init__(self) -> None:
        self.words: list[tuple[str, str]] = []
        self.is_closed = False
        super().__init__()

    def take(self, message: bytes) -> None:
        """Notes recipient and text. Once closed it breaks connections that a server kept."""
        if self.is_closed:
            raise ConnectionAbortedError
        text = message.decode(errors="replace").replace("\r\n", "\n").replace("=\n", "").replace("=3D", "=")
        to = re.search(r"^To: .*?([\w.+-]+@[\w.-]+)", text, re.MULTILINE)
        with self.lock:
            self.words.append((to[1] if to else "", text))

    def close(self) -> None:
        """Takes no mail any more."""
        self.is_closed = True
        super().close()

    def code(self, address: str) -> str:
        """The six digits of the newest mail to an address, once there is one."""
        found = re.search(r"^\s*(\d{6})\s*$", self.newest(address), re.MULTILINE)
        if not found:
            sys.exit(f"prove: the mail to {address} has no code")
        return found[1]

    def newest(self, address: str, word: str = "", patience: float = 60) -> str:
        """The newest mail to an address that has this word, once there is one; else nothing."""
        end = time.monotonic() + patience
        while time.monotonic() < end:
            with self.lock:
                texts = [text for to, text in self.words if to == address and word in text]
            if texts:
                return texts[-1]
            time.sleep(0.1)
        return ""


class Hook:
    """An HTTPS server that keeps what webhooks send it."""

    def __init__(self, folder: str) -> None:
        self.certificate, key = os.path.join(folder, "hook.pem"), os.path.join(folder, "hook.key")
        run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
             "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", key, "-out",
             self.certificate])
        os.chmod(self.certificate, 0o644)
        self.seen: list[tuple[dict[str, str], bytes]] = []
        seen = self.seen

        class Receiver(http.server.BaseHTTPRequestHandler):
            """Takes everything."""

            def do_POST(self) -> None:  # pylint: disable=invalid-name
                """Keeps fields and body."""
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                seen.append(({name.lower(): value for name, value in self.headers.items()}, body))
                self.send_response(204)
                self.end_headers()

            def log_message(self, *_: object) -> None:  # pylint: disable=arguments-differ
                """Says nothing."""

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.certificate, key)
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"https://localhost:{self.server.server_address[1]}/hook"


class House:
    """What outlives each server."""

    def __init__(self, path: str) -> None:
        self.path, self.data = path, os.path.join(path, "data")
        self.policies = os.path.join(path, "policies")
        os.mkdir(self.policies)
        self.hook = Hook(path)
        self.letters: Letters | None = None
        self.server: Server | None = None
        self.program, self.admin = "", ""
        self.settings: dict[str, str] = {}

    def start(self, program: str) -> None:
        """Starts a build on the data, with a mail server that takes mail."""
        self.program, self.letters = program, Letters()
        listen = f"127.0.0.1:{free_port()}"
        self.admin = f"http://{listen}"
        self.settings = {
            "GATEHOUSE_ADMIN_LISTEN": listen, "GATEHOUSE_OUTBOUND_AUTHORITIES": self.hook.certificate,
            "GATEHOUSE_PUBLIC_URL": "http://localhost", "GATEHOUSE_SMTP_URL": self.letters.url,
            "GATEHOUSE_MAIL_FROM": "proof@example.com"}
        self.server = Server(program, self.data, self.policies, self.settings)
        for tenant in (*TENANTS, HIDDEN):
            self.server.await_ready(tenant)

    def stop(self) -> None:
        """Ends the server, cleanly."""
        if self.server and (code := self.server.stop()) != 0:
            sys.exit(f"prove: the server ended with {code}; see {self.server.log}")
        self.server = None
        self.end_mail()

    def end_mail(self) -> None:
        """Takes no mail any more: what is sent from now on stays in the outbox."""
        if self.letters:
            self.letters.close()
        self.letters = None

    def ask(
        self, method: str, url: str, body: object = None, token: str | None = None, fields: dict[str, str] | None = None
    ) -> tuple[int, bytes]:
        """Status and bytes of one answer; a path is one of the public listener."""
        where = urllib.parse.urlsplit(url if "://" in url else self.server.base + url)
        connection = http.client.HTTPConnection(str(where.hostname), where.port, timeout=60)
        sent = dict(fields or {}) | ({"Authorization": f"Bearer {token}"} if token else {})
        if body is not None:
            sent["Content-Type"] = "application/json"
        try:
            connection.request(method, where.path, json.dumps(body) if body is not None else None, sent)
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    def post(self, tenant: str, path: str, body: object, token: str | None = None, **fields: str) -> tuple[int, bytes]:
        """POST to a tenant's API."""
        return self.ask("POST", f"/t/{tenant}/v1/{path}", body, token, fields)

    def tell(self, *words: str, given: str | None = None) -> tuple[int, str]:
        """Exit code and output of a verb of the command line, beside the server."""
        done = subprocess.run(
            [self.program, *words, "--data-dir", self.data], capture_output=True, text=True, check=False, input=given,
            env={name: value for name, value in os.environ.items() if not name.startswith("GATEHOUSE_")}
            | self.settings | {"GATEHOUSE_DEV": "true"})
        return done.returncode, done.stdout + (done.stderr if done.returncode else "")

    def copy(self) -> str:
        """A copy of the data of a stopped server, with owners and rights."""
        target = os.path.join(self.path, "kept")
        run(["cp", "-a", self.data, target])
        return target

    def restore(self, copy: str) -> None:
        """Puts a copy in the place of the data."""
        shutil.rmtree(self.data)
        run(["cp", "-a", copy, self.data])

    def close(self) -> None:
        """Ends what still runs."""
        if self.server and self.server.process.poll() is None:
            self.server.stop()
        self.end_mail()
        self.hook.server.shutdown()
