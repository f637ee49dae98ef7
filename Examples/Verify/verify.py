"""Verifies access tokens of one Gatehouse tenant. The standard library has no elliptic curves: the signature needs the
package cryptography (Debian: python3-cryptography)."""
import base64
import json
import math
import os
import re
import sys
import threading
import time
import urllib.request

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature

ISSUER, AUDIENCE = os.environ["ISSUER"], os.environ["AUDIENCE"]
LEEWAY = 30  # seconds by which two clocks may differ
PAUSE = 10  # seconds at least between two fetches of the key set
KEPT = 3600  # seconds for which an outdated key set serves while no other can be fetched
FORM = re.compile(r"[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]{86}")


class Refused(Exception):
    """Answer 401, or 403 where the message is "access"."""


class Unavailable(Exception):
    """Answer 503."""


def verify(token, limited=False):
    """The claims of a good token. A token with limited access is refused unless `limited` allows it."""
    if len(token) > 8192 or not FORM.fullmatch(token):
        raise Refused("form")
    head, body, signature = token.split(".")
    header = parse(head)
    if header.get("alg") != "ES256" or header.get("typ") != "at+jwt" or "crit" in header:
        raise Refused("header")
    raw = decode(signature)
    pair = encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
    try:
        KEYS.key(header.get("kid")).verify(pair, f"{head}.{body}".encode(), ec.ECDSA(hashes.SHA256()))
    except InvalidSignature:
        raise Refused("signature") from None
    claims = parse(body)
    if claims.get("iss") != ISSUER:
        raise Refused("issuer")
    if claims.get("aud") != AUDIENCE:
        raise Refused("audience")
    if time.time() >= claims.get("exp", 0) + LEEWAY:
        raise Refused("expired")
    if claims.get("access") != "full" and not limited:
        raise Refused("access")
    return claims


def decode(part):
    return base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))


def parse(part):
    try:
        value = json.loads(decode(part))
    except (ValueError, RecursionError):
        raise Refused("form") from None
    if not isinstance(value, dict):
        raise Refused("form")
    return value


class KeySet:
    """The tenant's public keys, fetched when they are needed."""

    def __init__(self):
        self.lock = threading.Lock()
        self.keys, self.failure = {}, None
        self.fresh_until = self.asked = -math.inf

    def key(self, kid):
        with self.lock:
            now = time.monotonic()
            if (now >= self.fresh_until or not self.knows(kid)) and now >= self.asked + PAUSE:
                self.asked = now
                try:
                    self.fetch()
                except (OSError, ValueError, KeyError) as error:
                    self.failure = error
            if time.monotonic() >= self.fresh_until + KEPT:
                raise Unavailable("no key set") from self.failure
            if not self.knows(kid):
                raise Refused("key")
            return self.keys[kid]

    def knows(self, kid):
        return isinstance(kid, str) and kid in self.keys

    def fetch(self):
        with urllib.request.urlopen(ISSUER + "/.well-known/jwks.json", timeout=3) as answer:
            found, control = json.load(answer)["keys"], answer.headers.get("Cache-Control", "")
        good = [key for key in found if key.get("crv") == "P-256" and key.get("alg") == "ES256"]
        self.keys = {key["kid"]: public(key) for key in good}
        age = re.search(r"max-age=(\d+)", control)
        self.fresh_until = time.monotonic() + min(int(age[1]) if age else 300, KEPT)


def public(key):
    x, y = (int.from_bytes(decode(key[name]), "big") for name in ("x", "y"))
    return ec.EllipticCurvePublicNumbers(x, y, ec.SECP256R1()).public_key()


KEYS = KeySet()

# The program: verifies each line of its input. `python3 verify.py --limited` allows limited access.
if __name__ == "__main__":
    for line in sys.stdin:
        try:
            print("accepted", verify(line.rstrip("\n"), limited="--limited" in sys.argv)["sub"], flush=True)
        except Refused as refusal:
            print("refused", refusal, flush=True)
        except Unavailable as trouble:
            print("unavailable", trouble, flush=True)
