"""
Historic newspapers with names marked (Europeana Newspapers NER corpora, CC0: github EuropeanaNewspapers/ner-corpora), read
through OCR: French, Dutch and German. Every tenth stretch of 40 sentences is kept back: python europeana.py --corpora DIR --out FILE
writes those as development data, in the layout of the other sets.
"""

import argparse
import json
import random
import re
from pathlib import Path

FILES = {"fr": ["enp_FR.bnf.bio"], "nl": ["enp_NL.kb.bio"], "de": ["enp_DE.lft.bio", "enp_DE.onb.bio", "enp_DE.sbb.bio"]}
STRETCH, KEPT_BACK = 40, 10
LONGEST = 60


def tag_of(raw):
    """A tag as it was meant: some are written B_PER, B-ORg or B-BER."""
    found = re.fullmatch(r"([BI])[-_](PER|BER|LOC|ORG)", raw.upper())
    return f"{found[1]}-{found[2].replace('BER', 'PER')}" if found else "O"


def sentences(folder, lang):
    """Tokens and tags of each sentence, in the order of the files."""
    for name in FILES[lang]:
        tokens, tags = [], []
        for line in (folder / name / name).read_text(encoding="utf-8", errors="replace").splitlines():
            parts = line.split()
            if line.startswith("#") or len(parts) != 2:
                continue
            tokens.append(parts[0])
            tags.append(tag_of(parts[1]))
            done = parts[0] in ".!?" and len(tokens) > 4 and len(tokens[-2]) > 3
            if done or (len(tokens) >= LONGEST and tags[-1] == "O"):
                yield tokens, tags
                tokens, tags = [], []
        if tokens:
            yield tokens, tags


def split(folder, lang, kept_back):
    for i, sentence in enumerate(sentences(folder, lang)):
        if (i // STRETCH % KEPT_BACK == KEPT_BACK - 1) == kept_back:
            yield sentence


def main():
    from sources import joined
    parser = argparse.ArgumentParser()
    parser.add_argument("--corpora", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    with args.out.open("w") as out:
        for lang in FILES:
            for i, (tokens, tags) in enumerate(split(args.corpora, lang, True)):
                text, spans = joined(tokens, tags, random.Random(i))
                at = [len(text[:k].encode("utf-16-le")) // 2 for k in range(len(text) + 1)]
                out.write(json.dumps({"id": f"europeana/{lang}/{i}", "lang": lang, "domain": "news", "text": text, "spans": [
                    {"start": at[a], "end": at[b], "type": kind, "idtype": "DIRECT", "entity": text[a:b], "protect": True}
                    for a, b, kind in spans if kind]}, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
