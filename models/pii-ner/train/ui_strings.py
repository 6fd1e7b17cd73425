"""
What programs say to their users, in languages for which there is no other text that may be used: lines without any name.

They are read from packages of PyPI, which carry translations under their own licences, as
`pip download --no-deps --dest TEXTS home-assistant-frontend==20250109.2 homeassistant==2024.3.3 django==5.2.19` lays them
down (the first two Apache-2.0, the last BSD-3-Clause).
"""

import json
import re
import zipfile

LANGUAGES = {"sv": 6000, "da": 2000, "nb": 1500}  # most lines per epoch
CAPITAL = "A-ZÅÄÖÆØ"
PLAIN = re.compile(rf"[\w åäöæøÅÄÖÆØ.,;:!?'\"()/-]+")
CATALOGUE = re.compile(r'^msgstr(?:\[\d\])? ((?:".*"\n?)+)', re.MULTILINE)


def strings(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for one in value.values():
            yield from strings(one)


def nameless(line):
    """No marks of programs, more than one word, and capitals only where a sentence begins."""
    if not PLAIN.fullmatch(line) or "_" in line or len(line.split()) < 2 or re.search(f"[{CAPITAL}]{{2}}", line):
        return False
    return not re.search(rf"\s\S*[{CAPITAL}]", re.sub(rf"[.?!] +[{CAPITAL}]", "", line))


def lines(folder, lang):
    """Distinct lines of one language in the wheels of a folder, in an order of their own."""
    out = set()
    for path in sorted(folder.glob("*.whl")):
        with zipfile.ZipFile(path) as wheel:
            for name in wheel.namelist():
                if re.search(rf"[/.]{lang}(?:-[0-9a-f]+)?\.json$", name):
                    out.update(strings(json.loads(wheel.read(name))))
                elif name.endswith(f"/locale/{lang}/LC_MESSAGES/django.po"):
                    for found in CATALOGUE.finditer(wheel.read(name).decode()):
                        out.add("".join(json.loads(part) for part in found[1].splitlines()))
    return sorted(line for line in out if nameless(line))


def groups(folder):
    """Languages with their lines and how many of them one epoch takes."""
    return {f"interface-{lang}": (lines(folder, lang), most) for lang, most in LANGUAGES.items()}
