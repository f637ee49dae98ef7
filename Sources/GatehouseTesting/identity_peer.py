# An identity provider for tests: OpenID Connect and plain OAuth 2.0 over HTTPS on a free loopback port, with Debian's cryptography for
# its signatures. People consent at once, as they are told to; faults are set from outside. Reads commands and writes events as JSON, one
# a line; ends when its standard input does. First line in: the configuration.
import base64
import hashlib
import http.server
import json
import secrets
import ssl
import sys
import threading
import time
import urllib.parse

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa, utils

output = threading.Lock()
turn = threading.RLock()
held = threading.Event()


def say(event):
    with output:
        sys.stdout.write(json.dumps(event) + "\n")
        sys.stdout.flush()


def url64(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def whole(number):
    return url64(number.to_bytes((number.bit_length() + 7) // 8, "big"))


class Key:
    def __init__(self, algorithm="RS256"):
        self.algorithm = algorithm
        self.kid = secrets.token_hex(8)
        if algorithm == "RS256":
            self.private = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        else:
            self.private = ec.generate_private_key(ec.SECP256R1())

    def jwk(self):
        numbers = self.private.public_key().public_numbers()
        jwk = {"kid": self.kid, "use": "sig", "alg": self.algorithm}
        if self.algorithm == "RS256":
            return jwk | {"kty": "RSA", "n": whole(numbers.n), "e": whole(numbers.e)}
        x, y = numbers.x.to_bytes(32, "big"), numbers.y.to_bytes(32, "big")
        return jwk | {"kty": "EC", "crv": "P-256", "x": url64(x), "y": url64(y)}

    def token(self, claims, kid=None):
        head = {"alg": self.algorithm, "typ": "JWT", "kid": kid or self.kid}
        signed = url64(json.dumps(head).encode()) + "." + url64(json.dumps(claims).encode())
        if self.algorithm == "RS256":
            signature = self.private.sign(signed.encode(), padding.PKCS1v15(), hashes.SHA256())
        else:
            r, s = utils.decode_dss_signature(self.private.sign(signed.encode(), ec.ECDSA(hashes.SHA256())))
            signature = r.to_bytes(32, "big") + s.to_bytes(32, "big")
        return signed + "." + url64(signature)


class State:
    """What the provider remembers, under `turn`."""

    def __init__(self):
        self.keys = [Key()]
        self.clients = {}
        self.users = {}
        self.current = None
        self.granted = None
        self.denies = False
        self.rotates = True
        self.expires_in = 3600
        self.now = None
        self.auth_time = None
        self.codes = {}
        self.access = {}
        self.refresh = {}
        self.used = set()
        self.faults = {}
        self.counts = {"exchanges": 0, "refreshes": 0, "replays": 0, "revocations": 0}

    def time(self):
        return int(self.now if self.now is not None else time.time())


state = State()


class Refused(Exception):
    def __init__(self, code, status=400):
        self.code, self.status = code, status


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, *_):
        pass

    @property
    def root(self):
        return "https://localhost:%d" % server.server_address[1]

    def answer(self):
        # One handler has all requests of a connection, and some of them answer in another way.
        self.__dict__.pop("give", None)
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        parts = urllib.parse.urlsplit(self.path)
        self.query = dict(urllib.parse.parse_qsl(parts.query, keep_blank_values=True))
        self.form = {}
        if "urlencoded" in (self.headers.get("Content-Type") or ""):
            self.form = dict(urllib.parse.parse_qsl(body.decode(), keep_blank_values=True))
        self.body = body
        say({
            "event": "request", "method": self.command, "path": parts.path, "headers": self.headers.items(),
            "query": self.query, "form": self.form, "body": base64.b64encode(body).decode(),
        })
        with turn:
            faults = state.faults.get(parts.path) or []
            fault = faults[0] if faults else None
            if fault and fault.get("times") is not None:
                fault["times"] -= 1
                if fault["times"] <= 0:
                    faults.pop(0)
        if fault and fault["kind"] != "lost":
            return self.misbehave(fault)
        if fault:
            self.give = lambda *_: setattr(self, "close_connection", True)
        name = {
            "/.well-known/openid-configuration": "metadata", "/jwks": "jwks", "/authorize": "authorize", "/token": "token",
            "/userinfo": "userinfo", "/v1/me": "spotify", "/user": "github", "/revoke": "revoke",
        }.get(parts.path)
        if parts.path.startswith("/applications/") and parts.path.endswith("/grant"):
            name = "github_grant"
        if not name:
            return self.give(404, {"error": "not_found"})
        try:
            with turn:
                status, value = getattr(self, name)()
        except Refused as refused:
            status, value = refused.status, {"error": refused.code, "error_description": "no"}
        self.give(status, value)

    do_GET = do_POST = do_DELETE = answer

    def give(self, status, value, headers=None):
        self.send_response(status)
        body = b"" if value is None else json.dumps(value).encode()
        self.send_header("Content-Type", "application/json")
        self.send_header("Cache-Control", "no-store")
        for name, text in (headers or {}).items():
            self.send_header(name, text)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def misbehave(self, fault):
        kind = fault["kind"]
        if kind == "status":
            headers = {"Retry-After": fault["retry_after"]} if fault.get("retry_after") else {}
            self.give(fault["status"], fault.get("json"), headers)
        elif kind == "body":
            data = base64.b64decode(fault["body"])
            self.send_response(fault.get("status") or 200)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)
        elif kind == "redirect":
            self.send_response(302)
            self.send_header("Location", fault["location"])
            self.send_header("Content-Length", "0")
            self.end_headers()
        elif kind == "silent":
            self.close_connection = True
            held.wait()
        elif kind == "close":
            self.close_connection = True
        elif kind == "huge":
            self.close_connection = True
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"{" + b" " * 1_000_000)

    # What it does when it behaves.

    def metadata(self):
        root = self.root
        return 200, {
            "issuer": root, "authorization_endpoint": root + "/authorize", "token_endpoint": root + "/token",
            "userinfo_endpoint": root + "/userinfo", "jwks_uri": root + "/jwks", "revocation_endpoint": root + "/revoke",
            "response_types_supported": ["code"], "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["RS256", "ES256"],
            "code_challenge_methods_supported": ["S256"], "scopes_supported": ["openid", "email", "profile"],
        }

    def jwks(self):
        return 200, {"keys": [key.jwk() for key in state.keys]}

    def authorize(self):
        self.send_response(302)
        self.send_header("Location", consent(self.query))
        self.send_header("Content-Length", "0")
        self.end_headers()
        self.give = lambda *_: None
        return 302, None

    def client(self):
        head = self.headers.get("Authorization") or ""
        if head.startswith("Basic "):
            name, _, secret = base64.b64decode(head[6:]).decode().partition(":")
            name, secret = urllib.parse.unquote(name), urllib.parse.unquote(secret)
        else:
            name, secret = self.form.get("client_id"), self.form.get("client_secret")
        client = state.clients.get(name)
        if not client or (client.get("secret") is not None and client["secret"] != secret):
            raise Refused("invalid_client", 401)
        return name

    def token(self):
        name = self.client()
        kind = self.form.get("grant_type")
        if kind == "authorization_code":
            return self.exchange(name)
        if kind == "refresh_token":
            return self.renew(name)
        raise Refused("unsupported_grant_type")

    def exchange(self, name):
        code = state.codes.pop(self.form.get("code"), None)
        if not code or code["client"] != name or code["redirect_uri"] != self.form.get("redirect_uri"):
            raise Refused("invalid_grant")
        verifier = self.form.get("code_verifier") or ""
        if url64(hashlib.sha256(verifier.encode()).digest()) != code["challenge"]:
            raise Refused("invalid_grant")
        state.counts["exchanges"] += 1
        grant = {"client": name, "user": code["user"], "scopes": code["scopes"], "separator": code["separator"]}
        given = self.tokens(grant)
        given["refresh_token"] = self.new_refresh(grant)
        if "openid" in code["scopes"]:
            given["id_token"] = id_token(self.root, grant, code)
        return 200, given

    def renew(self, name):
        token = self.form.get("refresh_token")
        grant = state.refresh.get(token)
        if token in state.used:
            state.counts["replays"] += 1
        if not grant or grant["client"] != name:
            raise Refused("invalid_grant")
        state.counts["refreshes"] += 1
        if state.granted is not None:
            grant["scopes"] = [one for one in grant["scopes"] if one in state.granted]
        given = self.tokens(grant)
        if state.rotates:
            del state.refresh[token]
            state.used.add(token)
            given["refresh_token"] = self.new_refresh(grant)
        return 200, given

    def tokens(self, grant):
        token = "at_" + secrets.token_urlsafe(32)
        state.access[token] = grant
        return {
            "access_token": token, "token_type": "Bearer", "expires_in": state.expires_in,
            "scope": grant["separator"].join(grant["scopes"]),
        }

    def new_refresh(self, grant):
        token = "rt_" + secrets.token_urlsafe(48)
        state.refresh[token] = grant
        return token

    def holder(self):
        head = self.headers.get("Authorization") or ""
        grant = state.access.get(head[7:]) if head.startswith("Bearer ") else None
        if not grant:
            raise Refused("invalid_token", 401)
        return state.users[grant["user"]]

    def userinfo(self):
        return 200, self.holder()

    def spotify(self):
        user = self.holder()
        return 200, {
            "id": user["sub"], "display_name": user.get("name"), "email": user.get("email"), "type": "user",
            "uri": "spotify:user:" + user["sub"], "product": "premium", "images": [], "followers": {"href": None, "total": 0},
        }

    def github(self):
        user = self.holder()
        return 200, {
            "id": int(user["sub"]), "login": user.get("login"), "name": user.get("name"), "email": user.get("email"),
            "avatar_url": user.get("picture"), "two_factor_authentication": False,
        }

    def revoke(self):
        self.client()
        grant = state.refresh.get(self.form.get("token")) or state.access.get(self.form.get("token"))
        if grant:
            withdraw(lambda other: other is grant)
        state.counts["revocations"] += 1
        return 200, None

    def github_grant(self):
        name, _, secret = base64.b64decode((self.headers.get("Authorization") or "Basic ")[6:]).decode().partition(":")
        client = state.clients.get(name)
        if not client or client.get("secret") != secret or self.path != "/applications/%s/grant" % name:
            raise Refused("not_found", 404)
        grant = state.access.get(json.loads(self.body).get("access_token"))
        if not grant:
            raise Refused("unprocessable", 422)
        withdraw(lambda other: other is grant)
        state.counts["revocations"] += 1
        return 204, None


