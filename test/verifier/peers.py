"""Reads an envelope of DSSE and a JWKS, as JSON on standard input, by libraries that others wrote; says the digests of the subjects."""

import json
import sys

from google.protobuf.json_format import Parse
from in_toto_attestation.v1.statement import Statement
from in_toto_attestation.v1 import statement_pb2
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from securesystemslib.dsse import Envelope
from securesystemslib.signer import SSlibKey
import base64


def number(text):
    return int.from_bytes(base64.urlsafe_b64decode(text + "=="), "big")


given = json.load(sys.stdin)
keys = []
for jwk in given["keys"]:
    point = ec.EllipticCurvePublicNumbers(number(jwk["x"]), number(jwk["y"]), ec.SECP256R1()).public_key()
    pem = point.public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo).decode()
    keys.append(SSlibKey(jwk["kid"], "ecdsa", "ecdsa-sha2-nistp256", {"public": pem}))
envelope = Envelope.from_dict(given["certificate"])
accepted = envelope.verify(keys, 1)
statement = Statement.copy_from_pb(Parse(envelope.payload, statement_pb2.Statement()))
statement.validate()
print(json.dumps({"keys": list(accepted), "digests": [one.digest["sha256"] for one in statement.pb.subject]}))
