"""The programs of Examples/Verify, by which backends verify access tokens: each accepts what it must and nothing else, fetches
the key set no more often than it says, and knows a new signing key after one fetch."""
from __future__ import annotations

import base64
import dataclasses
import http.server
import json
import os
import shutil
import subprocess
import sys
import threading
import time

from gatehouse_bench.machine import ROOT
from gatehouse_bench.people import person, sign_up
from gatehouse_bench.server import TENANT, Link, Server, place, widened
from gatehouse_prove.keys import rotate

FOLDER = os.path.join(ROOT, "Examples", "Verify")
OTHER = "dd-ride"
# Seconds between two fetches, as the programs have it.
PAUSE = 10
# Debian's Python has Debian's cryptography.
PYTHON = "/usr/bin/python3"


@dataclasses.dataclass
class Language:
    """How a program is run, and the package that brings what runs it."""

    name: str
    words: list[str]
    package: str


LANGUAGES = [
    Language("node", ["node", "verify.mjs"], "nodejs"),
    Language("python", [PYTHON, "verify.py"], "python3"),
    Language("go", ["go", "run", "verify.go"], "golang-go"),
    Language("java", ["java", "Verify.java"], "default-jdk-headless"),
]

# Signs as the tenant does, with a key of its own: first its public half as a JWK, then a token for each line.
SIGNER = """
import base64, json, sys
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
def b64(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()
key = ec.generate_private_key(ec.SECP256R1())
point = key.public_key().public_numbers()
x, y = (b64(number.to_bytes(32, "big")) for number in (point.x, point.y))
print(json.dumps({"kty": "EC", "crv": "P-256", "x": x, "y": y, "kid": "proof", "use": "sig", "alg": "ES256"}), flush=True)
for line in sys.stdin:
    text = ".".join(b64(json.dumps(part).encode()) for part in json.loads(line))
    halves = decode_dss_signature(key.sign(text.encode(), ec.ECDSA(hashes.SHA256())))
    print(text + "." + b64(b"".join(half.to_bytes(32, "big") for half in halves)), flush=True)
"""


class Signer:
    """Makes tokens that are wrong in one thing, under a key that the gate publishes."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [PYTHON, "-I", "-c", SIGNER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.jwk = json.loads(self.line())

    def line(self) -> str:
        """The next line that it writes."""
        line = self.process.stdout.readline().strip()
        if not line:
            sys.exit("prove: the signer ended: apt-get install python3-cryptography")
        return line

    def token(self, header: dict, claims: dict) -> str:
        """A token with this header and these claims; None leaves a member out."""
        parts = [{name: value for name, value in part.items() if value is not None} for part in (header, claims)]
        self.process.stdin.write(json.dumps(parts) + "\n")
        self.process.stdin.flush()
        return self.line()


class Gate(http.server.ThreadingHTTPServer):
    """The server's public address: gives its key set with one more key, counts who asks, and can be shut."""

    daemon_threads = True

    def __init__(self, more: dict) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.more, self.target, self.count, self.is_open = more, "", 0, True
        self.base = f"http://127.0.0.1:{self.server_address[1]}"
        threading.Thread(target=self.serve_forever, daemon=True).start()


class Handler(http.server.BaseHTTPRequestHandler):
    """One request for the key set."""

    server: Gate

    def do_GET(self) -> None:
        """The server's answer, and one key more."""
        self.server.count += 1
        if not self.server.is_open:
            self.send_error(503)
            return
        link = Link(self.server.target)
        status, fields, text = link.ask("GET", self.path)
        link.close()
        body = json.dumps({"keys": json.loads(text)["keys"] + [self.server.more]}).encode()
        self.send_response(status)
        for name in ("content-type", "cache-control"):
            self.send_header(name, fields[name])
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Says nothing."""


class Backend:
    """One running program: a line for each token."""

    def __init__(self, language: Language, issuer: str, *more: str) -> None:
        self.process = subprocess.Popen(
            language.words + list(more), cwd=FOLDER, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            env=os.environ | {"ISSUER": issuer, "AUDIENCE": TENANT, "PYTHONDONTWRITEBYTECODE": "1"})

    def says(self, token: str) -> str:
        """Its verdict, without the account's id or an exception's text."""
        self.process.stdin.write(token + "\n")
        self.process.stdin.flush()
        words = self.process.stdout.readline().split()
        return " ".join(words[:2]) if words[:1] == ["refused"] else "".join(words[:1]) or "ended"

    def close(self) -> None:
        """Ends it, and what it started, by the end of its input."""
        self.process.stdin.close()
        self.process.wait(timeout=10)


def b64(data: bytes) -> str:
    """Base64url without padding."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def part(token: str, number: int) -> dict:
    """Header (0) or claims (1) of a token."""
    text = token.split(".")[number]
    return json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))


