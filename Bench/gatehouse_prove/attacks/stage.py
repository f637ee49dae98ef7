"""A server with the tenants that the chains need, its mail, and its restart after a chain that ended it."""
from __future__ import annotations

import http.client
import json
import os
import secrets
import subprocess
import sys
import time
import urllib.parse

from gatehouse_bench.machine import free_port
from gatehouse_bench.server import Link, Server
from gatehouse_prove.attacks.provider import CLIENT, NAME, Provider
from gatehouse_prove.attacks.verdict import Answer, Broke

CONTINUE = "https://app.example.com/signed-in"
REDIRECT = "app://linked"
# Seconds within which the tenant `slow` sends no second mail.
COOLDOWN = 2
REVEAL, HIDE, SLOW, DOORLESS, NARROW = "reveal", "hide", "slow", "doorless", "narrow"
# Seconds for one request.
PATIENCE = 60

POLICY = """schema: gatehouse/policy.v1
tenant: {tenant}
app: {{name: Attacks, support_email: help@example.com, locales: [en], continue: ["{continue_to}"]}}
identifiers:
  sign_in_with: [email]
  email: {{normalize: lowercase}}
password:
  max_length: 128
  rules:
    - {{id: min6, min_length: 6}}
profile:
  unknown_fields: reject
  fields:
    displayName: {{type: string, trim: true, max_length: 50, write: user, visible_to: users}}
verification:
  email: {{method: link_and_code, link_ttl: 24h, code_ttl: 10m, resend_cooldown: {cooldown}s, max_sends_per_day: 100}}
access:
  full: {{requires: []}}
providers:
{password}  {provider}:
    use: sign_in
    flow: code_pkce
    client_id: {client}
    redirect_uris: ["{redirect}"]
    scopes: [profile]
    endpoints: {{authorization: "{authorization}", token: "{token}", userinfo: "{userinfo}"}}
sessions: {{access_token_ttl: 15m, refresh_idle_ttl: 90d, refresh_max_ttl: 365d, reuse_grace: 30s, max_per_user: 20}}
privacy: {{account_exists: {exists}}}
limits: {{sign_in_per_account: 1000000/1h, sign_in_per_ip: 1000000/1h, sign_up_per_ip: 1000000/1h,
  mail_per_ip: 1000000/1h, mail_per_recipient: 1000000/1h, code_per_account: 1000000/1h, code_per_ip: 1000000/1h, code_per_tenant: {codes}/1h}}
"""


def policy(tenant: str, provider: Provider) -> str:
    """A tenant's policy: open in everything but what its name says."""
    return POLICY.format(
        tenant=tenant, continue_to=CONTINUE, redirect=REDIRECT, client=CLIENT, provider=NAME,
        cooldown=COOLDOWN if tenant == SLOW else 0, password="" if tenant == DOORLESS else "  password: {use: sign_in}\n",
        codes=30 if tenant == NARROW else 1000000, exists="hide" if tenant in (HIDE, SLOW) else "reveal", **provider.endpoints)


