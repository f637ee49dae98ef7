"""What people of one tenant do at the front door and with their mail, honest or not."""
from __future__ import annotations

import base64
import dataclasses
import hashlib
import secrets
import urllib.parse

from gatehouse_prove.attacks.provider import NAME
from gatehouse_prove.attacks.stage import CONTINUE, REDIRECT, Stage, fresh, password
from gatehouse_prove.attacks.verdict import Answer, Broke, attempt, demand

VERIFY, RESET, MOVE, UNDO = "verify-email", "reset-password", "confirm-email", "undo-email"


@dataclasses.dataclass
class Person:
    """An account with its password and a session."""

    email: str
    password: str
    id: str
    token: str


class Tenant:
    """One tenant's API. What gives an `Answer` judges nothing."""

    def __init__(self, stage: Stage, name: str) -> None:
        self.stage, self.name, self.base = stage, name, f"{stage.server.base}/t/{name}"

    def post(self, path: str, body: object, token: str | None = None) -> Answer:
        """POST under `/v1`."""
        return self.stage.ask("POST", f"{self.base}/v1/{path}", body, token)

    def sign_up(self, email: str, secret: str) -> Answer:
        """An account, or what there is instead."""
        return self.post("sign-up", {"email": email, "password": secret})

    def sign_in(self, email: str, secret: str) -> Answer:
        """A session, if this is the password."""
        return self.post("sign-in", {"email": email, "password": secret})

    def opens(self, email: str, secret: str) -> bool:
        """Whether this password opens the account of this address."""
        answer = self.sign_in(email, secret)
        if answer.status not in (200, 401):
            raise Broke(f"sign-in of {email}: {answer}")
        return answer.status == 200

    def me(self, token: str) -> Answer:
        """The caller's own record."""
        return self.stage.ask("GET", f"{self.base}/v1/me", token=token)

    # Mail

    def mailed(self, address: str, page: str, after: int = 0) -> str | None:
        """The token of the newest link to this page in the mails to an address, but for the first `after`."""
        self.stage.settle()
        for mail in reversed(self.stage.mails(address)[after:]):
            link = urllib.parse.urlsplit(mail.get("link") or "")
            if link.path.endswith("/ui/" + page):
                return urllib.parse.parse_qs(link.query)["token"][0]
        return None

    def link(self, address: str, page: str) -> str:
        """The same where there has to be one."""
        token = self.mailed(address, page)
        if token is None:
            raise Broke(f"no mail with a link to {page} came to {address}")
        return token

    def count(self, address: str) -> int:
        """How many mails an address got."""
        self.stage.settle()
        return len(self.stage.mails(address))

    # Honest ways, each whole

    def settled(self, name: str) -> Person:
        """A person with a proven address and a session."""
        email, secret = fresh(name), password(name)
        up = self.sign_up(email, secret)
        if up.status == 202:
            self.stage.settle()
            body = {"email": email, "code": self.stage.mails(email)[-1].get("code")}
            demand(self.post("email-verification/confirm", body | sign_up_id(up)), 200, "the proof of an address")
            up = demand(self.sign_in(email, secret), 200, "sign-in")
        else:
            token = demand(up, 201, "sign-up").body["access_token"]
            demand(self.post("email-verification/confirm", {"token": self.link(email, VERIFY)}, token), 200,
                   "the proof of an address")
        return Person(email, secret, up.body["user"]["id"], up.body["access_token"])

    def begin_reset(self, email: str) -> str:
        """The token of a reset's mail."""
        before = self.count(email)
        demand(self.post("password-reset", {"email": email}), 202, "a reset")
        token = self.mailed(email, RESET, before)
        if token is None:
            raise Broke(f"no mail with a reset came to {email}")
        return token

    def end_reset(self, token: str, secret: str) -> Answer:
        """Sets the password by a mail's token."""
        return self.post("password-reset/confirm", {"token": token, "password": secret})

    def reset(self, email: str) -> str:
        """A new password, by mail."""
        secret = password("owner")
        demand(self.end_reset(self.begin_reset(email), secret), 204, "the owner's reset")
        return secret

    # An attacker's ways, with a session and the password

    def move(self, token: str, secret: str, target: str) -> None:
        """Moves the session's account to an address whose mail the attacker reads."""
        attempt(self.post("me/email", {"email": target, "password": secret}, token), "a change of address")
        attempt(self.post("email-change/confirm", {"token": self.link(target, MOVE)}, token), "its confirmation")

    def begin_link(self, token: str, subject: str) -> str:
        """The address that the app is opened with after a person allowed the link at the provider."""
        start = attempt(self.post(f"me/links/{NAME}", {"redirect_uri": REDIRECT}, token), "a link begun")
        return self.stage.provider.consent(subject, fresh("visitor"), start.body["authorization_url"])

    def end_link(self, token: str, callback: str) -> Answer:
        """Hands that address over."""
        return self.post(f"me/links/{NAME}/complete", {"callback_url": callback}, token)

    def provider_sign_in(self, subject: str, email: str) -> Answer:
        """The whole way of a browser to the provider and back; a person who is not known gets an account of their own."""
        verifier = secrets.token_urlsafe(48)
        challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
        start = demand(self.post(f"sign-in/{NAME}/start", {"continue": CONTINUE, "code_challenge": challenge}), 200,
                       "a provider's sign-in")
        back = self.stage.provider.consent(subject, email, start.body["authorization_url"])
        landed = self.stage.ask("GET", back, cookie=start.fields["set-cookie"].split(";")[0])
        query = urllib.parse.parse_qs(urllib.parse.urlsplit(landed.fields.get("location", "")).query)
        if "code" not in query:
            raise Broke(f"the way back from the provider: {landed} {query}")
        return self.post(f"sign-in/{NAME}/complete", {"code": query["code"][0], "code_verifier": verifier})


def sign_up_id(answer: Answer) -> dict[str, str]:
    """What a hidden sign-up's confirmation has to name, where the answer names it."""
    return {"sign_up_id": answer.body["sign_up_id"]} if "sign_up_id" in answer.body else {}