def cases(real: str, others: str, signer: Signer) -> list[tuple[str, str, str]]:
    """What each token is, the token, and what must be said of it."""
    head, body, signature = real.split(".")
    header, claims = part(real, 0), part(real, 1)
    own, now = header | {"kid": "proof"}, int(time.time())

    def made(more_header: dict | None = None, **more: object) -> str:
        return signer.token(own | (more_header or {}), claims | more)

    def with_head(**more: object) -> str:
        return b64(json.dumps(header | more).encode())

    flipped = ("A" if signature[0] != "A" else "B") + signature[1:]
    return [
        ("signed by the server", real, "accepted"),
        ("signed by the key of the proof", made(), "accepted"),
        ("expired, within the leeway", made(exp=now - 10), "accepted"),
        ("expired", made(exp=now - 60), "refused expired"),
        ("without exp", made(exp=None), "refused expired"),
        ("of another audience", made(aud="other"), "refused audience"),
        ("of another issuer", made(iss=claims["iss"] + "x"), "refused issuer"),
        ("with limited access", made(access="limited"), "refused access"),
        ("with an access of later servers", made(access="partial"), "refused access"),
        ("without access", made(access=None), "refused access"),
        ("of another type", made({"typ": "JWT"}), "refused header"),
        ("with an extension that must be understood", made({"crit": ["x"], "x": 1}), "refused header"),
        ("with a changed signature", f"{head}.{body}.{flipped}", "refused signature"),
        ("with changed claims", f"{head}.{b64(json.dumps(claims | {'role': 'admin'}).encode())}.{signature}",
         "refused signature"),
        ("signed with zeros", f"{head}.{body}.{b64(bytes(64))}", "refused signature"),
        ("by another key under the server's kid", made({"kid": header["kid"]}), "refused signature"),
        ("with alg none", f"{with_head(alg='none')}.{body}.", "refused form"),
        ("with alg none and a signature", f"{with_head(alg='none')}.{body}.{signature}", "refused header"),
        ("with alg HS256", f"{with_head(alg='HS256')}.{body}.{signature}", "refused header"),
        ("with a header that is no JSON", f"{b64(b'x')}.{body}.{signature}", "refused form"),
        ("with a header that is a list", f"{b64(b'[]')}.{body}.{signature}", "refused"),
        ("too long", f"{head}.{body}{'A' * 9000}.{signature}", "refused form"),
        ("of two parts", f"{head}.{body}", "refused form"),
        ("empty", "", "refused form"),
        ("of another tenant", others, "refused key"),
        ("of an unknown kid", made({"kid": "unknown"}), "refused key"),
        ("without a kid", made({"kid": None}), "refused key"),
        ("with a kid that is a list", made({"kid": ["proof"]}), "refused"),
    ]


