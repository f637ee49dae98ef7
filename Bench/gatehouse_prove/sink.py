"""A mail server that keeps what it took: every message, under its Message-ID, as often as it came."""
from __future__ import annotations

import collections
import email
import email.policy
import re
import socketserver
import threading


class Sink:
    """Listens on a port of its own. A message counts as taken before the client is told so."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.taken: collections.Counter[str] = collections.Counter()
        self.newest_token: dict[str, str] = {}
        self.links: dict[tuple[str, str], str] = {}
        sink = self

        class Session(socketserver.StreamRequestHandler):
            """One connection."""

            def handle(self) -> None:
                sink.converse(self)

        class Listener(socketserver.ThreadingTCPServer):
            """One thread for each connection."""

            daemon_threads = True
            allow_reuse_address = True

        self.listener = Listener(("127.0.0.1", 0), Session)
        threading.Thread(target=self.listener.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        """What the server is configured with."""
        return f"smtp://127.0.0.1:{self.listener.server_address[1]}?starttls=none"

    def converse(self, session: socketserver.StreamRequestHandler) -> None:
        """As much SMTP as a client of RFC 5321 needs."""
        def say(line: str) -> None:
            session.wfile.write(line.encode() + b"\r\n")

        try:
            say("220 sink")
            while line := session.rfile.readline():
                verb = line[:4].upper()
                if verb == b"DATA":
                    say("354 go on")
                    lines = []
                    while (part := session.rfile.readline()) and part != b".\r\n":
                        lines.append(part[1:] if part.startswith(b"..") else part)
                    if not part:
                        return
                    self.take(b"".join(lines))
                say("221 bye" if verb == b"QUIT" else "250 ok")
                if verb == b"QUIT":
                    return
        except OSError:
            pass  # the client was killed

    def take(self, message: bytes) -> None:
        """Notes one message, and the token of its link."""
        parsed = email.message_from_bytes(message, policy=email.policy.default)
        name = str(parsed["Message-ID"]).strip("<> \r\n").split("@")[0]
        body = parsed.get_body(("plain",))
        found = re.search(r"([a-z-]+)\?(?:lang=[A-Za-z-]+&)?token=([A-Za-z0-9_.~-]+)", body.get_content() if body else "")
        person = str(parsed["To"]).split("<")[-1].rstrip(">")
        with self.lock:
            self.taken[name] += 1
            if found:
                self.links[found[1], person.lower()] = found[2]
            if found and found[1] == "reset-password":
                self.newest_token[person] = found[2]

    def token(self, page: str, person: str) -> str | None:
        """That of the newest link to a page, such as verify-email."""
        with self.lock:
            return self.links.get((page, person.lower()))

    def close(self) -> None:
        """Listens no more."""
        self.listener.shutdown()
        self.listener.server_close()
