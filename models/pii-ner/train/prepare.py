"""
Makes the windows of one epoch:
python prepare.py --data DIR --corpora DIR --base DIR --texts DIR --out FILE --epoch N [--letters DIR[=TIMES] ...] [--others SHARE]

DIR of --data holds ner/*.jsonl.gz and open/*.jsonl, --corpora the Europeana newspapers, --base what encoder.py wrote, --texts the
wheels of ui_strings.py, --letters the texts of letters.py, each of a folder so many times; of the windows of all other sources a share is
taken. Every epoch has other generated text and names; the trainer reads them one after the other.
"""

import argparse
import json
import os
import random
import sys
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer

import europeana
import features as f
import sources
import ui_strings
from generate import KNOWN, LOCALES, Writer
from letters import Letters
from negatives import sentence

GENERATED = {"en": 8000, "es": 1600, "de": 2000, "pt": 2000, "sv": 1500, "da": 900, "no": 500, "fr": 1900, "it": 1900,
             "nl": 1600, "pl": 1600}
HARMLESS = {"sv": 1500, "da": 500, "pt": 1200}
INFLECTED = 500  # of each language
REPEAT = {"wikigold": 3, "tab": 2}
LETTERS = 8  # how often each is read where nothing else is said
WINDOW = 126
ORDERED = ("meddocan", "tab", "europeana-fr", "europeana-nl", "europeana-de")
ENGLISH = ("wikigold", "broad-twitter", "wnut17-train")


def harvest(root):
    """Names as they stand in the annotated English sets, to fill templates with."""
    found = {"PERSON": set(), "LOCATION": set(), "ORGANIZATION": set()}
    for name, rows in sources.token_sets(root, random.Random(0)):
        if name in ENGLISH:
            for text, spans, _ in rows:
                for start, end, kinds in spans:
                    if len(kinds) == 1 and kinds[0] in found and text[start].isupper() and end - start > 3:
                        found[kinds[0]].add(text[start:end])
    return {k: sorted(v) for k, v in found.items()}


def swapped(rows, harvested, writer, rng):
    """The same sentences about other people and places: every name replaced in about every third sentence."""
    for text, spans, known in rows:
        if spans and rng.random() < 0.35:
            out, moved, at = "", [], 0
            for start, end, kinds in sorted(spans):
                if start < at:
                    continue
                out += text[at:start]
                value = text[start:end]
                if kinds == ("PERSON",) and value[0].isupper():
                    value = writer.fill("PERSON" if " " in value else rng.choice(["FIRST", "LAST"]), "en")
                elif kinds == ("LOCATION",) and value[0].isupper() and rng.random() < 0.5:
                    value = writer.fill(rng.choice(["CITY", "CITY", "COUNTRY"]), "en").removeprefix("the ")
                elif kinds == ("ORGANIZATION",) and value[0].isupper() and rng.random() < 0.4:
                    value = rng.choice(harvested["ORGANIZATION"])
                moved.append((len(out), len(out) + len(value), kinds))
                out += value
                at = end
            text, spans = out + text[at:], moved
        yield text, spans, known


def recased(text, rng):
    """Now and then a text in one case only, as people type it; no character changes its place."""
    x = rng.random()
    change = str.lower if x < 0.1 else str.upper if x < 0.14 else str.title if x < 0.16 else None
    if change is None:
        return text
    changed = change(text)
    return changed if len(changed) == len(text) else "".join(change(c) if len(change(c)) == 1 else c for c in text)


def gathered(args, rng):
    """The texts of one epoch by where they come from."""
    harvested = harvest(args.data)
    writer = Writer(args.epoch * 1000 + 7, harvested)
    groups = dict(sources.token_sets(args.data, rng))
    for name in ENGLISH:
        groups[name] = list(swapped(groups[name], harvested, writer, rng))
    groups["meddocan"] = list(sources.meddocan(args.data, rng))
    groups["tab"] = list(sources.tab(args.data, rng))
    for lang in europeana.FILES:
        groups[f"europeana-{lang}"] = list(sources.newspapers(args.corpora, lang, rng))
    for lang, count in GENERATED.items():
        groups[f"generated-{lang}"] = list(writer.texts(lang, count))
    for lang, text in writer.inflected_texts(INFLECTED):
        groups.setdefault(f"inflected-{lang}", []).append(text)
    for lang, count in HARMLESS.items():
        groups[f"harmless-{lang}"] = [(sentence(lang, rng), [], KNOWN) for _ in range(count)]
    for lang in LOCALES:
        groups[f"letters-{lang}"] = [row for folder, times in args.letters for row in Letters([folder], lang).epoch(writer, rng, times)]
    for name, (lines, most) in ui_strings.groups(args.texts).items():
        groups[name] = [(line, [], KNOWN) for line in rng.sample(lines, min(most, len(lines)))]
    return groups


def windows(tokenizer, rows, ordered, rng):
    """Texts in windows of at most WINDOW pieces: (ids, allowed)."""
    lengths = [24, 48, 96, WINDOW]
    ids, allowed, target = [], [], rng.choice(lengths)
    for text, spans, known in rows:
        a, c = f.encode(tokenizer, recased(text, rng), spans, known)
        while len(ids) + len(a) > WINDOW or (len(ids) + len(a) > target and ids):
            room = WINDOW - len(ids)
            if ids and (len(a) <= WINDOW or room < 32):
                yield ids, allowed
            else:
                cut = min(room, len(a))
                yield ids + a[:cut], allowed + c[:cut]
                a, c = a[cut:], c[cut:]
            ids, allowed = [], []
            target = WINDOW if ordered else rng.choice(lengths)
        ids, allowed = ids + a, allowed + c
    if ids:
        yield ids, allowed


def repeated(text):
    """A folder of letters and how often each is read: `DIR` or `DIR=6`."""
    folder, _, times = text.partition("=")
    return Path(folder), int(times or LETTERS)


def main():
    parser = argparse.ArgumentParser()
    for name in ("data", "corpora", "base", "texts", "out"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    parser.add_argument("--letters", type=repeated, nargs="*", default=[])
    parser.add_argument("--others", type=float, default=1, help="share of the windows that are not of letters")
    parser.add_argument("--epoch", type=int, required=True)
    args = parser.parse_args()
    if os.environ.get("PYTHONHASHSEED") != "0":  # Faker draws Italian cities from a set
        os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, "PYTHONHASHSEED": "0"})
    rng = random.Random(args.epoch)
    tokenizer = Tokenizer.from_file(str(args.base / "tokenizer.json"))
    made, sizes = [], {}
    for name, rows in gathered(args, rng).items():
        before = len(made)
        for _ in range(REPEAT.get(name, 1)):
            ordered = name in ORDERED or name.startswith("letters-")
            if not ordered:
                rng.shuffle(rows)
            found = list(windows(tokenizer, rows, ordered, rng))
            letters = name.startswith("letters-")
            made.extend(found if letters else rng.sample(found, round(args.others * len(found))))
        sizes[name] = {"texts": len(rows), "pieces": sum(len(ids) for ids, _ in made[before:])}
    rng.shuffle(made)
    lengths = np.array([len(ids) for ids, _ in made], np.int32)
    np.savez(args.out, lengths=lengths, ids=np.concatenate([np.array(ids, np.int32) for ids, _ in made]),
             allowed=np.concatenate([np.array(bits, np.int32) for _, bits in made]))
    print(json.dumps({"epoch": args.epoch, "windows": len(made), "pieces": int(lengths.sum()), "sources": sizes}, indent=1))


if __name__ == "__main__":
    main()
