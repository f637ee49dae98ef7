"""Statements of a policy that were proved, attacked: ten million drawn values, random policies, and a random walk on a server."""
from __future__ import annotations

import dataclasses
import os
import random
import re
import subprocess
import sys
import time

from gatehouse_bench.machine import ROOT
from gatehouse_bench.server import Link, Server, place, widened
from gatehouse_prove.sink import Sink

TENANT = "dd-ride"
# How far each goes here. In script/test the same tests go through ten thousand values and forty policies.
FAR = {"GATEHOUSE_CLASS_DRAWS": "10000000", "GATEHOUSE_PROOF_POLICIES": "2000", "GATEHOUSE_DIFF_PAIRS": "1000"}
TESTS = ("WitnessTests", "ProofSoundnessTests", "DiffSoundnessTests")
PASSWORD = "Tallgrass-Prairie-2031!"
DOMAINS = ("ksu.edu", "ksu.edu", "ksu.edu", "KSU.EDU", "mail.ksu.edu", "notksu.edu", "ksu.edu.example.com", "example.com")
PHONES = ("(785) 555-0123", "785-555-0123", "+1 785 555 0199", "17855550123", "555-0123", "+44 20 7946 0958", "", "none")
# Edits that break a statement: the walk has to meet each.
BROKEN = {
    "outsiders never get in": ("allowed_domains: [ksu.edu]", "max_length: 200\n    allowed_domains: {value: [ksu.edu], doors: [sign_up]}"),
    "full access needs a proven address": ("full: {requires: [email_verified]}", "full: {requires: []}"),
    "nobody makes themselves admin": ("admins: {when: {role: admin}", "admins: {when: {role: member}"),
    "phones are E.164": ("phoneNumber: {type: phone, required: true, region: US, store: e164, check: length,",
                         "phoneNumber: {type: string, max_length: 40, required: true,"),
}


def prove(program: str, steps: int = 100_000) -> bool:
    """Whether no drawn value, no random chain and no step breaks what was proved."""
    words = [word for test in TESTS for word in ("--filter", test)]
    drawn = subprocess.run(["script/test", *words], cwd=ROOT, check=False, env=os.environ | FAR, stdout=sys.stderr).returncode == 0
    print(f"classes   {FAR['GATEHOUSE_CLASS_DRAWS']} drawn values, {FAR['GATEHOUSE_PROOF_POLICIES']} random policies: "
          f"{'none breaks a proof' if drawn else 'a test failed'}", flush=True)
    with open(os.path.join(ROOT, "policies", TENANT + ".yaml"), encoding="utf-8") as file:
        text = widened(file.read())
    good = drawn
    walk = walked(program, text, steps, None)
    print(f"          {walk.steps} steps on a server, {walk.taken} of them allowed, by {walk.made} people: "
          + (f"BROKEN {walk.broken}" if walk.broken else "no statement broken"), flush=True)
    good = good and not walk.broken
    for name, (before, after) in BROKEN.items():
        # Tests and statements of the file would keep such an edit from going live.
        other = text.split("\ntests_at:")[0].replace(before, after) + "\n"
        if before not in text:
            sys.exit(f"prove: the policy has no {before}")
        control = walked(program, other, steps, name)
        print(f"          control, {name}: " + (f"broken after {control.steps} steps, by {control.broken[name]}" if name in control.broken
                                                else "NOT NOTICED"), flush=True)
        good = good and name in control.broken
    return good


@dataclasses.dataclass
class Person:
    """An account and the client that holds its session."""

    email: str
    token: str
    account: str
    # The address that a mailed link changes to; empty: none.
    next_email: str = ""
    # Whether an administrator gave the role.
    is_appointed: bool = False


