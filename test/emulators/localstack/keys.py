"""Teaches LocalStack's KMS the keys of Ed25519, which AWS has and it doesn't."""

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from localstack.services.kms import models

SPEC = "ECC_NIST_EDWARDS25519"
ALGORITHM = "ED25519_SHA_512"

create = models.KmsCryptoKey.__init__
list_algorithms = models.KmsKey._populate_signing_algorithms
sign = models.KmsKey.sign
verify = models.KmsKey.verify


def create_any(self: models.KmsCryptoKey, key_spec: str, key_material: bytes | None = None) -> None:
    if key_spec == SPEC and not key_material:
        key_material = Ed25519PrivateKey.generate().private_bytes(Encoding.DER, PrivateFormat.PKCS8, NoEncryption())
    create(self, key_spec, key_material)


def list_any_algorithms(self: models.KmsKey, key_usage: str, key_spec: str) -> None:
    list_algorithms(self, key_usage, key_spec)
    if key_usage == "SIGN_VERIFY" and key_spec == SPEC:
        self.metadata["SigningAlgorithms"] = [ALGORITHM]


def refuse_digest(message_type: str | None) -> None:
    if message_type not in (None, "RAW"):
        raise models.ValidationException(f"{ALGORITHM} signing algorithm requires MessageType:RAW")


def sign_any(self: models.KmsKey, data: bytes, message_type: str | None, signing_algorithm: str) -> bytes:
    if signing_algorithm != ALGORITHM:
        return sign(self, data, message_type, signing_algorithm)
    refuse_digest(message_type)
    return self.crypto_key.key.sign(data)


def verify_any(
    self: models.KmsKey, data: bytes, message_type: str | None, signing_algorithm: str, signature: bytes
) -> bool:
    if signing_algorithm != ALGORITHM:
        return verify(self, data, message_type, signing_algorithm, signature)
    refuse_digest(message_type)
    try:
        self.crypto_key.key.public_key().verify(signature, data)
    except InvalidSignature:
        raise models.KMSInvalidSignatureException() from None
    return True


def install() -> None:
    # Its value is the curve to make a key with, which is made above.
    models.ECC_CURVES[SPEC] = None
    models.KmsCryptoKey.__init__ = create_any
    models.KmsKey._populate_signing_algorithms = list_any_algorithms
    models.KmsKey.sign = sign_any
    models.KmsKey.verify = verify_any
