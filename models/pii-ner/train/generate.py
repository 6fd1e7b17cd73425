"""Generated training text: templates written for this project, filled with invented names, places and numbers."""

import random
import re
from pathlib import Path

from faker import Faker

import words
from features import TYPES
from inflect import FEMININE, LAST_FIRST, MASCULINE, inflected

HERE = Path(__file__).parent
LOCALES = {
    "en": ["en_US", "en_GB", "en_AU", "en_CA", "en_IN"], "es": ["es_ES", "es_MX"], "de": ["de_DE", "de_AT"],
    "pt": ["pt_BR", "pt_PT"], "sv": ["sv_SE"], "da": ["da_DK"], "no": ["no_NO"], "fr": ["fr_FR"], "it": ["it_IT"],
    "nl": ["nl_NL"], "pl": ["pl_PL"], "fi": ["fi_FI"], "cs": ["cs_CZ"], "tr": ["tr_TR"], "hr": ["hr_HR"], "ro": ["ro_RO"],
    "hu": ["hu_HU"], "sk": ["sk_SK"], "sl": ["sl_SI"], "ru": ["ru_RU"], "uk": ["uk_UA"], "bg": ["bg_BG"], "lt": ["lt_LT"],
    "lv": ["lv_LV"], "et": ["et_EE"], "el": ["el_GR"]}
POOL = 1500
KIND = {"PERSON": "PERSON", "FIRST": "PERSON", "LAST": "PERSON", "CITY": "LOCATION", "COUNTRY": "LOCATION",
        "STATE": "LOCATION", "REGION": "LOCATION", "LANDMARK": "LOCATION", "RIVER": "LOCATION", "HOTEL": "ORGANIZATION",
        "ORG": "ORGANIZATION", "AGENCY": "ORGANIZATION", "TEAM": "ORGANIZATION", "UNI": "ORGANIZATION",
        "HOSPITAL": "ORGANIZATION", "COURT": "ORGANIZATION", "ADDRESS": "ADDRESS", "STREET": "ADDRESS", "ZIP": "ADDRESS",
        "DATE": "DATE", "YEAR": "DATE", "AGE": "AGE", "DEM": "DEMOGRAPHIC", "JOB": "DEMOGRAPHIC", "SEX": "DEMOGRAPHIC",
        "RELATIVE": "DEMOGRAPHIC", "ID": "ID", "CASE": "ID", "PHONE": "PHONE", "MONEY": "QUANTITY"}
# What is neither one thing nor the other: the model is told nothing about it. (Addresses of mail are nothing to it:
# patterns find them.)
UNTOLD = {"JOBTITLE", "TITLE", "EXT", "INITIAL", "PERCENT"}
KNOWN = tuple(TYPES)