def consent(asked):
    """What a person does who is sent here, and where that leads them."""
    client = state.clients.get(asked.get("client_id"))
    if not client or asked.get("redirect_uri") not in client["redirect_uris"]:
        raise Refused("invalid_request")
    if asked.get("response_type") != "code" or asked.get("code_challenge_method") != "S256":
        raise Refused("invalid_request")
    back = {"state": asked.get("state", "")}
    if state.denies:
        back["error"] = "access_denied"
    else:
        code = secrets.token_urlsafe(24)
        scopes = asked.get("scope", "").replace(",", " ").split()
        state.codes[code] = {
            "client": asked["client_id"], "redirect_uri": asked["redirect_uri"], "nonce": asked.get("nonce"),
            "challenge": asked.get("code_challenge"), "user": state.current,
            "scopes": scopes if state.granted is None else [one for one in scopes if one in state.granted],
            "is_asked_anew": asked.get("max_age") == "0" and "login" in asked.get("prompt", "").split(),
            "separator": "," if "," in asked.get("scope", "") else " ",
        }
        back["code"] = code
    return asked["redirect_uri"] + "?" + urllib.parse.urlencode(back)


def withdraw(matches):
    for tokens in (state.access, state.refresh):
        for token in [token for token, grant in tokens.items() if matches(grant)]:
            del tokens[token]


