"""Makes the lists that surrogates are drawn from: names.ts and places.ts beside this file.

Sources, all under the MIT licence: faker and mimesis (PyPI), @faker-js/faker (npm). Run it in an empty folder with pip, npm
and node at hand: `python3 make.py FOLDER`. A changed list changes every surrogate: freeze what it makes with a new version
of the scheme in ../scheme.ts, and have test/engine/surrogates/lists.test.ts know its digest.
"""

import importlib
import json
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
FOLDER = pathlib.Path(sys.argv[1]).resolve()
FAKER, MIMESIS, FAKER_JS = "40.54.0", "22.2.0", "10.6.0"

# Locales in the order of their bits, with those of faker, of mimesis and of @faker-js/faker.
LOCALES = {
    "en": ("en_US en_GB en_IE", "en en-gb en-au en-ca", "en en_US en_GB en_IE"),
    "de": ("de_DE de_AT de_CH", "de de-at de-ch", "de de_AT de_CH"),
    "fr": ("fr_FR fr_BE fr_CH", "fr", "fr fr_BE fr_CH"),
    "es": ("es_ES es_MX es_AR es_CO es_CL", "es es-mx", "es es_MX"),
    "it": ("it_IT", "it", "it"),
    "pt": ("pt_PT pt_BR", "pt pt-br", "pt_PT pt_BR"),
    "nl": ("nl_NL nl_BE", "nl nl-be", "nl nl_BE"),
    "pl": ("pl_PL", "pl", "pl"),
    "sv": ("sv_SE", "sv", "sv"),
    "da": ("da_DK", "da", "da"),
    "no": ("no_NO", "no", "nb_NO"),
    "fi": ("fi_FI", "fi", "fi"),
    "cs": ("cs_CZ", "cs", "cs_CZ"),
    "ro": ("ro_RO", "", "ro"),
    "hu": ("hu_HU", "hu", "hu"),
    "tr": ("tr_TR", "tr", "tr"),
    "ru": ("ru_RU", "ru", "ru"),
    "el": ("el_GR", "el", "el"),
}
SCRIPTS = {"ru": "А-Яа-яЁё", "el": "Ͱ-Ͽἀ-῾"}
MOST = {"given": 2500, "surname": 3000, "city": 1000, "street": 600}

# Endings of the surnames of women, which the engine makes of those of men by the same table.
FEMALE = {"ru": r"(ова|ева|ёва|ина|ына|ая)$", "pl": r"(ska|cka|dzka)$", "cs": r"ová$"}


def fetch():
    run = lambda *command: subprocess.run(command, cwd=FOLDER, check=True, capture_output=True, text=True).stdout
    run("pip", "install", "--quiet", "--no-deps", "--target", "python", f"faker=={FAKER}", f"mimesis=={MIMESIS}")
    run("npm", "install", "--no-save", "--silent", "--prefix", ".", f"@faker-js/faker@{FAKER_JS}")
    sys.path.insert(0, str(FOLDER / "python"))
    script = "import('@faker-js/faker').then(({allLocales}) => console.log(JSON.stringify(allLocales)))"
    return json.loads(run("node", "-e", script))


def of_faker(locale, out):
    try:
        person = importlib.import_module(f"faker.providers.person.{locale}").Provider
    except ModuleNotFoundError:
        return
    out["male"] |= set(getattr(person, "first_names_male", ()))
    out["female"] |= set(getattr(person, "first_names_female", ()))
    out["surname"] |= set(getattr(person, "last_names_male", ())) or set(getattr(person, "last_names", ()))
    try:
        address = importlib.import_module(f"faker.providers.address.{locale}").Provider
    except ModuleNotFoundError:
        return
    out["city"] |= set(map(str, getattr(address, "cities", ()) or getattr(address, "city_names", ())))
    out["street"] |= set(map(str, getattr(address, "streets", ()) or getattr(address, "street_names", ())))