def pools(seed):
    out = {}
    for lang, locales in LOCALES.items():
        pool = {k: [] for k in ("FIRST", "LAST", "CITY", "STREET", "ADDRESS", "COMPANY", "PHONE", "ZIP")}
        for locale in locales:
            fake = Faker(locale)
            fake.seed_instance(seed)
            for gender in (MASCULINE, FEMININE):
                word = "male" if gender == MASCULINE else "female"
                for kind in ("first", "last"):
                    make = getattr(fake, f"{kind}_name_{word}", None) or getattr(fake, f"{kind}_name")
                    pool.setdefault((kind, gender), []).extend(make() for _ in range(POOL // 3))
            for _ in range(POOL // len(locales)):
                pool["FIRST"].append(fake.first_name())
                pool["LAST"].append(fake.last_name())
                pool["CITY"].append(fake.city())
                pool["STREET"].append(fake.street_address())
                pool["ADDRESS"].append(fake.address())
                pool["COMPANY"].append(fake.company())
                pool["PHONE"].append(fake.phone_number())
                pool["ZIP"].append(fake.postcode())
        out[lang] = pool
    us = Faker("en_US")
    us.seed_instance(seed)
    out["states"] = sorted({us.state() for _ in range(400)} | {us.state_abbr() for _ in range(400)})
    return out


class Writer:
    def __init__(self, seed, harvested):
        self.rng = random.Random(seed)
        self.pools = pools(seed)
        self.harvested = harvested  # names, places and organisations seen in the annotated English sets

    def foreign(self, lang):
        """English text speaks of people and places from everywhere; other languages mostly of their own."""
        share = 0.4 if lang == "en" else 0.1
        return self.rng.choice(list(LOCALES)) if self.rng.random() < share else lang

    def digits(self, pattern):
        pick = {"#": "0123456789", "@": "ABCDEFGHJKLMNPRSTUVWXYZ", "*": "0123456789abcdef"}
        return "".join(self.rng.choice(pick[c]) if c in pick else c for c in pattern)

    def date(self, lang):
        r = self.rng
        day, month, year = r.randint(1, 28), r.randint(1, 12), r.randint(1930, 2026)
        forms = [f"{day:02d}/{month:02d}/{year}", f"{day}.{month}.{year}", f"{year}-{month:02d}-{day:02d}"]
        if lang not in words.MONTHS:
            return r.choice(forms)
        name = words.MONTHS[lang].split()[month - 1]
        forms.append(f"{day} {name} {year}")
        if lang == "en":
            forms += [f"{name} {day}, {year}", f"{month}/{day}/{year % 100:02d}", f"{day} {name[:3]} {year}", f"{name} {year}",
                      f"{name} {day}", f"{day} {name}", r.choice(words.WEEKDAYS), f"{name[:3]} {day}, {year}",
                      f"{day}{'th' if 3 < day < 21 else ['th', 'st', 'nd', 'rd', 'th'][min(day % 10, 4)]} of {name}",
                      f"{year}-{month:02d}-{day:02d} {r.randint(0, 23):02d}:{r.randint(0, 59):02d}", f"{month}/{day}/{year}"]
        elif lang in ("es", "pt"):
            forms += [f"{day} de {name} de {year}", f"{name} de {year}", f"{day} de {name}"]
        else:
            forms += [f"{day}. {name} {year}", f"{name} {year}", f"{day}. {name}"]
        return r.choice(forms)

    def organisation(self, lang, pool):
        r, x = self.rng, self.rng.random()
        if x < 0.3:
            return r.choice(words.COMPANY)
        if x < 0.5 and self.harvested["ORGANIZATION"] and lang == "en":
            return r.choice(self.harvested["ORGANIZATION"])
        if x < 0.72 and lang == "en":
            forms = ["{a} {b}", "{l}'s {b}", "{c} {b}", "{l} {b}", "{l} & {m}", "{a} {c} {b}", "{f}'s {b}", "{f}'s", "{l} {b} Inc."]
            return r.choice(forms).format(a=r.choice(words.ADJECTIVE), b=r.choice(words.BUSINESS), l=r.choice(pool["LAST"]),
                                          m=r.choice(pool["LAST"]), c=r.choice(pool["CITY"]), f=r.choice(pool["FIRST"]))
        return r.choice(pool["COMPANY"])

    def person(self, lang, pool):
        r, x = self.rng, self.rng.random()
        if x < 0.1 and lang == "en" and self.harvested["PERSON"]:
            return r.choice(self.harvested["PERSON"])
        first, last = r.choice(pool["FIRST"]), r.choice(pool["LAST"])
        if x < 0.2:
            return f"{first} {self.digits('@')}. {last}"
        if x < 0.24:
            return f"{self.digits('@')}. {last}"
        if x < 0.28:
            return f"{first} {r.choice(pool['FIRST'])} {last}"
        if x < 0.32 or (x < 0.6 and lang in ("es", "pt")):
            return f"{first} {last} {r.choice(pool['LAST'])}"
        return f"{first} {last}"

    def in_case(self, slot, lang, case):
        """A person, first or last name in a case, of either gender."""
        r, gender = self.rng, self.rng.choice([MASCULINE, FEMININE])
        pool = self.pools[lang]
        first, last = (inflected(r.choice(pool[kind, gender]), lang, gender, case) for kind in ("first", "last"))
        if slot != "PERSON":
            return first if slot == "FIRST" else last
        return f"{last} {first}" if lang in LAST_FIRST or r.random() < 0.05 else f"{first} {last}"

    def fill(self, slot, lang):
        r = self.rng
        slot, _, case = slot.partition(":")
        if case:
            return self.in_case(slot, lang, case)
        pool = self.pools[self.foreign(lang) if slot in ("PERSON", "FIRST", "LAST", "CITY", "ORG") else lang]
        if slot == "PERSON":
            return self.person(lang, pool)
        if slot == "ORG":
            return self.organisation(lang, pool)
        if slot == "CITY" and lang == "en" and r.random() < 0.25 and self.harvested["LOCATION"]:
            return r.choice(self.harvested["LOCATION"])
        if slot in pool:
            value = r.choice(pool[slot])
            return value.replace("\n", r.choice([", ", "\n", " "])) if slot == "ADDRESS" else value
        if slot == "STATE":
            return r.choice(self.pools["states"])
        if slot == "DATE":
            return self.date(lang)
        if slot == "YEAR":
            return str(r.randint(1930, 2026))
        if slot == "AGE":
            return r.choice(words.AGES[lang]).format(r.randint(1, 99))
        if slot == "DEM":
            return r.choice(words.NATIONALITY if r.random() < 0.8 else words.FAITH)
        if slot in ("HOSPITAL", "COURT"):
            table = getattr(words, slot)
            return self.nested(r.choice(table.get(lang, table["en"])), lang)
        if slot == "UNI":
            return self.nested(r.choice(words.UNI), lang)
        if slot == "HOTEL":
            return f"Hotel {r.choice(pool['LAST'])}" if r.random() < 0.5 else f"{r.choice(words.ADJECTIVE)} Inn"
        if slot == "ID":
            return self.digits(r.choice(["########", "#######", "###-##-####", "@########", "@@######", "##-######", "@#######",
                                         "######-####", "###.###.###-##", "########@", "@@-####-####", "#########", "## ## #####",
                                         "@@@###", "INV-####", "#########@", "###-###-###", "######", "@@#####@", "##########",
                                         "########-****-****", "#### #### ##", "@@######@", "########A", "##/####/##"]))
        if slot == "CASE":
            return self.digits(r.choice(["#####/##", "####/##", "#####/##"]))
        if slot == "EMAIL":
            first, last = r.choice(pool["FIRST"]), r.choice(pool["LAST"])
            name = r.choice([f"{first}.{last}", f"{first}{last}", f"{first[:1]}{last}", f"{first}_{self.digits('##')}", f"{last}{self.digits('###')}"])
            name = (name if r.random() < 0.3 else name.lower()).replace(" ", "").replace("'", "")
            return f"{name}@{r.choice(words.MAIL)}.{r.choice(['com', 'org', 'net', 'es', 'de', 'co.uk', 'edu'])}"
        if slot == "USER":
            return f"{r.choice(pool['FIRST']).lower()}{self.digits('##')}"
        if slot == "MONEY":
            n = r.choice([f"{r.randint(1, 999)}", f"{r.randint(1, 99)},{r.randint(0, 999):03d}", f"{r.randint(1, 99)} million"])
            return r.choice([f"${n}", f"EUR {n}", f"{n} euros", f"£{n}", f"{n} dollars", f"GBP {n}", f"{n} USD"])
        if slot == "PERCENT":
            return f"{r.randint(1, 40)}%"
        if slot == "EXT":
            return self.digits(r.choice(["####", "#-####"]))
        if slot == "INITIAL":
            return self.digits("@.")
        return r.choice(getattr(words, slot))

    def nested(self, template, lang):
        return re.sub(r"\{(\w+)\}", lambda m: self.fill(m[1], lang), template)

    def render(self, template, lang):
        template = template.replace("\\n", "\n").replace("\\t", "\t").replace("{{", "\x01").replace("}}", "\x02")
        text, spans, at = "", [], 0
        for m in re.finditer(r"\{([A-Z]+)(:[a-z]+)?\}", template):
            text += template[at:m.start()]
            at = m.end()
            value, start = self.fill(m[1] + (m[2] or ""), lang), len(text)
            text += value
            if m[1] in KIND:
                if m[1] in ("LANDMARK", "COUNTRY", "REGION") and value.startswith("the "):
                    start += 4
                kinds = (KIND[m[1]],) if m[1] != "STREET" else ("ADDRESS", "LOCATION") if not re.search(r"\d", value) else ("ADDRESS",)
                spans.append((start, len(text), kinds))
            elif m[1] in UNTOLD:
                spans.append((start, len(text), ()))
        text = (text + template[at:]).replace("\x01", "{").replace("\x02", "}")
        return text, spans, KNOWN

    def texts(self, lang, count):
        lines = (HERE / "templates" / f"{lang}.txt").read_text().splitlines()
        plain = (HERE / "templates" / "en-plain.txt").read_text().splitlines() if lang == "en" else []
        bare = ["{PERSON}", "{FIRST}", "{LAST}", "{CITY}", "{COUNTRY}", "{ORG}", "{ADDRESS}", "{STREET}", "{DATE}", "{ID}",
                "{PHONE}", "{JOB}", "{PERSON}", "{PERSON}, {PERSON}", "{CITY}, {STATE}", "{LAST}, {FIRST}"] if lang == "en" else []
        for _ in range(count):
            x = self.rng.random()
            source = plain if plain and x < 0.18 else bare if bare and x < 0.26 else lines
            yield self.render(self.rng.choice(source), lang)

    def inflected_texts(self, count):
        """Letters and records in languages whose names change their ends, the same number in each."""
        lines = [line.split("\t") for line in (HERE / "templates/inflected.txt").read_text().splitlines()]
        by_language = {lang: [text for other, text in lines if other == lang] for lang, _ in lines}
        for lang, texts in by_language.items():
            for _ in range(count * (3 if lang == "pl" else 1)):
                template = self.rng.choice(texts)
                yield lang, self.render(template.replace("{PERSON}", "{PERSON:nom}"), lang)
