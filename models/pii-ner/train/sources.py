"""Reads the annotated sets into (text, spans, known types); what may be used and how each maps is in this file."""

import gzip
import json
import random
import re
from pathlib import Path

import europeana
from negatives import as_swedish

PLO = ("PERSON", "LOCATION", "ORGANIZATION")
P, L, G, D = ("PERSON",), ("LOCATION",), ("ORGANIZATION",), ("DATE",)
NOT_NAMED = ("O", "DEMOGRAPHIC", "DATE", "QUANTITY", "ID")

# file, types marked everywhere, label map (a label not listed is outside), share of sentences without entities kept,
# most sentences per epoch
TOKEN_SETS = [
    ("wikigold", "en", PLO, {"PER": P, "LOC": L, "ORG": G, "MISC": NOT_NAMED}, 1.0, 2000),
    ("broad-twitter", "en", PLO, {"PER": P, "LOC": L, "ORG": G}, 1.0, 9400),
    ("wnut17-train", "en", PLO, {"person": P, "location": L, "corporation": G, "group": G, "product": NOT_NAMED,
                                 "creative-work": NOT_NAMED}, 1.0, 3400),
    ("norne", "no", PLO, {"PER": P, "LOC": L, "GPE_LOC": L, "GPE_ORG": ("LOCATION", "ORGANIZATION"), "ORG": G,
                          "DRV": ("O", "DEMOGRAPHIC"), "PROD": NOT_NAMED, "EVT": NOT_NAMED, "MISC": NOT_NAMED}, 0.8, 12000),
    ("lener-br-train", "pt", PLO + D, {"PESSOA": P, "LOCAL": L, "ORGANIZACAO": G, "TEMPO": D,
                                       "LEGISLACAO": ("O", "ID", "DATE"), "JURISPRUDENCIA": ("O", "ID", "DATE")}, 0.5, 3600),
    ("mobie-train", "de", PLO + D, {
        "person": P, "organization": G, "organization-company": G, "location": L, "location-city": L,
        "location-stop": L, "location-street": ("LOCATION", "ADDRESS"), "location-route": ("O", "LOCATION"), "date": D,
        "time": ("O", "DATE"), "set": ("O", "DATE"), "duration": ("O", "DATE", "QUANTITY"), "distance": ("O", "QUANTITY"),
        "money": ("QUANTITY", "O"), "number": ("O", "QUANTITY", "ID"), "org-position": ("O", "DEMOGRAPHIC")}, 0.6, 3500),
    ("german-ler-dev", "de", PLO, {
        "PER": P, "RR": P, "AN": P, "LD": L, "ST": L, "LDS": L, "STR": ("LOCATION", "ADDRESS"), "ORG": G, "UN": G,
        "INN": G, "GRT": G, "MRK": NOT_NAMED, **{k: NOT_NAMED + G for k in ("EUN", "GS", "RS", "LIT", "VT", "VS", "VO")}},
     0.3, 2000),
    ("ronec", "ro", PLO + D, {
        "PERSON": P, "GPE": L, "LOC": L, "FACILITY": ("LOCATION", "ORGANIZATION"), "ORGANIZATION": G, "DATETIME": D,
        "PERIOD": ("O", "DATE", "QUANTITY"), "NAT_REL_POL": ("DEMOGRAPHIC",), "MONEY": ("QUANTITY",),
        "QUANTITY": ("QUANTITY",), "NUMERIC_VALUE": ("O", "QUANTITY", "ID", "DATE"), "EVENT": NOT_NAMED,
        "PRODUCT": NOT_NAMED, "WORK_OF_ART": NOT_NAMED, "LANGUAGE": NOT_NAMED, "ORDINAL": ("O",)}, 0.3, 1300),
]

MEDDOCAN = {
    "TERRITORIO": L, "PAIS": L, "FECHAS": D, "EDAD_SUJETO_ASISTENCIA": ("AGE",), "NOMBRE_SUJETO_ASISTENCIA": P,
    "NOMBRE_PERSONAL_SANITARIO": P, "SEXO_SUJETO_ASISTENCIA": ("DEMOGRAPHIC",), "CALLE": ("ADDRESS",),
    "FAMILIARES_SUJETO_ASISTENCIA": ("DEMOGRAPHIC",), "PROFESION": ("DEMOGRAPHIC",), "HOSPITAL": G, "INSTITUCION": G,
    "CENTRO_SALUD": G, "NUMERO_TELEFONO": ("PHONE",), "NUMERO_FAX": ("PHONE",), "CORREO_ELECTRONICO": ("O",),
    "OTROS_SUJETO_ASISTENCIA": (), "ID_SUJETO_ASISTENCIA": ("ID",), "ID_TITULACION_PERSONAL_SANITARIO": ("ID",),
    "ID_ASEGURAMIENTO": ("ID",), "ID_CONTACTO_ASISTENCIAL": ("ID",), "ID_EMPLEO_PERSONAL_SANITARIO": ("ID",)}
TAB = {"PERSON": P, "LOC": L, "ORG": G, "DATETIME": D, "DEM": ("DEMOGRAPHIC",), "CODE": ("ID",),
       "QUANTITY": ("QUANTITY",), "MISC": ()}

