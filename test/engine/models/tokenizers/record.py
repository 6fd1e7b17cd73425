"""Records how the reference cuts texts, for tokenizers.test.ts, which prints the texts:

    node test/engine/models/varied.ts 3000 | python record.py > reference.json     (needs tokenizers)

The first texts are recorded whole. Of the rest each encoding is recorded as the start of its SHA-256.
"""

import hashlib
import json
import sys
from pathlib import Path

from tokenizers import Tokenizer

HERE = Path(__file__).parent
WHOLE = 40
FILES = {
    "pii-ner": HERE / "../../../../models/pii-ner/1.0.0/tokenizer.json",
    "unigram-european": HERE / "../../../../models/pii-ner/2.5.0/tokenizer.json",
    **{name: HERE / f"{name}.json" for name in ("wordpiece", "bpe", "unigram", "unigram-spaces")},
}
# The reference misplaces offsets after characters that a character map removes. A test of its own covers them.
REMOVED = str.maketrans("", "", "\u200b\ufeff\u0007")


def utf16_offsets(text):
    """The offset in UTF-16 units of each code point, and of the end."""
    offsets = [0]
    for character in text:
        offsets.append(offsets[-1] + (2 if ord(character) > 0xFFFF else 1))
    return offsets


def encode(tokenizer, text):
    encoding = tokenizer.encode(text, add_special_tokens=False)
    units = utf16_offsets(text)
    return {
        "ids": encoding.ids,
        "starts": [units[start] for start, _ in encoding.offsets],
        "ends": [units[end] for _, end in encoding.offsets],
    }


def digest(encoding):
    return hashlib.sha256(json.dumps(encoding, separators=(",", ":")).encode()).hexdigest()[:8]


texts = json.load(sys.stdin)
recorded = {}
for name, file in FILES.items():
    tokenizer = Tokenizer.from_file(str(file))
    kept = [text.translate(REMOVED) if name.startswith("unigram") else text for text in texts]
    encodings = [encode(tokenizer, text) for text in kept]
    recorded[name] = {
        "withEnds": tokenizer.encode("a b").ids,
        "whole": encodings[:WHOLE],
        "digests": "".join(map(digest, encodings[WHOLE:])),
    }
json.dump(recorded, sys.stdout, separators=(",", ":"))
print()
