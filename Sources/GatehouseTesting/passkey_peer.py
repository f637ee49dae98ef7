"""python-fido2, a second opinion on passkeys: it judges answers as a server does, and makes answers as an authenticator does.

One JSON object comes in by standard input, and one goes out. Bytes are base64url without padding.
"""
import json
import sys

sys.path.insert(0, sys.argv[1])

from cryptography.hazmat.primitives import hashes  # noqa: E402
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa  # noqa: E402
from fido2.cose import CoseKey, ES256, RS256, EdDSA  # noqa: E402
from fido2.server import Fido2Server  # noqa: E402
from fido2.utils import sha256, websafe_decode, websafe_encode  # noqa: E402
from fido2.webauthn import (  # noqa: E402
    AttestationObject, AttestedCredentialData, AuthenticatorData, CollectedClientData, PublicKeyCredentialRpEntity)

asked = json.load(sys.stdin)
FLAG = AuthenticatorData.FLAG


def server():
    return Fido2Server(PublicKeyCredentialRpEntity(name="test", id=asked["rp_id"]), verify_origin=lambda origin: origin == asked["origin"])


def wrapped(answer):
    return {"id": answer["id"], "rawId": answer["id"], "type": "public-key", "clientExtensionResults": {},
            "response": {name: value for name, value in answer.items() if name != "id"}}


def judged(pair):
    """Why a registration, or the assertion after it, is refused; "" for none."""
    state = {"challenge": asked["challenge"], "user_verification": "required"}
    try:
        made = server().register_complete(state, wrapped(pair["registration"]))
        server().authenticate_complete(state, [made.credential_data], wrapped(pair["assertion"]))
        return ""
    except Exception as problem:
        return f"{type(problem).__name__}: {problem}"


def made(algorithm):
    """A registration and an assertion of a new passkey."""
    if algorithm == -7:
        key, kind = ec.generate_private_key(ec.SECP256R1()), ES256
        sign = lambda data: key.sign(data, ec.ECDSA(hashes.SHA256()))
    elif algorithm == -8:
        key, kind = ed25519.Ed25519PrivateKey.generate(), EdDSA
        sign = key.sign
    else:
        key, kind = rsa.generate_private_key(65537, 2048), RS256
        sign = lambda data: key.sign(data, padding.PKCS1v15(), hashes.SHA256())
    challenge, party = websafe_decode(asked["challenge"]), sha256(asked["rp_id"].encode())
    credential = AttestedCredentialData.create(b"\7" * 16, b"\1" * 40, kind.from_cryptography_key(key.public_key()))
    # No options ask for these extensions.
    whole = AuthenticatorData.create(
        party, FLAG.UP | FLAG.UV | FLAG.BE | FLAG.AT | FLAG.ED, 7, bytes(credential), {"credProtect": 2, "hmac-secret": True})
    create = CollectedClientData.create(CollectedClientData.TYPE.CREATE, challenge, asked["origin"])
    fixed = AuthenticatorData.create(party, FLAG.UP | FLAG.UV | FLAG.BE | FLAG.BS, 8)
    get = CollectedClientData.create(CollectedClientData.TYPE.GET, challenge, asked["origin"])
    name = websafe_encode(credential.credential_id)
    return {
        "algorithm": algorithm,
        "registration": {"id": name, "clientDataJSON": websafe_encode(create),
                         "attestationObject": websafe_encode(AttestationObject.create("none", whole, {}))},
        "assertion": {"id": name, "clientDataJSON": websafe_encode(get), "authenticatorData": websafe_encode(fixed),
                      "signature": websafe_encode(sign(fixed + get.hash))},
    }


json.dump({"verdicts": [judged(pair) for pair in asked["pairs"]], "made": [made(number) for number in asked["make"]]}, sys.stdout)