def of_mimesis(locale, out):
    folder = FOLDER / "python/mimesis/datasets" / locale
    if (folder / "person.json").exists():
        person = json.loads((folder / "person.json").read_text())
        for gender in ("male", "female"):
            out[gender] |= set(person.get("names", {}).get(gender, ()))
        surnames = person.get("surnames", ())
        out["surname"] |= set(surnames["male"] if isinstance(surnames, dict) else surnames)
    if (folder / "address.json").exists():
        address = json.loads((folder / "address.json").read_text())
        out["city"] |= set(address.get("city", ()))
        street = address.get("street", {})
        out["street"] |= set(street.get("name", ()) if isinstance(street, dict) else ())


def of_faker_js(definition, out):
    person, location = definition.get("person") or {}, definition.get("location") or {}
    of = lambda entry, *names: {one for name in names for one in (entry or {}).get(name) or ()}
    out["male"] |= of(person.get("first_name"), "male")
    out["female"] |= of(person.get("first_name"), "female")
    out["surname"] |= of(person.get("last_name"), "male") or of(person.get("last_name"), "generic")
    out["city"] |= set(location.get("city_name") or ())
    out["street"] |= set(location.get("street_name") or ())


def spread(values, most):
    """At most so many of them, evenly over the alphabet."""
    ordered = sorted(values)
    if len(ordered) <= most:
        return ordered
    return [ordered[n * len(ordered) // most] for n in range(most)]


def clean(out, language):
    letters = SCRIPTS.get(language, "A-Za-zÀ-ÖØ-öø-ɏ")
    word = re.compile(rf"^(?=[^a-zß-öø-ÿа-яё])[{letters}][{letters}'’-]{{1,15}}$")
    words = re.compile(rf"^[{letters}][{letters}'’. -]{{2,30}}$")
    female = re.compile(FEMALE.get(language, r"$^"))
    kept = lambda name, form, most: spread((one for one in out[name] if form.match(one) and not one.isupper()), most)
    greek = lambda names: [one for one in names if language != "el" or one.endswith(("ης", "ας", "ος"))]
    return {
        "female": kept("female", word, MOST["given"]),
        "male": kept("male", word, MOST["given"]),
        "surname": greek([one for one in kept("surname", word, MOST["surname"]) if not female.search(one)]),
        "city": kept("city", words, MOST["city"]),
        "street": kept("street", words, MOST["street"]),
    }


def front_coded(entries):
    """Each line: how many characters it shares with the line before, the rest of it, and the bits of its lists."""
    lines, before = [], ""
    for name, masks in sorted(entries.items()):
        shared = 0
        while shared < min(len(name), len(before), 35) and name[shared] == before[shared]:
            shared += 1
        lines.append("0123456789abcdefghijklmnopqrstuvwxyz"[shared] + name[shared:] + "\t" + " ".join(f"{m:x}" for m in masks))
        before = name
    return "\n".join(lines)


def write(name, docstring, lists, columns):
    entries = {}
    for bit, one in enumerate(lists.values()):
        for column, key in enumerate(columns):
            for value in one[key]:
                entries.setdefault(value, [0] * len(columns))[column] |= 1 << bit
    script = """
      const { brotliCompressSync, constants } = require('node:zlib')
      const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 }
      const text = require('node:fs').readFileSync(0)
      process.stdout.write(brotliCompressSync(text, { params }).toString('base64'))
    """
    coded = subprocess.run(("node", "-e", script), input=front_coded(entries), check=True, capture_output=True, text=True)
    (HERE / f"{name}.ts").write_text(f"/** {docstring} Made by make.py; see NOTICE. */\nexport const {name} =\n  '{coded.stdout}'\n")
    print(name, len(entries), "entries,", len(coded.stdout), "characters")


def main():
    definitions = fetch()
    lists = {}
    for language, (faker, mimesis, faker_js) in LOCALES.items():
        out = {name: set() for name in ("male", "female", "surname", "city", "street")}
        for locale in faker.split():
            of_faker(locale, out)
        for locale in mimesis.split():
            of_mimesis(locale, out)
        for locale in faker_js.split():
            of_faker_js(definitions[locale], out)
        lists[language] = clean(out, language)
        print(language, {name: len(values) for name, values in lists[language].items()})
    write("names", "Given names of women and of men, and surnames, of 18 languages.", lists, ("female", "male", "surname"))
    write("places", "Towns and streets of 18 languages.", lists, ("city", "street"))


main()
