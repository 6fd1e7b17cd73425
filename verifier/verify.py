"""Checks the certificate of a job, and files against it, with Python's own library alone: the second opinion beside verify.ts.

python3 verifier/verify.py certificate.json [FILE or FOLDER...] [--keys jwks.json] [--proof proof.json]
The list of assets is looked for beside the certificate. Status: 0 accepted, 1 refused.
"""

import argparse
import base64
import hashlib
import json
import os
import sys

PAYLOAD_TYPE = "application/vnd.in-toto+json"
STATEMENT = ["https://in-toto.io/Statement/v1", "urn:anonymisation-service:certificate:v1"]

# P-256 (SP 800-186): the field, the curve's a, the order of the group, and its generator.
P = 0xFFFFFFFF00000001000000000000000000000000FFFFFFFFFFFFFFFFFFFFFFFF
A = P - 3
N = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
GX = 0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296
GY = 0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5
# What anything that has not the expected form ends in.
MALFORMED = (AttributeError, IndexError, KeyError, RecursionError, TypeError, ValueError)


class Refusal(Exception):
    """Why something is refused: a code, and the reason."""


def add(p, q):
    if p is None or q is None:
        return p or q
    if p[0] == q[0] and (p[1] + q[1]) % P == 0:
        return None
    slope = (3 * p[0] ** 2 + A) * pow(2 * p[1], -1, P) if p == q else (q[1] - p[1]) * pow(q[0] - p[0], -1, P)
    x = (slope**2 - p[0] - q[0]) % P
    return x, (slope * (p[0] - x) - p[1]) % P


def times(number, point):
    total = None
    for bit in bin(number)[:1:-1]:
        total = add(total, point) if bit == "1" else total
        point = add(point, point)
    return total


def signed(key, message, der):
    """Whether a signature in strict DER fits a message (FIPS 186-5, 6.4.2)."""
    r, s = numbers(der)
    if not (0 < r < N and 0 < s < N):
        return False
    digest = int.from_bytes(hashlib.sha256(message).digest(), "big")
    point = add(times(digest * pow(s, -1, N) % N, (GX, GY)), times(r * pow(s, -1, N) % N, key))
    return point is not None and point[0] % N == r