HONORIFIC = re.compile(r"^(?:(?:Mr|Mrs|Ms|Miss|Dr|Prof|Sir|Judge|Justice|President)\.?\s+)+")
NO_SPACE_BEFORE = set(".,;:!?)]}%…’”»") | {"'s", "'m", "'re", "'ve", "'ll", "'d", "n't", "'S", "’s", "''"}
NO_SPACE_AFTER = set("([{#@$£€“«¿¡") | {"``"}


def joined(tokens, tags, rng):
    """Tokens as running text (three times of four without the spaces of tokenisation) with (start, end, label) spans."""
    natural = rng.random() < 0.75
    text, spans, quotes = "", [], 0
    for i, (token, tag) in enumerate(zip(tokens, tags)):
        space = bool(text)
        if natural and text:
            previous = tokens[i - 1]
            if token == '"':
                space = quotes % 2 == 0
            elif token in NO_SPACE_BEFORE or previous in NO_SPACE_AFTER or (previous == '"' and quotes % 2 == 1):
                space = False
        if token == '"':
            quotes += 1
        if space:
            text += " "
        start = len(text)
        text += token
        if tag.startswith("B-") or (tag.startswith("I-") and not (spans and i and tags[i - 1][2:] == tag[2:])):
            spans.append([start, len(text), tag[2:]])
        elif tag.startswith("I-"):
            spans[-1][1] = len(text)
        if token.startswith("@") or (i and tokens[i - 1] == "@"):
            spans.append([start, len(text), None])  # the sets disagree on whether a user's handle is a name
    return text, spans


def keep(name, text, start, end, kinds):
    """What a span may be, where the set's own convention differs from ours."""
    value = text[start:end]
    if name == "ronec" and kinds == P and (value.islower() or (start == 0 and " " not in value)):
        return ("O", "PERSON")  # the set marks common nouns that stand for a person
    if name == "german-ler-dev" and sum(c.isalpha() for c in value) <= 2:
        return ()  # already anonymised
    return kinds


def token_sets(root: Path, rng: random.Random):
    """One epoch of the token-level sets: {name: [(text, spans, known)]}."""
    for name, _, known, mapping, empty, most in TOKEN_SETS:
        rows = [json.loads(line) for line in gzip.open(root / "ner" / f"{name}.jsonl.gz", "rt")]
        rng.shuffle(rows)
        out = []
        for row in rows:
            if len(out) == most:
                break
            if all(mapping.get(tag[2:]) is None for tag in row["tags"]) and rng.random() >= empty:
                continue
            tokens = as_swedish(row["tokens"], row["tags"]) if name == "norne" and rng.random() < 0.45 else row["tokens"]
            text, spans = joined(tokens, row["tags"], rng)
            spans = [(s, e, () if label is None else keep(name, text, s, e, mapping[label]))
                     for s, e, label in spans if label is None or label in mapping]
            out.append((text, spans, known))
        yield name, out


def newspapers(folder: Path, lang: str, rng: random.Random):
    """Sentences of historic newspapers, in order; those without any name only now and then."""
    for tokens, tags in europeana.split(folder, lang, False):
        if all(tag == "O" for tag in tags) and rng.random() < 0.7:
            continue
        text, spans = joined(tokens, tags, rng)
        names = {"PER": P, "LOC": L, "ORG": G}
        # A name read badly may be left out there, and titles, nationalities and offices are marked now and then.
        yield text, [(s, e, names[label] if label else ()) for s, e, label in spans], PLO


def documents(path: Path):
    return [json.loads(line) for line in open(path)]


def meddocan(root: Path, rng: random.Random):
    """Paragraphs of half of the clinical records; those without any span only now and then."""
    for row in documents(root / "open/meddocan-train.jsonl"):
        if rng.random() < 0.5:
            continue
        at = 0
        for line in row["text"].split("\n"):
            end = at + len(line)
            spans = [(s["start"] - at, s["end"] - at, MEDDOCAN.get(s["type"], ()))
                     for s in row["spans"] if s["start"] >= at and s["end"] <= end]
            if line.strip() and (spans or rng.random() < 0.2):
                yield line, spans, tuple(t for t in (
                    "PERSON", "LOCATION", "ORGANIZATION", "ADDRESS", "DATE", "AGE", "DEMOGRAPHIC", "ID", "PHONE"))
            at = end + 1


def tab(root: Path, rng: random.Random):
    """Court cases; one annotator each, who also marked what needs no mask."""
    for row in documents(root / "open/tab-train-92.jsonl"):
        spans = []
        for s in row["spans"]:
            value, kinds = row["text"][s["start"]:s["end"]], TAB.get(s["type"], ())
            start = s["start"]
            if s["type"] == "PERSON":
                title = HONORIFIC.match(value)
                if title and title.end() < len(value):
                    spans.append((start, start + title.end(), ()))
                    start += title.end()
            elif s["type"] == "DATETIME" and not s["protect"]:
                kinds = ()
            spans.append((start, s["end"], kinds))
        at = 0
        for line in row["text"].split("\n"):
            end = at + len(line)
            if line.strip():
                yield line, [(a - at, b - at, k) for a, b, k in spans if a >= at and b <= end], (
                    "PERSON", "LOCATION", "ORGANIZATION", "ADDRESS", "DATE", "AGE", "DEMOGRAPHIC", "ID", "PHONE", "QUANTITY")
            at = end + 1
