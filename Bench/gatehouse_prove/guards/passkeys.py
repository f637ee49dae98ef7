"""Second factors and passkeys: what is read and verified, without what is stored."""
from __future__ import annotations

from gatehouse_prove.guards import Guard, guard
from gatehouse_prove.operators import becomes, met, skipped

TOTP = "TOTPTests"
KEYS = "PasskeyKeyTests"
REGISTERED = "PasskeyRegistrationTests"
USED = "PasskeyAssertionTests"
BROKEN = f"{REGISTERED}/broken|{USED}/broken"
VOUCHED = "AttestationDemandTests"

GUARDS: list[Guard] = [
    guard("totp: the step of now and the one before", TOTP + "/window", becomes("[current - 1, current, current + 1]")),
    guard("totp: the code is that of the seed and the step", TOTP + "/(window|otherSeed)", becomes("true")),
    guard("passkey: client data are bounded", BROKEN, met),
    guard("passkey: the ceremony", BROKEN, met),
    guard("passkey: the challenge", BROKEN, met),
    guard("passkey: the origin", BROKEN, met),
    guard("passkey: not within another site", BROKEN, skipped),
    guard("passkey: no site around it", BROKEN, met),
    guard("passkey: authenticator data are bounded", f"{USED}/broken", met),
    guard("passkey: attestation objects are bounded", f"{REGISTERED}/tooLarge", met),
    guard("passkey: the length of a credential id", f"{REGISTERED}/broken", met),
    guard("passkey: nothing behind the authenticator's data", BROKEN, met),
    guard("passkey: the relying party", BROKEN, met),
    guard("passkey: the user is present", BROKEN, met),
    guard("passkey: the user is verified", BROKEN, met),
    guard("passkey: backed up only where eligible", BROKEN, met),
    guard("passkey: an algorithm that was offered", f"{REGISTERED}/unoffered", met),
    guard("passkey: the credential that was made is the one that is named", f"{REGISTERED}/broken", met),
    guard("passkey: the credential that is known", f"{USED}/broken", met),
    guard("passkey: the user who is known", f"{USED}/(broken|second)", met),
    guard("passkey: an assertion makes no credential", f"{USED}/broken", met),
    guard("passkey: once eligible for backup, always", f"{USED}/lost", met),
    guard("passkey: the signature of an assertion", f"{USED}/(otherKey|changed)", met),
    guard("passkey: the demanded attestation", VOUCHED, skipped),
    guard("passkey: a model that is allowed", f"{VOUCHED}/models", met),
    guard("passkey: the signature of a packed attestation", f"{VOUCHED}/packedSignature", met),
    guard("passkey: the profile of packed certificates", f"{VOUCHED}/(leaf|subject|purpose)", met),
    guard("passkey: the certificate's model", f"{VOUCHED}/otherModel", met),
    guard("passkey: a U2F authenticator has no model", f"{VOUCHED}/u2fForm", met),
    guard("passkey: the signature of a U2F attestation", f"{VOUCHED}/u2fSignature", met),
    guard("passkey: the nonce of an Apple attestation", f"{VOUCHED}/appleNonce", met),
    guard("passkey: the key of an Apple attestation", f"{VOUCHED}/appleKey", met),
    guard("association: not of a disabled tenant", "AssociationTests/disabled", met),
]
