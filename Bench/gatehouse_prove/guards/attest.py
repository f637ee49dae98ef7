"""Attested apps: attestations, assertions, challenges and counters."""
from __future__ import annotations

from gatehouse_prove.guards import Guard, guard
from gatehouse_prove.operators import before, met, skipped, unmet

APPLE = "AppAttestTests"
REGISTRATION = "AttestTests/registration"
ASSERTION = "AttestTests/assertion"

GUARDS: list[Guard] = [
    guard("attest: the nonce", APPLE + "/(otherChallenge|nonce)", met),
    guard("attest: the key's name is that of the attested key", APPLE + "/otherKey", met),
    guard("attest: the app", APPLE + "/otherApp", met),
    guard("attest: a key that was never used", APPLE + "/used", met),
    guard("attest: the environment", APPLE + "/environment", met),
    guard("attest: the credential is the key", APPLE + "/otherCredential", met),
    guard("attest: an assertion's signature", APPLE + "/otherAssertion", met),
    guard("attest: an assertion's app", APPLE + "/otherAssertion", met),
    guard("attest: a challenge of this tenant", REGISTRATION, met),
    guard("attest: a challenge of now", ASSERTION, met),
    guard("attest: a door that demands it", "AttestTests/demanded", before("return call")),
    guard("attest: before the feature", "AttestTests/demanded", skipped),
    guard("attest: a key of this environment", "AttestTests/environment", met),
    guard("attest: the counter rises", "AttestTests/(assertion|counters)", met),
    guard("attest: registrations of an address are counted", "AttestTests/limit", skipped),
    guard("apply: attestation needs a root", "AttestTests/rootless", unmet),
]
