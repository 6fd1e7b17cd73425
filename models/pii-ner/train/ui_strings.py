"""
What programs say to their users, in dozens of languages for which there is no other text that may be used: lines without any name.

They are read from packages of PyPI, which carry translations under their own licences, as
`pip download --no-deps --dest TEXTS home-assistant-frontend==20250109.2 homeassistant==2024.3.3 django==5.2.19 wagtail==8.0.1
django-allauth==65.21.1` lays them down (the first two Apache-2.0, Django and Wagtail BSD-3-Clause, the last MIT).
"""

import json
import re
import zipfile

# Most lines per epoch: the languages of the tagger, and as many as there are of the others.
LANGUAGES = {"sv": 5000, "da": 1500, "nb": 1200, "nl": 1200, "fr": 1200, "it": 1200, "pl": 1500, "cs": 1200, "ro": 600, "es": 900,
             "pt_BR": 900, "sk": 500, "hu": 700, "fi": 700, "el": 500, "ru": 700, "uk": 500, "tr": 500, "hr": 400, "sl": 400, "bg": 400,
             "lt": 400, "lv": 400, "et": 400, "ca": 300, "gl": 200, "is": 200, "vi": 200, "id": 200}
PLAIN = re.compile(r"[\w .,;:!?'’\"()/-]+")
CATALOGUE = re.compile(r'^msgstr(?:\[\d\])? ((?:".*"\n?)+)', re.MULTILINE)


def strings(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for one in value.values():
            yield from strings(one)


def nameless(line):
    """No marks of programs, more than one word, and capitals only where a sentence begins."""
    words = line.split()
    if not PLAIN.fullmatch(line) or "_" in line or len(words) < 2 or any(len(w) > 1 and w[1:] != w[1:].lower() for w in words):
        return False
    return not any(w.strip("'\"(’")[:1].isupper() and before[-1] not in ".!?" for before, w in zip(words, words[1:]))


def lines(folder, lang):
    """Distinct lines of one language in the wheels of a folder, in an order of their own."""
    out = set()
    for path in sorted(folder.glob("*.whl")):
        with zipfile.ZipFile(path) as wheel:
            for name in wheel.namelist():
                if re.search(rf"[/.]{lang.replace('_', '-')}(?:-[0-9a-f]+)?\.json$", name):
                    out.update(strings(json.loads(wheel.read(name))))
                elif re.search(rf"/locale/{lang}(?:_[A-Z]+)?/LC_MESSAGES/django\.po$", name):
                    for found in CATALOGUE.finditer(wheel.read(name).decode()):
                        out.add("".join(json.loads(part) for part in found[1].splitlines()))
    return sorted(line for line in out if nameless(line))


def groups(folder):
    """Languages with their lines and how many of them one epoch takes."""
    return {f"interface-{lang}": (lines(folder, lang), most) for lang, most in LANGUAGES.items()}
