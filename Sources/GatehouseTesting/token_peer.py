# An app's own backend: verifies access tokens with PyJWT and nothing but a tenant's public key set, and makes tokens as
# an attacker would. Reads one request as JSON from standard input, writes the answer as JSON.
import base64
import hashlib
import hmac
import json
import sys

import jwt
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature


def b64(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def unb64(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def jwk(public):
    numbers = public.public_numbers()
    return {"kty": "EC", "crv": "P-256", "x": b64(numbers.x.to_bytes(32, "big")), "y": b64(numbers.y.to_bytes(32, "big"))}


def verify(client, token, request):
    try:
        key = client.get_signing_key_from_jwt(token)
        claims = jwt.decode(
            token, key.key, algorithms=["ES256"], audience=request["audience"], issuer=request["issuer"],
            options={"require": ["exp", "iat", "iss", "aud", "sub", "jti"]})
        header = jwt.get_unverified_header(token)
        if header.get("typ") != "at+jwt":
            raise ValueError("no access token")
        return {"claims": claims, "header": header}
    except Exception as error:
        return {"refused": type(error).__name__}


def forge(client, token):
    """By name: what an attacker makes of a token and a public key."""
    head, body, signature = token.split(".")
    header, claims = json.loads(unb64(head)), json.loads(unb64(body))
    public = client.get_signing_key_from_jwt(token).key
    pem = public.public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    der = public.public_bytes(
        serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
    x = public.public_numbers().x.to_bytes(32, "big")
    more = b64(json.dumps({**claims, "access": "full", "role": "admin"}).encode())

    def with_head(**changes):
        return b64(json.dumps({**header, **changes}).encode())

    def hmac_with(secret):
        data = f"{with_head(alg='HS256')}.{more}"
        return f"{data}.{b64(hmac.new(secret, data.encode(), hashlib.sha256).digest())}"

    other = ec.generate_private_key(ec.SECP256R1())
    raw = unb64(signature)
    half = (int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
    return {
        "other claims": f"{head}.{more}.{signature}",
        "no algorithm": f"{with_head(alg='none')}.{more}.",
        "no signature": f"{head}.{body}.",
        "zeros": f"{head}.{body}.{b64(bytes(64))}",
        "HMAC of the PEM": hmac_with(pem),
        "HMAC of the DER": hmac_with(der),
        "HMAC of x": hmac_with(x),
        "another key by this name": jwt.encode(claims, other, algorithm="ES256", headers=header),
        "another key in the head": jwt.encode(
            claims, other, algorithm="ES256", headers={**header, "jwk": jwk(other.public_key())}),
        "DER signature": f"{head}.{body}.{b64(encode_dss_signature(*half))}",
        "another type": f"{with_head(typ='JWT')}.{body}.{signature}",
        "unknown key": f"{with_head(kid='unknown')}.{body}.{signature}",
    }


def main():
    request = json.load(sys.stdin)
    client = jwt.PyJWKClient(request["keys"])
    if request["verb"] == "verify":
        answer = [verify(client, token, request) for token in request["tokens"]]
    else:
        answer = forge(client, request["tokens"][0])
    json.dump(answer, sys.stdout)


main()
