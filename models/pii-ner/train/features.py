"""Labels, and the casing feature that an uncased encoder reads through its token type ids."""

TYPES = ["PERSON", "LOCATION", "ORGANIZATION", "ADDRESS", "DATE", "AGE", "DEMOGRAPHIC", "ID", "PHONE", "QUANTITY"]
LABELS = ["O"] + [f"{prefix}-{kind}" for kind in TYPES for prefix in "BI"]
BEGIN = {kind: 1 << (1 + 2 * i) for i, kind in enumerate(TYPES)}
INSIDE = {kind: 1 << (2 + 2 * i) for i, kind in enumerate(TYPES)}
OUTSIDE = 1
ANY = (1 << len(LABELS)) - 1

NONE, LOWER, TITLE, UPPER, INITIAL, MIXED, DIGITS, OTHER = range(8)
GLUED = 8
FEATURES = 16


def casing(word: str) -> int:
    """Class of one word as written: shared/engine/models/casing.ts must say the same."""
    letters = [c for c in word if c.isupper() or c.islower()]
    digits = any(c.isdecimal() for c in word)
    if not letters:
        return DIGITS if digits and all(c.isdecimal() for c in word) else OTHER
    if digits:
        return MIXED
    if not any(c.isupper() for c in letters):
        return LOWER
    if all(c.isupper() for c in letters):
        return INITIAL if len(letters) == 1 else UPPER
    if letters[0].isupper() and not any(c.isupper() for c in letters[1:]):
        return TITLE
    return MIXED


def encode(tokenizer, text, spans, known):
    """
    Piece ids, casing features and allowed labels (a bit set per piece) of a text.

    `spans` are (start, end, kinds): kinds is a tuple of types, where "O" among them means that it may be nothing, and
    an empty tuple says nothing at all. `known` are the types that the source marks everywhere; a piece outside all
    spans may be any of the others.
    """
    encoding = tokenizer.encode(text, add_special_tokens=False)
    offsets, words = encoding.offsets, encoding.word_ids
    outside = OUTSIDE
    for kind in TYPES:
        if kind not in known:
            outside |= BEGIN[kind] | INSIDE[kind]
    allowed = [outside] * len(offsets)
    spans = sorted(spans)
    at = 0
    for start, end, kinds in spans:
        while at < len(offsets) and offsets[at][1] <= start:
            at += 1
        i, first = at, True
        while i < len(offsets) and offsets[i][0] < end:
            if kinds:
                mask = 0
                for kind in kinds:
                    mask |= OUTSIDE if kind == "O" else (BEGIN if first else INSIDE)[kind]
                allowed[i] = mask
            else:
                allowed[i] = ANY
            first = False
            i += 1
    features = [0] * len(offsets)
    i = 0
    while i < len(offsets):
        j = i
        while j < len(offsets) and words[j] == words[i]:
            j += 1
        start, end = offsets[i][0], offsets[j - 1][1]
        value = casing(text[start:end])
        if start > 0 and not text[start - 1].isspace():
            value += GLUED
        features[i:j] = [value] * (j - i)
        i = j
    return encoding.ids, features, allowed
