"""Prints texts of invented people as they were stored before UTF-8, a line of JSON each: `group` of encodings, `rows`, `text`,
`bytes` (base64), what charset_normalizer reads from them (`peer`, null where it tells nothing), and its CPU time in `seconds`.

Needs faker and charset_normalizer. The same seed gives the same texts.
"""

import base64
import json
import random
import time

import charset_normalizer
from faker import Faker

WESTERN = {country: ["cp1252"] for country in "de_DE de_CH fr_FR es_ES pt_BR it_IT sv_SE da_DK no_NO fi_FI nl_NL is_IS".split()}
LATIN = {
    **{country: ["cp1250", "iso8859-2"] for country in "pl_PL cs_CZ hu_HU".split()},
    **{country: ["cp1250"] for country in "hr_HR sk_SK sl_SI".split()},
    **{country: ["cp1257"] for country in "lt_LT lv_LV et_EE".split()},
    "tr_TR": ["cp1254"],
    "vi_VN": ["cp1258"],
}
OTHERS = {
    "ru_RU": ["cp1251", "koi8-r", "cp866", "iso8859-5"],
    "uk_UA": ["cp1251", "koi8-u"],
    "bg_BG": ["cp1251"],
    "el_GR": ["cp1253", "iso8859-7"],
    "he_IL": ["cp1255"],
    "ar_SA": ["cp1256"],
    "th_TH": ["cp874"],
}
EAST_ASIAN = {"ja_JP": ["shift_jis", "euc_jp"], "ko_KR": ["euc_kr"], "zh_CN": ["gbk"], "zh_TW": ["big5"]}
MAC = {country: ["mac_roman"] for country in "de_DE fr_FR es_ES it_IT sv_SE".split()}
DOS = {country: ["cp850"] for country in "de_DE fr_FR es_ES pt_BR".split()}
GROUPS = {
    "Windows-1252": WESTERN,
    "Central European, Baltic, Turkish, Vietnamese": LATIN,
    "Cyrillic, Greek, Hebrew, Arabic, Thai": OTHERS,
    "East Asian": EAST_ASIAN,
    "DOS (cp850)": DOS,
    "Macintosh": MAC,
}


def row(fake: Faker, number: int, is_table: bool) -> str:
    person, town = fake.name(), fake.city()
    if not is_table:
        return f"{person}, {town}: {fake.text(200)}"
    street = fake.street_address().replace("\n", " ")
    return ";".join([str(number), person, town, street, fake.email(), str(fake.date_of_birth())])


def peer_of(data: bytes) -> tuple[str | None, float]:
    before = time.process_time()
    best = charset_normalizer.from_bytes(data).best()
    return (None if best is None else str(best)), time.process_time() - before


random.seed(1)
Faker.seed(1)
for group, countries in GROUPS.items():
    for country, encodings in countries.items():
        fake = Faker(country)
        for rows in (1, 5, 50, 500):
            for is_table in (True, False):
                for _ in range(6 if rows < 50 else 2):
                    lines = [row(fake, number, is_table) for number in range(rows)]
                    text = "\r\n".join(lines) + "\r\n"
                    for encoding in encodings:
                        data = text.encode(encoding, "ignore")
                        if data.isascii():
                            continue
                        peer, seconds = peer_of(data)
                        shown = {"group": group, "rows": rows, "text": data.decode(encoding), "peer": peer, "seconds": seconds}
                        print(json.dumps({**shown, "bytes": base64.b64encode(data).decode()}))
