"""
Whole texts with what identifies people marked in them, about other people each time they are read.

A file holds the texts of one language. `=== title` begins one; `{P:Anna Berg}` marks a value, by the letters of KINDS. X is what may be
either, as courts that everybody in a country shares.
"""

import re
from pathlib import Path

from features import TYPES

KINDS = {"P": ("PERSON",), "A": ("ADDRESS",), "L": ("LOCATION",), "O": ("ORGANIZATION",), "B": ("DATE",), "D": ("DATE",), "G": ("AGE",),
         "N": ("ID",), "T": ("PHONE",), "E": ("O",), "U": (), "K": (), "X": ()}
KNOWN = tuple(kind for kind in TYPES if kind not in ("DEMOGRAPHIC", "QUANTITY"))
# Names change their ends there with the sentence: others than those that stand would mostly be wrong.
INFLECTING = {"pl", "cs", "sk", "hr", "uk", "fi", "hu", "tr", "el", "ro"}
PARTICLES = {"von", "van", "de", "der", "den", "da", "do", "dos", "das", "del", "della", "di", "la", "le", "el", "al", "bin", "ibn", "und",
             "ter", "ten", "af", "av", "zu", "zum", "san", "abu", "ben", "mac", "the", "och", "and", "und", "of", "y", "e", "i", "a"}
WORD = re.compile(r"[^\W\d_]{3,}")
SWAPPED = 0.6  # texts in which names are others
PLACES, ORGANISATIONS, NUMBERS = 0.5, 0.3, 0.7  # the same of values in such a text


def marked(body):
    """Pieces of a text: (text, letter of its kind or nothing)."""
    for plain, kind, value in re.findall(r"([^{]+)|\{([A-Z]):([^}]*)\}", body):
        yield (value, kind) if kind else (plain, None)


class Letters:
    def __init__(self, folders, lang):
        """`folders` hold files by language, `de.txt` or, in several parts, `de-3.txt`."""
        files = sorted(path for folder in folders for path in Path(folder).glob(f"{lang}*.txt") if re.split(r"[-.]", path.name)[0] == lang)
        parts = [part for path in files for part in re.split(r"^=== (?=\S)", path.read_text(), flags=re.M)[1:]]
        self.lang, self.texts = lang, [list(marked(part.partition("\n")[2])) for part in parts]
        self.organisations = sorted({value for text in self.texts for value, kind in text if kind == "O"})

    def epoch(self, writer, rng, times):
        """Every text so many times: (line, spans, known types), in order."""
        for _ in range(times):
            for text in rng.sample(self.texts, len(self.texts)):
                yield from lines(self.others(text, writer, rng) if rng.random() < SWAPPED else text)

    def others(self, text, writer, rng):
        """The same text about others: each word of a name is the same other one all over the text."""
        known = {}

        def swap(value, kind):
            if kind == "P" and (self.lang not in INFLECTING or rng.random() < 0.15):
                return WORD.sub(lambda word: self.name(word, writer, known), value)
            if kind == "L" and self.lang not in INFLECTING and rng.random() < PLACES and value[0].isupper():
                return known.setdefault(value, writer.fill("CITY", self.lang))
            if kind == "O" and rng.random() < ORGANISATIONS and value[0].isupper():
                return known.setdefault(value, rng.choice(self.organisations))
            if kind in ("N", "T") and rng.random() < NUMBERS:
                return re.sub(r"\d", lambda _: str(rng.randint(0, 9)), value)
            return value

        return [(swap(value, kind), kind) for value, kind in text]

    def name(self, found, writer, known):
        word = found[0]
        if word.lower() in PARTICLES:
            return word
        if word.lower() not in known:
            begins = found.start() == 0 and found.end() < len(found.string) and "," not in found.string
            known[word.lower()] = writer.fill("FIRST" if begins else "LAST", self.lang)
        other = known[word.lower()]
        return other.upper() if word.isupper() else other.lower() if word.islower() else other


def lines(text):
    """A text line by line; one that ends within a value goes on."""
    line, spans = "", []
    for value, kind in text:
        if kind:
            spans.append((len(line), len(line) + len(value), KINDS[kind]))
            line += value
            continue
        *ended, rest = value.split("\n")
        for end in ended:
            if (line + end).strip():
                yield line + end, spans, KNOWN
            line, spans = "", []
        line += rest
    if line.strip():
        yield line, spans, KNOWN
