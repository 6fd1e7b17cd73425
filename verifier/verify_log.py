"""Finds the certificate of a job in the log, with Python's own library alone: the second opinion beside log.ts.

python3 verifier/verify_log.py certificate.json receipt [--keys jwks.json] [--log-key log-key.json]
    [--checkpoint FILE [--consistency FILE]] [--witness KEY]...
Says nothing of files: verify.py does. Status: 0 accepted, 1 refused.
"""

import argparse
import hashlib
import os
import re
import sys

from verify import MALFORMED, Refusal, decoded, hashed, opened, parsed, root_by_path

# Ed25519 (RFC 8032, 5.1): the field, the order of the group, the curve's d, a square root of -1, and the generator.
P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
ROOT = pow(2, (P - 1) // 4, P)
LOG, WITNESS = 1, 4


def point(encoded):
    """A point in extended coordinates, from its 32 bytes (RFC 8032, 5.1.3)."""
    y, sign = int.from_bytes(encoded, "little") & (2**255 - 1), encoded[31] >> 7
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    x = x if x * x % P == square else x * ROOT % P
    if y >= P or len(encoded) != 32 or x * x % P != square or (x == 0 and sign):
        raise ValueError("no point")
    x = x if x % 2 == sign else P - x
    return x, y, 1, x * y % P


G = point(b"\x58" + b"\x66" * 31)


def add(p, q):
    a, b = (p[1] - p[0]) * (q[1] - q[0]), (p[1] + p[0]) * (q[1] + q[0])
    c, d = 2 * p[3] * q[3] * D, 2 * p[2] * q[2]
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def times(number, p):
    total = (0, 1, 1, 0)
    for bit in bin(number)[:1:-1]:
        total = add(total, p) if bit == "1" else total
        p = add(p, p)
    return total


def signed(key, message, signature):
    """Whether a signature by Ed25519 fits a message (RFC 8032, 5.1.7)."""
    s = int.from_bytes(signature[32:], "little")
    if len(signature) != 64 or s >= L:
        return False
    k = int.from_bytes(hashlib.sha512(signature[:32] + key + message).digest(), "little") % L
    left, right = times(s, G), add(point(signature[:32]), times(k, point(key)))
    return all((left[n] * right[2] - right[n] * left[2]) % P == 0 for n in (0, 1))


def key_from(text):
    """Name, number and kind of a key of notes (C2SP signed-note), and the key."""
    name, number, typed = re.fullmatch(r"([^\s+]+)\+([0-9a-f]{8})\+(\S+)", text).groups()
    typed = decoded(typed)
    if typed[0] not in (LOG, WITNESS) or len(typed) != 33:
        raise ValueError("no key of a log or witness")
    if hashlib.sha256(name.encode() + b"\n" + typed).hexdigest()[:8] != number:
        raise ValueError("the key does not fit its number")
    return name, number, typed[0], typed[1:]


def has_signed(note, key):
    """Whether a key has signed a note; a signature of it that does not hold is refused."""
    text, _, lines = note.rpartition("\n\n")
    name, number, kind, public = key
    if not text or not note.endswith("\n") or re.search(r"[\0-\t\v-\x1f]", note):
        raise ValueError("no note")
    found = False
    for line in lines[:-1].split("\n"):
        signer, encoded = re.fullmatch(r"— ([^\s+]+) (\S+)", line).groups()
        signature = decoded(encoded)
        if signer != name or signature[:4].hex() != number:
            continue
        message, rest = f"{text}\n", signature[4:]
        if kind == WITNESS:
            message, rest = f"cosignature/v1\ntime {int.from_bytes(rest[:8], 'big')}\n{message}", rest[8:]
        if not signed(public, message.encode(), rest):
            raise Refusal("witness" if kind == WITNESS else "log", f"the signature of {name} does not fit the checkpoint")
        found = True
    return found


def checkpoint_of(note, key):
    """Size and root of a checkpoint that the log has signed."""
    if key[2] != LOG or not has_signed(note, key):
        raise Refusal("log", "the checkpoint is not signed by the key of the log")
    origin, size, root = note.rpartition("\n\n")[0].split("\n")[:3]
    if origin != key[0] or not re.fullmatch(r"0|[1-9][0-9]{0,15}", size):
        raise ValueError("no checkpoint")
    return int(size), hash_from(root)


def hash_from(text):
    found = decoded(text)
    if len(found) != 32:
        raise ValueError("no hash")
    return found


def grown(first, size, path, known):
    """Roots over the first entries and over all of them (RFC 6962, 2.1.2); `known` is the older one where it is not told."""
    if first == size:
        if len(path) != (0 if known else 1):
            raise ValueError("another path")
        return (known or path[0],) * 2
    half = 1 << ((size - 1).bit_length() - 1)
    left = first <= half
    older, newer = grown(first if left else first - half, half if left else size - half, path[:-1], known if left else None)
    return (older if left else hashed(1, path[-1], older)), (hashed(1, newer, path[-1]) if left else hashed(1, path[-1], newer))


def is_one(older, newer, path):
    """Whether the log of one checkpoint is that of another one with more behind it."""
    (first, first_root), (size, root) = sorted([older, newer], key=lambda one: one[0])
    return first > 0 and grown(first, size, path, first_root) == (first_root, root)


def verify(certificate, jwks, receipt, log_key, older=None, consistency=None, witnesses=()):
    """Number of the entry and size of the log, or raises Refusal."""
    payload = opened(certificate, jwks)
    key = key_from(parsed(log_key)["verifierKey"])
    head, _, note = receipt.decode().partition("\n\n")
    first, *lines = head.split("\n")
    lines = lines[1:] if lines[0].startswith("extra ") else lines
    index = int(re.fullmatch(r"index (0|[1-9][0-9]{0,15})", lines[0]).group(1))
    if first != "c2sp.org/tlog-proof@v1":
        raise ValueError("no receipt")
    size, root = checkpoint_of(note, key)
    job = hashlib.sha256(parsed(payload)["predicate"]["job"]["id"].encode()).hexdigest()
    leaf = hashed(0, f"certificate:{job}:{hashlib.sha256(payload).hexdigest()}".encode())
    if index >= size or root_by_path(index, size, leaf, [hash_from(line) for line in lines[1:]]) != root:
        raise Refusal("receipt", "the receipt does not lead from this certificate to the root of the log")
    if older is not None:
        path = [hash_from(one) for one in parsed(consistency)["path"]] if consistency else []
        try:
            same = is_one(checkpoint_of(older.decode(), key), (size, root), path)
        except (IndexError, ValueError):
            same = False
        if not same:
            raise Refusal("log", "the log of the receipt and that of the checkpoint are not shown to be one")
    for witness in map(key_from, witnesses):
        if witness[2] != WITNESS or not has_signed(note, witness):
            raise Refusal("witness", f"the witness {witness[0]} has not signed the checkpoint")
    return index, size


def main():
    parser = argparse.ArgumentParser()
    for name in ("certificate", "receipt", "--keys", "--log-key", "--checkpoint", "--consistency"):
        parser.add_argument(name)
    parser.add_argument("--witness", action="append", default=[])
    asked = parser.parse_args()
    folder = os.path.dirname(os.path.abspath(asked.certificate))
    keys, log_key = asked.keys or f"{folder}/jwks.json", asked.log_key or f"{folder}/log-key.json"
    own = [asked.certificate, keys, asked.receipt, log_key, asked.checkpoint, asked.consistency]
    try:
        index, size = verify(*(open(path, "rb").read() if path else None for path in own), asked.witness)
    except (Refusal, *MALFORMED) as refusal:
        sys.exit(f"REFUSED {': '.join(map(str, refusal.args))}")
    print(f"ACCEPTED\n  Entry {index} of the log, which had {size} of them")


if __name__ == "__main__":
    main()