class Stage:
    """A running release server; `revive` brings it back on the same data."""

    def __init__(self, program: str, place: str, provider: Provider) -> None:
        self.program, self.place, self.provider = program, place, provider
        self.policies = os.path.join(place, "policies")
        os.mkdir(self.policies)
        for tenant in (REVEAL, HIDE, SLOW, DOORLESS, NARROW):
            with open(os.path.join(self.policies, tenant + ".yaml"), "w", encoding="utf-8") as file:
                file.write(policy(tenant, provider))
        self.start()

    def start(self) -> None:
        """Starts the server, and tells the provider where browsers come back to."""
        admin = f"127.0.0.1:{free_port()}"
        self.admin = f"http://{admin}"
        self.server = Server(self.program, os.path.join(self.place, "data"), self.policies, {
            "GATEHOUSE_ADMIN_LISTEN": admin, "GATEHOUSE_OUTBOUND_AUTHORITIES": self.provider.certificate})
        for tenant in (REVEAL, HIDE, SLOW, DOORLESS, NARROW):
            self.server.await_ready(tenant)
        self.provider.register([REDIRECT] + [
            f"{self.server.base}/t/{tenant}/v1/sign-in/{NAME}/callback" for tenant in (REVEAL, DOORLESS)])

    @property
    def is_up(self) -> bool:
        """Whether the server still runs and is ready."""
        if self.server.process.poll() is not None:
            return False
        try:
            link = Link(self.server.operations, 10)
            ready = link.ask("GET", "/readyz")[0] == 200
            link.close()
            return ready
        except (OSError, http.client.HTTPException):
            return False

    def revive(self) -> None:
        """Another start on the same data, for the chains that follow one which ended the server or keeps it busy."""
        if self.server.process.poll() is None:
            self.server.kill()
        self.start()

    def ask(
        self, method: str, url: str, body: object = None, token: str | None = None, cookie: str | None = None,
        patience: float = PATIENCE
    ) -> Answer:
        """One request over a connection of its own. Raises OSError or HTTPException when there is no answer."""
        content = json.dumps(body, separators=(",", ":")) if body is not None else None
        kind = {"Content-Type": "application/json"} if body is not None else {}
        return self.send(method, url, content, token, kind | ({"Cookie": cookie} if cookie else {}), patience)

    def put_text(self, url: str, text: str, token: str, fields: dict[str, str]) -> Answer:
        """A PUT of a policy file."""
        return self.send("PUT", url, text, token, fields | {"Content-Type": "application/yaml"}, PATIENCE)

    def send(
        self, method: str, url: str, content: str | None, token: str | None, more: dict[str, str], patience: float
    ) -> Answer:
        """One request with a body as it stands."""
        where = urllib.parse.urlsplit(url)
        connection = http.client.HTTPConnection(str(where.hostname), where.port, timeout=patience)
        fields = more | ({"Authorization": f"Bearer {token}"} if token else {})
        try:
            path = where.path + (f"?{where.query}" if where.query else "")
            connection.request(method, path, content.encode() if content is not None else None, fields)
            answer = connection.getresponse()
            text = answer.read()
            seen = {name.lower(): value for name, value in answer.getheaders()}
            is_json = "json" in seen.get("content-type", "")
            return Answer(answer.status, json.loads(text) if text and is_json else {}, seen,
                          "" if is_json else text.decode("utf-8", "replace"))
        finally:
            connection.close()

    def operator(self, *words: str) -> str:
        """What a verb of the command line printed, run beside the server."""
        done = subprocess.run(
            [self.program, *words, "--data-dir", self.server.data], capture_output=True, text=True, check=False,
            env={name: value for name, value in os.environ.items() if not name.startswith("GATEHOUSE_")})
        if done.returncode:
            raise Broke(f"{' '.join(words)}: {done.stderr.strip()}")
        return done.stdout

    def settle(self) -> None:
        """Waits until every mail that is to be sent is written."""
        end = time.monotonic() + 30
        while self.server.sql("SELECT count(*) FROM gatehouse.outbox WHERE delivered_at IS NULL AND given_up_at IS NULL "
                              "AND expires_at > now()") != [["0"]]:
            if time.monotonic() > end:
                raise Broke("the outbox was not emptied")
            time.sleep(0.05)

    def mails(self, address: str) -> list[dict]:
        """All mails to an address, oldest first: subject, code, link."""
        return json.loads(self.operator("mail", "outbox", "--to", address, "--output", "json"))["items"]

    def close(self) -> None:
        """Ends the server."""
        if self.server.process.poll() is None and self.server.stop() != 0:
            sys.exit(f"prove: the server did not end cleanly; see {self.server.log}")


def fresh(name: str) -> str:
    """An address without an account."""
    return f"{name}-{secrets.token_hex(4)}@example.com"


def password(name: str) -> str:
    """A password that no other user has."""
    return f"kt49xw-{name}-{secrets.token_hex(4)}"