class Walk:
    """Random steps of many people and one administrator."""

    def __init__(self, server: Server, sink: Sink, seed: int) -> None:
        self.server, self.sink, self.random = server, sink, random.Random(seed)
        self.link = Link(server.base)
        self.people: list[Person] = []
        self.broken: dict[str, str] = {}
        self.steps = self.taken = self.made = 0
        self.admin = self.seed_admin()

    def ask(self, method: str, path: str, body: object = None, person: Person | None = None) -> tuple[int, dict]:
        """Status and JSON of one request, of this person or without a session."""
        return self.link.json(method, f"/t/{TENANT}/v1/{path}", body, person.token if person else None)

    def seed_admin(self) -> Person:
        """The first administrator is made by the operator."""
        admin = self.sign_up("admin@ksu.edu", {"name": "Admin", "phoneNumber": "785-555-0100"})
        if admin is None:
            sys.exit("prove: no administrator could sign up")
        end = time.monotonic() + 30
        while (token := self.sink.token("verify-email", admin.email)) is None and time.monotonic() < end:
            time.sleep(0.01)
        if self.ask("POST", "email-verification/confirm", {"token": token}, admin)[0] != 200:
            sys.exit("prove: the administrator's address could not be proven")
        self.people.remove(admin)
        self.server.sql("UPDATE gatehouse.account SET profile = jsonb_set(profile::jsonb, '{role}', '\"admin\"') "
                        f"WHERE id = '{admin.account}'")
        return admin

    def run(self, steps: int, until: str | None) -> None:
        """So many steps, or until this statement is broken."""
        kinds = [(self.creates, 4), (self.confirms, 12), (self.edits, 70), (self.moves, 4), (self.appoints, 9), (self.enters, 1)]
        choices, weights = zip(*kinds)
        while self.steps < steps and until not in self.broken:
            self.steps += 1
            kind = self.random.choices(choices, weights)[0] if self.people else self.creates
            kind()

    def creates(self) -> None:
        """A person signs up, and another is seen no more."""
        email = f"w{self.steps}@{self.random.choice(DOMAINS)}"
        values = self.values() if self.random.random() < 0.3 else {}
        person = self.sign_up(email, {"name": "Willie", "phoneNumber": self.random.choice(PHONES)} | values)
        if person is not None:
            self.look(person, "sign_up")
        if len(self.people) > 40:
            self.people.pop(self.random.randrange(len(self.people)))

    def sign_up(self, email: str, profile: dict) -> Person | None:
        """The new account; None where it was refused."""
        status, answer = self.ask("POST", "sign-up", {"email": email, "password": PASSWORD, "profile": profile})
        if status != 201:
            return None
        self.made, self.taken = self.made + 1, self.taken + 1
        person = Person(email, answer["access_token"], answer["user"]["id"])
        self.people.append(person)
        return person

    def confirms(self) -> None:
        """A mailed link is followed, once more where it was already."""
        person = self.random.choice(self.people)
        if person.next_email and (token := self.sink.token("confirm-email", person.next_email)):
            status, _ = self.ask("POST", "email-change/confirm", {"token": token}, person)
            if status == 200:
                person.email, person.next_email = person.next_email, ""
            self.look_if(status == 200, person, "change_email")
        elif token := self.sink.token("verify-email", person.email):
            status, _ = self.ask("POST", "email-verification/confirm", {"token": token}, person)
            self.look_if(status == 200, person, "verify_email")

    def edits(self) -> None:
        """A person changes the own record."""
        person = self.random.choice(self.people)
        status, _ = self.ask("PATCH", "me", {"profile": self.values()}, person)
        self.look_if(status == 200, person, "update_profile")

    def moves(self) -> None:
        """A person asks for another address, whose link is followed later."""
        person = self.random.choice(self.people)
        email = f"m{self.steps}@{self.random.choice(DOMAINS)}"
        if self.ask("POST", "me/email", {"email": email, "password": PASSWORD}, person)[0] == 202:
            person.next_email = email

    def appoints(self) -> None:
        """The administrator changes the record of a person."""
        person = self.random.choice(self.people)
        values = self.values()
        status, _ = self.ask("PATCH", f"users/{person.account}", {"profile": values}, self.admin)
        if status == 401:
            self.enter(self.admin)
        if status == 200 and "role" in values:
            person.is_appointed = values["role"] == "admin"
        self.look_if(status == 200, person, "admin_update")

    def enters(self) -> None:
        """A person signs in again."""
        person = self.random.choice(self.people)
        if not self.enter(person):
            self.broken.setdefault("nobody is stranded", f"{person.email} could not sign in")

    def enter(self, person: Person) -> bool:
        """Whether the password opens the account."""
        status, answer = self.ask("POST", "sign-in", {"email": person.email, "password": PASSWORD})
        if status == 200:
            person.token = answer["access_token"]
        return status == 200

    def values(self) -> dict:
        """Profile values, good and bad."""
        every = {
            "name": self.random.choice(["Willie", "  ", "W" * 101, None, 7]), "phoneNumber": self.random.choice(PHONES),
            "classYear": self.random.choice([0, 1, 4, 5, "2", None]), "role": self.random.choice(["admin", "member", "owner", None]),
            "chapterId": self.random.choice(["", "KAPPA", None])}
        return {name: every[name] for name in self.random.sample(sorted(every), self.random.choice([1, 1, 1, 2, 3]))}

    def look_if(self, was_taken: bool, person: Person, step: str) -> None:
        """Looks where the step was allowed."""
        if was_taken:
            self.taken += 1
            self.look(person, step)

    def look(self, person: Person, step: str) -> None:
        """Compares the account with the statements."""
        status, answer = self.ask("GET", "me", person=person)
        if status == 401 and self.enter(person):
            status, answer = self.ask("GET", "me", person=person)
        if status != 200:
            self.people = [one for one in self.people if one is not person]
            return
        user = answer["user"]
        profile, is_full = user.get("profile", {}), answer["access"] == "full"
        told = f"{step}: {user}"
        if is_full and not user["email"].endswith("@ksu.edu"):
            self.broken.setdefault("outsiders never get in", told)
        if is_full and not user["email_verified"]:
            self.broken.setdefault("full access needs a proven address", told)
        # An administrator is told to prove who is there, or gets the list; others are forbidden to have it.
        is_admin = is_full and self.random.random() < 0.1 and self.ask("GET", "users", person=person)[1].get("code") != "forbidden"
        if (profile.get("role") == "admin" or is_admin) and not person.is_appointed:
            self.broken.setdefault("nobody makes themselves admin", told)
        if profile.get("phoneNumber") is not None and not re.fullmatch(r"\+[1-9]\d{1,14}", profile["phoneNumber"]):
            self.broken.setdefault("phones are E.164", told)


def walked(program: str, text: str, steps: int, until: str | None) -> Walk:
    """A walk on a server of its own, with this policy."""
    sink = Sink()
    with place() as path:
        policies = os.path.join(path, "policies")
        os.mkdir(policies)
        with open(os.path.join(policies, TENANT + ".yaml"), "w", encoding="utf-8") as file:
            file.write(text)
        server = Server(program, os.path.join(path, "data"), policies, {
            "GATEHOUSE_SMTP_URL": sink.url, "GATEHOUSE_MAIL_FROM": "proof@example.com"})
        try:
            server.await_ready(TENANT)
            seed = random.randrange(1_000_000)
            print(f"          seed {seed}", file=sys.stderr, flush=True)
            walk = Walk(server, sink, seed)
            walk.run(steps, until)
        finally:
            server.stop()
            sink.close()
    return walk
