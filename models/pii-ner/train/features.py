"""Labels, and what each piece of a text may be."""

TYPES = ["PERSON", "LOCATION", "ORGANIZATION", "ADDRESS", "DATE", "AGE", "DEMOGRAPHIC", "ID", "PHONE", "QUANTITY"]
LABELS = ["O"] + [f"{prefix}-{kind}" for kind in TYPES for prefix in "BI"]
BEGIN = {kind: 1 << (1 + 2 * i) for i, kind in enumerate(TYPES)}
INSIDE = {kind: 1 << (2 + 2 * i) for i, kind in enumerate(TYPES)}
OUTSIDE = 1
ANY = (1 << len(LABELS)) - 1


def encode(tokenizer, text, spans, known):
    """
    Piece ids and allowed labels (a bit set per piece) of a text.

    `spans` are (start, end, kinds): kinds is a tuple of types, where "O" among them means that it may be nothing, and
    an empty tuple says nothing at all. `known` are the types that the source marks everywhere; a piece outside all
    spans may be any of the others.
    """
    encoding = tokenizer.encode(text, add_special_tokens=False)
    # A piece holds the blank before it, which belongs to no span; one that is a blank alone goes with what follows.
    offsets = [(a + len(text[a:b]) - len(text[a:b].lstrip()), b) for a, b in encoding.offsets]
    offsets = [(a, b) if a < b else (b, b + 1) for a, b in offsets]
    outside = OUTSIDE
    for kind in TYPES:
        if kind not in known:
            outside |= BEGIN[kind] | INSIDE[kind]
    allowed = [outside] * len(offsets)
    at = 0
    for start, end, kinds in sorted(spans):
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
    return encoding.ids, allowed