class Stage:
    """A running server behind the gate, and a user who signs in."""

    def __init__(self, program: str, server: Server, gate: Gate, signer: Signer) -> None:
        self.program, self.server, self.gate, self.signer = program, server, gate, signer
        self.issuer = f"{gate.base}/t/{TENANT}"
        self.who = sign_up(server, 1, "v")[0]
        body = {"email": "v@ksu.edu", "password": "Wildcat1", "profile": {"name": "V", "phoneNumber": "785-555-0123"}}
        link = Link(server.base)
        self.others = link.json("POST", f"/t/{OTHER}/v1/sign-up", body)[1]["access_token"]
        link.close()
        # The first rotation publishes a next key, so that each later one has another key sign.
        rotate(program, server)

    def token(self) -> str:
        """An access token of a new sign-in."""
        return person(self.server, "sign-in", 200, self.who.email, self.who.password, self.who.credentials).access_token

    def rotated(self) -> str:
        """A token of a key that was not there before. Of the two that come, the first may have been published already."""
        before = {part(self.token(), 0)["kid"]}
        for _ in range(2):
            rotate(self.program, self.server, "--now")
            end = time.monotonic() + 30
            while part(token := self.token(), 0)["kid"] in before:
                if time.monotonic() > end:
                    sys.exit("prove: a rotation was not followed")
                time.sleep(0.05)
            before.add(part(token, 0)["kid"])
        return token

    def judge(self, language: Language) -> list[str]:
        """What one program did wrong."""
        faults: list[str] = []
        verdicts = 0

        def expect(what: str, is_so: object, should: object) -> None:
            nonlocal verdicts
            verdicts += 1
            if is_so != should and not (should == "refused" and str(is_so).startswith("refused ")):
                faults.append(f"{what}: {is_so}, not {should}")

        self.gate.count = 0
        backend, real = Backend(language, self.issuer), self.token()
        all_cases = cases(real, self.others, self.signer)
        for what, token, should in all_cases:
            expect(f"a token {what}", backend.says(token), should)
        fetched = time.monotonic()
        expect("fetches at first", self.gate.count, 1)
        rotated = self.rotated()
        time.sleep(max(0.0, fetched + PAUSE + 1 - time.monotonic()))
        expect("a token of a new key", backend.says(rotated), "accepted")
        expect("a token of the key before", backend.says(real), "accepted")
        for number in range(5):
            unknown = self.signer.token(part(real, 0) | {"kid": f"unknown{number}"}, part(real, 1))
            expect("a token of an unknown kid", backend.says(unknown), "refused key")
        expect("fetches in all", self.gate.count, 2)
        backend.close()
        limited = Backend(language, self.issuer, "--limited")
        for what, token, should in all_cases[7:9]:
            expect(f"where limited access will do, a token {what}", limited.says(token), "accepted")
        expect("where limited access will do, a token that expired", limited.says(all_cases[3][1]), "refused expired")
        limited.close()
        self.gate.is_open = False
        alone = Backend(language, self.issuer)
        expect("a token while there is no key set", [alone.says(real), alone.says(real)], ["unavailable"] * 2)
        alone.close()
        self.gate.is_open = True
        print(f"verify    {language.name}: {verdicts} expectations: {faults or 'as expected'}",
              flush=True)
        return faults


def prove(program: str) -> bool:
    """Each language in turn, on one server."""
    for language in LANGUAGES:
        if shutil.which(language.words[0]) is None:
            sys.exit(f"prove: there is no {language.words[0]}: apt-get install {language.package}")
    signer = Signer()
    gate = Gate(signer.jwk)
    with place() as path:
        policies = os.path.join(path, "policies")
        os.mkdir(policies)
        for tenant in (TENANT, OTHER):
            with open(os.path.join(ROOT, "policies", tenant + ".yaml"), encoding="utf-8") as file:
                text = file.read()
            with open(os.path.join(policies, tenant + ".yaml"), "w", encoding="utf-8") as file:
                file.write(widened(text))
        server = Server(program, os.path.join(path, "data"), policies, {"GATEHOUSE_PUBLIC_URL": gate.base})
        try:
            server.await_ready(TENANT)
            server.await_ready(OTHER)
            gate.target = server.base
            stage = Stage(program, server, gate, signer)
            faults = [fault for language in LANGUAGES for fault in stage.judge(language)]
        finally:
            server.stop()
            gate.shutdown()
            signer.process.kill()
    return is_swift_good() and not faults


def is_swift_good() -> bool:
    """Swift's file is compiled, not run, and only where a module has P-256: CryptoKit, or Crypto of swift-crypto."""
    if shutil.which("swiftc") is None:
        print("verify    swift: not compiled: there is no swiftc on this machine")
        return True
    done = subprocess.run(
        ["swiftc", "-typecheck", "-swift-version", "6", "-warnings-as-errors", os.path.join(FOLDER, "verify.swift")],
        capture_output=True, text=True, check=False)
    if "no such module 'Crypto'" in done.stderr:
        print("verify    swift: not compiled: neither CryptoKit nor Crypto is on this machine")
        return True
    print(f"verify    swift: {'compiles' if done.returncode == 0 else done.stderr}")
    return done.returncode == 0