def auth_time(asked_anew):
    """When the person signed in here, as it says: an honest provider asks them anew where it is told to, and they came a day ago."""
    if state.auth_time == "honest":
        return state.time() - (0 if asked_anew else 86400)
    return state.time() + state.auth_time if isinstance(state.auth_time, int) else state.auth_time


def id_token(root, grant, code):
    now, nonce = state.time(), code["nonce"]
    claims = {"iss": root, "aud": grant["client"], "iat": now, "exp": now + 3600} | state.users[grant["user"]]
    if nonce is not None:
        claims["nonce"] = nonce
    if state.auth_time is not None:
        claims["auth_time"] = auth_time(code["is_asked_anew"])
    return state.keys[0].token(claims)


def obey(command):
    do = command["do"]
    if do == "client":
        state.clients[command["id"]] = {"secret": command.get("secret"), "redirect_uris": command["redirect_uris"]}
    elif do == "user":
        state.users[command["claims"]["sub"]] = command["claims"]
        state.current = command["claims"]["sub"]
    elif do == "set":
        for name, value in command["values"].items():
            setattr(state, name, value)
    elif do == "grant_only":
        state.granted = command.get("scopes")
    elif do == "fault":
        faults = state.faults.setdefault(command["path"], [])
        faults.append(dict(command["fault"]))
    elif do == "heal":
        state.faults.clear()
    elif do == "rotate_keys":
        state.keys = [Key(command.get("algorithm") or "RS256")] + (state.keys[:1] if command.get("keeps") else [])
    elif do == "withdraw":
        withdraw(lambda grant: grant["user"] == command["sub"])
    elif do == "consent":
        try:
            parts = urllib.parse.urlsplit(command["url"])
            return {"location": consent(dict(urllib.parse.parse_qsl(parts.query, keep_blank_values=True)))}
        except Refused as refused:
            return {"refused": refused.code}
    elif do == "mint":
        return {"token": state.keys[0].token(command["claims"], command.get("kid"))}
    elif do == "state":
        return {
            "counts": state.counts, "access": len(state.access), "refresh": len(state.refresh),
            "refresh_tokens": list(state.refresh),
        }
    return {}


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def finish_request(self, request, client_address):
        try:
            request = context.wrap_socket(request, server_side=True)
            super().finish_request(request, client_address)
            request.close()
        except (OSError, ssl.SSLError):
            pass

    def handle_error(self, *_):
        pass


config = json.loads(sys.stdin.readline())
server = Server(("127.0.0.1", config.get("port") or 0), Handler)
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(config["certificate"], config["key"])
threading.Thread(target=server.serve_forever, daemon=True).start()
say({"event": "ready", "port": server.server_address[1]})
for line in sys.stdin:
    with turn:
        done = obey(json.loads(line))
    say({"event": "done"} | done)
held.set()