def numbers(der):
    found = [int.from_bytes(part, "big") for part in (der[4 : 4 + der[3]], der[6 + der[3] :])]
    integers = [n.to_bytes(n.bit_length() // 8 + 1, "big") for n in found]
    content = b"".join(b"\x02" + bytes([len(one)]) + one for one in integers)
    if der != b"\x30" + bytes([len(content)]) + content:
        raise Refusal("signature", "the signature is not written as DER asks for")
    return found


def attempt(read, text, fits, what):
    try:
        value = read(text)
    except MALFORMED:
        value = None
    if value is None or not fits(value):
        raise Refusal("malformed", f"there is something that is not {what}")
    return value


def decoded(text):
    return attempt(base64.b64decode, text, lambda value: base64.b64encode(value).decode() == text, "base64")


def parsed(text):
    return attempt(json.loads, text, lambda value: isinstance(value, dict), "the JSON that it should be")


def trusted(jwks):
    """The keys of a JWKS on the curve, by their thumbprints."""
    keys = {}
    for jwk in [one for one in parsed(jwks)["keys"] if (one.get("kty"), one.get("crv")) == ("EC", "P-256")]:
        named = json.dumps({name: jwk[name] for name in ("crv", "kty", "x", "y")}, separators=(",", ":"))
        x, y = (int.from_bytes(base64.urlsafe_b64decode(jwk[name] + "=="), "big") for name in ("x", "y"))
        thumbprint = base64.urlsafe_b64encode(hashlib.sha256(named.encode()).digest()).decode().rstrip("=")
        if jwk.get("kid", thumbprint) == thumbprint:
            keys[thumbprint] = (x, y)
    return keys


def opened(certificate, jwks):
    """The payload of a DSSE envelope that a trusted key has signed."""
    envelope, keys = parsed(certificate), trusted(jwks)
    if envelope.get("payloadType") != PAYLOAD_TYPE:
        raise Refusal("malformed", "the certificate is not of the type in-toto")
    payload = decoded(envelope.get("payload"))
    message = b"DSSEv1 %d %s %d %s" % (len(PAYLOAD_TYPE), PAYLOAD_TYPE.encode(), len(payload), payload)
    known = [one for one in envelope["signatures"] if one["keyid"] in keys]
    if not any(signed(keys[one["keyid"]], message, decoded(one.get("sig"))) for one in known):
        raise Refusal("signature" if known else "key", "no trusted key has signed this certificate")
    return payload


def hashed(kind, *parts):
    return hashlib.sha256(bytes([kind]) + b"".join(parts)).digest()


def root(leaves):
    """RFC 6962, 2.1."""
    if len(leaves) < 2:
        return leaves[0] if leaves else hashlib.sha256().digest()
    half = 1 << ((len(leaves) - 1).bit_length() - 1)
    return hashed(1, root(leaves[:half]), root(leaves[half:]))


def root_by_path(index, count, leaf, path):
    """The root from a leaf and the hashes beside its way up; nothing that fits where the way has another length."""
    if count < 2 or not path:
        return leaf if count == 1 and not path else None
    half = 1 << ((count - 1).bit_length() - 1)
    left = index < half
    below = root_by_path(index % half, half if left else count - half, leaf, path[:-1])
    return below and (hashed(1, below, path[-1]) if left else hashed(1, path[-1], below))


def lines_of(statement, listed, proof):
    assets = statement["predicate"]["assets"]
    if proof is not None:
        shown = parsed(proof)
        leaf, index, path = shown["leaf"], shown["index"], [bytes.fromhex(one) for one in shown["path"]]
        fits = type(index) is int and 0 <= index < assets["count"] and [one.hex() for one in path] == shown["path"]
        found = root_by_path(index, assets["count"], hashed(0, leaf.encode()), path) if fits else None
        if found is None or found.hex() != assets["root"]:
            raise Refusal("proof", "the proof does not lead to the root in the certificate")
        return [leaf]
    subject = statement["subject"][0]["digest"]["sha256"]
    if "list" not in assets and (listed is None or hashlib.sha256(listed).hexdigest() != subject):
        raise Refusal("list", "the list of assets is missing, or not the one of this certificate")
    lines = assets["list"] if "list" in assets else listed.decode().split("\n")[:-1]
    if len(lines) != assets["count"] or root([hashed(0, line.encode()) for line in lines]).hex() != assets["root"]:
        raise Refusal("list", "the list of assets does not lead to the root in the certificate")
    return lines


def holds(content, output):
    at = 0
    for size, digest in output.get("parts", [[output["size"], output.get("sha256")]]):
        if hashlib.sha256(content[at : at + size]).hexdigest() != digest:
            return False
        at += size
    return at == len(content) == output["size"]


def verify(certificate, jwks, listed=None, proof=None, files=(), whole=False):
    """Names what is certified, or raises Refusal; `files` are pairs of name and content, `whole` says that all are there."""
    statement = parsed(opened(certificate, jwks))
    if [statement.get("_type"), statement.get("predicateType")] != STATEMENT:
        raise Refusal("malformed", "the payload is no certificate of a job")
    outputs = [output for line in lines_of(statement, listed, proof) if (output := parsed(line)["output"])]
    seen = set()
    for name, content in files:
        found = {index for index, output in enumerate(outputs) if holds(content, output)}
        if not found:
            raise Refusal("changed" if name in {one["name"] for one in outputs} else "unknown", f"{name} is no output as it was")
        seen |= found
    if whole and len(seen) < len(outputs):
        raise Refusal("missing", "not all outputs were shown")
    return statement


def main():
    parser = argparse.ArgumentParser()
    for name, more in [("certificate", {}), ("places", {"nargs": "*"}), ("--keys", {}), ("--proof", {})]:
        parser.add_argument(name, **more)
    asked = parser.parse_args()
    folder = os.path.dirname(os.path.abspath(asked.certificate))
    beside = os.path.abspath(asked.certificate).removesuffix("certificate.json") + "assets.ndjson"
    own = [os.path.abspath(asked.certificate), asked.keys or f"{folder}/jwks.json", beside, asked.proof]
    folders = [os.path.abspath(place) for place in asked.places if os.path.isdir(place)]
    paths = [os.path.join(at, name) for folder in folders for at, _, names in os.walk(folder) for name in names]
    paths = [path for path in paths if path not in own] + [place for place in asked.places if os.path.isfile(place)]
    certificate, keys, listed, proof = [open(path, "rb").read() if path and os.path.exists(path) else None for path in own]
    files = ((os.path.basename(path), open(path, "rb").read()) for path in paths)
    try:
        verify(certificate, keys, listed, proof, files, bool(folders))
    except (Refusal, *MALFORMED) as refusal:
        sys.exit(f"REFUSED {': '.join(map(str, refusal.args))}")
    print("ACCEPTED")


if __name__ == "__main__":
    main()
